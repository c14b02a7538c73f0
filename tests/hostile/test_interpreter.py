"""What stands in the place of an interpreter, when it is none."""

from __future__ import annotations

import os

import pytest

from tests.hostile.conftest import Attack, Env


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("nothing", "bin/python does not exist"),
        ("dangling", "is a link to /nonexistent/python3, which does not exist"),
        ("loop", "Too many levels of symbolic links"),
        ("folder", "bin/python is a folder, not a program"),
        ("pipe", "bin/python is no regular file"),
        ("device", "is a link to /dev/zero, which is no regular file"),
        ("empty", "file too short"),
    ],
)
def test_no_interpreter(attack: Attack, env: Env, kind: str, said: str) -> None:
    env.package("x", "libgone.so")
    env.python.unlink()
    if kind == "dangling":
        env.python.symlink_to("/nonexistent/python3")
    elif kind == "loop":
        env.python.symlink_to("python")
    elif kind == "folder":
        env.python.mkdir()
    elif kind == "pipe":
        os.mkfifo(env.python)
    elif kind == "device":
        env.python.symlink_to("/dev/zero")
    elif kind == "empty":
        env.python.write_bytes(b"")
    answer = attack(env)
    assert answer.status == 1
    assert [said in f["title"] for f in answer.findings("base-python")] == [True]
    for command, *args in (["list"], ["why", "libgone.so"], ["owner", "x/__init__.py"]):
        attack(env, *args, command=command)


def test_a_script_may_start_any_interpreter(attack: Attack, env: Env) -> None:
    env.package("x", "libgone.so")
    env.python.unlink()
    env.python.write_text("#!/bin/sh\ntouch pwned\n")
    env.python.chmod(0o755)
    answer = attack(env)
    assert answer.status == 0 and answer.report["verdict"] == "degraded"
    assert [f["title"] for f in answer.findings("base-python")] == [
        "bin/python is a script: which interpreter it starts is not known"
    ]


@pytest.mark.parametrize(
    "text",
    [b"", b"\0" * 3000, b"\xff\xfe\x80" * 900, b"home = \x1b[31m\nversion = \x1b\n", b"home"],
    ids=["empty", "zeros", "binary", "escapes", "cut"],
)
def test_pyvenv_cfg(attack: Attack, env: Env, text: bytes) -> None:
    env.package("x", "libgone.so")
    (env.prefix / "pyvenv.cfg").write_bytes(text)
    assert "libgone.so" in attack(env).text


def test_home_is_the_environment_itself(attack: Attack, env: Env) -> None:
    env.package("x", "libgone.so")
    (env.prefix / "pyvenv.cfg").write_text(f"home = {env.prefix}/bin\n")
    attack(env)
