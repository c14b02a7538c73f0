"""The command that runs the environment: what it compares, tells, and leaves behind."""

from __future__ import annotations

import json
import os
import signal
import sys
import venv
import zlib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.cli.conftest import Ask

Json = dict[str, Any]

MODULES = {
    "fine": "import ctypes\n",
    # not seen on paper: what is in a file can be read, but this is packed
    "hidden": "import zlib\n"
    "packed = open(__file__[:-2] + 'z', 'rb').read()\n"
    "__import__(zlib.decompress(packed).decode())\n",
    "broken": "import _empty\n",
    # not seen on paper, as a plain `raise` is
    "raises": "(_ for _ in ()).throw(RuntimeError('no'))\n",
    "quits": "raise SystemExit(5)\n",
    "exits": "import os\nos._exit(3)\n",
    "crashes": "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n",
    "aborts": "import os\nos.abort()\n",
    "hangs": (
        "import os, subprocess, time\n"
        "child = subprocess.Popen(['sleep', '1000'])\n"
        "open(os.environ['PIDS'], 'w').write(f'{os.getpid()} {child.pid}')\n"
        "time.sleep(1000)\n"
    ),
    "wants": (
        "import os, sys\n"
        "if os.environ.get('X') != '1' or not sys.flags.isolated or os.getcwd() != '/':\n"
        "    raise RuntimeError('another process')\n"
    ),
}


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    env = tmp_path_factory.mktemp("verify").resolve() / ".venv"
    venv.create(env, with_pip=False)
    (site,) = env.glob("lib/python3*/site-packages")
    for name, text in MODULES.items():
        (site / f"{name}.py").write_text(text)
    (site / "hidden.z").write_bytes(zlib.compress(b"_ctypes"))
    (site / "_empty.so").touch()
    return env


def verified(ask: Ask, env: Path, module: str, *args: str, **variables: str) -> Json:
    base = ("verify", "-e", env, "-f", "json", "-q")
    status, out, err = ask(*base, *args, module, env=variables)
    assert err == ""
    report = json.loads(out)
    entry: Json
    (entry,) = report["imports"]
    assert entry["module"] == module
    assert status == report["different"] == (not entry["same"])
    return entry


@pytest.mark.parametrize("module", ["fine", "broken", "sys"])
def test_the_same(ask: Ask, modules: Path, module: str) -> None:
    entry = verified(ask, modules, module)
    assert entry["same"] and entry["real"]["objects"] > 1
    assert entry["differences"] == entry["missing"] == entry["extra"] == []
    if module == "broken":
        real = entry["real"]
        assert (real["outcome"], real["how"]) == ("fails", "exception")
        assert real["message"].endswith("_empty.so: file too short")
        assert real["raised"] == {"type": "ImportError", "text": real["message"]}


def test_objects_that_were_not_predicted(ask: Ask, modules: Path) -> None:
    import _ctypes

    if not hasattr(_ctypes, "__file__"):
        pytest.skip("this python has ctypes built in")
    entry = verified(ask, modules, "hidden")
    assert not entry["same"] and entry["extra"] == []
    names = [Path(file).name for file in entry["missing"]]
    assert names[0] == Path(_ctypes.__file__).name and len(names) == 2  # and libffi
    assert "2 objects mapped, not predicted" in ask("verify", "-e", modules, "hidden").out


ENDS = [
    ("raises", "exception", 0, "RuntimeError"),
    ("quits", "exit", 0, "SystemExit"),
    ("exits", "exit", 3, None),
    ("crashes", "signal", signal.SIGSEGV, None),
    ("aborts", "abort", signal.SIGABRT, None),
]


@pytest.mark.parametrize(("module", "how", "status", "raised"), ENDS)
def test_how_it_ends(
    ask: Ask, modules: Path, module: str, how: str, status: int, raised: str | None
) -> None:
    entry = verified(ask, modules, module)
    real = entry["real"]
    assert (real["outcome"], real["how"], real["status"]) == ("fails", how, status)
    assert (real["raised"] or {}).get("type") == raised
    assert (real["objects"] is None) == (raised is None) == bool(real["no_objects"])
    if entry["predicted"]["outcome"] == "ok":
        assert entry["differences"][0] == {
            "what": "outcome",
            "predicted": "ok",
            "real": "fails",
            "at": 0,
        }


def test_text_says_how_it_ends(ask: Ask, modules: Path) -> None:
    out = ask("verify", "-e", modules, "-q", "raises", "exits", "crashes").out
    said = [line for line in out.splitlines() if line.startswith("✗")]
    assert said[0].startswith("✗ raises fails (RuntimeError: no), ")
    assert said[1:] == [
        "✗ exits ends the process with status 3",
        f"✗ crashes is ended by signal {signal.SIGSEGV}",
    ]
    assert out.count("    outcome: predicted ok, really fails\n") == 3


def test_time_limit_ends_all_of_it(ask: Ask, modules: Path, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    entry = verified(ask, modules, "hangs", "--timeout", "10", PIDS=str(pids))
    assert entry["real"]["outcome"] == "timeout" and not entry["same"]
    for pid in pids.read_text().split():
        status = Path(f"/proc/{pid}/stat")
        assert not status.exists() or status.read_text().rpartition(")")[2].split()[0] == "Z"


def test_the_process_is_the_simulated_one(ask: Ask, modules: Path) -> None:
    assert verified(ask, modules, "wants")["real"]["outcome"] == "fails"
    args = ("--clean", "--set", "X=1", "--isolated", "--cwd", "/")
    assert verified(ask, modules, "wants", *args)["real"]["outcome"] == "ok"


def test_says_what_it_does_and_leaves_nothing(ask: Ask, modules: Path) -> None:
    before = sorted(modules.rglob("*"))
    status, out, err = ask("verify", "-e", modules, "fine")
    assert status == 0 and "fine works as predicted" in out and "1 import as predicted" in out
    assert "RUNS code of the environment" in err and str(modules / "bin" / "python") in err
    assert sorted(modules.rglob("*")) == before


def test_json_keeps_its_schema(
    ask: Ask, modules: Path, validators: dict[str, Draft202012Validator]
) -> None:
    names = [name for name in MODULES if name != "hangs"]
    out = ask("verify", "-e", modules, "-f", "json", "-q", *names).out
    report = json.loads(out)
    assert [i["module"] for i in report["imports"]] == names
    assert not [e.message for e in validators["verify"].iter_errors(report)]
    lines = ask("verify", "-e", modules, "-f", "ndjson", "-q", *names).out.splitlines()
    rest = {k: v for k, v in report.items() if k != "imports"}
    assert json.loads(lines[0]) == {"type": "report"} | rest
    items = [{"type": "import"} | i for i in report["imports"]]
    assert [json.loads(line) for line in lines[1:]] == items


def test_report_names_nobody(ask: Ask, tmp_path: Path) -> None:
    home = tmp_path.resolve() / "ann"
    env, work = home / "my env", home / "work"
    work.mkdir(parents=True)
    venv.create(env, with_pip=False)
    (site,) = env.glob("lib/python3*/site-packages")
    (site / "tells.py").write_text(
        "(_ for _ in ()).throw("
        f"RuntimeError({str(home)!r} + '/x', {str(env)!r}, '/scratch/ann/y', 'annual'))\n"
    )
    file = tmp_path / "report.json"
    said = ask(
        *("verify", "-e", env, "--report", file, "tells"),
        cwd=work,
        env={"HOME": str(home), "USER": "ann"},
    )
    assert said.status == 1
    text = file.read_text()
    report = json.loads(text)
    assert report["environment"]["prefix"] == "$ENV"
    assert report["environment"]["process"]["cwd"] == "$CWD"
    (entry,) = report["imports"]
    assert entry["real"]["raised"]["text"] == "('~/x', '$ENV', '/scratch/USER/y', 'annual')"
    assert str(home) not in text and "/ann" not in text


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--root", "/", "--timeout", "0"], "--timeout"),
        (["--report", "/nonexistent/x"], "/nonexistent/x"),
    ],
)
def test_wrong_calls(ask: Ask, modules: Path, args: list[str], says: str) -> None:
    status, _, err = ask("verify", "-q", "-e", modules, *args, "sys")
    assert status == 2 and says in err and err.count("\n") == 1


def test_only_what_is_here_runs(ask: Ask, modules: Path, tmp_path: Path) -> None:
    (site,) = modules.glob("lib/python3*/site-packages")
    status, out, err = ask("verify", "-e", site, "--python", sys.executable, "fine")
    assert (status, out) == (2, "") and "a python of its own" in err
    (tmp_path / "r").symlink_to("/")
    status, out, err = ask("verify", "--root", tmp_path / "r", "-e", os.fspath(modules), "fine")
    assert (status, out) == (2, "") and "--root" in err
