"""A program that has more rights than its user (docs/loader.md A1.7): the user's variables and
$ORIGIN count for less. Only root can make one, and be somebody else for a while."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from tests.loader.elfwriter import R_JUMP_SLOT, R_TPOFF64, STT_TLS, Sym
from tests.loader.judge import Answer, Drivers, ask_real, run
from tests.loader.lab import NOT_FOUND, Lab

NOBODY = 65534


@pytest.fixture
def open_lab(drivers: Drivers) -> Iterator[Lab]:
    """A folder that everybody may read."""
    if os.geteuid() != 0:
        pytest.skip("only root can be somebody else")
    with tempfile.TemporaryDirectory() as top:
        if os.statvfs(top).f_flag & os.ST_NOSUID:
            pytest.skip("set-uid programs do not work in the folder for temporary files")
        Path(top).chmod(0o755)
        yield Lab(Path(top) / "D", drivers)


def both(lab: Lab, *requests: str, **variables: str) -> Answer:
    """Asks both loaders for a process that nobody started."""
    filled = {k: lab.fill(v) for k, v in variables.items()}
    asked = [lab.fill(r) for r in requests]
    with ProcessPoolExecutor(1, initializer=os.setresuid, initargs=(NOBODY,) * 3) as pool:
        real = pool.submit(ask_real, Path(lab.program), asked, filled, "/").result()
    answer = lab.simulate(*requests, cwd="/", extra=["--user", str(NOBODY)], **variables)
    assert answer == real
    return answer


def set_uid(path: str) -> None:
    Path(path).chmod(0o4755)


def capable(path: str) -> None:
    run(["/sbin/setcap", "cap_net_bind_service+ep", path])


@pytest.mark.parametrize("raise_rights", [set_uid, capable])
def test_variables_are_dropped(open_lab: Lab, raise_rights: Callable[[str], None]) -> None:
    lab = open_lab
    lab.put("d/libx.so")
    lab.put("pre.so", soname="pre.so")
    variables = {"LD_LIBRARY_PATH": "$D/d", "LD_PRELOAD": "$D/pre.so"}
    assert both(lab, "libx.so", "pre.so", **variables).steps[1].outcome == "ok"
    raise_rights(lab.program)
    answer = both(lab, "libx.so", "pre.so", **variables)
    assert [s.message for s in answer.steps] == [f"libx.so: {NOT_FOUND}", f"pre.so: {NOT_FOUND}"]
    assert answer.warnings == []


def test_root_gains_nothing_from_capabilities(open_lab: Lab) -> None:
    open_lab.put("d/libx.so")
    capable(open_lab.program)
    assert open_lab.one("libx.so", LD_LIBRARY_PATH="$D/d").outcome == "ok"


def test_search_paths_of_files_stay(open_lab: Lab) -> None:
    lab = open_lab
    lab.put("d/libx.so")
    lab.put("d/u.so", needed=["libx.so"], runpath="$ORIGIN")
    lab.put("v.so", needed=["libx.so"], runpath="/none$ORIGIN:$D/$LIB/../../d")
    set_uid(lab.link("prog", rpath="$ORIGIN/d"))
    answer = both(lab, "libx.so", "$D/d/u.so", "$D/v.so")
    assert [s.outcome for s in answer.steps] == ["error", "ok", "ok"]
    set_uid(lab.link("prog", rpath=f"{lab.top}/d"))
    assert both(lab, "libx.so").steps[0].outcome == "ok"


@pytest.mark.parametrize(
    "element", ["x$ORIGIN/../d", "$ORIGIN/../d", "${ORIGIN}/../d/.", "$ORIGIN$ORIGIN", "$ORIGINx"]
)
def test_origin_stands_alone_at_the_start(open_lab: Lab, element: str) -> None:
    lab = open_lab
    lab.put("d/libx.so")
    lab.put("e/u.so", needed=["libx.so"], runpath=element)
    set_uid(lab.program)
    expected = "ok" if element.rstrip("/.") in ("$ORIGIN/../d", "${ORIGIN}/../d") else "error"
    assert both(lab, "$D/e/u.so").steps[0].outcome == expected


def test_needs_have_no_tokens(open_lab: Lab) -> None:
    lab = open_lab
    lab.put("d/libx.so")
    lab.put("u.so", needed=["$ORIGIN/d/libx.so"])
    assert both(lab, "$D/u.so").steps[0].outcome == "ok"
    set_uid(lab.program)
    text = "$ORIGIN/d/libx.so: DST not allowed in SUID/SGID programs"
    assert both(lab, "$D/u.so").steps[0].message == text


def test_bare_preloads_must_be_set_uid_and_no_cache_is_asked(open_lab: Lab) -> None:
    lab = open_lab
    one, two = lab.put("d/one.so"), lab.put("d/two.so")
    set_uid(one)
    set_uid(lab.link("prog", rpath=f"{lab.top}/d"))
    answer = both(lab, "two.so", LD_PRELOAD="one.so two.so libz.so.1")
    assert answer.start.mapped[0] == one
    assert len(answer.warnings) == 2
    assert answer.steps[0].mapped == [two]


def test_tunables_are_dropped(open_lab: Lab) -> None:
    lab = open_lab
    variable = Sym("v", type=STT_TLS, relocs=[R_TPOFF64])
    lab.put("big.so", tls=2500, symbols=[variable])
    tunables = {"GLIBC_TUNABLES": "glibc.rtld.optional_static_tls=4000"}
    assert both(lab, "$D/big.so", **tunables).steps[0].outcome == "ok"
    set_uid(lab.program)
    assert both(lab, "$D/big.so", **tunables).steps[0].outcome == "error"


def test_binding_at_once_can_still_be_asked_for(open_lab: Lab) -> None:
    lab = open_lab
    lab.put("u.so", symbols=[Sym("none", defined=False, relocs=[R_JUMP_SLOT])])
    set_uid(lab.program)
    assert both(lab, "lazy:$D/u.so").steps[0].outcome == "ok"
    assert both(lab, "lazy:$D/u.so", LD_BIND_NOW="1").steps[0].outcome == "error"
