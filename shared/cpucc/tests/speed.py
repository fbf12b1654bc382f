#!/usr/bin/env python3
"""Measures what a program costs under cpucc, against the same program in C compiled by gcc -O0.

usage: speed.py [--record]    prints the record; --record writes speed.tsv and the table of cpucc's README

For each program of speed.cu: instructions (by valgrind, at a small size, so that nothing else on the machine
changes them), processor time (the least of three runs) and peak memory, with all checkers and with
CPUCC_CHECKS=bounds. The memory is what the run takes beyond its host arrays, per byte of device memory.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CPUCC = os.path.join(HERE, "..", "cpucc")
RECORD = os.path.join(HERE, "speed.tsv")
PROGRAMS = [("add", "vector addition", 1024, 4096, 3), ("transpose", "transpose by tiles", 1024, 4096, 2),
            ("multiply", "matrix product by tiles", 128, 256, 3)]  # ..., sizes, arrays
COLUMNS = ["program", "counted_at", "size", "instructions", "instructions_bounds", "seconds", "seconds_bounds",
           "bytes", "bytes_bounds"]


def run(command, checks=""):
    """Runs a command, which must end with status 0; returns its processor time, its peak memory in bytes and its
    standard error."""
    environment = dict(os.environ, CPUCC_REPORT="off", CPUCC_CHECKS=checks)
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=errors)
        _, status, used = os.wait4(process.pid, 0)
        errors.seek(0)
        text = errors.read().decode(errors="replace")
    if status:
        sys.exit("%s ended with status %d\n%s" % (" ".join(command), status, text))
    return used.ru_utime + used.ru_stime, 1024 * used.ru_maxrss, text


def instructions(command, checks=""):
    text = run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"] + command, checks)[2]
    return int(re.search(r"I +refs: +([0-9,]+)", text).group(1).replace(",", ""))


def measure(work):
    """Returns the rows of the record and the processor time to compile speed.cu."""
    source, c, cuda = os.path.join(HERE, "speed.cu"), os.path.join(work, "c"), os.path.join(work, "cuda")
    run(["gcc", "-O0", "-x", "c", source, "-o", c])
    run([CPUCC, source, "-o", cuda])  # builds cpucc's tools if they are missing
    compiled = min(run([CPUCC, source, "-o", cuda])[0] for _ in range(3))
    rows = []
    for word, name, small, size, arrays in PROGRAMS:
        base, seconds = instructions([c, word, str(small)]), min(run([c, word, str(size)])[0] for _ in range(3))
        idle, row = run([cuda, "nothing", str(size)])[1], {"program": name, "counted_at": small, "size": size}
        for checks, suffix in (("", ""), ("bounds", "_bounds")):
            runs = [run([cuda, word, str(size)], checks) for _ in range(3)]
            row["instructions" + suffix] = "%.0f" % (instructions([cuda, word, str(small)], checks) / base)
            row["seconds" + suffix] = "%.0f" % (min(r[0] for r in runs) / seconds)
            device = 4 * arrays * size * size  # below 100 MB it says little
            row["bytes" + suffix] = "%.1f" % ((runs[0][1] - idle) / device) if device > 1e8 else "nan"
        rows.append(row)
    return rows, compiled


def main(words):
    if words not in ([], ["--record"]):
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as work:
        rows, compiled = measure(work)
    with open("/proc/cpuinfo") as file:
        processor = [line.split(": ")[1].strip() for line in file if line.startswith("model name")]
    lines = ["# processor: " + (processor or ["unknown"])[0],
             "# date: " + time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "# compiled_seconds: %.2f" % compiled,
             "# command: shared/cpucc/tests/speed.py --record", "\t".join(COLUMNS)]
    lines += ["\t".join(str(row[column]) for column in COLUMNS) for row in rows]
    print("\n".join(lines))
    if words:
        with open(RECORD, "w") as file:
            file.write("\n".join(lines) + "\n")
        subprocess.run([os.path.join(HERE, "readme.py"), "--write"], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
