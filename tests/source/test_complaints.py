"""What the parser says that CPython says of a file that was cut short, beside CPython."""

from __future__ import annotations

import ast
import random
import re
import sys
import sysconfig
import warnings
from pathlib import Path

import pytest

from tests.source.compare import probed, sources

TOKENIZER = re.compile(r": ('.' was never closed|unterminated |unmatched |.* does not match)")


def complaint(path: Path) -> str:
    """Line and text, "" when there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(path.read_bytes())
    except SyntaxError as e:
        return f"{e.lineno} {type(e).__name__}: {e.msg}"
    return ""


def ours(output: bytes) -> str:
    said = re.search(r"^SAID (.*)$", output.decode(errors="replace"), flags=re.MULTILINE)
    return said.group(1) if said else ""


def compare(paths: list[Path]) -> int:
    """How many complaints of the tokenizer there were, each the same."""
    wrong, same = [], 0
    for path, output in zip(paths, probed(paths), strict=True):
        want, got = complaint(path), ours(output)
        if got != want and (got or TOKENIZER.search(want)):
            wrong.append(f"{path.name}: CPython {want!r}, here {got!r}")
        same += bool(got)
    assert not wrong, "\n".join(wrong[:20])
    return same


@pytest.mark.skipif(sys.version_info < (3, 10), reason="the messages are those of 3.10 and later")
def test_files_cut_short(tmp_path: Path) -> None:
    lots = random.Random(1)
    paths = []
    for i, source in enumerate(sources(Path(sysconfig.get_path("stdlib")))[::5]):
        data = source.read_bytes()
        if not data.isascii() or len(data) < 100:
            continue
        path = tmp_path / f"{i}_{source.name}"
        path.write_bytes(data[: lots.randrange(50, len(data))])
        paths.append(path)
    assert compare(paths) > 50


@pytest.mark.parametrize(
    "text",
    [
        "if x:\n",
        "if x",
        "def f(a) -> b:\n    ",
        "def f",
        "async def f():\n    async with a:\n",
        "class A:\n    def f(self):\n        try:\n            pass\n        ",
        "x = 1 if y",
        "from a",
        "for x",
        "import a.",
        "x = (lambda:",
        "f(",
        "f(]",
        "f(\n]",
        "f)",
        "x = [(1, 2\n",
        "'a",
        "'a\n",
        "x = 'a\\\nb",
        'f"a',
        "rb'''a\n\n",
        "(']",
    ],
)
def test_small_ones(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.py"
    path.write_text(text)
    assert compare([path]) == 1
