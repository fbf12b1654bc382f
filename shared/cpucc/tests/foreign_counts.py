#!/usr/bin/env python3
"""Compares cpucc's counts with the hardware's, for kernels that were not written for cpucc.

usage: foreign_counts.py RECORD.tsv              prints the share of equal counts, and each difference with its reason
       foreign_counts.py RECORD.tsv --write      writes the shares into the README of cpucc
       foreign_counts.py RECORD.tsv --check      fails if the README has other shares, or if they are too small
       foreign_counts.py RECORD.tsv RUN.tsv...   replaces cpucc's counts by those of these reports, and prints the
                                                 new record

RECORD.tsv (foreign_counts.tsv) has a row per counter that is not zero: run, repository, commit, file,
arguments, kernel, launch (its numbers among the kernel's launches; those with equal counts share a row), grid, block, counter, the hardware's
requests and work, cpucc's cpu_requests and cpu_work, reason (why they differ), may_differ (the mark in cpucc's
report). RUN.tsv is the report that CPUCC_REPORT=tsv writes for the run of that name. Exit status: 0; 1 if a
difference has no reason, or --check fails; 2 for wrong usage.
"""
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../traffic/tests"))
import tsv  # noqa: E402

README = os.path.join(HERE, "..", "README.md")


def each_launch(rows):
    """Returns a row per launch; launches with the same counts share a row of the record."""
    return [dict(row, launch=launch) for row in rows for launch in row["launch"].split(" ")]


def together(rows):
    """The reverse of each_launch()."""
    shared = {}
    for row in rows:
        shared.setdefault(tuple(text for column, text in row.items() if column != "launch"), []).append(row)
    return [dict(some[0], launch=" ".join(row["launch"] for row in some)) for some in shared.values()]


def is_equal(row):
    return (row["requests"], row["work"]) == (row["cpu_requests"], row["cpu_work"])


class Shares:
    """The share of equal counts, as lines of text, and whether the share is large enough and all reasons are given."""

    def __init__(self, rows):
        kernels = {}
        for row in rows:
            kernels.setdefault(row["file"] + " " + row["kernel"], []).append(row)
        different = {kernel: [row for row in some if not is_equal(row)] for kernel, some in kernels.items()}
        different = {kernel: some for kernel, some in different.items() if some}
        others = sum(len(some) for some in different.values())
        equal = len(rows) - others
        marked = sum(row["may_differ"] != "-" and not is_equal(row) for row in rows)
        wrongly = sum(row["may_differ"] != "-" and is_equal(row) for row in rows)
        self.shares = ["%d of %d counts equal (%.1f %%); %d of %d kernels in all their counts" % (
            equal, len(rows), 100 * equal / max(len(rows), 1), len(kernels) - len(different), len(kernels)),
            "%d of the %d counts that differ are marked in the report, %d of the %d equal ones" % (
                marked, others, wrongly, equal)]
        self.good = equal * 100 >= 95 * len(rows) and marked * 5 >= others * 3 and wrongly * 20 <= equal
        self.explained = True
        self.lines = list(self.shares)
        for kernel, some in different.items():
            reasons = [row["reason"] for row in some if row["reason"] not in ("", "-")]
            self.explained &= len(reasons) == len(some)
            first = some[0]
            self.lines.append("%s: %s: %s requests and %s, here %s and %s (%d of %d counts): %s" % (
                kernel, first["counter"], first["requests"], first["work"], first["cpu_requests"], first["cpu_work"],
                len(some), len(kernels[kernel]), reasons[0] if len(reasons) == len(some) else "NO REASON"))


def joined(record, runs):
    """Returns the record's lines with cpucc's counts taken from the reports."""
    counts, seen = {}, set()
    for file in runs:
        run = re.sub(r"\.tsv$", "", os.path.basename(file))
        seen.add(run)
        for row in tsv.rows(file):
            kernel = re.sub(r"([0-9])[uUlL]+", r"\1", row["kernel"].replace(" ", ""))  # 256U is 256
            counts[run, kernel, row["launch"], row["counter"]] = (row["requests"], row["work"], row.get("may_differ", "-"))
    with open(record, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file]
    header = next(line for line in lines if not line.startswith("#"))
    yield from (line for line in lines if line.startswith("#"))
    yield header
    rows = each_launch(tsv.rows(record))
    for row in rows:
        if row["run"] in seen:
            key = (row["run"], row["kernel"], row["launch"], row["counter"])
            row["cpu_requests"], row["cpu_work"], row["may_differ"] = counts.get(key, ("0", "0", "-"))
            if is_equal(row):
                row["reason"] = "-"
    yield from ("\t".join(row[column] for column in header.split("\t")) for row in together(rows))


def main(words):
    if not words or not os.access(words[0], os.R_OK):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    record, runs = words[0], words[1:]
    if runs and not runs[0].startswith("--"):
        print("\n".join(joined(record, runs)))
        return 0
    shares = Shares(each_launch(tsv.rows(record)))
    if not runs:
        print("\n".join(shares.lines))
        return 0 if shares.explained else 1
    with open(README, encoding="utf-8") as file:
        old = file.read()
    text = re.sub("(?<=<!-- counts -->\n).*?(?=<!-- end -->)",
                  lambda _: "".join("* %s\n" % line for line in shares.shares), old, flags=re.S)
    if runs[0] == "--write":
        with open(README, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    if text != old:
        print("cpucc's README has other shares: foreign_counts.py %s --write" % record)
    if not shares.good:
        print("\n".join(shares.shares))
    return 0 if text == old and shares.good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
