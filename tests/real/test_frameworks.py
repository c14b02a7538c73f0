"""tensorflow and jax for CUDA: whole, and each library alone. Gigabytes: only with --full."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.alone import judge
from tests.real.answers import Whyso, assert_healthy
from tests.real.environments import Workshop, create, install

pytestmark = [pytest.mark.full, pytest.mark.xdist_group("frameworks")]
FRAMEWORKS = {"tensorflow": ["tensorflow-cpu==2.21.0"], "jax": ["jax[cuda12]==0.10.2"]}
# What libraries of these open by their own code when they are initialised.
OWN = ["libcudart.so.12"]


@pytest.fixture(params=FRAMEWORKS, scope="module")
def framework(workshop: Workshop, request: pytest.FixtureRequest) -> Iterator[Path]:
    packages = FRAMEWORKS[request.param]

    def make(env: Path) -> None:
        create(env, "uv")
        install(env, "uv", *packages)

    template = workshop.template(request.param, packages, make)
    yield template
    workshop.drop(template)


def test_healthy(ask: Whyso, framework: Path) -> None:
    assert_healthy(ask, framework)


def test_each_library_alone(ask: Whyso, framework: Path) -> None:
    verdict = judge(ask, framework, own=OWN)
    assert verdict.differences == []
    assert verdict.outcomes["ok"] > 100
