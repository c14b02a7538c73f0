"""Writes small ELF files with any field dialled: what no compiler and no linker would make.

By default the result is a shared object of this machine's class that a real loader maps: one
segment that holds the headers, a string table, an empty symbol table with its hash, and the dynamic
section.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable
from dataclasses import dataclass, field

PT_LOAD, PT_DYNAMIC, PT_NOTE, PT_TLS = 1, 2, 4, 7
PT_GNU_STACK, PT_GNU_PROPERTY = 0x6474E551, 0x6474E553
DT_NEEDED, DT_SONAME, DT_RPATH, DT_RUNPATH = 1, 14, 15, 29
DT_AUXILIARY, DT_FILTER = 0x7FFFFFFD, 0x7FFFFFFF
DT_HASH, DT_STRTAB, DT_SYMTAB, DT_STRSZ, DT_SYMENT, DT_FLAGS_1 = 4, 5, 6, 10, 11, 0x6FFFFFFB
DF_1_NODELETE, DF_1_NOOPEN, DF_1_INTERPOSE, DF_1_NODEFLIB = 0x8, 0x40, 0x400, 0x800
DF_1_PIE = 0x08000000
DT_PLTRELSZ, DT_PLTGOT, DT_RELA, DT_RELASZ, DT_RELAENT = 2, 3, 7, 8, 9
DT_SYMBOLIC, DT_PLTREL, DT_JMPREL, DT_FLAGS = 16, 20, 23, 30
DT_RELRSZ, DT_RELR, DT_RELRENT = 35, 36, 37
DT_GNU_HASH, DT_VERSYM, DT_VERDEF, DT_VERDEFNUM = 0x6FFFFEF5, 0x6FFFFFF0, 0x6FFFFFFC, 0x6FFFFFFD
DT_VERNEED, DT_VERNEEDNUM = 0x6FFFFFFE, 0x6FFFFFFF
DF_SYMBOLIC, DF_BIND_NOW, DF_1_NOW = 0x2, 0x8, 0x1
STB_LOCAL, STB_GLOBAL, STB_WEAK, STB_GNU_UNIQUE = 0, 1, 2, 10
STT_NOTYPE, STT_OBJECT, STT_FUNC, STT_TLS = 0, 1, 2, 6
STV_DEFAULT, STV_INTERNAL, STV_HIDDEN, STV_PROTECTED = 0, 1, 2, 3
R_NONE, R_64, R_GLOB_DAT, R_JUMP_SLOT, R_DTPMOD64, R_TPOFF64 = 0, 1, 6, 7, 16, 18  # x86-64
R_TLSDESC = 36  # takes two words: the last outside of the PLT
VER_FLG_WEAK = 2
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
class Sym:
    """One entry of .dynsym. `version` is one of the file's own or of a needed one."""

    name: str
    defined: bool = True
    bind: int = STB_GLOBAL
    type: int = STT_FUNC
    visibility: int = STV_DEFAULT
    version: str | None = None
    hidden: bool = False  # the bit of .gnu.version
    value: int | None = None
    index: int | None = None  # the number in .gnu.version, in place of what `version` gives
    relocs: list[int] = field(default_factory=list)  # types of relocations that name it
    hashed: bool = True  # the hash table has it


@dataclass
class Needs:
    """The versions needed from one file: name, or name and flags."""

    file: str
    versions: list[str | tuple[str, int]]
    record: int = 1  # vn_version


def elf_hash(name: str) -> int:
    h = 0
    for c in name.encode():
        h = (h << 4) + c
        h ^= (h >> 24) & 0xF0
        h &= 0x0FFFFFFF
    return h


def gnu_hash(name: str) -> int:
    h = 5381
    for c in name.encode():
        h = (h * 33 + c) & 0xFFFFFFFF
    return h


@dataclass
class Elf:
    """One file. None means absent."""

    needed: list[str] = field(default_factory=list)
    soname: str | None = None
    rpath: str | None = None
    runpath: str | None = None
    filters: list[str] = field(default_factory=list)
    auxiliaries: list[str] = field(default_factory=list)
    # place of each of `needed`, `filters` and `auxiliaries` in the dynamic section; [] as listed
    ranks: list[int] = field(default_factory=list)
    flags_1: int = 0

    bits: int = 64
    little: bool = True
    type: int = ET_DYN
    machine: int = EM_X86_64
    version: int = 1
    eflags: int = 0
    ident: dict[int, int] = field(default_factory=dict)  # byte of e_ident to value
    phentsize: int | None = None
    stack: int | None = 6  # p_flags of PT_GNU_STACK
    dynamic: bool = True  # a PT_DYNAMIC is there
    empty_dynamic: bool = False  # with p_filesz 0, as `objcopy --only-keep-debug` leaves it
    loadable: bool = True  # a PT_LOAD is there
    segment: int = 6  # p_flags of the first segment
    vaddr: int = 0  # of the first segment; not a multiple of the page size: misaligned
    align: int = 0x1000
    loads: list[Load] = field(default_factory=list)
    isa_needed: int = 0  # GNU_PROPERTY_X86_ISA_1_NEEDED
    property: bool = False  # a PT_GNU_PROPERTY leads to it, beside the PT_NOTE
    abi_tag: tuple[int, int, int, int] | None = None  # NT_GNU_ABI_TAG: system, least kernel
    tls: int = 0  # p_memsz of PT_TLS
    tls_align: int = 16
    symbols: list[Sym] = field(default_factory=list)
    hashes: str = "sysv"  # kinds of hash table, in any order: "sysv", "gnu", "sysv gnu", ""
    verneed: list[Needs] = field(default_factory=list)
    verdef: list[str] = field(default_factory=list)  # without the base entry
    verdef_record: int = 1  # vd_version of the last entry
    versym: bool | None = None  # None: if there are versions
    relr: bool = False
    flags: int = 0  # DT_FLAGS
    pad: int = 0  # bytes after everything, inside the segment
    bss: int = 0  # p_memsz beyond p_filesz
    cut: int | None = None  # bytes that stay of the file

    _names: dict[str, int] = field(default_factory=dict, init=False, repr=False)

    def _strings(self) -> tuple[bytes, list[tuple[int, int]]]:
        table = bytearray(b"\0")
        entries: list[tuple[int, int]] = []
        needs = [
            *[(DT_NEEDED, n) for n in self.needed],
            *[(DT_FILTER, n) for n in self.filters],
            *[(DT_AUXILIARY, n) for n in self.auxiliaries],
        ]
        ranks = [*self.ranks, *range(len(self.ranks), len(needs))]
        names = [
            *[needs[i] for i in sorted(range(len(needs)), key=lambda i: ranks[i])],
            *[(DT_SONAME, n) for n in [self.soname] if n is not None],
            *[(DT_RPATH, n) for n in [self.rpath] if n is not None],
            *[(DT_RUNPATH, n) for n in [self.runpath] if n is not None],
        ]
        for tag, name in names:
            entries.append((tag, len(table)))
            table += name.encode("utf-8", "surrogateescape") + b"\0"
        self._names = {"": 0}
        texts = [s.name for s in self.symbols]
        texts += [n.file for n in self.verneed]
        texts += [v for n in self.verneed for v, _, _ in self._needs(n)]
        texts += [*self.verdef, self.soname or "base"] if self.verdef else []
        for name in texts:
            if name not in self._names:
                self._names[name] = len(table)
                table += name.encode("utf-8", "surrogateescape") + b"\0"
        return bytes(table), entries

    def _numbers(self) -> dict[str, int]:
        """Number of each version: those it defines, then those it needs."""
        numbers = {v: 2 + i for i, v in enumerate(self.verdef)}
        for needs in self.verneed:
            for v in needs.versions:
                name = v if isinstance(v, str) else v[0]
                numbers.setdefault(name, 2 + len(numbers))
        return numbers

    def _needs(self, needs: Needs) -> list[tuple[str, int, int]]:
        pairs = [(v, 0) if isinstance(v, str) else v for v in needs.versions]
        return [(name, flags, self._numbers()[name]) for name, flags in pairs]

    def _verneed(self) -> bytes:
        out = b""
        for i, needs in enumerate(self.verneed):
            aux = b""
            items = self._needs(needs)
            for k, (name, flags, number) in enumerate(items):
                following = 0 if k + 1 == len(items) else 16
                aux += self._pack(
                    "IHHII", elf_hash(name), flags, number, self._names[name], following
                )
            following = 0 if i + 1 == len(self.verneed) else 16 + len(aux)
            file = self._names[needs.file]
            out += self._pack("HHIII", needs.record, len(items), file, 16, following) + aux
        return out

    def _verdef(self) -> bytes:
        out = b""
        names = [self.soname or "base", *self.verdef]
        for i, name in enumerate(names):
            last = i + 1 == len(names)
            record = self.verdef_record if last else 1
            out += self._pack(
                "HHHHIII", record, int(i == 0), i + 1, 1, elf_hash(name), 20, 0 if last else 28
            )
            out += self._pack("II", self._names[name], 0)
        return out

    def _symtab(self, place: int) -> bytes:
        out = b"\0" * (24 if self.bits == 64 else 16)
        for s in self.symbols:
            value = s.value if s.value is not None else place if s.defined else 0
            if s.type == STT_TLS and s.value is None:
                value = 0
            info, section = s.bind << 4 | s.type, 1 if s.defined else 0
            if self.bits == 64:
                out += self._pack(
                    "IBBHQQ", self._names[s.name], info, s.visibility, section, value, 8
                )
            else:
                out += self._pack(
                    "IIIBBH", self._names[s.name], value, 8, info, s.visibility, section
                )
        return out

    def _sysv_hash(self) -> bytes:
        """One bucket."""
        chained = [i + 1 for i, s in enumerate(self.symbols) if s.hashed]
        chain = [0] * (len(self.symbols) + 1)
        for a, b in itertools.pairwise(chained):
            chain[a] = b
        first = chained[0] if chained else 0
        n = len(chain)
        return self._pack(f"III{n}I", 1, n, first, *chain)

    def _gnu_hash(self) -> bytes:
        """One bucket, a bloom filter that lets everything through. Covers what is defined: from
        the first such symbol on."""
        defined = [i + 1 for i, s in enumerate(self.symbols) if s.hashed and s.defined]
        first = defined[0] if defined else len(self.symbols) + 1
        word = "Q" if self.bits == 64 else "I"
        ones = 0xFFFFFFFFFFFFFFFF if self.bits == 64 else 0xFFFFFFFF
        hashes = [gnu_hash(s.name) & ~1 for s in self.symbols[first - 1 :]]
        if hashes:
            hashes[-1] |= 1
        n = len(hashes)
        return self._pack(f"IIII{word}I{n}I", 1, first, 1, 6, ones, first if hashes else 0, *hashes)

    def _versym(self) -> bytes:
        numbers = self._numbers()
        out = self._pack("H", 0)
        for s in self.symbols:
            number = numbers[s.version] if s.version is not None else 1
            if s.index is not None:
                number = s.index
            out += self._pack("H", number | (0x8000 if s.hidden else 0))
        return out

    def _relocs(self, place: int, plt: bool) -> bytes:
        """Each in a word of its own from `place` on."""
        out = b""
        for i, s in enumerate(self.symbols):
            for kind in s.relocs:
                if (kind == R_JUMP_SLOT) == plt:
                    out += self._pack("QQQ", place, (i + 1) << 32 | kind, 0)
                    place += 8
        return out

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
            self.eflags,
            64 if self.bits == 64 else 52,
            size if self.phentsize is None else self.phentsize,
            phnum,
            0,
            0,
            0,
        )

    def _tables(self, put: Callable[[bytes], int], base: int, data: int) -> list[tuple[int, int]]:
        """Versions and relocations. `data`: two words for the table of the PLT, then one for each
        relocation."""
        entries: list[tuple[int, int]] = []
        if self.verneed:
            entries += [
                (DT_VERNEED, base + put(self._verneed())),
                (DT_VERNEEDNUM, len(self.verneed)),
            ]
        if self.verdef:
            entries += [
                (DT_VERDEF, base + put(self._verdef())),
                (DT_VERDEFNUM, 1 + len(self.verdef)),
            ]
        if self.versym or (self.versym is None and (self.verneed or self.verdef)):
            entries.append((DT_VERSYM, base + put(self._versym())))
        plain = self._relocs(data + 32, plt=False)
        slots = self._relocs(data + 40 + len(plain) // 3, plt=True)
        if plain:
            entries += [
                (DT_RELA, base + put(plain)),
                (DT_RELASZ, len(plain)),
                (DT_RELAENT, 24),
            ]
        if slots:
            entries += [
                (DT_JMPREL, base + put(slots)),
                (DT_PLTRELSZ, len(slots)),
                (DT_PLTREL, DT_RELA),
                (DT_PLTGOT, data),
            ]
        if self.relr:
            entries += [(DT_RELR, data), (DT_RELRSZ, 0), (DT_RELRENT, 8)]
        return entries

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
            + int(self.property)
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
        data = put(b"\0" * 8 * (6 + sum(len(s.relocs) for s in self.symbols)))
        symtab = put(self._symtab(base + data))
        note = put(self._property()) if self.isa_needed else 0
        tag = put(self._tag()) if self.abi_tag else 0
        if "sysv" in self.hashes:
            entries.append((DT_HASH, base + put(self._sysv_hash())))
        if "gnu" in self.hashes:
            entries.append((DT_GNU_HASH, base + put(self._gnu_hash())))
        entries += self._tables(put, base, base + data)
        entries += [
            (DT_STRTAB, base + strtab),
            (DT_SYMTAB, base + symtab),
            (DT_STRSZ, len(strings)),
            (DT_SYMENT, symsize),
        ]
        if self.flags:
            entries.append((DT_FLAGS, self.flags))
        if self.flags_1:
            entries.append((DT_FLAGS_1, self.flags_1))
        entries.append((0, 0))
        dynbytes = b"".join(self._pack(word + word, tag, value) for tag, value in entries)
        body.extend(b"\0" * self.pad)
        dynamic = put(dynbytes)
        end = at + len(body)

        phdrs = b""
        if self.loadable:
            phdrs += self._phdr(PT_LOAD, self.segment, 0, base, end, end + self.bss, self.align)
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
            phdrs += self._phdr(PT_TLS, 4, 0, base, 0, self.tls, self.tls_align)
        for kind in [PT_NOTE] * (self.isa_needed > 0) + [PT_GNU_PROPERTY] * self.property:
            size = len(self._property())
            phdrs += self._phdr(kind, 4, note, base + note, size, size, 8)
        if self.abi_tag:
            phdrs += self._phdr(PT_NOTE, 4, tag, base + tag, 32, 32, 4)
        file = self._header(phnum, ehsize) + phdrs
        file += b"\0" * (at - len(file)) + bytes(body)
        return file if self.cut is None else file[: self.cut]
