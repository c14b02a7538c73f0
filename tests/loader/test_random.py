"""The simulated loader against the machine's own, on random trees.

LOADER_SEED fixes the first seed (printed when a case fails), LOADER_CASES and MUSL_CASES the number
of cases. A case that fails is shrunk before it is shown; `python -m tests.loader.campaign` runs
many.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.loader.judge import Drivers
from tests.loader.random_trees import Maker
from tests.loader.scenario import Scenario
from tests.loader.shrink import check, shrink

CASES = int(os.environ.get("LOADER_CASES", "300"))
MUSL_CASES = int(os.environ.get("MUSL_CASES", "125"))
BATCH = 25
FRESH = int(os.environ.get("LOADER_SEED", random.SystemRandom().randrange(10**9)))


@pytest.mark.parametrize("batch", range(max(1, CASES // BATCH)))
def test_random_trees_load_as_they_do_for_real(
    batch: int, tmp_path: Path, drivers: Drivers
) -> None:
    for i in range(BATCH):
        found = check(FRESH + batch * BATCH + i, tmp_path, drivers)
        assert found is None, found


@pytest.mark.parametrize("batch", range(max(1, CASES // BATCH // 4)))
def test_random_roots(batch: int, tmp_path: Path, drivers: Drivers) -> None:
    for i in range(BATCH):
        found = check(FRESH + batch * BATCH + i, tmp_path, drivers, as_root=True)
        assert found is None, found


@pytest.mark.parametrize("batch", range(max(1, MUSL_CASES // BATCH)))
def test_random_trees_of_musl(batch: int, tmp_path: Path, musl_drivers: Drivers) -> None:
    for i in range(BATCH):
        seed = FRESH + batch * BATCH + i
        found = check(seed, tmp_path, musl_drivers, as_root=i % 4 == 0)
        assert found is None, found


@pytest.mark.parametrize("seed", range(1, 26))
def test_the_same_trees_every_time(seed: int, tmp_path: Path, drivers: Drivers) -> None:
    found = check(seed, tmp_path, drivers)
    assert found is None, found


def test_a_mismatch_becomes_a_small_test() -> None:
    """The judge is replaced by one that finds fault wherever two of the parts meet."""

    def judge(s: Scenario) -> str | None:
        needers = [c for c in s.calls if "liba.so" in c.fields.get("needed", [])]
        return "differs" if needers and "LD_LIBRARY_PATH" in s.variables else None

    seeds = (s for s in range(1000) if judge(Maker(s).scenario()))
    small, _ = shrink(Maker(next(seeds)).scenario(), judge)
    assert [c.method for c in small.calls] == ["put"]
    assert small.calls[0].fields == {"needed": ["liba.so"]}
    assert (list(small.variables), small.requests, small.cwd) == (["LD_LIBRARY_PATH"], [], ".")
