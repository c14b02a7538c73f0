from __future__ import annotations

from pathlib import Path

import pytest

from tests.loader.judge import Drivers, probe_program


@pytest.fixture(scope="session")
def drivers(tmp_path_factory: pytest.TempPathFactory) -> Drivers:
    if not probe_program().is_file():
        pytest.fail(f"{probe_program()}: not built: set WHYSO_BUILD to the build folder")
    return Drivers(Path(tmp_path_factory.mktemp("drivers")))
