"""The loader of musl: each point of docs/loader.md B, judged by that of Debian's package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.loader.elfwriter import (
    DF_1_NOW,
    EM_AARCH64,
    R_64,
    R_DTPMOD64,
    R_GLOB_DAT,
    R_JUMP_SLOT,
    R_TPOFF64,
    STB_WEAK,
    STT_TLS,
    STV_HIDDEN,
    Needs,
    Sym,
)
from tests.loader.judge import Drivers, run
from tests.loader.lab import MUSL, Lab, make_root

IRELATIVE = 37
NONE = "No such file or directory"
PATH_FILE = "etc/ld-musl-x86_64.path"
WANTS = Sym("ext", defined=False, relocs=[R_JUMP_SLOT])


@pytest.fixture
def drivers(musl_drivers: Drivers) -> Drivers:
    return musl_drivers


@pytest.fixture
def lab(tmp_path: Path, drivers: Drivers) -> Lab:
    return Lab(tmp_path / "D", drivers)


@pytest.fixture
def image(tmp_path: Path, drivers: Drivers) -> Lab:
    return make_root(tmp_path / "R", drivers)


def missing(name: str, by: str | None = None, why: str = NONE) -> str:
    return f"Error loading shared library {name}: {why}" + (f" (needed by {by})" if by else "")


# B1: the order of the search


def test_the_variable_comes_before_an_rpath(lab: Lab) -> None:
    for folder in ("d1", "d2"):
        lab.put(f"{folder}/libx.so.1")
    lab.put("mod.so", needed=["libx.so.1"], rpath="$D/d1")
    assert lab.one("$D/mod.so").mapped[1] == lab.path("d1/libx.so.1")
    step = lab.one("$D/mod.so", LD_LIBRARY_PATH="$D/d2")
    assert step.mapped[1] == lab.path("d2/libx.so.1")


def test_a_runpath_serves_what_its_needs_need(lab: Lab) -> None:
    lab.put("leaf/libleaf.so")
    lab.put("mid/libmid.so", needed=["libleaf.so"], runpath="$D/none")
    top = lab.put("top.so", needed=["libmid.so"], runpath="$D/mid:$D/leaf")
    found = [lab.path("mid/libmid.so"), lab.path("leaf/libleaf.so")]
    assert lab.one("$D/top.so").mapped == [top, *found]


def test_the_path_of_the_program_serves_all(lab: Lab) -> None:
    lab.put("d1/libx.so")
    lab.link("bin/prog", runpath="$ORIGIN/../d1")
    lab.put("mod.so", needed=["libx.so"], runpath="$D/none")
    assert lab.one("$D/mod.so").outcome == "ok"
    lab.symlink("prog-link", "bin/prog")
    lab.program = lab.path("prog-link")
    assert lab.one("libx.so").mapped == [f"{lab.path('bin')}/../d1/libx.so"]


def test_who_calls_does_not_matter(lab: Lab) -> None:
    lab.put("d1/libx.so")
    caller = lab.caller("caller.so", rpath="$D/d1")
    assert lab.one(caller, f"by={caller}:libx.so").message == missing("libx.so")


def test_a_runpath_takes_the_place_of_an_rpath(lab: Lab) -> None:
    lab.put("d1/libx.so")
    mod = lab.put("mod.so", needed=["libx.so"], rpath="$D/d1", runpath="")
    assert lab.one(mod).message == missing("libx.so", mod)


# B2: the text of a path


@pytest.mark.parametrize("text", ["$D/none:$D/d1", "$D/none\n$D/d1", "::$D/d1:", "d1", "$D/d1//"])
def test_separators_and_elements(lab: Lab, text: str) -> None:
    lab.put("d1/libx.so")
    assert lab.one("libx.so", LD_LIBRARY_PATH=text).outcome == "ok"


@pytest.mark.parametrize("text", [":", "", "$D/none:", "$D/none;$D/d1"])
def test_what_is_no_element(lab: Lab, text: str) -> None:
    """Nothing stands for the working directory, and ';' separates nothing."""
    lab.put("d1/libx.so")
    step = lab.one("libx.so", cwd="d1", LD_LIBRARY_PATH=text)
    assert step.message == missing("libx.so")


@pytest.mark.parametrize("text", ["$ORIGIN", "${ORIGIN}", "$ORIGIN/../d1", "$D/$:$D/d1", "$LIB:$D"])
def test_origin_and_other_tokens(lab: Lab, text: str) -> None:
    """One that is unknown makes all of the path useless."""
    lab.put("d1/libx.so")
    mod = lab.put("d1/mod.so", needed=["libx.so"], runpath=text)
    spoilt = "$:" in text or "LIB" in text
    assert lab.one(mod).message == (missing("libx.so", mod) if spoilt else None)


def test_origin_is_the_text_before_the_last_slash(lab: Lab) -> None:
    """A token may be followed by anything, and a relative name gives a relative folder."""
    lab.put("d1/libx.so")
    lab.put("d1foo/liby.so")
    lab.put("d1/mod.so", needed=["libx.so", "liby.so"], runpath="$ORIGIN:$ORIGINfoo")
    assert lab.one("d1/mod.so").mapped == ["d1/mod.so", "d1/libx.so", "d1foo/liby.so"]


def test_origin_at_the_root_is_nothing(image: Lab) -> None:
    image.put("libx.so")
    image.put("lib/sub/liby.so")
    image.put("mod.so", needed=["libx.so"], runpath="$ORIGIN")
    image.put("mod2.so", needed=["liby.so"], runpath="$ORIGIN/lib/sub")
    assert image.one("/mod.so").message == missing("libx.so", "/mod.so")
    assert image.one("/mod2.so").mapped[1] == "/lib/sub/liby.so"


def test_paths_that_do_not_fit_are_passed_over(lab: Lab) -> None:
    lab.put("d1/libx.so")
    room = 511 - len(lab.path("")) - len("d1/libx.so")
    fits = f"{lab.path('')}{'./' * (room // 2)}{'/' * (room % 2)}d1"
    assert lab.one("libx.so", LD_LIBRARY_PATH=fits).outcome == "ok"
    assert lab.one("libx.so", LD_LIBRARY_PATH=f"{fits}/").message == missing("libx.so")


# B3: names of its own


@pytest.mark.parametrize(
    "name", ["libc.so.6", "libm.so.6", "libdl.so.2", "librt.", "libc.x/y", MUSL]
)
def test_names_of_musl_itself(lab: Lab, name: str) -> None:
    """Whatever lies on disk."""
    lab.put("d1/libm.so.6")
    step = lab.one(name, LD_LIBRARY_PATH="$D/d1")
    assert (step.outcome, step.mapped) == ("ok", [])


def test_another_c_library_is_not_mapped(lab: Lab) -> None:
    libc = [Sym("__libc_start_main"), Sym("stdin", type=1)]
    lab.put("d1/libother.so", symbols=libc)
    lab.put("d1/libhalf.so", symbols=libc[:1])
    mod = lab.put("mod.so", needed=["libother.so", "libhalf.so"])
    step = lab.one("$D/mod.so", LD_LIBRARY_PATH="$D/d1")
    assert step.mapped == [mod, lab.path("d1/libhalf.so")]


# B4: what is loaded already


def test_a_soname_matches_nothing(lab: Lab) -> None:
    lab.put("d1/libn.so.1.0", soname="libn.so.1")
    mod = lab.put("mod.so", needed=["libn.so.1"])
    assert lab.one("$D/d1/libn.so.1.0", mod).message == missing("libn.so.1", mod)


def test_one_file_is_one_object(lab: Lab) -> None:
    """By whatever name; a file that a search leads to learns the last part of its path."""
    lab.put("d1/libreal.so")
    lab.hardlink("d2/libother.so", "d1/libreal.so")
    lab.symlink("d2/liblink.so", "$D/d1/libreal.so")
    steps = lab.ask(
        "$D/d1/libreal.so", "$D/d2/libother.so", "libreal.so", "liblink.so", "libreal.so",
        LD_LIBRARY_PATH="$D/d2",
    ).steps  # fmt: skip
    assert [len(s.mapped) for s in steps] == [1, 0, 0, 0, 0]
    assert [s.outcome for s in steps] == ["ok", "ok", "error", "ok", "ok"]


def test_a_name_stays_with_what_a_search_found(lab: Lab) -> None:
    for folder in ("d1", "d2"):
        lab.put(f"{folder}/libx.so")
        lab.put(f"{folder}.so", needed=["libx.so"], runpath=f"$D/{folder}")
    steps = lab.ask("$D/d1.so", "$D/d2.so", "$D/d2/libx.so").steps
    assert [len(s.mapped) for s in steps] == [2, 1, 1]


# B5: folders of the system


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (None, "/lib"),
        ("/d1", "/d1"),
        ("/none\n/d1:/lib\n", "/d1"),
        ("", None),
        ("/d1\0:/lib", "/d1"),
    ],
)
def test_the_path_file(image: Lab, text: str | None, found: str | None) -> None:
    for folder in ("d1", "lib", "usr/lib"):
        image.put(f"{folder}/libx.so")
    if text is not None:
        image.write(PATH_FILE, text.encode())
    step = image.one("libx.so")
    if found is None:
        assert step.message == missing("libx.so", why="No error information")
    else:
        assert step.mapped == [f"{found}/libx.so"]


def test_a_path_file_that_cannot_be_read(image: Lab) -> None:
    image.put("lib/libx.so")
    image.folder(PATH_FILE)
    texts = [s.message for s in image.ask("libx.so", "libx.so").steps]
    assert texts == [missing("libx.so", why=w) for w in ("Is a directory", "No error information")]


def test_there_is_no_cache(image: Lab) -> None:
    image.put("opt/lib/libx.so")
    image.write("etc/ld.so.conf", b"/opt/lib\n")
    image.ldconfig()
    assert image.one("libx.so").message == missing("libx.so")


# B6: the file itself


@pytest.mark.parametrize(
    "fields",
    [{"ident": {4: 1}}, {"ident": {0: 0x20}}, {"ident": {5: 2}}, {"machine": EM_AARCH64}],
)
def test_what_is_not_looked_at(lab: Lab, fields: dict[str, object]) -> None:
    lab.put("libx.so", **fields)
    assert lab.one("$D/libx.so").outcome == "ok"


@pytest.mark.parametrize(
    "fields",
    [{"type": 1}, {"cut": 63}, {"cut": 100}, {"dynamic": False}, {"bits": 32}, {"little": False}],
)
def test_what_is_no_library(lab: Lab, fields: dict[str, object]) -> None:
    lab.put("libx.so", **fields)
    assert lab.one("$D/libx.so").message == missing(lab.path("libx.so"), why="Exec format error")


def test_the_first_file_counts(lab: Lab) -> None:
    """Nothing is passed over for what it is."""
    lab.put("d2/libx.so")
    lab.write("d1/libx.so", b"INPUT ( libx.so.1 )\n" * 9)
    mod = lab.put("mod.so", needed=["libx.so"])
    paths = {"LD_LIBRARY_PATH": "$D/d1:$D/d2"}
    assert lab.one(mod, **paths).message == missing("libx.so", mod, "Exec format error")
    lab.remove("d1/libx.so")
    lab.folder("d1/libx.so")
    assert lab.one(mod, **paths).message == missing("libx.so", mod, "Is a directory")


def test_a_loop_ends_the_search(lab: Lab) -> None:
    lab.put("d2/libx.so")
    lab.symlink("d1/libx.so", "libx.so")
    lab.link("prog", rpath=lab.path("d2"))
    step = lab.one("libx.so", LD_LIBRARY_PATH="$D/d1")
    assert step.message == missing("libx.so", why="Symbolic link loop")
    lab.write("plain", b"")
    assert lab.one("libx.so", LD_LIBRARY_PATH="$D/plain").outcome == "ok"


def test_a_file_of_another_machine_fails_at_its_relocations(lab: Lab) -> None:
    symbols = [Sym("malloc", defined=False, relocs=[1026])]
    mod = lab.put("mod.so", machine=EM_AARCH64, symbols=symbols)
    text = f"Error relocating {mod}: unsupported relocation type 1026"
    assert lab.one(mod).message == text
    problem = lab.lines("$D/mod.so")[-1]["problems"][0]
    assert (problem["kind"], problem["message"]) == ("wrong-machine", text)


@pytest.mark.usefixtures("noexec")
def test_a_mount_with_noexec(lab: Lab) -> None:
    lab.put("noexec/data.so")
    code = lab.put("noexec/code.so", segment=7)
    assert lab.one("$D/noexec/data.so").outcome == "ok"
    assert lab.one(code).message == missing(code, why="Operation not permitted")
    assert lab.lines(code)[1]["problems"][0]["kind"] == "noexec-mount"


def test_no_hash_table_kills_the_process(lab: Lab) -> None:
    lab.put("mod.so", hashes="")
    assert lab.one("$D/mod.so").outcome == "crash"
    lab.put("mod.so", pad=8000, bss=64, cut=8192)
    assert lab.one("$D/mod.so").outcome == "crash"


# B7: words


def test_the_first_trouble_is_told(lab: Lab) -> None:
    mod = lab.put("mod.so", needed=["liba.so", "libb.so"], symbols=[WANTS])
    assert lab.one(mod).message == missing("liba.so", mod)
    kinds = [p["kind"] for p in lab.lines("$D/mod.so")[-1]["problems"]]
    assert kinds == ["missing-library", "missing-library"]


def test_a_start_tells_all(lab: Lab) -> None:
    libx = lab.put("d1/libx.so", needed=["libb.so"], symbols=[WANTS])
    prog = lab.link("prog", needed=["liba.so", "libx.so"], rpath=lab.path("d1"))
    step = lab.one()
    lines = [missing("liba.so", prog), missing("libb.so", libx)]
    lines.append(f"Error relocating {libx}: ext: symbol not found")
    assert (step.outcome, step.message) == ("error", "\n".join(lines))


def test_odd_requests(lab: Lab) -> None:
    lab.put("mod.so", needed=[""])
    assert lab.one("$D/none.so").message == missing(lab.path("none.so"))
    assert (
        lab.one("noload:$D/mod.so").message == f"Library {lab.path('mod.so')} is not already loaded"
    )
    assert lab.one("x" * 256).message == missing("x" * 256, why="No error information")
    assert lab.one("$D/mod.so").message == missing("", lab.path("mod.so"), "Invalid argument")
    assert lab.one("linux-gate.so.1").outcome == "ok"


# B8: symbols


def test_versions_are_not_checked(lab: Lab) -> None:
    provider = [Sym("ext", version="V1")]
    lab.put("d1/libv.so", soname="libv.so", verdef=["V1"], symbols=provider)
    wants = [Sym("ext", defined=False, version="V2", relocs=[R_JUMP_SLOT])]
    lab.put("mod.so", needed=["libv.so"], verneed=[Needs("libv.so", ["V2"])], symbols=wants)
    assert lab.one("$D/mod.so", LD_LIBRARY_PATH="$D/d1").outcome == "ok"
    provider[0].hidden = True  # what is not the default version serves nobody
    lab.put("d1/libv.so", soname="libv.so", verdef=["V1"], symbols=provider)
    text = f"Error relocating {lab.path('mod.so')}: ext: symbol not found"
    assert lab.one("$D/mod.so", LD_LIBRARY_PATH="$D/d1").message == text


@pytest.mark.parametrize("kind", [R_64, R_GLOB_DAT, R_JUMP_SLOT])
def test_an_undefined_symbol(lab: Lab, kind: int) -> None:
    mod = lab.put("u.so", symbols=[Sym("ext", defined=False, relocs=[kind])])
    assert lab.one(mod).message == f"Error relocating {mod}: ext: symbol not found"
    later = lab.one("lazy:$D/u.so").outcome
    assert later == ("error" if kind == R_64 else "ok")


def test_hidden_ones_serve_and_weak_ones_may_lack(lab: Lab) -> None:
    lab.put("d1/libh.so", symbols=[Sym("ext", visibility=STV_HIDDEN)])
    weak = Sym("none", defined=False, bind=STB_WEAK, relocs=[R_JUMP_SLOT])
    lab.put("mod.so", needed=["libh.so"], symbols=[WANTS, weak])
    assert lab.one("$D/mod.so", LD_LIBRARY_PATH="$D/d1").outcome == "ok"


@pytest.mark.parametrize("bind", [1, STB_WEAK])
def test_an_own_definition_must_be_in_the_hash_table(lab: Lab, bind: int) -> None:
    own = Sym("own", bind=bind, visibility=STV_HIDDEN, relocs=[R_64], hashed=False)
    mod = lab.put("mod.so", symbols=[own, Sym("other")])
    assert lab.one(mod).message == f"Error relocating {mod}: own: symbol not found"
    own.type, own.hashed = 10, True  # GNU_IFUNC is no kind that musl knows
    lab.put("mod.so", symbols=[own, Sym("other")])
    assert lab.one(mod).message == f"Error relocating {mod}: own: symbol not found"


def test_who_is_relocated_first(lab: Lab) -> None:
    """The root before its needs, calls before data."""
    lab.put("d1/liba.so", symbols=[Sym("sa", defined=False, relocs=[R_JUMP_SLOT])])
    symbols = [Sym("data", defined=False, relocs=[R_64]), WANTS]
    mod = lab.put("mod.so", needed=["liba.so"], symbols=symbols)
    step = lab.one(mod, LD_LIBRARY_PATH="$D/d1")
    assert step.message == f"Error relocating {mod}: ext: symbol not found"
    problems = lab.lines(mod, LD_LIBRARY_PATH="$D/d1")[-1]["problems"]
    assert [p["name"] for p in problems] == ["ext", "data", "sa"]


def test_types_it_does_not_know(lab: Lab) -> None:
    odd = [Sym("malloc", defined=False, relocs=[IRELATIVE])]
    mod = lab.put("mod.so", symbols=odd)
    assert lab.one(mod).message == f"Error relocating {mod}: unsupported relocation type 37"
    odd[0].name = "none"  # the name is looked for before
    lab.put("mod.so", symbols=odd)
    assert lab.one(mod).message == f"Error relocating {mod}: none: symbol not found"


# B8: binding later; what glibc has and musl has not


def test_now_and_later(lab: Lab) -> None:
    lab.put("now.so", symbols=[WANTS], flags_1=DF_1_NOW)
    assert lab.one("lazy:$D/now.so").outcome == "error"
    lab.put("later.so", symbols=[WANTS])
    lab.put("def.so", symbols=[Sym("ext")])
    assert lab.one("lazy:$D/later.so", LD_BIND_NOW="1").outcome == "ok"
    assert lab.one("global:$D/def.so", "$D/later.so").outcome == "ok"
    assert lab.one("$D/def.so", "$D/later.so").outcome == "error"


def test_a_call_that_waits_is_told_at_its_data(lab: Lab) -> None:
    first = Sym("first", defined=False, relocs=[R_64])
    both = Sym("both", defined=False, relocs=[R_JUMP_SLOT, R_64])
    mod = lab.put("mod.so", symbols=[first, both])
    assert lab.one(mod).message == f"Error relocating {mod}: both: symbol not found"
    assert lab.one(f"lazy:{mod}").message == f"Error relocating {mod}: first: symbol not found"


def test_filters_mean_nothing(lab: Lab) -> None:
    lab.put("mod.so", filters=["libnone.so"], auxiliaries=["libnone2.so"])
    assert lab.one("$D/mod.so").outcome == "ok"


def test_a_global_definition_comes_first_even_for_its_own(lab: Lab) -> None:
    """DT_SYMBOLIC and RTLD_DEEPBIND mean nothing, so an own one of a bad kind is no help."""
    lab.put("first.so", symbols=[Sym("v", type=STT_TLS)], tls=8)
    v = Sym("v", type=STT_TLS, relocs=[R_TPOFF64])
    mod = lab.put("mod.so", symbols=[v], tls=8, flags=2)
    text = f"Error relocating {mod}: v: initial-exec TLS resolves to dynamic definition in "
    assert lab.one("global:$D/first.so", "deep:$D/mod.so").message == text + lab.path("first.so")


def test_fixed_variables(lab: Lab) -> None:
    v = Sym("v", type=STT_TLS, relocs=[R_TPOFF64])
    mod = lab.put("d1/libv.so", symbols=[v], tls=8)
    text = f"Error relocating {mod}: v: initial-exec TLS resolves to dynamic definition in {mod}"
    assert lab.one(mod).message == text
    assert lab.one(mod, LD_PRELOAD="$D/d1/libv.so").outcome == "ok"
    lab.link("prog", needed=["libv.so"], rpath=lab.path("d1"))
    assert lab.one(mod).outcome == "ok"


@pytest.mark.parametrize("kind", [R_TPOFF64, R_DTPMOD64])
def test_a_weak_variable_that_nobody_has(lab: Lab, kind: int) -> None:
    weak = Sym("v", defined=False, bind=STB_WEAK, type=STT_TLS, relocs=[kind])
    lab.put("mod.so", symbols=[weak])
    assert lab.one("$D/mod.so").outcome == "crash"


def test_packed_relocations(lab: Lab, tmp_path: Path) -> None:
    """Known since 1.2.4; before, constructors have no addresses."""
    source = tmp_path / "c.c"
    source.write_text("static int v = 3; int *p = &v;")
    for name, more in (("packed.so", []), ("none.so", ["-nostartfiles"])):
        options = ["-shared", "-fPIC", "-Wl,-z,pack-relative-relocs", *more]
        run(["musl-gcc", *options, "-o", lab.top / name, source])
        lab.one(lab.path(name))


# B7: a preload that fails is no failure, and nothing is said


def test_preloads(lab: Lab) -> None:
    lab.put("d1/libp.so", needed=["libq.so"])
    lab.put("d2/libq.so")
    lab.link("prog", rpath=f"{lab.path('d1')}:{lab.path('d2')}")
    start = lab.ask(LD_PRELOAD="$D/none.so libp.so").start
    assert start.mapped == [MUSL]  # the path of the program is not for preloads …
    start = lab.ask(LD_PRELOAD=" \t$D/d1/libp.so:libnone.so").start
    text = missing("libq.so", lab.path("d1/libp.so"))
    assert (start.outcome, start.message) == ("error", text)  # … nor for what they need
    start = lab.ask(LD_PRELOAD="$D/d1/libp.so", LD_LIBRARY_PATH="$D/d2").start
    assert start.mapped == [lab.path("d1/libp.so"), MUSL, lab.path("d2/libq.so")]
    kinds = [p["kind"] for p in lab.lines(LD_PRELOAD="libnone.so")[0]["problems"]]
    assert kinds == ["preload-ignored"]


# What a failed open leaves behind


def test_a_failed_open_is_undone(lab: Lab) -> None:
    lab.put("d1/liba.so")
    lab.put("bad.so", needed=["liba.so", "libnone.so"], runpath="$D/d1")
    assert lab.one("$D/bad.so", "liba.so").message == missing("liba.so")


def test_a_learned_name_stays(lab: Lab) -> None:
    lab.put("d1/liba.so")
    lab.put("bad.so", needed=["liba.so", "libnone.so"], runpath="$D/d1")
    step = lab.one("$D/d1/liba.so", "$D/bad.so", "liba.so")
    assert (step.outcome, step.mapped) == ("ok", [])


# The words of a search


def test_a_search_in_words(lab: Lab) -> None:
    lab.put("d2/libx.so")
    lab.folder("d1")
    lab.link("prog", rpath=f"{lab.path('none')}:{lab.path('d2')}")
    line = lab.lines(extra=["--search", "libx.so"], LD_LIBRARY_PATH="$D/d1")[-1]
    steps = [(s["place"], s["by"], s["entry"], s["result"]) for s in line["searched"]]
    assert steps == [
        (lab.path("d1"), "ld_library_path", 1, "absent"),
        (lab.path("none"), "rpath", 1, "no directory"),
        (lab.path("d2"), "rpath", 2, "taken"),
    ]
    assert line["taken"] == lab.path("d2/libx.so")
    line = lab.lines(extra=["--search", "libpthread.so.0"])[-1]
    assert [(s["by"], s["result"]) for s in line["searched"]] == [("loaded", "taken")]


# B8: what came with 1.2.4, in a copy of the loader that says so and has lost the names


def as_release(image: Lab, release: bytes) -> None:
    loader = image.top / MUSL.lstrip("/")
    data, found = re.subn(rb"\x001\.2\.\d\0", b"\0" + release + b"\0", Path(MUSL).read_bytes())
    assert found == 1
    for name in (b"fopen64", b"readdir64_r", b"posix_fallocate64"):
        data = data.replace(b"\0" + name + b"\0", b"\0" + b"_" * len(name) + b"\0")
    loader.write_bytes(data)


def test_names_with_64_at_the_end(image: Lab) -> None:
    for name in ("fopen64", "readdir64_r", "posix_fallocate64", "qsort64"):
        image.put(f"{name}.so", symbols=[Sym(name, defined=False, relocs=[R_GLOB_DAT])])
    assert image.one("/fopen64.so").outcome == "ok"
    requests = ["/fopen64.so", "/readdir64_r.so", "/posix_fallocate64.so", "/qsort64.so"]
    as_release(image, b"1.2.3")
    assert [s.outcome for s in image.simulate(*requests).steps] == ["error"] * 4
    as_release(image, b"1.2.4")
    assert [s.outcome for s in image.simulate(*requests).steps] == ["ok", "ok", "error", "error"]


def test_packed_relocations_are_known_later(image: Lab, tmp_path: Path) -> None:
    source = tmp_path / "c.c"
    source.write_text("static int v = 3; int *p = &v;")
    options = ["-shared", "-fPIC", "-Wl,-z,pack-relative-relocs"]
    run(["musl-gcc", *options, "-o", image.top / "packed.so", source])
    for release, outcome in ((b"1.2.3", "crash"), (b"1.2.4", "ok"), (b"1.3.0", "ok")):
        as_release(image, release)
        assert image.simulate("/packed.so").steps[0].outcome == outcome
