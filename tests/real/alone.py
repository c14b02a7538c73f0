"""Every library of an environment opened alone: once really, once by `whyso load --after MODULE`.

    python -m tests.real.alone ENV [--after MODULE] [--own NAME...] [--ldd]

prints where they differ, and counts. The real process is the environment's own python, which
imports MODULE (ctypes) and nothing else; for each library it forks, so each is opened in a process
of its own that is the same every time.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import stat
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Container, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.real.answers import Whyso
from tests.real.reality import variables

ABORTED = 127  # status of a process that the loader itself ends
# Only what is built in is used beside ctypes: each other extension module would be in memory too.
OPEN = """
import ctypes, posix, sys

class Info(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("name", ctypes.c_char_p), ("headers", ctypes.c_void_p)]

VISIT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Info), ctypes.c_size_t, ctypes.c_void_p)
walk = ctypes.CDLL(None).dl_iterate_phdr

def objects():
    seen = []
    def visit(info, size, data):
        seen.append((info.contents.headers, info.contents.name.decode("utf-8", "surrogateescape")))
        return 0
    walk(VISIT(visit), None)
    return seen

def attempt(library):
    before = {headers for headers, name in objects()}
    try:
        ctypes.CDLL(library, mode=posix.RTLD_NOW)
    except OSError as error:
        return "error", str(error), []
    return "ok", None, [name for headers, name in objects() if headers not in before]

module, requests, answers, stderr = sys.argv[1:]
__import__(module)
for library in open(requests, errors="surrogateescape").read().split("\\0")[:-1]:
    child = posix.fork()
    if child == 0:
        null = posix.open("/dev/null", posix.O_RDWR)
        posix.dup2(null, 0)
        posix.dup2(null, 1)
        posix.dup2(posix.open(stderr, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC), 2)
        with open(answers, "a") as out:
            out.write(ascii((library, *attempt(library))) + "\\n")
            out.flush()
            posix._exit(0)
    _, status = posix.waitpid(child, 0)
    if status:
        said = open(stderr, errors="surrogateescape").read().rstrip("\\n")
        with open(answers, "a") as out:
            out.write(ascii((library, posix.waitstatus_to_exitcode(status), said, [])) + "\\n")
"""


class Opened(NamedTuple):
    outcome: str  # ok, error, abort, crash; exit: its own code ends the process
    message: str | None
    mapped: list[str]


def is_elf(path: Path) -> bool:
    if not stat.S_ISREG(path.lstat().st_mode):
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def libraries(env: Path) -> list[Path]:
    """Every ELF file below `lib`, programs too: the loader has its words for these."""
    found = (Path(d) / f for d, _, files in os.walk(env / "lib") for f in files)
    return sorted(path for path in found if is_elf(path))


def _ended(status: str | int, message: str, mapped: list[str]) -> Opened:
    if isinstance(status, str):
        return Opened(status, message, mapped)
    if status < 0:
        return Opened("crash", None, [])
    last = message.rpartition("\n")[2]
    return Opened("abort" if status == ABORTED else "exit", last, [])


def really(env: Path, paths: Sequence[Path], after: str) -> dict[Path, Opened]:
    """What the machine's own loader does with each."""
    with tempfile.TemporaryDirectory() as folder:
        requests, answers = Path(folder, "requests"), Path(folder, "answers")
        requests.write_text("".join(f"{p}\0" for p in paths), errors="surrogateescape")
        command: list[str | Path] = [
            env / "bin" / "python",
            "-c",
            OPEN,
            after,
            requests,
            answers,
            Path(folder, "stderr"),
        ]
        done = subprocess.run(
            command,
            cwd="/",
            env=variables(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        rows = [ast.literal_eval(line) for line in answers.read_text().splitlines()]
    assert [row[0] for row in rows] == [str(p) for p in paths]
    return {Path(path): _ended(*row) for path, *row in rows}


def simulated(ask: Whyso, env: Path, path: Path, after: str) -> tuple[Opened, int]:
    """Also how many libraries, versions and symbols it is said to lack, all together."""
    report = ask.json("load", env, "--after", after, path)
    assert report["after"]["outcome"] == "ok", report["after"]
    (step,) = report["steps"]
    mapped = [m["name"] for m in step["mapped"]]
    return Opened(step["outcome"], step["message"], mapped), len(step["problems"])


def difference(path: Path, ours: Opened, real: Opened, own: Container[str]) -> str | None:
    """None when both agree: outcome, text, and every object in the order it is mapped.

    `own`: file names that libraries open by their own code while they are initialised, which is
    after all that the loader does for them.
    """
    if ours[:2] != real[:2]:
        return f"{path}: {real.outcome} {real.message}\n    whyso: {ours.outcome} {ours.message}"
    n = len(ours.mapped)
    if ours.mapped != real.mapped[:n] or any(Path(m).name not in own for m in real.mapped[n:]):
        return f"{path}: maps {real.mapped}\n    whyso: {ours.mapped}"
    return None


class Verdict(NamedTuple):
    outcomes: Counter[str]  # what really happened
    differences: list[str]
    lacks: int  # lines of `load` that call something missing


def judge(ask: Whyso, env: Path, after: str = "ctypes", own: Container[str] = ()) -> Verdict:
    """`after` must import ctypes, or be it."""
    paths = libraries(env)
    real = really(env, paths, after)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        said = dict(
            zip(paths, pool.map(lambda p: simulated(ask, env, p, after), paths), strict=True)
        )
    found = [difference(p, said[p][0], real[p], own) for p in paths]
    return Verdict(
        Counter(r.outcome for r in real.values()),
        [d for d in found if d],
        sum(lacks for _, lacks in said.values()),
    )


def undefined_by_ldd(env: Path) -> int:
    """The lines of `ldd -r` that call a symbol undefined or a library not found. It starts no
    program: nobody provides what the interpreter and earlier imports do."""
    lines = 0
    for path in libraries(env):
        done = subprocess.run(
            ["ldd", "-r", path],
            cwd="/",
            env=variables(),
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
        said = (done.stdout + done.stderr).splitlines()
        lines += sum("undefined symbol" in s or "not found" in s for s in said)
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("env", type=Path)
    parser.add_argument("--after", default="ctypes", help="what is imported first")
    parser.add_argument("--own", nargs="*", default=(), help="what initialisers open by themselves")
    parser.add_argument("--ldd", action="store_true", help="also count what ldd -r says")
    args = parser.parse_args()
    verdict = judge(Whyso(Path(os.environ["WHYSO"])), args.env.absolute(), args.after, args.own)
    for text in verdict.differences:
        print(text)
    counts = dict(verdict.outcomes) | {"lines of load": verdict.lacks}
    if args.ldd:
        counts["lines of ldd -r"] = undefined_by_ldd(args.env.absolute())
    counts["differences"] = len(verdict.differences)
    print(json.dumps(counts))
    return 1 if verdict.differences else 0


if __name__ == "__main__":
    sys.exit(main())
