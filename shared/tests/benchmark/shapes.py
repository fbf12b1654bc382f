#!/usr/bin/env python3
"""Prints the bandwidth files of shapes.sh in percent of cudaMemcpy.

usage: shapes.py FILE.tsv           a table of all shapes; steps 04 to 07 share a column for their fastest variant
       shapes.py --line FILE.tsv... one line with transpose() and the peers
"""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "plots"))
import results  # noqa: E402


def contenders(path):
    """Returns the rows of a file without ceilings, copies and skipped rows."""
    return [row for row in results.read(path, "shapes").rows
            if row["variant"] not in ("ceiling", "torch_copy") and row["status"] != "skipped"]


def percent(row):
    """Returns the row's percentage with one decimal, or its status if that is not ok."""
    return "%.1f" % float(row["percent_of_memcpy"]) if row["status"] == "ok" else row["status"]


def line(paths):
    for row in (row for path in paths for row in contenders(path)):
        if row["step"] == "peers" or row["step"].startswith("08_") and row["variant"] == "transpose":
            print("  %s %s" % (row["variant"], percent(row)), end="")


def table(path):
    figures, shapes, names = {}, {}, {}
    for row in contenders(path):
        shape = "%2s B %7s x (%s x %s)" % (row["element_bytes"], row["batches"], row["rows"], row["cols"])
        name = "best of 04 to 07" if re.match("0[4-7]", row["step"]) else row["variant"]
        shapes[shape] = names[name] = True
        old = figures.get((shape, name), "failed")
        if old == "failed" or percent(row) != "failed" and float(percent(row)) > float(old):
            figures[shape, name] = percent(row)
    for number, name in enumerate(names, 1):
        print("%2d = %s" % (number, name))
    print("%-38s" % "percent of cudaMemcpy" + "".join(" %6d" % (number + 1) for number in range(len(names))))
    for shape in shapes:
        print("%-38s" % shape + "".join(" %6s" % figures.get((shape, name), "-") for name in names))


if sys.argv[1] == "--line":
    line(sys.argv[2:])
else:
    table(sys.argv[1])
