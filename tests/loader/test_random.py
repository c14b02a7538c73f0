"""The simulated loader against the machine's own, on random trees.

LOADER_SEED fixes the first seed (printed when a case fails), LOADER_CASES the number of cases.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.loader.judge import Answer, Drivers, ask_real, ask_simulated
from tests.loader.random_trees import Maker, Scenario

CASES = int(os.environ.get("LOADER_CASES", "300"))
BATCH = 25
FRESH = int(os.environ.get("LOADER_SEED", random.SystemRandom().randrange(10**9)))


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


def describe(seed: int, s: Scenario) -> str:
    lines = [f"seed {seed}, in {s.cwd}, variables {s.variables}", *s.notes, *s.requests]
    return "\n".join(lines)


def check(seed: int, folder: Path, drivers: Drivers, as_root: bool = False) -> str | None:
    """Runs one scenario; what differs, with all that is needed to see why."""
    try:
        s = Maker(seed, folder, drivers, as_root).scenario()
        real = ask_real(s.program, s.requests, s.variables, s.cwd, s.root)
        simulated, _ = ask_simulated(s.program, s.requests, s.variables, s.cwd, s.root)
        found = difference(real, simulated)
        return f"{describe(seed, s)}\n{found}" if found else None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    shutil.rmtree(tmp_path, ignore_errors=True)


@pytest.mark.parametrize("batch", range(max(1, CASES // BATCH)))
def test_random_trees_load_as_they_do_for_real(batch: int, place: Path, drivers: Drivers) -> None:
    for i in range(BATCH):
        seed = FRESH + batch * BATCH + i
        found = check(seed, place / "t", drivers)
        assert found is None, found


@pytest.mark.parametrize("batch", range(max(1, CASES // BATCH // 4)))
def test_random_roots(batch: int, place: Path, drivers: Drivers) -> None:
    for i in range(BATCH):
        found = check(FRESH + batch * BATCH + i, place / "t", drivers, as_root=True)
        assert found is None, found


@pytest.mark.parametrize("seed", range(1, 26))
def test_the_same_trees_every_time(seed: int, place: Path, drivers: Drivers) -> None:
    found = check(seed, place / "t", drivers)
    assert found is None, found
