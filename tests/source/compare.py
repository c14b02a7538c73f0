"""Both trees of many files, one beside the other.

    WHYSO_BUILD=… python3.13 -m tests.source.compare FOLDER…

compares with that Python's own parser, from 3.11 on, and needs nothing but Python.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tokenize
import unicodedata
import warnings
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path

from tests.source.cpython import Printer


def expected(path: Path) -> list[str] | None:
    """None: not Python of this version, or not UTF-8 (whose text astprobe passes on as it is)."""
    data = path.read_bytes()
    try:
        with path.open("rb") as f:
            encoding, _ = tokenize.detect_encoding(f.readline)
        if encoding not in ("utf-8", "utf-8-sig"):
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(data)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    sys.setrecursionlimit(20_000)
    p = Printer(data.decode("utf-8-sig"))
    p.body(tree.body)
    return p.out


def comparable(lines: Sequence[str]) -> list[str]:
    """CPython's names are NFKC (PEP 3131); the order of names in a pattern is the walk's."""
    out = []
    for line in lines:
        if not line.isascii():
            line = unicodedata.normalize("NFKC", line)
        head, binds, rest = line.partition(" (binds ")
        if binds:
            names, _, rest = rest.partition(")")
            line = f"{head}{binds}{' '.join(sorted(names.split()))}){rest}"
        out.append(line)
    return out


def probe_program() -> Path:
    default = Path(__file__).parents[2] / "build" / "dev"
    return Path(os.environ.get("WHYSO_BUILD", default)) / "tests/source/astprobe"


def probed(paths: Sequence[Path]) -> Iterator[bytes]:
    command = [str(probe_program()), str(sys.version_info.minor), *map(str, paths)]
    done = subprocess.run(command, capture_output=True, check=True)
    files = re.split(rb"^FILE .*\n", done.stdout, flags=re.MULTILINE)[1:]
    assert len(files) == len(paths)
    yield from files


def first_difference(want: Sequence[str], got: Sequence[str]) -> str:
    for a, b in zip_longest(want, got, fillvalue="(end)"):
        if a != b:
            at = max(0, len(os.path.commonprefix([a, b])) - 60)
            return f"\n  CPython  {a[at : at + 160]}\n  astprobe {b[at : at + 160]}"
    return ""


def differences(paths: Sequence[Path]) -> tuple[int, list[str]]:
    wrong: list[str] = []
    compared = 0
    for i in range(0, len(paths), 100):
        some = paths[i : i + 100]
        for path, output in zip(some, probed(some), strict=True):
            want = expected(path)
            if want is None:
                continue
            compared += 1
            got = output.decode("utf-8", "surrogatepass").split("\n")[:-1]
            differ = first_difference(comparable(want), comparable(got))
            if differ:
                wrong.append(f"{path}{differ}")
    return compared, wrong


def sources(folder: Path) -> list[Path]:
    return sorted(p for p in folder.rglob("*.py") if p.is_file())


def report(folder: Path) -> tuple[int, str]:
    """The number of files compared, and what differs."""
    compared, wrong = differences(sources(folder))
    text = f"{folder}: {len(wrong)} of {compared} files differ"
    return compared, "\n".join([text, *wrong[:20]]) if wrong else ""


if __name__ == "__main__":
    for name in sys.argv[1:]:
        count, said = report(Path(name))
        print(said or f"{name}: {count} files agree")
