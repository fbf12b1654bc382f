#!/usr/bin/env python3
"""Checks that the CPU run counts what the hardware's counters counted, to the last unit.

usage: counts.py STEP PROGRAM first|others

PROGRAM is the step's program, built by cpucc; `first` stands for the first of the recorded sizes.
Recorded rows of variants that the program no longer has are left out. Exit status: 0; 1 a count
differs, or the report marks one that may differ; 3 (skipped) nothing is recorded.
"""
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "plots"))
import results  # noqa: E402


def recorded(step, variants):
    """What the counters counted of these variants: {(rows, cols): {(variant, counter, requests, work)}}."""
    sizes = {}
    for path in sorted(ROOT.glob("plots/results/*/counts.tsv")):
        table = results.read(path)
        if not table.head.get("gpu", "").lower().startswith("no gpu"):
            for row in table.rows:
                if row["step"] == step and row["variant"] in variants:
                    sizes.setdefault((row["rows"], row["cols"]), set()).add(count(row))
    return sizes


def count(row):
    return tuple(row[column] for column in ("variant", "counter", "requests", "work"))


def differences(program, rows, cols, expected):
    """One line for each count of a CPU run that is not as expected, or that its report calls uncertain."""
    with tempfile.TemporaryDirectory() as work:
        launches, counts = work + "/launches.tsv", work + "/counts.tsv"
        subprocess.run([program, "--rows", rows, "--cols", cols, "--tsv", counts], check=True,
                       stdout=subprocess.DEVNULL,
                       env=dict(os.environ, CPUCC_REPORT="tsv", CPUCC_REPORT_FILE=launches))
        yield from ("may differ: " + line for line in results.read_lines(launches)[1:] if not line.endswith("\t-"))
        actual = {count(row) for row in results.read(counts, "counts").rows}
        yield from ("recorded, but not counted: " + " ".join(missing) for missing in sorted(expected - actual))


def main(step, program, which):
    variants = subprocess.run([program, "--list"], stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout.split()
    sizes = recorded(step, variants)
    chosen = sorted(sizes)[:1] if which == "first" else sorted(sizes)[1:]
    if not chosen:
        print("skipped: no recorded counts of %s" % step)
        return 3
    failed = 0
    for rows, cols in chosen:
        for difference in differences(program, rows, cols, sizes[rows, cols]):
            failed += 1
            print("FAILED: %s x %s: %s" % (rows, cols, difference))
        print("%s x %s: %d counts" % (rows, cols, len(sizes[rows, cols])))
    return failed > 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
