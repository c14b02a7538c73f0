"""Which loaded object answers to a name (docs/loader.md A4), and what outlives a failed open."""

from __future__ import annotations

import pytest

from tests.loader.elfwriter import R_64, Sym
from tests.loader.lab import NOT_FOUND, Lab


def outcomes(lab: Lab, *requests: str, **variables: str) -> list[str]:
    return [s.outcome for s in lab.ask(*requests, **variables).steps]


def test_a_soname_in_memory_serves_a_need(lab: Lab) -> None:
    lab.put("n1/libn.so.1.0", soname="libn.so.1")
    lab.put("ext.so", needed=["libn.so.1"])
    assert outcomes(lab, "$D/n1/libn.so.1.0", "$D/ext.so") == ["ok", "ok"]
    line = lab.lines("$D/n1/libn.so.1.0", "$D/ext.so")[2]
    assert line["resolved"][0] == {
        "requested": "libn.so.1",
        "by": lab.path("ext.so"),
        "name": lab.path("n1/libn.so.1.0"),
    }


def test_a_file_name_in_memory_does_not(lab: Lab) -> None:
    lab.put("n1/libn.so.1")
    lab.put("ext.so", needed=["libn.so.1"])
    assert outcomes(lab, "$D/n1/libn.so.1", "$D/ext.so") == ["ok", "error"]


def test_a_copy_is_another_object_and_the_first_answers(lab: Lab) -> None:
    lab.put("n1/libn.so.1.0", soname="libn.so.1")
    lab.put("n2/libn.so.1.0", soname="libn.so.1")
    answer = lab.ask("$D/n1/libn.so.1.0", "$D/n2/libn.so.1.0", "libn.so.1")
    assert [len(s.mapped) for s in answer.steps] == [1, 1, 0]


def test_a_hard_link_is_the_same_object(lab: Lab) -> None:
    lab.put("n1/liba.so")
    (lab.top / "n1/libb.so").hardlink_to(lab.top / "n1/liba.so")
    lab.put("ext.so", needed=["libb.so"])
    answer = lab.ask("$D/n1/liba.so", "$D/n1/libb.so", "$D/ext.so", LD_LIBRARY_PATH="$D/n1")
    assert [len(s.mapped) for s in answer.steps] == [1, 0, 1]


def test_a_link_found_by_search_is_the_same_object(lab: Lab) -> None:
    lab.put("n1/libreal.so")
    lab.symlink("n1/libalias.so", "libreal.so")
    lab.put("ext.so", needed=["libreal.so"])
    answer = lab.ask("$D/n1/libalias.so", "$D/ext.so", LD_LIBRARY_PATH="$D/n1")
    assert [len(s.mapped) for s in answer.steps] == [1, 1]


def test_a_renamed_library_answers_to_both_names(lab: Lab) -> None:
    lab.put("libs/libn-abcdef.so.1", soname="libn.so.1")
    lab.put("a.so", needed=["libn-abcdef.so.1"], rpath="$ORIGIN/libs")
    lab.put("b.so", needed=["libn.so.1", "libn-abcdef.so.1"])
    assert outcomes(lab, "$D/a.so", "$D/b.so") == ["ok", "ok"]


def test_a_failed_open_is_rolled_back(lab: Lab) -> None:
    lab.put("d1/libdep.so", soname="libdep.so")
    lab.put("bad.so", needed=["libdep.so", "libnone.so"], runpath="$D/d1")
    answer = lab.ask("$D/bad.so", "libdep.so")
    assert [s.message for s in answer.steps] == [
        f"libnone.so: {NOT_FOUND}",
        f"libdep.so: {NOT_FOUND}",
    ]


def test_names_learned_survive_a_failed_open(lab: Lab) -> None:
    lab.put("n1/liba.so")
    lab.symlink("n2/libb.so", "../n1/liba.so")
    lab.put("bad.so", needed=["libb.so", "libnone.so"], runpath="$D/n2")
    assert outcomes(lab, "$D/n1/liba.so", "$D/bad.so", "libb.so") == ["ok", "error", "ok"]


def test_what_comes_after_the_failure_is_not_learned(lab: Lab) -> None:
    lab.put("n1/liba.so")
    lab.symlink("n2/libb.so", "../n1/liba.so")
    lab.put("bad.so", needed=["libnone.so", "libb.so"], runpath="$D/n2")
    assert outcomes(lab, "$D/n1/liba.so", "$D/bad.so", "libb.so") == ["ok", "error", "error"]


def test_the_first_in_breadth_first_order_is_reported(lab: Lab) -> None:
    lab.put("d/liba.so", needed=["libdeep.so"])
    lab.put("top.so", needed=["liba.so", "libshallow.so"], runpath="$D/d")
    assert lab.one("$D/top.so").message == f"libshallow.so: {NOT_FOUND}"
    names = [p["name"] for p in lab.lines("$D/top.so")[1]["problems"]]
    assert names == ["libshallow.so", "libdeep.so"]


def test_filters_come_before_what_they_filter(lab: Lab) -> None:
    lab.put("d/libfiltee.so")
    lab.put("d/liblate.so")
    lab.put("d/libf.so", filters=["libfiltee.so"], needed=["liblate.so"], runpath="$ORIGIN")
    step = lab.one("$D/d/libf.so")
    assert [m.rsplit("/", 1)[1] for m in step.mapped][:2] == ["libfiltee.so", "libf.so"]
    lab.put("d/libg.so", filters=["libnone.so"])
    lab.put("d/libh.so", auxiliaries=["libnone.so"])
    assert lab.one("$D/d/libg.so").message == f"libnone.so: {NOT_FOUND}"
    assert lab.one("$D/d/libh.so").outcome == "ok"


@pytest.mark.parametrize("ranks", [[], [1, 0, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]])
def test_needs_and_filters_count_in_the_order_of_the_file(lab: Lab, ranks: list[int]) -> None:
    """GNU ld writes DT_NEEDED first; other linkers need not."""
    for name in ("libn.so", "libf.so", "liba.so"):
        lab.put(f"d/{name}", needed=["libnone.so"] if name == "libf.so" else [])
    lab.put("bad.so", needed=["libn.so"], filters=["libf.so"], auxiliaries=["liba.so"], ranks=ranks)
    lab.put("ok.so", needed=["libn.so"], filters=["liba.so"], auxiliaries=["libo.so"], ranks=ranks)
    lab.put(
        "gone.so", needed=["libx.so"], filters=["liby.so"], auxiliaries=["libz.so"], ranks=ranks
    )
    for name in ("bad", "ok", "gone"):
        lab.one(f"$D/{name}.so", LD_LIBRARY_PATH="$D/d")


def test_filters_in_a_circle_crash(lab: Lab) -> None:
    lab.put("d/liba.so", filters=["libb.so"], runpath="$ORIGIN")
    lab.put("d/libb.so", filters=["liba.so"], runpath="$ORIGIN")
    assert lab.one("$D/d/liba.so").outcome == "crash"


def test_odd_names(lab: Lab) -> None:
    lab.put("empty.so", needed=["", "linux-vdso.so.1", "ld-linux-x86-64.so.2"])
    lab.put("slash.so", soname="any/where.so")
    lab.put("user.so", needed=["any/where.so"])
    assert outcomes(lab, "$D/empty.so", "$D/slash.so", "$D/user.so") == ["ok", "ok", "ok"]
    assert outcomes(lab, "/lib/x86_64-linux-gnu/libc.so.6", "libc.so.6") == ["ok", "ok"]
    assert outcomes(lab, "$D/prog") == ["error"]


def test_the_loader_answers_to_its_names_only(lab: Lab) -> None:
    """Its file under another path is mapped a second time: it has no file identity."""
    answer = lab.ask("ld-linux-x86-64.so.2", "/lib64/ld-linux-x86-64.so.2")
    assert [s.mapped for s in answer.steps] == [[], []]
    other = lab.symlink("other.so", "/lib64/ld-linux-x86-64.so.2")
    assert lab.one("$D/other.so").mapped == [other]


def test_everything_missing_is_listed_once(lab: Lab) -> None:
    lab.put("d/liba.so", needed=["libn1.so", "libn2.so"])
    lab.write("d/libbad.so", b"<html>" * 20)
    lab.put("d/libb.so", needed=["libbad.so", "libn2.so", "libn3.so"], runpath="$ORIGIN")
    lab.put("top.so", needed=["libn1.so", "liba.so", "libb.so"], runpath="$D/d")
    lab.one("$D/top.so")
    problems = lab.lines("$D/top.so")[1]["problems"]
    assert [(p["kind"], p["name"]) for p in problems] == [
        ("missing-library", "libn1.so"),
        ("missing-library", "libn2.so"),
        ("bad-file", "libbad.so"),
        ("missing-library", "libn3.so"),
    ]
    assert problems[2]["object"] == lab.path("d/libbad.so")
    assert problems[2]["needed_by"] == lab.path("d/libb.so")


def test_what_may_not_be_loaded_is_only_looked_for(lab: Lab) -> None:
    """RTLD_NOLOAD: names and files count as ever, but nothing new is mapped."""
    lab.put("n1/libn.so.1.0", soname="libn.so.1")
    lab.put("n2/libn.so.2")
    lab.symlink("n1/link.so", "libn.so.1.0")
    lab.write("n2/libbad.so", b"no library")
    path = {"LD_LIBRARY_PATH": "$D/n2"}
    assert lab.one("noload:libn.so.2", **path).outcome == "none"
    assert lab.one("noload:libn.so.1", **path).message == f"libn.so.1: {NOT_FOUND}"
    assert lab.one("noload:libbad.so", **path).outcome == "error"
    for name in ("libn.so.1", "$D/n1/libn.so.1.0", "$D/n1/link.so"):
        assert lab.one("$D/n1/libn.so.1.0", f"noload:{name}", **path).outcome == "ok"
    assert lab.one("libn.so.2", "noload:libn.so.2", **path).mapped == []


def test_what_is_loaded_can_be_made_global_without_loading(lab: Lab) -> None:
    lab.put("p.so", symbols=[Sym("ext")])
    lab.put("u.so", symbols=[Sym("ext", defined=False, relocs=[R_64])])
    assert outcomes(lab, "global:noload:$D/p.so", "$D/u.so") == ["none", "error"]
    assert outcomes(lab, "$D/p.so", "global:noload:$D/p.so", "$D/u.so") == ["ok", "ok", "ok"]
