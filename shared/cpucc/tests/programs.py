#!/usr/bin/env python3
"""Runs a file of small programs (order/order.h) under cpucc and checks that each reports exactly what it declares.

usage: programs.py FILE.cu [--write]

A program is a CASE or PROGRAM with the code above it. A comment `FAULT: kind, kind` or `REMARK: kind` names kinds
of kinds.h: the program must report them at that line, or, if the comment is a line of its own, at the next line of
code; with `kind?` it may report it, since clangs differ in what they make of a value that another fault has left
undefined. `FAULT: kind (name, name)` declares them only for the named programs, which share that code. A program must
report nothing else. It must end with status 1 if it declares a fault, else 0. `WRONG` or `REFUSED`, with or without
names, declares that no fault is reported but the status is 1: the result is wrong, or a tensor map is refused.
The file's first line may say CPUCC_DEVICES=N.
messages.tsv lists the messages' wording, with `*` for parts that differ from run to run; --write updates its lines
for the file's programs.
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

PROGRAM = re.compile(r"(?:CASE|PROGRAM)\((\w+)\)")
SAYS = {"WRONG": "wrong: ", "REFUSED": "refuses this map"}
MARK = re.compile(r"\b(?:(FAULT|REMARK): ([a-z_]+\??(?:, [a-z_]+\??)*)|(WRONG|REFUSED)\b)(?: \(([^)]*)\))?")


def declared(source):
    """Returns program name -> set of what it must report, in the file's order."""
    programs, marks, name = collections.OrderedDict(), [], None
    with open(source) as file:
        lines = file.read().split("\n")
    for number, line in enumerate(lines, 1):
        place = number
        while re.match(r" *(/\*|//) ", lines[place - 1]):
            place += 1
        marks += [(mark, place) for mark in MARK.findall(line)]
        begins = PROGRAM.match(line)
        name = begins.group(1) if begins else name
        if name and (line == "}" or (begins and (begins.group().startswith("PROGRAM") or "{" in line))):
            programs[name], name = marks, None  # the program's last line
            marks = []
    expected = collections.OrderedDict((program, set()) for program in programs)
    for program, marks in programs.items():
        for (level, kinds, said, names), place in marks:
            for other in names.split(", ") if names else [program]:
                if other not in expected:
                    sys.exit("%s:%d: no program %s" % (source, place, other))
                for kind in kinds.split(", "):
                    mark = said or "%s:%s:%d" % (level.lower(), kind.rstrip("?"), place)
                    expected[other].add(mark + "?" * kind.endswith("?"))
    return expected


def matches(pattern, text):
    """True if the text is the pattern, in which * stands for anything."""
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), text) is not None


def rewrite(said):
    """Writes the first message of each of these programs into messages.tsv."""
    path, lines = os.path.join(HERE, "messages.tsv"), []
    with open(path) as file:
        for line in file:
            program = line.split("\t")[0]
            if said.get(program):
                text = re.sub(r"[\w./]+\.(cu|h):\d+|0x[0-9a-f]{5,}", "*", said[program][0])
                line = "%s\t%s\n" % (program, text)
            lines.append(line)
    with open(path, "w") as file:
        file.writelines(lines)


def main(source, write=None):
    failures, passed, changed = 0, 0, {}
    folder, file = os.path.abspath(source)[:-len(".cu")].split("/")[-2:]
    with open(source) as text:
        devices = "".join(re.findall(r"CPUCC_DEVICES=(\d)", text.readline()))
    messages = collections.defaultdict(list)
    for row in tsv.rows(os.path.join(HERE, "messages.tsv")):
        messages[row["program"]].append(row["message"])
    with tempfile.TemporaryDirectory() as work:
        program, faults = os.path.join(work, "program"), os.path.join(work, "faults")
        if subprocess.call([os.path.join(SHARED, "cpucc", "cpucc"), "-I" + SHARED, source, "-o",
                            program]):
            return "FAILED: %s is not compiled" % source
        environment = dict(os.environ, CPUCC_REPORT="off", CPUCC_FAULTS_FILE=faults, CPUCC_DEVICES=devices,
                           CPUCC_PATIENCE="1" if file == "host" else "")
        for name, expected in declared(source).items():
            if os.path.exists(faults):
                os.remove(faults)
            run = subprocess.run([program, name], env=environment, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE, timeout=300)
            said = (run.stdout + run.stderr).decode(errors="replace")
            reported = tsv.rows(faults) if os.path.exists(faults) else []
            found = {"%s:%s:%s" % (row["level"], row["kind"], row["line"]) for row in reported}
            expected = {mark for mark in expected if not mark.endswith("?") or mark[:-1] in found}
            expected = {mark.rstrip("?") for mark in expected}
            found |= {mark for mark in SAYS if mark in expected and SAYS[mark] in said}
            status = int(any(not mark.startswith("remark") for mark in expected))
            texts = [row["message"] for row in reported]
            key = "%s/%s: %s" % (folder, file, name)
            absent = [message for message in messages[key] if not any(
                matches(message, text) for text in texts)]
            if absent:
                changed[key] = texts
            if found == expected and run.returncode == status and not absent:
                passed += 1
                continue
            failures += 1
            print("FAILED: %s: status %d instead of %d, missing %s, not declared %s, no message %s\n%s" % (
                name, run.returncode, status, sorted(expected - found) or "nothing",
                sorted(found - expected) or "nothing", absent, said))
    if write == "--write":
        rewrite(changed)
    print("%d passed, %d failed" % (passed, failures))
    return failures > 0 or not passed


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
