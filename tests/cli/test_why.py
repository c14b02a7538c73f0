"""`why` of packages, modules and pasted errors: its schema, and any text that may be pasted."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from tests.cases.builder import Builder
from tests.cli.conftest import Ask, clean

TREE = r"""
venv .venv
file S/app/__init__.py = from app import _fast\n
ext S/app/_fast needs=libknown.so.1
dist app 1.0
file S/web/__init__.py = import app\n
dist web 2.0 requires=app
"""


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("why").resolve()
    Builder(top).build(TREE.strip().splitlines())
    return top / ".venv"


def paste(whyso: Path, text: bytes, *args: str | Path) -> subprocess.CompletedProcess[bytes]:
    argv: list[str | Path] = [whyso, "why", "-", *args]
    return subprocess.run(argv, input=text, env=clean(), capture_output=True, timeout=120)


@pytest.mark.parametrize("subject", ["app", "pkg:app", "module:app", "web"])
def test_json_keeps_its_schema(
    ask: Ask, env: Path, validators: dict[str, Draft202012Validator], subject: str
) -> None:
    out = ask("why", subject, "-e", env, "--format", "json").out
    answer = json.loads(out)
    assert [f"{e.json_path}: {e.message}" for e in validators["why"].iter_errors(answer)] == []
    assert (answer["about"] is None) == (subject == "module:app")
    assert (answer["import"] is None) == (subject == "pkg:app")
    assert out == ask("why", subject, "-e", env, "--format", "json").out


def test_json_of_a_pasted_error(
    whyso: Path, env: Path, validators: dict[str, Draft202012Validator]
) -> None:
    text = b"ImportError: libknown.so.1: cannot open shared object file: No such file\r\n"
    answer = json.loads(paste(whyso, text, "-e", env, "-f", "json").stdout)
    assert [f"{e.json_path}: {e.message}" for e in validators["why"].iter_errors(answer)] == []
    assert answer["said"]["line"] == text.decode().strip()
    assert [f["rule"] for f in answer["findings"]] == ["missing-library"]


# Each with what is told: the last telling line, however much stands before it.
HOSTILE = {
    "large": b"x" * 70_000_000 + b"\nImportError: libknown.so.1: cannot open shared object file\n",
    "lines": b"\n" * 20_000_000 + b"libknown.so.1: cannot open shared object file: No such file",
    "binary": bytes(range(256)) * 1000 + b"\nlibknown.so.1: cannot open shared object file\n\xff",
    "coloured": b"\x1b[31mOSError: libknown.so.1: cannot open shared object file\x1b[0m\n",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_text(whyso: Path, env: Path, text: bytes) -> None:
    done = paste(whyso, text, "-e", env)
    assert done.returncode == 1
    assert b"libknown.so.1" in done.stdout and b"\x1b" not in done.stdout
    assert done.stderr == b""


@pytest.mark.parametrize(
    "text", [b"", b"\0", b"no error", b"libnobody.so.1: cannot open shared object file"]
)
def test_text_that_says_nothing(whyso: Path, env: Path, text: bytes) -> None:
    done = paste(whyso, text, "-e", env)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.count(b"\n") == 1 and b"Sanitizer" not in done.stderr
