"""whyso.toml and [tool.whyso]: which file counts, what it may say, who has the last word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cases.builder import Builder
from tests.cli.conftest import Ask

TREE = r"""
venv .venv
file S/app/__init__.py = from app import _fast\n
ext S/app/_fast needs=libknown.so.1
dist app 1.0
file S/~eb/__init__.py = \n
"""


@pytest.fixture
def top(tmp_path: Path) -> Path:
    Builder(tmp_path.resolve()).build(TREE.strip().splitlines())
    (tmp_path / "below" / "deep").mkdir(parents=True)
    return tmp_path.resolve()


def check(ask: Ask, top: Path, cwd: Path, *args: str) -> dict[str, Any]:
    status, out, err = ask("check", "-e", top / ".venv", "-f", "json", *args, cwd=cwd)
    assert err == ""
    answer: dict[str, Any] = json.loads(out)
    return answer | {"status": status}


def test_the_nearest_file_counts(ask: Ask, top: Path) -> None:
    deep = top / "below" / "deep"
    assert check(ask, top, deep)["silenced"]["config"] is None
    (top / "whyso.toml").write_text("ignore = ['leftover', 'missing-library']\n")
    far = check(ask, top, deep)
    assert far["silenced"] == {
        "config": str(top / "whyso.toml"), "ignored": 2, "baseline": 0, "gone": [],
    }  # fmt: skip
    assert (far["status"], far["verdict"]) == (0, "ok")
    (top / "below" / "pyproject.toml").write_text("[tool.other]\nx = 'whyso'\n")
    assert check(ask, top, deep)["silenced"] == far["silenced"]
    (top / "below" / "pyproject.toml").write_text("[tool.whyso]\nignore = ['leftover']\n")
    near = check(ask, top, deep)
    assert near["silenced"]["config"] == str(top / "below" / "pyproject.toml")
    assert (near["status"], near["silenced"]["ignored"]) == (1, 1)
    shown = ask("check", "-e", top / ".venv", cwd=deep).out
    assert f"finding ignored ({top / 'below' / 'pyproject.toml'})" in " ".join(shown.split())
    (top / "below" / "whyso.toml").write_text("")
    assert check(ask, top, deep)["silenced"]["config"] == str(top / "below" / "whyso.toml")


def test_the_command_line_has_the_last_word(ask: Ask, top: Path) -> None:
    (top / "below" / "whyso.toml").write_text(
        "ignore = ['missing-library:libknown*']\nfail-on = 'note'\nbaseline = 'known'\n"
    )
    (top / "below" / "known").write_text(
        '{"schema": "whyso/baseline/1", "findings": '
        '[{"fingerprint": "no-such:thing", "severity": "note"}]}'
    )
    answer = check(ask, top, top, "--config", "below/whyso.toml")
    assert (answer["status"], answer["silenced"]["ignored"]) == (1, 1)
    assert answer["silenced"]["gone"] == ["no-such:thing"]
    answer = check(ask, top, top / "below", "--fail-on", "error", "--ignore", "leftover")
    assert (answer["status"], answer["silenced"]["ignored"]) == (0, 2)


def test_what_is_examined_configures_nothing(ask: Ask, top: Path) -> None:
    """A hostile environment could silence its own findings."""
    site = next(top.glob(".venv/lib/python3*/site-packages"))
    (site / "whyso.toml").write_text("ignore = ['missing-library']\n")
    (top / ".venv" / "whyso.toml").write_text("ignore = ['missing-library']\n")
    for env in (top / ".venv", top / ".venv" / "bin" / "python"):
        status, out, _ = ask("check", "-e", env, "-f", "json", cwd=site)
        assert (status, json.loads(out)["silenced"]["config"]) == (1, None)
    (top / "whyso.toml").write_text("fail-on = 'never'\n")
    status, out, _ = ask("check", "-e", top / ".venv", "-f", "json", cwd=site)
    assert (status, json.loads(out)["silenced"]["config"]) == (0, str(top / "whyso.toml"))
    inside = ask("check", "--root", top, "-e", "/.venv", "-f", "json", cwd=top)
    assert json.loads(inside.out)["silenced"]["config"] is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ignroe = []", "line 1: unknown key 'ignroe'"),
        ("ignore = ['lefover']", "did you mean leftover?"),
        ("fail-on = 'all'", "note, warning, error or never, not 'all'"),
        ("baseline = 'absent'", "absent: No such file"),
        ("ignore = [", "line 1: "),
    ],
)
def test_a_wrong_file_is_said(ask: Ask, top: Path, text: str, says: str) -> None:
    (top / "whyso.toml").write_text(text)
    status, out, err = ask("check", "-e", top / ".venv", cwd=top)
    assert (status, out) == (2, "")
    assert says in err and err.count("\n") == 1


def test_config_without_our_table(ask: Ask, top: Path) -> None:
    (top / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    status, _, err = ask("check", "-e", top / ".venv", "--config", "pyproject.toml", cwd=top)
    assert status == 2 and "has no table [tool.whyso]" in err
