"""The room table of docs/architecture.md, held against the code.

A rule without a check decays: every #include and every room's meson.build is compared with what
the table allows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "docs" / "architecture.md"

# Which header belongs to which library; everything else in <> counts as the C library.
LIBRARY_OF_HEADER = {
    "openssl/": "libcrypto",
    "pthread.h": "threads",
    "threads.h": "threads",
    "archive": "libarchive",
    "jansson.h": "jansson",
    "sqlite3.h": "SQLite",
    "zlib.h": "zlib",
    "zstd.h": "zstd",
    "toml++/": "toml++",
    "elf.h": "forbidden: no struct is cast onto file data",
    "link.h": "forbidden: no struct is cast onto file data",
    "gelf.h": "libelf",
    "libelf.h": "libelf",
    "dlfcn.h": "forbidden: nothing of an environment is ever loaded",
}
# Names that meson files give to libraries.
MESON_LIBRARIES = {
    "threads": "threads",
    "libcrypto": "libcrypto",
    "zlib": "zlib",
    "tomlplusplus": "toml++",
    "cxx_runtime": "the C++ runtime",
}
# Only these look at files; the others ask the tree (docs/architecture.md).
FILE_HEADERS = {"dirent.h", "fcntl.h", "ftw.h", "glob.h", "sys/mman.h", "sys/socket.h"}
LOOKS_AT_FILES = {"tree", "host", "cli", "fuzz", "live"}  # live: /proc
# madvise(2) for memory of its own; test_no_mmap sees that it stays at that.
ADVISES_MEMORY = ROOT / "src" / "base" / "mem.c"


@dataclass(frozen=True)
class Room:
    name: str  # "base", "include/whyso", "fuzz"
    folder: Path
    rooms: frozenset[str]
    libraries: frozenset[str]


def room_name(folder: str) -> str:
    return folder.removeprefix("src/").rstrip("/")


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def words(cell: str) -> frozenset[str]:
    items = (item.strip().strip("`") for item in cell.split(","))
    return frozenset(room_name(item) for item in items if item and item != "–")


def read_table() -> dict[str, Room]:
    """The rows between the header line `| folder | … |` and the next empty line."""
    text = TABLE.read_text()
    rows = re.search(r"^\| folder \|.*\n\|[ -|]+\|\n((?:\|.*\n)+)", text, re.M)
    assert rows, f"{TABLE}: no table that starts with | folder |"
    rooms = {}
    for line in rows[1].splitlines():
        folder, _, include, libraries = cells(line)
        folder = folder.strip("`")
        name = room_name(folder)
        rooms[name] = Room(name, ROOT / folder, words(include), words(libraries))
    return rooms


ROOMS = read_table()


def sources(room: Room) -> list[Path]:
    return sorted(p for p in room.folder.rglob("*") if p.suffix in {".c", ".h", ".cc"})


def library_of(header: str) -> str:
    for start, library in LIBRARY_OF_HEADER.items():
        if header == start or (header.startswith(start) and not start.endswith(".h")):
            return library
    return "libc"


def judge(room: Room, file: Path, kind: str, header: str) -> str | None:
    """Why `file` may not include `header`, or None."""
    if kind == "<":
        if file == ADVISES_MEMORY and header == "sys/mman.h":
            return None
        if header in FILE_HEADERS and room.name not in LOOKS_AT_FILES:
            return "only " + ", ".join(sorted(LOOKS_AT_FILES)) + " look at files"
        library = library_of(header)
        return None if library in room.libraries else f"needs {library}"
    if (file.parent / header).is_file():
        return None
    parts = header.split("/")
    owner = "include/whyso" if parts[0] == "whyso" else parts[0]
    if owner == room.name:
        return None
    if owner in room.rooms:
        return None if len(parts) == 2 else f"{owner} is entered by its own headers only"
    return f"{owner} is not in its row of the table"


def trespasses(room: Room) -> list[str]:
    found = []
    for file in sources(room):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = re.match(r'\s*#\s*include\s+([<"])([^>"]+)[>"]', line)
            why = match and judge(room, file, match[1], match[2])
            if match and why:
                found.append(f"{file.relative_to(ROOT)}:{number}: {match[2]}: {why}")
    return found


def test_the_table_is_read() -> None:
    assert {"base", "tree", "ld", "cli", "include/whyso"} <= ROOMS.keys()
    assert ROOMS["base"].rooms == frozenset()
    assert "tree" in ROOMS["host"].rooms


def test_a_forbidden_include_is_seen() -> None:
    elf = ROOMS["elf"]
    assert judge(elf, elf.folder / "x.c", '"', "ld/ld.h") == "ld is not in its row of the table"
    assert judge(elf, elf.folder / "x.c", "<", "openssl/evp.h") == "needs libcrypto"
    assert judge(elf, elf.folder / "x.c", "<", "fcntl.h")
    assert judge(elf, elf.folder / "x.c", '"', "base/mem.h") is None
    assert judge(elf, elf.folder / "x.c", "<", "stdint.h") is None


@pytest.mark.parametrize("name", sorted(ROOMS))
def test_includes(name: str) -> None:
    room = ROOMS[name]
    assert room.folder.is_dir(), f"{TABLE.name} names {name}, which does not exist"
    assert not trespasses(room), "\n".join(trespasses(room))


def test_every_room_has_a_row() -> None:
    folders = {p.name for p in (ROOT / "src").iterdir() if p.is_dir() and any(p.iterdir())}
    assert folders <= ROOMS.keys(), f"without a row: {sorted(folders - ROOMS.keys())}"


def test_no_circle() -> None:
    done: set[str] = set()
    while len(done) < len(ROOMS):
        ready = {n for n, room in ROOMS.items() if n not in done and room.rooms <= done}
        assert ready, f"rooms that include each other: {sorted(ROOMS.keys() - done)}"
        done |= ready


def linked(meson: str) -> set[str]:
    """Names in all `dependencies: […]` lists."""
    lists = re.findall(r"dependencies:\s*\[([^\]]*)\]", meson)
    return {item.strip() for names in lists for item in names.split(",") if item.strip()}


@pytest.mark.parametrize(
    "name", sorted(n for n, r in ROOMS.items() if r.folder.parent == ROOT / "src")
)
def test_links(name: str) -> None:
    room = ROOMS[name]
    file = room.folder / "meson.build"
    for dependency in linked(file.read_text()):
        if dependency in MESON_LIBRARIES:
            assert MESON_LIBRARIES[dependency] in room.libraries, f"{file}: {dependency}"
        else:
            other = dependency.removesuffix("_dep")
            assert other in room.rooms, f"{file}: {dependency} is not in the row of {name}"


def test_main_is_the_only_one_that_ends_the_process() -> None:
    """exit() in a room would take the decision away from the caller of the library."""
    # base: out of memory, docs/decisions/0002; live: a child that cannot become Python
    allowed = {"base", "cli", "fuzz", "live"}
    for name, room in ROOMS.items():
        if name in allowed:
            continue
        for file in sources(room):
            hits = re.findall(r"\b(?:exit|_exit|abort|quick_exit)\s*\(", file.read_text())
            assert not hits, f"{file.relative_to(ROOT)}: {hits[0]}"


def test_no_mmap() -> None:
    """No file of an environment is mapped into memory; only tree and host could."""
    assert not re.search(r"\bmmap\s*\(", ADVISES_MEMORY.read_text())
