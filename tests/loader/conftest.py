from __future__ import annotations

from pathlib import Path

import pytest

from tests.loader.judge import Drivers, probe_program
from tests.loader.lab import Lab, make_root


@pytest.fixture(scope="session")
def drivers(tmp_path_factory: pytest.TempPathFactory) -> Drivers:
    if not probe_program().is_file():
        pytest.fail(f"{probe_program()}: not built: set WHYSO_BUILD to the build folder")
    return Drivers(Path(tmp_path_factory.mktemp("drivers")))


@pytest.fixture
def lab(tmp_path: Path, drivers: Drivers) -> Lab:
    """A folder on this machine."""
    return Lab(tmp_path / "D", drivers)


@pytest.fixture
def image(tmp_path: Path, drivers: Drivers) -> Lab:
    """A private root."""
    return make_root(tmp_path / "R", drivers)
