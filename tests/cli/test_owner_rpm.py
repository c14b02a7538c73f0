"""whyso owner in a root of rpm's: its two databases, made here as rpm makes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fuzz.sysdb_seeds import rpm_header, rpm_ndb, write_rpm_sqlite
from tests.cli.conftest import Ask

CUDNN = "/usr/lib64/libcudnn.so.9"
MANY = 600  # packages: several levels of pages, several pages of slots


def headers() -> list[bytes]:
    """Small ones, one larger than a page, one that is cut."""
    found = [rpm_header(f"p{i}", [f"/usr/lib64/libp{i}.so.1"]) for i in range(MANY)]
    docs = [f"/usr/share/doc/cudnn9/page-{i}.html" for i in range(3000)]
    found.append(rpm_header("cudnn9", [CUDNN, *docs], "9.1.0", "3.el9", epoch=2))
    found.append(found[0][:40])
    return found


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path.resolve() / "R"
    (root / "usr/lib64").mkdir(parents=True)
    (root / "lib64").symlink_to("usr/lib64")
    (root / "var/lib/rpm").mkdir(parents=True)
    (root / "etc").mkdir()
    (root / "etc/os-release").write_text("ID=rocky\n")
    (root / "e").mkdir()
    (root / "e/pyvenv.cfg").write_text("home = /usr/bin\n")
    return root


def owned(ask: Ask, root: Path, *paths: str) -> list[dict[str, Any]]:
    answer = ask("owner", "--root", root, "-e", "/e", *paths, "--format", "json")
    assert answer.status == 0, answer.err
    found: list[dict[str, Any]] = json.loads(answer.out)["paths"]
    return found


def assert_read(ask: Ask, root: Path) -> None:
    last = f"/usr/lib64/libp{MANY - 1}.so.1"
    page = "/usr/share/doc/cudnn9/page-2999.html"
    said = owned(ask, root, CUDNN, "/lib64/libcudnn.so.9", page, last, "/usr/lib64/libnone.so")
    names = [[(o["package"], o["version"], o["manager"]) for o in item["owners"]] for item in said]
    cudnn = ("cudnn9", "2:9.1.0-3.el9", "rpm")
    assert names == [[cudnn], [cudnn], [cudnn], [(f"p{MANY - 1}", "1-2", "rpm")], []]
    assert said[0]["owners"][0]["architecture"] == "x86_64"
    assert [item["unread"] for item in said] == [None] * 5


@pytest.mark.parametrize("page", [512, 4096, 65536])
def test_sqlite(ask: Ask, root: Path, page: int) -> None:
    write_rpm_sqlite(root / "var/lib/rpm/rpmdb.sqlite", headers(), page)
    assert_read(ask, root)


def test_ndb_where_the_old_place_is_a_link(ask: Ask, root: Path) -> None:
    (root / "usr/lib/sysimage/rpm").mkdir(parents=True)
    (root / "var/lib/rpm").rmdir()
    (root / "var/lib/rpm").symlink_to("../../usr/lib/sysimage/rpm")
    (root / "usr/lib/sysimage/rpm/Packages.db").write_bytes(rpm_ndb(headers()))
    assert_read(ask, root)


def test_what_is_not_read_is_said(ask: Ask, root: Path) -> None:
    """Berkeley DB; a database that is cut; changes that are not in it yet."""
    database = root / "var/lib/rpm/Packages"
    database.write_bytes(b"\0" * 12 + b"\x61\x15\x06\0")
    assert owned(ask, root, CUDNN)[0] == {"path": CUDNN, "owners": [], "unread": "rpm"}
    answer = ask("owner", "--root", root, "-e", "/e", CUDNN)
    assert "the database of rpm is not read" in " ".join(answer.out.split())
    database.unlink()
    database = root / "var/lib/rpm/rpmdb.sqlite"
    database.write_bytes(b"SQLite format 3\0")
    assert owned(ask, root, CUDNN)[0]["unread"] == "rpm"
    database.unlink()
    write_rpm_sqlite(database, headers()[:1])
    assert owned(ask, root, CUDNN)[0]["unread"] is None
    database.with_name("rpmdb.sqlite-wal").write_bytes(b"x")
    assert owned(ask, root, CUDNN)[0]["unread"] == "rpm"
