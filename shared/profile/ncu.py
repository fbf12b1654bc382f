#!/usr/bin/env python3
"""Reads CSV of Nsight Compute and compares counts: ncu.py list | counts | dram | caches | stalls | halves | compare | metrics | stall-metrics | stall-table ARGUMENT..."""

import csv
import math
import os
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "plots"))
import results
from results import value

KEPT = ["ID", "Kernel Name", "Block Size", "Grid Size", "Metric Name", "Metric Value"]
PROVENANCE = ("gpu", "ncu", "date")

EXECUTED = "smsp__sass_inst_executed_op_%s.sum"
SECTORS = "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_%s.sum"
WAVEFRONTS = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_%s.sum"
# Counter -> (metric that is its requests, metrics whose sum is its work).
COUNTERS = {
    "global_load": (EXECUTED % "global_ld", [SECTORS % "ld"]),
    "global_store": (EXECUTED % "global_st", [SECTORS % "st"]),
    "shared_load": (EXECUTED % "shared_ld", [WAVEFRONTS % "ld"]),
    "shared_store": (EXECUTED % "shared_st", [WAVEFRONTS % "st"]),
    "async_copy_global": (EXECUTED % "ldgsts", [SECTORS % "ldgsts_cache_access", SECTORS % "ldgsts_cache_bypass"]),
    "async_copy_shared": (EXECUTED % "ldgsts", [WAVEFRONTS % "ldgsts"]),
}
# Column of a stalls file -> its metric; `other` is what these leave of `cycles`.
STALLED = "smsp__average_warps_issue_stalled_%s_per_issue_active.ratio"
STALLS = {"cycles": "smsp__average_warp_latency_per_inst_issued.ratio",
          **{reason: STALLED % reason for reason in results.STALL_REASONS}}
# Their ratio is the column `instructions`, per warp.
EXECUTED_ALL, WARPS = "smsp__inst_executed.sum", "smsp__warps_launched.sum"
METRICS = sorted({metric for requests, work in COUNTERS.values() for metric in [requests, *work]})


def read_list(path):
    """Returns the `# key: value` lines of ncu's CSV as a dict, and its rows as dicts; ignores other output of ncu."""
    lines = results.read_lines(path)
    head = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# ") and ": " in line)
    rows = csv.DictReader(line for line in lines if re.match('("?ID"?,|"?[0-9]+"?,)', line))
    return head, [dict(row, **{"Metric Value": row["Metric Value"].replace(",", "")}) for row in rows]


def shortened(rows_file, list_file, rows, cols):
    """Returns the lines of a step's CSV: its step, size and variants, then ncu's rows with the columns KEPT."""
    table = results.read(rows_file)
    ran = [row["variant"] for row in table.rows if row["status"] == "ok" and row["variant"] != "ceiling"]
    lines = ["# step: " + table.rows[-1]["step"], "# rows: " + rows, "# cols: " + cols, "# variants: " + " ".join(ran),
             ",".join(KEPT)]
    for row in read_list(list_file)[1]:
        lines.append('%s,"%s","%s","%s",%s,%s' % (row["ID"], row["Kernel Name"].split("(")[0], row["Block Size"],
                                                  row["Grid Size"], row["Metric Name"], row["Metric Value"]))
    return lines


def variants(path):
    """Returns a pair per variant of a file by take_counters: (step, variant, rows, cols), and metric -> sum over kernels;
    "kernels" -> their IDs.

    The harness launches fill_poison before each variant and compare after it. Kernels between the two
    belong to the variant. Variants ran in the order of the line `# variants`.
    """
    head, rows = read_list(path)
    names = head.get("variants", "").split()
    found, sums = [], None
    for row in rows:
        if row["Kernel Name"] == "fill_poison":
            sums = {}
        elif row["Kernel Name"] == "compare":
            if sums is not None:
                if len(found) == len(names):
                    raise results.Error("%s: more variants ran than its line `# variants` names" % path)
                found.append(((head["step"], names[len(found)], head["rows"], head["cols"]), sums))
            sums = None
        elif sums is not None:
            metric = row["Metric Name"]
            sums[metric] = sums.get(metric, 0) + value(row["Metric Value"])
            sums.setdefault("kernels", set()).add(row["ID"])
    if len(found) < len(names):
        raise results.Error("%s: fewer variants ran than its line `# variants` names: %d" % (path, len(found)))
    return found


def counts(files):
    """Returns the lines of a counts file. ideal_work is nan, because the hardware does not count it."""
    head = read_list(files[0])[0]
    lines = ["# %s: %s" % (key, text) for key, text in head.items() if key in PROVENANCE]
    lines.append("\t".join(results.KINDS["counts"][0].split()))
    for file in files:
        for row, sums in variants(file):
            for counter, (requests, work) in COUNTERS.items():
                figures = sums.get(requests, 0), sum(sums.get(metric, 0) for metric in work)
                lines.append("\t".join([*row, counter, *("%d" % figure for figure in figures), "nan"]))
    return lines


def dram(metrics, command, files):
    """Returns the lines of a file of DRAM or cache counters; a metric that was not counted is nan."""
    head = read_list(files[0])[0]
    lines = ["# %s: %s" % (key, text) for key, text in head.items() if key in PROVENANCE]
    metrics = metrics.split(",")
    lines += ["# command: " + command, "\t".join([*results.METRICS[0].split(), *metrics])]
    for file in files:
        for row, sums in variants(file):
            lines.append("\t".join([*row, *("%.12g" % sums[metric] if metric in sums else "nan" for metric in metrics)]))
    return lines


def stalls(metrics, command, files):
    """Returns the lines of a stalls file. A variant of several kernels, or of none, has nan."""
    del metrics  # those of STALLS that this GPU has
    head = read_list(files[0])[0]
    lines = ["# %s: %s" % (key, text) for key, text in head.items() if key in PROVENANCE]
    lines += ["# command: " + command, "\t".join(results.KINDS["stalls"][0].split())]
    for file in files:
        for row, sums in variants(file):
            one_kernel = len(sums.get("kernels", ())) == 1
            cycles = {name: sums.get(metric, math.nan) if one_kernel else math.nan for name, metric in STALLS.items()}
            other = cycles["cycles"] - sum(cycles[reason] for reason in results.STALL_REASONS)
            warps = sums.get(WARPS, 0) if one_kernel else 0
            instructions = sums.get(EXECUTED_ALL, math.nan) / warps if warps else math.nan
            lines.append("\t".join([*row, *("%.2f" % figure for figure in (instructions, *cycles.values(), other))]))
    return lines


def stall_table(path):
    """Returns the lines that show a stalls file: per variant the cycles per instruction, and its four longest reasons."""
    lines = ["%-28s %12s %8s   %s" % ("variant", "instructions", "cycles", "of which it waits for")]
    for row in results.read(path, "stalls").rows:
        longest = sorted((-value(row[reason]), reason) for reason in (*results.STALL_REASONS, "other")
                         if results.known(row[reason]))
        lines.append("%-28s %12s %8s   %s" % (row["variant"], row["instructions"], row["cycles"], ", ".join(
            "%s %.1f" % (reason, -cycles) for cycles, reason in longest[:4])))
    return lines + ["instructions: per warp; cycles: between two that a warp issues; the mean at %s x %s" % (row["rows"], row["cols"])]


def halves(size, names_file, list_files):
    """Returns the header row and the rows of halves_counts.tsv. Line i of names_file is the contender of launch i."""
    rows = [row for file in list_files for row in read_list(file)[1]]
    metrics = list(dict.fromkeys(row["Metric Name"] for row in rows))
    counted = {(int(row["ID"]), row["Metric Name"]): row["Metric Value"] for row in rows}
    return ["\t".join(["contender", "rows", "cols", *metrics])] + [
        "\t".join([name, size, size, *(counted.get((launch, metric), "nan") for metric in metrics)])
        for launch, name in enumerate(results.read_lines(names_file))]


def keyed(table):
    """Returns pairs ((step, variant, size, counter), row) of a counts file without tma_*, which ncu does not count."""
    rows = []
    for row in table.rows:
        if not row["counter"].startswith("tma_"):
            size = row["rows"] + "x" + row["cols"]
            if "element_bytes" in row:
                size += "x%sB" % row["element_bytes"] + ("" if row["batches"] == "1" else "x" + row["batches"])
            rows.append(((row["step"], row["variant"], size, row["counter"]), row))
    return rows


def compare(predicted_file, measured_file):
    """Prints the counts of two files that are not zero or differ; returns the exit status."""
    predicted, measured = (keyed(results.read(file, "counts")) for file in (predicted_file, measured_file))
    form = "%-28s %-12s %-18s %11s %11s %11s %11s%s"
    if measured:
        print("%-28s %-12s %-18s %23s %23s" % ("variant", "size", "counter", "predicted requests/work",
                                               "measured requests/work"))
    predicted, different = dict(predicted), 0
    for key, row in measured:
        other = predicted.get(key, {"requests": "", "work": ""})
        same = all(results.known(other[name]) and value(other[name]) == value(row[name]) for name in ("requests", "work"))
        different += not same
        if not same or value(row["requests"]) + value(row["work"]) != 0:
            print(form % (*key[1:], other["requests"], other["work"], row["requests"], row["work"],
                          "" if same else "  DIFFERENT"))
    print("%d counts equal, %d different" % (2 * (len(measured) - different), 2 * different))
    return 1 if different or not measured else 0


def usage(text):
    print("usage: " + text, file=sys.stderr)
    return 2


def main(word, arguments):
    results.start()
    try:
        if word == "counts":
            if not arguments:
                return usage("counts.sh FILE.csv... >counts.tsv")
            lines = counts(arguments)
        elif word == "compare":
            if len(arguments) != 2 or not all(os.access(file, os.R_OK) for file in arguments):
                return usage("compare.sh PREDICTED.tsv MEASURED.tsv")
            return compare(*arguments)
        elif word == "list":
            lines = shortened(*arguments)
        elif word == "stalls":
            lines = stalls(arguments[0], arguments[1], arguments[2:])
        elif word == "stall-table":
            lines = stall_table(*arguments)
        elif word in ("dram", "caches"):
            lines = dram(arguments[0], arguments[1], arguments[2:])
        elif word == "halves":
            lines = halves(*arguments[:2], arguments[2:])
        elif word == "stall-metrics":
            lines = [",".join([EXECUTED_ALL, WARPS, *STALLS.values()])]
        elif word == "metrics":
            lines = [",".join(METRICS)]
        else:
            return usage("ncu.py list | counts | dram | caches | stalls | halves | compare | metrics | stall-metrics | stall-table ARGUMENT...")
    except results.Error as error:
        print(error, file=sys.stderr)
        return 2 if word == "compare" else 1
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "", sys.argv[2:]))
