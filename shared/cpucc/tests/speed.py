#!/usr/bin/env python3
"""Measures how fast cpucc compiles and counts, on one core.

usage: speed.py PROGRAM.cu           measures a step's program once and prints the results
       speed.py PROGRAM.cu --record  measures three times, on an idle machine, and writes the minimum
                                     and maximum to speed.tsv and to the table of cpucc's README
       speed.py PROGRAM.cu --checks  prints the README's table of what each checker costs: the least
                                     processor time of five runs, in turns

It measures the processor time to compile (seconds) and the counted accesses per second (one per lane), both
for one kernel (speed.cu) and for all variants of the step at 1024 x 1024, including their verification.
"""
import os
import resource
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../traffic/tests"))
import tsv  # noqa: E402

CPUCC = os.path.join(HERE, "..", "cpucc")
RECORD = os.path.join(HERE, "speed.tsv")


def seconds(*command, **options):
    """Runs a command, which must end with status 0; returns its user time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, **options)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def measure(step):
    """Measures once; returns name -> value."""
    name, kernel = os.path.basename(step), os.path.join(HERE, "speed.cu")
    with tempfile.TemporaryDirectory() as work:
        program, counts = os.path.join(work, "program"), os.path.join(work, "counts.tsv")
        seconds(CPUCC, kernel, "-o", program)  # builds cpucc's tools if they are missing
        figures = {"seconds of processor time to compile a kernel": seconds(CPUCC, kernel, "-o", program)}
        said = subprocess.run([program], env=dict(os.environ, CPUCC_REPORT="off"), check=True,
                              stdout=subprocess.PIPE, universal_newlines=True).stdout
        value, figure = said.strip().split(" ", 1)
        figures[figure] = float(value)
        compiled = seconds(CPUCC, "-I" + os.path.join(HERE, "../.."), step, "-o", program)
        figures["seconds of processor time to compile " + name] = compiled
        ran = seconds(program, "--size", "1024", "--tsv", counts, stderr=subprocess.DEVNULL)
        accesses = 32 * sum(int(row["requests"]) for row in tsv.rows(counts))
        figures["million counted accesses a second by all of " + name] = accesses / ran / 1e6
    return figures


CHECKS = [("", "all"), ("host:off", "all but `host`"), ("initialised:off", "all but `initialised`"),
          ("races:off,async:off,host:off", "`bounds`, `initialised`"), ("bounds", "`bounds`")]


def cost_of_checks(step):
    """Prints the table of accesses per second by checkers."""
    with tempfile.TemporaryDirectory() as work:
        program, counts = os.path.join(work, "program"), os.path.join(work, "counts.tsv")
        seconds(CPUCC, "-I" + os.path.join(HERE, "../.."), step, "-o", program)
        least = {}
        for _ in range(5):
            for checks, _ in CHECKS:
                ran = seconds(program, "--size", "1024", "--tsv", counts, stderr=subprocess.DEVNULL,
                              env=dict(os.environ, CPUCC_CHECKS=checks))
                least[checks] = min(ran, least.get(checks, ran))
        accesses = 32 * sum(int(row["requests"]) for row in tsv.rows(counts))
    print("| `CPUCC_CHECKS` | checkers | million accesses per second | processor time |\n| --- | --- | --- | --- |")
    for checks, name in CHECKS:
        print("| %s | %s | %.1f | %.0f %% |" % ("`%s`" % checks if checks else "(not set)", name,
                                             accesses / least[checks] / 1e6, 100 * least[checks] / least[""]))


def main(step, record=None):
    if record == "--checks":
        cost_of_checks(step)
        return
    if record != "--record":
        for figure, value in measure(step).items():
            print("%.3g %s" % (value, figure))
        return
    runs = [measure(step) for _ in range(3)]
    first = {row["figure"]: row["first_edition"] for row in tsv.rows(RECORD)}
    with open("/proc/cpuinfo") as file:
        processor = [line.split(": ")[1].strip() for line in file if line.startswith("model name")]
    lines = ["# processor: " + (processor or ["unknown"])[0],
             "# date: " + time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
             "# command: shared/cpucc/tests/speed.py --record", "figure\tfirst_edition\tleast\tmost"]
    for figure in runs[0]:
        form = "%.3f" if figure.startswith("seconds") else "%.1f"
        values = [run[figure] for run in runs]
        lines.append("\t".join([figure, first.get(figure, "nan"), form % min(values), form % max(values)]))
    with open(RECORD, "w") as file:
        file.write("\n".join(lines) + "\n")
    subprocess.run([os.path.join(HERE, "readme.py"), "--write"], check=True)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
