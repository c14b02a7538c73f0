"""Wrong calls: one line on stderr that says what was expected, status 2, nothing on stdout."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Ask

COMMANDS = ["check", "why", "list", "owner", "load", "explain", "rules"]
LATER_COMMANDS = [
    "whatif", "fix", "guard", "trace", "ps", "snapshot", "diff", "run",
    "history", "blame", "caches", "gpu",
]  # fmt: skip
LATER_OPTIONS = [
    ("--image", "x.tar"), ("--via", "ssh host"), ("--pid", "1"), ("--kernel", "5.4"),
    ("--format", "dot"), ("-f", "html"),
]  # fmt: skip

WRONG: list[tuple[list[str], str]] = [
    (["chekc"], "did you mean check?"),
    (["check", "--fromat", "json"], "did you mean --format?"),
    (["list", "--col=never"], "did you mean --color?"),
    (["frobnicate"], "unknown command 'frobnicate' (whyso --help"),
    (["list", "--frobnicate"], "unknown option --frobnicate (whyso --help"),
    (["list", "-Z"], "unknown option -Z"),
    (["-q"], "no command given"),
    (["list", "more"], "list takes no argument"),
    (["rules", "more"], "rules takes no argument"),
    (["why"], "why wants one"),
    (["why", "a", "b"], "takes one argument"),
    (["why", "-"], "no line in it is an error"),
    (["owner"], "owner wants at least one"),
    (["load"], "at least one REQUEST"),
    (["load", "--after", "m", "--program", "/bin/sh", "x"], "does not go with --program"),
    (["load", "--after"], "--after wants a value"),
    (["explain"], "explain wants one"),
    (["explain", "guted-package"], "did you mean gutted-package?"),
    (["--program", "x", "load", "y"], "belongs to the command load"),
    (["check", "--program", "x"], "belongs to the command load"),
    (["check", "-e"], "-e wants a value"),
    (["check", "--env"], "--env wants a value"),
    (["check", "--env="], "names no path"),
    (["check", "--hash=1"], "--hash takes no value"),
    (["check", "-f", "xml"], "ndjson, sarif or github, not 'xml'"),
    (["check", "--only", "most"], "resolve, symbols or imports, not 'most'"),
    (["check", "--ignore", ""], "RULE or RULE:GLOB, not ''"),
    (["check", "--ignore", "leftover:"], "RULE or RULE:GLOB, not 'leftover:'"),
    (["check", "--ignore", "lefover"], "did you mean leftover?"),
    (["check", "--baseline", "/nonexistent/known"], "--baseline /nonexistent/known: No such file"),
    (["list", "--write-baseline", "f"], "lists what check finds; list writes none"),
    (["list", "-f", "sarif"], "list prints text, json or ndjson"),
    (["check", "--config", "/nonexistent/f"], "--config /nonexistent/f: No such file"),
    (["check", "--fail-on", "all"], "not 'all'"),
    (["check", "--color", "maybe"], "auto, always or never"),
    (["check", "--driver", "some"], "auto, none or assume"),
    (["check", "--driver", "assume:"], "auto, none or assume"),
    (["check", "--cpu", "x86-64-v9"], "x86-64-v4"),
    (["check", "-j", "0"], "-j takes a number"),
    (["check", "-jx"], "-j takes a number"),
    (["check", "--set", "NAME"], "--set takes VAR=VALUE"),
    (["check", "--set", "=x"], "--set takes VAR=VALUE"),
    (["check", "--unset", "A=B"], "--unset takes the name"),
    (["check", "--root", "/nonexistent/x"], "--root /nonexistent/x"),
    (["check", "--cwd", "/nonexistent/x"], "--cwd /nonexistent/x"),
    (["check", "--env-file", "/nonexistent/x"], "--env-file /nonexistent/x"),
    (["check", "a\x1b[2Jb", "--no\npe"], "--no\\x0ape"),
    (["\x1b[2J"], "\\x1b[2J"),
]


@pytest.mark.parametrize(("args", "said"), WRONG, ids=lambda v: " ".join(v)[:40].encode().hex())
def test_wrong_call(ask: Ask, args: list[str], said: str) -> None:
    status, out, err = ask(*args)
    assert (status, out) == (2, "")
    assert said in err
    assert err.startswith("whyso: ") and err.count("\n") == 1 and err.endswith("\n")
    assert "\x1b" not in err


@pytest.mark.parametrize("name", LATER_COMMANDS)
def test_command_of_a_later_day(ask: Ask, name: str) -> None:
    status, out, err = ask(name)
    assert (status, out) == (2, "")
    assert "does not exist yet" in err and err.count("\n") == 1


@pytest.mark.parametrize(("option", "value"), LATER_OPTIONS)
def test_option_of_a_later_day(ask: Ask, option: str, value: str) -> None:
    for args in ([option, value, "check"], ["check", option, value]):
        status, out, err = ask(*args)
        assert (status, out) == (2, "")
        assert "does not exist yet" in err and err.count("\n") == 1


def test_no_such_environment(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "none", tmp_path, tmp_path / "file"):
        status, out, err = ask("check", "-e", path)
        assert (status, out) == (2, ""), path
        assert err.count("\n") == 1 and str(path) in err


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_each_command(ask: Ask, name: str) -> None:
    status, out, err = ask(name, "--help")
    assert (status, err) == (0, "")
    assert out == ask("help", name).out == ask("--help", name).out
    assert f"usage: whyso [options] {name}" in out
    assert "examples" in out
    assert all(len(line) <= 80 for line in out.splitlines())


def test_help_shows_what_works_and_nothing_else(ask: Ask) -> None:
    status, out, err = ask()
    assert (status, err) == (0, "")
    assert out == ask("--help").out == ask("help").out == ask("-h").out
    assert all(len(line) <= 80 for line in out.splitlines())
    commands = [line.split()[0] for line in out.splitlines() if line.startswith("  ")]
    for name in COMMANDS:
        assert name in commands
    for name in LATER_COMMANDS:
        assert name not in commands
    for option, _ in LATER_OPTIONS:
        assert option in ("-f", "--format") or option not in out


def test_version(ask: Ask) -> None:
    status, out, err = ask("--version")
    assert (status, err) == (0, "")
    assert out.split()[0] == "whyso" and out.count("\n") == 1


COMPLETE = """
source "$0"
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_whyso "$1"
printf '%s\\n' "${COMPREPLY[@]}"
"""

COMPLETIONS: list[tuple[list[str], list[str]]] = [
    (["ch"], ["check"]),
    (["-f", "nd"], ["ndjson"]),
    (["check", "--fail-on", "w"], ["warning"]),
    (["load", "--prog"], ["--program"]),
    (["check", "--prog"], []),
    (["check", "--env"], ["--env", "--env-file"]),
    (["explain", "gutted-p"], ["gutted-package"]),
]


@pytest.mark.parametrize(("words", "expected"), COMPLETIONS, ids=lambda v: " ".join(v))
def test_completion_in_bash(whyso: Path, root: Path, words: list[str], expected: list[str]) -> None:
    if not shutil.which("bash"):
        pytest.skip("no bash")
    script = root / "completions" / "whyso.bash"
    done = subprocess.run(
        ["bash", "-c", COMPLETE, script, whyso, *words], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert done.stdout.split() == expected
