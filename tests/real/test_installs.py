"""Installs that ended halfway, links into a cleaned cache, and places with little in them."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.real.answers import (
    Whyso,
    assert_quiet,
    compare_imports,
    contradictions,
    findings,
    mend,
    outcomes,
)
from tests.real.environments import (
    TOOLS,
    Tool,
    Workshop,
    create,
    delete_payload,
    install,
    run,
)
from tests.real.reality import dist_info, imported, record, site_packages, variables

# contourpy is one that imports numpy; psycopg2-binary stands alone.
PACKAGES = ["numpy", "contourpy", "psycopg2-binary"]


@pytest.fixture(params=TOOLS)
def tool(request: pytest.FixtureRequest) -> Tool:
    name: Tool = request.param
    return name


@pytest.fixture
def env(workshop: Workshop, tool: Tool) -> Iterator[Path]:
    def make(env: Path) -> None:
        create(env, tool)
        install(env, tool, *PACKAGES)

    template = workshop.template(f"three-{tool}", [tool, *PACKAGES], make)
    with workshop.copy(template) as copy:
        yield copy


# --- halfway ------------------------------------------------------------------------------------


def test_only_dist_info_is_left(ask: Whyso, env: Path) -> None:
    delete_payload(env, "numpy")
    # pip records the .pyc files that it compiled; they are never counted as missing.
    rows = [r for r in record(env, "numpy") if r.path.suffix != ".pyc"]
    absent = [r for r in rows if not r.path.exists()]
    report = ask.check(env)
    real = compare_imports(report, env)
    assert real["numpy"].text == real["contourpy"].text == "No module named 'numpy'"
    said = outcomes(report)
    assert (said["numpy"], said["contourpy"], said["psycopg2"]) == ("fails", "fails", "ok")
    (found,) = findings(report, "error", "warning")
    assert (found["severity"], found["rule"]) == ("error", "gutted-package")
    assert found["package"]["name"] == "numpy"
    libraries = [r for r in rows if r.is_library]
    assert found["counts"] == {
        "recorded": len(rows),
        "missing": len(absent),
        "libraries": len(libraries),
        "libraries_missing": len(libraries),
    }
    assert set(found["breaks"]["imports"]) == {"numpy", "contourpy"}
    assert (report["status"], report["verdict"]) == (1, "broken")
    assert len(mend(ask.text(env), env)) == 1
    assert_quiet(ask.check(env))
    assert imported(env, "contourpy").outcome == "ok"


def test_empty_folders_are_left(ask: Whyso, env: Path) -> None:
    """Python makes an empty namespace of a folder: the import works and gives nothing."""
    delete_payload(env, "psycopg2-binary")
    (site_packages(env) / "psycopg2").mkdir()
    report = ask.check(env)
    assert compare_imports(report, env)["psycopg2"].outcome == "ok"
    (found,) = findings(report, "error", "warning")
    assert (found["severity"], found["rule"]) == ("warning", "gutted-package")
    assert (report["status"], report["verdict"]) == (0, "degraded")
    assert len(mend(ask.text(env), env)) == 1
    assert_quiet(ask.check(env))


def test_dist_info_without_record(ask: Whyso, env: Path) -> None:
    delete_payload(env, "psycopg2-binary")
    (dist_info(env, "psycopg2-binary") / "RECORD").unlink()
    report = ask.check(env)
    compare_imports(report, env)
    (found,) = findings(report, rule="gutted-package")
    assert found["package"]["name"] == "psycopg2-binary"
    assert set(found["counts"].values()) == {0}
    assert "psycopg2-binary==" in found["fix"]["command"][-1]


def test_files_without_record(ask: Whyso, env: Path) -> None:
    """RECORD is written last: killed just before, everything works."""
    (dist_info(env, "numpy") / "RECORD").unlink()
    report = ask.check(env)
    assert set(outcomes(report).values()) == {"ok"}
    compare_imports(report, env)
    assert_quiet(report)


@pytest.mark.parametrize("after", ["numpy/__init__.py", "numpy.libs", "numpy-*.dist-info"])
def test_pip_killed_while_it_writes(ask: Whyso, workshop: Workshop, after: str) -> None:
    """Where it stops is luck; what whyso says of it must not contradict Python."""

    def make(env: Path) -> None:
        create(env, "pip")
        install(env, "pip", "contourpy")
        install(env, "pip", "--force-reinstall", "numpy")  # pip's cache has the wheel

    with workshop.copy(workshop.template("killed", ["numpy", "contourpy"], make)) as env:
        site = site_packages(env)
        run(env / "bin" / "python", "-m", "pip", "uninstall", "-y", "numpy")
        pip = subprocess.Popen(
            [env / "bin" / "python", "-m", "pip", "install", "--no-deps", "numpy"],
            env=variables(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        while pip.poll() is None and not any(site.glob(after)):
            time.sleep(0.001)
        pip.send_signal(signal.SIGKILL)
        pip.wait()
        report = ask.json("check", env)  # a METADATA cut short makes it incomplete
        assert contradictions(report, env) == []


# --- links --------------------------------------------------------------------------------------


def test_links_into_a_cleaned_cache(ask: Whyso, tmp_path: Path) -> None:
    env, cache = tmp_path / "env", tmp_path / "cache"
    create(env, "uv")
    install(env, "uv", "--link-mode=symlink", *PACKAGES, UV_CACHE_DIR=str(cache))
    init = site_packages(env) / "numpy" / "__init__.py"
    assert init.is_symlink() and init.resolve().is_relative_to(cache.resolve())
    report = ask.check(env)
    assert_quiet(report)
    compare_imports(report, env)
    run("uv", "cache", "clean", UV_CACHE_DIR=str(cache))
    assert init.is_symlink() and not init.exists()
    report = ask.check(env)
    # numpy is an empty namespace now, which Python imports without a word.
    assert compare_imports(report, env)["numpy"].outcome == "ok"
    found = findings(report, "error", "warning")
    assert {f["rule"] for f in found} == {"broken-link"}
    assert [f["package"]["name"].replace("_", "-") for f in found] == sorted(PACKAGES)
    assert (report["status"], report["verdict"]) == (0, "degraded")
    (cause,) = report["causes"]
    assert cause["rule"] == "broken-link"
    for one in found:
        assert str(cache) in one["because"][0]
    assert len(mend(ask.text(env), env)) == 1
    assert_quiet(ask.check(env))
    assert not init.is_symlink() and imported(env, "numpy").outcome == "ok"


# --- places with little in them -----------------------------------------------------------------


def test_empty_venv(ask: Whyso, tmp_path: Path, tool: Tool) -> None:
    create(tmp_path / "env", tool)
    report = ask.check(tmp_path / "env")
    assert_quiet(report)
    assert report["imports"] == []


def test_site_packages_alone(ask: Whyso, env: Path) -> None:
    report = ask.json("check", site_packages(env))
    assert report["environment"]["kind"] == "site"
    assert_quiet(report)
    assert set(outcomes(report).values()) == {"ok"}
