"""Ways in which real environments break. Each makes one change below site-packages, always as a new
file in the place of the old one, and gives the variables that the broken process has."""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.real.environments import dangle, install, replace, truncate

Change = Callable[[Path], Mapping[str, str]]
NOTHING: Mapping[str, str] = {}

LFS_POINTER = (
    b"version https://git-lfs.github.com/spec/v1\n"
    b"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
    b"size 12345678\n"
)
HTML = b"<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head></html>\n" * 200
E_CLASS, E_MACHINE = 4, 18  # offsets in the ELF header
AARCH64 = 183


def one(site: Path, pattern: str) -> Path:
    (path,) = site.glob(pattern)
    return path


def each(*changes: Change) -> Change:
    """All of them at once."""

    def change(site: Path) -> Mapping[str, str]:
        return {k: v for c in changes for k, v in c(site).items()}

    return change


# --- a file -------------------------------------------------------------------------------------


def on(pattern: str, do: Callable[[Path], object]) -> Change:
    """`do` to the one file of that name."""

    def change(site: Path) -> Mapping[str, str]:
        do(one(site, pattern))
        return NOTHING

    return change


def delete(pattern: str) -> Change:
    return on(pattern, Path.unlink)


def delete_folder(pattern: str) -> Change:
    return on(pattern, shutil.rmtree)


def cut(pattern: str, size: int) -> Change:
    """A download or a copy that ended early. Negative: that much is missing."""
    return on(pattern, lambda p: truncate(p, size if size >= 0 else p.stat().st_size + size))


def cut_in_half(pattern: str) -> Change:
    return on(pattern, lambda p: truncate(p, p.stat().st_size // 2))


def holds(pattern: str, content: bytes) -> Change:
    return on(pattern, lambda p: replace(p, content))


def zeroed(pattern: str, start: int = 0) -> Change:
    """What a crash leaves of a file whose blocks were not written yet."""
    return on(
        pattern, lambda p: replace(p, p.read_bytes()[:start] + bytes(p.stat().st_size - start))
    )


def patched(pattern: str, at: int, value: bytes) -> Change:
    def patch(path: Path) -> None:
        old = path.read_bytes()
        replace(path, old[:at] + value + old[at + len(value) :])

    return on(pattern, patch)


def for_machine(pattern: str, machine: int) -> Change:
    return patched(pattern, E_MACHINE, struct.pack("<H", machine))


def link_to_nowhere(pattern: str) -> Change:
    return on(pattern, dangle)


def folder_instead(pattern: str) -> Change:
    def make(path: Path) -> None:
        path.unlink()
        path.mkdir()

    return on(pattern, make)


def renamed(pattern: str, old: str, new: str) -> Change:
    return on(pattern, lambda p: p.rename(p.with_name(p.name.replace(old, new))))


def takes_the_place(pattern: str, of: str) -> Change:
    """One file of the environment lies where another belongs."""

    def change(site: Path) -> Mapping[str, str]:
        replace(one(site, of), one(site, pattern).read_bytes())
        return NOTHING

    return change


def all_links_to_nowhere(folder: str) -> Change:
    """What uv's links are when its cache was pruned."""

    def change(site: Path) -> Mapping[str, str]:
        for path in sorted((site / folder).rglob("*")):
            if path.is_file():
                dangle(path)
        return NOTHING

    return change


# --- libraries made for it ----------------------------------------------------------------------


def compile_library(path: Path, soname: str, source: str = "int whyso_test;\n") -> None:
    path.unlink(missing_ok=True)
    subprocess.run(
        ["gcc", "-shared", "-fPIC", f"-Wl,-soname,{soname}", "-o", path, "-x", "c", "-"],
        input=source.encode(),
        check=True,
    )


def without_symbols(pattern: str) -> Change:
    """Another build of that name, which has nothing of what is asked of it."""
    return on(pattern, lambda p: compile_library(p, p.name))


def without_search_path(pattern: str) -> Change:
    def strip(path: Path) -> None:
        replace(path, path.read_bytes())
        subprocess.run(["patchelf", "--remove-rpath", path], check=True)

    return on(pattern, strip)


def with_search_path(pattern: str, rpath: str) -> Change:
    def change(path: Path) -> None:
        replace(path, path.read_bytes())
        subprocess.run(["patchelf", "--set-rpath", rpath, path], check=True)

    return on(pattern, change)


def of_another(wheel: str, *patterns: str) -> Change:
    """Files of another version lie over those of this one: two installations into one place, of
    which the second did not end."""

    def change(site: Path) -> Mapping[str, str]:
        other = site.parents[3] / "other"
        install(site.parents[2], "uv", "--target", str(other), wheel, deps=False)
        found = [p for pattern in patterns for p in other.glob(pattern) if p.is_file()]
        assert found
        for path in found:
            to = site / path.relative_to(other)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.unlink(missing_ok=True)
            to.write_bytes(path.read_bytes())
        return NOTHING

    return change


def own_lib64(folder: str) -> Change:
    """A copy that turned the link lib64 into a folder of its own, with one part below it."""

    def change(site: Path) -> Mapping[str, str]:
        env = site.parents[2]
        (env / "lib64").unlink(missing_ok=True)
        to = env / "lib64" / site.relative_to(env / "lib")
        to.mkdir(parents=True)
        (site / folder).rename(to / folder)
        return NOTHING

    return change


def preloaded(path: str) -> Change:
    return lambda site: {"LD_PRELOAD": path}


def in_variable(variable: str, soname: str) -> Change:
    """A folder outside the environment holds a library of that name without symbols or versions."""

    def change(site: Path) -> Mapping[str, str]:
        folder = site.parents[3] / "elsewhere"
        folder.mkdir(exist_ok=True)
        compile_library(folder / soname, soname)
        return {variable: str(folder / soname if variable == "LD_PRELOAD" else folder)}

    return change


def moved_into_variable(pattern: str) -> Change:
    """The file is gone from the environment, and LD_LIBRARY_PATH leads to it elsewhere."""

    def change(site: Path) -> Mapping[str, str]:
        path, folder = one(site, pattern), site.parents[3] / "elsewhere"
        folder.mkdir(exist_ok=True)
        path.rename(folder / path.name)
        return {"LD_LIBRARY_PATH": str(folder)}

    return change


class Mutation(NamedTuple):
    name: str
    change: Change
    findings: Mapping[str, str]  # subject (package, else library) → rule: all errors and warnings
    broken: frozenset[str]  # imports that really fail; Python is asked too
    unknown: Mapping[str, str] = NOTHING  # imports whose outcome no file tells → why; "*": all
    by_python: bool = (
        False  # which imports fail hangs on how this Python was built: it alone judges
    )
