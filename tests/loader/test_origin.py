"""What $ORIGIN stands for when links are about (docs/loader.md A3.8, A3.9)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.loader.judge import ask_real
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


@pytest.mark.parametrize("by_link", [False, True])
def test_a_program_given_to_its_loader(lab: Lab, by_link: bool) -> None:
    """`ld.so PROG`: up to 2.41 $ORIGIN is of the path as typed, then of the real file."""
    lab.put("base/lib/libn.so")
    lab.put("venv/lib/libv.so")
    lab.link("base/bin/python", rpath="$ORIGIN/../lib")
    if by_link:
        lab.program = lab.symlink("venv/bin/python", "../../base/bin/python")
    loader = Path("/lib64/ld-linux-x86-64.so.2")
    real = ask_real(loader, [lab.program, "libn.so", "libv.so"], {}, lab.top)
    answer = lab.simulate("libn.so", "libv.so", extra=["--explicit"])
    assert (answer.steps, answer.start.mapped[0]) == (real.steps, real.start.mapped[0])
    assert [s.outcome for s in answer.steps] == (["error", "ok"] if by_link else ["ok", "error"])
    newer = lab.simulate("libn.so", "libv.so", extra=["--explicit", "--minor", "42"])
    assert [s.outcome for s in newer.steps] == ["ok", "error"]


def test_links_stay_inside_a_private_root(image: Lab) -> None:
    """Debian's alternatives are absolute links; ".." above the root is the root. Where the tree is
    a folder of this machine, neither leads out of it."""
    image.put("usr/lib/blas/libblas.so.3", soname="libblas.so.3", needed=["libdep.so"])
    image.put("usr/lib/blas/libdep.so")
    image.symlink("usr/lib/x86_64-linux-gnu/libblas.so.3", "/etc/alternatives/libblas.so.3")
    image.symlink("etc/alternatives/libblas.so.3", "/usr/lib/blas/libblas.so.3")
    image.symlink("up", "../../../usr/lib/blas")
    image.put("mod.so", needed=["libblas.so.3"])
    step = image.one("/mod.so", LD_LIBRARY_PATH="/../up/../../lib/blas")
    assert step.mapped[1] == "/../up/../../lib/blas/libblas.so.3"
    step = image.one("/mod.so", LD_LIBRARY_PATH="/usr/lib/x86_64-linux-gnu:/up")
    assert step.mapped[1:] == ["/usr/lib/x86_64-linux-gnu/libblas.so.3", "/up/libdep.so"]
