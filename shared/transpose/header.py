#!/usr/bin/env python3
"""Writes the whole library as one header for nvcc, transpose.cuh, which needs no other file.

usage: header.py DIR
"""
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ABOUT = """ * transpose.cuh: the library of the transpose workbook in one header, written by header.py.
 *
 * Nothing is compiled until it is called: transpose(&t) compiles the kernels for all element sizes,
 * transpose<4>(&t) those for elements of 4 bytes alone. Needs C++17 and compute capability 7.5.
 *
"""
FUNCTION = re.compile(r"^(?=\w[\w ]* \*?transpose\w*\()", re.M)
LAUNCHES = re.compile(r"^static inline (?=\w+ (transpose|transpose_with_plan)\()", re.M)


def text(name, seen):
    """Returns a file with the library's own includes put in their places, each once."""
    lines = (HERE / name).read_text()
    if name in ("transpose.h", "transpose.cu"):  # the interface: C functions become inline, or templates
        lines = re.sub(r'#ifdef __cplusplus\n(extern "C" \{|\})\n#endif\n', "", lines)
        default = " = 0" if name == "transpose.h" else ""
        lines = LAUNCHES.sub("template <int BYTES%s>\nstatic inline " % default, FUNCTION.sub("static inline ", lines))
        lines = lines.replace("transpose_call<0>", "transpose_call<BYTES>")

    def included(match):
        if match[1] in seen:
            return ""
        seen.add(match[1])
        return text(match[1], seen)
    return re.sub(r'^#include "transpose/([^"]*)"\n', included, lines, flags=re.M)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    permission = "".join((" * " + line).rstrip() + "\n" for line in (HERE / "../../LICENSE").read_text().splitlines())
    library = text("transpose.cu", set())
    Path(sys.argv[1], "transpose.cuh").write_text(
        "/*\n%s%s */\n#ifndef TRANSPOSE_CUH\n#define TRANSPOSE_CUH\n\n%s\n#endif\n" % (ABOUT, permission, library))


if __name__ == "__main__":
    main()
