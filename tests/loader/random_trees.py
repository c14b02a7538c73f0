"""Random trees of libraries, and series of opens in them: one seed, one scenario.

The pool of names is small, so that names meet: files of one soname in several folders, links, bad
files in front of good ones, search paths that miss, tokens, filters, flags.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field
from pathlib import Path

from tests.loader.elfwriter import (
    DF_1_NODEFLIB,
    DF_1_NOOPEN,
    DF_1_NOW,
    DF_1_PIE,
    DF_SYMBOLIC,
    EM_386,
    EM_AARCH64,
    ET_EXEC,
    ET_REL,
    R_64,
    R_GLOB_DAT,
    R_JUMP_SLOT,
    R_NONE,
    R_TLSDESC,
    R_TPOFF64,
    STB_WEAK,
    STT_TLS,
    STV_HIDDEN,
    STV_PROTECTED,
    VER_FLG_WEAK,
    Elf,
    Needs,
    Sym,
)
from tests.loader.judge import Drivers, Program, run
from tests.loader.lab import make_root

NAMES = ["liba.so", "libb.so.1", "libc9.so", "libd.so.2.3", "libe.so", "libf.so.7", "libg.so"]
FOLDERS = ["d0", "d1", "d1/sub", "d2", "d3", "d3/lib", "d4/deep/er"]
ROOT_FOLDERS = [
    "usr/lib",
    "usr/lib/x86_64-linux-gnu",
    "lib",
    "usr/local/lib",
    "opt/lib",
    "d1",
    "d2/sub",
]
SUBFOLDERS = [
    "glibc-hwcaps/x86-64-v2",
    "glibc-hwcaps/x86-64-v3",
    "tls",
    "x86_64",
    "tls/x86_64",
    "haswell",
    "x86_64/x86_64",
]
SYMBOLS = ["s0", "s1", "s2", "s3", "s4"]
VARIABLES = ["t0", "t1"]  # thread-local
VERSIONS = ["V1", "V2", "V3", "W1"]
SYSTEM = ["libm.so.6", "libc.so.6", "ld-linux-x86-64.so.2", "libz.so.01", ""]


@dataclass
class Scenario:
    program: Path
    requests: list[str]
    variables: dict[str, str]
    cwd: Path
    notes: list[str] = field(default_factory=list)  # what was made, for people
    root: Path | None = None  # the process's root, as this machine sees it


class Maker:
    """With `as_root` the tree is the whole file system of the process: its cache, its default
    folders and its preload file are in play."""

    def __init__(self, seed: int, folder: Path, drivers: Drivers, as_root: bool = False) -> None:
        self.rng = random.Random(seed)
        self.folder = folder
        self.as_root = as_root
        self.top = "" if as_root else str(folder)  # as the process sees it
        self.folders = ROOT_FOLDERS if as_root else FOLDERS
        self.drivers = drivers
        self.notes: list[str] = []
        self.files: list[str] = []  # relative paths of everything that was put somewhere
        self.dense = self.chance(0.75)  # most needs are met

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def note(self, text: str) -> None:
        self.notes.append(text)

    def element(self) -> str:
        """One element of a search path."""
        rng, top = self.rng, self.top
        folder = rng.choice(self.folders)
        kind = rng.randrange(18 if self.dense else 26)
        if kind < 9:
            return f"{top}/{folder}"
        if kind < 12:
            return "$ORIGIN"
        if kind < 15:
            return f"$ORIGIN/../{folder}"
        special = [
            f"${{ORIGIN}}/{folder}",
            "",
            folder,
            f"{top}/{folder}//",
            f"{top}/none",
            f"{top}/plain",  # a file
            f"{top}/link",  # a link to a folder
            f"{top}/link/../{folder}",
            f"{top}/loop",
            "$ORIGINfoo",
            "/",
        ]
        rare = [
            "none",
            "plain",
            "loop",
            "$PLATFORM",
            "${LIB",
            "$UNKNOWN",
            f"{top}/$LIB",
            f"~/{folder}",
        ]
        return rng.choice(special if self.chance(0.8) else rare)

    def path(self, most: int = 5) -> str:
        separator = ":" if self.chance(0.95) else ";"
        elements = [self.element() for _ in range(self.rng.randint(1, most))]
        if self.dense and self.chance(0.75):
            folders = self.rng.sample(self.folders, self.rng.randint(3, len(self.folders)))
            elements += [f"{self.top}/{folder}" for folder in folders]
        return separator.join(elements)

    def need(self) -> str:
        rng = self.rng
        if self.chance(0.06):
            return rng.choice(SYSTEM)
        if self.chance(0.02 if self.dense else 0.08):
            return self.slashed()
        return rng.choice(NAMES)

    def slashed(self) -> str:
        rng = self.rng
        name, folder = rng.choice(NAMES), rng.choice(self.folders)
        return rng.choice(
            [
                f"{self.top}/{folder}/{name}",
                f"{folder}/{name}",
                f"$ORIGIN/{name}",
                f"$ORIGIN/../{folder}/{name}",
                f"./{name}",
            ]
        )

    def library(self) -> Elf:
        rng = self.rng
        elf = Elf(needed=[self.need() for _ in range(rng.choice([0, 0, 1, 1, 2, 3]))])
        if self.chance(0.6):
            elf.soname = rng.choice(NAMES)
        if self.chance(0.02):
            elf.soname = self.slashed()
        kind = rng.randrange(6 if self.dense else 8)
        if kind in (0, 1, 2):
            elf.runpath = self.path()
        if kind in (2, 3, 4):
            elf.rpath = self.path()
        if self.chance(0.03):
            elf.runpath = ""
        if self.chance(0.04):
            elf.filters = [rng.choice(NAMES)]
        if self.chance(0.04):
            elf.auxiliaries = [rng.choice(NAMES) for _ in range(rng.randint(1, 2))]
        if self.chance(0.06):
            elf.flags_1 |= DF_1_NODEFLIB
        if self.chance(0.05):
            elf.stack = rng.choice([None, 7])
        self.add_versions(elf)
        if self.chance(0.7):
            self.add_symbols(elf)
        return elf

    def add_symbols(self, elf: Elf) -> None:
        """Definitions of a few names, references to some of them; now and then all that makes a
        definition none."""
        rng = self.rng
        elf.hashes = rng.choice(["sysv", "gnu", "gnu", "sysv gnu"])
        if self.chance(0.02):
            elf.hashes = ""
        elf.flags |= DF_SYMBOLIC if self.chance(0.05) else 0
        elf.flags_1 |= DF_1_NOW if self.chance(0.05) else 0
        needs = [v for n in elf.verneed for v in n.versions if n.file in NAMES]
        needed = [v if isinstance(v, str) else v[0] for v in needs]
        references, definitions = [], []
        for name in SYMBOLS:
            if self.chance(0.6):
                definitions.append(self.definition(name, elf))
            elif self.chance(0.25):
                references.append(self.reference(name, needed))
        if self.chance(0.3):
            references.append(self.reference("malloc", []))
        if self.chance(0.15):
            elf.tls = rng.choice([1, 8, 40, 144, 300, 700, 1200])
            elf.tls_align = rng.choice([1, 8, 16, 32, 64, 128])
            owned = Sym(rng.choice(VARIABLES), type=STT_TLS, version=self.own_version(elf))
            owned.relocs = rng.choice([[], [R_TPOFF64], [R_TPOFF64], [R_TLSDESC]])
            definitions.append(owned)
        elif self.chance(0.05):
            name = rng.choice(VARIABLES)
            bind = STB_WEAK if self.chance(0.5) else 1
            references.append(Sym(name, defined=False, type=STT_TLS, bind=bind, relocs=[R_TPOFF64]))
        rng.shuffle(references)
        elf.symbols = [*references, *definitions]

    def own_version(self, elf: Elf) -> str | None:
        return self.rng.choice(elf.verdef) if elf.verdef and self.chance(0.8) else None

    def reference(self, name: str, versions: list[str]) -> Sym:
        rng = self.rng
        s = Sym(name, defined=False)
        s.relocs = [rng.choice([R_64, R_GLOB_DAT, R_JUMP_SLOT, R_JUMP_SLOT, R_NONE])]
        if self.chance(0.1):
            s.relocs.append(R_64)
        if self.chance(0.01):
            s.relocs.append(rng.choice([42, 0x123]))
        s.bind = STB_WEAK if self.chance(0.15) else 1
        s.visibility = rng.choice([0] * 30 + [STV_HIDDEN, STV_PROTECTED])
        if versions and self.chance(0.6):
            s.version = rng.choice(versions)
        return s

    def definition(self, name: str, elf: Elf) -> Sym:
        rng = self.rng
        s = Sym(name, version=self.own_version(elf))
        s.hidden = s.version is not None and self.chance(0.2)
        s.bind = rng.choice([1] * 8 + [STB_WEAK] * 4 + [0])
        s.visibility = rng.choice([0] * 20 + [STV_HIDDEN, STV_PROTECTED])
        s.type = rng.choice([0, 1, 2, 2, 2, 2, 2, 2, 2, 3])
        if self.chance(0.2):
            s.relocs = [rng.choice([R_64, R_JUMP_SLOT])]
        if self.chance(0.03):
            s.value = 0
        if self.chance(0.03):
            s.hashed = False
        return s

    def add_versions(self, elf: Elf) -> None:
        """Definitions in many, needs in some: mostly of files that are needed as well, mostly of
        the version that nearly all define."""
        rng = self.rng
        if self.chance(0.3):
            elf.verdef = ["V1", *rng.sample(VERSIONS[1:], rng.randint(0, 3))]
            elf.verdef_record = 2 if self.chance(0.02) else 1
        if not self.chance(0.3):
            return
        wanted = [n for n in elf.needed if n in NAMES]
        if self.chance(0.04):
            wanted.append(rng.choice(NAMES))
        for name in dict.fromkeys(wanted):
            needs = Needs(name, [], 2 if self.chance(0.01) else 1)
            for _ in range(rng.randint(1, 2)):
                version = "V1" if self.chance(0.7) else rng.choice([*VERSIONS, name])
                flags = VER_FLG_WEAK if self.chance(0.1) else 0
                needs.versions.append((version, flags))
            elf.verneed.append(needs)
        if "libc.so.6" in elf.needed and self.chance(0.7):
            marker = ["GLIBC_ABI_DT_RELR"] if self.chance(0.6) else []
            elf.verneed.append(Needs("libc.so.6", ["GLIBC_2.2.5", *marker]))
        elf.relr = self.chance(0.1)

    def bad_library(self) -> tuple[str, bytes]:
        rng = self.rng
        elf = self.library()
        edits: list[tuple[str, dict[str, object]]] = [
            ("class 32", {"bits": 32}),
            ("class 32 of i386", {"bits": 32, "machine": EM_386}),
            ("machine aarch64", {"machine": EM_AARCH64}),
            ("big-endian", {"little": False}),
            ("big-endian s390x", {"little": False, "machine": 22}),
            ("ident version 2", {"ident": {6: 2}}),
            ("class 9", {"ident": {4: 9}}),
            ("data 0", {"ident": {5: 0}}),
            ("osabi", {"ident": {7: rng.choice([1, 3, 9, 127])}}),
            ("abi version", {"ident": {7: rng.choice([0, 3]), 8: rng.choice([1, 2, 3, 4, 5])}}),
            ("padding", {"ident": {rng.randint(9, 15): 1}}),
            ("version 2", {"version": 2}),
            ("relocatable", {"type": ET_REL}),
            ("executable", {"type": ET_EXEC}),
            ("phentsize", {"phentsize": 32}),
            ("no dynamic", {"dynamic": False}),
            ("empty dynamic", {"empty_dynamic": True}),
            ("no segment", {"loadable": False}),
            ("misaligned", {"vaddr": 16}),
            ("noopen", {"flags_1": DF_1_NOOPEN}),
            ("pie", {"flags_1": DF_1_PIE}),
            ("isa", {"isa_needed": 0x8000}),
            ("cut header", {"cut": 64}),
            ("cut short", {"cut": rng.choice([0, 3, 52, 63])}),
            ("cut phdrs", {"cut": 100}),
            ("cut dynamic", {"pad": 8192, "cut": 4096}),
            ("cut bss", {"pad": 8000, "bss": 64, "cut": 8192}),
            ("foreign bytes 1", {"ident": {7: 9}, "machine": EM_AARCH64}),
        ]
        what, fields = rng.choice(edits)
        for name, value in fields.items():
            setattr(elf, name, value)
        if self.chance(0.2):
            text = rng.choice(
                [b"INPUT ( libx.so )\n", b"version https://git-lfs\n" * 5, b"\0" * 200]
            )
            return "text", text
        return what, elf.to_bytes()

    def put_file(self, relative: str) -> None:
        """Something under this name: mostly a library."""
        rng, path = self.rng, self.folder / relative
        path.parent.mkdir(parents=True, exist_ok=True)
        if os.path.lexists(path):
            return
        kind = rng.randrange(100)
        if kind < (80 if self.dense else 68) or not self.files:
            elf = self.library()
            path.write_bytes(elf.to_bytes())
            shown = {k: v for k, v in vars(elf).items() if k[0] != "_" and v != getattr(Elf(), k)}
            self.note(f"{relative}: {shown}")
        elif kind < (83 if self.dense else 78):
            what, data = self.bad_library()
            path.write_bytes(data)
            self.note(f"{relative}: bad, {what}")
        elif kind < 86:
            other = rng.choice(self.files)
            path.symlink_to(f"{self.top}/{other}")
            self.note(f"{relative} -> {other}")
        elif kind < 89:
            target = os.path.relpath(self.folder / rng.choice(self.files), path.parent)
            path.symlink_to(target)
            self.note(f"{relative} -> {target}")
        elif kind < 93:
            other = rng.choice(self.files)
            if (self.folder / other).is_file() and not (self.folder / other).is_symlink():
                path.hardlink_to(self.folder / other)
                self.note(f"{relative} = {other}")
        elif kind < 95:
            path.symlink_to("nowhere")
            self.note(f"{relative} -> nowhere")
        elif kind < 97:
            path.symlink_to(path.name)
            self.note(f"{relative}: loop")
        elif kind < 98:
            path.symlink_to(f"{self.top}/plain/x")
            self.note(f"{relative} -> plain/x")
        else:
            path.mkdir()
            self.note(f"{relative}: folder")
        self.files.append(relative)

    def tree(self) -> None:
        for folder in self.folders:
            if self.chance(0.93):
                (self.folder / folder).mkdir(parents=True, exist_ok=True)
        (self.folder / "plain").write_text("plain")
        (self.folder / "loop").symlink_to("loop")
        (self.folder / "link").symlink_to(self.rng.choice(self.folders))
        for _ in range(self.rng.randint(12, 36) if self.dense else self.rng.randint(4, 16)):
            folder = self.rng.choice(self.folders)
            if self.chance(0.08):
                folder += "/" + self.rng.choice(SUBFOLDERS)
            if (self.folder / folder.split("/")[0]).is_dir():
                self.put_file(f"{folder}/{self.rng.choice(NAMES)}")

    def request(self, callers: list[str]) -> str:
        rng = self.rng
        prefix = ""
        if self.chance(0.15):
            prefix += "global:"
        if self.chance(0.15):
            prefix += "lazy:"
        if self.chance(0.08):
            prefix += "deep:"
        if callers and self.chance(0.3):
            prefix += f"by={rng.choice(callers)}:"
        kind = rng.randrange(10)
        if kind < 5 and self.files:
            return prefix + f"{self.top}/{rng.choice(self.files)}"
        if kind < 8:
            return prefix + rng.choice(NAMES)
        if kind < 9:
            return prefix + self.slashed()
        return prefix + rng.choice([n for n in SYSTEM if n] + ["linux-vdso.so.1"])

    def add_callers(self) -> list[str]:
        if not self.chance(0.25):
            return []
        to = self.folder / "caller.so"
        rpath = self.path() if self.chance(0.6) else None
        runpath = self.path() if rpath is None and self.chance(0.7) else None
        self.drivers.copy_caller(to, rpath or None, runpath or None)
        self.note(f"caller.so: rpath {rpath!r}, runpath {runpath!r}")
        return [f"{self.top}/caller.so"]

    def variables(self) -> dict[str, str]:
        variables: dict[str, str] = {}
        if self.chance(0.55):
            variables["LD_LIBRARY_PATH"] = self.path(6)
        if self.chance(0.1):
            names = [
                self.request([]).split(":")[-1] if self.chance(0.5) else self.need()
                for _ in range(self.rng.randint(1, 2))
            ]
            variables["LD_PRELOAD"] = self.rng.choice([" ", ":"]).join(names)
        if self.chance(0.1):
            variables["LD_BIND_NOW"] = self.rng.choice(["", "1"])
        if self.chance(0.1):
            size = self.rng.choice([0, 100, 512, 2000])
            variables["GLIBC_TUNABLES"] = f"glibc.rtld.optional_static_tls={size}"
        return variables

    def scenario(self) -> Scenario:
        rng = self.rng
        self.folder.mkdir(parents=True)
        if self.as_root:
            make_root(self.folder, self.drivers)
        self.tree()
        program = Program()
        kind = rng.randrange(6)
        if kind == 0:
            program.runpath = self.path()
        elif kind in (1, 2):
            program.rpath = self.path()
        if self.chance(0.15):
            program.needed = [self.need() for _ in range(rng.randint(1, 2))]
        place = self.folder / "bin" / "prog"
        place.parent.mkdir()
        self.drivers.write(place, program)
        if self.chance(0.2):
            place = self.folder / "prog-link"
            place.symlink_to("bin/prog")
        if self.as_root:
            self.configure()
        callers = self.add_callers()
        requests = [*callers, *[self.request(callers) for _ in range(rng.randint(1, 5))]]
        cwd = self.folder / rng.choice(
            [".", *[f for f in self.folders if (self.folder / f).is_dir()]]
        )
        notes = [*self.notes, f"program: {program}"]
        if not self.as_root:
            return Scenario(place, requests, self.variables(), cwd.resolve(), notes)
        inside = Path("/") / place.relative_to(self.folder)
        cwd = Path("/") / cwd.relative_to(self.folder)
        return Scenario(inside, requests, self.variables(), cwd, notes, self.folder)

    def configure(self) -> None:
        """A cache, then changes that it does not know; a preload file."""
        rng = self.rng
        if self.chance(0.8):
            folders = rng.sample(["/usr/local/lib", "/opt/lib", "/d1"], rng.randint(1, 3))
            (self.folder / "etc/ld.so.conf").write_text("\n".join(folders) + "\n")
            run(["/sbin/ldconfig", "-X", "-r", self.folder], in_root=True)
            self.note(f"ldconfig: {folders}")
        for _ in range(rng.randint(0, 3)):
            if self.files and self.chance(0.5):
                gone = self.folder / rng.choice(self.files)
                if gone.is_symlink() or gone.is_file():
                    gone.unlink()
                    self.note(f"removed {gone}")
            else:
                self.put_file(f"{rng.choice(self.folders)}/{rng.choice(NAMES)}")
        if self.chance(0.15):
            words = [self.need() for _ in range(rng.randint(1, 3))]
            text = rng.choice(["", "# words\n", "#x" * 30 + "\n"]) + rng.choice(
                [" ", ":", "\n"]
            ).join(words)
            text += rng.choice(["", "\n", " # end\n"])
            (self.folder / "etc/ld.so.preload").write_text(text)
            self.note(f"preload file {text!r}")
