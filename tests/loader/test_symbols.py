"""Symbols: which are looked up, where, and what is said first (docs/loader.md A9, A11, A13)."""

from __future__ import annotations

import pytest

from tests.loader.elfwriter import (
    DF_1_NOW,
    DF_SYMBOLIC,
    R_64,
    R_GLOB_DAT,
    R_JUMP_SLOT,
    R_NONE,
    R_TLSDESC,
    R_TPOFF64,
    STB_GNU_UNIQUE,
    STB_LOCAL,
    STB_WEAK,
    STT_OBJECT,
    STT_TLS,
    STV_HIDDEN,
    STV_PROTECTED,
    VER_FLG_WEAK,
    Needs,
    Sym,
)
from tests.loader.judge import run
from tests.loader.lab import NOT_FOUND, Lab


def ref(name: str, *relocs: int, **more: object) -> Sym:
    return Sym(name, defined=False, relocs=list(relocs or (R_GLOB_DAT,)), **more)  # type: ignore[arg-type]


def undefined(lab: Lab, file: str, name: str, version: str | None = None) -> str:
    return f"{lab.path(file)}: undefined symbol: {name}" + (
        f", version {version}" if version else ""
    )


@pytest.mark.parametrize("kind", [R_GLOB_DAT, R_64, R_JUMP_SLOT])
@pytest.mark.parametrize("hashes", ["sysv", "gnu", "sysv gnu"])
def test_a_symbol_is_found_or_not(lab: Lab, kind: int, hashes: str) -> None:
    lab.put("d/liba.so", symbols=[Sym("other"), Sym("f")], hashes=hashes)
    lab.put("u.so", symbols=[ref("f", kind)], needed=["liba.so"], runpath="$D/d")
    assert lab.one("$D/u.so").outcome == "ok"
    lab.put("w.so", symbols=[ref("g", kind)], needed=["liba.so"], runpath="$D/d")
    assert lab.one("$D/w.so").message == undefined(lab, "w.so", "g")


def test_only_what_a_relocation_names_is_looked_up(lab: Lab) -> None:
    lab.put("u.so", symbols=[Sym("f", defined=False), ref("g", R_NONE)])
    assert lab.one("$D/u.so").outcome == "ok"


def test_weak_references_may_stay_undefined(lab: Lab) -> None:
    lab.put("u.so", symbols=[ref("f", bind=STB_WEAK), ref("g", R_JUMP_SLOT, bind=STB_WEAK)])
    assert lab.one("$D/u.so").outcome == "ok"


def test_functions_may_wait_when_binding_is_lazy(lab: Lab) -> None:
    lab.put("u.so", symbols=[ref("f", R_JUMP_SLOT)])
    assert lab.one("$D/u.so").outcome == "error"
    assert lab.one("lazy:$D/u.so").outcome == "ok"
    assert lab.one("lazy:$D/u.so", LD_BIND_NOW="1").outcome == "error"
    assert lab.one("lazy:$D/u.so", LD_BIND_NOW="").outcome == "ok"
    lab.put("now.so", symbols=[ref("f", R_JUMP_SLOT)], flags_1=DF_1_NOW)
    assert lab.one("lazy:$D/now.so").outcome == "error"
    lab.put("data.so", symbols=[ref("f", R_JUMP_SLOT, R_64)])
    assert lab.one("lazy:$D/data.so").outcome == "error"


def test_all_undefined_symbols_are_listed(lab: Lab) -> None:
    lab.put("d/liba.so", symbols=[ref("a1"), ref("a2")])
    lab.put("u.so", symbols=[ref("u1")], needed=["liba.so"], runpath="$D/d")
    assert lab.one("$D/u.so").message == undefined(lab, "d/liba.so", "a1")
    problems = lab.lines("$D/u.so")[1]["problems"]
    assert [(p["kind"], p["name"]) for p in problems] == [
        ("undefined-symbol", "a1"),
        ("undefined-symbol", "a2"),
        ("undefined-symbol", "u1"),
    ]


def test_tables_are_read_before_the_plt(lab: Lab) -> None:
    lab.put("u.so", symbols=[ref("first", R_JUMP_SLOT), ref("second", R_64)])
    assert lab.one("$D/u.so").message == undefined(lab, "u.so", "second")


def test_a_library_that_its_root_completes(lab: Lab) -> None:
    lab.put("d/libu.so", symbols=[ref("ext")])
    lab.put("d/libp.so", symbols=[Sym("ext")])
    lab.put("good.so", needed=["libu.so", "libp.so"], runpath="$D/d")
    lab.put("bad.so", needed=["libu.so"], runpath="$D/d")
    lab.put("self.so", needed=["libu.so"], runpath="$D/d", symbols=[Sym("ext")])
    assert lab.one("$D/good.so").outcome == "ok"
    assert lab.one("$D/self.so").outcome == "ok"
    assert lab.one("$D/bad.so").message == undefined(lab, "d/libu.so", "ext")
    assert lab.one("$D/good.so", "$D/bad.so").outcome == "ok"


def test_local_opens_stay_local(lab: Lab) -> None:
    lab.put("p.so", soname="p.so", symbols=[Sym("ext")])
    lab.put("u.so", symbols=[ref("ext")])
    assert lab.one("$D/p.so", "$D/u.so").outcome == "error"
    assert lab.one("global:$D/p.so", "$D/u.so").outcome == "ok"
    assert lab.one("$D/p.so", "global:$D/p.so", "$D/u.so").outcome == "ok"
    lab.put("above.so", needed=["p.so"])
    assert lab.one("$D/p.so", "global:$D/above.so", "$D/u.so").outcome == "ok"
    assert lab.one("$D/u.so", LD_PRELOAD="$D/p.so").outcome == "ok"


def test_the_program_and_what_it_needs_are_global(lab: Lab) -> None:
    lab.put("u.so", symbols=[ref("malloc"), ref("dlopen")])
    assert lab.one("$D/u.so").outcome == "ok"
    lab.put("v.so", symbols=[ref("main")])  # not exported
    assert lab.one("$D/v.so").outcome == "error"


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({}, True),
        ({"bind": STB_WEAK}, True),
        ({"bind": STB_GNU_UNIQUE, "type": STT_OBJECT}, True),
        ({"bind": STB_LOCAL}, False),
        ({"visibility": STV_HIDDEN}, False),
        ({"visibility": STV_PROTECTED}, True),
        ({"value": 0}, False),
        ({"type": 3}, False),  # a section
        ({"type": 0}, True),
        ({"hashed": False}, False),
        ({"defined": False}, False),
        ({"defined": False, "value": 64}, True),  # not of the PLT class
    ],
)
def test_what_is_a_definition(lab: Lab, fields: dict[str, int], found: bool) -> None:
    lab.put("d/liba.so", symbols=[Sym("f", **fields)])  # type: ignore[arg-type]
    lab.put("u.so", symbols=[ref("f")], needed=["liba.so"], runpath="$D/d")
    assert (lab.one("$D/u.so").outcome == "ok") == found


def test_undefined_with_a_value_serves_no_call(lab: Lab) -> None:
    lab.put("d/liba.so", symbols=[Sym("f", defined=False, value=64)])
    lab.put("u.so", symbols=[ref("f", R_JUMP_SLOT)], needed=["liba.so"], runpath="$D/d")
    assert lab.one("$D/u.so").outcome == "error"


def test_without_a_hash_table_nothing_is_exported(lab: Lab) -> None:
    lab.put("d/liba.so", symbols=[Sym("f")], hashes="")
    lab.put("u.so", symbols=[ref("f")], needed=["liba.so"], runpath="$D/d")
    assert lab.one("$D/u.so").outcome == "error"


def test_hidden_references_bind_inside(lab: Lab) -> None:
    lab.put("u.so", symbols=[ref("f", visibility=STV_HIDDEN)])
    assert lab.one("$D/u.so").outcome == "ok"


def versioned(lab: Lab, name: str = "d/libv.so.1", **fields: object) -> str:
    fields = {"soname": "libv.so.1", "verdef": ["V1", "V2"], **fields}
    return lab.put(name, **fields)


def user(lab: Lab, name: str, version: str, *more: Sym, **fields: object) -> str:
    fields = {"needed": ["libv.so.1"], "runpath": "$D/d", **fields}
    need = Needs("libv.so.1", [version])
    return lab.put(name, verneed=[need], symbols=[ref("f", version=version), *more], **fields)


def test_versions_must_agree(lab: Lab) -> None:
    versioned(lab, symbols=[Sym("f", version="V1"), Sym("g", version="V2")])
    user(lab, "u.so", "V1")
    assert lab.one("$D/u.so").outcome == "ok"
    user(lab, "w.so", "V2")
    assert lab.one("$D/w.so").message == undefined(lab, "w.so", "f", "V2")
    problem = lab.lines("$D/w.so")[1]["problems"][0]
    assert (problem["kind"], problem["name"], problem["version"]) == ("undefined-symbol", "f", "V2")


def test_numbers_of_versions_count_damaged_records_too(lab: Lab) -> None:
    """Found by a random tree: the record that nobody asks for still has its number."""
    own = Sym("f", version="V2", hidden=True, relocs=[R_JUMP_SLOT])
    lab.put("u.so", verdef=["V1", "V2"], verdef_record=2, symbols=[own])
    assert lab.one("$D/u.so").outcome == "ok"


def test_a_hidden_definition_serves_its_version(lab: Lab) -> None:
    versioned(lab, symbols=[Sym("f", version="V1", hidden=True)])
    user(lab, "u.so", "V1")
    assert lab.one("$D/u.so").outcome == "ok"


def test_an_unversioned_symbol_of_a_versioned_library_serves_all(lab: Lab) -> None:
    versioned(lab, symbols=[Sym("f")])
    user(lab, "u.so", "V2")
    assert lab.one("$D/u.so").outcome == "ok"
    versioned(lab, symbols=[Sym("f", hidden=True)])
    assert lab.one("$D/u.so").outcome == "error"


def test_a_definition_of_the_version_may_be_anywhere(lab: Lab) -> None:
    versioned(lab, symbols=[])
    lab.put("d/libw.so", verdef=["V2"], symbols=[Sym("f", version="V2")])
    user(lab, "u.so", "V2", needed=["libv.so.1", "libw.so"])
    assert lab.one("$D/u.so").outcome == "ok"


@pytest.mark.parametrize(
    ("symbols", "found"),
    [
        ([Sym("f", version="V1", hidden=True), Sym("f", version="V2")], True),
        ([Sym("f", version="V2", hidden=True)], False),  # the third number and on
        ([Sym("f", version="V2")], True),
        ([Sym("f", version="V2"), Sym("f", version="V3")], False),
    ],
)
def test_a_reference_without_a_version(lab: Lab, symbols: list[Sym], found: bool) -> None:
    versioned(lab, verdef=["V1", "V2", "V3"], symbols=symbols)
    lab.put("u.so", needed=["libv.so.1"], runpath="$D/d", symbols=[ref("f")])
    assert (lab.one("$D/u.so").outcome == "ok") == found


def test_a_file_without_any_versions_aborts(lab: Lab) -> None:
    """Up to 2.40."""
    lab.put("d/libv.so.1", soname="libv.so.1", symbols=[Sym("f")])
    user(lab, "u.so", "V1")
    step = lab.one("$D/u.so")
    assert step.outcome == "abort"
    assert step.message == (
        "Inconsistency detected by ld.so: dl-lookup.c: 107: check_match: Assertion "
        "`version->filename == NULL || ! _dl_name_match_p (version->filename, map)' failed!"
    )
    assert lab.simulate("$D/u.so", extra=["--minor", "41"]).steps[0].outcome == "ok"
    # without that symbol it is an ordinary failure, and another file may lack versions
    lab.put("d/libv.so.1", soname="libv.so.1")
    assert lab.one("$D/u.so").message == undefined(lab, "u.so", "f", "V1")
    lab.put("d/libw.so", symbols=[Sym("f")])
    user(lab, "u.so", "V1", needed=["libw.so", "libv.so.1"])
    assert lab.one("$D/u.so").outcome == "ok"


def test_unversioned_symbols_wait_for_exact_ones_from_2_42(lab: Lab) -> None:
    versioned(lab, symbols=[Sym("f"), Sym("f", version="V2")])
    user(lab, "u.so", "V2")
    assert lab.one("$D/u.so").outcome == "ok"
    assert lab.simulate("$D/u.so", extra=["--minor", "42"]).steps[0].outcome == "ok"


def test_a_weak_version_fails_by_its_symbol(lab: Lab) -> None:
    versioned(lab, verdef=["V1"], symbols=[Sym("f", version="V1")])
    lab.put(
        "u.so",
        needed=["libv.so.1"],
        runpath="$D/d",
        verneed=[Needs("libv.so.1", [("V2", VER_FLG_WEAK)])],
        symbols=[ref("f", version="V2")],
    )
    assert lab.one("$D/u.so").message == undefined(lab, "u.so", "f", "V2")


def test_consequences_are_not_listed(lab: Lab) -> None:
    versioned(lab, verdef=["V1"], symbols=[Sym("f", version="V1")])
    user(lab, "u.so", "V2")
    lab.one("$D/u.so")
    assert [p["kind"] for p in lab.lines("$D/u.so")[1]["problems"]] == ["missing-version"]
    lab.put("w.so", needed=["libnone.so"], symbols=[ref("g")])
    assert lab.one("$D/w.so").message == f"libnone.so: {NOT_FOUND}"
    assert [p["kind"] for p in lab.lines("$D/w.so")[1]["problems"]] == ["missing-library"]


def test_own_definitions_first(lab: Lab) -> None:
    """Where the order of scopes shows in the outcome: an abort on the way."""
    lab.put("d/libv.so.1", soname="libv.so.1", symbols=[Sym("f")])
    own = Sym("f", relocs=[R_GLOB_DAT], version="V1")
    need = Needs("libv.so.1", ["V1"])
    lab.put("u.so", needed=["libv.so.1"], runpath="$D/d", verneed=[need], symbols=[own])
    assert lab.one("$D/u.so").outcome == "ok"
    lab.put(
        "w.so",
        needed=["libv.so.1"],
        runpath="$D/d",
        verneed=[need],
        symbols=[ref("f", version="V1"), Sym("h")],
    )
    assert lab.one("$D/w.so").outcome == "abort"


def test_deepbind_and_symbolic(lab: Lab) -> None:
    """A global copy without versions aborts; who looks at its own side first never sees it."""
    bad = lab.put("bad.so", soname="libv.so.1", symbols=[Sym("f")])
    versioned(lab, "d/good.so", soname="good.so", symbols=[Sym("f", version="V1")])
    user(lab, "u.so", "V1", needed=["good.so", "libv.so.1"])
    assert bad
    assert lab.one("global:$D/bad.so", "$D/u.so").outcome == "abort"
    assert lab.one("global:$D/bad.so", "deep:$D/u.so").outcome == "ok"
    for flags in (0, DF_SYMBOLIC):
        lab.put(
            "s.so",
            needed=["libv.so.1"],
            flags=flags,
            verneed=[Needs("libv.so.1", ["V1"])],
            symbols=[Sym("f", version="V1", relocs=[R_GLOB_DAT])],
        )
        expected = "ok" if flags else "abort"
        assert lab.one("global:$D/bad.so", "$D/s.so").outcome == expected


def test_symbolic_counts_for_nothing_when_bound_deeply(lab: Lab) -> None:
    """Found by a random tree. Which definition is taken shows in whose variable needs room."""
    own = Sym("v", type=STT_TLS, relocs=[R_TPOFF64])
    lab.put("d/libb.so", tls=8, symbols=[own], flags=DF_SYMBOLIC)
    lab.put("a.so", tls=4000, needed=["libb.so"], runpath="$D/d", symbols=[Sym("v", type=STT_TLS)])
    assert lab.one("$D/a.so").outcome == "ok"
    assert lab.one("deep:$D/a.so").outcome == "error"


@pytest.mark.parametrize("late", [False, True])
def test_the_order_of_relocation(lab: Lab, late: bool) -> None:
    bad = [ref("none")]
    lab.put("d/liba.so", symbols=bad, needed=["libb.so"] if late else [], runpath="$ORIGIN")
    lab.put("d/libb.so", symbols=bad, needed=[] if late else ["liba.so"], runpath="$ORIGIN")
    lab.put("u.so", symbols=bad, needed=["liba.so", "libb.so"], runpath="$D/d")
    first = "d/libb.so" if late else "d/liba.so"
    assert lab.one("$D/u.so").message == undefined(lab, first, "none")


def test_circles_have_an_order(lab: Lab) -> None:
    bad = [ref("none")]
    for name, other in (("liba.so", "libb.so"), ("libb.so", "libc9.so"), ("libc9.so", "liba.so")):
        lab.put(f"d/{name}", symbols=bad, needed=[other, "top.so"], runpath="$ORIGIN:$D")
    lab.put("top.so", symbols=bad, soname="top.so", needed=["libb.so", "liba.so"], runpath="$D/d")
    assert lab.one("$D/top.so").outcome == "error"


@pytest.mark.parametrize("broken", [("liba.so", "top.so"), ("liba.so", "libb.so", "top.so")])
def test_the_root_is_relocated_after_what_it_filters(lab: Lab, broken: tuple[str, ...]) -> None:
    fields: dict[str, dict[str, object]] = {
        "liba.so": {"needed": ["libb.so"]},
        "libb.so": {},
        "top.so": {"filters": ["liba.so"], "needed": ["libb.so"]},
    }
    for name, more in fields.items():
        symbols = [ref("none")] if name in broken else []
        lab.put(f"d/{name}", runpath="$ORIGIN", symbols=symbols, **more)
    assert lab.one("$D/d/top.so").outcome == "error"


def tls(lab: Lab, name: str, size: int, align: int = 16, **more: object) -> str:
    """An object with a variable at a fixed place."""
    variable = Sym("v_" + name.split("/")[-1], type=STT_TLS, relocs=[R_TPOFF64])
    return lab.put(name, tls=size, tls_align=align, symbols=[variable], **more)


FULL = "cannot allocate memory in static TLS block"


def test_static_tls_is_a_small_reserve(lab: Lab) -> None:
    one = tls(lab, "one.so", 1500)
    two = tls(lab, "two.so", 1500)
    assert lab.one("$D/one.so").outcome == "ok"
    assert lab.one("$D/one.so", "$D/two.so").message == f"{two}: {FULL}"
    assert lab.one("$D/two.so", "$D/one.so").message == f"{one}: {FULL}"
    assert lab.one("$D/two.so", "$D/one.so", LD_PRELOAD="$D/two.so").outcome == "ok"
    tunables = "glibc.rtld.optional_static_tls=2000"
    assert lab.one("$D/two.so", "$D/one.so", GLIBC_TUNABLES=tunables).outcome == "ok"
    lab.put("dynamic.so", tls=170_000)
    assert lab.one("$D/dynamic.so").outcome == "ok"


def test_preloaded_variables_are_part_of_the_start(lab: Lab) -> None:
    tls(lab, "one.so", 1500)
    tls(lab, "two.so", 1500)
    answer = lab.ask("$D/one.so", "$D/two.so", LD_PRELOAD="$D/one.so $D/two.so")
    assert [s.outcome for s in answer.steps] == ["ok", "ok"]


def test_weak_definitions_may_wait_for_others(lab: Lab) -> None:
    """LD_DYNAMIC_WEAK: the first of all definitions, else the first that is not weak. Which one is
    taken shows in whose variables must find room."""
    lab.put("d/liba.so", tls=4000, symbols=[Sym("v", type=STT_TLS, bind=STB_WEAK)])
    lab.put("d/libb.so", tls=8, symbols=[Sym("v", type=STT_TLS)])
    user = ref("v", R_TPOFF64, type=STT_TLS)
    lab.put("u.so", needed=["liba.so", "libb.so"], runpath="$D/d", symbols=[user])
    lab.put("w.so", needed=["liba.so"], runpath="$D/d", symbols=[user])
    for value in ("", "1"):
        assert lab.one("$D/u.so", LD_DYNAMIC_WEAK=value).outcome == "ok"
        assert lab.one("$D/w.so", LD_DYNAMIC_WEAK=value).outcome == "error"
    assert lab.one("$D/u.so").outcome == "error"


def test_a_unique_variable_is_that_of_the_first(lab: Lab) -> None:
    """An inline thread_local of C++: also an object that cannot see the first one takes its."""
    for name, size in (("small.so", 8), ("large.so", 4000)):
        variable = Sym("v", type=STT_TLS, bind=STB_GNU_UNIQUE, relocs=[R_TPOFF64])
        lab.put(name, tls=size, symbols=[variable])
    lab.put("bad.so", needed=["small.so"], runpath="$D", symbols=[ref("none")])
    assert lab.one("$D/large.so").outcome == "error"
    assert lab.one("$D/small.so", "$D/large.so").outcome == "ok"
    assert lab.one("$D/bad.so", "$D/large.so").outcome == "error"
    assert lab.one("$D/large.so", LD_PRELOAD="$D/small.so").outcome == "ok"


def test_a_unique_variable_that_a_failed_open_took_stays(lab: Lab) -> None:
    """Found by a random tree."""
    large = Sym("v", type=STT_TLS, bind=STB_GNU_UNIQUE)
    lab.put("large.so", tls=4000, soname="large.so", symbols=[large])
    lab.put("bad.so", needed=["large.so"], symbols=[ref("v", R_TPOFF64, type=STT_TLS)])
    small = Sym("v", type=STT_TLS, bind=STB_GNU_UNIQUE, relocs=[R_TPOFF64])
    lab.put("small.so", tls=8, symbols=[small])
    answer = lab.ask("$D/large.so", "$D/small.so")
    assert [s.outcome for s in answer.steps] == ["ok", "ok"]
    answer = lab.ask("$D/large.so", "$D/bad.so", "$D/small.so")
    assert [s.outcome for s in answer.steps] == ["ok", "error", "error"]


def test_static_tls_is_the_owners(lab: Lab) -> None:
    owner = lab.put("d/liba.so", tls=4000, symbols=[Sym("v", type=STT_TLS)])
    lab.put(
        "u.so",
        needed=["liba.so"],
        runpath="$D/d",
        symbols=[ref("v", R_TPOFF64, type=STT_TLS)],
    )
    assert lab.one("$D/u.so").message == f"{owner}: {FULL}"
    problem = lab.lines("$D/u.so")[1]["problems"][0]
    assert (problem["kind"], problem["object"]) == ("static-tls", owner)


def test_static_tls_beyond_the_programs_alignment(lab: Lab) -> None:
    tls(lab, "one.so", 16, align=128)
    assert lab.one("$D/one.so").outcome == "error"


def test_a_failed_open_gives_space_back(lab: Lab) -> None:
    tls(lab, "d/one.so", 900, align=64)
    lab.put("bad.so", needed=["one.so"], runpath="$D/d", symbols=[ref("none")])
    tls(lab, "two.so", 1400)
    answer = lab.ask("$D/bad.so", "$D/two.so", "$D/d/one.so")
    assert [s.outcome for s in answer.steps] == ["error", "ok", "error"]


def test_descriptors_take_what_is_optional(lab: Lab) -> None:
    def described(name: str, size: int) -> None:
        variable = Sym(f"v_{name[0]}", type=STT_TLS, relocs=[R_TLSDESC])
        lab.put(name, tls=size, symbols=[variable])

    described("a.so", 400)
    described("b.so", 400)
    tls(lab, "one.so", 1600)
    tls(lab, "two.so", 1200)
    assert lab.one("$D/one.so").outcome == "ok"
    assert lab.one("$D/a.so", "$D/one.so").outcome == "error"
    # the second finds no room and does without
    answer = lab.ask("$D/a.so", "$D/b.so", "$D/two.so")
    assert [s.outcome for s in answer.steps] == ["ok", "ok", "ok"]


def test_relocations_of_unknown_types(lab: Lab) -> None:
    lab.put("u.so", symbols=[ref("malloc", 42)])
    assert lab.one("$D/u.so").message == f"{lab.path('u.so')}: unexpected reloc type 0x2a"
    lab.put("w.so", symbols=[ref("malloc", 0x123)])
    assert lab.one("$D/w.so").message == f"{lab.path('w.so')}: unexpected reloc type 0x00000123"
    lab.put("x.so", symbols=[ref("f"), ref("malloc", 42), ref("g", 42)])
    assert lab.one("$D/x.so").message == undefined(lab, "x.so", "f")
    lab.put("y.so", symbols=[ref("malloc", 42), ref("g", R_64)])
    lab.one("$D/y.so")
    lab.put("z.so", symbols=[ref("f", 42)])
    assert lab.one("$D/z.so").message == undefined(lab, "z.so", "f")


def test_at_start(lab: Lab) -> None:
    lab.put("d/liba.so", symbols=[ref("f", R_JUMP_SLOT)])
    program = lab.link("prog", needed=["liba.so"], rpath="$ORIGIN/d")
    assert lab.ask().start.outcome == "ok"
    message = f"{program}: symbol lookup error: {undefined(lab, 'd/liba.so', 'f')}"
    assert lab.ask(LD_BIND_NOW="1").start.message == message
    lab.put("d/liba.so", symbols=[ref("f", R_64)])
    assert lab.ask().start.message == message


def test_versions_come_before_symbols(lab: Lab) -> None:
    versioned(lab, verdef=["V1"])
    user(lab, "d/libu.so", "V2", needed=["libv.so.1"])
    lab.put("d/libs.so", symbols=[ref("f")])
    lab.put("root.so", needed=["libs.so", "libu.so"], runpath="$D/d")
    step = lab.one("$D/root.so")
    assert step.message and "version `V2' not found" in step.message
    kinds = [p["kind"] for p in lab.lines("$D/root.so")[1]["problems"]]
    assert kinds == ["missing-version", "undefined-symbol"]


def test_all_that_is_wrong_is_listed_at_once(lab: Lab) -> None:
    """The loader names a missing library, then, once that is mended, a missing version, then an
    undefined symbol; people want all three. Who should define a name without a version cannot be
    told while a library is missing."""
    versioned(lab, verdef=["V1"])
    path = lab.put(
        "u.so",
        needed=["libnone.so", "libv.so.1"],
        runpath="$D/d",
        verneed=[Needs("libv.so.1", ["V1", "V2"])],
        symbols=[ref("f", version="V2"), ref("g", version="V1"), ref("h")],
    )
    lib = lab.path("d/libv.so.1")
    messages = [
        f"libnone.so: {NOT_FOUND}",
        f"{lib}: version `V2' not found (required by {path})",
        undefined(lab, "u.so", "g", "V1"),
    ]
    assert lab.one("$D/u.so").message == messages[0]
    assert [p["message"] for p in lab.lines("$D/u.so")[1]["problems"]] == messages
    lab.put("d/libnone.so")
    assert lab.one("$D/u.so").message == messages[1]
    versioned(lab)
    assert lab.one("$D/u.so").message == undefined(lab, "u.so", "f", "V2")
    versioned(lab, symbols=[Sym("f", version="V2")])
    assert lab.one("$D/u.so").message == messages[2]


def test_a_unique_symbol_needs_no_global_scope(lab: Lab) -> None:
    """The first definition in the process serves all, also those that cannot see its object; each
    must define the name for itself."""
    both = {"bind": STB_GNU_UNIQUE, "type": STT_OBJECT}
    for name in ("a.so", "b.so"):
        lab.put(name, symbols=[Sym("one", relocs=[R_64], **both)])  # type: ignore[arg-type]
    lab.put("u.so", symbols=[ref("one")])
    answer = lab.ask("$D/a.so", "$D/b.so", "$D/u.so", "$D/a.so")
    assert [s.outcome for s in answer.steps] == ["ok", "ok", "error", "ok"]


def test_a_library_whose_own_versions_are_all_needed_ones(lab: Lab) -> None:
    """Built the usual way, without a version script: numbers of versions, but none defined."""
    libc = Needs("libc.so.6", ["GLIBC_2.2.5"])
    fields = {"verneed": [libc], "needed": ["libc.so.6"], "soname": "libv.so.1"}
    lab.put("d/libv.so.1", symbols=[Sym("f")], **fields)
    user(lab, "u.so", "V1")
    assert lab.one("$D/u.so").outcome == "ok"


def test_numbers_of_versions_without_a_table_of_them(lab: Lab) -> None:
    lab.put("u.so", versym=True, symbols=[ref("malloc")])
    lab.put("lazy.so", versym=True, symbols=[ref("malloc", R_JUMP_SLOT)])
    lab.put("needs.so", needed=["u.so"], runpath="$D", symbols=[ref("none")])
    assert lab.one("$D/u.so").outcome == "crash"
    assert lab.one("$D/needs.so").outcome == "crash"
    assert lab.one("lazy:$D/lazy.so").outcome == "ok"


def build(lab: Lab, name: str, source: str) -> str:
    """With code in it, by the compiler; functions are bound lazily."""
    (lab.top / f"{name}.c").write_text(source)
    how = ["-shared", "-fPIC", "-O1", "-Wl,-z,lazy", "-Wl,--allow-shlib-undefined"]
    run(["gcc", *how, "-o", lab.top / name, lab.top / f"{name}.c"])
    return lab.path(name)


def test_a_constructor_that_calls_what_is_missing(lab: Lab) -> None:
    """Python binds everything at once, so this is an ordinary error. Bound lazily it kills the
    process, which is beyond a loader on paper: it runs no constructors."""
    path = build(
        lab,
        "u.so",
        "int missing(void); __attribute__((constructor)) static void begin(void) { missing(); }",
    )
    assert lab.one("$D/u.so").message == undefined(lab, "u.so", "missing")
    real, simulated = lab.both("lazy:$D/u.so")
    assert simulated.steps[0].outcome == "ok"
    assert (real.steps[0].outcome, real.steps[0].message) == (
        "abort",
        f"{lab.program}: symbol lookup error: {path}: undefined symbol: missing",
    )
