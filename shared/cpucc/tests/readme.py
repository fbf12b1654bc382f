#!/usr/bin/env python3
"""Makes the tables of cpucc's README: results of foreign programs (foreign.tsv), and costs (speed.tsv).

usage: readme.py [--write]   compares the tables, and the names of tests, with the README; --write
                             updates the tables. Exit status 1: they differ
"""
import collections
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../traffic/tests"))
import tsv  # noqa: E402

README = os.path.join(HERE, "..", "README.md")
COLUMNS = {"clean": "clean", "faults": "faults, all true", "refused": "refused by name",
           "waived": "end by themselves", "needs": "need what is not here", "fails": "do not work"}


def foreign():
    # Programs of one repository with one outcome and reason share a row.
    rows = [dict(row, program=program) for row in tsv.rows(os.path.join(HERE, "foreign.tsv"))
            for program in row["program"].split("; ")]
    repositories = list(collections.OrderedDict.fromkeys(row["repository"] for row in rows))
    outcomes = collections.Counter(row["outcome"] for row in rows)
    lines = ["| repository | programs | %s |" % " | ".join(COLUMNS.values()),
             "| --- " * (len(COLUMNS) + 2) + "|"]
    for name in repositories:
        mine = [row for row in rows if row["repository"] == name]
        count = collections.Counter(row["outcome"] for row in mine)
        lines.append("| %s at %s | %d | %s |" % (name, mine[0]["commit"][:8], len(mine), " | ".join(
            str(count[outcome]) for outcome in COLUMNS)))
    good = outcomes["clean"] + outcomes["faults"]
    lines += ["", "Of %d programs that need nothing impossible %d build as they are and end as on a "
              "GPU (%.0f %%)." % (good + outcomes["fails"], good, 100 * good / (good + outcomes["fails"]))]
    why = collections.Counter(row["reason"] for row in rows if row["outcome"] in ("refused", "needs"))
    lines.append("Refused or missing: %s." % ", ".join(
        "%s (%d)" % (reason, why[reason]) for reason in sorted(why, key=lambda r: (-why[r], r))))
    lines += ["", "| what does not work | |", "| --- | --- |"]
    return lines + ["| %s: %s | %s |" % (row["repository"], row["program"], row["reason"])
                    for row in rows if row["outcome"] == "fails"]


def speed():
    lines = ["| times `gcc -O0`, with all checkers / with `CPUCC_CHECKS=bounds` | instructions | processor time | "
             "memory per byte of device memory |", "| --- | --- | --- | --- |"]
    form = ("| {program}, {size} x {size} | {instructions} / {instructions_bounds} | {seconds} / {seconds_bounds} | "
            "{bytes} / {bytes_bounds} bytes |")
    return lines + [form.format(**row).replace("nan / nan bytes", "(too small to tell)")
                    for row in tsv.rows(os.path.join(HERE, "speed.tsv"))]


def named_tests(text):
    """Returns messages on tests that the README names beside compute-sanitizer's checks but that are wrong."""
    table = re.search(r"^### Comparison with compute-sanitizer.*?(?=^#)", text, re.M | re.S).group()
    tests = [test for line in table.splitlines() if line.startswith("|")
             for test in re.findall(r"`([^`]*)`", line.split("|")[3])]
    for test in tests:
        file, _, program = test.partition(": ")
        path = os.path.join(HERE, file + ".cu")
        if not os.path.exists(path):
            yield "there is no test " + test
        elif program and not re.search(r"^(CASE|PROGRAM)\(%s\)" % program, open(path).read(), re.M):
            yield "there is no program %s in %s.cu" % (program, file)
    if len(tests) < 15:
        yield "it names %d tests beside compute-sanitizer's" % len(tests)


def main(words):
    with open(README) as file:
        old = text = file.read()
    for name, table in (("foreign", foreign()), ("speed", speed())):
        text = re.sub("(?<=<!-- %s -->\n).*?(?=<!-- end -->)" % name,
                      lambda _: "\n".join(table) + "\n", text, flags=re.S)
    wrong = list(named_tests(old))
    if words == ["--write"]:
        with open(README, "w") as file:
            file.write(text)
    elif words:
        sys.exit(__doc__)
    elif text != old:
        wrong.append("a table is not foreign.tsv's or speed.tsv's: readme.py --write")
    print("\n".join(wrong) or "the README's tables and tests are right")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
