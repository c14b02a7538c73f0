"""Fixtures of the tests on real wheels."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.answers import Whyso
from tests.real.environments import Workshop


@pytest.fixture(scope="session")
def ask(whyso: Path) -> Whyso:
    return Whyso(whyso)


@pytest.fixture(scope="session")
def workshop() -> Iterator[Workshop]:
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    shop = Workshop(Path(cache) / "whyso")
    yield shop
    shop.close()
