"""What is measured: sets of modules, and the environments of real wheels that hold them.

Popular packages with native code are dealt into LOTS by a hash of SEED and the name, so nobody
chooses. The first OPENED lots may be looked at; packages marked `seen` were looked at before the
deal and belong to the first. Of the lot after these only a figure is taken, once: who looks into
it counts OPENED up, and the next lot is the sealed one.
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
SEED = "whyso accuracy 2"
LOTS = 3
OPENED = 2
SEALED = f"lot-{OPENED + 1}"

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


@dataclass(frozen=True)
class Package:
    name: str  # as a requirement
    seen: bool
    modules: list[str]  # that are tried

    @property
    def lot(self) -> int:
        """1 to LOTS."""
        if self.seen:
            return 1
        return 1 + int(hashlib.sha256(f"{SEED}:{self.name}".encode()).hexdigest(), 16) % LOTS


def packages() -> list[Package]:
    rows = (line.split("\t") for line in (HERE / "packages.tsv").read_text().splitlines())
    return [Package(name, seen == "seen", modules.split()) for name, seen, modules in rows]


def lot(number: int) -> list[Package]:
    return [p for p in packages() if p.lot == number]


def _lot_set(number: int) -> Set:
    name = f"lot-{number}"
    title = "not looked at" if name == SEALED else "may be looked at"
    modules = [module for package in lot(number) for module in package.modules]
    return Set(name, f"{title}, lot {number}", name, modules)


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
    return [
        *(_lot_set(number) for number in range(1, OPENED + 2)),
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
    return {
        **{f"lot-{n}": [p.name for p in lot(n)] for n in range(1, OPENED + 2)},
        "torch": ["torch==2.14.1", "torchvision==0.29.1"],
        "torch-cuda12": ["torch==2.10.0", "torchvision==0.25.0"],
        "tensorflow": ["tensorflow-cpu", "keras"],
        "jax": ["jax"],
    }
