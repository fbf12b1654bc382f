#!/usr/bin/env python3
"""Runs a file of small programs (order/order.h) under cpucc and compares exactly what each reports.

usage: programs.py FILE.cu

A program begins at a line `//// name`. A comment `FAULT: kind, kind` or `REMARK: kind` names kinds
of kinds.h: the program must report them at that line, or, where the comment is a line of its own, at
the next line of code. `FAULT: kind (name, name)` declares them for the programs of these names, which share
that code. A program reports what is declared for it and nothing else, and ends with status 1 if
that includes a fault, else 0. `WRONG` or `REFUSED`, with names or without: no fault is reported and
the status is 1, since the result is wrong, or a tensor map is refused. messages.tsv lists the texts
of messages.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(SHARED, "traffic", "tests"))
import tsv  # noqa: E402

SAYS = {"WRONG": "wrong: ", "REFUSED": "refuses this map"}
MARK = re.compile(r"\b(?:(FAULT|REMARK): ([a-z_]+(?:, [a-z_]+)*)|(WRONG|REFUSED)\b)(?: \(([^)]*)\))?")


def declared(source):
    """For each program of the file, in order, the set of what it must report."""
    programs, name = collections.OrderedDict(), None
    with open(source) as file:
        lines = list(enumerate(file.read().split("\n"), 1))
    for _, line in lines:
        if line.startswith("//// "):
            programs[line.split()[1]] = set()
    for number, line in lines:
        if line.startswith("//// "):
            name = line.split()[1]
        place = number
        while re.match(r" *(/\*|//) ", lines[place - 1][1]):
            place += 1
        for level, kinds, said, names in MARK.findall(line) if name else []:
            for program in names.split(", ") if names else [name]:
                if program not in programs:
                    sys.exit("%s:%d: no program %s" % (source, number, program))
                for kind in kinds.split(", "):
                    programs[program].add(said or "%s:%s:%d" % (level.lower(), kind, place))
    return programs


def matches(pattern, text):
    """True if the text is the pattern, in which * stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text) is not None


def main(source):
    failures, passed = 0, 0
    folder, file = os.path.abspath(source)[:-len(".cu")].split("/")[-2:]
    messages = collections.defaultdict(list)
    for row in tsv.rows(os.path.join(HERE, "messages.tsv")):
        messages[row["program"]].append(row["message"])
    with tempfile.TemporaryDirectory() as work:
        program, faults = os.path.join(work, "program"), os.path.join(work, "faults")
        if subprocess.call([os.path.join(SHARED, "cpucc", "cpucc"), "-I" + SHARED, source, "-o",
                            program]):
            return "FAILED: %s is not compiled" % source
        environment = dict(os.environ, CPUCC_REPORT="off", CPUCC_PATIENCE="1",
                           CPUCC_FAULTS_FILE=faults)
        for name, expected in declared(source).items():
            if os.path.exists(faults):
                os.remove(faults)
            run = subprocess.run([program, name], env=environment, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, timeout=300)
            said = (run.stdout + run.stderr).decode(errors="replace")
            reported = tsv.rows(faults) if os.path.exists(faults) else []
            found = {"%s:%s:%s" % (row["level"], row["kind"], row["line"]) for row in reported}
            found |= {mark for mark in SAYS if mark in expected and SAYS[mark] in said}
            status = int(any(not mark.startswith("remark") for mark in expected))
            texts = [row["message"] for row in reported]
            absent = [message for message in messages["%s/%s: %s" % (folder, file, name)]
                      if not any(matches(message, text) for text in texts)]
            if found == expected and run.returncode == status and not absent:
                passed += 1
                continue
            failures += 1
            print("FAILED: %s: status %d instead of %d, missing %s, not declared %s, no message %s\n%s" % (
                name, run.returncode, status, sorted(expected - found) or "nothing",
                sorted(found - expected) or "nothing", absent, said))
    print("%d passed, %d failed" % (passed, failures))
    return failures > 0 or not passed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
