"""How the tests of the command line call the program."""

from __future__ import annotations

import json
import os
import subprocess
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

# Variables that would lead the program to an environment of the machine the tests run on.
LEADING = (
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "CONDA_DEFAULT_ENV",
    "PYENV_VERSION",
    "PYENV_ROOT",
    "NO_COLOR",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
)


class Answer(NamedTuple):
    status: int
    out: str
    err: str


class Ask(Protocol):
    def __call__(
        self, *args: str | bytes | Path, cwd: Path | None = None, env: Mapping[str, str] = ...
    ) -> Answer: ...


def clean(extra: Mapping[str, str] = {}) -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in LEADING} | dict(extra)


@pytest.fixture(scope="session")
def ask(whyso: Path) -> Ask:
    """Calls the program with a clean set of variables (and `env` on top)."""

    def call(
        *args: str | bytes | Path,
        cwd: Path | None = None,
        env: Mapping[str, str] = {},
    ) -> Answer:
        done = subprocess.run(
            [whyso, *args],
            cwd=cwd,
            env=clean(env),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=120,
            check=False,
        )
        return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty virtual environment: <folder>/.venv."""
    path = tmp_path_factory.mktemp("tiny").resolve() / ".venv"
    venv.create(path, with_pip=False)
    return path


@pytest.fixture(scope="session")
def validators(root: Path) -> dict[str, Draft202012Validator]:
    schemas = {p.stem: json.loads(p.read_text()) for p in (root / "schemas").glob("*.json")}
    registry: Registry[Any] = Registry().with_resources(
        (schema["$id"], Resource.from_contents(schema)) for schema in schemas.values()
    )
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    return {name: Draft202012Validator(s, registry=registry) for name, s in schemas.items()}
