"""The scientific stack, whole and with one thing broken at a time.

The judge is the environment's own python: every import that whyso lists is really tried in a fresh
process, and outcome, text and exception type must be the same.
"""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.real.alone import judge
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
    Workshop,
    create,
    dangle,
    install,
    replace,
    truncate,
)
from tests.real.reality import imported, record, site_packages, variables

PINNED = Path(__file__).with_name("scientific.txt").read_text().split("\n", 1)[1].split()
# The pinned wheels are for 3.11 and later; older Pythons get what the index has for them.
PACKAGES = PINNED if sys.version_info >= (3, 11) else [p.partition("==")[0] for p in PINNED]
MODULES = {
    "PIL",
    "cryptography",
    "cv2",
    "h5py",
    "lxml",
    "matplotlib",
    "numpy",
    "pandas",
    "psycopg2",
    "pyarrow",
    "scipy",
    "sklearn",
}
# What really fails when numpy does not load.
ON_NUMPY = frozenset("contourpy cv2 h5py matplotlib numpy pandas pylab scipy sklearn".split())


@pytest.fixture(scope="session")
def whole(workshop: Workshop) -> Path:
    def make(env: Path) -> None:
        create(env, "uv")
        install(env, "uv", *PACKAGES)
        for module in sorted(MODULES):  # also writes the .pyc that later imports read
            assert imported(env, module).outcome == "ok"

    return workshop.template("scientific", PACKAGES, make)


@pytest.fixture
def env(workshop: Workshop, whole: Path) -> Iterator[Path]:
    with workshop.copy(whole) as copy:
        yield copy


# --- whole --------------------------------------------------------------------------------------


def test_healthy(ask: Whyso, env: Path) -> None:
    report = ask.check(env)
    assert_quiet(report)
    assert outcomes(report).keys() >= MODULES
    assert set(outcomes(report).values()) == {"ok"}
    real = compare_imports(report, env)
    assert {module for module, how in real.items() if how.outcome != "ok"} == set()


def test_one_processor(ask: Whyso, env: Path) -> None:
    """What other threads read ahead, or do not, changes nothing."""
    report = ask.call("check", "--env", env, "--format", "json", "-v")
    all_of_them = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(all_of_them)})
    try:
        alone = ask.call("check", "--env", env, "--format", "json", "-v")
    finally:
        os.sched_setaffinity(0, all_of_them)
    assert alone == report


def slim(site: Path) -> None:
    """As images are made small. Every changed file is a new one."""
    for folder in [*site.rglob("tests"), *site.rglob("include"), *site.rglob("__pycache__")]:
        shutil.rmtree(folder, ignore_errors=True)
    for path in site.rglob("*"):
        if path.suffix in (".h", ".hpp", ".pxd", ".pyi", ".a") and path.is_file():
            path.unlink()
    # strip damages what auditwheel has put into NAME.libs: patchelf has moved its segments.
    for path in [p for p in site.rglob("*.so") if p.parent.suffix != ".libs"]:
        stripped = path.with_suffix(".stripped")
        subprocess.run(["strip", "--strip-unneeded", "-o", stripped, path], check=True)
        stripped.replace(path)


def test_slimmed(ask: Whyso, env: Path) -> None:
    whole = outcomes(ask.check(env))
    slim(site_packages(env))
    report = ask.check(env)
    assert_quiet(report)
    assert outcomes(report) == whole
    assert {how.outcome for how in compare_imports(report, env).values()} == {"ok"}


LISTED = """
import importlib.metadata as m
with_elf = set()
for d in m.distributions():
    for f in d.files or ():
        p = f.locate()
        if p.is_file() and p.open("rb").read(4) == b"\\x7fELF":
            with_elf.add(d.name)
            break
print([k for k, v in m.packages_distributions().items() if k.isidentifier() and with_elf & set(v)])
"""


def test_every_package_with_native_code_is_listed(ask: Whyso, env: Path) -> None:
    """importlib.metadata's own idea of what belongs to whom, against ours."""
    done = subprocess.run(
        [env / "bin" / "python", "-c", LISTED],
        env=variables(),
        capture_output=True,
        text=True,
        check=True,
    )
    names: list[str] = ast.literal_eval(done.stdout)
    assert sorted(outcomes(ask.check(env))) == sorted(names)


def test_each_library_alone(ask: Whyso, whole: Path) -> None:
    verdict = judge(ask, whole)
    assert verdict.differences == []
    assert verdict.outcomes["ok"] > 300


# --- broken -------------------------------------------------------------------------------------

LFS_POINTER = (
    b"version https://git-lfs.github.com/spec/v1\n"
    b"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\n"
    b"size 12345678\n"
)


def one(site: Path, pattern: str) -> Path:
    (path,) = site.glob(pattern)
    return path


def remove_all(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()


def half(path: Path) -> None:
    truncate(path, path.stat().st_size // 2)


class Damage(NamedTuple):
    name: str
    do: Callable[[Path], None]  # on site-packages
    rule: str
    package: str
    broken: frozenset[str]  # imports that really fail; Python is asked too


DAMAGES = [
    Damage(
        "numpy-libs-deleted",
        lambda s: remove_all(s / "numpy.libs"),
        "missing-file",
        "numpy",
        ON_NUMPY,
    ),
    Damage(
        "libarrow-truncated",
        lambda s: half(one(s, "pyarrow/libarrow.so.*")),
        "bad-file",
        "pyarrow",
        frozenset({"pandas", "pyarrow", "sklearn"}),
    ),
    Damage(
        "extension-is-lfs-pointer",
        lambda s: replace(one(s, "scipy/_lib/_ccallback_c.*.so"), LFS_POINTER),
        "bad-file",
        "scipy",
        frozenset({"scipy", "sklearn"}),
    ),
    Damage(
        "library-is-dangling-link",
        lambda s: dangle(one(s, "h5py.libs/libhdf5-*")),
        "broken-link",
        "h5py",
        frozenset({"h5py"}),
    ),
    Damage(
        "psycopg2-libs-deleted",
        lambda s: remove_all(s / "psycopg2_binary.libs"),
        "gutted-package",
        "psycopg2-binary",
        frozenset({"psycopg2"}),
    ),
]


@pytest.mark.parametrize("damage", DAMAGES, ids=[d.name for d in DAMAGES])
def test_one_thing_broken(ask: Whyso, env: Path, damage: Damage) -> None:
    damage.do(site_packages(env))
    report = ask.check(env)
    real = compare_imports(report, env)
    assert {module for module, how in real.items() if how.outcome != "ok"} == damage.broken
    said = outcomes(report)
    assert {module for module, outcome in said.items() if outcome == "fails"} == damage.broken
    assert "unknown" not in said.values()
    (found,) = findings(report, "error", "warning")
    assert (found["severity"], found["rule"]) == ("error", damage.rule)
    assert found["package"]["name"] == damage.package
    assert set(found["breaks"]["imports"]) == damage.broken
    absent = [r.path for r in record(env, damage.package) if not os.path.lexists(r.path)]
    assert sorted(found["missing"]) == sorted(str(p.relative_to(env)) for p in absent)
    assert (report["status"], report["verdict"]) == (1, "broken")
    assert report["summary"]["imports_broken"] == len(damage.broken)
    assert len(mend(ask.text(env), env)) == 1
    assert_quiet(ask.check(env))
    assert imported(env, sorted(damage.broken)[0]).outcome == "ok"


def test_an_emptied_submodule(ask: Whyso, env: Path) -> None:
    """`import lxml` maps nothing and works; lxml.etree does not."""
    etree = one(site_packages(env), "lxml/etree.*.so")
    replace(etree, b"")
    report = ask.check(env)
    real = compare_imports(report, env)
    assert real["lxml"].outcome == "ok"
    assert outcomes(report)["lxml"] in ("ok", "unknown")
    assert [f["package"]["name"] for f in findings(report, rule="bad-file")] == ["lxml"]
    assert findings(report, "error") == []
    report = ask.check(env, "lxml.etree")
    compare_imports(report, env)
    assert outcomes(report) == {"lxml.etree": "fails"}
    assert report["imports"][0]["message"] == f"{etree}: file too short"
    assert (report["status"], report["verdict"]) == (1, "broken")
    assert len(mend(ask.text(env, "lxml.etree"), env)) == 1
    assert_quiet(ask.check(env))


def test_damage_where_python_imports_out_of_sight(ask: Whyso, env: Path) -> None:
    """`import scipy` opens none of these two."""
    site = site_packages(env)
    half(one(site, "scipy/linalg/cython_lapack.*.so"))
    dop = one(site, "scipy/integrate/_dop.*.so")
    truncate(dop, dop.stat().st_size * 9 // 10)  # ends within its last page: the loader takes it
    report = ask.check(env)
    assert contradictions(report, env) == []
    assert outcomes(report)["scipy"] == "ok"
    assert {f["package"]["name"] for f in report["findings"]} == {"scipy"}
    assert findings(report, rule="bad-file")
    assert len(mend(ask.text(env, "-v"), env)) >= 1
    assert_quiet(ask.check(env))


@pytest.mark.parametrize(
    ("gone", "severity", "hit"),
    [
        ("pandas/core/internals/blocks.py", "error", {"pandas": "fails", "sklearn": "ok"}),
        ("scipy/sparse/linalg/matfuncs.py", "error", {"scipy": "ok", "sklearn": "fails"}),
        ("h5py/__init__.py", "warning", {"h5py": "ok"}),
    ],
)
def test_a_python_file_gone(
    ask: Whyso, env: Path, gone: str, severity: str, hit: dict[str, str]
) -> None:
    (site_packages(env) / gone).unlink()
    report = ask.check(env)
    compare_imports(report, env)
    (found,) = report["findings"]
    assert (found["rule"], found["severity"]) == ("missing-file", severity)
    assert found["file"] == str((site_packages(env) / gone).relative_to(env))
    assert {module: outcomes(report)[module] for module in hit} == hit
    assert len(mend(ask.text(env, "-v"), env)) == 1
    assert_quiet(ask.check(env))
