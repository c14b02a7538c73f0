"""Folders, links and names that no installer makes."""

from __future__ import annotations

import os

import pytest

from tests.hostile.conftest import Attack, Env


def test_a_chain_of_linked_folders(attack: Attack, env: Env) -> None:
    """d0/n leads to d1, d1/n to d2, …: by links, one path is as long as all of them together."""
    for i in range(6000):
        (env.site / f"d{i}").mkdir()
        (env.site / f"d{i}" / "n").symlink_to(f"../d{i + 1}")
    answer = attack(env, before=["prlimit", "--stack=1048576"])
    assert answer.status == 0 and answer.report["environment"]["files"] >= 6000
    assert answer.report["environment"]["complete"] is True


def test_folders_deeper_than_a_path_can_be(attack: Attack, env: Env) -> None:
    env.package("x", "libgone.so")
    at = os.open(env.site, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=at)  # noqa: PTH102 (no dir_fd there)
        below = os.open("d" * 200, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.close(at)
    answer = attack(env)
    assert answer.outcomes == {"x": "fails"}
    assert answer.report["environment"]["complete"] is False
    assert any("File name too long" in t for t in answer.titles)


@pytest.mark.parametrize("header", ["Name", "Version"])
def test_a_name_of_megabytes(attack: Attack, env: Env, header: str) -> None:
    info = env.dist("y", "y/liba.so,,\n")
    text = f"Metadata-Version: 2.1\n{header}: {'1' * (3 << 20)}\n"
    (info / "METADATA").write_text(text)
    answer = attack(env)
    assert len(answer.text) < 10000
    assert [f["fingerprint"] for f in answer.findings("gutted-package")] == ["gutted-package:y"]
    assert any("longer than 255 bytes" in t for t in answer.titles)


def test_many_packages_claim_the_same_files(attack: Attack, env: Env) -> None:
    for name in ("a.so", "b.so"):
        (env.site / name).write_bytes(b"\x7fELF")
    for i in range(300):
        env.dist(f"p{i:03}", "a.so,sha256=x,4\nb.so,sha256=y,4\na.so,sha256=x,4\n")
    assert attack(env).status == 0
    paths = attack(env, str(env.site / "a.so"), command="owner").report["paths"]
    assert [o["package"] for o in paths[0]["owners"]] == [f"p{i:03}" for i in range(300)]
