"""Imports predicted by whyso against real imports: the table of docs/accuracy.md.

`./dev accuracy` makes the environments once (some gigabytes in the cache, most of it hard links to
uv's), imports every module twice for real, asks `whyso tree` about each, prints what is wrong, and
rewrites the table when all sets were measured. Of the sealed lot only sums are printed: whoever
looks at its modules (--unseal) opens it, and the next lot is the one that counts.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bench.accuracy import sets
from bench.accuracy.figures import Compared, Prediction, details, row, table
from bench.accuracy.truth import Truth, Truths
from tests.real.environments import Workshop
from tests.real.reality import variables

DOCUMENT = sets.HERE.parent.parent / "docs" / "accuracy.md"
MARKS = ("<!-- table: ./dev accuracy -->\n", "<!-- end -->\n")


def predict(whyso: Path, env: Path, module: str) -> Prediction:
    done = subprocess.run(
        [whyso, "tree", "-e", env, "--format", "json", "--fail-on", "never", f"module:{module}"],
        cwd="/",
        env=variables(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        return Prediction("unknown", None, done.stderr.decode(errors="replace").strip(), [])
    said = json.loads(done.stdout)
    objects = [os.path.realpath(os.fsencode(m["name"])) for m in said["mapped"]]
    return Prediction(
        said["outcome"], said["message"], said["reason"], [os.fsdecode(o) for o in objects]
    )


def needed(file: Path) -> set[str]:
    text = subprocess.run(["readelf", "-d", file], capture_output=True, text=True).stdout
    return set(re.findall(r"\(NEEDED\).*\[(.*)\]", text))


def leaf_extensions(env: Path, bare: set[str]) -> frozenset[str]:
    """Extensions of the standard library that need nothing beyond the bare interpreter."""
    ask = "import sysconfig; print(sysconfig.get_path('stdlib'))"
    python = env / "bin" / "python"
    base = subprocess.run([python, "-Ic", ask], capture_output=True, text=True, check=True).stdout
    there = {o.rpartition("/")[2] for o in bare}
    files = (Path(base.strip()) / "lib-dynload").glob("*.so")
    return frozenset(
        os.path.realpath(f)
        for f in files
        if all(any(t.startswith(n.partition(".so")[0]) for t in there) for n in needed(f))
    )


def compare(whyso: Path, env: Path, modules: list[str], threads: int) -> Iterator[Compared]:
    truths = Truths(env)
    leaves = leaf_extensions(env, truths.bare)

    def one(module: str) -> tuple[list[Truth], Prediction]:
        return truths.of(module), predict(whyso, env, module)

    with ThreadPoolExecutor(threads) as pool:
        results = list(pool.map(one, modules))
    truths.keep()
    for module, (runs, said) in zip(modules, results, strict=True):
        first, second = runs
        if {first.outcome, second.outcome} & {"died", "timeout"}:
            print(f"{module}: not counted, the real import {first.outcome}", file=sys.stderr)
            continue
        yield Compared(module, first, first.objects == second.objects, said, leaves)


def chosen(options: argparse.Namespace) -> list[sets.Set]:
    every = sets.all_sets()
    names = [s.name for s in every]
    for name in options.set:
        if name not in names:
            sys.exit(f"accuracy: no set {name} (they are {', '.join(names)})")
    some = [s for s in every if not options.set or s.name in options.set]
    if not options.module:
        return some
    some = [s for s in some if options.unseal or s.name != sets.SEALED]
    left_out = set(options.module) - {m for s in some for m in s.modules}
    if left_out:
        print(f"accuracy: sealed or in no set: {', '.join(sorted(left_out))}", file=sys.stderr)
    return [
        sets.Set(s.name, s.title, s.environment, [m for m in s.modules if m in options.module])
        for s in some
        if set(s.modules) & set(options.module)
    ]


def lock_versions() -> None:
    for name, requirements in sets.lock().items():
        subprocess.run(
            [
                *"uv pip compile -q --upgrade --only-binary :all: --no-header".split(),
                *("--no-annotate", "--python", sys.executable),
                *("-o", sets.HERE / "locked" / f"{name}.txt", "-"),
            ],
            input="\n".join(requirements),
            text=True,
            check=True,
        )


def write(rows: list[tuple[str, ...]]) -> None:
    start, end = MARKS
    before, found, rest = DOCUMENT.read_text().partition(start)
    _, also, after = rest.partition(end)
    assert found and also, f"{DOCUMENT}: lacks one of {MARKS}"
    DOCUMENT.write_text(f"{before}{start}\n{table(rows)}\n{end}{after}")


def main() -> None:
    parse = argparse.ArgumentParser(prog="./dev accuracy", description=__doc__)
    parse.add_argument("module", nargs="*", help="only these modules")
    parse.add_argument("--set", action="append", default=[], help="only this set; may be repeated")
    parse.add_argument("--unseal", action="store_true", help="details of the sealed lot too")
    parse.add_argument("--lock", action="store_true", help="take new versions, then stop")
    parse.add_argument("-j", type=int, default=os.cpu_count() or 1, help="imports at one time")
    parse.add_argument("--whyso", type=Path, required=True, help=argparse.SUPPRESS)
    parse.add_argument("--cache", type=Path, required=True, help=argparse.SUPPRESS)
    options = parse.parse_args()
    if options.lock:
        lock_versions()
        return
    shop = Workshop(options.cache, "accuracy")
    rows = []
    try:
        for s in chosen(options):
            env = sets.environment(shop, s.environment)
            compared = list(compare(options.whyso, env, s.modules, options.j))
            rows.append(row(s.title, compared))
            if s.name == sets.SEALED and not options.unseal:
                continue
            for c in compared:
                for line in details(c):
                    print(f"{s.name}  {c.module}  {line}")
    finally:
        shop.close()
    print(f"\n{table(rows)}", end="")
    if not options.set and not options.module:
        write(rows)


main()
