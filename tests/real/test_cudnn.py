"""cuDNN of the other generation over that of a real CUDA 12 torch: all of it, half of it, one part.

The import works, and nobody says anything until the first convolution. Gigabytes: only with --full.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.answers import (
    Json,
    Whyso,
    assert_quiet,
    compare_imports,
    findings,
    mend,
    outcomes,
)
from tests.real.environments import TOOLS, Tool, Workshop, create, install
from tests.real.reality import record, sha256, site_packages
from tests.real.test_torch import TORCH12

pytestmark = [pytest.mark.full, pytest.mark.xdist_group("torch")]
CU12, CU13 = "nvidia-cudnn-cu12", "nvidia-cudnn-cu13"
OTHER = f"{CU13}==9.13.0.50"
LIB = "nvidia/cudnn/lib"


@pytest.fixture(scope="module", params=TOOLS)
def tool(request: pytest.FixtureRequest) -> Tool:
    name: Tool = request.param
    return name


@pytest.fixture(scope="module")
def healthy(workshop: Workshop, tool: Tool) -> Iterator[Path]:
    def make(env: Path) -> None:
        create(env, tool)
        install(env, tool, *TORCH12)

    template = workshop.template(f"torch12-{tool}", TORCH12, make)
    yield template
    workshop.drop(template)


@pytest.fixture
def env(workshop: Workshop, healthy: Path, tool: Tool) -> Iterator[Path]:
    """With the other one written over it."""
    with workshop.copy(healthy) as copy:
        install(copy, tool, OTHER, deps=False)
        yield copy


def warned(report: Json) -> dict[str, str]:
    return {f["rule"]: f["title"] for f in findings(report, "error", "warning")}


def put_back(env: Path, healthy: Path, *parts: str) -> None:
    """The installation was killed: these parts are still the old ones."""
    for part in parts:
        old, path = (site_packages(e) / LIB / f"libcudnn_{part}.so.9" for e in (healthy, env))
        path.unlink()
        path.write_bytes(old.read_bytes())


def assert_works(report: Json, env: Path) -> None:
    """Predicted to work, and it does."""
    assert set(outcomes(report).values()) == {"ok"}
    assert {how.outcome for how in compare_imports(report, env).values()} == {"ok"}
    assert (report["status"], report["verdict"]) == (0, "degraded")


def test_all_of_it(ask: Whyso, env: Path) -> None:
    rows = [r for r in record(env, CU13) if r.is_library]
    assert len(rows) == 8 and all(sha256(r.path) == r.sha256 for r in rows)
    report = ask.check(env)
    assert_works(report, env)
    said = warned(report)
    assert said.keys() == {"overwritten-file", "dlopen-missing", "wrong-generation"}
    assert said["overwritten-file"].startswith(f"{CU12} 9.10.2.21: 8 libraries hold the bytes of")
    (later,) = findings(report, "warning", rule="dlopen-missing")
    assert later["wanted"]["name"] == "libcublasLt.so.13"  # that of its own generation
    assert len(report["causes"]) == 1


def test_half_of_it(ask: Whyso, env: Path, healthy: Path) -> None:
    put_back(env, healthy, "cnn", "ops")
    report = ask.check(env)
    assert_works(report, env)
    (split,) = findings(report, "warning", rule="split-family")
    assert " and 1 more come from nvidia-cudnn-cu12 9.10.2.21" in split["title"]
    assert {p["package"] for p in split["parts"]} == {CU12, CU13} and len(split["parts"]) == 8
    assert len(report["causes"]) == 1
    text = ask.text(env)
    assert "The first convolution ends with" in " ".join(text.split())


def test_the_fix_mends_it(ask: Whyso, env: Path, healthy: Path) -> None:
    put_back(env, healthy, "graph")
    mend(ask.text(env), env)
    rows = [r for r in record(env, CU12) if r.is_library]
    assert all(sha256(r.path) == r.sha256 for r in rows)
    report = ask.check(env)
    assert_quiet(report)
    compare_imports(report, env)
