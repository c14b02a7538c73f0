"""Small ELF files of both classes and byte orders, as seeds of the elf target.

Usage: elf_seeds.py FOLDER
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

BASE = 0x400000
DT_NEEDED, DT_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ = 1, 4, 5, 6, 10
DT_SONAME, DT_RPATH, DT_RUNPATH, DT_FLAGS = 14, 15, 29, 30
DT_GNU_HASH, DT_FLAGS_1, DT_VERDEF, DT_VERNEED = 0x6FFFFEF5, 0x6FFFFFFB, 0x6FFFFFFC, 0x6FFFFFFE
PT_LOAD, PT_DYNAMIC, PT_INTERP, PT_NOTE, PT_TLS, PT_GNU_STACK = 1, 2, 3, 4, 7, 0x6474E551
SYMBOLS = ("first", "second", "third")


@dataclass
class Form:
    """Class and byte order: how numbers are written."""

    is64: bool
    big: bool

    def pack(self, layout: str, *values: int) -> bytes:
        """As struct.pack; "W" is a word of the class."""
        word = "Q" if self.is64 else "I"
        return struct.pack((">" if self.big else "<") + layout.replace("W", word), *values)


@dataclass
class Image:
    """A file that grows; names are kept in one string table at a fixed place."""

    form: Form
    data: bytearray = field(default_factory=bytearray)
    strtab: int = 0
    names: bytes = b""

    def place(self, content: bytes) -> int:
        """Appends, aligned to 8, and gives the offset."""
        self.data += bytes(-len(self.data) % 8)
        at = len(self.data)
        self.data += content
        return at

    def name(self, text: str) -> int:
        return self.names.index(b"\0" + text.encode() + b"\0") + 1


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


def symbol_table(image: Image) -> bytes:
    out = b""
    for i, name in enumerate(("", *SYMBOLS)):
        info, section, value = (0x12, 7, BASE + i) if name else (0, 0, 0)
        at = image.name(name) if name else 0
        if image.form.is64:
            out += image.form.pack("IBBHQQ", at, info, 0, section, value, 0)
        else:
            out += image.form.pack("IIIBBH", at, value, 0, info, 0, section)
    return out


def sysv_table(form: Form) -> bytes:
    return form.pack("III4I", 1, len(SYMBOLS) + 1, 1, 0, 2, 3, 0)


def gnu_table(form: Form) -> bytes:
    bits, bloom = (64 if form.is64 else 32), 0
    for name in SYMBOLS:
        bloom |= 1 << gnu_hash(name) % bits | 1 << (gnu_hash(name) >> 5) % bits
    out = form.pack("IIIIWI", 1, 1, 1, 5, bloom, 1)
    for name in SYMBOLS:
        out += form.pack("I", gnu_hash(name) & ~1 | (name == SYMBOLS[-1]))
    return out


def verneed(image: Image) -> bytes:
    pack = image.form.pack
    first = pack("HHIII", 1, 2, image.name("libc.so.6"), 16, 48)
    for i, name in enumerate(("GLIBC_2.34", "GLIBC_2.4")):
        first += pack("IHHII", sysv_hash(name), 2 * i, i + 2, image.name(name), 16 if i == 0 else 0)
    second = pack("HHIII", 1, 1, image.name("libb.so.1"), 16, 0)
    return first + second + pack("IHHII", sysv_hash("B_1"), 0, 4, image.name("B_1"), 0)


def verdef(image: Image) -> bytes:
    out = b""
    for i, name in enumerate(("libx.so.2", "X_1.0")):
        link = 28 if i == 0 else 0
        out += image.form.pack("HHHHIII", 1, i == 0, i + 1, 1, sysv_hash(name), 20, link)
        out += image.form.pack("II", image.name(name), 0)
    return out


def notes(form: Form) -> bytes:
    def note(kind: int, content: bytes, owner: bytes = b"GNU\0") -> bytes:
        return form.pack("III", 4, len(content), kind) + owner + content

    isa = form.pack("IIII", 0xC0008002, 4, 3, 0)
    opens = (
        b'[{"soname":["libz.so.1","lib\\"\\u00e9.so"],"feature":"f","description":"\\n",'
        b'"priority":"required"},{"soname":"liby.so","x":[1,{"y":null}]}]\0'
    )
    return (
        note(1, form.pack("IIII", 0, 3, 2, 0))
        + note(5, isa)
        + note(3, bytes(range(20)))
        + note(0x407C0C0A, opens + bytes(-len(opens) % 4), b"FDO\0")
    )


def phdr(form: Form, kind: int, flags: int, at: int, size: int) -> bytes:
    align = {PT_LOAD: 0x1000, PT_NOTE: 4}.get(kind, 8)
    if form.is64:
        return form.pack("IIQQQQQQ", kind, flags, at, at + BASE, at + BASE, size, size, align)
    return form.pack("IIIIIIII", kind, at, at + BASE, at + BASE, size, size, flags, align)


def header(form: Form, kind: int, machine: int, phnum: int) -> bytes:
    ident = b"\x7fELF" + bytes([1 + form.is64, 1 + form.big, 1]) + bytes(9)
    size, entry = (64, 56) if form.is64 else (52, 32)
    return ident + form.pack(
        "HHIWWWIHHHHHH", kind, machine, 1, 0, size, 0, 0, size, entry, phnum, 0, 0, 0
    )


def build(form: Form, tables: str, kind: int = 3, machine: int = 62) -> bytes:
    """`tables` names what the file has: n(eeds) v(ersions) g(nu hash) s(ysv hash) t(notes)."""
    image = Image(form)
    image.data += bytes(len(header(form, 0, 0, 0)) + 6 * (56 if form.is64 else 32))
    interp = image.place(b"/lib64/ld-linux-x86-64.so.2\0")
    note = image.place(notes(form)) if "t" in tables else 0
    note_size = len(notes(form)) if "t" in tables else 0
    words = ["libb.so.1", "libc.so.6", "libx.so.2", "$ORIGIN/../lib:", "/opt/x", *SYMBOLS]
    image.names = b"\0" + b"\0".join(
        w.encode() for w in [*words, "GLIBC_2.34", "GLIBC_2.4", "B_1", "X_1.0", ""]
    )
    image.strtab = image.place(image.names)
    symtab = image.place(symbol_table(image))
    entries = [(DT_STRTAB, image.strtab + BASE), (DT_STRSZ, len(image.names))]
    entries += [(DT_SYMTAB, symtab + BASE), (DT_SONAME, image.name("libx.so.2"))]
    if "n" in tables:
        entries = [(DT_NEEDED, image.name(n)) for n in ("libb.so.1", "libc.so.6")] + entries
        entries += [(DT_RUNPATH, image.name("$ORIGIN/../lib:")), (DT_RPATH, image.name("/opt/x"))]
        entries += [(DT_FLAGS, 8), (DT_FLAGS_1, 0x08000001)]
    if "v" in tables:
        entries += [(DT_VERNEED, image.place(verneed(image)) + BASE)]
        entries += [(DT_VERDEF, image.place(verdef(image)) + BASE)]
    if "g" in tables:
        entries += [(DT_GNU_HASH, image.place(gnu_table(form)) + BASE)]
    if "s" in tables:
        entries += [(DT_HASH, image.place(sysv_table(form)) + BASE)]
    content = b"".join(form.pack("WW", *e) for e in [*entries, (0, 0)])
    dynamic, size = image.place(content), len(content)
    segments = [
        phdr(form, PT_LOAD, 4, 0, len(image.data)),
        phdr(form, PT_DYNAMIC, 6, dynamic, size),
        phdr(form, PT_INTERP, 4, interp, 28),
        phdr(form, PT_NOTE, 4, note, note_size),
        phdr(form, PT_TLS, 4, 0, 16),
        phdr(form, PT_GNU_STACK, 6, 0, 0),
    ]
    head = header(form, kind, machine, len(segments)) + b"".join(segments)
    image.data[: len(head)] = head
    return bytes(image.data)


def seeds() -> Iterator[tuple[str, bytes]]:
    for is64 in (False, True):
        for big in (False, True):
            form = Form(is64, big)
            where = f"{64 if is64 else 32}{'be' if big else 'le'}"
            for tables in ("", "n", "nv", "ng", "ns", "nvgst"):
                yield f"{where}-{tables or 'plain'}", build(form, tables)
    yield "s390x", build(Form(True, True), "nvs", machine=22)
    yield "executable", build(Form(True, False), "nvgst", kind=2)
    yield "object", build(Form(True, False), "n", kind=1)
    yield "zeros", bytes(128)
    yield "script", b"/* GNU ld script */\nGROUP ( /lib/libc.so.6 AS_NEEDED ( ld.so ) )\n" * 2
    yield "pointer", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1234567\n"


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in seeds():
        (folder / name).write_bytes(content)
    folder.touch()  # a build sees by its date that the folder is up to date


if __name__ == "__main__":
    main()
