#!/usr/bin/env python3
"""Compares the counts of counting.cu launch by launch with recorded hardware counts.

usage: probes.py PROGRAM RECORDED.tsv...

PROGRAM is counting.cu built by cpucc, RECORDED.tsv what shared/profile/probes.sh recorded of a GPU.
A figure that was not measured is nan or its column is missing.
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
    """{(kernel, pattern, lanes): {"global_load_requests": "1", ...}} of a run of the program."""
    with tempfile.TemporaryDirectory() as work:
        report = os.path.join(work, "counts.tsv")
        listed = subprocess.run([program], stdout=subprocess.PIPE, check=True, universal_newlines=True,
                                env=dict(os.environ, CPUCC_REPORT="tsv", CPUCC_REPORT_FILE=report))
        rows = tsv.rows(report)
    launches, launch_of = collections.Counter(), {}
    counts = collections.OrderedDict()
    for line in listed.stdout.splitlines():
        _, kernel, pattern, lanes = line.split("\t")[:4]
        # clang 14 names every probe<...> of a type probe<T>
        for name in {kernel, "probe<T>" if kernel.startswith("probe<") else kernel}:
            launches[name] += 1
            launch_of[name, str(launches[name])] = (kernel, pattern, lanes)
        counts[kernel, pattern, lanes] = {}
    for row in rows:
        figures = counts[launch_of[row["kernel"], row["launch"]]]
        figures[row["counter"] + "_requests"] = row["requests"]
        figures[row["counter"] + "_work"] = row["work"]
    return counts


def measured(file):
    """The same of a recorded file, in which kernels of one pattern and its lanes share a row."""
    rows = {}
    for row in tsv.rows(file):
        words = {name: cell.split(" ") for name, cell in row.items() if name not in ("pattern", "lanes")}
        for i, kernel in enumerate(words["kernel"]):
            rows[kernel, row["pattern"], row["lanes"]] = {name: cells[i] for name, cells in words.items()}
    return rows


def main(program, *files):
    counts, failures = counted(program), 0
    for file in files:
        hardware = measured(file)
        equal, known = 0, [key for key in counts if key in hardware]
        for key in known:
            for figure in [counter + part for counter in COUNTERS for part in ("_requests", "_work")]:
                expected = hardware[key].get(figure, "nan")
                if expected == "nan":
                    continue
                if expected == counts[key].get(figure, "0"):
                    equal += 1
                else:
                    failures += 1
                    print("%s: %s: cpucc %s, hardware %s" % (
                        " ".join(key), figure, counts[key].get(figure, "0"), expected))
        print("counting.cu: %d counts equal, %d different (%d launches; %d more have no hardware "
              "counts)" % (equal, failures, len(known), len(counts) - len(known)))
        failures += not equal
    return failures > 0 or not files


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
