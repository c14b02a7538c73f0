"""Where imports look, and what code changes of it: small trees, really imported.

The judge is the real interpreter: `whyso verify` compares outcome, text and mapped objects. The
extensions of a tree are opened by nothing but the way under test.
"""

from __future__ import annotations

import sysconfig
import venv
import zipfile
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.cases.builder import MODULE, gcc
from tests.cli.conftest import Ask
from tests.cli.test_verify import verified

SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX"))
HERE = "import os, sys\nhere = os.path.dirname(__file__)\n"
# One offers a symbol, the other needs it: it loads only when the first one is opened with GLOBAL.
OFFERS = "int offered(void) { return 3; }\n"
WANTS = "int offered(void); int wants(void) { return offered(); }\n"


class Env(NamedTuple):
    prefix: Path
    site: Path

    def put(self, files: dict[str, str]) -> None:
        for name, text in files.items():
            path = self.site / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def extension(self, name: str, code: str = "", suffix: str = SUFFIX) -> None:
        path = self.site / f"{name}{suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        source = MODULE.format(path.name.split(".")[0]) + code
        gcc(source, "-shared", "-fPIC", "-Wl,-z,now", "-o", str(path))


def make(folder: Path) -> Env:
    prefix = folder.resolve() / ".venv"
    venv.create(prefix, with_pip=False)
    (site,) = prefix.glob("lib/python3*/site-packages")
    return Env(prefix, site)


def agrees(ask: Ask, env: Env, module: str) -> None:
    entry = verified(ask, env.prefix, module)
    assert entry["same"], entry
    assert entry["real"]["outcome"] == "ok"


PATHS = {
    "appended": HERE + "sys.path.append(os.path.join(here, 'hid'))\nimport hidden\n",
    "inserted": HERE + "sys.path.insert(0, here + '/hid')\nimport both\n",
    "assigned": HERE
    + "old = list(sys.path)\nsys.path = [here + '/hid'] + sys.path\nimport both\nsys.path = old\n",
    "by_slice": HERE
    + "sys.path[:0] = [here + '/hid']\nimport both\ndel sys.path[0]\n"
    + "try:\n    import hidden\nexcept ImportError:\n    import second\n",
    "by_item": HERE + "sys.path[0] = here + '/hid'\nimport hidden\n",
    "added": HERE + "sys.path += [here + '/hid']\nimport hidden, both\nsys.path.pop()\n",
    "loaded_before": "import both\nimport inserted\n",
    "loaded_after": "import inserted\nimport both\n",
    "again": "import appended\nimport package_there\n",
    "package_there": HERE
    + "from pathlib import Path\nsys.path.append(str(Path(__file__).parent / 'hid'))\n"
    + "import inner.sub\n",
    "by_site": HERE + "import site\nsite.addsitedir(here + '/hid')\nimport hidden\n",
    "by_name": HERE
    + "import importlib\nsys.path.extend([here + '/hid'])\nimportlib.import_module('hidden')\n",
    "not_there": HERE
    + "sys.path.append(here + '/none')\n"
    + "try:\n    import hidden\nexcept ImportError: import second\n",
    "namespace": "import spread.one, spread.two\n",
    "namespace_grows": HERE
    + "import spread.one\nsys.path.append(here + '/hid')\nimport spread.three\n",
    "runs_files": HERE
    + "import runpy\nrunpy.run_path(here + '/script.py')\nrunpy.run_module('to_run')\n",
    "global_first": "from symbols import wanted\n",
    "global_twice": "import global_first\nfrom symbols import wanted\n",
    "local_first": "from local import offer\ntry:\n    from local import wanted\n"
    "except ImportError as e:\n    import second\n",
}
PACKAGES = {
    "both.py": "",
    "hid/inner/__init__.py": "",
    "script.py": "import by_script\n",
    "to_run.py": "import by_module\n",
    "more.pth": "more\n",
    "dirs/__init__.py": HERE + "__path__.append(here + '/deep')\nfrom . import _below\n",
    "parts/__init__.py": "__path__ = __import__('pkgutil').extend_path(__path__, __name__)\n"
    "from parts import other\n",
    "more/parts/__init__.py": "__path__ = __import__('pkgutil').extend_path(__path__, __name__)\n",
    "relative/__init__.py": "import importlib\n"
    "importlib.import_module('._a', package=__name__)\n"
    "importlib.import_module('._b', __package__)\n"
    "__import__('_c', globals(), locals(), [], 1)\n"
    "__import__('relative.sub', fromlist=['_d'])\n"
    "from .sub import deep\n",
    "relative/sub/__init__.py": "",
    "relative/sub/deep.py": "import importlib\nimportlib.import_module('..._f', __name__)\n"
    "__import__('', globals(), None, ['_e'], 1)\n",
    "symbols/__init__.py": HERE + "old = sys.getdlopenflags()\n"
    "sys.setdlopenflags(old | os.RTLD_GLOBAL)\nfrom . import offer\nsys.setdlopenflags(old)\n",
    "local/__init__.py": "",
    "tagged.py": "import second\n",
}
EXTENSIONS = (
    *("hid/hidden", "hid/both", "hid/inner/sub", "hid/spread/three", "spread/one"),
    *("more/spread/two", "more/parts/other", "second", "by_script", "by_module"),
    *("dirs/deep/_below", "tagged"),
    *(f"relative/{name}" for name in ("_a", "_b", "_c", "sub/_d", "sub/_e", "_f")),
)


@pytest.fixture(scope="module")
def paths(tmp_path_factory: pytest.TempPathFactory) -> Env:
    env = make(tmp_path_factory.mktemp("paths"))
    env.put({f"{name}.py": text for name, text in PATHS.items()} | PACKAGES)
    for name in EXTENSIONS:
        env.extension(name)
    for suffix in (".abi3.so", ".so"):
        env.extension("tagged", suffix=suffix)
        env.extension("plain", suffix=suffix)
    for package in ("symbols", "local"):
        env.extension(f"{package}/offer", OFFERS)
        env.extension(f"{package}/wanted", WANTS)
    return env


@pytest.mark.parametrize("module", [*PATHS, "dirs", "parts", "relative", "tagged", "plain"])
def test_where_imports_look(ask: Ask, paths: Env, module: str) -> None:
    agrees(ask, paths, module)


def test_one_call_for_all(ask: Ask, paths: Env) -> None:
    """What one import changes is not there for the next one."""
    status, _, err = ask("verify", "-e", paths.prefix, "-q", *PATHS)
    assert (status, err) == (0, "")


# What a finder of setuptools does, in short.
EDITABLE = """import sys
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_file_location

PLACE = "__editable__.a-1.finder.__path_hook__"


class Finder:
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name in MAPPING:
            init = MAPPING[name] + "/__init__.py"
            return spec_from_file_location(name, init, submodule_search_locations=[MAPPING[name]])
        return None


class Namespaces:
    @classmethod
    def hook(cls, path):
        if path == PLACE:
            return cls
        raise ImportError

    @classmethod
    def find_spec(cls, name, target=None):
        if name in NAMESPACES:
            spec = ModuleSpec(name, None, is_package=True)
            spec.submodule_search_locations = [PLACE]
            return spec
        return None


def install():
    sys.meta_path.append(Finder)
    sys.path_hooks.append(Namespaces.hook)
    sys.path.append(PLACE)


"""
# Each environment has a start-up of its own.
STARTS = {
    "path lines": {
        "a.pth": "import sys; sys.path.append(sys.prefix + '/more')\n"
        "import one_of_two; import no_such\nimport never\n",
        "../../../more/added.py": "import beside\n",
        "asks.py": "import added, sys\nif 'one_of_two' in sys.modules:\n    import two\n",
    },
    "sitecustomize": {
        "sitecustomize.py": "import ctypes\nimport one_of_two\nraise RuntimeError\n",
        "usercustomize.py": "import never\n",
        "asks.py": "import one_of_two\n",
    },
    "easy install": {
        "easy.pth": "import sys; sys.__plen = len(sys.path)\n./egg\n"
        "import sys; new=sys.path[sys.__plen:]; del sys.path[sys.__plen:]; "
        "p=getattr(sys,'__egginsert',0); sys.path[p:p]=new; sys.__egginsert = p+len(new)\n",
        "egg/inside.py": "import one_of_two\n",
        "asks.py": "import inside\n",
    },
    "namespace": {
        "old-nspkg.pth": "import sys, types, os;p = os.path.join(sys._getframe(1)"
        ".f_locals['sitedir'], *('old',));m = sys.modules.setdefault('old', "
        "types.ModuleType('old'));mp = m.__dict__.setdefault('__path__',[]);mp.append(p)\n",
        "old/part.py": "import one_of_two\n",
        "asks.py": "import old.part\n",
    },
    "editable": {
        "__editable__.a-1.pth": "import __editable___a_1_finder; "
        "__editable___a_1_finder.install()\n",
        "__editable___a_1_finder.py": "import sys\nfrom importlib.util import "
        "spec_from_file_location\nMAPPING: dict[str, str] = {'mapped': '%s/src/mapped'}\n"
        "class F:\n    @classmethod\n    def find_spec(cls, name, path=None, target=None):\n"
        "        if name in MAPPING:\n            where = MAPPING[name]\n"
        "            return spec_from_file_location(name, where + '/__init__.py', "
        "submodule_search_locations=[where])\n"
        "def install():\n    sys.meta_path.append(F)\n",
        "../../../src/mapped/__init__.py": "from . import sub\n",
        "../../../src/mapped/sub.py": "import one_of_two\n",
        "asks.py": "import mapped\n",
    },
    "editable namespace": {
        "__editable__.a-1.pth": "import __editable___a_1_finder; "
        "__editable___a_1_finder.install()\n",
        "__editable___a_1_finder.py": EDITABLE
        + "MAPPING: dict[str, str] = {'space.part': '%s/src/part', 'taken': '%s/src/taken'}\n"
        "NAMESPACES: dict[str, list[str]] = {'space': []}\n",
        "../../../src/part/__init__.py": "import one_of_two\n",
        "../../../src/taken/__init__.py": "import never\n",
        "taken/by_a_folder.py": "import two\n",
        "asks.py": "import space.part\nimport taken\nfrom taken import by_a_folder\n",
    },
    "hooked": {
        "_a_editable.pth": "import _a_editable_loader\n",
        "_a_editable_loader.py": "import sys\nsys.meta_path.insert(0, type('F', (), {"
        "'find_spec': lambda *a, **k: None})())\n",
        "asks.py": "import one_of_two\n",
    },
}


@pytest.mark.parametrize("start", STARTS)
def test_what_runs_before(ask: Ask, tmp_path: Path, start: str) -> None:
    env = make(tmp_path)
    for name in ("one_of_two", "two", "never", "beside"):
        env.extension(name)
    texts = {name: text.replace("%s", str(env.prefix)) for name, text in STARTS[start].items()}
    env.put(texts)
    agrees(ask, env, "asks")


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_archives(ask: Ask, tmp_path: Path, method: int) -> None:
    """Sources in an archive are found, extensions in it are not."""
    env = make(tmp_path)
    for name in ("one", "two", "three", "packed"):
        env.extension(name)
    with zipfile.ZipFile(env.site / "all.zip", "w", method) as archive:
        archive.writestr("package/__init__.py", "from . import sub\n" + "# filled up\n" * 500)
        archive.writestr("package/sub.py", "def f():\n    import one\nf()\n")
        archive.writestr("inner/deep.py", "import three\n")
        archive.write(env.site / f"packed{SUFFIX}", f"packed{SUFFIX}")
        archive.write(env.site / f"packed{SUFFIX}", f"only{SUFFIX}")
    before = HERE + "sys.path.insert(0, here + '/all.zip')\n"
    with (env.site / "egg-1.0-py3.egg").open("wb") as file:
        file.write(b"#!/bin/sh\n")
        with zipfile.ZipFile(file, "a", method) as archive:
            archive.writestr("in_egg.py", "import two\n")
    env.put(
        {
            "path.pth": "egg-1.0-py3.egg\n",
            "broken.zip": "PK no zip",
            "asks.py": before + "import package, packed\n",
            "only_there.py": before + "try:\n    import only\nexcept ImportError: import two\n",
            "folder.py": HERE + "sys.path.append(here + '/all.zip/inner')\nimport deep\n",
            "egg.py": "import in_egg\n",
            "no_zip.py": HERE + "sys.path.insert(0, here + '/broken.zip')\nimport one\n",
        }
    )
    for module in ("asks", "only_there", "folder", "egg", "no_zip"):
        agrees(ask, env, module)
