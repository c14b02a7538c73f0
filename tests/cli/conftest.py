"""How the tests of the command line call the program."""

from __future__ import annotations

import os
import subprocess
import venv
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

import pytest

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
