"""The start of a program: needs, preloads, the texts on stderr (docs/loader.md A1, A17)."""

from __future__ import annotations

from tests.loader.lab import NOT_FOUND, Lab


def test_a_missing_need_ends_the_program(lab: Lab) -> None:
    program = lab.link("prog", needed=["libnone.so"])
    start = lab.ask().start
    assert start.outcome == "error"
    assert start.message == (
        f"{program}: error while loading shared libraries: libnone.so: {NOT_FOUND}"
    )


def test_errors_at_start_have_numbers(lab: Lab) -> None:
    program = lab.link("prog", needed=["liba.so"], rpath="$ORIGIN/d")
    (lab.top / "d/liba.so").mkdir(parents=True)
    assert lab.ask().start.message == (
        f"{program}: error while loading shared libraries: "
        f"{lab.path('d/liba.so')}: cannot read file data: Error 21"
    )


def test_load_order_at_start(lab: Lab) -> None:
    lab.put("d/liba.so", needed=["libb.so"])
    lab.put("d/libb.so")
    lab.put("pre.so", needed=["libc9.so"])
    lab.put("d/libc9.so")
    lab.link("prog", needed=["liba.so"], rpath="$ORIGIN/d")
    mapped = lab.ask(LD_PRELOAD="$D/pre.so").start.mapped
    names = [m.rsplit("/", 1)[1] for m in mapped]
    assert names[:2] == ["pre.so", "liba.so"]
    line = lab.lines(LD_PRELOAD="$D/pre.so")[0]
    assert line["mapped"][0]["found"] == "preload"


def test_a_program_that_needs_the_loader_first(lab: Lab) -> None:
    lab.link("prog", needed=["ld-linux-x86-64.so.2"])
    assert lab.ask("libm.so.6").steps[0].outcome == "ok"


def test_a_preload_that_fails_is_a_warning(lab: Lab) -> None:
    lab.write("text.so", b"not an ELF file, and longer than the sixty-four bytes of a header ....")
    lab.put("pre.so")
    answer = lab.ask(LD_PRELOAD="libnone.so:$D/text.so $D/pre.so")
    assert answer.start.outcome == "ok"
    assert answer.start.mapped[0] == lab.path("pre.so")
    assert answer.warnings == [
        "ERROR: ld.so: object 'libnone.so' from LD_PRELOAD cannot be preloaded "
        "(cannot open shared object file): ignored.",
        f"ERROR: ld.so: object '{lab.path('text.so')}' from LD_PRELOAD cannot be preloaded "
        "(invalid ELF header): ignored.",
    ]


def test_a_need_of_a_preload_is_fatal(lab: Lab) -> None:
    lab.put("pre.so", needed=["libnone.so"])
    answer = lab.ask(LD_PRELOAD="$D/gone.so $D/pre.so")
    assert answer.start.message == (
        f"ERROR: ld.so: object '{lab.path('gone.so')}' from LD_PRELOAD cannot be preloaded "
        "(cannot open shared object file): ignored.\n"
        f"{lab.program}: error while loading shared libraries: libnone.so: {NOT_FOUND}"
    )


def test_preloading_makes_a_soname_known(lab: Lab) -> None:
    lab.put("x/libn.so.1.5", soname="libn.so.1")
    lab.put("ext.so", needed=["libn.so.1"])
    assert lab.one("$D/ext.so", LD_PRELOAD="$D/x/libn.so.1.5").outcome == "ok"


def test_the_preload_file(image: Lab) -> None:
    image.put("a.so")
    image.put("b.so")
    image.put("c.so")
    image.write("etc/ld.so.preload", b"# two\n/a.so:/b.so\t/none.so # and /d.so\n/c.so")
    answer = image.ask(LD_PRELOAD="/c.so")
    assert answer.start.mapped[:3] == ["/c.so", "/a.so", "/b.so"]
    assert answer.warnings[0] == (
        "ERROR: ld.so: object '/none.so' from /etc/ld.so.preload cannot be preloaded "
        "(cannot open shared object file): ignored."
    )


def test_words_of_later_comments_may_count(image: Lab) -> None:
    image.put("a.so")
    image.write("etc/ld.so.preload", b"# " + b"x" * 60 + b"\n/a.so\n# second\n")
    assert len(image.ask().warnings) >= 1


def test_an_empty_preload_file(image: Lab) -> None:
    image.write("etc/ld.so.preload", b"")
    assert image.ask().start.outcome == "ok"


def test_the_program_itself_is_missing_its_interpreter(image: Lab) -> None:
    (image.top / "lib64/ld-linux-x86-64.so.2").unlink()
    start = image.simulate().start
    assert start.outcome == "error"
    assert start.message == "/prog: cannot execute: required file not found"
