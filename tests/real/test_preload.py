"""Frameworks that load libraries by code of their own: healthy, quiet, and what is mapped.

docs/frameworks.md says how each of them does it. The judge is `whyso verify`, which compares with
the loader's own list after a real import. No driver and no GPU is needed: without them all of
these work.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.real.answers import Json, Whyso, assert_quiet
from tests.real.environments import Workshop, create, install
from tests.real.reality import variables

pytestmark = [
    pytest.mark.xdist_group("preload"),
    pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the pinned wheels are for 3.11"),
]


class Framework(NamedTuple):
    packages: list[str]
    modules: list[str]  # each maps exactly what is predicted


SMALL = Framework(
    [
        "onnxruntime==1.32.0",
        "ctranslate2==4.8.5",
        "cuda-bindings==13.4.4",
        "cuda-core==1.2.2",
        "numba-cuda==0.30.4",
        "decord==0.6.0",
        "faiss-cpu==1.15.1",
        "numpy==2.4.6",
    ],
    [
        "onnxruntime",
        "ctranslate2",
        "cuda.pathfinder",
        "cuda.bindings.driver",
        "cuda.bindings.runtime",
        "cuda.bindings.nvrtc",
        "cuda.bindings.nvml",
        "cuda.bindings.cufile",
        "cuda.core",
        "numba_cuda",
        "decord",
        "faiss",
    ],
)
LARGE = {
    "cupy": Framework(["cupy-cuda12x==14.2.0"], ["cupy", "cupyx", "cupyx.scipy.sparse"]),
    "cupy-with-cuda": Framework(
        [
            "cupy-cuda12x==14.2.0",
            "nvidia-cublas-cu12==12.9.3.13",
            "nvidia-cuda-nvrtc-cu12==12.9.86",
        ],
        ["cupy", "cupyx.scipy.linalg"],
    ),
    "faiss-gpu": Framework(["faiss-gpu-cu12==1.14.1.post1"], ["faiss"]),
    "mkl": Framework(["mkl-service==2.8.0", "intel-openmp==2026.2.0"], ["mkl"]),
    "onnxruntime-gpu": Framework(["onnxruntime-gpu==1.31.1"], ["onnxruntime"]),
    "triton": Framework(["triton==3.9.0"], ["triton", "triton.backends.nvidia.driver"]),
}


def made(workshop: Workshop, name: str, packages: list[str]) -> Path:
    def make(env: Path) -> None:
        create(env, "uv")
        install(env, "uv", *packages)

    return workshop.template(name, packages, make)


def verified(ask: Whyso, env: Path, modules: list[str]) -> list[Json]:
    """`verify` says on stderr that it runs code."""
    done = subprocess.run(
        [ask.program, "verify", "--env", env, "--format", "json", *modules],
        cwd="/",
        env=variables(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    imports: list[Json] = json.loads(done.stdout)["imports"]
    return imports


def wrong(said: Json) -> list[str]:
    outcomes = (said["predicted"]["outcome"], said["real"]["outcome"])
    found = [] if outcomes == ("ok", "ok") else [f"{outcomes[0]}, really {outcomes[1]}"]
    return found + [f"missing {o}" for o in said["missing"]] + [f"extra {o}" for o in said["extra"]]


def judge(ask: Whyso, env: Path, modules: list[str]) -> None:
    assert_quiet(ask.check(env))
    assert {i["module"]: wrong(i) for i in verified(ask, env, modules)} == {m: [] for m in modules}


@pytest.fixture(params=LARGE, scope="module")
def large(workshop: Workshop, request: pytest.FixtureRequest) -> Iterator[tuple[Path, list[str]]]:
    framework = LARGE[request.param]
    template = made(workshop, request.param, framework.packages)
    yield template, framework.modules
    workshop.drop(template)


def test_small(ask: Whyso, workshop: Workshop) -> None:
    judge(ask, made(workshop, "preload", SMALL.packages), SMALL.modules)


@pytest.mark.full
def test_large(ask: Whyso, large: tuple[Path, list[str]]) -> None:
    judge(ask, *large)
