"""The language of a .case file: sections with a head in brackets, each line a statement or text.

    # One sentence: what the environment is, what must be said about it.
    [tree]                     how the environment is built, see builder.py
    [env]                      VARIABLE=value, for every command below
    [python] import torch      the real interpreter of the last venv runs this; the body is what it
                               says in the end: the last line of the traceback, or ok
    [load] a/libx.so           the real loader opens it (ctypes); the body is its text, or ok
    [exec] PROGRAM             the program is really started; the last line of its stderr, or ok
    [run]                      one command; `whyso` is the program under test, `< FILE` its input
    [exit] [stdout] [stderr]   what it must give, word for word; --update rewrites these three only
    [says] [never says]        one line each that must (not) occur; written by hand, never rewritten
    [json]                     one Python expression a line over the keys of the JSON on stdout

Lines that start with # before the first section are the title. $T is the folder of the case, $PYLIB
is lib/python3.X, $SUFFIX what an extension module's name ends in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

HEAD = re.compile(
    r"^\[(tree|env|python|load|exec|run|exit|stdout|stderr|says|never says|json)\]\s*(.*)$"
)
REWRITTEN = {"exit", "stdout", "stderr"}


@dataclass
class Section:
    kind: str
    argument: str
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip("\n")

    @property
    def statements(self) -> list[str]:
        """The lines that are neither empty nor a comment."""
        return [line for line in self.lines if line.strip() and not line.startswith("#")]


@dataclass
class Case:
    path: Path
    title: list[str]
    sections: list[Section]


def read(path: Path) -> Case:
    title: list[str] = []
    sections: list[Section] = []
    for line in path.read_text().splitlines():
        head = HEAD.match(line)
        if head:
            sections.append(Section(head[1], head[2].strip()))
        elif sections:
            sections[-1].lines.append(line)
        else:
            title.append(line)
    assert sections, f"{path}: no section"
    return Case(path, title, sections)


def write(case: Case) -> None:
    """Puts the sections back: what --update changed, and all else as it was."""
    parts = ["\n".join(case.title).rstrip("\n")]
    for section in case.sections:
        head = f"[{section.kind}] {section.argument}".rstrip()
        parts.append(f"{head}\n{section.text}".rstrip("\n"))
    case.path.write_text("\n\n".join(parts) + "\n")


def with_expectations(sections: list[Section]) -> list[Section]:
    """Each [run] with an [exit] and, if it prints text for people, a [stdout] after it: the places
    where --update writes. JSON is judged by [json]."""
    ret: list[Section] = []
    for at, section in enumerate(sections):
        ret.append(section)
        if section.kind != "run":
            continue
        wanted = ["exit"] if "json" in section.text else ["exit", "stdout"]
        follow = []
        for other in sections[at + 1 :]:
            if other.kind in {"run", "python", "load", "exec", "tree"}:
                break
            follow.append(other.kind)
        ret += [Section(kind, "") for kind in wanted if kind not in follow]
    return ret
