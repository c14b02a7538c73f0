"""Random trees for the loader of musl: what it does differently meets more often here."""

from __future__ import annotations

from tests.loader.elfwriter import (
    EM_386,
    EM_AARCH64,
    ET_EXEC,
    ET_REL,
    R_GLOB_DAT,
    R_TLSDESC,
    R_TPOFF64,
    Elf,
    Sym,
)
from tests.loader.random_trees import NAMES, Maker

OWN = [
    "libc.so",
    "libc.so.6",
    "libc.musl-x86_64.so.1",
    "libm.so.6",
    "libpthread.so.0",
    "libdl.so/x",
    "libmm.so",
    "ld-musl-x86_64.so.1",
    "/lib/ld-musl-x86_64.so.1",
]
ODD = ["", "linux-gate.so.1", "ld-linux-x86-64.so.2", ".", ".."]
LONG = "x" * 256  # no file system takes it
PATH_FILE = "etc/ld-musl-x86_64.path"


class MuslMaker(Maker):
    def element(self) -> str:
        rng = self.rng
        element = super().element()
        kind = rng.randrange(100)
        if kind < 2:
            return f"{self.top}/{'./' * rng.choice([200, 240, 260])}{rng.choice(self.folders)}"
        if kind < 4:
            return rng.choice(["$ORIGIN/$LIB", "$", "${ORIGIN", "$ORIGIN/../d1$ORIGIN", "/"])
        if "$" in element and not element.startswith(("$ORIGIN", "${ORIGIN}", "$D")):
            return self.top if kind < 80 else element  # one of these spoils the whole list
        return element

    def path(self, most: int = 5) -> str:
        text = super().path(most)
        return text.replace(":", "\n", self.rng.randint(1, 3)) if self.chance(0.15) else text

    def need(self) -> str:
        rng = self.rng
        if self.chance(0.05):
            return rng.choice(OWN)
        if self.chance(0.02):
            return rng.choice(ODD)
        if self.chance(0.02 if self.dense else 0.08):
            return self.slashed()
        return rng.choice(NAMES)

    def reference(self, name: str, versions: list[str]) -> Sym:
        s = super().reference(name, versions)
        if self.chance(0.2):
            s.relocs.append(R_GLOB_DAT)
        s.relocs = [37 if kind in (42, 0x123) else kind for kind in s.relocs]
        return s

    def library(self) -> Elf:
        elf = super().library()
        if self.chance(0.02):
            elf.needed.append(LONG)
        if elf.runpath is None and elf.rpath is None and self.chance(0.3):
            elf.runpath = self.path()
        if elf.tls and self.chance(0.6):  # at a fixed place it cannot be opened at all
            for s in elf.symbols:
                s.relocs = [R_TLSDESC if kind == R_TPOFF64 else kind for kind in s.relocs]
        return elf

    def damages(self) -> list[dict[str, object]]:
        rng = self.rng
        return [
            {"bits": 32},
            {"bits": 32, "machine": EM_386},
            {"machine": EM_AARCH64},
            {"machine": EM_AARCH64, "ident": {5: 2}},
            {"little": False},
            {"ident": {0: 0}},
            {"ident": {4: rng.choice([0, 1, 9])}},
            {"ident": {5: rng.choice([0, 2])}},
            {"ident": {6: 2, 7: 127, 8: 5, 12: 1}},
            {"version": 2},
            {"type": ET_REL},
            {"type": ET_EXEC},
            {"dynamic": False},
            {"cut": rng.choice([0, 3, 52, 63, 64, 100])},
            {"pad": 8192, "cut": 4096},
            {"pad": 8000, "bss": 64, "cut": 8192},
            {"hashes": ""},
        ]

    def request(self, callers: list[str]) -> str:
        rng = self.rng
        request = super().request(callers)
        if self.dense and self.files and self.chance(0.3):
            return f"{self.top}/{rng.choice(list(self.files))}"
        if self.chance(0.1):
            return rng.choice([*OWN, *[n for n in ODD if n], LONG])
        return request

    def variables(self) -> dict[str, str]:
        variables = super().variables()
        if self.dense and self.chance(0.7):
            folders = self.rng.sample(self.folders, len(self.folders))
            variables["LD_LIBRARY_PATH"] = ":".join(f"{self.top}/{f}" for f in folders)
        for name in ("GLIBC_TUNABLES", "LD_DYNAMIC_WEAK"):
            variables.pop(name, None)
        if "LD_PRELOAD" in variables and self.chance(0.3):
            variables["LD_PRELOAD"] = variables["LD_PRELOAD"].replace(" ", "\t\n") + ": "
        return variables

    def configure(self) -> None:
        """The file that replaces the built-in folders."""
        rng = self.rng
        kind = rng.randrange(20)
        if kind == 0:
            self.call("folder", PATH_FILE)
        elif kind == 1:
            self.call("write", PATH_FILE, b"")
        elif kind < 10:
            folders = [f"/{f}" for f in rng.sample(self.folders, rng.randint(1, 3))]
            text = rng.choice(["\n", ":", "\n\n"]).join(folders) + rng.choice(["", "\n", "\0/d1"])
            self.call("write", PATH_FILE, text.encode())
