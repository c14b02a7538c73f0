"""Where a name is looked for, and in which order (docs/loader.md A2, A3, A6, A7)."""

from __future__ import annotations

import pytest

from tests.loader.elfwriter import DF_1_NODEFLIB
from tests.loader.lab import NOT_FOUND, Lab


def two_copies(lab: Lab) -> None:
    lab.put("d1/libx.so.1")
    lab.put("d2/libx.so.1")


def test_rpath_beats_the_variable(lab: Lab) -> None:
    two_copies(lab)
    lab.put("mod.so", needed=["libx.so.1"], rpath="$D/d1")
    assert lab.one("$D/mod.so", LD_LIBRARY_PATH="$D/d2").mapped[1] == lab.path("d1/libx.so.1")


def test_the_variable_beats_runpath(lab: Lab) -> None:
    two_copies(lab)
    lab.put("mod.so", needed=["libx.so.1"], runpath="$D/d1")
    assert lab.one("$D/mod.so", LD_LIBRARY_PATH="$D/d2").mapped[1] == lab.path("d2/libx.so.1")


def test_an_empty_runpath_still_discards_the_rpath(lab: Lab) -> None:
    two_copies(lab)
    lab.put("mod.so", needed=["libx.so.1"], rpath="$D/d1", runpath="")
    assert lab.one("$D/mod.so").message == f"libx.so.1: {NOT_FOUND}"


def test_runpath_is_not_inherited(lab: Lab) -> None:
    lab.put("leaf/libleaf.so")
    lab.put("mid/libmid.so", needed=["libleaf.so"])
    lab.put("top.so", needed=["libmid.so"], runpath="$D/mid:$D/leaf")
    assert lab.one("$D/top.so").message == f"libleaf.so: {NOT_FOUND}"


def test_rpath_is_inherited_by_the_whole_chain(lab: Lab) -> None:
    lab.put("leaf/libleaf.so")
    lab.put("mid/libmid.so", needed=["libleaf.so"])
    lab.put("top.so", needed=["libmid.so"], rpath="$D/mid:$D/leaf")
    assert lab.one("$D/top.so").outcome == "ok"


def test_a_runpath_of_its_own_switches_inherited_rpath_off(lab: Lab) -> None:
    lab.put("leaf/libleaf.so")
    lab.put("mid/libmid.so", needed=["libleaf.so"], runpath="/nonexistent")
    lab.put("top.so", needed=["libmid.so"], rpath="$D/mid:$D/leaf")
    assert lab.one("$D/top.so").message == f"libleaf.so: {NOT_FOUND}"


def test_the_chain_passes_over_an_object_with_runpath(lab: Lab) -> None:
    lab.put("leaf/libleaf.so")
    lab.put("mid/libmid.so", needed=["libleaf.so"])
    lab.put("m0/libm0.so", needed=["libmid.so"], runpath="$D/mid")
    lab.put("top0.so", needed=["libm0.so"], rpath="$D/m0:$D/leaf")
    assert len(lab.one("$D/top0.so").mapped) == 4


def test_own_rpath_comes_before_the_one_above(lab: Lab) -> None:
    two_copies(lab)
    lab.put("mid/libmid.so", needed=["libx.so.1"], rpath="$D/d2")
    lab.put("top.so", needed=["libmid.so"], rpath="$D/mid:$D/d1")
    assert lab.one("$D/top.so").mapped[2] == lab.path("d2/libx.so.1")


def test_runpath_of_the_program_serves_the_program_only(lab: Lab) -> None:
    lab.put("lib/libn.so.1")
    lab.put("ext.so", needed=["libn.so.1"])
    lab.link("bin/python", runpath="$ORIGIN/../lib")
    assert lab.one("$D/ext.so").message == f"libn.so.1: {NOT_FOUND}"
    assert lab.one("libn.so.1").outcome == "ok"


def test_rpath_of_the_program_serves_every_object_without_runpath(lab: Lab) -> None:
    lab.put("lib/libn.so.1")
    lab.put("ext.so", needed=["libn.so.1"])
    lab.put("ext2.so", needed=["libn.so.1"], runpath="$ORIGIN")
    lab.link("bin/python", rpath="$ORIGIN/../lib")
    assert lab.one("$D/ext.so").outcome == "ok"
    assert lab.one("$D/ext2.so").message == f"libn.so.1: {NOT_FOUND}"


@pytest.mark.parametrize("value", [":/none", "/none:", "/none::/none2", ":", ";", "/none;"])
def test_an_empty_element_of_the_variable_is_the_cwd(lab: Lab, value: str) -> None:
    two_copies(lab)
    lab.put("mod.so", needed=["libx.so.1"])
    step = lab.one("$D/mod.so", cwd="d1", LD_LIBRARY_PATH=value)
    assert step.mapped[1] == "libx.so.1"
    step = lab.one("$D/mod.so", cwd="/", LD_LIBRARY_PATH=value)
    assert step.message == f"libx.so.1: {NOT_FOUND}"


def test_an_empty_variable_is_no_element(lab: Lab) -> None:
    two_copies(lab)
    lab.put("mod.so", needed=["libx.so.1"])
    assert lab.one("$D/mod.so", cwd="d1", LD_LIBRARY_PATH="").outcome == "error"


def test_a_trailing_colon_in_runpath_is_the_cwd(lab: Lab) -> None:
    two_copies(lab)
    lab.put("mod.so", needed=["libx.so.1"], runpath="$ORIGIN:")
    assert lab.one("$D/mod.so", cwd="d1").outcome == "ok"
    assert lab.one("$D/mod.so", cwd="/").outcome == "error"


def test_a_semicolon_separates_in_the_variable_only(lab: Lab) -> None:
    two_copies(lab)
    lab.put("mod.so", needed=["libx.so.1"], rpath="/none;$D/d1")
    assert lab.one("$D/mod.so").outcome == "error"
    assert lab.one("$D/mod.so", LD_LIBRARY_PATH="/none;$D/d1").outcome == "ok"


def test_a_need_with_a_slash_depends_on_the_cwd(lab: Lab) -> None:
    lab.put("n1/libns.so")
    lab.put("mod.so", needed=["n1/libns.so"])
    assert lab.one("$D/mod.so", cwd=".").outcome == "ok"
    step = lab.one("$D/n1/libns.so", "$D/mod.so", cwd="/")
    assert step.message == f"n1/libns.so: {NOT_FOUND}"


def test_tokens_work_in_a_need_with_a_slash(lab: Lab) -> None:
    lab.put("link/libn.so.1", soname="libn.so.1")
    lab.put("real/mod.so", needed=["$ORIGIN/../link/libn.so.1"])
    assert lab.one("$D/real/mod.so", "libn.so.1").outcome == "ok"


@pytest.mark.parametrize(
    ("element", "outcome"),
    [
        ("$ORIGIN/d1", "ok"),
        ("${ORIGIN}/d1", "ok"),
        ("$ORIGIN/d1//", "ok"),
        ("$ORIGINx/d1", "error"),
        ("$NOTHING/d1", "error"),
        ("~/d1", "error"),
        ("$D/$LIB", "ok"),
        ("$D/$PLATFORM", "ok"),
        (" $D/d1", "error"),
    ],
)
def test_tokens_and_odd_elements(lab: Lab, element: str, outcome: str) -> None:
    two_copies(lab)
    lab.put("lib/x86_64-linux-gnu/libx.so.1")
    lab.put("x86_64/libx.so.1")
    lab.put("mod.so", needed=["libx.so.1"], runpath=element)
    assert lab.one("$D/mod.so", cwd="/").outcome == outcome


def test_an_errno_other_than_absence_ends_the_list(lab: Lab) -> None:
    two_copies(lab)
    lab.symlink("bad/libx.so.1", "libx.so.1")
    lab.put("mod.so", needed=["libx.so.1"], runpath="$D/d2")
    step = lab.one("$D/mod.so", LD_LIBRARY_PATH="$D/bad:$D/d1")
    assert step.mapped[1] == lab.path("d2/libx.so.1")


def test_a_relative_element_that_is_a_file(lab: Lab) -> None:
    two_copies(lab)
    lab.write("plain", b"")
    lab.put("mod.so", needed=["libx.so.1"])
    assert lab.one("$D/mod.so", LD_LIBRARY_PATH="$D/plain:$D/d1").outcome == "ok"
    assert lab.one("$D/mod.so", LD_LIBRARY_PATH="plain:$D/d1").outcome == "error"
    newer = lab.simulate("$D/mod.so", LD_LIBRARY_PATH="plain:$D/d1", extra=["--minor", "39"])
    assert newer.steps[0].outcome == "ok"


def test_the_root_folder_as_an_element_is_forgotten(image: Lab) -> None:
    image.put("libx.so.1")
    image.put("mod.so", needed=["libx.so.1"])
    image.link("prog", runpath="/")
    assert image.one("liby.so", "libx.so.1").outcome == "error"
    image.program = image.link("prog", rpath="/")
    answer = image.simulate("liby.so", "libx.so.1", extra=["--minor", "38"])
    assert answer.steps[1].outcome == "ok"


def test_hwcaps_folders_come_first(lab: Lab) -> None:
    two_copies(lab)
    lab.put("d1/glibc-hwcaps/x86-64-v2/libx.so.1")
    lab.put("d3/glibc-hwcaps/x86-64-v2/liby.so.1")
    lab.put("mod.so", needed=["libx.so.1", "liby.so.1"])
    step = lab.one("$D/mod.so", LD_LIBRARY_PATH="$D/d1:$D/d3")
    assert step.mapped[1] == lab.path("d1/glibc-hwcaps/x86-64-v2/libx.so.1")
    old = lab.simulate(
        "$D/mod.so", LD_LIBRARY_PATH="$D/d1:$D/d3", extra=["--cpu", "x86-64-v1"]
    ).steps[0]
    assert old.message == f"liby.so.1: {NOT_FOUND}"


@pytest.mark.parametrize("folder", ["tls", "x86_64", "tls/x86_64", "x86_64/x86_64"])
def test_legacy_folders_end_with_2_36(lab: Lab, folder: str) -> None:
    lab.put("d1/libx.so.1")
    lab.put(f"d1/{folder}/libx.so.1")
    lab.put("mod.so", needed=["libx.so.1"])
    step = lab.one("$D/mod.so", LD_LIBRARY_PATH="$D/d1")
    assert step.mapped[1] == lab.path(f"d1/{folder}/libx.so.1")
    newer = lab.simulate("$D/mod.so", LD_LIBRARY_PATH="$D/d1", extra=["--minor", "37"])
    assert newer.steps[0].mapped[1] == lab.path("d1/libx.so.1")


def test_nodeflib_keeps_out_of_default_folders(image: Lab) -> None:
    image.put("usr/lib/libx.so.1")
    image.put("mod.so", needed=["libx.so.1"], flags_1=DF_1_NODEFLIB)
    image.put("mod2.so", needed=["libx.so.1"], flags_1=DF_1_NODEFLIB, runpath="/none")
    image.put("ok.so", needed=["libx.so.1"])
    assert image.one("/mod.so").message == "libx.so.1: cannot open shared object file"
    assert image.one("/mod2.so").message == f"libx.so.1: {NOT_FOUND}"
    assert image.one("/ok.so").outcome == "ok"
    image.ldconfig()
    assert image.one("/mod.so").outcome == "error"
    assert image.one("/ok.so").outcome == "ok"


def test_a_missing_cache_leaves_its_errno_once(image: Lab) -> None:
    image.put("mod.so", needed=["libx.so.1"], flags_1=DF_1_NODEFLIB, runpath="")
    image.link("prog", rpath="/lib/x86_64-linux-gnu")  # the start asks no cache
    answer = image.ask("/mod.so", "/mod.so")
    assert [s.message for s in answer.steps] == [
        f"libx.so.1: {NOT_FOUND}",
        "libx.so.1: cannot open shared object file",
    ]


def test_only_the_cache_knows_other_folders(image: Lab) -> None:
    image.put("usr/local/lib/libx.so.1", soname="libx.so.1")
    image.put("mod.so", needed=["libx.so.1"])
    image.write("etc/ld.so.conf", b"/usr/local/lib\n")
    assert image.one("/mod.so").message == f"libx.so.1: {NOT_FOUND}"
    image.ldconfig()
    assert image.one("/mod.so").mapped[1] == "/usr/local/lib/libx.so.1"


def test_a_stale_cache_entry_falls_back_to_default_folders(image: Lab) -> None:
    image.put("usr/local/lib/libx.so.1", soname="libx.so.1")
    image.put("mod.so", needed=["libx.so.1"])
    image.write("etc/ld.so.conf", b"/usr/local/lib\n")
    image.ldconfig()
    (image.top / "usr/local/lib/libx.so.1").unlink()
    assert image.one("/mod.so").outcome == "error"
    image.put("usr/lib/libx.so.1")
    assert image.one("/mod.so").mapped[1] == "/usr/lib/libx.so.1"


def test_the_cache_compares_digits_as_numbers_and_knows_hwcaps(image: Lab) -> None:
    image.put("usr/local/lib/libx.so.1", soname="libx.so.1")
    image.put("usr/local/lib/glibc-hwcaps/x86-64-v2/libx.so.1", soname="libx.so.1")
    image.put("usr/local/lib/tls/libw.so.1", soname="libw.so.1")
    image.put("usr/local/lib/libw.so.1", soname="libw.so.1")
    image.write("etc/ld.so.conf", b"/usr/local/lib\n")
    image.ldconfig()
    assert "x86-64-v2" in image.one("libx.so.01").mapped[0]
    image.one("libw.so.1")
    plain = image.simulate("libx.so.1", extra=["--cpu", "x86-64-v1"]).steps[0]
    assert plain.mapped == ["/usr/local/lib/libx.so.1"]


def test_a_caller_counts_for_the_name_it_opens_and_no_further(lab: Lab) -> None:
    lab.put("d1/libx.so.1", needed=["liby.so.1"])
    lab.put("d1/liby.so.1")
    caller = lab.drivers.copy_caller(lab.top / "caller.so", rpath=str(lab.top / "d1"))
    step = lab.one(str(caller), f"by={caller}:libx.so.1")
    assert step.message == f"liby.so.1: {NOT_FOUND}"
    step = lab.one(str(caller), f"by={caller}:liby.so.1")
    assert step.mapped == [lab.path("d1/liby.so.1")]
    assert lab.one(str(caller), f"by={caller}:$ORIGIN/d1/liby.so.1").outcome == "ok"


def test_a_search_can_be_told(lab: Lab) -> None:
    two_copies(lab)
    lab.put("d2/glibc-hwcaps/x86-64-v2/libx.so.1", bits=32)
    lab.link("prog", rpath="/none:$ORIGIN/loop")
    lab.symlink("loop/libx.so.1", "libx.so.1")
    answer = lab.lines("libx.so.1", LD_LIBRARY_PATH="$D/d2")
    assert answer[1]["outcome"] == "ok"
    lines = lab._simulate((), ".", {"LD_LIBRARY_PATH": "$D/d2"}, ["--search", "libx.so.1"])[1]
    steps = [(s["place"], s["by"], s["entry"], s["result"]) for s in lines[-1]["searched"]]
    assert steps == [
        ("/none", "rpath", 1, "no directory"),
        (lab.path("loop"), "rpath", 2, "loop"),
        (lab.path("d2/glibc-hwcaps/x86-64-v2"), "ld_library_path", 1, "wrong class"),
        (lab.path("d2"), "ld_library_path", 1, "taken"),
    ]
    assert lines[-1]["taken"] == lab.path("d2/libx.so.1")
