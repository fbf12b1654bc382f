#!/usr/bin/env python3
"""Each row's figures follow from its time, the ceiling's and cudaMemcpy's, in the TSV file of a 200 x 100
run of contract.cu with its own clock. usage: figures.py VALUES.tsv"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../plots"))
import results  # noqa: E402


def near(a, b):
    return abs(a - b) <= 0.02 * b + 0.02


def main():
    rows = results.read(sys.argv[1]).rows
    ms = {row["variant"]: float(row["time_ms"]) for row in rows}
    times_memcpy = []
    for row in rows:
        t = float(row["time_ms"])
        gb = 2 * 4 * 200 * 100 / t / 1e6
        times_memcpy.append(float(row["percent_of_memcpy"]) * t)
        good = ((row["element_bytes"], row["batches"], row["gpus"]) == ("4", "1", "1") and near(float(row["gb_per_s"]), gb) and
                near(float(row["percent_of_copy"]), 100 * ms["ceiling"] / t) and
                near(float(row["percent_of_peak"]), gb) and near(times_memcpy[-1], times_memcpy[0]))
        if row["variant"] == "ceiling":  # the fastest copy
            good = good and t == 2 and float(row["percent_of_memcpy"]) == 250
        if row["variant"] == "one_row_a_block":  # 0.25 to 0.28 ms while launches are counted, then five samples
            good = good and t == 0.31 and float(row["iqr_ms"]) == 0.02
        if not good:
            return "wrong figures: %s" % row
    if len(rows) != 6 or rows[-1]["variant"] != "ceiling" or rows[-1]["percent_of_copy"] != "100.00":
        return "not five variants and the ceiling: %s" % [row["variant"] for row in rows]
    return 0


if __name__ == "__main__":
    sys.exit(main())
