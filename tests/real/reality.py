"""What is really so: imports in a fresh process, bytes on disk, the rows of RECORD.

Nothing here asks whyso, and nothing here is derived from its code.
"""

from __future__ import annotations

import ast
import base64
import csv
import hashlib
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

# Variables that lead Python, the loader or an installer to another environment than the one named.
LEADING = (
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "CONDA_DEFAULT_ENV",
    "PYENV_VERSION",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONDONTWRITEBYTECODE",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "LD_AUDIT",
    "NO_COLOR",
    "COLUMNS",
)


def variables(**extra: str) -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k not in LEADING} | extra


class Imported(NamedTuple):
    """How `python -c 'import M'` ended."""

    outcome: str  # ok, exception, signal, exit
    kind: str  # the exception that reaches the user, or the signal's name
    text: str
    chain: list[
        tuple[str, str]
    ]  # (type, text) of the exception and what it came from, outermost first
    stderr: str

    @property
    def innermost(self) -> str:
        """The text of the import or loader error where it began; of the exception at the end when a
        package has swallowed that one before."""
        errors = [text for kind, text in self.chain if kind in LOADER_ERRORS]
        return errors[-1] if errors else self.text

    @property
    def by_loader(self) -> bool:
        """Whether the process ended because a library could not be loaded."""
        return self.outcome == "signal" or any(s in t for _, t in self.chain for s in LOADER_SAYS)


LOADER_ERRORS = ("ImportError", "ModuleNotFoundError", "OSError")
LOADER_SAYS = (
    "cannot open shared object file",
    "file too short",
    "invalid ELF header",
    "undefined symbol",
    "cannot read file data",
    "failed to map segment",
)

# Only what is built in is used before the import: the process is as fresh as with a plain -c.
TRY = """
import sys
try:
    import {module}
except BaseException as error:
    chain, e = [], error
    while e is not None:
        chain.append((type(e).__name__, str(e)))
        e = e.__cause__ or (None if e.__suppress_context__ else e.__context__)
    sys.stdout.write("\\n" + ascii(chain) + "\\n")
else:
    sys.stdout.write("\\n[]\\n")
"""


def python_of(env: Path) -> Path:
    """What a person calls there: some messages name it."""
    plain = env / "bin" / "python"
    return plain if plain.exists() else env / "bin" / "python3"


def imported(env: Path, module: str, **extra: str) -> Imported:
    done = subprocess.run(
        [python_of(env), "-c", TRY.format(module=module)],
        cwd="/",
        env=variables(**extra),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=300,
        check=False,
    )
    if done.returncode < 0:
        return Imported("signal", signal.Signals(-done.returncode).name, "", [], done.stderr)
    lines = done.stdout.splitlines()
    if done.returncode or not lines:
        return Imported("exit", str(done.returncode), "", [], done.stderr)
    chain: list[tuple[str, str]] = ast.literal_eval(lines[-1])
    if not chain:
        return Imported("ok", "", "", [], done.stderr)
    return Imported("exception", *chain[0], chain, done.stderr)


def last_line(env: Path, module: str) -> str:
    """What Python prints last when a person types the import."""
    done = subprocess.run(
        [python_of(env), "-c", f"import {module}"],
        cwd="/",
        env=variables(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.stderr.rstrip("\n").rpartition("\n")[2]


def site_packages(env: Path) -> Path:
    (site,) = env.glob("lib/python3*/site-packages")
    return site


NATIVE = """
import importlib.metadata, inspect, keyword
for dist in importlib.metadata.distributions():
    files = dist.files or []
    def native(file):
        try:
            with open(file.locate(), "rb") as f:
                return f.read(4) == b"\\x7fELF"
        except OSError:
            return False
    if not any(f.name.endswith(".so") and native(f) for f in files):
        continue
    for file in files:
        top = file.parts[0]
        name = inspect.getmodulename(top) if len(file.parts) == 1 else top
        # A library below nvidia/ is no module of it: its folders hold empty __init__.py.
        code = len(file.parts) == 1 or file.suffix == ".py" and (file.size or not file.hash)
        if name and name.isidentifier() and not keyword.iskeyword(name) and code:
            print(name)
"""
# They are there to install others.
INSTALLERS = {"pip", "setuptools", "pkg_resources"}


def native_modules(env: Path, **extra: str) -> set[str]:
    """Top-level names with code in them of the distributions that recorded a library."""
    done = subprocess.run(
        [python_of(env), "-c", NATIVE],
        cwd="/",
        env=variables(**extra),
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split()) - INSTALLERS


def sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            digest.update(piece)
    return digest.hexdigest()


class Row(NamedTuple):
    path: Path
    sha256: str  # hexadecimal, empty when not recorded
    size: int | None

    @property
    def is_library(self) -> bool:
        return self.path.name.endswith(".so") or ".so." in self.path.name


def record(env: Path, package: str) -> list[Row]:
    """The rows of a package's RECORD, as paths below `env`."""
    return list(_rows(dist_info(env, package) / "RECORD"))


def dist_info(env: Path, package: str) -> Path:
    (info,) = site_packages(env).glob(f"{package.replace('-', '_')}-*.dist-info")
    return info


def _rows(file: Path) -> Iterator[Row]:
    with file.open(newline="") as lines:
        for name, digest, size in csv.reader(lines):
            algorithm, _, value = digest.partition("=")
            assert algorithm in ("", "sha256")
            raw = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
            path = Path(os.path.normpath(file.parent.parent / name))
            yield Row(path, raw.hex(), int(size) if size else None)
