"""A scenario as data: what is made in a lab, and what is then asked of both loaders. As data it can
be compared, made smaller and printed as a test."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.loader.judge import Answer, Drivers
from tests.loader.lab import Lab, make_root

NO_ANSWER = "no answer: "


@dataclass
class Call:
    """One method of `Lab` that makes something. $D in texts is the top folder."""

    method: str
    args: list[Any]
    fields: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        words = [show(a) for a in self.args]
        words += [f"{k}={show(v)}" for k, v in self.fields.items()]
        return f"{self.method}({', '.join(words)})"


@dataclass
class Scenario:
    as_root: bool = False  # the tree is the whole file system of the process
    calls: list[Call] = field(default_factory=list)
    program: str | None = None  # what is started; None: what was linked last
    requests: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)
    cwd: str = "."


def show(value: object) -> str:
    """Python text of a value; fields that are as by default are left out."""
    if isinstance(value, list):
        return f"[{', '.join(show(v) for v in value)}]"
    if isinstance(value, tuple):
        return f"({', '.join(show(v) for v in value)})"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        given = [f for f in dataclasses.fields(value) if getattr(value, f.name) != default_of(f)]
        words = [f"{f.name}={show(getattr(value, f.name))}" for f in given]
        return f"{type(value).__name__}({', '.join(words)})"
    return repr(value).replace("'", '"') if isinstance(value, str) else repr(value)


def default_of(f: dataclasses.Field[Any]) -> object:
    if f.default_factory is not dataclasses.MISSING:
        return f.default_factory()
    return f.default


def as_test(s: Scenario, name: str) -> str:
    """The scenario as a function for one of the test files here."""
    lab = "image" if s.as_root else "lab"
    lines = [f"def {name}({lab}: Lab) -> None:", *[f"    {lab}.{call}" for call in s.calls]]
    if s.program:
        lines.append(f"    {lab}.program = {lab}.path({show(s.program)})")
    words = [show(r) for r in s.requests]
    words += [f"cwd={show(s.cwd)}"] if s.cwd != "." else []
    words += [f"{k}={show(v)}" for k, v in s.variables.items()]
    return "\n".join([*lines, f"    {lab}.ask({', '.join(words)})"])


def make(s: Scenario, folder: Path, drivers: Drivers) -> Lab:
    lab = make_root(folder, drivers) if s.as_root else Lab(folder, drivers)
    for call in s.calls:
        getattr(lab, call.method)(*call.args, **call.fields)
    if s.program:
        lab.program = lab.path(s.program)
    return lab


def difference(real: Answer, simulated: Answer) -> str | None:
    """The first thing that is not the same, or None."""
    pairs = [(real.start, simulated.start), *zip(real.steps, simulated.steps, strict=False)]
    for one, other in pairs:
        if one != other:
            return f"real:      {one}\nsimulated: {other}"
    if len(real.steps) != len(simulated.steps):
        return f"real: {len(real.steps)} steps, simulated: {len(simulated.steps)}"
    if real.warnings != simulated.warnings:
        return f"real:      {real.warnings}\nsimulated: {simulated.warnings}"
    return None


def mismatch(s: Scenario, folder: Path, drivers: Drivers) -> str | None:
    """Makes the scenario in a new folder and asks both loaders: what differs, or None. What cannot
    be made raises an exception."""
    lab = make(s, folder, drivers)
    try:
        return difference(*lab.both(*s.requests, cwd=s.cwd, **s.variables))
    except AssertionError as e:  # one of the two ended as it never should
        return NO_ANSWER + str(e)
