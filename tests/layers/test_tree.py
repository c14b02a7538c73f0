"""What must never be in a tracked file, and files that grow too long."""

from __future__ import annotations

import re
import subprocess
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TEXT_LIMIT = 500  # lines; a longer file should still hold one idea

# Places of one person's machine. Paths of a system (/usr, /etc, /opt, /tmp) are fine, and so is the
# home of "u", who lives in examples.
MACHINE_PATH = re.compile(r"(?<![\w.$}])/(?:work|root|home/(?!u/)\w+|Users/\w+)/[\w.]")
# Where somebody's packages come from: an index is a setting of the machine, not of the project.
REGISTRY = re.compile(r"(?i)--(?:extra-)?index-url[ =]http|\.(?:pkg\.dev|jfrog\.io)\b|artifactory")


def tracked() -> list[Path]:
    try:
        listed = subprocess.run(
            [
                "git",
                "-C",
                str(ROOT),
                "ls-files",
                "-z",
                "--cached",
                "--others",
                "--exclude-standard",
            ],
            capture_output=True,
            check=True,
        ).stdout.decode()
    except (OSError, subprocess.CalledProcessError):  # no git, or a source archive
        below = (p for p in ROOT.rglob("*") if p.is_file())
        return [p for p in below if p.relative_to(ROOT).parts[0] not in {"build", ".git"}]
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def text(file: Path) -> str | None:
    data = file.read_bytes()
    return None if b"\0" in data else data.decode(errors="replace")


@pytest.mark.parametrize("pattern", [MACHINE_PATH, REGISTRY], ids=["machine-path", "registry"])
def test_nothing_of_one_machine(pattern: re.Pattern[str]) -> None:
    found = []
    for file in tracked():
        if file == Path(__file__):
            continue
        for number, line in enumerate((text(file) or "").splitlines(), 1):
            if pattern.search(line):
                found.append(f"{file.relative_to(ROOT)}:{number}: {line.strip()[:120]}")
    assert not found, "\n".join(found)


def test_the_patterns_see_what_they_should() -> None:
    assert MACHINE_PATH.search("cd " + "/home/" + "ann/src")
    assert not MACHINE_PATH.search("$PREFIX/" + "root/x and /usr/lib")
    assert REGISTRY.search("pip install " + "--index-url https://x")


def test_no_binaries() -> None:
    found = [str(f.relative_to(ROOT)) for f in tracked() if f.stat().st_size and text(f) is None]
    assert not found, f"binary files: {found}"


def test_long_files() -> None:
    """Only a warning: a flat table may be long."""
    for file in tracked():
        if file.suffix in {".c", ".h", ".py", ".sh"}:
            lines = (text(file) or "").count("\n")
            if lines > TEXT_LIMIT:
                warnings.warn(f"{file.relative_to(ROOT)}: {lines} lines", stacklevel=1)
