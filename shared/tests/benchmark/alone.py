#!/usr/bin/env python3
"""Prints the table of alone.sh and writes it to OUT.tsv: alone.py FIGURES OUT.tsv SUBJECT...

FIGURES has lines `RUN SIZE VARIANT GB/S`; RUN is alone, beside or program:NAME. If OUT.tsv is an empty
argument, alone.py only prints the table.
"""
import statistics
import sys


def main(path, out, *subjects):
    figures, programs, sizes = {}, [], []
    with open(path, encoding="utf-8") as file:
        for line in file:
            run, size, variant, speed = line.split()
            figures.setdefault((run, int(size), variant), []).append(float(speed))
            sizes += [int(size)] if int(size) not in sizes else []
            programs += [run] if run.startswith("program:") and run not in programs else []
    medians = {key: statistics.median(speeds) for key, speeds in figures.items()}
    rows = [(subject, size, medians.get(("alone", size, subject)), medians.get(("beside", size, subject)),
             1 if size < 8192 else 0.7) for size in sizes for subject in subjects]
    note = ""
    for size in sizes:
        ceilings = {program: medians[program, size, "ceiling"] for program in programs
                    if (program, size, "ceiling") in medians}
        if ceilings:
            slow, fast = min(ceilings, key=ceilings.get), max(ceilings, key=ceilings.get)
            rows.append(("ceilings", size, ceilings[slow], ceilings[fast], 1.5))
            note += "%d: least %s, greatest %s\n" % (size, slow.split("/")[-1], fast.split("/")[-1])
    print("%-22s %6s %10s %10s %9s %7s" % ("GB/s", "size", "alone", "beside", "apart, %", "target"))
    recorded = ["subject\tsize\talone\tbeside\tdifference_percent\ttarget_percent"]
    for name, size, alone, beside, target in rows:
        if alone and beside:
            apart = 100 * (max(alone, beside) / min(alone, beside) - 1)
            print("%-22s %6d %10.1f %10.1f %9.2f %7.1f%s"
                  % (name, size, alone, beside, apart, target, "  missed" if apart > target else ""))
            recorded.append("%s\t%d\t%.2f\t%.2f\t%.3f\t%.1f" % (name, size, alone, beside, apart, target))
    if out:
        with open(out, "w", encoding="utf-8") as file:
            file.write("\n".join(recorded) + "\n")
    print("ceilings of %d programs; %s" % (len(programs), note), end="")


main(*sys.argv[1:])
