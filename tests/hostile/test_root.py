"""With --root nothing outside of the folder is read, whatever links and paths in it say."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.hostile.conftest import SITE, Attack, Env
from tests.loader.elfwriter import Elf


@pytest.fixture
def image(tmp_path: Path) -> tuple[Path, Env]:
    """A folder R with an environment in R/e, and beside it a folder with a library."""
    top = tmp_path.resolve()
    (top / "outside").mkdir()
    (top / "outside" / "liba.so").write_bytes(Elf(soname="liba.so").to_bytes())
    return top / "R", Env(top / "R" / "e")


def test_links_cannot_leave_it(attack: Attack, image: tuple[Path, Env]) -> None:
    root, env = image
    outside = root.parent / "outside"
    folder = env.package("x")
    for name, target in {
        "absolute": str(outside),
        "up": "../" * 40 + str(outside).lstrip("/"),
        "proc": "/proc/self/root" + str(outside),
    }.items():
        (folder / name).symlink_to(target)
        with (env.site / "x-1.0.dist-info" / "RECORD").open("a") as record:
            record.write(f"x/{name}/liba.so,,\n")
    with (env.site / "x-1.0.dist-info" / "RECORD").open("a") as record:
        record.write(f"{'../' * 40}{str(outside).lstrip('/')}/liba.so,,\n{outside}/liba.so,,\n")
    (env.site / "a.pth").write_text(f"{outside}\n{'../' * 40}etc\n")
    answer = attack(Path("/e"), "--root", str(root))
    counts = [f["counts"] for f in answer.findings("gutted-package")]
    assert [(c["libraries"], c["libraries_missing"]) for c in counts] == [(4, 3)]
    assert any("lists 2 paths outside" in t for t in answer.titles)
    assert not [p for p in answer.report["environment"]["sys_path"] if "outside" in p]
    for path in (f"/e/{SITE}/x/absolute/liba.so", f"{'/..' * 30}{outside}/liba.so"):
        owned = attack(Path("/e"), path, "--root", str(root), command="owner").report["paths"]
        assert len(owned) == 1


def test_a_loader_that_is_no_loader(attack: Attack, image: tuple[Path, Env]) -> None:
    """Caches and descriptions of the distribution that are pipes, garbage, or do not end."""
    root, env = image
    env.package("x", "libgone.so")
    (root / "etc").mkdir()
    for cache in (
        b"",
        b"\0" * 4000,
        b"glibc-ld.so.cache1.1" + b"\xff" * 4000,
        b"ld.so-1.7.0\0\xff",
    ):
        (root / "etc" / "ld.so.cache").write_bytes(cache)
        (root / "etc" / "os-release").write_bytes(b"ID='\x1b[31m$(touch pwned)\nID_LIKE=\n" * 99)
        attack(Path("/e"), "--root", str(root))
    (root / "etc" / "ld.so.cache").unlink()
    os.mkfifo(root / "etc" / "ld.so.cache")
    (root / "etc" / "os-release").unlink()
    os.mkfifo(root / "etc" / "os-release")
    attack(Path("/e"), "--root", str(root))


@pytest.mark.parametrize("cut", [0, 3, 16, 63, 64, 200, 700, 4096, 100000])
def test_an_interpreter_that_is_cut(attack: Attack, image: tuple[Path, Env], cut: int) -> None:
    root, env = image
    env.package("x", "libgone.so")
    shell = Path("/bin/sh").resolve()
    env.python.unlink()
    shutil.copy(shell, env.python)
    os.truncate(env.python, cut)
    answer = attack(Path("/e"), "--root", str(root))
    assert answer.status == 1 and len(answer.findings("base-python")) == 1
