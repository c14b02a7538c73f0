"""Which environment is taken (CONTRACT section 1), and what the simulated process sees."""

from __future__ import annotations

import json
import os
import shutil
import sys
import venv
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Answer, Ask

NOWHERE = {"PATH": "/nonexistent"}


def environment(answer: Answer) -> dict[str, Any]:
    assert answer.status == 0, answer.err
    found: dict[str, Any] = json.loads(answer.out)["environment"]
    return found


def chosen(answer: Answer) -> tuple[str, str]:
    e = environment(answer)
    return e["prefix"], e["chosen_by"]


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A second environment, away from any .venv."""
    path = tmp_path.resolve() / "other"
    venv.create(path, with_pip=False)
    return path


def test_option_before_everything(ask: Ask, tiny: Path, other: Path) -> None:
    env = {"VIRTUAL_ENV": str(tiny)}
    answer = ask("list", "-f", "json", "-e", other, cwd=tiny.parent, env=env)
    assert chosen(answer) == (str(other), "--env")


@pytest.mark.parametrize(
    "spelling", ["other", "./other/", "x/../../{here}/other", "../{here}/other"]
)
def test_relative_option(ask: Ask, other: Path, spelling: str) -> None:
    (other.parent / "x").mkdir()
    path = spelling.format(here=other.parent.name)
    prefix, _ = chosen(ask("list", "-f", "json", "-e", path, cwd=other.parent))
    assert Path(prefix).resolve() == other
    if not path.startswith("x"):
        assert prefix == str(other)


def test_links_are_kept_as_they_are_called(ask: Ask, other: Path) -> None:
    link = other.parent / "link"
    link.symlink_to(other)
    assert chosen(ask("list", "-f", "json", "-e", link)) == (str(link), "--env")


def test_virtual_env_before_dot_venv(ask: Ask, tiny: Path, other: Path) -> None:
    env = {"VIRTUAL_ENV": str(other), "CONDA_PREFIX": "/nonexistent"}
    answer = ask("list", "-f", "json", cwd=tiny.parent, env=env)
    assert chosen(answer) == (str(other), "VIRTUAL_ENV")


def test_empty_variable_counts_as_unset(ask: Ask, tiny: Path) -> None:
    answer = ask("list", "-f", "json", cwd=tiny.parent, env={"VIRTUAL_ENV": ""})
    assert chosen(answer) == (str(tiny), ".venv")


@pytest.mark.parametrize("name", ["VIRTUAL_ENV", "CONDA_PREFIX"])
def test_variable_that_names_no_environment(ask: Ask, tiny: Path, name: str) -> None:
    status, out, err = ask("list", cwd=tiny.parent, env={name: "/nonexistent/e"})
    assert (status, out) == (2, "")
    assert name in err and "/nonexistent/e" in err and err.count("\n") == 1


@pytest.mark.parametrize("below", [".", "a", "a/b/c"])
def test_nearest_dot_venv(ask: Ask, tiny: Path, below: str) -> None:
    here = tiny.parent / below
    here.mkdir(parents=True, exist_ok=True)
    assert chosen(ask("list", "-f", "json", cwd=here)) == (str(tiny), ".venv")


def conda(path: Path) -> Path:
    """As small as a conda prefix can be: a python and conda-meta."""
    (path / "conda-meta").mkdir(parents=True)
    (path / "bin").mkdir()
    (path / "conda-meta" / "history").write_text("")
    shutil.copy(Path(sys.executable).resolve(), path / "bin" / "python")
    return path


def test_conda_prefix_unless_it_is_the_base(ask: Ask, tiny: Path, tmp_path: Path) -> None:
    prefix = conda(tmp_path.resolve() / "conda")
    env = {"CONDA_PREFIX": str(prefix), "CONDA_DEFAULT_ENV": "work"}
    at = tiny.parent
    assert chosen(ask("list", "-f", "json", cwd=at, env=env)) == (str(prefix), "CONDA_PREFIX")
    env["CONDA_DEFAULT_ENV"] = "base"
    assert chosen(ask("list", "-f", "json", cwd=at, env=env)) == (str(tiny), ".venv")
    answer = ask("list", "-f", "json", cwd=tmp_path, env=env)
    assert chosen(answer) == (str(prefix), "CONDA_PREFIX")


def test_path_comes_last_and_scripts_are_skipped(ask: Ask, other: Path, tmp_path: Path) -> None:
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    for name in ("python3", "python"):
        (scripts / name).write_text("#!/bin/sh\nexit 1\n")
        (scripts / name).chmod(0o755)
    env = {"PATH": f"/nonexistent:{scripts}:{other}/bin"}
    assert chosen(ask("list", "-f", "json", cwd=tmp_path, env=env)) == (str(other), "PATH")
    status, out, err = ask("list", cwd=tmp_path, env={"PATH": str(scripts)})
    assert (status, out) == (2, "") and "no Python environment" in err


SHIM = """#!/usr/bin/env bash
set -e
program="${{0##*/}}"
export PYENV_ROOT="{root}"
exec "{root}/libexec/pyenv" exec "$program" "$@"
"""


@pytest.fixture
def pyenv(tmp_path: Path) -> Path:
    """pyenv's folders with four versions, each a small environment, and its shims."""
    root = tmp_path.resolve() / "pyenv"
    (root / "shims").mkdir(parents=True)
    for version in ("3.9.2", "3.9.18", "3.12.1", "work"):
        venv.create(root / "versions" / version, with_pip=False)
    for name in ("python3", "python"):
        (root / "shims" / name).write_text(SHIM.format(root=root))
        (root / "shims" / name).chmod(0o755)
    return root


def test_pyenv_shims_are_followed_by_their_files(ask: Ask, pyenv: Path, other: Path) -> None:
    here = pyenv.parent / "a" / "b"
    here.mkdir(parents=True)
    env = {"PATH": f"{pyenv}/shims:{other}/bin"}

    def version(**extra: str) -> str:
        prefix, by = chosen(ask("list", "-f", "json", cwd=here, env=env | extra))
        assert by == "PATH"
        return Path(prefix).name

    assert version() == "other"  # nothing chosen: the system's, which is the next one on PATH
    (pyenv / "version").write_text("3.12.1\n")
    assert version() == "3.12.1"
    (here.parent / ".python-version").write_text("# ours\n\nwork extra words\n3.12.1\n")
    assert version() == "work"
    (here / ".python-version").write_text("3.9\n")
    assert version() == "3.9.18"
    assert version(PYENV_VERSION="nonexistent:3.9.2") == "3.9.2"
    assert version(PYENV_VERSION="system") == "other"
    assert version(PYENV_VERSION="../../../etc") == "other"


def variables(ask: Ask, tiny: Path, *args: str | Path, **env: str) -> dict[str, str]:
    answer = ask("list", "-f", "json", "-e", tiny, *args, env=env)
    found: dict[str, str] = environment(answer)["process"]["variables"]
    return found


def test_variables_in_the_order_given(ask: Ask, tiny: Path, tmp_path: Path) -> None:
    name = "LD_LIBRARY_PATH"
    file = tmp_path / "env"
    file.write_text(f"# comment\n\n{name}=/from file=1\nUNKNOWN_HERE\n")
    caller = {name: "/caller"}
    assert variables(ask, tiny).get(name) is None
    assert variables(ask, tiny, **caller)[name] == "/caller"
    assert variables(ask, tiny, "--clean", **caller).get(name) is None
    assert variables(ask, tiny, "--unset", name, **caller).get(name) is None
    assert variables(ask, tiny, "--set", f"{name}=/a", "--set", f"{name}=/b")[name] == "/b"
    assert variables(ask, tiny, "--set", f"{name}=/a", "--clean").get(name) is None
    assert variables(ask, tiny, "--env-file", file)[name] == "/from file=1"
    assert variables(ask, tiny, "--env-file", file, "--set", f"{name}=/c")[name] == "/c"
    file.write_bytes(f"A=1\0{name}=/block\nline\0".encode())
    assert variables(ask, tiny, "--env-file", file)[name] == "/block\nline"
    file.write_text("A=1\n=no name\n")
    status, out, err = ask("list", "-e", tiny, "--env-file", file)
    assert (status, out) == (2, "") and "line 2" in err


def test_process_facts(ask: Ask, tiny: Path, tmp_path: Path) -> None:
    here = tmp_path.resolve()
    e = environment(ask("list", "-f", "json", "-e", tiny, cwd=here))
    assert e["process"]["cwd"] == str(here)
    assert e["process"]["user"] == os.geteuid()
    args: list[str | Path] = ["--cwd", tiny, "--driver", "assume:550.54", "--cpu", "x86-64"]
    process = environment(ask("list", "-f", "json", "-e", tiny, *args))["process"]
    assert process["cwd"] == str(tiny)
    assert process["cpu"] == "x86-64-v1"
    assert process["driver"] == "550.54"


def test_bytes_that_are_not_utf8(ask: Ask, tiny: Path) -> None:
    answer = ask("list", "-f", "json", "-e", tiny, "--set", b"LD_LIBRARY_PATH=/x\xff\xc3\xa9")
    assert "/x\\udcff\\u00e9" in answer.out and answer.out.isascii()
    value = environment(answer)["process"]["variables"]["LD_LIBRARY_PATH"]
    assert os.fsencode(value) == b"/x\xff\xc3\xa9"


def test_root_knows_nothing_of_the_caller(ask: Ask, tiny: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(tiny, root / "srv" / ".venv", symlinks=True)
    env = {"VIRTUAL_ENV": str(tiny), "LD_LIBRARY_PATH": "/caller"}
    answer = ask("list", "-f", "json", "--root", root, "-e", "/srv/.venv", cwd=tiny, env=env)
    e = environment(answer)
    assert (e["prefix"], e["chosen_by"], e["root"]) == ("/srv/.venv", "--env", str(root))
    assert e["process"]["cwd"] == "/" and e["process"]["user"] == 0
    assert e["process"]["variables"] == {}
    status, out, err = ask("list", "--root", root, env=env)
    assert (status, out) == (2, "") and "no Python environment" in err
