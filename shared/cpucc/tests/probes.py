#!/usr/bin/env python3
"""Compares cpucc's counts of counting.cu's launches with recorded hardware counts.

usage: probes.py PROGRAM PROBES.tsv...

PROGRAM is counting.cu built by cpucc. PROBES.tsv is what shared/profile/probes.sh recorded on a GPU. It has
a row per access pattern and set of active lanes; the other cells hold a word per kernel. A count that was
not measured is nan, or its column is missing.
"""
import collections
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../traffic/tests"))
import tsv  # noqa: E402

COUNTERS = ["global_load", "global_store", "shared_load", "shared_store", "async_copy_global",
            "async_copy_shared"]


def counted(program):
    """Runs the program; returns (kernel, pattern, lanes) -> "global_load_requests" etc. -> count as text."""
    with tempfile.TemporaryDirectory() as work:
        report = os.path.join(work, "counts.tsv")
        listed = subprocess.run([program], stdout=subprocess.PIPE, check=True, universal_newlines=True,
                                env=dict(os.environ, CPUCC_REPORT="tsv", CPUCC_REPORT_FILE=report))
        rows = tsv.rows(report)
    launches, launch_of = collections.Counter(), {}
    counts = collections.OrderedDict()
    for line in listed.stdout.splitlines():
        _, kernel, pattern, lanes = line.split("\t")[:4]
        # clang 14 names each instance probe<...> only probe<T>
        for name in {kernel, "probe<T>" if kernel.startswith("probe<") else kernel}:
            launches[name] += 1
            launch_of[name, str(launches[name])] = (kernel, pattern, lanes)
        counts[kernel, pattern, lanes] = {}
    for row in rows:
        figures = counts[launch_of[row["kernel"], row["launch"]]]
        figures[row["counter"] + "_requests"] = row["requests"]
        figures[row["counter"] + "_work"] = row["work"]
    return counts


def recorded(file):
    """Reads a file of probes.sh; returns the same structure as counted()."""
    launches = {}
    for row in tsv.rows(file):
        cells = {column: text.split(" ") for column, text in row.items() if column not in ("pattern", "lanes")}
        for at, kernel in enumerate(cells["kernel"]):
            launches[kernel, row["pattern"], row["lanes"]] = {column: words[at] for column, words in cells.items()}
    return launches


def main(program, *files):
    counts, failures = counted(program), 0
    for file in files:
        hardware = recorded(file)
        equal, known = 0, [key for key in counts if key in hardware]
        for key in known:
            for figure in [counter + part for counter in COUNTERS for part in ("_requests", "_work")]:
                measured = hardware[key].get(figure, "nan")
                if measured == "nan":
                    continue
                if measured == counts[key].get(figure, "0"):
                    equal += 1
                else:
                    failures += 1
                    print("%s: %s: cpucc %s, hardware %s" % (
                        " ".join(key), figure, counts[key].get(figure, "0"), measured))
        print("counting.cu: %d counts equal, %d different (%d launches; %d more have no hardware "
              "counts)" % (equal, failures, len(known), len(counts) - len(known)))
        failures += not equal
    return failures > 0 or not files


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
