"""A folder in which a test makes libraries and asks both loaders the same question."""

from __future__ import annotations

import posixpath
import shutil
from pathlib import Path
from typing import Any

from tests.loader.elfwriter import Elf
from tests.loader.judge import Answer, Drivers, Program, Step, ask_real, ask_simulated, run

MUSL = "/lib/ld-musl-x86_64.so.1"
NOT_FOUND = "cannot open shared object file: No such file or directory"


class Lab:
    """`top` is the folder; with `as_root` it is the whole file system of the process."""

    def __init__(self, top: Path, drivers: Drivers, as_root: bool = False) -> None:
        self.top = top
        self.drivers = drivers
        self.root = top if as_root else None
        top.mkdir(parents=True, exist_ok=True)
        self.program = self.link("prog")

    def path(self, name: str) -> str:
        """As the process sees it."""
        return f"/{name}" if self.root else f"{self.top}/{name}"

    def link(self, name: str, **how: Any) -> str:  # noqa: ANN401
        """Makes the program."""
        to = self.top / name
        to.parent.mkdir(parents=True, exist_ok=True)
        self.drivers.write(to, Program(**how))
        self.program = self.path(name)
        if self.root and self.drivers.libc == "musl":
            exe = self.top / "proc/self/exe"  # where musl learns its own place
            exe.parent.mkdir(parents=True, exist_ok=True)
            exe.unlink(missing_ok=True)
            exe.symlink_to(self.program)
        return self.program

    def put(self, name: str, **fields: Any) -> str:  # noqa: ANN401
        """A library; $D in its texts is the top folder."""
        for key, value in fields.items():
            if isinstance(value, str):
                fields[key] = self.fill(value)
            elif isinstance(value, list):
                fields[key] = [self.fill(v) if isinstance(v, str) else v for v in value]
        return self.write(name, Elf(**fields).to_bytes())

    def write(self, name: str, data: bytes) -> str:
        to = self.top / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(data)
        return self.path(name)

    def symlink(self, name: str, target: str) -> str:
        to = self.top / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.symlink_to(self.fill(target))
        return self.path(name)

    def hardlink(self, name: str, other: str) -> str:
        to = self.top / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.hardlink_to(self.top / other)
        return self.path(name)

    def folder(self, name: str) -> str:
        (self.top / name).mkdir(parents=True, exist_ok=True)
        return self.path(name)

    def remove(self, name: str) -> None:
        (self.top / name).unlink()

    def caller(self, name: str, rpath: str | None = None, runpath: str | None = None) -> str:
        """A library that calls dlopen: see the prefix by=."""
        paths = [self.fill(p) if p is not None else None for p in (rpath, runpath)]
        self.drivers.copy_caller(self.top / name, *paths)
        return self.path(name)

    def ldconfig(self) -> None:
        """Makes the cache of a private root."""
        release = self.drivers.release
        program = release.ldconfig if release else "/sbin/ldconfig"
        run([program, "-X", "-r", self.top], in_root=True)

    def fill(self, text: str) -> str:
        return text.replace("$D", "" if self.root else str(self.top))

    def simulate(
        self, *requests: str, cwd: str = ".", extra: list[str] | None = None, **variables: str
    ) -> Answer:
        """The simulated loader alone: for other releases and machines."""
        return self._simulate(requests, cwd, variables, extra)[0]

    def lines(
        self, *requests: str, cwd: str = ".", extra: list[str] | None = None, **variables: str
    ) -> list[dict[str, Any]]:
        """What ldprobe prints."""
        return self._simulate(requests, cwd, variables, extra)[1]

    def _simulate(
        self,
        requests: tuple[str, ...],
        cwd: str,
        variables: dict[str, str],
        extra: list[str] | None,
    ) -> tuple[Answer, list[dict[str, Any]]]:
        filled = {k: self.fill(v) for k, v in variables.items()}
        asked = [self.fill(r) for r in requests]
        place = self._cwd(cwd)
        return ask_simulated(Path(self.program), asked, filled, place, self.root, extra)

    def _cwd(self, cwd: str) -> str:
        if cwd.startswith("/"):
            return cwd
        return posixpath.normpath(f"/{cwd}") if self.root else str((self.top / cwd).resolve())

    def both(self, *requests: str, cwd: str = ".", **variables: str) -> tuple[Answer, Answer]:
        """What the real loader does, and what the simulated one says."""
        filled = {k: self.fill(v) for k, v in variables.items()}
        asked = [self.fill(r) for r in requests]
        real = ask_real(Path(self.program), asked, filled, self._cwd(cwd), self.root)
        simulated = self._simulate(requests, cwd, variables, None)[0]
        if self.drivers.libc == "musl":
            for answer in (real, simulated):
                as_musl(answer)
        return real, simulated

    def ask(self, *requests: str, cwd: str = ".", **variables: str) -> Answer:
        """Both loaders, which must agree in everything."""
        real, simulated = self.both(*requests, cwd=cwd, **variables)
        assert simulated == real
        return real

    def one(self, *requests: str, cwd: str = ".", **variables: str) -> Step:
        """The last step of `ask`."""
        answer = self.ask(*requests, cwd=cwd, **variables)
        return answer.steps[-1] if answer.steps else answer.start


def as_musl(answer: Answer) -> None:
    """At its start musl prints a line for each relocation, and none for a preload that fails."""
    answer.warnings = []
    if answer.start.message:
        lines = answer.start.message.split("\n")
        answer.start.message = "\n".join(dict.fromkeys(lines))


def make_musl_root(top: Path, drivers: Drivers) -> Lab:
    loader = top / MUSL.lstrip("/")
    loader.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(MUSL, loader)
    loader.chmod(0o755)
    (top / "etc").mkdir()
    return Lab(top, drivers, as_root=True)


def make_root(top: Path, drivers: Drivers) -> Lab:
    """A file system with no more than the C library and its loader."""
    if drivers.libc == "musl":
        return make_musl_root(top, drivers)
    folder, release = Path("lib/x86_64-linux-gnu"), drivers.release
    files = [Path("lib64/ld-linux-x86-64.so.2"), folder / "libc.so.6"]
    files += [folder / name for name in (release.needed if release else [])]
    for file in files:
        to = top / file
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(release.library(file.name) if release else "/" / file, to)
        to.chmod(0o755)
    (top / "etc").mkdir()
    return Lab(top, drivers, as_root=True)
