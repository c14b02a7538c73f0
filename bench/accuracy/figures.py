"""Truth and prediction of one module compared, and the figures of a set."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from statistics import fmean

from bench.accuracy.truth import Truth


@dataclass(frozen=True)
class Prediction:
    outcome: str  # ok, fails, unknown
    message: str | None
    reason: str | None
    objects: list[str]  # real paths, in load order


@dataclass(frozen=True)
class Compared:
    module: str
    truth: Truth
    stable: bool  # two real runs gave the same objects in the same order
    said: Prediction
    leaves: frozenset[str]  # extensions of the standard library that bring nothing with them

    @property
    def missing(self) -> list[str]:
        said = set(self.said.objects)
        return [o for o in self.truth.objects if o not in said]

    @property
    def extra(self) -> list[str]:
        real = set(self.truth.objects)
        return [o for o in self.said.objects if o not in real]

    @property
    def native(self) -> bool:
        return bool(self.truth.objects or self.said.objects)

    @property
    def exact(self) -> bool:
        return not self.missing and not self.extra

    @property
    def exact_without_leaves(self) -> bool:
        return not {*self.missing, *self.extra} - self.leaves

    @property
    def in_order(self) -> bool:
        return self.truth.objects == self.said.objects

    @property
    def false_fails(self) -> bool:
        return self.truth.outcome == "ok" and self.said.outcome == "fails"

    @property
    def false_ok(self) -> bool:
        return self.truth.by_loader and self.said.outcome == "ok"

    @property
    def tau(self) -> float | None:
        """Kendall's tau on the objects that both have; None where it says nothing."""
        place = {o: i for i, o in enumerate(self.said.objects)}
        common = [place[o] for o in self.truth.objects if o in place]
        pairs = list(itertools.combinations(common, 2))
        if not self.stable or not pairs:
            return None
        return sum(1 if a < b else -1 for a, b in pairs) / len(pairs)


HEAD = (
    "set",
    "modules",
    "exact set",
    "without leaves",
    "in order",
    "recall",
    "precision",
    "tau",
    "unknown",
    "false `fails`",
    "false `ok`",
)


def _share(part: int, whole: int) -> str:
    return f"{part} ({100 * part / whole:.0f} %)" if whole else "–"


def _ratio(part: int, whole: int) -> str:
    return f"{part / whole:.3f}" if whole else "–"


def row(title: str, compared: list[Compared]) -> tuple[str, ...]:
    """The figures of a set, over its modules that map anything. Order counts where reality has one
    order; a wrong outcome counts in any module."""
    native = [c for c in compared if c.native]
    stable = [c for c in native if c.stable]
    real = sum(len(c.truth.objects) for c in native)
    said = sum(len(c.said.objects) for c in native)
    hits = real - sum(len(c.missing) for c in native)
    taus = [c.tau for c in native if c.tau is not None]
    return (
        title,
        str(len(native)),
        _share(sum(c.exact for c in native), len(native)),
        _share(sum(c.exact_without_leaves for c in native), len(native)),
        f"{sum(c.in_order for c in stable)} of {len(stable)}",
        _ratio(hits, real),
        _ratio(hits, said),
        f"{fmean(taus):.3f}" if taus else "–",
        str(sum(c.said.outcome == "unknown" for c in compared)),
        str(sum(c.false_fails for c in compared)),
        str(sum(c.false_ok for c in compared)),
    )


def table(rows: list[tuple[str, ...]]) -> str:
    lines = [HEAD, ("---",) * len(HEAD), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def details(c: Compared, short: int = 8) -> list[str]:
    """What is wrong about one module, in lines; none when all is right."""
    lines = []
    if c.false_fails:
        lines.append(f"false fails: {c.said.message}")
    if c.false_ok:
        lines.append(f"false ok: {c.truth.chain[0][1]}")
    for word, objects in (("missing", c.missing), ("extra", c.extra)):
        names = [o.rpartition("/")[2].partition(".cpython-")[0] for o in objects]
        if names:
            more = f" and {len(names) - short} more" if len(names) > short else ""
            lines.append(f"{word} {len(names)}: {' '.join(names[:short])}{more}")
    if not lines and c.stable and not c.in_order:
        both = zip(c.truth.objects, c.said.objects, strict=True)
        real, said = next((a, b) for a, b in both if a != b)
        at = c.truth.objects.index(real) + 1
        lines.append(
            f"order: object {at} is {real.rpartition('/')[2]}, predicted {said.rpartition('/')[2]}"
        )
    if lines and c.said.outcome == "unknown":
        lines.append(f"unknown: {c.said.reason}")
    return lines
