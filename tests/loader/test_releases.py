"""The simulated loader against the loaders of other glibc releases (docs/loader.md A14).

LOADER_SEED fixes the first seed, RELEASE_CASES the number of random roots for each release.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from tests.loader.judge import Drivers
from tests.loader.shrink import check

CASES = int(os.environ.get("RELEASE_CASES", "50"))
BATCH = 25
FRESH = int(os.environ.get("LOADER_SEED", random.SystemRandom().randrange(10**9)))


@pytest.mark.parametrize("batch", range(max(1, CASES // BATCH)))
def test_random_roots(batch: int, tmp_path: Path, release_drivers: Drivers) -> None:
    for i in range(BATCH):
        found = check(FRESH + batch * BATCH + i, tmp_path, release_drivers, as_root=True)
        assert found is None, found
