"""The simulated loader against the loaders of other glibc releases (docs/loader.md A14).

LOADER_SEED fixes the first seed, RELEASE_CASES the number of random roots for each release.
Each fixed case asks both loaders, and says what changed with which release.
"""

from __future__ import annotations

import os
import random
import struct
from pathlib import Path
from typing import Any

import pytest

from tests.loader.elfwriter import (
    DF_1_NODEFLIB,
    DF_1_PIE,
    R_TPOFF64,
    STT_TLS,
    Elf,
    Load,
    Needs,
    Sym,
)
from tests.loader.judge import Drivers
from tests.loader.lab import NOT_FOUND, Lab
from tests.loader.releases import Release
from tests.loader.shrink import check

CASES = int(os.environ.get("RELEASE_CASES", "50"))
BATCH = 25
FRESH = int(os.environ.get("LOADER_SEED", random.SystemRandom().randrange(10**9)))


@pytest.mark.parametrize("batch", range(max(1, CASES // BATCH)))
def test_random_roots(batch: int, tmp_path: Path, release_drivers: Drivers) -> None:
    for i in range(BATCH):
        found = check(FRESH + batch * BATCH + i, tmp_path, release_drivers, as_root=True)
        assert found is None, found


EXEC_STACK = "cannot enable executable stack as shared object requires: Invalid argument"


@pytest.mark.parametrize("stack", [7, None], ids=["asked for", "by default"])
def test_executable_stack(other: Lab, release: Release, stack: int | None) -> None:
    other.put("d/x.so", stack=stack)
    other.put("user.so", needed=["x.so"])
    refused = release.minor >= 41
    step = other.one("/user.so", LD_LIBRARY_PATH="/d")
    assert step.message == (f"x.so: {EXEC_STACK}" if refused else None)
    other.link("prog", needed=["x.so"], rpath="/d")
    assert other.one("/user.so").outcome == "ok"
    step = other.one("/user.so", GLIBC_TUNABLES="glibc.rtld.execstack=0")
    start = f"/prog: error while loading shared libraries: x.so: {EXEC_STACK}"
    assert step.message == (start if refused else None)


NAME = "glibc.rtld.execstack"


@pytest.mark.parametrize(
    ("tunables", "granted"),
    [
        (f"{NAME}=0", False),
        (f"{NAME}=1", False),
        (f"{NAME}=2", True),
        (f"{NAME}=3", False),
        (f"{NAME}=0x2", True),
        (f"other=1::{NAME}=2:glibc.rtld.nns=1", True),
        (f"{NAME}=2:{NAME}=7", False),
        (f"{NAME}=2:{NAME}=1", False),
        (f"{NAME}=2:odd", False),
        (f"{NAME}=2:", False),
        (f"{NAME}=2=2", False),
        (f"{NAME}=2x", False),
        (f" {NAME}=2", False),
    ],
)
def test_a_tunable_grants_the_stack(
    other: Lab, release: Release, tunables: str, granted: bool
) -> None:
    """Debian's 2.41 has what upstream has from 2.42."""
    other.put("x.so", stack=7)
    real, simulated = other.both("/x.so", GLIBC_TUNABLES=tunables)  # real warns of odd texts
    assert simulated.steps == real.steps
    assert (real.steps[0].outcome == "ok") == (granted or release.minor < 41)


def test_a_program_with_an_executable_stack(other: Lab, release: Release) -> None:
    program = bytearray((other.top / "prog").read_bytes())
    at = program.index(struct.pack("<II", 0x6474E551, 6))  # PT_GNU_STACK
    struct.pack_into("<I", program, at + 4, 7)
    (other.top / "prog").write_bytes(program)
    step = other.one(GLIBC_TUNABLES="glibc.rtld.execstack=0")
    text = "Fatal glibc error: executable stack is not allowed"
    assert step.message == (text if release.minor >= 41 else None)
    other.put("x.so", stack=7)
    assert other.one("/x.so").outcome == "ok"


@pytest.mark.parametrize("count", ["0", "1", "4", "16", "17", "1x", "1:"])
def test_tunables_of_static_tls(other: Lab, count: str) -> None:
    for size in (1700, 1000, 600):
        t = Sym("t", type=STT_TLS, relocs=[R_TPOFF64])
        other.put(f"t{size}.so", tls=size, tls_align=1, symbols=[t])
    for rest in ("", ":glibc.rtld.optional_static_tls=0"):
        tunables = f"glibc.rtld.nns={count}{rest}"
        paths = ["/t1700.so", "/t1000.so", "/t600.so"]
        real, simulated = other.both(*paths, GLIBC_TUNABLES=tunables)
        assert simulated.steps == real.steps


def test_hwcaps_folders(other: Lab, release: Release) -> None:
    other.put("d/libx.so")
    other.put("d/tls/libx.so")
    other.put("d/glibc-hwcaps/x86-64-v2/liby.so")
    step = other.one("libx.so", LD_LIBRARY_PATH="/d")
    assert step.mapped == ["/d/tls/libx.so" if release.minor <= 36 else "/d/libx.so"]
    assert (other.one("liby.so", LD_LIBRARY_PATH="/d").outcome == "ok") == (release.minor >= 33)


def test_elements_of_a_search_path(other: Lab, release: Release) -> None:
    other.put("d/libx.so")
    other.write("plain", b"")
    step = other.one("libx.so", LD_LIBRARY_PATH="plain:/d")
    assert (step.outcome == "ok") == (release.minor >= 39)
    other.put("liby.so")
    other.link("prog", rpath="/")
    step = other.one("libnone.so", "liby.so")
    assert (step.outcome == "ok") == (release.minor >= 38)


def test_a_cache_that_is_not_there_leaves_an_errno_at_every_search(
    other: Lab, release: Release
) -> None:
    other.put("x.so", needed=["libx.so"], flags_1=DF_1_NODEFLIB)
    step = other.one("/x.so", "/x.so")
    strerror = ": No such file or directory" if release.minor >= 44 else ""
    assert step.message == f"libx.so: cannot open shared object file{strerror}"


def test_a_filter_that_is_opened_itself(other: Lab, release: Release) -> None:
    other.put("d/libg.so")
    other.put("f.so", auxiliaries=["libg.so"], needed=["libnone.so"], ranks=[1, 0])
    other.put("d/g.so", filters=["libg.so"])
    other.put("user.so", needed=["g.so"])
    paths = ["/f.so", "/d/g.so", "/user.so"]
    outcomes = [other.one(path, LD_LIBRARY_PATH="/d").outcome for path in paths]
    assert outcomes == (["abort", "abort", "ok"] if release.minor < 32 else ["error", "ok", "ok"])


def test_a_version_from_a_file_without_any(other: Lab, release: Release) -> None:
    other.put("d/libv.so", soname="libv.so", symbols=[Sym("f")])
    f = Sym("f", defined=False, relocs=[1], version="V1")
    other.put("u.so", needed=["libv.so"], verneed=[Needs("libv.so", ["V1"])], symbols=[f])
    step = other.one("/u.so", LD_LIBRARY_PATH="/d")
    assert step.outcome == ("abort" if release.minor <= 40 else "ok")


def test_a_version_from_a_file_that_is_not_there_aborts(other: Lab) -> None:
    other.put("u.so", verneed=[Needs("libv.so", ["V1"])])
    assert other.one("/u.so").outcome == "abort"


def test_relative_relocations_in_words(other: Lab, release: Release) -> None:
    for name, marker in ("marked", ["GLIBC_ABI_DT_RELR"]), ("plain", []):
        needs = [Needs("libc.so.6", ["GLIBC_2.2.5", *marker])]
        other.put(f"{name}.so", needed=["libc.so.6"], relr=True, verneed=needs)
    step = other.one("/marked.so")
    libc = "/lib/x86_64-linux-gnu/libc.so.6"
    assert step.message == (
        None
        if release.minor >= 36
        else f"{libc}: version `GLIBC_ABI_DT_RELR' not found (required by /marked.so)"
    )
    step = other.one("/plain.so")
    text = "/plain.so: DT_RELR without GLIBC_ABI_DT_RELR dependency"
    assert step.message == (text if release.minor >= 36 else None)


FROM_2_35 = "ELF load command address/offset not page-aligned"
UP_TO_2_34 = "ELF load command address/offset not properly aligned"
BAD: list[tuple[str, dict[str, Any], list[tuple[int, str | None]]]] = [
    (
        "pie",
        {"flags_1": DF_1_PIE},
        [(30, "cannot dynamically load position-independent executable")],
    ),
    ("p_align", {"align": 8}, [(0, "ELF load command alignment not page-aligned"), (35, None)]),
    (
        "p_align of 64 KiB",
        {"loads": [Load(0x1000, 0x12000, 0, 8, align=0x10000)]},
        [(0, UP_TO_2_34), (35, None)],
    ),
    ("address", {"vaddr": 16}, [(0, UP_TO_2_34), (35, FROM_2_35)]),
    ("newer kernel", {"abi_tag": (0, 99, 0, 0)}, [(0, NOT_FOUND), (36, None)]),
    ("other system", {"abi_tag": (2, 1, 0, 0)}, [(0, NOT_FOUND), (36, None)]),
    (
        "level in a PT_NOTE alone",
        {"isa_needed": 0x8000},
        [(0, None), (33, "CPU ISA level is lower than required"), (44, None)],
    ),
    (
        "level",
        {"isa_needed": 0x8000, "property": True},
        [(0, None), (33, "CPU ISA level is lower than required")],
    ),
]


@pytest.mark.parametrize(("fields", "texts"), [b[1:] for b in BAD], ids=[b[0] for b in BAD])
def test_files(
    other: Lab, release: Release, fields: dict[str, Any], texts: list[tuple[int, str | None]]
) -> None:
    other.put("x.so", **fields)
    text = [text for minor, text in texts if minor <= release.minor][-1]
    assert other.one("/x.so").message == (f"/x.so: {text}" if text else None)


def test_program_headers_are_read_late_from_2_44(other: Lab, release: Release) -> None:
    other.write("d/libx.so", Elf(cut=64).to_bytes())
    step = other.one("libx.so", LD_LIBRARY_PATH="/d")
    name = "libx.so" if release.minor >= 44 else "/d/libx.so"
    assert step.message == f"{name}: cannot read file data"
