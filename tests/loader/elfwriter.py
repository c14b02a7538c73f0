"""Writes small ELF files with any field dialled: what no compiler and no linker would make.

By default the result is a shared object of this machine's class that a real loader maps: one
segment that holds the headers, a string table, an empty symbol table with its hash, and the dynamic
section.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

PT_LOAD, PT_DYNAMIC, PT_NOTE, PT_TLS = 1, 2, 4, 7
PT_GNU_STACK = 0x6474E551
DT_NEEDED, DT_SONAME, DT_RPATH, DT_RUNPATH = 1, 14, 15, 29
DT_AUXILIARY, DT_FILTER = 0x7FFFFFFD, 0x7FFFFFFF
DT_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SYMENT, DT_FLAGS_1 = 4, 5, 6, 10, 11, 0x6FFFFFFB
DF_1_NODELETE, DF_1_NOOPEN, DF_1_NODEFLIB, DF_1_PIE = 0x8, 0x40, 0x800, 0x08000000
ET_REL, ET_EXEC, ET_DYN = 1, 2, 3
EM_X86_64, EM_AARCH64, EM_386 = 62, 183, 3


@dataclass
class Load:
    """A further PT_LOAD; offsets and addresses are taken as given."""

    offset: int
    vaddr: int
    filesz: int
    memsz: int
    align: int = 0x1000
    flags: int = 6


@dataclass
class Elf:
    """One file. None means absent."""

    needed: list[str] = field(default_factory=list)
    soname: str | None = None
    rpath: str | None = None
    runpath: str | None = None
    filters: list[str] = field(default_factory=list)
    auxiliaries: list[str] = field(default_factory=list)
    flags_1: int = 0

    bits: int = 64
    little: bool = True
    type: int = ET_DYN
    machine: int = EM_X86_64
    version: int = 1
    ident: dict[int, int] = field(default_factory=dict)  # byte of e_ident to value
    phentsize: int | None = None
    stack: int | None = 6  # p_flags of PT_GNU_STACK
    dynamic: bool = True  # a PT_DYNAMIC is there
    empty_dynamic: bool = False  # with p_filesz 0, as `objcopy --only-keep-debug` leaves it
    loadable: bool = True  # a PT_LOAD is there
    vaddr: int = 0  # of the first segment; not a multiple of the page size: misaligned
    align: int = 0x1000
    loads: list[Load] = field(default_factory=list)
    isa_needed: int = 0  # GNU_PROPERTY_X86_ISA_1_NEEDED
    abi_tag: tuple[int, int, int, int] | None = None  # NT_GNU_ABI_TAG: system, least kernel
    tls: int = 0  # p_memsz of PT_TLS
    pad: int = 0  # bytes after everything, inside the segment
    bss: int = 0  # p_memsz beyond p_filesz
    cut: int | None = None  # bytes that stay of the file

    def _strings(self) -> tuple[bytes, list[tuple[int, int]]]:
        table = bytearray(b"\0")
        entries: list[tuple[int, int]] = []
        names = [
            *[(DT_NEEDED, n) for n in self.needed],
            *[(DT_SONAME, n) for n in [self.soname] if n is not None],
            *[(DT_RPATH, n) for n in [self.rpath] if n is not None],
            *[(DT_RUNPATH, n) for n in [self.runpath] if n is not None],
            *[(DT_FILTER, n) for n in self.filters],
            *[(DT_AUXILIARY, n) for n in self.auxiliaries],
        ]
        for tag, name in names:
            entries.append((tag, len(table)))
            table += name.encode("utf-8", "surrogateescape") + b"\0"
        return bytes(table), entries

    def _pack(self, codes: str, *values: int) -> bytes:
        return struct.pack(("<" if self.little else ">") + codes, *values)

    def _phdr(
        self, kind: int, flags: int, offset: int, vaddr: int, filesz: int, memsz: int, align: int
    ) -> bytes:
        if self.bits == 64:
            return self._pack("IIQQQQQQ", kind, flags, offset, vaddr, vaddr, filesz, memsz, align)
        return self._pack("IIIIIIII", kind, offset, vaddr, vaddr, filesz, memsz, flags, align)

    def _property(self) -> bytes:
        desc = self._pack("III", 0xC0008002, 4, self.isa_needed)
        desc += b"\0" * (-len(desc) % (8 if self.bits == 64 else 4))
        return self._pack("III", 4, len(desc), 5) + b"GNU\0" + desc

    def _tag(self) -> bytes:
        assert self.abi_tag
        return self._pack("III", 4, 16, 1) + b"GNU\0" + self._pack("IIII", *self.abi_tag)

    def _header(self, phnum: int, phoff: int) -> bytes:
        ident = bytearray(16)
        ident[:7] = b"\x7fELF" + bytes([2 if self.bits == 64 else 1, 1 if self.little else 2, 1])
        for index, value in self.ident.items():
            ident[index] = value
        word = "Q" if self.bits == 64 else "I"
        size = 56 if self.bits == 64 else 32
        return bytes(ident) + self._pack(
            f"HHI{word}{word}{word}IHHHHHH",
            self.type,
            self.machine,
            self.version,
            0,
            phoff,
            0,
            0,
            64 if self.bits == 64 else 52,
            size if self.phentsize is None else self.phentsize,
            phnum,
            0,
            0,
            0,
        )

    def to_bytes(self) -> bytes:
        wide = self.bits == 64
        word = "Q" if wide else "I"
        phsize, ehsize, symsize = (56, 64, 24) if wide else (32, 52, 16)
        phnum = (
            int(self.loadable)
            + len(self.loads)
            + int(self.dynamic)
            + int(self.stack is not None)
            + int(self.tls > 0)
            + int(self.isa_needed > 0)
            + int(self.abi_tag is not None)
        )
        at = ehsize + phnum * phsize
        at += -at % 16
        strings, entries = self._strings()
        body = bytearray()

        def put(data: bytes) -> int:
            body.extend(b"\0" * (-(at + len(body)) % 16))
            place = at + len(body)
            body.extend(data)
            return place

        base = self.vaddr
        strtab = put(strings)
        symtab = put(b"\0" * symsize)
        hashtab = put(self._pack("IIII", 1, 1, 0, 0))
        note = put(self._property()) if self.isa_needed else 0
        tag = put(self._tag()) if self.abi_tag else 0
        entries += [
            (DT_HASH, base + hashtab),
            (DT_STRTAB, base + strtab),
            (DT_SYMTAB, base + symtab),
            (DT_STRSZ, len(strings)),
            (DT_SYMENT, symsize),
        ]
        if self.flags_1:
            entries.append((DT_FLAGS_1, self.flags_1))
        entries.append((0, 0))
        dynbytes = b"".join(self._pack(word + word, tag, value) for tag, value in entries)
        body.extend(b"\0" * self.pad)
        dynamic = put(dynbytes)
        end = at + len(body)

        phdrs = b""
        if self.loadable:
            phdrs += self._phdr(PT_LOAD, 6, 0, base, end, end + self.bss, self.align)
        for load in self.loads:
            phdrs += self._phdr(
                PT_LOAD,
                load.flags,
                load.offset,
                load.vaddr,
                load.filesz,
                load.memsz,
                load.align,
            )
        if self.dynamic:
            size = 0 if self.empty_dynamic else len(dynbytes)
            phdrs += self._phdr(PT_DYNAMIC, 6, dynamic, base + dynamic, size, size, 8)
        if self.stack is not None:
            phdrs += self._phdr(PT_GNU_STACK, self.stack, 0, 0, 0, 0, 16)
        if self.tls:
            phdrs += self._phdr(PT_TLS, 4, 0, base, 0, self.tls, 16)
        if self.isa_needed:
            size = len(self._property())
            phdrs += self._phdr(
                PT_NOTE,
                4,  # on x86 the loader reads PT_NOTE alone
                note,
                base + note,
                size,
                size,
                8,
            )
        if self.abi_tag:
            phdrs += self._phdr(PT_NOTE, 4, tag, base + tag, 32, 32, 4)
        data = self._header(phnum, ehsize) + phdrs
        data += b"\0" * (at - len(data)) + bytes(body)
        return data if self.cut is None else data[: self.cut]
