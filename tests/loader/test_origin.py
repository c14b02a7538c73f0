"""What $ORIGIN stands for when links are about (docs/loader.md A3.8, A3.9)."""

from __future__ import annotations

from tests.loader.lab import Lab


def test_a_linked_library_has_the_folder_of_the_link(lab: Lab) -> None:
    lab.put("real/m.so", needed=["libn.so"], runpath="$ORIGIN")
    lab.put("link/libn.so")
    lab.symlink("link/m.so", "../real/m.so")
    assert lab.one("$D/link/m.so").outcome == "ok"
    assert lab.one("$D/real/m.so").outcome == "error"


def test_parent_of_a_linked_folder_is_that_of_its_target(lab: Lab) -> None:
    lab.put("x/lib/m2.so", needed=["libn.so"], runpath="$ORIGIN/..")
    lab.put("x/libn.so")
    lab.symlink("y/sub/ll", "../../x/lib")
    assert lab.one("$D/y/sub/ll/m2.so").outcome == "ok"


def test_a_linked_program_has_its_real_folder(lab: Lab) -> None:
    lab.put("base/lib/libn.so")
    lab.put("venv/lib/libv.so")
    lab.link("base/bin/python", rpath="$ORIGIN/../lib")
    lab.program = lab.symlink("venv/bin/python", "../../base/bin/python")
    answer = lab.ask("libn.so", "libv.so")
    assert [s.outcome for s in answer.steps] == ["ok", "error"]


def test_a_relative_request_gets_the_cwd_in_front(lab: Lab) -> None:
    lab.put("d1/m.so", needed=["libn.so"], runpath="$ORIGIN/../d2")
    lab.put("d2/libn.so")
    step = lab.one("d1/m.so")
    assert step.mapped == ["d1/m.so", lab.path("d1/../d2/libn.so")]
