"""Many random cases, over all processors:

    python -m tests.loader.campaign --first 1 --trees 16000 --roots 4000

One seed is one case. A case on which the loaders differ is shrunk and printed; the last line says
how many ran, how many differ, and how fast. The exit status is 1 when one differs.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from pathlib import Path

from tests.loader.judge import Drivers
from tests.loader.shrink import check

CHUNK = 20


class Worker:
    """What each process keeps."""

    drivers: Drivers
    folder: Path


def begin(top: str, libc: str) -> None:
    Worker.folder = Path(top) / str(os.getpid())
    Worker.drivers = Drivers(Worker.folder / "drivers", libc=libc)


def run(case: tuple[int, bool]) -> str | None:
    seed, as_root = case
    return check(seed, Worker.folder, Worker.drivers, as_root)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=1, help="the first seed (default: 1)")
    parser.add_argument("--trees", type=int, default=16000, help="folders on this machine")
    parser.add_argument("--roots", type=int, default=4000, help="private roots")
    parser.add_argument("--libc", choices=["glibc", "musl"], default="glibc")
    parser.add_argument("-j", type=int, default=os.cpu_count(), help="processes")
    given = parser.parse_args()
    cases = [(given.first + i, False) for i in range(given.trees)]
    cases += [(given.first + i, True) for i in range(given.roots)]
    start, differ = time.monotonic(), 0
    with (
        tempfile.TemporaryDirectory() as top,
        multiprocessing.Pool(given.j, begin, (top, given.libc)) as pool,
    ):
        for found in pool.imap_unordered(run, cases, CHUNK):
            if found:
                differ += 1
                print(found, end="\n\n", flush=True)
    rate = len(cases) / (time.monotonic() - start)
    print(f"{len(cases)} cases, {differ} differ, {rate:.0f} cases/s")
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
