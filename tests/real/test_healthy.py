"""Healthy environments of every make: quiet, all their native modules listed, each as it is.

Those of torch, tensorflow and jax alone are judged in test_torch.py and test_frameworks.py, before
they are broken there. The wheels of torch in the index are all for CUDA: there is none for the CPU.
"""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path

import pytest

from bench.accuracy import sets
from tests.cases.builder import MODULE
from tests.real.answers import Whyso, assert_healthy, assert_quiet, compare_imports
from tests.real.environments import Tool, Workshop, create, install, run

# contourpy imports numpy, whose wheel brings libraries of hashed names in numpy.libs.
PACKAGES = ["numpy", "contourpy", "psycopg2-binary", "lxml"]
MODULES = {"numpy", "contourpy", "psycopg2", "lxml"}
SYSTEM = Path("/usr/bin/python3")
SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))

# Python that fails in healthy wheels, and what it says. Its driver manager is another project.
FAIL = {"adbc_driver_duckdb": "No module named 'adbc_driver_manager'"}


@pytest.mark.parametrize("make", ["moved", "reached by a link", "where it was made"])
@pytest.mark.parametrize("tool", ["pip", "uv"])
def test_venv(ask: Whyso, tmp_path: Path, tool: Tool, make: str) -> None:
    env = tmp_path / "env"
    create(env, tool)
    install(env, tool, *PACKAGES)
    if make == "moved":
        env = env.rename(tmp_path / "moved")
    elif make == "reached by a link":
        (tmp_path / "link").symlink_to(env)
        env = tmp_path / "link"
    assert assert_healthy(ask, env).keys() == MODULES


@pytest.mark.parametrize("mode", ["hardlink", "copy", "symlink", "clone"])
def test_link_modes_of_uv(ask: Whyso, tmp_path: Path, mode: str) -> None:
    """Where the file system cannot clone, uv copies."""
    env = tmp_path / "env"
    create(env, "uv")
    install(env, "uv", f"--link-mode={mode}", *PACKAGES, UV_CACHE_DIR=str(tmp_path / "cache"))
    assert assert_healthy(ask, env).keys() == MODULES


def test_virtualenv(ask: Whyso, tmp_path: Path) -> None:
    """Its pip comes with a RECORD that lists folders for byte code."""
    create(tmp_path / "tool", "uv")
    install(tmp_path / "tool", "uv", "virtualenv")
    env = tmp_path / "env"
    run(tmp_path / "tool/bin/virtualenv", "--quiet", env)
    install(env, "pip", *PACKAGES)
    assert assert_healthy(ask, env).keys() == MODULES
    assert ask.check(env)["findings"] == []


def test_prefix_like_condas(ask: Whyso, tmp_path: Path) -> None:
    """conda-meta, and an interpreter of its own instead of a pyvenv.cfg."""
    base, env = Path(sys.base_prefix), tmp_path / "conda"
    library = f"lib/python{sys.version_info.major}.{sys.version_info.minor}"
    debian = "dist-packages" in (base / library / "site.py").read_text()
    site = env / library / ("dist-packages" if debian else "site-packages")
    for folder in ("bin", "lib", "conda-meta"):
        (env / folder).mkdir(parents=True)
    run("cp", Path(sys.executable).resolve(), env / "bin/python3")
    run("cp", "-a", base / library, *base.glob("lib/libpython3*"), env / "lib")
    run("rm", "-rf", site, env / library / "test")
    run("uv", "pip", "install", "--quiet", "--target", site, *PACKAGES)
    assert assert_healthy(ask, env).keys() == MODULES
    assert ask.check(env)["environment"]["kind"] == "conda"


# --- modules from elsewhere ---------------------------------------------------------------------


@pytest.mark.skipif(not SYSTEM.exists(), reason="there is no system python")
@pytest.mark.parametrize("where", ["itself", "venv that sees it", "venv of its own"])
def test_system_python(ask: Whyso, tmp_path: Path, where: str) -> None:
    env, given = SYSTEM.parent.parent, SYSTEM
    if where != "itself":
        env = given = tmp_path / "env"
        sees = ["--system-site-packages"] if where == "venv that sees it" else []
        run(SYSTEM, "-m", "venv", "--without-pip", *sees, env)
        run("uv", "pip", "install", "--quiet", "--python", env, *PACKAGES)
    report = ask.json("check", given)
    real = compare_imports(report, env)
    assert where == "itself" or real.keys() >= MODULES
    if all(i.outcome == "ok" for i in real.values()):  # else a fault of this machine
        assert_quiet(report)


def test_user_site(ask: Whyso, tmp_path: Path) -> None:
    env, base = tmp_path / "env", tmp_path / "user base"
    run(sys.executable, "-m", "venv", "--system-site-packages", env)
    options = ["--user", "--ignore-installed"]
    install(env, "pip", *options, *PACKAGES, PYTHONUSERBASE=str(base))
    real = assert_healthy(ask, env, PYTHONUSERBASE=str(base))
    assert real.keys() >= MODULES


def test_target_folder(ask: Whyso, tmp_path: Path) -> None:
    env, target = tmp_path / "env", tmp_path / "target"
    create(env, "pip")
    install(env, "pip", "--target", str(target), *PACKAGES)
    assert assert_healthy(ask, env, PYTHONPATH=str(target)).keys() == MODULES
    assert ask.check(env, "--set", f"PYTHONPATH={target}")["findings"] == []


PROJECT = """
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"
[project]
name = "made-here"
version = "1"
[tool.setuptools]
package-dir = {package_dir}
packages = ["made_here"]
"""


@pytest.mark.parametrize("layout", ["flat", "src"])
@pytest.mark.parametrize("mode", ["lenient", "strict", "compat"])
def test_editable_install(ask: Whyso, tmp_path: Path, layout: str, mode: str) -> None:
    """A .pth file or a finder leads to the sources, where an extension was built in place."""
    env, project = tmp_path / "env", tmp_path / "project"
    folder = project / ("src/made_here" if layout == "src" else "made_here")
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("from made_here import _part\n")
    run(
        "sh",
        "-euc",
        'printf %s "$1" | gcc -shared -fPIC -x c - -o "$2"',
        "sh",
        MODULE.format("_part"),
        folder / f"_part{SUFFIX}",
    )
    package_dir = '{"" = "src"}' if layout == "src" else '{"made_here" = "made_here"}'
    (project / "pyproject.toml").write_text(PROJECT.format(package_dir=package_dir))
    (project / "MANIFEST.in").write_text("include src/made_here/*.so made_here/*.so\n")
    create(env, "pip")
    install(env, "pip", f"--config-settings=editable_mode={mode}", "--editable", str(project))
    assert assert_healthy(ask, env).keys() == {"made_here"}
    (entry,) = ask.check(env)["imports"]
    assert entry["package"]["name"] == "made-here"


# --- many at once -------------------------------------------------------------------------------


# Popular ones with native code, from many fields.
SIXTY = """
    aiohttp argon2-cffi astropy asyncpg av bcrypt biopython bottleneck brotli cffi contourpy cramjam
    cryptography ctranslate2 cvxopt cython debugpy duckdb faiss-cpu fiona gevent gmpy2 grpcio h5py
    hiredis imagecodecs kiwisolver lightgbm lxml lz4 matplotlib msgpack netcdf4 numba numexpr numpy
    onnx onnxruntime opencv-python-headless orjson pandas pillow polars psutil psycopg2-binary
    pyarrow pydantic pymongo pynacl pyproj pyyaml pyzmq rapidfuzz rasterio regex safetensors
    scikit-image scikit-learn scipy sentencepiece shapely sqlalchemy statsmodels tables tokenizers
    uvloop wrapt zstandard
""".split()


@pytest.mark.full
def test_sixty_packages_together(ask: Whyso, workshop: Workshop) -> None:
    versions = sets.HERE / "locked" / "lot-1.txt"

    def make(env: Path) -> None:
        create(env, "uv")
        install(env, "uv", "-c", str(versions), *SIXTY)

    env = workshop.template("sixty", [*SIXTY, versions.read_text()], make)
    try:
        real = assert_healthy(ask, env)
    finally:
        workshop.drop(env)
    assert len(real) > 60
    assert {m: i.text for m, i in real.items() if i.outcome != "ok"} == FAIL
