"""Small ld.so.cache files of all formats, as seeds of the ldcache target.

Usage: ldcache_seeds.py FOLDER
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path

LIBRARIES = (
    ("libz.so.1", "/usr/lib/libz.so.1", 0x0303, 0),
    ("libx.so.10", "/usr/lib/glibc-hwcaps/x86-64-v3/libx.so.10", 0x0303, 1 << 62 | 3 << 32 | 1),
    ("libx.so.10", "/usr/lib/libx.so.10", 0x0303, 0),
    ("libx.so.9", "/usr/lib/haswell/libx.so.9", 0x0303, 1 << 48),
    ("liba.so.2", "/opt/a/liba.so.2", 0x0003, 0),
)
HWCAPS = ("x86-64-v2", "x86-64-v3")


class Texts:
    """Texts one after the other, each once."""

    def __init__(self) -> None:
        self.data = b""

    def at(self, text: str) -> int:
        wanted = text.encode() + b"\0"
        if wanted not in self.data:
            self.data += wanted
        return self.data.index(wanted)


def old_format() -> bytes:
    texts = Texts()
    entries = b"".join(
        struct.pack("<iII", flags, texts.at(key), texts.at(path))
        for key, path, flags, _ in LIBRARIES
    )
    return b"ld.so-1.7.0\0" + struct.pack("<I", len(LIBRARIES)) + entries + texts.data


def new_format(*, extension: bool, order: str = "<", endian: int = 2) -> bytes:
    texts = Texts()
    base = 48 + 24 * len(LIBRARIES)
    entries = b"".join(
        struct.pack(order + "iIIIQ", flags, base + texts.at(key), base + texts.at(path), 0, hwcap)
        for key, path, flags, hwcap in LIBRARIES
    )
    names = [base + texts.at(name) for name in HWCAPS] if extension else []
    generator = texts.at("made by ldconfig") + base if extension else 0
    texts.data += bytes(-(base + len(texts.data)) % 4)
    at = base + len(texts.data) if extension else 0
    head = b"glibc-ld.so.cache1.1" + struct.pack(
        order + "IIB3xI12x", len(LIBRARIES), len(texts.data), endian, at
    )
    out = head + entries + texts.data
    if extension:
        out += struct.pack(order + "II", 0xEAA42174, 2)
        out += struct.pack(order + "IIII", 0, 0, generator, 16)
        out += struct.pack(order + "IIII", 1, 0, at + 8 + 32, 4 * len(names))
        out += struct.pack(f"{order}{len(names)}I", *names)
    return out


def seeds() -> Iterator[tuple[str, bytes]]:
    old = old_format()
    yield "old", old
    yield "new", new_format(extension=False)
    yield "new-extension", new_format(extension=True)
    yield "new-big-endian", new_format(extension=True, order=">", endian=3)
    yield "new-unset", new_format(extension=False, endian=0)
    empty_old = b"ld.so-1.7.0\0" + bytes(4)
    yield "new-in-old", empty_old + new_format(extension=True)
    aligned = old[: 16 + 12 * len(LIBRARIES)]
    yield "new-after-entries", aligned + bytes(-len(aligned) % 8) + new_format(extension=True)


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in seeds():
        (folder / name).write_bytes(content)
    folder.touch()  # a build sees by its date that the folder is up to date


if __name__ == "__main__":
    main()
