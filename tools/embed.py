"""Turns data files into one C file: an array of bytes for each, and a table of them.

Bytes, not string literals: compilers need only take literals of 4,095 characters (C17 5.2.4.1).

usage: embed.py OUTPUT.c ROOT FILE...
"""

import sys
from pathlib import Path


def array_of(number: int, content: bytes) -> str:
    """One C array; a NUL ends it, so that it can be read as text."""
    lines = [f"static const unsigned char file_{number}[] = {{"]
    data = content + b"\0"
    for start in range(0, len(data), 24):
        lines.append(",".join(str(byte) for byte in data[start : start + 24]) + ",")
    lines.append("};")
    return "\n".join(lines)


def source_of(root: Path, files: list[Path]) -> str:
    """The whole C file; names are relative to `root` and sorted."""
    named = sorted((path.relative_to(root).as_posix(), path.read_bytes()) for path in files)
    parts = ['#include "know/embedded.h"', ""]
    parts += [array_of(i, content) for i, (_, content) in enumerate(named)]
    parts.append("const struct wy_embedded wy_embedded[] = {")
    for i, (name, content) in enumerate(named):
        if b"\0" in content:
            raise SystemExit(f"{name}: has a NUL byte; expected text")
        parts.append(f'    {{"{name}", file_{i}, {len(content)}}},')
    parts += ["};", f"const size_t wy_nembedded = {len(named)};", ""]
    return "\n".join(parts)


def main(arguments: list[str]) -> None:
    output, root, *files = (Path(argument).resolve() for argument in arguments)
    output.write_text(source_of(root, files), encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1:])
