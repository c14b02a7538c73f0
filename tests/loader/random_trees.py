"""Random trees of libraries, and series of opens in them: one seed, one scenario.

The pool of names is small, so that names meet: files of one soname in several folders, links, bad
files in front of good ones, search paths that miss, tokens, filters, flags.
"""

from __future__ import annotations

import posixpath
import random
from typing import Any

from tests.loader.elfwriter import (
    DF_1_INTERPOSE,
    DF_1_NODEFLIB,
    DF_1_NODELETE,
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
    STB_GNU_UNIQUE,
    STB_WEAK,
    STT_OBJECT,
    STT_TLS,
    STV_HIDDEN,
    STV_PROTECTED,
    VER_FLG_WEAK,
    Elf,
    Needs,
    Sym,
)
from tests.loader.scenario import Call, Scenario

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


class Maker:
    """With `as_root` the tree is the whole file system of the process: its cache, its default
    folders and its preload file are in play."""

    def __init__(self, seed: int, as_root: bool = False) -> None:
        self.rng = random.Random(seed)
        self.as_root = as_root
        self.top = "$D"
        self.folders = ROOT_FOLDERS if as_root else FOLDERS
        self.calls: list[Call] = []
        self.there: set[str] = {"usr", "lib", "bin"} if as_root else {"bin"}  # folders
        self.files: dict[str, str] = {}  # what was put somewhere: its kind
        self.dense = self.chance(0.75)  # most needs are met
        # whose definition is taken shows in whose variables must find room
        self.many_variables = self.chance(0.25)

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def call(self, method: str, *args: object, **fields: object) -> None:
        self.calls.append(Call(method, list(args), fields))

    def put(self, name: str, elf: Elf) -> None:
        plain = Elf()
        fields = {k: v for k, v in vars(elf).items() if k[0] != "_" and v != getattr(plain, k)}
        self.call("put", name, **fields)

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
        if self.chance(0.5):
            count = len(elf.needed) + len(elf.filters) + len(elf.auxiliaries)
            elf.ranks = rng.sample(range(count), count)
        if self.chance(0.06):
            elf.flags_1 |= DF_1_NODEFLIB
        if self.chance(0.06):
            elf.flags_1 |= rng.choice([DF_1_NODELETE, DF_1_INTERPOSE])
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
        elf.flags |= DF_SYMBOLIC if self.chance(0.3 if self.many_variables else 0.05) else 0
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
        if self.chance(0.5 if self.many_variables else 0.12):
            elf.tls = rng.choice([1, 8, 40, 144, 300, 700, 1200])
            if self.many_variables:
                elf.tls = rng.choice([8, 700, 4000])
            elf.tls_align = rng.choice([1, 8, 16, 32, 64, 128])
            owned = Sym(rng.choice(VARIABLES), type=STT_TLS, version=self.own_version(elf))
            owned.bind = rng.choice([1, 1, 1, STB_WEAK, STB_GNU_UNIQUE])
            owned.relocs = rng.choice([[], [R_TPOFF64], [R_TPOFF64], [R_TLSDESC]])
            definitions.append(owned)
        elif self.chance(0.5 if self.many_variables else 0.04):
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
        if self.chance(0.1):
            s.bind, s.type = STB_GNU_UNIQUE, STT_OBJECT
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
        if self.chance(0.02):
            elf.versym = True
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

    def bad_file(self, relative: str) -> None:
        rng = self.rng
        if self.chance(0.2):
            texts = [b"INPUT ( libx.so )\n", b"version https://git-lfs\n" * 5, b"\0" * 200]
            self.call("write", relative, rng.choice(texts))
            return
        elf = self.library()
        for name, value in rng.choice(self.damages()).items():
            setattr(elf, name, value)
        self.put(relative, elf)

    def damages(self) -> list[dict[str, object]]:
        """Fields of a file, each set in a way that some loader refuses or skips."""
        rng = self.rng
        return [
            {"bits": 32},
            {"bits": 32, "machine": EM_386},
            {"machine": EM_AARCH64},
            {"little": False},
            {"little": False, "machine": 22},
            {"ident": {6: 2}},
            {"ident": {4: 9}},
            {"ident": {5: 0}},
            {"ident": {7: rng.choice([1, 3, 9, 127])}},
            {"ident": {7: rng.choice([0, 3]), 8: rng.choice([1, 2, 3, 4, 5])}},
            {"ident": {rng.randint(9, 15): 1}},
            {"version": 2},
            {"type": ET_REL},
            {"type": ET_EXEC},
            {"phentsize": 32},
            {"dynamic": False},
            {"empty_dynamic": True},
            {"loadable": False},
            {"vaddr": 16},
            {"flags_1": DF_1_NOOPEN},
            {"flags_1": DF_1_PIE},
            {"isa_needed": 0x8000},
            {"isa_needed": 0x8000, "property": True},
            {"cut": 64},
            {"cut": rng.choice([0, 3, 52, 63])},
            {"cut": 100},
            {"pad": 8192, "cut": 4096},
            {"pad": 8000, "bss": 64, "cut": 8192},
            {"ident": {7: 9}, "machine": EM_AARCH64},
        ]

    def put_file(self, relative: str) -> None:
        """Something under this name: mostly a library."""
        rng = self.rng
        if relative in self.files:
            return
        others, kind = list(self.files), rng.randrange(100)
        if kind < (80 if self.dense else 68) or not others:
            what = "library"
            self.put(relative, self.library())
        elif kind < (83 if self.dense else 78):
            what = "bad"
            self.bad_file(relative)
        elif kind < 86:
            what = "link"
            self.call("symlink", relative, f"{self.top}/{rng.choice(others)}")
        elif kind < 89:
            what = "link"
            target = posixpath.relpath(rng.choice(others), posixpath.dirname(relative))
            self.call("symlink", relative, target)
        elif kind < 93:
            other = rng.choice(others)
            if self.files[other] in ("folder", "link"):
                return
            what = self.files[other]
            self.call("hardlink", relative, other)
        elif kind < 98:
            what = "link"
            self.call("symlink", relative, self.odd_target(kind, relative))
        else:
            what = "folder"
            self.call("folder", relative)
        self.files[relative] = what
        self.add_folder(posixpath.dirname(relative))

    def odd_target(self, kind: int, relative: str) -> str:
        if kind < 95:
            return "nowhere"
        return posixpath.basename(relative) if kind < 97 else f"{self.top}/plain/x"

    def add_folder(self, name: str) -> None:
        while name:
            self.there.add(name)
            name = posixpath.dirname(name)

    def tree(self) -> None:
        for folder in self.folders:
            if self.chance(0.93):
                self.call("folder", folder)
                self.add_folder(folder)
        self.call("write", "plain", b"plain")
        self.call("symlink", "loop", "loop")
        self.call("symlink", "link", self.rng.choice(self.folders))
        for _ in range(self.rng.randint(12, 36) if self.dense else self.rng.randint(4, 16)):
            folder = self.rng.choice(self.folders)
            if self.chance(0.08):
                folder += "/" + self.rng.choice(SUBFOLDERS)
            if folder.split("/")[0] in self.there:
                self.put_file(f"{folder}/{self.rng.choice(NAMES)}")

    def request(self, callers: list[str]) -> str:
        rng = self.rng
        prefix = ""
        if self.chance(0.4 if self.many_variables else 0.15):
            prefix += "global:"
        if self.chance(0.15):
            prefix += "lazy:"
        if self.chance(0.4 if self.many_variables else 0.08):
            prefix += "deep:"
        if self.chance(0.06):
            prefix += "noload:"
        if callers and self.chance(0.3):
            prefix += f"by={rng.choice(callers)}:"
        kind = rng.randrange(10)
        if kind < 5 and self.files:
            return prefix + f"{self.top}/{rng.choice(list(self.files))}"
        if kind < 8:
            return prefix + rng.choice(NAMES)
        if kind < 9:
            return prefix + self.slashed()
        return prefix + rng.choice([n for n in SYSTEM if n] + ["linux-vdso.so.1"])

    def add_callers(self) -> list[str]:
        if not self.chance(0.25):
            return []
        rpath = self.path() if self.chance(0.6) else None
        runpath = self.path() if rpath is None and self.chance(0.7) else None
        self.call("caller", "caller.so", rpath=rpath, runpath=runpath)
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
        if self.chance(0.3 if self.many_variables else 0.05):
            variables["LD_DYNAMIC_WEAK"] = self.rng.choice(["", "1"])
        if self.chance(0.1):
            size = self.rng.choice([0, 100, 512, 2000])
            variables["GLIBC_TUNABLES"] = f"glibc.rtld.optional_static_tls={size}"
        return variables

    def program(self) -> str | None:
        """Links it; gives the name it is started by when that is another."""
        rng, fields = self.rng, dict[str, Any]()
        kind = rng.randrange(6)
        if kind == 0:
            fields["runpath"] = self.path()
        elif kind in (1, 2):
            fields["rpath"] = self.path()
        if self.chance(0.15):
            fields["needed"] = [self.need() for _ in range(rng.randint(1, 2))]
        self.call("link", "bin/prog", **fields)
        if not self.chance(0.2):
            return None
        self.call("symlink", "prog-link", "bin/prog")
        return "prog-link"

    def scenario(self) -> Scenario:
        rng = self.rng
        self.tree()
        program = self.program()
        if self.as_root:
            self.configure()
        callers = self.add_callers()
        requests = [*callers, *[self.request(callers) for _ in range(rng.randint(1, 5))]]
        return Scenario(
            as_root=self.as_root,
            calls=self.calls,
            program=program,
            requests=requests,
            variables=self.variables(),
            cwd=rng.choice([".", *[f for f in self.folders if f in self.there]]),
        )

    def configure(self) -> None:
        """A cache, then changes that it does not know; a preload file."""
        rng = self.rng
        if self.chance(0.8):
            folders = rng.sample(["/usr/local/lib", "/opt/lib", "/d1"], rng.randint(1, 3))
            self.call("write", "etc/ld.so.conf", "".join(f"{f}\n" for f in folders).encode())
            self.call("ldconfig")
        for _ in range(rng.randint(0, 3)):
            if self.files and self.chance(0.5):
                gone = rng.choice(list(self.files))
                if self.files[gone] != "folder":
                    self.call("remove", gone)
                    del self.files[gone]
            else:
                self.put_file(f"{rng.choice(self.folders)}/{rng.choice(NAMES)}")
        if self.chance(0.15):
            words = [self.need() for _ in range(rng.randint(1, 3))]
            text = rng.choice(["", "# words\n", "#x" * 30 + "\n"])
            text += rng.choice([" ", ":", "\n"]).join(words).replace("$D", "")
            text += rng.choice(["", "\n", " # end\n"])
            self.call("write", "etc/ld.so.preload", text.encode())
