#!/usr/bin/env python3
"""Compares cpucc's counts of a program's kernels with the counts that its source declares.

usage: counts.py SOURCE.cu PROGRAM      PROGRAM is SOURCE.cu built by cpucc

Declarations in SOURCE.cu, with kernels' names without blanks:

    COUNTERS counter...                   the counters to compare; without it, all are compared
    REQUESTS kernel requests...           the kernel's requests, for each of COUNTERS
    EXPECT kernel counter requests [work [ideal]]

SOURCE.cu may say CPUCC_DEVICES=N. A count that is not declared is an error. `18|sum` stands for 18, or for any number if the report has
the word `sum` in its column may_differ; `18~sum` for 18 and that word.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../traffic/tests"))
import tsv  # noqa: E402


def declared(source):
    """Returns the counters to compare (none: all), (kernel, counter) -> list of numbers as text, and the devices."""
    counters, expected = [], {}
    with open(source) as file:
        text = file.read()
        for keyword, rest in re.findall(r"^ \* (COUNTERS|REQUESTS|EXPECT) (.*?)(?: \*/)?$", text, re.M):
            words = rest.split()
            if keyword == "COUNTERS":
                counters = words
            elif keyword == "EXPECT":
                expected[words[0], words[1]] = words[2:]
            else:
                for counter, requests in zip(counters, words[1:]):
                    expected[words[0], counter] = [requests]
    return counters, expected, "".join(re.findall(r"CPUCC_DEVICES=(\d)", text))


def main(source, program):
    counters, expected, devices = declared(source)
    with tempfile.TemporaryDirectory() as work:
        report = os.path.join(work, "counts.tsv")
        environment = dict(os.environ, CPUCC_REPORT="tsv", CPUCC_REPORT_FILE=report, CPUCC_DEVICES=devices)
        if subprocess.call([program], env=environment, stdout=subprocess.DEVNULL, timeout=300):
            return "FAILED: %s does not end with status 0" % program
        found = {(row["kernel"].replace(" ", ""), row["counter"]): row for row in tsv.rows(report)}
    failures = 0
    for key in sorted(set(expected) | {key for key in found if not counters or key[1] in counters}):
        row = found.get(key, {"requests": "0", "work": "0", "ideal_work": "0", "may_differ": "-"})
        wanted = expected.get(key, ["0"])
        number, sign, mark = re.fullmatch(r"(\d+)([|~]?)(\w*)", wanted[0]).groups()
        got = [row["requests"], row["work"], row["ideal_work"]][:len(wanted)]
        equal, marked = got == [number] + wanted[1:], mark in row["may_differ"].split(",")
        if not (equal and marked if sign == "~" else equal or marked):
            failures += 1
            print("FAILED: %s: %s: %s, expected %s" % (*key, " ".join(got), " ".join(wanted)))
    print("%d declared, %d failed" % (len(expected), failures))
    return failures > 0 or not expected


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
