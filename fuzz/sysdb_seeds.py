"""Databases of package managers as seeds of the sysdb target: the byte before each says which file
it is.

Usage: sysdb_seeds.py FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

STATUS, LIST, DIVERSIONS, STATUS_D, SUMS, APK, DESC, FILES, CONDA = range(9)
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


def main() -> None:
    """Writes all seeds."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (which, content) in SEEDS.items():
        (folder / name).write_bytes(bytes([which]) + content)


if __name__ == "__main__":
    main()
