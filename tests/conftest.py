"""Shared by all black-box tests: where the program is, and which tests are asked for.

WHYSO names the program under test; by default it is the one that `./dev test` builds.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="also run the tests marked full")
    parser.addoption(
        "--update", action="store_true", help="rewrite the expectations of tests/cases"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--full"):
        return
    left_out = [item for item in items if item.get_closest_marker("full")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("full")]


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the working tree."""
    return ROOT


@pytest.fixture(scope="session")
def whyso() -> Path:
    """The program under test."""
    default = ROOT / "build" / "dev" / "src" / "cli" / "whyso"
    program = Path(os.environ.get("WHYSO", default))
    if not program.is_file():
        pytest.fail(f"{program}: no such program: build it first (./dev test does), or set WHYSO")
    return program.resolve()
