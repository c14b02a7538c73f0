"""The measure of accuracy is itself right: on lists made by hand."""

from __future__ import annotations

import re

import pytest

from bench.accuracy import sets
from bench.accuracy.figures import Compared, Prediction, details, row
from bench.accuracy.truth import Truth


def compared(
    real: str, said: str, outcome: str = "ok", stable: bool = True, error: str | None = None
) -> Compared:
    chain = [["ImportError", error]] if error else []
    truth = Truth("exception" if error else "ok", chain, real.split())
    prediction = Prediction(outcome, None, None, said.split())
    return Compared("m", truth, stable, prediction, frozenset({"leaf"}))


def test_a_set_is_exact_or_not() -> None:
    assert compared("a b", "b a").exact and not compared("a b", "b a").in_order
    assert compared("a b", "a b").in_order
    for real, said in (("a b", "a"), ("a", "a b")):
        assert not compared(real, said).exact and not compared(real, said).exact_without_leaves
    for real, said in (("a leaf", "a"), ("a", "a leaf")):
        assert not compared(real, said).exact and compared(real, said).exact_without_leaves


@pytest.mark.parametrize(
    ("real", "said", "tau"),
    [("a b c", "a b c", 1), ("a b c", "c b a", -1), ("a b c", "a c b", 1 / 3), ("a", "a", None)],
)
def test_tau(real: str, said: str, tau: float | None) -> None:
    assert compared(real, said).tau == (tau if tau is None else pytest.approx(tau))
    assert compared(real, said, stable=False).tau is None


def test_verdicts() -> None:
    gone = "libx.so: cannot open shared object file: No such file or directory"
    assert compared("a", "a", "fails").false_fails
    assert compared("", "", "ok", error=gone).false_ok
    assert not compared("", "", "fails", error=gone).false_ok
    assert not compared("", "", "unknown", error=gone).false_ok
    assert not compared("", "", "ok", error="win32 only").false_ok
    assert "false ok: " + gone in details(compared("", "", "ok", error=gone))


def test_the_row_of_a_set() -> None:
    some = [
        compared("a b c d", "a b c d"),
        compared("a b", "a x", "unknown"),
        compared("a leaf", "a", stable=False),
        compared("", ""),
    ]
    assert row("t", some) == (
        *("t", "3", "1 (33 %)", "2 (67 %)", "1 of 2"),
        *("0.750", "0.857", "1.000", "1", "0", "0"),
    )
    assert details(some[0]) == []
    assert details(some[1]) == ["missing 1: b", "extra 1: x", "unknown: None"]
    assert details(compared("a b", "b a")) == ["order: object 1 is a, predicted b"]


def normal(name: str) -> str:
    """PEP 503, without extras and version."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\[=]", name)[0]).lower()


def test_the_lots() -> None:
    names = {package.name for package in sets.packages()}
    lots = {i: {package.name for package in sets.lot(i)} for i in range(1, sets.LOTS + 1)}
    assert set().union(*lots.values()) == names
    assert sum(map(len, lots.values())) == len(names) == len(sets.packages())
    assert all(package.lot == 1 for package in sets.packages() if package.seen)
    for number, lot in lots.items():
        assert len(lot) >= 60
        locked = (sets.HERE / "locked" / f"lot-{number}.txt").read_text().split()
        assert set(map(normal, lot)) <= set(map(normal, locked))
