"""What this user may not read is called unreadable, never gone, and the rest is answered."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hostile.conftest import SITE, SUFFIX, Attack, Call, Env
from tests.loader.elfwriter import Elf, Sym


@pytest.fixture
def whole(env: Env) -> Iterator[Env]:
    """A healthy package that has its library in a folder of its own."""
    folder = env.package("x", "liba.so")
    extension = folder / f"_c{SUFFIX}"
    init = [Sym("PyInit__c")]
    extension.write_bytes(Elf(["liba.so"], runpath="$ORIGIN/lib", symbols=init).to_bytes())
    (folder / "lib").mkdir()
    (folder / "lib" / "liba.so").write_bytes(Elf(soname="liba.so").to_bytes())
    with (env.site / "x-1.0.dist-info" / "RECORD").open("a") as record:
        record.write("x/lib/liba.so,,\n../../../bin/x-tool,,\n")
    (env.prefix / "bin" / "x-tool").write_text("#!/bin/sh\n")
    (env.site / "a.pth").write_text("# nothing\n")
    yield env
    for path in [env.prefix, *env.prefix.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755)


def test_healthy_before(attack: Attack, whole: Env, as_others: list[str]) -> None:
    answer = attack(whole, before=as_others)
    assert answer.status == 0 and answer.titles == []
    assert answer.report["environment"]["complete"] is True


INFO = "x-1.0.dist-info"


@pytest.mark.parametrize(
    ("path", "mode", "named"),
    [
        ("lib", 0o000, "lib"),
        ("lib", 0o444, "lib"),
        (SITE, 0o000, SITE),
        (SITE, 0o311, SITE),
        (SITE, 0o644, SITE),
        (f"{SITE}/x", 0o000, f"{SITE}/x"),
        (f"{SITE}/x", 0o311, f"{SITE}/x"),
        (f"{SITE}/x", 0o644, f"{SITE}/x"),
        (f"{SITE}/x/lib", 0o000, f"{SITE}/x/lib"),
        (f"{SITE}/{INFO}", 0o000, f"{SITE}/{INFO}"),
        (f"{SITE}/{INFO}/RECORD", 0o000, f"{SITE}/{INFO}: RECORD"),
        (f"{SITE}/{INFO}/METADATA", 0o000, f"{SITE}/{INFO}: METADATA"),
        (f"{SITE}/a.pth", 0o000, f"{SITE}/a.pth"),
        ("pyvenv.cfg", 0o000, "pyvenv.cfg"),
    ],
)
def test_closed(
    attack: Attack, whole: Env, as_others: list[str], path: str, mode: int, named: str
) -> None:
    (whole.prefix / path).chmod(mode)
    answer = attack(whole, before=as_others)
    assert answer.report["environment"]["complete"] is False
    said = [t for t in answer.titles if t.startswith(named) and "Permission denied" in t]
    assert said, answer.titles
    assert not [t for t in answer.titles if t.startswith("x 1.0") or "no METADATA" in t]


def test_a_closed_folder_outside_of_site_packages(
    attack: Attack, whole: Env, as_others: list[str]
) -> None:
    (whole.prefix / "bin").chmod(0)
    answer = attack(whole, before=as_others)
    assert answer.report["environment"]["complete"] is False
    assert [f["title"] for f in answer.findings("base-python")] == [
        "bin/python cannot be read: Permission denied"
    ]
    assert not [t for t in answer.titles if "has lost" in t]


def test_a_closed_environment(call: Call, whole: Env, as_others: list[str]) -> None:
    whole.prefix.chmod(0)
    status, out, err = call("check", "-e", whole.prefix, before=as_others)
    assert (status, out) == (2, "")
    assert err.startswith(f"whyso: {whole.prefix}: cannot be read: Permission denied")
    assert err.count("\n") == 1


def test_a_python_that_leads_into_a_closed_folder(
    attack: Attack, env: Env, as_others: list[str], tmp_path: Path
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    (closed / "python3").write_bytes(b"")
    env.python.unlink()
    env.python.symlink_to(closed / "python3")
    closed.chmod(0)
    answer = attack(env, before=as_others)
    closed.chmod(0o755)
    assert any(t.endswith("which cannot be read: Permission denied") for t in answer.titles)
    assert not [t for t in answer.titles if "does not exist" in t]


def test_an_unreadable_library_is_not_nowhere(
    attack: Attack, whole: Env, as_others: list[str]
) -> None:
    for path in (whole.site / "x" / f"_c{SUFFIX}", whole.site / "x" / "lib" / "liba.so"):
        path.chmod(0)
        answer = attack(whole, before=as_others)
        assert answer.titles == [
            f"{path.relative_to(whole.prefix)} cannot be read: Permission denied"
        ]
        assert [f["rule"] for f in answer.report["findings"]] == ["bad-file"]
        assert answer.outcomes == {"x": "fails"}
        assert answer.report["findings"][0]["fix"]["commands"] == []
        path.chmod(0o755)
