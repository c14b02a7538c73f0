"""Two packages that ship the same paths: nvidia-nvshmem-cu12 and -cu13, both 3.4.5.

The judge is sha256 of the bytes on disk against both RECORDs, and RECORD rows that do not exist.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.answers import Whyso, assert_quiet, findings, mend
from tests.real.environments import TOOLS, Tool, Workshop, create, install, uninstall
from tests.real.reality import record, sha256

CU12, CU13 = "nvidia-nvshmem-cu12", "nvidia-nvshmem-cu13"
ORDERS = ((CU12, CU13), (CU13, CU12))
VERSION = "3.4.5"
LIBRARIES = 12


@pytest.fixture(params=ORDERS, ids=["cu13-last", "cu12-last"])
def order(request: pytest.FixtureRequest) -> tuple[str, str]:
    pair: tuple[str, str] = request.param
    return pair


@pytest.fixture(params=TOOLS)
def tool(request: pytest.FixtureRequest) -> Tool:
    name: Tool = request.param
    return name


@pytest.fixture
def twins(workshop: Workshop, tool: Tool, order: tuple[str, str]) -> Iterator[Path]:
    """An environment with both, the second written over the first."""
    packages = [f"{name}=={VERSION}" for name in order]

    def make(env: Path) -> None:
        create(env, tool)
        for package in packages:
            install(env, tool, package, deps=False)

    with workshop.copy(workshop.template(f"twins-{tool}", [tool, *packages], make)) as env:
        yield env


def whose_bytes(env: Path) -> dict[str, str]:
    """Library (relative path) → the package whose recorded hash its bytes have."""
    recorded = {n: {r.path: r.sha256 for r in record(env, n) if r.is_library} for n in ORDERS[0]}
    assert recorded[CU12].keys() == recorded[CU13].keys()
    whose: dict[str, str] = {}
    for path in recorded[CU12]:
        on_disk = sha256(path)
        (owner,) = [name for name in recorded if recorded[name][path] == on_disk]
        whose[str(path.relative_to(env))] = owner
    assert len(whose) == LIBRARIES
    return whose


def test_whose_bytes_are_on_disk(ask: Whyso, twins: Path, order: tuple[str, str]) -> None:
    first, last = order
    whose = whose_bytes(twins)
    assert set(whose.values()) == {last}  # what installers do, not what whyso says
    report = ask.check(twins)
    assert (report["status"], report["verdict"]) == (0, "degraded")
    assert ask.check(twins, "--fail-on", "warning")["status"] == 1
    assert findings(report, "error") == []
    (found,) = findings(report, "warning")
    assert (found["rule"], found["package"]["name"]) == ("overwritten-file", first)
    assert found["package"]["version"] == VERSION
    assert {c["file"]: c["package"] for c in found["candidates"]} == whose
    for path, owner in whose.items():
        (sentence,) = [s for s in found["because"] if s.startswith(f"{path}:")]
        assert sentence.index(f"bytes of {owner}") < sentence.index(f"not those of {first}")
    (cause,) = report["causes"]
    assert (cause["rule"], cause["findings"]) == ("overwritten-file", [found["id"]])
    assert cause["severity"] == "warning" and cause["fix"]["avoid"]


def test_owner_of_each_library(ask: Whyso, twins: Path) -> None:
    whose = whose_bytes(twins)
    rows = {(n, str(r.path)): r for n in ORDERS[0] for r in record(twins, n)}
    report = ask.json("owner", twins, *whose)
    assert [p["path"] for p in report["paths"]] == list(whose)
    for entry in report["paths"]:
        path = str(twins / entry["path"])
        assert {o["package"] for o in entry["owners"]} == {CU12, CU13}
        for owner in entry["owners"]:
            row = rows[owner["package"], path]
            assert (owner["version"], owner["size"], owner["sha256"]) == (
                VERSION,
                row.size,
                row.sha256,
            )
            same = whose[entry["path"]] == owner["package"]
            assert owner["on_disk"] == ("same" if same else "differs")


def test_list_says_which_is_whole(ask: Whyso, twins: Path, order: tuple[str, str]) -> None:
    packages = {p["name"]: p for p in ask.json("list", twins)["packages"]}
    assert packages[order[0]]["state"] == "overwritten"
    assert packages[order[1]]["state"] == "whole"
    assert (packages[CU12]["generation"], packages[CU13]["generation"]) == ("cu12", "cu13")


def test_the_printed_fix_of_an_overwrite(ask: Whyso, twins: Path) -> None:
    assert len(mend(ask.text(twins), twins)) == 2
    assert_quiet(ask.check(twins))
    (kept,) = [p["name"] for p in ask.json("list", twins)["packages"]]
    rows = [r for r in record(twins, kept) if r.sha256]
    assert [r.path for r in rows if sha256(r.path) != r.sha256] == []


@pytest.mark.parametrize("removed", [0, 1], ids=["first-removed", "last-removed"])
def test_one_removed(
    ask: Whyso, twins: Path, tool: Tool, order: tuple[str, str], removed: int
) -> None:
    left = order[1 - removed]
    uninstall(twins, tool, order[removed])
    rows = record(twins, left)
    absent = [r for r in rows if not r.path.exists()]
    assert len([r for r in absent if r.is_library]) == LIBRARIES  # the crisis itself
    report = ask.check(twins)
    (found,) = report["findings"]
    assert (found["rule"], found["package"]["name"]) == ("gutted-package", left)
    assert found["counts"] == {
        "recorded": len(rows),
        "missing": len(absent),
        "libraries": LIBRARIES,
        "libraries_missing": LIBRARIES,
    }
    assert sorted(found["missing"]) == sorted(str(r.path.relative_to(twins)) for r in absent)
    (listed,) = ask.json("list", twins)["packages"]
    assert (listed["name"], listed["state"]) == (left, "gutted")
    # No import and no known dlopen needs it here, so it is a note, which -v shows with its fix.
    assert found["severity"] == "note"
    assert len(mend(ask.text(twins, "-v"), twins)) == 1
    assert_quiet(ask.check(twins))
    assert [r.path for r in record(twins, left) if r.sha256 and sha256(r.path) != r.sha256] == []
