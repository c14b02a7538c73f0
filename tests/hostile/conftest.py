"""Environments that nobody made by accident, and what must hold for every answer about them."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from tests.cli.conftest import Answer, clean
from tests.loader.elfwriter import Elf

PYTHON = Path(getattr(sys, "_base_executable", sys.executable)).resolve()
SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))
SITE = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
BIDIRECTIONAL = {
    chr(c) for c in (0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
}
TIME_LIMIT = 60  # seconds: nothing may hang; a sanitized program on a busy machine is slow

# Takes from root the right to read what its mode forbids.
AS_OTHERS = ["setpriv", "--inh-caps=-all", "--bounding-set=-all"]


class Env:
    """A virtual environment without packages, and the means to spoil it."""

    def __init__(self, prefix: Path) -> None:
        self.prefix = prefix
        self.site = prefix / SITE
        self.site.mkdir(parents=True)
        (prefix / "lib64").symlink_to("lib")
        (prefix / "bin").mkdir()
        self.python = prefix / "bin" / "python"
        self.python.symlink_to(PYTHON)
        version = ".".join(map(str, sys.version_info[:3]))
        (prefix / "pyvenv.cfg").write_text(
            f"home = {PYTHON.parent}\ninclude-system-site-packages = false\nversion = {version}\n"
        )

    def dist(self, name: str, record: str | bytes, **files: bytes) -> Path:
        """A dist-info; further files of it by keyword."""
        info = self.site / f"{name}-1.0.dist-info"
        info.mkdir()
        rows = record.encode("utf-8", "surrogateescape") if isinstance(record, str) else record
        (info / "RECORD").write_bytes(rows)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "INSTALLER").write_text("pip\n")
        for file, data in files.items():
            (info / file).write_bytes(data)
        return info

    def package(self, name: str, *needed: str, init: str = "from ._c import x\n") -> Path:
        """An importable folder with one extension that needs these libraries, and its RECORD."""
        folder = self.site / name
        folder.mkdir()
        (folder / "__init__.py").write_text(init)
        (folder / f"_c{SUFFIX}").write_bytes(Elf(needed=list(needed), runpath="$ORIGIN").to_bytes())
        self.dist(name, f"{name}/__init__.py,,\n{name}/_c{SUFFIX},,\n")
        return folder


@pytest.fixture
def env(tmp_path: Path) -> Env:
    return Env(tmp_path.resolve() / "e")


@pytest.fixture(scope="session")
def validators(root: Path) -> dict[str, Draft202012Validator]:
    schemas = {p.stem: json.loads(p.read_text()) for p in (root / "schemas").glob("*.json")}
    registry: Registry[Any] = Registry().with_resources(
        (schema["$id"], Resource.from_contents(schema)) for schema in schemas.values()
    )
    return {name: Draft202012Validator(s, registry=registry) for name, s in schemas.items()}


class Call(Protocol):
    def __call__(
        self,
        *args: str | bytes | Path,
        before: Sequence[str] = ...,
        env: Mapping[str, str] = ...,
        limits: Mapping[int, int] = ...,
    ) -> Answer: ...


@pytest.fixture(scope="session")
def call(whyso: Path) -> Call:
    """Runs the program; `before` stands in front of it, `limits` are of setrlimit(2)."""

    def run(
        *args: str | bytes | Path,
        before: Sequence[str] = (),
        env: Mapping[str, str] = {},
        limits: Mapping[int, int] = {},
    ) -> Answer:
        def limit() -> None:
            for which, value in limits.items():
                resource.setrlimit(which, (value, value))

        done = subprocess.run(
            [*before, whyso, *args],
            env=clean(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=TIME_LIMIT,
            preexec_fn=limit,
            check=False,
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


class Judged(NamedTuple):
    status: int
    report: dict[str, Any]
    text: str  # with -v

    def findings(self, rule: str) -> list[dict[str, Any]]:
        return [f for f in self.report["findings"] if f["rule"] == rule]

    @property
    def titles(self) -> list[str]:
        return [f["title"] for f in self.report["findings"]]

    @property
    def outcomes(self) -> dict[str, str]:
        return {i["module"]: i["outcome"] for i in self.report["imports"]}


class Attack(Protocol):
    def __call__(
        self, env: Env | Path, *args: str, before: Sequence[str] = ..., command: str = ...
    ) -> Judged: ...


def plain(text: str) -> bool:
    """Nothing in it can move the cursor, colour the screen or turn the direction of reading."""
    return not any(
        (ord(c) < 0x20 and c != "\n") or 0x7F <= ord(c) < 0xA0 or c in BIDIRECTIONAL for c in text
    )


@pytest.fixture
def attack(call: Call, validators: dict[str, Draft202012Validator], tmp_path: Path) -> Attack:
    """Asks about an environment several times, and holds each answer to the contract: status 0 or 1
    and a silent stderr, JSON by its schema and the same from one thread and from eight, text that
    has no control characters, nothing of the environment run."""

    def run(
        env: Env | Path, *args: str, before: Sequence[str] = (), command: str = "check"
    ) -> Judged:
        prefix = env if isinstance(env, Path) else env.prefix
        ask: list[str | Path] = [command, *args, "-e", prefix]
        one = call(*ask, "-f", "json", "-j1", before=before)
        assert one.err == "" and one.status in (0, 1), one.err[-3000:]
        assert call(*ask, "-f", "json", "-j8", before=before) == one
        text = call(*ask, "-v", before=before)
        assert (text.status, text.err) == (one.status, "")
        assert plain(text.out), ascii(text.out)
        assert one.out.isascii() and plain(one.out)
        report = json.loads(one.out)
        errors = [f"{e.json_path}: {e.message}" for e in validators[command].iter_errors(report)]
        assert not errors
        assert not (tmp_path / "pwned").exists()
        return Judged(one.status, report, text.out)

    return run


@pytest.fixture
def as_others() -> list[str]:
    """In front of the program: as a user whom modes bind."""
    if os.geteuid() != 0:
        return []
    if not shutil.which("setpriv"):
        pytest.skip("root without setpriv")
    return AS_OTHERS
