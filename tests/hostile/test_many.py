"""Very many of everything. The time limit of the calls and a limit on memory are the judges."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.conftest import SUFFIX, TIME_LIMIT, Attack, Call, Env
from tests.loader.elfwriter import Elf

MEASURED = """
import os, resource, sys
if os.fork() == 0:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, used = os.wait4(-1, 0)
print(os.waitstatus_to_exitcode(status), used.ru_maxrss, file=sys.stderr)
"""


def peak(program: Path, env: Env) -> int:
    """Most memory that a check takes, in MiB. The environment is read once more for each fix, one
    after the other."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, program, "check", "-e", env.prefix, "-f", "json"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=TIME_LIMIT,
        check=True,
    )
    status, kilobytes = map(int, done.stderr.split())
    assert status in (0, 1)
    return kilobytes // 1024


def test_many_packages_need_what_is_gone(whyso: Path, attack: Attack, env: Env) -> None:
    """Each finding lists every needer and every import: lists must not be copied as they grow."""
    libraries = [f"libgone{i}.so" for i in range(60)]
    extension = Elf(needed=libraries).to_bytes()
    for i in range(300):
        folder = env.site / f"p{i}"
        folder.mkdir()
        (folder / "__init__.py").write_text("from ._c import x\n")
        (folder / f"_c{SUFFIX}").write_bytes(extension)
        env.dist(f"p{i}", f"p{i}/__init__.py,,\np{i}/_c{SUFFIX},,\np{i}/libgone{i % 60}.so,,\n")
    assert peak(whyso, env) < 230
    answer = attack(env)
    assert set(answer.outcomes.values()) == {"fails"} and len(answer.outcomes) == 300
    assert len(answer.findings("gutted-package")) == 300
    assert all(len(i["findings"]) == 60 for i in answer.report["imports"])


def test_libraries_that_all_need_each_other(call: Call, env: Env) -> None:
    """None of them loads, so each is opened by itself and looks for all others."""
    folder = env.package("x", "libgone.so")
    library = Elf(needed=[f"l{i}.so" for i in range(1000)] + ["libgone.so"], runpath="$ORIGIN")
    for i in range(1000):
        (folder / f"l{i}.so").write_bytes(library.to_bytes())
    status, out, err = call("check", "-e", env.prefix, "-f", "json")
    assert (status, err) == (1, "")
    assert json.loads(out)["environment"]["complete"] is False


def test_many_objects_and_many_opens(whyso: Path, env: Env) -> None:
    """What is loaded by then goes along with each further open (limit: with sanitizers)."""
    names = [f"l{i}.so" for i in range(3000)]
    folder = env.package(
        "x",
        *names,
        init="from ._c import x\n" + "".join(f"from . import e{i}\n" for i in range(3000)),
    )
    for name in names:
        (folder / name).write_bytes(Elf().to_bytes())
    for i in range(3000):
        (folder / f"e{i}{SUFFIX}").write_bytes(Elf(needed=["l0.so"]).to_bytes())
    assert peak(whyso, env) < 1400


def test_many_twins(whyso: Path, attack: Attack, env: Env) -> None:
    """Two packages that list the same libraries; each finding names them all."""
    rows = {}
    for name, size in (("a", 5), ("b", 6)):
        rows[name] = "".join(f"x/l{i}.so,sha256={name * 43},{size}\n" for i in range(2000))
        env.dist(name, rows[name])
    (env.site / "x").mkdir()
    for i in range(2000):
        (env.site / "x" / f"l{i}.so").write_bytes(b"ABCDEF")
    assert peak(whyso, env) < 230
    answer = attack(env)
    assert [len(f["candidates"]) for f in answer.findings("overwritten-file")] == [2000]


def test_many_requirements(whyso: Path, env: Env) -> None:
    """Nothing is kept of a requirement that is not the one looked for."""
    known = [f"libcudnn_{p}.so.9" for p in ("adv", "cnn", "ops", "graph")]
    known += ["libcublas.so.12", "libcublasLt.so.12", "libcufft.so.11", "libnccl.so.2"]
    env.package("x", *known, "libcudnn.so.9", "libcusparse.so.12", "libcurand.so.10")
    rows = "".join(f"Requires-Dist: package-{i}>=1,<2\n" for i in range(100000))
    metadata = env.site / "x-1.0.dist-info" / "METADATA"
    metadata.write_text(f"Metadata-Version: 2.1\nName: x\nVersion: 1.0\n{rows}")
    assert peak(whyso, env) < 400


@pytest.mark.parametrize("wanted", [1, 300])
def test_many_recorded_libraries_are_gone(attack: Attack, env: Env, wanted: int) -> None:
    env.package("x", *[f"liblost{i}.so" for i in range(wanted)])
    env.dist("y", "".join(f"y/lib{i}.so,,\n" for i in range(50000)))
    answer = attack(env)
    assert len(answer.findings("missing-library")) == wanted
    assert len(answer.findings("gutted-package")) == 1


def test_an_install_killed_before_it_wrote_anything(attack: Attack, env: Env) -> None:
    for i in range(200):
        (env.dist(f"p{i}", "") / "RECORD").unlink()
    answer = attack(env)
    assert len(answer.findings("gutted-package")) == 200
    because = [b for f in answer.report["findings"] for b in f["because"]]
    assert all(b.endswith("has no RECORD") for b in because)
