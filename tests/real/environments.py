"""Environments of real wheels: made once by pip or by uv, copied for each test by hard links.

Templates are kept in the cache (${XDG_CACHE_HOME:-~/.cache}/whyso/real) from run to run; the copies
lie beside them, because hard links need one file system, and go when their test ends. Nothing is
ever written into a file of a copy: it would be written into the template, and into uv's cache.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from tests.real.reality import record, site_packages, variables

Tool = Literal["pip", "uv"]
TOOLS: tuple[Tool, ...] = ("pip", "uv")


def run(*command: str | Path, **extra: str) -> str:
    """Runs an installer; what it says is shown when it fails."""
    done = subprocess.run(
        command,
        env=variables(**extra),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}"
    return done.stdout


def create(env: Path, by: Tool) -> None:
    if by == "pip":
        run(sys.executable, "-m", "venv", env)
    else:
        run("uv", "venv", "--quiet", "--python", sys.executable, env)


def install(env: Path, by: Tool, *packages: str, deps: bool = True, **extra: str) -> None:
    options = ["--quiet", *([] if deps else ["--no-deps"])]
    if by == "pip":
        options += ["--disable-pip-version-check", "--no-warn-script-location"]
        run(env / "bin" / "python", "-m", "pip", "install", *options, *packages, **extra)
    else:
        run("uv", "pip", "install", *options, "--python", env, *packages, **extra)


def repairs(env: Path) -> dict[str, str]:
    """Variables for a repair. uv's --reinstall fetches anew and leaves in its cache what it fetched
    before, so it gets a cache that goes with the copy."""
    return {"UV_CACHE_DIR": str(env.parent / "repairs")}


def reinstall(env: Path, by: Tool, *packages: str) -> None:
    option = "--force-reinstall" if by == "pip" else "--reinstall"
    install(env, by, option, *packages, deps=False, **repairs(env))


def uninstall(env: Path, by: Tool, *packages: str) -> None:
    if by == "pip":
        run(env / "bin" / "python", "-m", "pip", "uninstall", "--quiet", "-y", *packages)
    else:
        run("uv", "pip", "uninstall", "--quiet", "--python", env, *packages)


# --- breaking: always a new file in the place of the old one ------------------------------------


def replace(path: Path, content: bytes) -> None:
    mode = path.stat().st_mode
    path.unlink()
    path.write_bytes(content)
    path.chmod(mode)


def truncate(path: Path, size: int) -> None:
    with path.open("rb") as file:
        replace(path, file.read(size))


def dangle(path: Path) -> None:
    path.unlink()
    path.symlink_to("/nonexistent/cache/archive-v0/0123456789" / Path(path.name))


def delete_payload(env: Path, package: str) -> None:
    """All that a package installed but its dist-info, and the folders that this leaves empty."""
    for row in record(env, package):
        if not row.path.parent.name.endswith(".dist-info"):
            row.path.unlink(missing_ok=True)
    for folder, _, _ in os.walk(site_packages(env), topdown=False):
        if folder.endswith("__pycache__") and not any(Path(folder).parent.glob("*.py")):
            shutil.rmtree(folder)
        elif not any(Path(folder).iterdir()):
            Path(folder).rmdir()


# --- keeping ------------------------------------------------------------------------------------


class Workshop:
    def __init__(self, cache: Path, folder: str = "real") -> None:
        self.templates = cache / folder
        self.templates.mkdir(parents=True, exist_ok=True)
        # A blank, so that every printed command has to quote.
        self.copies = Path(tempfile.mkdtemp(prefix="my copies ", dir=self.templates))

    def close(self) -> None:
        shutil.rmtree(self.copies)

    @contextmanager
    def _locked(self, name: str) -> Iterator[None]:
        with (self.templates / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def template(self, name: str, key: Sequence[str], make: Callable[[Path], None]) -> Path:
        """The environment `name`, made by `make` unless one of that `key` is kept."""
        python = [sys.version, str(Path(sys.executable).resolve())]
        digest = hashlib.sha256("\0".join([*python, *key]).encode()).hexdigest()
        name = f"{name}-{digest[:10]}"
        env = self.templates / name
        with self._locked(name):
            if not (env / "made").exists():
                shutil.rmtree(env, ignore_errors=True)
                make(env)
                (env / "made").touch()
        return env

    def drop(self, template: Path) -> None:
        with self._locked(template.name):
            shutil.rmtree(template, ignore_errors=True)

    @contextmanager
    def copy(self, template: Path) -> Iterator[Path]:
        folder = Path(tempfile.mkdtemp(dir=self.copies))
        env = folder / template.name.partition("-")[0]
        try:
            run("cp", "-al", template, env)
            yield env
        finally:
            shutil.rmtree(folder)
