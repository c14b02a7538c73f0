"""The check of versions: after everything is mapped, before symbols (docs/loader.md A10)."""

from __future__ import annotations

from tests.loader.elfwriter import VER_FLG_WEAK, Needs
from tests.loader.lab import NOT_FOUND, Lab

ASSERTION = (
    "Inconsistency detected by ld.so: dl-version.c: 204: _dl_check_map_versions: "
    "Assertion `needed != NULL' failed!"
)


def provider(lab: Lab, name: str, *versions: str, soname: str = "libv.so.1") -> str:
    return lab.put(name, soname=soname, verdef=list(versions))


def user(lab: Lab, name: str, *versions: str | tuple[str, int], **more: object) -> str:
    need = Needs("libv.so.1", list(versions))
    more = {"needed": ["libv.so.1"], "runpath": "$D/d", **more}
    return lab.put(name, verneed=[need], **more)


def test_a_version_that_is_there(lab: Lab) -> None:
    provider(lab, "d/libv.so.1", "V1", "V2")
    user(lab, "u.so", "V2", "V1")
    assert lab.one("$D/u.so").outcome == "ok"


def test_a_version_that_is_not(lab: Lab) -> None:
    lib = provider(lab, "d/libv.so.1", "V1")
    path = user(lab, "u.so", "V2", "V1", "V3")
    step = lab.one("$D/u.so")
    assert step.message == f"{lib}: version `V2' not found (required by {path})"
    problems = lab.lines("$D/u.so")[1]["problems"]
    assert [(p["kind"], p["version"], p["object"]) for p in problems] == [
        ("missing-version", "V2", lib),
        ("missing-version", "V3", lib),
    ]


def test_versions_are_looked_for_in_search_list_order(lab: Lab) -> None:
    provider(lab, "d/libv.so.1", "V1")
    user(lab, "d/liba.so", "V3", needed=["libv.so.1"])
    path = user(lab, "u.so", "V2", needed=["liba.so"])
    step = lab.one("$D/u.so")
    assert step.message and step.message.endswith(f"(required by {path})")
    assert len(lab.lines("$D/u.so")[1]["problems"]) == 2


def test_a_weak_need_may_be_missing(lab: Lab) -> None:
    provider(lab, "d/libv.so.1", "V1")
    user(lab, "u.so", ("V2", VER_FLG_WEAK))
    assert lab.one("$D/u.so").outcome == "ok"


def test_the_base_definition_counts(lab: Lab) -> None:
    provider(lab, "d/libv.so.1", "V1")
    user(lab, "u.so", "libv.so.1")
    assert lab.one("$D/u.so").outcome == "ok"


def test_a_provider_without_versions_serves_all(lab: Lab) -> None:
    lab.put("d/libv.so.1", soname="libv.so.1")
    user(lab, "u.so", "V2")
    assert lab.one("$D/u.so").outcome == "ok"


def test_a_need_of_a_file_that_is_not_needed_aborts(lab: Lab) -> None:
    provider(lab, "d/libv.so.1", "V1")
    user(lab, "u.so", "V1", needed=[])
    step = lab.one("$D/u.so")
    assert (step.outcome, step.message) == ("abort", ASSERTION)
    # opened by its path it has another name
    assert lab.one("$D/d/libv.so.1", "$D/u.so").outcome == "abort"
    # asked for by that name before, it is known by it
    assert lab.one("libv.so.1", "$D/u.so", LD_LIBRARY_PATH="$D/d").outcome == "ok"


def test_a_missing_library_hides_a_missing_version(lab: Lab) -> None:
    provider(lab, "d/libv.so.1", "V1")
    user(lab, "u.so", "V2", needed=["libv.so.1", "libnone.so"])
    assert lab.one("$D/u.so").message == f"libnone.so: {NOT_FOUND}"
    kinds = [p["kind"] for p in lab.lines("$D/u.so")[1]["problems"]]
    assert kinds == ["missing-library", "missing-version"]


def test_a_version_of_a_missing_library_is_one_problem(lab: Lab) -> None:
    user(lab, "u.so", "V2")
    assert lab.one("$D/u.so").message == f"libv.so.1: {NOT_FOUND}"
    assert len(lab.lines("$D/u.so")[1]["problems"]) == 1


def test_the_order_of_opens_decides(lab: Lab) -> None:
    old = provider(lab, "a/libv.so.1", "V1")
    provider(lab, "b/libv.so.1", "V1", "V2")
    lab.put("A.so", needed=["libv.so.1"], runpath="$D/a")
    path = user(lab, "B.so", "V2", runpath="$D/b")
    assert lab.one("$D/B.so").outcome == "ok"
    assert [s.outcome for s in lab.ask("$D/B.so", "$D/A.so").steps] == ["ok", "ok"]
    step = lab.one("$D/A.so", "$D/B.so")
    assert step.message == f"{old}: version `V2' not found (required by {path})"


def test_damaged_tables(lab: Lab) -> None:
    provider(lab, "d/libv.so.1", "V1")
    path = lab.put(
        "u.so", needed=["libv.so.1"], runpath="$D/d", verneed=[Needs("libv.so.1", ["V1"], record=7)]
    )
    step = lab.one("$D/u.so")
    assert step.message == f"{path}: unsupported version 7 of Verneed record"
    lib = lab.put("d/libv.so.1", soname="libv.so.1", verdef=["V1", "V2"], verdef_record=9)
    user(lab, "w.so", "V1")
    assert lab.one("$D/w.so").outcome == "ok"
    user(lab, "x.so", "V2")
    assert lab.one("$D/x.so").message == f"{lib}: unsupported version 9 of Verdef record"
    # only the first record is looked at
    lab.put(
        "y.so",
        needed=["libv.so.1", "libc.so.6"],
        runpath="$D/d",
        verneed=[Needs("libc.so.6", ["GLIBC_2.2.5"]), Needs("libv.so.1", ["V1"], record=3)],
    )
    assert lab.one("$D/y.so").outcome == "ok"


def test_relative_relocations_in_words_need_a_marker(lab: Lab) -> None:
    path = lab.put(
        "u.so", needed=["libc.so.6"], relr=True, verneed=[Needs("libc.so.6", ["GLIBC_2.2.5"])]
    )
    assert lab.one("$D/u.so").message == f"{path}: DT_RELR without GLIBC_ABI_DT_RELR dependency"
    lab.put(
        "v.so",
        needed=["libc.so.6"],
        relr=True,
        verneed=[Needs("libc.so.6", ["GLIBC_2.2.5", "GLIBC_ABI_DT_RELR"])],
    )
    assert lab.one("$D/v.so").outcome == "ok"
    lab.put("w.so", needed=["libc.so.6"], relr=True)
    assert lab.one("$D/w.so").outcome == "ok"
    # 2.35 does not know the marker: its libc lacks it (here the libc is a newer one)
    assert lab.simulate("$D/u.so", extra=["--minor", "35"]).steps[0].outcome == "ok"


def test_at_start_all_are_listed(lab: Lab) -> None:
    lab.put("d/libn.so.1", soname="libn.so.1")
    lib = provider(lab, "d/libv.so.1", "V1")
    user(lab, "d/liba.so", "V2", "V3")
    path = lab.put(
        "d/libb.so",
        needed=["libv.so.1", "libn.so.1"],
        runpath="$ORIGIN",
        verneed=[
            Needs("libn.so.1", ["N1", "N2"]),
            Needs("libv.so.1", ["V4", ("V5", VER_FLG_WEAK)]),
        ],
    )
    program = lab.link("prog", needed=["liba.so", "libb.so"], rpath="$ORIGIN/d")
    start = lab.ask().start
    assert start.outcome == "error"
    assert start.message and start.message.split("\n") == [
        f"{program}: {lib}: version `V2' not found (required by {lab.path('d/liba.so')})",
        f"{program}: {lib}: version `V3' not found (required by {lab.path('d/liba.so')})",
        f"{program}: {lab.path('d/libn.so.1')}: no version information available "
        f"(required by {path})",
        f"{program}: {lab.path('d/libn.so.1')}: no version information available "
        f"(required by {path})",
        f"{program}: {lib}: version `V4' not found (required by {path})",
        f"{program}: {lib}: weak version `V5' not found (required by {path})",
    ]


def test_at_start_a_provider_without_versions_is_remarked(lab: Lab) -> None:
    lab.put("d/libv.so.1", soname="libv.so.1")
    user(lab, "d/liba.so", "V2")
    lab.link("prog", needed=["liba.so"], rpath="$ORIGIN/d")
    answer = lab.ask()
    assert answer.start.outcome == "ok"
    assert len(answer.warnings) == 1


def test_at_start_a_damaged_table_ends_the_program(lab: Lab) -> None:
    provider(lab, "d/libv.so.1", "V1")
    user(lab, "d/liba.so", "V2")
    lab.put(
        "d/libb.so", needed=["libc.so.6"], relr=True, verneed=[Needs("libc.so.6", ["GLIBC_2.2.5"])]
    )
    lab.link("prog", needed=["liba.so", "libb.so"], rpath="$ORIGIN/d")
    start = lab.ask().start
    assert start.message and start.message.endswith("DT_RELR without GLIBC_ABI_DT_RELR dependency")
    lab.put("d/libb.so", verneed=[Needs("libv.so.1", ["V1"], record=2)])
    assert lab.ask().start.outcome == "error"
    user(lab, "d/libb.so", "V1", needed=[])
    lab.link("prog", needed=["libb.so"], rpath="$ORIGIN/d")
    assert lab.ask().start.outcome == "abort"
