"""Adds up the results of one test run: `tally.py FOLDER` with steps.tsv and JUnit files in it.

Prints what failed, then `N passed, N failed` as the last line; status 1 when anything failed or
nothing ran. A step whose tests are counted one by one in a JUnit file counts only when it failed
without a failed test, so that a crash before the first test is not lost.
"""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

COUNTED_BY = {"unit tests and fuzz replay": "unit.xml", "black-box tests": "pytest.xml"}


def junit(path: Path) -> tuple[int, list[str]]:
    """Number of passed tests, names of failed ones."""
    passed, failed = 0, []
    for case in ET.parse(path).getroot().iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(f"{case.get('classname', '')} {case.get('name', '')}".strip())
        elif case.find("skipped") is None:
            passed += 1
    return passed, failed


def tally(folder: Path) -> tuple[int, list[str]]:
    passed, failed = 0, []
    for line in (folder / "steps.tsv").read_text().splitlines():
        verdict, name = line.split("\t")
        report = folder / COUNTED_BY.get(name, "")
        inner_failed: list[str] = []
        if report.is_file():
            inner_passed, inner_failed = junit(report)
            passed += inner_passed
            failed += inner_failed
        elif verdict == "passed":
            passed += 1
        if verdict == "failed" and not inner_failed:
            failed.append(name)
    return passed, failed


def main() -> int:
    passed, failed = tally(Path(sys.argv[1]))
    for name in failed:
        print(f"failed: {name}")
    print(f"{passed} passed, {len(failed)} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
