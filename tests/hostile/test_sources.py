"""Python files that no person writes, and imports that lead in circles."""

from __future__ import annotations

import os

import pytest

from tests.hostile.conftest import SUFFIX, Attack, Call, Env
from tests.loader.elfwriter import Elf

FAILS = "from ._c import x\n"

SOURCES = {
    "brackets": "(" * 10000 + ")" * 10000 + "\n" + FAILS,
    "open brackets": "[" * 10000 + "\n" + FAILS,
    "nested ifs": "".join(" " * i + "if a:\n" for i in range(1000)) + " " * 1000 + "b\n" + FAILS,
    "many ifs": "if a:\n import b\n" * 20000 + FAILS,
    "many elifs": "if a: b\n" + "elif c: d\n" * 20000 + FAILS,
    "many tries": "try:\n import a\nexcept ImportError: pass\n" * 10000 + FAILS,
    "nots": "if " + "not " * 200000 + "a:\n from ._c import x\n",
    "condition": "if " + "(" * 20000 + "a" + ")" * 20000 + ":\n from ._c import x\n",
    "f-strings": 'x = f"' + '{f"' * 10000 + '"}' * 10000 + '"\n' + FAILS,
    "open string": 'x = """' + "a\n" * 100000,
    "names": "from ._c import (" + ",".join(f"n{i}" for i in range(50000)) + ")\n",
    "dots": "import " + ".".join("a" * 100000) + "\n" + FAILS,
    "levels": "from " + "." * 100000 + " import x\n" + FAILS,
    "long name": "import " + "a" * 1000000 + "\n" + FAILS,
    "zeros": "\0" * 10000,
    "escapes": "import \x1b[31mx\nfrom .\x1b import \x07\n# coding: \x1b\n",
    "too large": "#" * (16 << 20) + "\n",
    "lists that double": "l = [1, 2]\n" + "l = l + l\n" * 60 + FAILS,
    "texts that double": "t = 'ab'\n" + "t = f'{t}{t}'\n" * 60 + FAILS,
    "loops in loops": "r = range(9999)\nfor a in r:\n for b in r:\n  d = [a] * 4000\n" + FAILS,
    "functions that call twice": "def f(): return f(), f()\nf()\n" + FAILS,
    "paths that grow": "import sys\nfor i in range(9999):\n"
    "  sys.path.append(str(i))\n  try:\n   __import__(f'm{i}')\n  except ImportError: pass\n"
    + FAILS,
    "paths that change": "import sys\nfor i in range(9999):\n"
    "  sys.path[0] = str(i)\n  try:\n   import m\n  except ImportError: pass\n" + FAILS,
    "folders that grow": "for i in range(9999):\n __path__.append(str(i))\n"
    " try:\n  from . import m\n except ImportError: pass\n" + FAILS,
    "code that runs itself": "s = 'exec(s)'\nexec(s)\n" + FAILS,
    "attributes for ever": "class A:\n def __getattr__(s, n): return getattr(s, n + n)\nA().a\n"
    + FAILS,
    "bases that meet again": "class A: pass\nclass B: pass\n"
    + "class C(A, B): pass\nclass D(A, B): pass\nA = C\nB = D\n" * 60
    + "try: A().x\nexcept AttributeError: pass\n"
    + FAILS,
    "a class below itself": "class A: pass\n" + "class A(A): pass\n" * 20000 + FAILS,
}


@pytest.mark.parametrize("name", SOURCES)
def test_source(attack: Attack, env: Env, name: str) -> None:
    env.package("x", "libgone.so", init=SOURCES[name])
    assert attack(env).outcomes["x"] in ("fails", "unknown")


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b'"""', "string does not end"), (b"#" * (16 << 20) + b"#", "larger than 16 MiB")],
    ids=["open string", "too large"],
)
def test_what_cannot_be_read_is_not_ok(attack: Attack, env: Env, data: bytes, reason: str) -> None:
    env.package("x").joinpath("__init__.py").write_bytes(data)
    imports = attack(env).report["imports"]
    assert [(i["module"], i["outcome"]) for i in imports] == [("x", "unknown")]
    assert "x/__init__.py" in imports[0]["reason"] and reason in imports[0]["reason"]


@pytest.mark.parametrize(("path", "mode"), [("__init__.py", 0o000), ("", 0o311), ("inner", 0o000)])
def test_what_this_user_may_not_read_is_not_ok(
    attack: Attack, env: Env, as_others: list[str], path: str, mode: int
) -> None:
    package = env.package("x", init="import x.inner\n")
    (package / "inner").mkdir()
    (package / path).chmod(mode)
    imports = attack(env, "module:x", before=as_others).report["imports"]
    (package / path).chmod(0o755)
    assert [i["outcome"] for i in imports] == ["unknown"]
    assert "Permission denied" in imports[0]["reason"]


def test_a_pipe_in_the_place_of_a_source(attack: Attack, env: Env) -> None:
    init = env.package("x", "libgone.so") / "__init__.py"
    init.unlink()
    os.mkfifo(init)
    attack(env)
    attack(env, "x")


def test_a_circle_of_modules(attack: Attack, env: Env) -> None:
    package = env.package("x", "libgone.so", init="from .m0 import a\n")
    for i in range(1000):
        (package / f"m{i}.py").write_text(f"import x\nfrom .m{(i + 1) % 1000} import a\n")
    attack(env)


@pytest.mark.parametrize("names", ["all", "the next"])
def test_packages_that_import_each_other(attack: Attack, env: Env, names: str) -> None:
    """Each is followed in a process of its own, and inside the one that imports it."""
    for i in range(1200):
        (env.site / f"p{i}").mkdir()
        (env.site / f"p{i}" / f"_c{SUFFIX}").write_bytes(Elf(needed=["libgone.so"]).to_bytes())
        imported = range(0, 1200, 7) if names == "all" else [(i + 1) % 1200]
        lines = [f"import p{k}\n" for k in imported]
        (env.site / f"p{i}" / "__init__.py").write_text("".join(lines) + FAILS)
    answer = attack(env)
    assert set(answer.outcomes.values()) <= {"fails", "unknown"} and len(answer.outcomes) == 1200


@pytest.mark.parametrize(
    "body",
    [
        "if a:\n from . import m{n}\nif b:\n from . import m{n}\nfrom . import m{n}\n",
        "try:\n from . import m{n}\nexcept ImportError:\n from . import m{n}\n",
        "try:\n from . import m{n}\nexcept ImportError:\n if a: raise\n from . import m{n}\n",
    ],
    ids=["conditions", "handlers", "raising again"],
)
def test_two_ways_at_each_step(attack: Attack, env: Env, body: str) -> None:
    """Following both ways of each module anew would take 2^40 steps."""
    package = env.package("x", "libgone.so", init="from . import m0\n")
    for i in range(40):
        (package / f"m{i}.py").write_text(body.format(n=i + 1))
    (package / "m40.py").write_text(FAILS)
    assert attack(env).outcomes["x"] in ("fails", "unknown")


def test_a_package_inside_itself(attack: Attack, env: Env) -> None:
    package = env.package("x", "libgone.so", init="from . import x\nfrom ._c import y\n")
    (package / "x").symlink_to(".")
    answer = attack(env)
    assert answer.outcomes == {"x": "fails"}
    assert [f["library"] for f in answer.findings("missing-library")] == ["libgone.so"]
    assert len(answer.report["findings"]) == 1


def test_names_as_deep_as_an_argument_can_be(call: Call, env: Env) -> None:
    for name in (".".join("a" * 60000), "module:" + ".".join("a" * 60000)):
        status, _, err = call("check", name, "-e", env.prefix)
        assert status in (0, 2) and err.count("\n") == (status == 2)


def test_path_lines(attack: Attack, env: Env) -> None:
    env.package("x", "libgone.so")
    for i in range(3000):
        (env.site / f"q{i}").mkdir()
    (env.site / "a.pth").write_text("".join(f"q{i}\n" for i in range(3000)) + "nowhere\n" * 100000)
    (env.site / "b.pth").write_text("b.pth\n.\n..\n/dev/zero\n\x1b[31m\npipe\nc.pth\n")
    os.mkfifo(env.site / "pipe")
    os.mkfifo(env.site / "c.pth")
    (env.site / "d.pth").symlink_to("/dev/zero")
    (env.site / "e.pth").symlink_to("e.pth")
    (env.site / "f.pth").write_bytes(b"\xff\0\n")
    (env.site / "g.pth").write_text("import os; os.system('touch pwned')\n")
    (env.site / "sitecustomize.py").write_text("import os; os.system('touch pwned')\n")
    answer = attack(env)
    assert answer.outcomes == {"x": "fails"}
    assert len(answer.report["environment"]["sys_path"]) > 3000


def test_a_source_that_is_an_extension_by_another_name(attack: Attack, env: Env) -> None:
    """What was read ahead as the one is asked for as the other."""
    init = "from . import z\nif 0:\n    from . import _y\nfrom ._c import x\n"
    package = env.package("x", "libgone.so", init=init)
    named = Elf(segment=4, soname="numpy.core._multiarray_umath")  # a constant that names a module
    (package / "z.py").write_bytes(named.to_bytes())
    (package / f"_y{SUFFIX}").symlink_to("z.py")
    assert attack(env).outcomes == {"x": "fails"}


def test_libraries_that_are_modules_of_many_names(attack: Attack, env: Env) -> None:
    package = env.package("x", "libgone.so")
    for i in range(500):
        (package / f"l{i}.so").symlink_to(f"_c{SUFFIX}")
        os.link(package / f"_c{SUFFIX}", package / f"h{i}.so")
    (package / "other.so").write_bytes(Elf(needed=["other.so"], soname="other.so").to_bytes())
    assert attack(env).outcomes == {"x": "fails"}
