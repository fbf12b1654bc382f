#!/usr/bin/env python3
"""Compares the counts of counting.cu: probes.py RECORDED.tsv LIST CPU.tsv

RECORDED.tsv is what shared/profile/probes.sh recorded, LIST what the program printed, CPU.tsv cpucc's
report. Launches are found by kernel, pattern and lanes; a column that was not measured is missing or nan.
Prints differences and how many counts were equal; exit status 1 if there are differences or nothing was
compared.
"""

import sys

COUNTERS = "global_load global_store shared_load shared_store async_copy_global async_copy_shared".split()


def rows_of(path):
    """The rows of a TSV file, column -> text; lines that begin with # are left out."""
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if not line.startswith("#")]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def main(recorded, printed, report):
    hardware = {}  # launch -> column -> figure
    for row in rows_of(recorded):
        for at, kernel in enumerate(row["kernel"].split(" ")):
            figures = hardware[kernel, row["pattern"], row["lanes"]] = {}
            for column in (counter + kind for counter in COUNTERS for kind in ("_requests", "_work")):
                if column in row and row[column].split(" ")[at] != "nan":
                    figures[column] = int(row[column].split(" ")[at])
    launches = {}  # kernel -> its launches in order
    with open(printed, encoding="utf-8") as file:
        for line in file:
            launch = tuple(line.rstrip("\n").split("\t")[1:4])
            launches.setdefault(launch[0], []).append(launch)
            if launch[0].startswith("probe<"):  # the report calls every probe<...> of a type probe<T>
                launches.setdefault("probe<T>", []).append(launch)
    counted = {}
    for row in rows_of(report):
        launch = launches[row["kernel"]][int(row["launch"]) - 1]
        for kind in "requests", "work":
            counted[launch, "%s_%s" % (row["counter"], kind)] = int(row[kind])
    made = {launch for some in launches.values() for launch in some}
    equal = different = 0
    for launch in made:
        for column, figure in hardware.get(launch, {}).items():
            here = counted.get((launch, column), 0)
            equal += here == figure
            if here != figure:
                different += 1
                print("%s: %s: cpucc %d, hardware %d" % ("\t".join(launch), column, here, figure))
    compared = len(made & set(hardware))
    print("counting.cu: %d counts equal, %d different (%d launches; %d more have no hardware counts)"
          % (equal, different, compared, len(made) - compared))
    return 1 if different or not equal else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
