"""An environment with two hundred packages that import torch: hard links to one with torch, and
small generated distributions. Nothing is written into a file of the original."""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import sysconfig
from pathlib import Path

PACKAGES = 200
PARTS = (
    "torch.nn",
    "torch.utils.data",
    "torch.optim",
    "torch.distributed",
    "torch.nn.functional",
    "torch.fx",
    "torch.jit",
    "torch.autograd",
)
INIT = "import torch\nimport {part}\nfrom . import core, layers\n"
CORE = """import os
from torch import nn


class Base(nn.Module):
    size = {number}

    def forward(self, x):
        return x
"""
LAYERS = """from torch.nn import Linear, Module
from .core import Base

try:
    from . import _native
except ImportError:
    _native = None


class Layer(Base):
    pass
"""


def _row(site: Path, file: Path) -> str:
    content = file.read_bytes()
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{file.relative_to(site)},sha256={digest},{len(content)}"


def _add(site: Path, number: int, library: bytes) -> None:
    name = f"over_torch_{number:03d}"
    package, info = site / name, site / f"{name}-1.0.dist-info"
    package.mkdir()
    info.mkdir()
    (package / "__init__.py").write_text(INIT.format(part=PARTS[number % len(PARTS)]))
    (package / "core.py").write_text(CORE.format(number=number))
    (package / "layers.py").write_text(LAYERS)
    (package / f"_native{sysconfig.get_config_var('EXT_SUFFIX')}").write_bytes(library)
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\nRequires-Dist: torch\n"
    )
    rows = [_row(site, file) for file in sorted([*package.iterdir(), info / "METADATA"])]
    (info / "RECORD").write_text("\n".join([*rows, f"{info.name}/RECORD,,"]) + "\n")


def make(torch: Path, folder: Path) -> Path:
    """The copy, below `folder`, which is of the same file system as `torch`."""
    env = folder / "many"
    shutil.rmtree(env, ignore_errors=True)
    subprocess.run(["cp", "-al", str(torch), str(env)], check=True)
    library = folder / "native.so"
    subprocess.run(
        ["gcc", "-shared", "-fPIC", "-O1", "-o", str(library), "-x", "c", "-"],
        input=b"void *PyInit__native(void) { return 0; }\n",
        check=True,
    )
    (site,) = env.glob("lib/python3*/site-packages")
    for number in range(PACKAGES):
        _add(site, number, library.read_bytes())
    return env
