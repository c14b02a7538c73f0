"""Small ELF files with relocations, versions and both hash tables, as seeds of the symbols target.

Usage: symbols_seeds.py FOLDER
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path

BASE = 0x400000
UNDEFINED, DEFINED = ("malloc", "maybe"), ("first", "second", "third")
X86_64, I386, S390, AARCH64 = 62, 3, 22, 183
# Of each machine: by address, GLOB_DAT, JUMP_SLOT, RELATIVE, initial-exec TLS, COPY, IRELATIVE
TYPES = {
    X86_64: (1, 6, 7, 8, 18, 5, 37),
    I386: (1, 6, 7, 8, 14, 5, 42),
    S390: (22, 10, 11, 12, 56, 9, 61),
    AARCH64: (257, 1025, 1026, 1027, 1030, 1024, 1032),
}


class Image:
    """A file of one class and byte order that grows; addresses are offsets + BASE."""

    def __init__(self, is64: bool, big: bool, machine: int) -> None:
        self.is64, self.big, self.machine = is64, big, machine
        self.data = bytearray(64 + 2 * 56)
        self.entries: list[tuple[int, int]] = []
        texts = (*UNDEFINED, *DEFINED, "libc.so.6", "GLIBC_2.34", "libx.so", "X_1")
        self.names = b"\0" + b"".join(t.encode() + b"\0" for t in texts)

    def pack(self, layout: str, *values: int) -> bytes:
        word = "Q" if self.is64 else "I"
        return struct.pack((">" if self.big else "<") + layout.replace("W", word), *values)

    def name(self, text: str) -> int:
        return self.names.index(b"\0" + text.encode() + b"\0") + 1

    def table(self, tag: int, content: bytes, size_tag: int = 0) -> None:
        self.data += bytes(-len(self.data) % 8)
        self.entries.append((tag, len(self.data) + BASE))
        if size_tag:
            self.entries.append((size_tag, len(content)))
        self.data += content


def sysv_hash(name: str) -> int:
    h = 0
    for c in name.encode():
        h = (h << 4) + c
        h = (h ^ (h >> 24 & 0xF0)) & 0x0FFFFFFF
    return h


def gnu_hash(name: str) -> int:
    h = 5381
    for c in name.encode():
        h = (h * 33 + c) & 0xFFFFFFFF
    return h


def symbols(image: Image) -> bytes:
    out = bytes(24 if image.is64 else 16)
    for i, name in enumerate((*UNDEFINED, *DEFINED)):
        at, section = image.name(name), 7 * (name in DEFINED)
        info, value = 0x22 if name == "maybe" else 0x12, (BASE + i) * (section > 0)
        if image.is64:
            out += image.pack("IBBHQQ", at, info, 0, section, value, 8)
        else:
            out += image.pack("IIIBBH", at, value, 8, info, 0, section)
    return out


def gnu_table(image: Image) -> bytes:
    bits = 64 if image.is64 else 32
    bloom = 0
    for name in DEFINED:
        bloom |= 1 << gnu_hash(name) % bits | 1 << (gnu_hash(name) >> 5) % bits
    first = len(UNDEFINED) + 1
    out = image.pack("IIIIWI", 1, first, 1, 5, bloom, first)
    for name in DEFINED:
        out += image.pack("I", gnu_hash(name) & ~1 | (name == DEFINED[-1]))
    return out


def sysv_table(image: Image) -> bytes:
    cell = "Q" if image.machine == S390 and image.is64 else "I"
    return image.pack(f"9{cell}", 1, 6, 3, 0, 0, 0, 4, 5, 0)


def relocations(image: Image, rela: bool, pairs: list[tuple[int, int]]) -> bytes:
    shift = 32 if image.is64 else 8
    out = b""
    for symbol, kind in pairs:
        out += image.pack("WW", BASE, symbol << shift | kind)
        out += image.pack("W", 0) if rela else b""
    return out


def versions(image: Image) -> None:
    need = image.pack("HHIII", 1, 1, image.name("libc.so.6"), 16, 0)
    need += image.pack("IHHII", sysv_hash("GLIBC_2.34"), 0, 3, image.name("GLIBC_2.34"), 0)
    image.table(0x6FFFFFFE, need)
    define = b""
    for i, name in enumerate(("libx.so", "X_1")):
        link = 28 if i == 0 else 0
        define += image.pack("HHHHIII", 1, i == 0, i + 1, 1, sysv_hash(name), 20, link)
        define += image.pack("II", image.name(name), 0)
    image.table(0x6FFFFFFC, define)
    image.table(0x6FFFFFF0, image.pack("6H", 0, 3, 1, 2, 0x8002, 1))


def finish(image: Image) -> bytes:
    image.data += bytes(-len(image.data) % 8)
    dynamic = len(image.data)
    content = b"".join(image.pack("WW", *e) for e in [*image.entries, (0, 0)])
    image.data += content
    size, entry = (64, 56) if image.is64 else (52, 32)
    ident = b"\x7fELF" + bytes([1 + image.is64, 1 + image.big, 1]) + bytes(9)
    head = ident + image.pack(
        "HHIWWWIHHHHHH", 3, image.machine, 1, 0, size, 0, 0, size, entry, 2, 0, 0, 0
    )
    for kind, flags, at, n in ((1, 6, 0, len(image.data)), (2, 6, dynamic, len(content))):
        if image.is64:
            head += image.pack("IIQQQQQQ", kind, flags, at, at + BASE, at + BASE, n, n, 8)
        else:
            head += image.pack("IIIIIIII", kind, at, at + BASE, at + BASE, n, n, flags, 8)
    return head + bytes(image.data[len(head) :])


def build(is64: bool, big: bool, machine: int, tables: str) -> bytes:
    """`tables`: g(nu hash) s(ysv hash) v(ersions) r(elocations)."""
    image = Image(is64, big, machine)
    image.table(5, image.names, 10)
    image.table(6, symbols(image))
    if "g" in tables:
        image.table(0x6FFFFEF5, gnu_table(image))
    if "s" in tables:
        image.table(4, sysv_table(image))
    if "v" in tables:
        versions(image)
    if "r" in tables:
        address, data, slot, relative, exec_tls, copy, resolver = TYPES[machine]
        kinds = [(0, relative), (2, data), (3, address), (4, exec_tls), (5, copy), (0, resolver)]
        rel = machine == I386
        image.table(17 if rel else 7, relocations(image, not rel, kinds), 18 if rel else 8)
        image.entries.append((0x6FFFFFFA if rel else 0x6FFFFFF9, 1))
        image.table(23, relocations(image, not rel, [(1, slot), (2, slot), (1, 99)]), 2)
        image.entries.append((20, 17 if rel else 7))
    return finish(image)


def seeds() -> Iterator[tuple[str, bytes]]:
    forms = ((True, False, X86_64), (False, False, I386), (True, True, S390))
    for is64, big, machine in (*forms, (True, False, AARCH64)):
        for tables in ("gsvr", "gr", "svr"):
            yield f"{machine}-{tables}", build(is64, big, machine, tables)
    yield "32be-gsvr", build(False, True, I386, "gsvr")


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in seeds():
        (folder / name).write_bytes(content)
    folder.touch()  # a build sees by its date that the folder is up to date


if __name__ == "__main__":
    main()
