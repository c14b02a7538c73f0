"""What reaches stdout: all of it or an error, colour where it is wanted, JSON by its schema."""

from __future__ import annotations

import _ctypes
import fcntl
import json
import os
import pty
import struct
import subprocess
import sys
import termios
import venv
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.cli.conftest import Ask, clean

ANSWERS: list[list[str]] = [
    ["check"],
    ["why", "libc.so.6"],
    ["why", "ctypes"],
    ["tree", "ctypes"],
    ["tree", "libc.so.6"],
    ["list"],
    ["owner", "/etc/passwd", "/nonexistent/file.so"],
    ["load", "libc.so.6", "libnothing-of-this-name.so.1", "./none.so"],
    ["load", "--program", "/bin/sh", "libc.so.6"],
    ["load", "--after", "ctypes", "libc.so.6"],
    ["explain", "gutted-package"],
    ["rules"],
]
NO_ENVIRONMENT = ("explain", "rules")


@pytest.mark.parametrize("args", ANSWERS, ids=" ".join)
@pytest.mark.parametrize("where", ["tiny", "system"])
def test_json_keeps_its_schema(
    ask: Ask, tiny: Path, validators: dict[str, Draft202012Validator], args: list[str], where: str
) -> None:
    env = {"tiny": tiny, "system": Path("/usr/bin/python3")}[where]
    if not env.exists():
        pytest.skip(f"no {env}")
    command = args[0]
    status, out, err = ask(*args, "-e", env, "--format", "json")
    assert err == "" and status in (0, 1)
    assert out.isascii() and out.endswith("}\n")
    report = json.loads(out)
    assert report["schema"] == f"whyso/{command}/1"
    assert list(report)[:2] == ["schema", "tool"]
    errors = [f"{e.json_path}: {e.message}" for e in validators[command].iter_errors(report)]
    assert not errors
    assert out == ask(*args, "-e", env, "--format", "json").out


@pytest.mark.parametrize("args", ANSWERS, ids=" ".join)
def test_ndjson_is_the_report_in_lines(ask: Ask, tiny: Path, args: list[str]) -> None:
    whole = json.loads(ask(*args, "-e", tiny, "-f", "json").out)
    lines = [json.loads(s) for s in ask(*args, "-e", tiny, "-f", "ndjson").out.splitlines()]
    lists = {k: v for k, v in whole.items() if isinstance(v, list)}
    rest = {k: v for k, v in whole.items() if k not in lists}
    assert lines[0] == {"type": "report"} | rest
    assert all(next(iter(line)) == "type" for line in lines)
    items = [{k: v for k, v in line.items() if k != "type"} for line in lines[1:]]
    assert items == [item for name in lists for item in lists[name]]


@pytest.mark.parametrize("args", ANSWERS, ids=" ".join)
def test_text_is_quiet_about_control_characters(ask: Ask, tiny: Path, args: list[str]) -> None:
    status, out, err = ask(*args, "-e", tiny)
    assert err == "" and status in (0, 1)
    assert out.endswith("\n") and "\x1b" not in out
    assert out == ask(*args, "-e", tiny).out


def test_line_one_says_which_environment(ask: Ask, tiny: Path) -> None:
    said = ask("check", cwd=tiny.parent).out.splitlines()[0]
    assert said.startswith(".venv (nearest .venv) · Python 3.")
    said = ask("check", "-e", tiny).out.splitlines()[0]
    assert said.startswith(f"{tiny} (--env)")
    said = ask("check", cwd=tiny.parent, env={"VIRTUAL_ENV": str(tiny)}).out.splitlines()[0]
    assert said.startswith(".venv ($VIRTUAL_ENV)")


def test_an_empty_environment_is_calm(ask: Ask, tiny: Path) -> None:
    status, out, err = ask("check", "-e", tiny)
    assert (status, err) == (0, "")
    assert "Nothing is broken" in out and "✗" not in out and "!" not in out
    assert ask("check", "-e", tiny, "-q") == (0, "", "")


def test_why_of_what_nothing_here_knows(ask: Ask, tiny: Path) -> None:
    status, out, err = ask("why", "-e", tiny, "libnothing-of-this-name.so.1")
    assert (status, out) == (2, "")
    assert "libnothing-of-this-name.so.1" in err and err.count("\n") == 1


def test_load_says_when_not_ok(ask: Ask, tiny: Path) -> None:
    assert ask("load", "-e", tiny, "libc.so.6").status == 0
    status, out, _ = ask("load", "-e", tiny, "libnothing-of-this-name.so.1")
    assert status == 1
    text = " ".join(out.split())
    assert "cannot open shared object file: No such file or directory" in text


@pytest.fixture
def modules(tmp_path: Path) -> Path:
    """An environment whose modules end in three ways."""
    env = tmp_path / ".venv"
    venv.create(env, with_pip=False)
    (site,) = env.glob("lib/python3*/site-packages")
    (site / "fails.py").write_text("import _empty\n")
    (site / "_empty.so").touch()
    (site / "odd.py").write_text("import (\n")
    return env


def test_load_after_an_import(ask: Ask, modules: Path) -> None:
    library = getattr(_ctypes, "__file__", None)
    if library is None:
        pytest.skip("this python has ctypes built in")

    def step(*args: str) -> tuple[Any, Any]:
        report = json.loads(ask("load", "-e", modules, "-f", "json", *args, library).out)
        (said,) = report["steps"]
        assert said["outcome"] == "ok"
        return report["after"], said["mapped"]

    after, mapped = step()
    assert after is None and mapped[0]["name"] == library
    after, mapped = step("--after", "ctypes")
    assert (after["module"], after["outcome"], mapped) == ("ctypes", "ok", [])
    assert step("--after", "sys")[1][0]["name"] == library
    after, mapped = step("--after", "odd")
    assert after["outcome"] == "unknown" and after["reason"] and mapped[0]["name"] == library


def test_load_after_an_import_that_fails(ask: Ask, modules: Path) -> None:
    args = ("load", "-e", modules, "--after", "fails", "libc.so.6")
    report = json.loads(ask(*args, "-f", "json").out)
    (empty,) = modules.glob("lib/python3*/site-packages/_empty.so")
    assert report["program"]["outcome"] == "ok" and report["steps"] == []
    assert report["after"] == {
        "module": "fails",
        "outcome": "fails",
        "message": f"{empty}: file too short",
        "reason": None,
    }
    status, out, _ = ask(*args)
    assert status == 1
    assert "✗ import fails fails:" in out and "nothing is opened after it" in out


def test_load_after_a_module_that_is_nowhere(ask: Ask, modules: Path) -> None:
    status, out, err = ask("load", "-e", modules, "--after", "nowhere", "libc.so.6")
    assert (status, out) == (2, "")
    assert "--after nowhere:" in err and "no module of this name" in err


def test_full_disk(whyso: Path, tiny: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [whyso, "check", "-e", tiny], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.returncode == 2
    assert done.stderr.startswith(b"whyso: cannot write") and done.stderr.count(b"\n") == 1


def test_closed_pipe_is_no_news(whyso: Path, tiny: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [whyso, "check", "-e", tiny, "-f", "json"],
        stdout=write,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write)
    assert (done.returncode, done.stderr) == (2, b"")


def test_closed_stdout_is_an_error_and_hurts_no_file(whyso: Path, tiny: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", '"$0" check -e "$1" >&-', whyso, tiny], stderr=subprocess.PIPE, check=False
    )
    assert done.returncode == 2 and b"cannot write" in done.stderr


def on_terminal(program: Path, args: list[str], columns: int, **env: str) -> bytes:
    """What the program writes to a terminal of that width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
    done = subprocess.Popen(
        [program, *args], stdout=theirs, stderr=theirs, env=clean({"TERM": "xterm"} | env)
    )
    os.close(theirs)
    said = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux says EIO when the other end is closed
            break
        if not piece:
            break
        said += piece
    done.wait(60)
    os.close(ours)
    return said


def test_colour(whyso: Path, ask: Ask) -> None:
    args = ["rules"]
    assert b"\x1b[" in on_terminal(whyso, args, 80)
    assert b"\x1b[" not in on_terminal(whyso, args, 80, NO_COLOR="1")
    assert b"\x1b[" not in on_terminal(whyso, args, 80, TERM="dumb")
    assert b"\x1b[" not in on_terminal(whyso, [*args, "--color=never"], 80)
    assert b"\x1b[" in on_terminal(whyso, [*args, "--color=always"], 80, NO_COLOR="1")
    assert "\x1b[" not in ask(*args).out
    assert "\x1b[" in ask(*args, "--color", "always").out
    assert "\x1b[" not in ask(*args, "--color", "always", "-f", "json").out


@pytest.mark.parametrize("columns", [40, 80, 100, 116])
def test_width_of_the_terminal(whyso: Path, tiny: Path, columns: int) -> None:
    args = ["rules", "--color=never"]
    said = on_terminal(whyso, args, columns).decode().replace("\r", "")
    assert max(map(len, said.splitlines())) <= columns
    wide = on_terminal(whyso, args, 300).decode().replace("\r", "")
    assert max(map(len, wide.splitlines())) <= 116


def test_the_python_that_runs_these_tests(ask: Ask) -> None:
    status, out, err = ask("check", "-e", sys.executable)
    assert status in (0, 1) and err == ""
    assert out.splitlines()[0]
