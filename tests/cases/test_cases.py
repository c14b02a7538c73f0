"""Every .case file of this folder is one test: build the tree, run the commands, compare.

The language: language.py and builder.py. `pytest tests/cases -k NAME --update` writes what the
program says into the file; reading it is the author's work.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cases import language
from tests.cases.builder import LIB, PYTHON, SUFFIX, Builder
from tests.cases.language import Case, Section

CASES = sorted(Path(__file__).parent.glob("*.case"))

# What differs from machine to machine, and the word for it.
VARYING = [
    (re.compile(re.escape(str(PYTHON))), "/PYTHON"),
    (re.compile(r"\bPython 3\.\d+\.\d+\w*"), "Python 3.X"),
    (re.compile(r"\bglibc 2\.\d+"), "glibc 2.X"),
    (re.compile(r"\bmusl 1\.\d+\.\d+"), "musl 1.X"),
    (re.compile(r"\bpython3\.\d+"), "python3.X"),
    (re.compile(r"\bcpython-3\d+-(\w+)-linux-\w+"), r"cpython-3X-\1"),
    # The size of a library that gcc has just made; padded, where it stands in a column.
    (re.compile(r" +\d[\d,]* bytes\b(?! long)"), " N bytes"),
    (re.compile(r"\b(says\s+)\d+\b"), r"\1N"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "<sha256>"),
]

OPEN = """
import ctypes, sys
try:
    ctypes.CDLL(sys.argv[1])
except OSError as error:
    print(error)
else:
    print("ok")
"""


@functools.cache
def without_cache() -> list[str]:
    """A prefix for commands that hides this machine's loader cache, which may hold a CUDA toolkit.

    It works in a mount namespace of its own, and is empty where the kernel grants none.
    """
    handle, empty = tempfile.mkstemp(prefix="whyso-cache-")
    os.close(handle)
    atexit.register(Path(empty).unlink)
    script = 'mount --bind "$0" /etc/ld.so.cache && exec "$@"'
    prefix = [*namespace(), "sh", "-c", script, empty]
    return prefix if works(prefix) else []


def with_noexec(folder: Path) -> list[str]:
    """A prefix for commands that see the folder as a mount with that option."""
    script = 'mount --bind "$0" "$0" && mount -o remount,bind,noexec "$0" && exec "$@"'
    prefix = [*namespace(), "sh", "-c", script, str(folder)]
    if not works(prefix):
        pytest.skip("the kernel grants no mount namespace")
    return prefix


def namespace() -> list[str]:
    return ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]


def works(prefix: list[str]) -> bool:
    return subprocess.run([*prefix, "true"], capture_output=True).returncode == 0


class Run:
    """One case while it runs."""

    def __init__(self, case: Case, program: Path, top: Path, update: bool) -> None:
        self.case, self.program, self.top, self.update = case, program, top, update
        self.builder = Builder(top)
        self.env = {
            "PATH": os.environ["PATH"],
            "HOME": str(top / "home"),
            "LANG": "C.UTF-8",
            **{k: v for k, v in os.environ.items() if k.endswith("SAN_OPTIONS")},
        }
        self.last = subprocess.CompletedProcess[str]([], 0, "", "")

    def stable(self, text: str) -> str:
        text = text.replace(str(self.top), "/T")
        for pattern, word in VARYING:
            text = pattern.sub(word, text)
        return text.strip("\n")

    def filled(self, text: str) -> str:
        for word, value in (("$T", str(self.top)), ("$PYLIB", LIB), ("$SUFFIX", SUFFIX)):
            text = text.replace(word, value)
        return text

    def start(
        self, command: list[str], said: str = "", **extra: str
    ) -> subprocess.CompletedProcess[str]:
        mounts = [word for folder in self.builder.noexec for word in with_noexec(folder)]
        return subprocess.run(
            [*without_cache(), *mounts, *command],
            cwd=self.top,
            env={**self.env, **extra},
            input=said,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=120,
        )

    def expect(self, section: Section, actual: str) -> None:
        if self.update and section.kind in language.REWRITTEN:
            section.lines = actual.splitlines()
        assert actual == section.text, f"[{section.kind}] {section.argument}"

    def section(self, section: Section) -> None:
        getattr(self, "do_" + section.kind.replace(" ", "_"))(section)

    def do_tree(self, section: Section) -> None:
        self.builder.build(section.lines)

    def do_env(self, section: Section) -> None:
        for line in section.statements:
            name, _, value = line.partition("=")
            self.env[name] = self.filled(value)

    def do_python(self, section: Section) -> None:
        """The real interpreter is asked. It may leave no byte code: that would change the tree."""
        command = [str(self.builder.prefix / "bin" / "python"), "-c", section.argument]
        self.judge(section, command, PYTHONDONTWRITEBYTECODE="1")

    def do_exec(self, section: Section) -> None:
        words = self.filled(section.argument).split()
        extra = dict(word.split("=", 1) for word in words[:-1])
        self.judge(section, [str(self.top / words[-1])], **extra)

    def judge(self, section: Section, command: list[str], **extra: str) -> None:
        done = self.start(command, **extra)
        lines = done.stderr.strip().splitlines()
        self.expect(section, "ok" if done.returncode == 0 else self.stable(lines[-1]))

    def do_load(self, section: Section) -> None:
        """The real loader is asked, by a Python that has opened nothing else."""
        words = self.filled(section.argument).split()
        extra = dict(word.split("=", 1) for word in words[:-1])
        command = [str(PYTHON), "-c", OPEN, words[-1]]
        self.expect(section, self.stable(self.start(command, **extra).stdout))

    def do_run(self, section: Section) -> None:
        words = shlex.split(self.filled(" ".join(section.statements)))
        extra = {}
        while re.match(r"^[A-Z_]+=", words[0]):
            name, _, value = words.pop(0).partition("=")
            extra[name] = value
        assert words[0] == "whyso", f"[run] {words[0]}: only whyso is run"
        said = ""
        if "<" in words:
            said = (self.top / words.pop()).read_text()
            words.remove("<")
        self.last = self.start([str(self.program), *words[1:]], said, **extra)
        if "Sanitizer" in self.last.stderr or "runtime error" in self.last.stderr:
            pytest.fail(self.last.stderr)

    def do_exit(self, section: Section) -> None:
        self.expect(section, str(self.last.returncode))

    def do_stdout(self, section: Section) -> None:
        self.expect(section, self.stable(self.last.stdout))

    def do_stderr(self, section: Section) -> None:
        self.expect(section, self.stable(self.last.stderr))

    def said(self) -> str:
        """The output without its folds, so that a phrase is found wherever the line was broken."""
        return re.sub(r"\s+", " ", re.sub(r"\\\n\s*", "", self.stable(self.last.stdout)))

    def do_says(self, section: Section) -> None:
        for line in section.statements:
            assert line.strip() in self.said(), f"not said: {line}\n{self.last.stdout}"

    def do_never_says(self, section: Section) -> None:
        for line in section.statements:
            assert line.strip() not in self.said(), f"said: {line}\n{self.last.stdout}"

    def do_json(self, section: Section) -> None:
        report = json.loads(self.stable(self.last.stdout))
        for line in section.statements:
            assert eval(line, {}, report) is True, f"not true: {line}\n{gist(report)}"


def gist(report: dict[str, list[dict[str, object]]]) -> str:
    """What a reader of a failed test wants to see of a report."""
    imports = [f"{i['module']}: {i['outcome']}: {i['message']}" for i in report.get("imports", [])]
    findings = [f"{f['severity']} {f['rule']}: {f['title']}" for f in report.get("findings", [])]
    return "\n".join([*imports, *findings] or [json.dumps(report)])


@pytest.fixture
def top() -> Iterator[Path]:
    """A folder whose path has the same length everywhere: folded lines depend on it."""
    folder = Path(tempfile.mkdtemp(prefix="whyso-", dir="/tmp"))
    yield folder
    for path in folder.rglob("*"):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    shutil.rmtree(folder)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path, whyso: Path, top: Path, request: pytest.FixtureRequest) -> None:
    case = language.read(path)
    update = bool(request.config.getoption("--update"))
    if update:
        case.sections = language.with_expectations(case.sections)
    run = Run(case, whyso, top, update)
    try:
        for section in case.sections:
            run.section(section)
    finally:
        if update:
            language.write(case)
