"""Libraries of other releases: C libraries, to be the judge in a private root, and what comes
before the right copy.

They come from the package registry of this machine, out of other suites than its own, and are kept
in ${XDG_CACHE_HOME:-~/.cache}/whyso/libc.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SUITES = ["bullseye", "trixie", "sid", "experimental"]
NEWEST = 44  # what docs/loader.md A14 knows: a later one is not held against the simulation
LIBRARIES = ["lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu"]
LACKING = ["does not have a Release file", "no longer has a Release file", "Unable to locate"]
PROGRAMS = ["sbin", "usr/sbin"]


class Unavailable(Exception):
    """The registry does not have it, or there is none."""


@dataclass(frozen=True)
class Release:
    """The unpacked packages of one suite."""

    suite: str
    folder: Path

    @property
    def version(self) -> str:
        return (self.folder / "version").read_text()

    @property
    def minor(self) -> int:
        return int(self.version.partition("-")[0].split(".")[1])

    def library(self, name: str) -> Path:
        return self._find(LIBRARIES, name)

    @property
    def ldconfig(self) -> Path:
        return self._find(PROGRAMS, "ldconfig")

    def _find(self, places: list[str], name: str) -> Path:
        return next(p for place in places if (p := self.folder / place / name).exists())

    @property
    def needed(self) -> list[str]:
        """Where dlopen is: in libc from 2.34."""
        return ["libdl.so.2"] if self.minor < 34 else []


def cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "whyso" / "libc"


def release_of(suite: str) -> Release:
    return Release(suite, unpacked(suite, "libc6", "libc-bin"))


def unpacked(suite: str, *names: str) -> Path:
    """The files of these packages, fetched by the first who asks; in `version` the first's."""
    top = cache()
    top.mkdir(parents=True, exist_ok=True)
    folder = top / f"{suite}-{names[0]}"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            fetch(suite, names, folder)
    return folder


def fetch(suite: str, names: Sequence[str], to: Path) -> None:
    with tempfile.TemporaryDirectory(dir=to.parent) as made:
        files = Path(made) / "files"
        files.mkdir()
        packages = download(suite, names, Path(made))
        for package in packages:
            subprocess.run(["dpkg-deb", "-x", package, files], check=True)
        first = next(p for p in packages if p.name.startswith(f"{names[0]}_"))
        (files / "version").write_text(first.name.split("_")[1])
        files.rename(to)


def download(suite: str, names: Sequence[str], folder: Path) -> list[Path]:
    """apt in folders of its own: the machine's settings are not touched."""
    if not shutil.which("apt-get"):
        raise Unavailable("no package registry: there is no apt-get here")
    source = folder / "sources.list"
    source.write_text(f"deb {mirror()} {suite} main\n")
    (folder / "state/lists/partial").mkdir(parents=True)
    (folder / "cache/archives/partial").mkdir(parents=True)
    settings = [
        f"Dir::Etc::sourcelist={source}",
        "Dir::Etc::sourceparts=/dev/null",
        f"Dir::State={folder}/state",
        f"Dir::Cache={folder}/cache",
        "Dir::State::status=/dev/null",
        "APT::Architecture=amd64",
        "APT::Sandbox::User=root",
        "Acquire::Languages=none",
        "Acquire::Retries=3",
        "APT::Update::Error-Mode=any",
    ]
    apt = ["apt-get", "-q", *[word for s in settings for word in ("-o", s)]]
    ask([*apt, "update"], folder)
    ask([*apt, "download", *names], folder)
    return sorted(folder.glob("*.deb"))


def mirror() -> str:
    """Where this machine's own C library comes from."""
    out = ask(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Label: Debian"], Path("/"))
    if not out:
        raise Unavailable("no package registry: apt names no mirror (see apt-get update)")
    return out.split()[0]


def ask(argv: list[str], cwd: Path) -> str:
    done = subprocess.run(argv, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return done.stdout
    text = " ".join(done.stderr.split())
    if any(word in text for word in LACKING):
        raise Unavailable(text)
    raise RuntimeError(text)  # also without a network: what was not tried is not left out silently
