"""whyso owner on this machine's own files: dpkg says whether it is right."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.conftest import Ask

INFO = Path("/var/lib/dpkg/info")
SAMPLE = 150
# Made by programs, not shipped by packages.
NOBODYS = ["/etc/ld.so.cache", "/etc/passwd", "/var/lib/dpkg/status"]

pytestmark = pytest.mark.skipif(
    not shutil.which("dpkg") or not any(INFO.glob("*.list")), reason="a machine of dpkg's"
)


def told(*argv: str) -> str:
    """What dpkg says; it ends with 1 where one of several questions has no answer."""
    return subprocess.run(argv, capture_output=True, text=True, env={"LC_ALL": "C"}).stdout


def sample() -> list[str]:
    """Of each database list a few files, spread over all; libraries and others."""
    files: set[str] = set()
    for listed in INFO.glob("*.list"):
        paths = [p for p in listed.read_text().splitlines() if p != "/."]
        libraries = [p for p in paths if ".so" in Path(p).name]
        files.update([*libraries[:3], *paths[-1:]])
    there = sorted(p for p in files if Path(p).is_file())
    return there[:: max(1, len(there) // SAMPLE)]


def owners_by_dpkg(paths: list[str]) -> dict[str, set[str]]:
    """Lines like `libc6:amd64, libc6:i386: /path`; those of diversions say whose a file is not."""
    found: dict[str, set[str]] = {path: set() for path in paths}
    for line in told("dpkg", "-S", *paths).splitlines():
        names, _, path = line.rpartition(": ")
        if path in found and not line.startswith(("diversion by ", "local diversion ")):
            found[path].update(name.partition(":")[0] for name in names.split(", "))
    return found


def owners_by_whyso(ask: Ask, env: Path, paths: list[str]) -> dict[str, list[dict[str, str]]]:
    answer = ask("owner", "-e", env, *paths, "--format", "json", cwd=Path("/"))
    assert answer.status == 0, answer.err
    said = json.loads(answer.out)["paths"]
    assert [item["path"] for item in said] == paths
    return {item["path"]: item["owners"] for item in said}


def test_owners_are_those_that_dpkg_names(ask: Ask, tiny: Path) -> None:
    paths = sample()
    assert len(paths) > 20
    said = owners_by_whyso(ask, tiny, paths)
    versions: dict[str, set[tuple[str, str]]] = {}
    for line in told("dpkg-query", "-W", "-f", "${Package}:${Version}:${Architecture}\\n").split():
        name, _, rest = line.partition(":")
        version, _, architecture = rest.rpartition(":")
        versions.setdefault(name, set()).add((version, architecture))
    for path, names in owners_by_dpkg(paths).items():
        owners = [o for o in said[path] if o["manager"] == "dpkg"]
        assert {o["package"] for o in owners} == names, path
        for o in owners:
            assert (o["version"], o["architecture"]) in versions[o["package"]], path
            assert o["on_disk"] == "unchecked", path


def test_a_file_is_found_under_both_names_of_its_folder(ask: Ask, tiny: Path) -> None:
    """A system whose /lib is a link to /usr/lib: packages list either."""
    if not Path("/lib").is_symlink():
        pytest.skip("/lib is a folder of its own")
    path = next(p for p in sample() if p.startswith(("/lib/", "/usr/lib/")))
    other = path.removeprefix("/usr") if path.startswith("/usr/") else f"/usr{path}"
    said = owners_by_whyso(ask, tiny, [path, other])
    assert said[path] and said[path] == said[other]


def test_what_no_package_ships_has_no_owner(ask: Ask, tiny: Path) -> None:
    paths = [path for path in NOBODYS if Path(path).exists() and not told("dpkg", "-S", path)]
    assert paths
    assert owners_by_whyso(ask, tiny, paths) == {path: [] for path in paths}
