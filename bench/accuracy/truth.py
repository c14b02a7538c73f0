"""What really happens: a module imported in a fresh process, and the loader's own list of objects.

The list is taken by dl_iterate_phdr, which goes through it in load order. The ctypes that asks for
it would itself map objects, so what was not yet in /proc/self/maps before ctypes was imported is
left out. Nothing here asks whyso.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from dataclasses import asdict, dataclass, field
from pathlib import Path

from tests.real.reality import LOADER_SAYS, variables

PROBE = r"""
import sys
module = sys.argv.pop()
chain = []
try:
    if module:
        __import__(module)
except BaseException as error:
    e = error
    while e is not None:
        chain.append([type(e).__name__, str(e)])
        e = e.__cause__ or (None if e.__suppress_context__ else e.__context__)
import os
with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as f:
    mapped = {line.split(None, 5)[-1].rstrip("\n") for line in f}
import ctypes
class Info(ctypes.Structure):
    _fields_ = [("addr", ctypes.c_void_p), ("name", ctypes.c_char_p)]
names = []
@ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Info), ctypes.c_size_t, ctypes.c_void_p)
def add(info, size, data):
    names.append(os.fsdecode(info.contents.name or b""))
    return 0
ctypes.CDLL(None).dl_iterate_phdr(add, None)
real = [os.path.realpath(n) for n in names if n.startswith("/")]
import json
os.write(1, b"\n\1" + json.dumps([chain, [n for n in real if n in mapped]]).encode() + b"\n")
os._exit(0)
"""

SEEDS = ("0", "1")
MOST_SECONDS = 300


@dataclass
class Truth:
    outcome: str  # ok, exception, died, timeout
    chain: list[list[str]] = field(default_factory=list)  # [type, text], outermost first
    objects: list[str] = field(default_factory=list)  # real paths, in load order

    @property
    def by_loader(self) -> bool:
        return any(says in text for _, text in self.chain for says in LOADER_SAYS)


def _probe(env: Path, module: str, seed: str) -> Truth:
    try:
        done = subprocess.run(
            [env / "bin" / "python", "-c", PROBE, module],
            cwd="/",
            env=variables(PYTHONHASHSEED=seed),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=MOST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Truth("timeout")
    _, mark, line = done.stdout.rpartition(b"\n\1")
    if not mark:
        return Truth("died")
    chain, objects = json.loads(line)
    return Truth("exception" if chain else "ok", chain, objects)


def _bare(env: Path) -> set[str]:
    return set(_probe(env, "", SEEDS[0]).objects)


class Truths:
    """Real imports of one environment, kept beside it: they do not change while it stays."""

    def __init__(self, env: Path) -> None:
        self.env = env
        digest = hashlib.sha256((PROBE + repr(SEEDS)).encode()).hexdigest()[:10]
        self.file = env / f"truth-{digest}.json"
        self.known: dict[str, list[Truth]] = {}
        if self.file.exists():
            kept = json.loads(self.file.read_text())
            self.known = {m: [Truth(**t) for t in runs] for m, runs in kept.items()}
        self.bare = _bare(env)

    def of(self, module: str) -> list[Truth]:
        """One run for each seed, without the objects of a bare interpreter."""
        if module not in self.known:
            self.known[module] = [_probe(self.env, module, seed) for seed in SEEDS]
        return [
            Truth(t.outcome, t.chain, [o for o in t.objects if o not in self.bare])
            for t in self.known[module]
        ]

    def keep(self) -> None:
        text = json.dumps({m: [asdict(t) for t in runs] for m, runs in sorted(self.known.items())})
        part = self.file.with_suffix(f".{os.getpid()}")
        part.write_text(text)
        part.replace(self.file)
