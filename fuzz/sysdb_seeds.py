"""Databases of package managers as seeds of the sysdb target: the byte before each says which file
it is.

Usage: sysdb_seeds.py FOLDER
"""

from __future__ import annotations

import json
import sqlite3
import struct
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

STATUS, LIST, DIVERSIONS, STATUS_D, SUMS, APK, DESC, FILES, CONDA, SQLITE, NDB = range(11)
RECORD = {
    "name": "z",
    "version": "1!2.0",
    "build": "h1_0",
    "channel": "https://repo.anaconda.com/pkgs/main/linux-64",
    "subdir": "linux-64",
    "files": ["lib/libz.so", "lib/libz.so.1", "caf\u00e9/\udcff.so"],
    "paths_data": {
        "paths": [{"_path": "lib/libz.so.1", "size_in_bytes": 12, "sha256": "0" * 64}],
        "paths_version": 1,
    },
}
STANZAS = b"""Package: z
Status: deinstall ok half-configured
Description: two
 lines
 .
Version: 1:2.3-4~a+b
Architecture: amd64

Package: z
Version: 5

Status: ok
"""
SEEDS = {
    "status": (STATUS, STANZAS),
    "list": (
        LIST,
        b"/.\n/usr\n/usr/lib\n/usr/lib/libz.so.1\r\n/../lib/libz.so.1\n/usr/lib/o\0.so\n",
    ),
    "diversions": (DIVERSIONS, b"/usr/lib/libz.so.1\n/usr/lib/other\n:\n/usr/lib/other\n/x\n"),
    "distroless": (STATUS_D, STANZAS),
    "sums": (SUMS, b"00  usr/lib/libz.so.1\n00 usr/lib/other\n  \n"),
    "apk": (
        APK,
        b"C:Q1\nP:z\nV:1-r0\nA:x86_64\nF:usr/lib\nM:0:0:755\nR:libz.so.1\nZ:Q1\nF:\n\nP:\n",
    ),
    "pacman-desc": (DESC, b"%NAME%\nz\n\n%VERSION%\n1-1\n\n%ARCH%\nx86_64\n%NAME%\n"),
    "pacman-files": (FILES, b"%FILES%\nusr/\nusr/lib/libz.so.1\n\n%BACKUP%\nusr/lib/other\n"),
    "conda": (CONDA, json.dumps(RECORD, indent=1).encode()),
    "conda-cut": (CONDA, json.dumps(RECORD).encode()[:-20]),
}

INT32, STRING, STRINGS = 4, 6, 8


def rpm_header(
    name: str,
    paths: Sequence[str],
    version: str = "1",
    release: str = "2",
    epoch: int | None = None,
) -> bytes:
    """What rpm keeps of a package, as far as it is read: entries of tag, type, offset and count."""
    folders = sorted({path.rpartition("/")[0] + "/" for path in paths})
    values: list[tuple[int, int, int, bytes]] = [
        (tag, STRING, 1, text.encode() + b"\0")
        for tag, text in ((1000, name), (1001, version), (1002, release), (1022, "x86_64"))
    ]
    if epoch is not None:
        values.append((1003, INT32, 1, struct.pack(">I", epoch)))
    indexes = [folders.index(path.rpartition("/")[0] + "/") for path in paths]
    values.append((1116, INT32, len(paths), struct.pack(f">{len(paths)}I", *indexes)))
    names = [path.rpartition("/")[2] for path in paths]
    for tag, texts in ((1117, names), (1118, folders)):
        values.append((tag, STRINGS, len(texts), b"".join(t.encode() + b"\0" for t in texts)))
    entries, data = b"", b""
    for tag, kind, count, value in values:
        data += b"\0" * (-len(data) % 4 if kind == INT32 else 0)
        entries += struct.pack(">IIII", tag, kind, len(data), count)
        data += value
    return struct.pack(">II", len(values), len(data)) + entries + data


def write_rpm_sqlite(path: Path, headers: Sequence[bytes], page: int = 4096) -> None:
    """rpmdb.sqlite with the one table that matters, and an index beside it as rpm has."""
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA page_size = {page}")
        db.execute("CREATE TABLE 'Packages' (hnum INTEGER PRIMARY KEY AUTOINCREMENT, blob BLOB)")
        db.execute("CREATE TABLE 'Name' (key TEXT NOT NULL, hnum INTEGER, idx INTEGER)")
        db.executemany("INSERT INTO Packages (blob) VALUES (?)", [(h,) for h in headers])
    db.close()


def rpm_ndb(headers: Sequence[bytes]) -> bytes:
    """Packages.db of rpm's own format: slots, then blobs with a head and a tail."""
    pages = 1 + (len(headers) + 2) // 256
    slots, blobs = b"", b""
    for number, header in enumerate(headers, 1):
        block = pages * 256 + len(blobs) // 16
        blob = struct.pack("<4sIII", b"BlbS", number, 0, len(header)) + header
        blob += b"\0" * (-(len(blob) + 12) % 16) + struct.pack("<II4s", 0, len(header), b"BlbE")
        slots += struct.pack("<4sIII", b"Slot", number, block, len(blob) // 16)
        blobs += blob
    head = struct.pack("<4sIIII12x", b"RpmP", 0, 1, pages, len(headers) + 1)
    free = struct.pack("<4sIII", b"Slot", 0, 0, 0)
    slots += free * (pages * 256 - 2 - len(headers))
    return head + slots + blobs


def databases() -> dict[str, tuple[int, bytes]]:
    """The binary ones."""
    headers = [rpm_header(f"p{i}", [f"/usr/lib/lib{c}.so.1" for c in "az"]) for i in range(3)]
    headers.append(rpm_header("z", ["/usr/lib/libz.so.1", "/usr/lib/other"] * 40, epoch=1))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rpmdb.sqlite"
        write_rpm_sqlite(path, headers, 512)
        return {"rpm-sqlite": (SQLITE, path.read_bytes()), "rpm-ndb": (NDB, rpm_ndb(headers))}


def main() -> None:
    """Writes all seeds."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (which, content) in (SEEDS | databases()).items():
        (folder / name).write_bytes(bytes([which]) + content)


if __name__ == "__main__":
    main()
