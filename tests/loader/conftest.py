from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.loader.judge import Drivers, probe_program
from tests.loader.lab import Lab, make_root
from tests.loader.releases import NEWEST, SUITES, Release, Unavailable, release_of


@pytest.fixture(scope="session")
def drivers(tmp_path_factory: pytest.TempPathFactory) -> Drivers:
    if not probe_program().is_file():
        pytest.fail(f"{probe_program()}: not built: set WHYSO_BUILD to the build folder")
    return Drivers(Path(tmp_path_factory.mktemp("drivers")))


@pytest.fixture(scope="session")
def musl_drivers(tmp_path_factory: pytest.TempPathFactory) -> Drivers:
    return Drivers(Path(tmp_path_factory.mktemp("drivers")), libc="musl")


@pytest.fixture
def lab(tmp_path: Path, drivers: Drivers) -> Lab:
    """A folder on this machine."""
    return Lab(tmp_path / "D", drivers)


@pytest.fixture
def image(tmp_path: Path, drivers: Drivers) -> Lab:
    """A private root."""
    return make_root(tmp_path / "R", drivers)


@pytest.fixture
def noexec(lab: Lab) -> Iterator[Path]:
    """A folder of the lab that lies on a mount where nothing may be mapped as code."""
    folder = lab.top / "noexec"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "noexec,size=1m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True).returncode != 0:
        pytest.skip("this user may not mount")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture(scope="session", params=SUITES)
def release(request: pytest.FixtureRequest) -> Release:
    """The C library of another suite."""
    try:
        found = release_of(request.param)
    except Unavailable as e:
        pytest.skip(f"{request.param}: {e}")
    if found.minor > NEWEST:
        pytest.skip(f"{request.param} has 2.{found.minor}: docs/loader.md A14 ends at 2.{NEWEST}")
    return found


@pytest.fixture(scope="session")
def release_drivers(release: Release, tmp_path_factory: pytest.TempPathFactory) -> Drivers:
    return Drivers(Path(tmp_path_factory.mktemp("drivers")), release)


@pytest.fixture
def other(tmp_path: Path, release_drivers: Drivers) -> Lab:
    """A private root with the C library of another release."""
    return make_root(tmp_path / "R", release_drivers)
