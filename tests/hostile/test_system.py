"""Databases of package managers: huge, endless, of the wrong kind, leading out of a root."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from fuzz.sysdb_seeds import rpm_header, write_rpm_sqlite
from tests.hostile.conftest import PYTHON, SITE, Attack, Env

DPKG = "var/lib/dpkg"


@pytest.fixture
def image(tmp_path: Path) -> tuple[Path, Env]:
    """A folder R with an environment in R/e that lacks a library: then the lists are read."""
    root = tmp_path.resolve() / "R"
    env = Env(root / "e")
    env.package("x", "libgone.so.1")
    (root / DPKG / "info").mkdir(parents=True)
    return root, env


def write_list(root: Path, name: str, text: str) -> None:
    (root / DPKG / "info" / f"{name}.list").write_text(text)


def give_python(root: Path) -> None:
    """This interpreter and what it needs, so that imports are followed."""
    told = subprocess.run(["ldd", PYTHON], capture_output=True, text=True, check=True)
    for file in [str(PYTHON), *re.findall(r"(/\S+) \(0x", told.stdout)]:
        target = root / file.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, target)
    stdlib = root / str(PYTHON.parent.parent).lstrip("/") / Path(SITE).parent
    stdlib.mkdir(parents=True)
    (stdlib / "os.py").touch()


def owners(attack: Attack, root: Path, *paths: str) -> list[list[str]]:
    answer = attack(Path("/e"), *paths, "--root", str(root), command="owner")
    return [[o["package"] for o in item["owners"]] for item in answer.report["paths"]]


def test_lists_without_end(attack: Attack, image: tuple[Path, Env]) -> None:
    root, _ = image
    write_list(root, "one", "/usr/lib/libgone.so.1\n" * 200_000)
    write_list(root, "names", "".join(f"/usr/lib/d{i}/libgone.so.1\n" for i in range(100_000)))
    write_list(root, "other", "".join(f"/usr/lib/lib{i}.so\n" for i in range(200_000)))
    (root / DPKG / "status").write_text("Package: one\nVersion: 1\n\n" * 100_000)
    with (root / DPKG / "info" / "sparse.list").open("wb") as f:
        f.truncate(1 << 40)
    for i in range(5000):
        write_list(root, f"p{i}", "/usr/lib/libmany.so\n")
    found = owners(attack, root, "/usr/lib/libgone.so.1", "/usr/lib/libmany.so", "/usr/x")
    assert found[0] == ["one"] and 0 < len(found[1]) < 100 and found[2] == []


def test_lists_that_are_none(attack: Attack, image: tuple[Path, Env]) -> None:
    root, _ = image
    info = root / DPKG / "info"
    os.mkfifo(info / "pipe.list")
    (info / "folder.list").mkdir()
    (info / "loop.list").symlink_to("loop.list")
    (info / "bytes.list").write_bytes(bytes(range(256)) * 100)
    (root / DPKG / "status").symlink_to("/dev/zero")
    (root / DPKG / "diversions").symlink_to("status")
    (root / "e/conda-meta").mkdir()
    (root / "e/conda-meta/deep.json").write_text('{"files": ' + "[" * 100_000)
    (root / "e/conda-meta/types.json").write_text(
        '{"name": 1, "version": [], "files": {"lib/libgone.so.1": 1}, "paths_data": "x"}'
    )
    write_list(root, "good", "/usr/lib/libgone.so.1\n")
    assert owners(attack, root, "/usr/lib/libgone.so.1", "/e/lib/libgone.so.1") == [["good"], []]


def test_links_out_of_the_root_lead_nowhere(attack: Attack, image: tuple[Path, Env]) -> None:
    root, _ = image
    outside = root.parent / "outside"
    (outside / "info").mkdir(parents=True)
    (outside / "info" / "spy.list").write_text("/usr/lib/libgone.so.1\n")
    (root / DPKG / "info" / "spy.list").symlink_to(outside / "info" / "spy.list")
    (root / DPKG / "status.d").symlink_to("../" * 30 + str(outside / "info").lstrip("/"))
    assert owners(attack, root, "/usr/lib/libgone.so.1") == [[]]
    (root / DPKG / "info" / "spy.list").unlink()
    (root / DPKG / "info").rmdir()
    (root / DPKG / "info").symlink_to(outside / "info")
    assert owners(attack, root, "/usr/lib/libgone.so.1") == [[]]


@pytest.mark.parametrize("name", ["-y", "a b", "$(touch x)", "a;b", "a\x1b[31m", "..", "a\u202eb"])
def test_names_that_may_not_stand_in_a_command(
    attack: Attack, image: tuple[Path, Env], name: str
) -> None:
    root, _ = image
    give_python(root)
    write_list(root, name, "/lib/x86_64-linux-gnu/libgone.so.1\n")
    (cause,) = attack(Path("/e"), "--root", str(root)).report["causes"]
    assert (cause["fix"]["kind"], cause["fix"]["command"]) == ("system", [])
    (root / DPKG / "info" / f"{name}.list").unlink()
    write_list(root, "good", "/lib/x86_64-linux-gnu/libgone.so.1\n")
    (cause,) = attack(Path("/e"), "--root", str(root)).report["causes"]
    assert cause["fix"]["command"] == ["apt-get", "install", "--reinstall", "good"]


@pytest.mark.parametrize(
    ("system", "command"),
    [
        ("rocky", ["dnf", "reinstall", "good"]),
        ("opensuse-leap", ["zypper", "install", "--force", "good"]),
    ],
)
def test_rpm_has_its_lost_files_put_back(
    attack: Attack, image: tuple[Path, Env], system: str, command: list[str]
) -> None:
    """By whichever program the distribution has for it; what is cut in the database is left out."""
    root, _ = image
    give_python(root)
    (root / "etc").mkdir()
    (root / "etc" / "os-release").write_text(f"ID={system}\n")
    (root / "var/lib/rpm").mkdir()
    good = rpm_header("good", ["/lib64/libgone.so.1", "/lib/x86_64-linux-gnu/libgone.so.1"])
    cut = [good[:n] for n in (0, 7, 8, 30, len(good) - 1)]
    odd = rpm_header("-y", ["/lib/libother.so.1"]).replace(b"\0\0\x03\xe8", b"\xff\xff\xff\xff")
    write_rpm_sqlite(root / "var/lib/rpm/rpmdb.sqlite", [*cut, odd, good])
    (cause,) = attack(Path("/e"), "--root", str(root)).report["causes"]
    assert cause["fix"]["command"] == command
