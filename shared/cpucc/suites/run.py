#!/usr/bin/env python3
"""Runs suites of labelled programs that were not written for cpucc, and compares verdicts with labels.

usage: run.py SUITE CHECKOUT [--only REGEX] [--strict] [--sanitizer] [--every N] [-j N] [--seconds S]

SUITE is indigo, scor, gpuverify, gpurepair or sanitizer; CHECKOUT the path of a checkout of its repository
(README.md has their addresses). Prints TSV: suite, program, label, verdict, agrees, kinds.

  label    racy or right; faulty where the suite means any fault; - if the suite gives none
  verdict  faulty, right, or why there is none: not built, refused, timeout, failed
  agrees   yes, no, or -
  kinds    what was reported, with commas: words of core/kinds.h, remarks in parentheses; with --sanitizer the
           tools that reported errors

--strict sets CPUCC_STRICT=1. --sanitizer compiles with nvcc and runs under compute-sanitizer's racecheck and memcheck
on this machine's GPU, and needs no cpucc. --every N takes each Nth program. The last lines, on standard error, count
the agreements. Exit status: 0; 2 a usage error.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile

import suites

HERE = os.path.dirname(os.path.abspath(__file__))


def execute(command, seconds, environment=None, folder=None):
    """Returns the exit status (None after a timeout) and the output of a command."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds, cwd=folder,
                              env=dict(os.environ, **(environment or {})), errors="replace", stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None, ""


class Cpucc:
    """Builds with cpucc; a run's kinds are those of the faults file."""
    most_runs = 9

    def __init__(self, strict):
        self.environment = {"CPUCC_REPORT": "off"}
        if strict:
            self.environment["CPUCC_STRICT"] = "1"

    def build(self, program, binary):
        return execute([os.path.join(HERE, "..", "cpucc"), *program.flags, program.source, "-o", binary], 300)

    def run(self, command, folder, seconds, order):
        faults = os.path.join(folder, "faults.tsv")
        if os.path.exists(faults):
            os.remove(faults)
        status, _ = execute(command, seconds, dict(self.environment, CPUCC_FAULTS_FILE=faults, CPUCC_SCHEDULE=order), folder)
        kinds = set()
        if os.path.exists(faults):
            with open(faults, encoding="utf-8") as file:
                for line in file.readlines()[1:]:
                    level, kind = line.split("\t")[:2]
                    kinds.add(kind if level == "fault" else "(%s)" % kind)
        return status, kinds


class Sanitizer:
    """Builds with nvcc; a run's kinds are compute-sanitizer's tools that reported errors."""
    most_runs = 1

    def build(self, program, binary):
        return execute(["nvcc", "-arch=sm_90", "-lineinfo", "-w", *program.flags, program.source, "-o", binary], 300)

    def run(self, command, folder, seconds, order):
        del order
        kinds, last = set(), 0
        for tool in ("racecheck", "memcheck"):
            status, output = execute(["timeout", "-s", "KILL", str(seconds), "compute-sanitizer", "--tool", tool,
                                      *command], seconds + 5, None, folder)
            errors = re.search(r"(?:ERROR SUMMARY: (\d+)|RACECHECK SUMMARY: (\d+) hazard)", output)
            if errors and (errors.group(1) or errors.group(2)) != "0":
                kinds.add(tool)
            if not errors:
                last = None if status in (None, 137, -9) else 2
        return last, kinds


def judge(program, kinds, status):
    """Returns the verdict that these kinds and the exit status mean for the program's label."""
    counted = {kind for kind in kinds if not kind.startswith("(") and program.counts(kind)}
    if counted:
        return "faulty"
    return "timeout" if status is None else "failed" if status < 0 or status > 1 else "right"


def row_of(tool, program, seconds):
    """Builds and runs one program. Returns its row."""
    with tempfile.TemporaryDirectory() as folder:
        program.prepare(folder)
        binary = os.path.join(folder, "program")
        status, output = tool.build(program, binary)
        if status != 0 or not os.path.exists(binary):
            sys.stderr.write("".join("%s: %s\n" % (program.name, line) for line in output.splitlines() if "error" in line))
            refused = re.search(r"not supported", output)
            return [program.suite, program.name, program.label, "refused" if refused else "not built", "-", "-"]
        kinds, worst = set(), 0
        for arguments in program.runs[:tool.most_runs]:
            status, found = tool.run([binary, *arguments], folder, seconds, program.order)
            kinds |= found
            worst = status if status is None or (worst is not None and status not in (0, 1)) else worst
    verdict = judge(program, kinds, worst)
    expected = {"right": "right"}.get(program.label, "faulty")
    agrees = "-" if program.label == "-" or verdict not in ("right", "faulty") else "yes" if verdict == expected else "no"
    return [program.suite, program.name, program.label, verdict, agrees, ",".join(sorted(kinds)) or "-"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=True)
    parser.add_argument("suite", choices=sorted(suites.SUITES))
    parser.add_argument("checkout")
    parser.add_argument("--only", default="")
    parser.add_argument("--strict", action="store_true")
    parser.add_argument("--sanitizer", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=20)
    options = parser.parse_args()
    if not os.path.isdir(options.checkout):
        sys.stderr.write("run.py: no folder %s\n" % options.checkout)
        return 2
    tool = Sanitizer() if options.sanitizer else Cpucc(options.strict)
    with tempfile.TemporaryDirectory() as work:
        programs = [program for program in suites.SUITES[options.suite](os.path.abspath(options.checkout), work)
                    if re.search(options.only, program.name)][::options.every]
        print("suite\tprogram\tlabel\tverdict\tagrees\tkinds", flush=True)
        counts = {}
        with concurrent.futures.ThreadPoolExecutor(options.j) as pool:
            for row in pool.map(lambda program: row_of(tool, program, options.seconds), programs):
                print("\t".join(row), flush=True)
                counts[row[2], row[3]] = counts.get((row[2], row[3]), 0) + 1
    for (label, verdict), number in sorted(counts.items()):
        sys.stderr.write("label %s, verdict %s: %d\n" % (label, verdict, number))
    return 0


if __name__ == "__main__":
    sys.exit(main())
