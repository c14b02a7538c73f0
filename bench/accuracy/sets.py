"""What is measured: sets of modules, and the environments of real wheels that hold them.

Popular packages with native code are split by lot into a half to tune on and a half that is not
looked at before a figure is taken. The lot is a hash of SEED and the name, so nobody chooses, and a
package added later moves others only around the middle.
"""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.real.environments import Workshop, create, install

HERE = Path(__file__).resolve().parent
SEED = "whyso accuracy 1"
SEALED = "unseen"

# A browser, a window, a page of text, a test run; and fifty modules that are alike.
NOT_IMPORTED = "antigravity this idlelib test turtledemo __phello__ lib2to3.fixes".split()

TORCH = (
    "torch torch.nn torch.fx torch.jit torch.cuda torch.onnx torch.export torch.profiler "
    "torch.distributed torch.utils.data torch.utils.cpp_extension torch.ao.quantization "
    "torch.sparse torch.testing torch._dynamo torch._inductor functorch triton"
).split()
TORCHVISION = (
    "torchvision torchvision.ops torchvision.io torchvision.models torchvision.datasets "
    "torchvision.transforms torchvision.transforms.v2 torchvision.utils"
).split()
TENSORFLOW = "tensorflow tensorflow.keras tensorflow.lite keras h5py ml_dtypes optree".split()
JAX = "jax jax.numpy jax.scipy jax.random jax.nn jax.experimental.sparse jaxlib ml_dtypes".split()


@dataclass(frozen=True)
class Set:
    name: str
    title: str
    environment: str  # name of a file in locked/, or "empty"
    modules: list[str]


def packages() -> dict[str, list[str]]:
    """Distribution → the modules of it that are tried."""
    lines = (HERE / "packages.tsv").read_text().splitlines()
    return {name: modules.split() for name, _, modules in (line.partition("\t") for line in lines)}


def halves(names: list[str]) -> tuple[list[str], list[str]]:
    """The half to tune on and the unseen half, by lot."""
    drawn = sorted(names, key=lambda n: hashlib.sha256(f"{SEED}:{n}".encode()).hexdigest())
    middle = len(drawn) // 2
    return sorted(drawn[:middle]), sorted(drawn[middle:])


def _modules_below(folder: Path, prefix: str) -> Iterator[str]:
    for path in sorted(folder.iterdir()):
        name = prefix + path.name.partition(".")[0]
        if name in NOT_IMPORTED or path.name in ("__init__.py", "__main__.py"):
            continue
        if path.is_dir() and (path / "__init__.py").exists() and path.name not in ("test", "tests"):
            yield name
            yield from _modules_below(path, name + ".")
        elif path.suffix == ".py":
            yield name


def standard_library() -> list[str]:
    folder = Path(sysconfig.get_path("stdlib"))
    extensions = {path.name.partition(".")[0] for path in (folder / "lib-dynload").glob("*.so")}
    return sorted({*_modules_below(folder, ""), *extensions})


def all_sets() -> list[Set]:
    of = packages()
    tuned, unseen = halves(list(of))

    def modules(half: list[str]) -> list[str]:
        return [module for name in half for module in of[name]]

    return [
        Set("tuned", "half to tune on", "tuned", modules(tuned)),
        Set(SEALED, "half not looked at", SEALED, modules(unseen)),
        Set("stdlib", "standard library", "empty", standard_library()),
        Set("torch", "torch, CUDA 13", "torch", TORCH),
        Set("torchvision", "torchvision", "torch", TORCHVISION),
        Set("torch-cuda12", "torch, CUDA 12", "torch-cuda12", TORCH),
        Set("tensorflow", "tensorflow", "tensorflow", TENSORFLOW),
        Set("jax", "jax", "jax", JAX),
    ]


def _make(locked: Path, env: Path) -> None:
    print(f"accuracy: making the environment {locked.stem}", file=sys.stderr)
    create(env, "uv")
    if locked.exists():
        install(env, "uv", "--only-binary", ":all:", "-r", str(locked))


def environment(shop: Workshop, name: str) -> Path:
    """The environment with the versions of locked/NAME.txt, made once."""
    locked = HERE / "locked" / f"{name}.txt"
    text = locked.read_text() if locked.exists() else ""
    return shop.template(name, [text], partial(_make, locked))


def lock() -> dict[str, list[str]]:
    """The requirements behind each file of locked/."""
    tuned, unseen = halves(list(packages()))
    return {
        "tuned": tuned,
        SEALED: unseen,
        "torch": ["torch==2.14.1", "torchvision==0.29.1"],
        "torch-cuda12": ["torch==2.10.0", "torchvision==0.25.0"],
        "tensorflow": ["tensorflow-cpu", "keras"],
        "jax": ["jax"],
    }
