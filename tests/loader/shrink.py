"""Makes a scenario on which the two loaders differ as small as it gets.

python -m tests.loader.shrink [--root] [--libc musl] SEED prints the small scenario of a seed, as a
test.
"""

from __future__ import annotations

import argparse
import dataclasses
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.loader.judge import Drivers
from tests.loader.musl_trees import MuslMaker
from tests.loader.random_trees import Maker
from tests.loader.scenario import NO_ANSWER, Scenario, as_test, default_of, mismatch

MOST_TRIES = 5000


def smaller(value: Any) -> Iterator[Any]:  # noqa: ANN401
    """Simpler values of the same kind, those that leave out most first."""
    if isinstance(value, list):
        yield from smaller_list(value)
    elif isinstance(value, dict):
        for key in value:
            yield {k: v for k, v in value.items() if k != key}
        for key in value:
            for less in smaller(value[key]):
                yield {**value, key: less}
    elif isinstance(value, str) and ":" in value:
        for parts in smaller_list(value.split(":")):
            yield ":".join(parts)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from smaller_fields(value)


def smaller_list(value: list[Any]) -> Iterator[list[Any]]:
    size = len(value)
    while size:
        for at in range(0, len(value), size):
            yield value[:at] + value[at + size :]
        size //= 2
    for i, item in enumerate(value):
        for less in smaller(item):
            yield [*value[:i], less, *value[i + 1 :]]


def smaller_fields(value: Any) -> Iterator[Any]:  # noqa: ANN401
    for f in dataclasses.fields(value):
        given, plain = getattr(value, f.name), default_of(f)
        if given == plain:
            continue
        if plain is not dataclasses.MISSING:
            yield dataclasses.replace(value, **{f.name: plain})
        for less in smaller(given):
            yield dataclasses.replace(value, **{f.name: less})


def shrink(s: Scenario, judge: Callable[[Scenario], str | None]) -> tuple[Scenario, str]:
    """The smallest scenario on the way down from `s` that still differs, and what differs. `judge`
    raises an exception for one that cannot be made."""

    def differs(candidate: Scenario) -> str | None:
        try:
            return judge(candidate)
        except Exception:
            return None

    found, tries, going = judge(s), 0, True
    assert found is not None
    no_answer = found.startswith(NO_ANSWER)  # then it stays so, and the other way round
    while going:
        going = False
        for candidate in smaller(s):
            tries += 1
            less = differs(candidate) if tries <= MOST_TRIES else None
            if less is not None and less.startswith(NO_ANSWER) == no_answer:
                s, found, going = candidate, less, True
                break
    return s, found


def in_folder(folder: Path, drivers: Drivers) -> Callable[[Scenario], str | None]:
    """A judge that makes each scenario in a new folder inside `folder`."""

    def judge(s: Scenario) -> str | None:
        try:
            return mismatch(s, folder / "t", drivers)
        finally:
            shutil.rmtree(folder / "t", ignore_errors=True)

    return judge


def check(seed: int, folder: Path, drivers: Drivers, as_root: bool = False) -> str | None:
    """Runs the scenario of a seed. Where the loaders differ: what, and a small test for it."""
    judge = in_folder(folder, drivers)
    maker = MuslMaker if drivers.libc == "musl" else Maker
    scenario = maker(seed, as_root).scenario()
    if judge(scenario) is None:
        return None
    small, found = shrink(scenario, judge)
    found = found.replace(str(folder / "t"), "$D")
    kind = "root" if as_root else "tree"
    return f"seed {seed}, {kind}:\n{found}\n\n{as_test(small, f'test_{kind}_{seed}')}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", action="store_true", help="the seed is one of a private root")
    parser.add_argument("--libc", choices=["glibc", "musl"], default="glibc")
    parser.add_argument("seed", type=int)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as top:
        drivers = Drivers(Path(top) / "drivers", libc=given.libc)
        print(check(given.seed, Path(top), drivers, given.root) or "no difference")


if __name__ == "__main__":
    main()
