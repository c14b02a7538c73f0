"""The parser against CPython's own `ast`, over the whole standard library.

`WHYSO_SOURCES` names further folders, separated by `:`, whose files are compared as well.
"""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

import pytest

from tests.source.compare import report

FOLDERS = [sysconfig.get_path("stdlib"), *os.environ.get("WHYSO_SOURCES", "").split(":")]


@pytest.mark.parametrize("folder", filter(None, FOLDERS))
def test_same_tree_as_cpython(folder: str) -> None:
    compared, differ = report(Path(folder))
    assert compared > 100
    assert not differ, differ
