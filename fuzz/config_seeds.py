"""Texts that steer the loader, as seeds of the config target.

Usage: config_seeds.py FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

MUSL = 1
# Even choices are releases of glibc, from 2.31 on; odd ones musl.
SEEDS = {
    "variables": (10, "/lib/more:/none", "libtwo.so", "", "$ORIGIN/more", "libtwo.so", b""),
    "empty-elements": (22, ":/lib/more:", ":libtwo.so :", "", ":", "libthree.so", b""),
    "tokens": (8, "${ORIGIN}/more", "$LIB/x.so", "", "/lib/$LIB:$PLATFORM", "/$ORIGIN/a", b""),
    "tunables": (
        20,
        "",
        "",
        "glibc.rtld.optional_static_tls=4096:glibc.rtld.execstack=2:x=1",
        "/lib/more",
        "libtwo.so",
        b"",
    ),
    "preload-file": (
        10,
        "/lib/more",
        "",
        "",
        "",
        "libtwo.so",
        b"# first\nlibtwo.so libthree.so:/lib/libtwo.so\t# second\nlibnone.so\n",
    ),
    "musl-path": (MUSL, "", "", "", "$ORIGIN/more", "libtwo.so", b"/lib:/lib/more\n\n/usr/lib\n"),
    "musl-empty-path": (MUSL, "/lib/more", "libtwo.so", "", "", "libthree.so", b""),
}


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for name, (choice, *texts, content) in SEEDS.items():
        body = b"".join(str(text).encode() + b"\0" for text in texts)
        (folder / name).write_bytes(bytes([choice]) + body + content)


if __name__ == "__main__":
    main()
