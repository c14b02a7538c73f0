"""Questions that cannot be answered, places that cannot be written to, limits of the system."""

from __future__ import annotations

import resource
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import clean
from tests.hostile.conftest import SITE, SUFFIX, Attack, Call, Env, plain


def one_line(err: str) -> bool:
    return err.startswith("whyso: ") and err.count("\n") == 1 and plain(err)


@pytest.mark.parametrize(
    "args",
    [
        ["check", ""],
        ["why", ""],
        ["check", "module:"],
        ["check", "pkg:"],
        ["check", "lib:"],
        ["check", "file:"],
        ["check", "file:/dev/zero"],
        ["check", "file:/etc/passwd"],
        ["check", "a..b"],
        ["check", "new\nline"],
        ["check", b"\xff\x1b"],
        ["check", "a" * 100000],
        ["why", "\x1b[31m"],
        ["check", "--cwd="],
        ["check", "--root="],
        ["check", "-j", "0"],
        ["check", "-j", "999999"],
        ["explain", "../../etc/passwd"],
        ["load", "--program", "/nonexistent\n", "libc.so.6"],
    ],
    ids=lambda a: ascii(a)[:40],
)
def test_no_answer(call: Call, env: Env, args: Sequence[str | bytes]) -> None:
    env.package("x", "libgone.so")
    status, out, err = call(*args, "-e", env.prefix)
    assert (status, out) == (2, "") and one_line(err), err


def test_a_file_that_is_gone_speaks_of_its_package(attack: Attack, env: Env) -> None:
    env.dist("y", "y/liba.so,,\ny/libb.so,,\n")
    for asked in ("pkg:y", f"file:{SITE}/y/liba.so", f"{SITE}/y/libb.so"):
        answer = attack(env, asked)
        assert [f["fingerprint"] for f in answer.report["findings"]] == ["gutted-package:y"]


def test_a_file_that_is_no_library(call: Call, env: Env) -> None:
    env.package("x", "libgone.so")
    status, out, err = call("check", f"{SITE}/x/__init__.py", "-e", env.prefix)
    assert (status, out) == (2, "") and "not a library" in err and one_line(err)
    assert call("check", f"{SITE}/x/_c{SUFFIX}", "-e", env.prefix).status == 0


def test_no_room_in_the_file(whyso: Path, env: Env, tmp_path: Path) -> None:
    with (tmp_path / "answer").open("wb") as answer:
        done = subprocess.run(
            [whyso, "check", "-e", env.prefix, "-f", "json"],
            stdout=answer,
            stderr=subprocess.PIPE,
            env=clean(),
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512)),
            check=False,
        )
    assert done.returncode == 2 and one_line(done.stderr.decode())


@pytest.mark.parametrize("files", [4, 5, 8])
def test_few_descriptors(call: Call, env: Env, files: int) -> None:
    env.package("x", "libgone.so")
    whole = call("check", "-e", env.prefix)
    assert whole.status == 1
    few = call("check", "-e", env.prefix, limits={resource.RLIMIT_NOFILE: files})
    assert few == whole or (few.status in (0, 1, 2) and plain(few.err))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("LD_LIBRARY_PATH", ":".join(f"/n{i}" for i in range(10000))),
        ("LD_LIBRARY_PATH", "::a:;\x1b[31m\n:/dev/zero:$ORIGIN:${LIB:$"),
        ("LD_PRELOAD", " : : \x1b[31m /dev/zero libc.so.6 " * 100),
        ("PYTHONPATH", ":" + ":".join(f"n{i}" for i in range(10000)) + ":/dev/zero:/:\x1b\n"),
        ("PYTHONHOME", "/nonexistent\n"),
    ],
    ids=["many", "odd", "preload", "pythonpath", "home"],
)
def test_variables(attack: Attack, env: Env, name: str, value: str) -> None:
    env.package("x", "libgone.so")
    assert "libgone.so" in attack(env, "--set", f"{name}={value}").text


def test_nothing_is_written_and_nothing_is_run(whyso: Path, env: Env, tmp_path: Path) -> None:
    """All that the program does to the system is open(2) for reading."""
    log = tmp_path / "log"
    asked = "trace=execve,openat,openat2,open,creat,unlink,unlinkat,rename,renameat2,mkdir,mkdirat"
    try:
        subprocess.run(
            ["strace", "-f", "-o", log, "-e", asked, whyso, "check", "-e", env.prefix],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=clean({"ASAN_OPTIONS": "detect_leaks=0"}),
            timeout=60,
            check=False,
        )
    except FileNotFoundError:
        pytest.skip("no strace")
    calls = log.read_text().splitlines()
    if not any("exited with 0" in line for line in calls):
        pytest.skip("strace may not trace here")
    writing = ("O_WRONLY", "O_RDWR", "O_CREAT", "unlink", "rename", "mkdir", "creat(")
    assert not [c for c in calls if any(w in c for w in writing) and "/dev/null" not in c]
    assert sum("execve(" in c for c in calls) == 1
