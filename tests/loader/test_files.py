"""Which files are skipped, which stop the loader, which kill the process (docs/loader.md A5)."""

from __future__ import annotations

import struct
from typing import Any

import pytest

from tests.loader.elfwriter import (
    DF_1_NOOPEN,
    DF_1_PIE,
    DT_STRTAB,
    EM_386,
    EM_AARCH64,
    ET_EXEC,
    ET_REL,
    Elf,
    Load,
)
from tests.loader.lab import NOT_FOUND, Lab

TEXT = b"INPUT ( libx.so.1.0 )  /* a linker script, longer than an ELF header, as they are */\n"
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"0" * 64 + b"\nsize 1\n"


def ask_with(lab: Lab, data: bytes | None, good: bool) -> tuple[str, str | None, list[str]]:
    """`mod.so` needs libx.so.1; the first of two folders holds `data`, the second a good one."""
    (lab.top / "bad").mkdir(exist_ok=True)
    if data is not None:
        lab.write("bad/libx.so.1", data)
    if good:
        lab.put("d1/libx.so.1")
    lab.put("mod.so", needed=["libx.so.1"])
    step = lab.one("$D/mod.so", LD_LIBRARY_PATH="$D/bad:$D/d1")
    return step.outcome, step.message, step.mapped


SKIPPED: list[tuple[str, dict[str, Any], str]] = [
    ("other class", {"bits": 32, "machine": EM_386}, "wrong ELF class: ELFCLASS32"),
    ("unknown class", {"ident": {4: 9}}, "wrong ELF class: ELFCLASS32"),
    ("other machine", {"machine": EM_AARCH64}, NOT_FOUND),
    ("other machine and byte order", {"machine": 22, "little": False}, NOT_FOUND),
    ("other machine and system", {"machine": EM_AARCH64, "ident": {7: 9}}, NOT_FOUND),
]


@pytest.mark.parametrize(("fields", "text"), [s[1:] for s in SKIPPED], ids=[s[0] for s in SKIPPED])
def test_skipped(lab: Lab, fields: dict[str, Any], text: str) -> None:
    data = Elf(**fields).to_bytes()
    assert ask_with(lab, data, good=True)[2][1] == lab.path("d1/libx.so.1")
    (lab.top / "d1/libx.so.1").unlink()
    assert ask_with(lab, data, good=False)[1] == f"libx.so.1: {text}"


STOPS: list[tuple[str, bytes, str]] = [
    ("empty", b"", "file too short"),
    ("short", b"\x7fELF\x02\x01\x01" + b"\0" * 50, "file too short"),
    ("short 32", Elf(bits=32, machine=EM_386, cut=52).to_bytes(), "file too short"),
    ("script", TEXT, "invalid ELF header"),
    ("lfs", LFS, "invalid ELF header"),
    ("zeros", b"\0" * 4096, "invalid ELF header"),
    ("phdrs cut", Elf(cut=64).to_bytes(), "cannot read file data"),
    (
        "version ident",
        Elf(ident={6: 2}).to_bytes(),
        "ELF file version ident does not match current one",
    ),
    ("version", Elf(version=2).to_bytes(), "ELF file version does not match current one"),
    ("osabi", Elf(ident={7: 127}).to_bytes(), "ELF file OS ABI invalid"),
    ("abi sysv", Elf(ident={8: 1}).to_bytes(), "ELF file ABI version invalid"),
    ("abi gnu", Elf(ident={7: 3, 8: 4}).to_bytes(), "ELF file ABI version invalid"),
    ("padding", Elf(ident={12: 1}).to_bytes(), "nonzero padding in e_ident"),
    ("relocatable", Elf(type=ET_REL).to_bytes(), "only ET_DYN and ET_EXEC can be loaded"),
    ("phentsize", Elf(phentsize=32).to_bytes(), "ELF file's phentsize not the expected size"),
]


@pytest.mark.parametrize(("data", "text"), [s[1:] for s in STOPS], ids=[s[0] for s in STOPS])
def test_stops_at_the_header(lab: Lab, data: bytes, text: str) -> None:
    assert ask_with(lab, data, good=True)[:2] == ("error", f"{lab.path('bad/libx.so.1')}: {text}")


STOPS_MAPPING: list[tuple[str, dict[str, Any], str]] = [
    ("executable", {"type": ET_EXEC}, "cannot dynamically load executable"),
    ("pie", {"flags_1": DF_1_PIE}, "cannot dynamically load position-independent executable"),
    ("noopen", {"flags_1": DF_1_NOOPEN}, "shared object cannot be dlopen()ed"),
    ("no dynamic", {"dynamic": False}, "object file has no dynamic section"),
    ("debug file", {"empty_dynamic": True}, "object file has no dynamic section"),
    ("no segment", {"loadable": False}, "object file has no loadable segments"),
    ("misaligned", {"vaddr": 16}, "ELF load command address/offset not page-aligned"),
    (
        "second misaligned",
        {"loads": [Load(0, 0x10010, 8, 8)]},
        "ELF load command address/offset not page-aligned",
    ),
    ("isa", {"isa_needed": 0x8000}, "CPU ISA level is lower than required"),
]


@pytest.mark.parametrize(
    ("fields", "text"), [s[1:] for s in STOPS_MAPPING], ids=[s[0] for s in STOPS_MAPPING]
)
def test_stops_when_mapping(lab: Lab, fields: dict[str, Any], text: str) -> None:
    name = lab.path("bad/libx.so.1") if "isa_needed" in fields else "libx.so.1"
    found = ask_with(lab, Elf(**fields).to_bytes(), good=True)
    assert found[:2] == ("error", f"{name}: {text}")
    assert lab.one("$D/bad/libx.so.1").message == f"{lab.path('bad/libx.so.1')}: {text}"


def test_big_endian_stops_unless_the_machine_is_judged_first(lab: Lab) -> None:
    """Debian's loader skips it: the machine number reads as another. Upstream stops."""
    data = Elf(little=False).to_bytes()
    assert ask_with(lab, data, good=True)[0] == "ok"
    swapped = Elf(little=False, machine=62 << 8).to_bytes()
    text = "ELF file data encoding not little-endian"
    assert ask_with(lab, swapped, good=True)[1] == f"{lab.path('bad/libx.so.1')}: {text}"


def test_a_folder_stops(lab: Lab) -> None:
    (lab.top / "bad/libx.so.1").mkdir(parents=True)
    assert ask_with(lab, None, good=True)[1] == (
        f"{lab.path('bad/libx.so.1')}: cannot read file data: Is a directory"
    )


def test_a_dangling_link_is_absent(lab: Lab) -> None:
    lab.symlink("bad/libx.so.1", "nowhere")
    assert ask_with(lab, None, good=True)[0] == "ok"


def test_a_loop_ends_the_list(lab: Lab) -> None:
    lab.symlink("bad/libx.so.1", "libx.so.1")
    assert ask_with(lab, None, good=True)[1] == f"libx.so.1: {NOT_FOUND}"
    assert lab.one("$D/bad/libx.so.1").message == (
        f"{lab.path('bad/libx.so.1')}: cannot open shared object file: "
        "Too many levels of symbolic links"
    )


CUT: list[tuple[str, dict[str, Any], str]] = [
    ("dynamic section gone", {"pad": 8192, "cut": 4096}, "crash"),
    ("last page half there", {"pad": 64, "bss": 0}, "ok"),
    ("bss starts on a missing page", {"pad": 8192, "bss": 64, "cut": 8192}, "crash"),
]


@pytest.mark.parametrize(("fields", "outcome"), [c[1:] for c in CUT], ids=[c[0] for c in CUT])
def test_a_truncated_file(lab: Lab, fields: dict[str, Any], outcome: str) -> None:
    assert ask_with(lab, Elf(**fields).to_bytes(), good=True)[0] == outcome


def test_a_real_library_cut_in_the_middle(lab: Lab) -> None:
    data = (lab.drivers.caller).read_bytes()
    lab.write("whole.so", data)
    assert lab.one("$D/whole.so").outcome == "ok"
    lab.write("cut.so", data[:0x1800])
    assert lab.one("$D/cut.so").outcome == "crash"


def test_a_dynamic_section_of_zeros(lab: Lab) -> None:
    """Blocks that were never written: the header is there, and nothing that it leads to."""
    data = lab.drivers.caller.read_bytes()
    lab.write("zeros.so", data[:0x1000] + bytes(len(data) - 0x1000))
    assert lab.one("$D/zeros.so").outcome == "crash"


def test_names_break_off_with_the_file(lab: Lab) -> None:
    """What is behind the end of the file, on its last page, reads as zeros."""
    names = b"\0libwhole.so.1\0"
    whole = bytearray(Elf(needed=["libwhole.so.1"], pad=len(names)).to_bytes())
    at = len(whole) - len(names)
    whole[at:] = names
    old = struct.pack("<QQ", DT_STRTAB, whole.index(names))  # the segment begins at address 0
    assert whole.count(old) == 1
    whole = whole.replace(old, struct.pack("<QQ", DT_STRTAB, at))
    for kept in range(len(names)):
        lab.write(f"cut{kept}.so", whole[: at + kept])
        said = lab.one(f"$D/cut{kept}.so")
        name = names[1:kept].decode()  # the one without letters is the program's
        assert said.message == (f"{name}: {NOT_FOUND}" if name else None)


def test_executable_stack(lab: Lab) -> None:
    text = "cannot enable executable stack as shared object requires: Invalid argument"
    lab.put("rwe.so", stack=7)
    lab.put("none.so", stack=None)
    lab.put("needs.so", needed=["rwe.so"], runpath="$ORIGIN")
    for name, object_name in [("rwe", "$D/rwe.so"), ("none", "$D/none.so"), ("needs", "rwe.so")]:
        assert lab.one(f"$D/{name}.so").outcome == "ok"
        newer = lab.simulate(f"$D/{name}.so", extra=["--minor", "41"]).steps[0]
        assert newer.message == f"{lab.fill(object_name)}: {text}"
    tuned = {"GLIBC_TUNABLES": "glibc.rtld.execstack=2"}
    assert lab.simulate("$D/rwe.so", extra=["--minor", "42"], **tuned).steps[0].outcome == "ok"
    lab.link("prog", needed=["rwe.so"], rpath="$ORIGIN")
    assert lab.simulate("$D/none.so", extra=["--minor", "41"]).steps[0].outcome == "ok"


@pytest.mark.parametrize(
    ("fields", "minor", "message"),
    [
        ({"flags_1": DF_1_PIE}, 29, None),
        ({"align": 8}, 34, "ELF load command alignment not page-aligned"),
        (
            {"loads": [Load(0x1000, 0x12000, 0, 8, align=0x10000)]},
            34,
            "ELF load command address/offset not properly aligned",
        ),
        ({"align": 8}, 35, None),
        ({"isa_needed": 0x8000}, 32, None),
    ],
)
def test_other_releases(lab: Lab, fields: dict[str, Any], minor: int, message: str | None) -> None:
    path = lab.put("x.so", **fields)
    step = lab.simulate("$D/x.so", extra=["--minor", str(minor)]).steps[0]
    assert step.message == (f"{path}: {message}" if message else None)


@pytest.mark.parametrize("tag", [(0, 99, 0, 0), (2, 1, 0, 0)], ids=["newer kernel", "other system"])
def test_kernel_tags_count_up_to_2_35(lab: Lab, tag: tuple[int, int, int, int]) -> None:
    path = lab.put("x.so", abi_tag=tag)
    assert lab.one("$D/x.so").outcome == "ok"
    older = lab.simulate("$D/x.so", extra=["--minor", "35"]).steps[0]
    assert older.message == f"{path}: {NOT_FOUND}"


def as_machine(lab: Lab, **fields: object) -> str:
    """A program of another machine, with libraries of the same folder in its RPATH."""
    lab.program = lab.put("foreign", rpath="$D/d", **fields)
    return lab.program


@pytest.mark.parametrize(
    ("machine", "own", "other"),
    [
        (243, 4, 0),  # RISC-V: double and soft floating point
        (21, 2, 1),  # powerpc64le: ELFv2 and ELFv1
    ],
)
def test_files_of_another_abi_are_skipped(lab: Lab, machine: int, own: int, other: int) -> None:
    """From the source: elf_machine_matches_host of sysdeps/riscv/dl-machine.h compares
    EF_RISCV_FLOAT_ABI, that of sysdeps/powerpc/powerpc64/dl-machine.h EF_PPC64_ABI if it is set."""
    page = {"align": 0x10000, "machine": machine}
    as_machine(lab, eflags=own, **page)
    lab.put("d/libown.so", eflags=own | 1 if machine == 243 else own, **page)
    lab.put("d/libother.so", eflags=other, **page)
    lab.put("d/libunset.so", eflags=0, **page)
    own_step, step, unset = lab.simulate("libown.so", "libother.so", "libunset.so").steps
    assert own_step.outcome == "ok"
    assert step.message == f"libother.so: {NOT_FOUND}"
    assert unset.outcome == ("ok" if machine == 21 else "error")


@pytest.mark.parametrize(
    ("fields", "minor", "text"),
    [
        ({"align": 0x1000}, 34, "ELF load command alignment not page-aligned"),
        (
            {"align": 0x10000, "vaddr": 0x1000},
            35,
            "ELF load command address/offset not page-aligned",
        ),
        ({"align": 0x1000}, 35, None),
        ({"align": 0x10000}, 34, None),
    ],
)
def test_pages_of_64_k(lab: Lab, fields: dict[str, Any], minor: int, text: str | None) -> None:
    """AArch64 kernels come with pages of 4, 16 and 64 K. From the source: dl-load.c,
    _dl_map_object_from_fd, holds p_align up to 2.34, and p_vaddr - p_offset, against the page."""
    as_machine(lab, machine=EM_AARCH64, align=0x10000)
    path = lab.put("x.so", machine=EM_AARCH64, **fields)
    extra = ["--minor", str(minor), "--page", "65536"]
    step = lab.simulate("$D/x.so", extra=extra).steps[0]
    assert step.message == (f"{path}: {text}" if text else None)
    small = lab.simulate("$D/x.so", extra=["--minor", str(minor), "--page", "4096"]).steps[0]
    assert small.outcome == "ok"


@pytest.mark.usefixtures("noexec")
def test_a_mount_with_noexec_stops(lab: Lab) -> None:
    """The file system is judged when the file is mapped: what stops before is said first, and what
    comes later is not reached."""
    text = "failed to map segment from shared object"
    lab.put("noexec/libx.so.1", segment=7)
    lab.put("good/libx.so.1")
    lab.put("mod.so", needed=["libx.so.1"])
    found = lab.one("$D/mod.so", LD_LIBRARY_PATH="$D/noexec:$D/good")
    assert found.message == f"libx.so.1: {text}"
    assert lab.one("$D/noexec/libx.so.1").message == f"{lab.path('noexec/libx.so.1')}: {text}"
    kinds = [p["kind"] for p in lab.lines("$D/noexec/libx.so.1")[1]["problems"]]
    assert kinds == ["noexec-mount"]
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("exec", {"type": ET_EXEC}, "cannot dynamically load executable"),
        ("noopen", {"flags_1": DF_1_NOOPEN}, text),
        ("dynamic", {"dynamic": False}, "object file has no dynamic section"),
        ("cut", {"pad": 8192, "cut": 4096}, text),
        ("text", {"ident": {7: 127}}, "ELF file OS ABI invalid"),
    ]
    for name, fields, message in cases:
        path = lab.put(f"noexec/{name}.so", segment=7, **fields)
        assert lab.one(f"$D/noexec/{name}.so").message == f"{path}: {message}"


@pytest.mark.usefixtures("noexec")
def test_noexec_bars_code_alone(lab: Lab) -> None:
    lab.put("noexec/data.so")
    assert lab.one("$D/noexec/data.so").outcome == "ok"
