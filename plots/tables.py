#!/usr/bin/env python3
"""Merges TSV files of measurements and prints them as tables: tables.py COMMAND ARGUMENT..."""

import sys

sys.dont_write_bytecode = True
import results
from results import complain, fixed, known, median, number, size_of, value


def refuse_option(arguments):
    if arguments and arguments[0].startswith("-"):
        raise results.Usage("unknown option %s (see --help)" % arguments[0])


# ---- merge ----

MERGE = """usage: merge.sh [--command TEXT] OUT.tsv IN.tsv...

Merges bandwidth files. OUT.tsv has one row per (step, variant, rows, cols, element_bytes, batches, gpus),
in order of first appearance in the files. Each value is the median over the files in which the row has
status ok. A row is `failed` if it failed in any file, and `skipped` if it was skipped in all. The header
lines are those of the first file, with the headlines of all files; the command is TEXT (default: the
commands of all files, joined by semicolons). Missing columns element_bytes, batches, percent_of_memcpy
and gpus become 4, 1, nan and 1; unknown columns are left out.

OUT.tsv is written atomically. Exit status: 0; 1 OUT could not be written; 2 a usage error, a
malformed file, files of different GPUs, or two headlines of one step.
"""


def merge(name, arguments):
    command = ""
    if arguments and arguments[0] == "--command":
        if len(arguments) < 2:
            raise results.Usage("--command needs a value")
        command = arguments[1]
        arguments = arguments[2:]
    else:
        refuse_option(arguments)
    if len(arguments) < 2:
        raise results.Usage("needs OUT.tsv and at least one IN.tsv (see --help)")
    out, files = arguments[0], arguments[1:]
    tables = []
    for file in files:
        tables.append(results.read(file, "bandwidth"))
        if tables[-1].head.get("gpu") != tables[0].head.get("gpu"):
            raise results.Usage("%s is of another GPU than %s" % (file, files[0]))
    table = results.merged(tables, command)
    try:
        results.write(out, table)
    except results.Error as error:
        complain(name, error)
        return 1
    return 0


# ---- a bandwidth file ----

TABLE = """usage: table.sh FILE.tsv [STEP]

Prints a bandwidth file's rows at its first size as a Markdown table. With STEP (a folder's name, say
02_smem) prints only that step's rows, as plain text.

Exit status: 0; 1 the file has no such step; 2 a usage error or a malformed file.
"""


def milliseconds(text):
    """Returns a time in ms with three to five decimals, more for shorter times."""
    time = value(text)
    return fixed(text, 3 if time >= 1 else 4 if time >= 0.1 else 5)


def made_on(table, size):
    """Returns GPU, size and date, say "NVIDIA H200, 32768 x 32768 floats, 2001-02-03"; unknown parts are left out."""
    parts = [table.head.get("gpu", ""), size + " floats", table.head.get("date", "")]
    return ", ".join(part for part in parts if part)


def has_memcpy(rows):
    return any(known(row.get("percent_of_memcpy", "nan")) and results.is_measured(row) for row in rows)


def plain_rows(table, step, variants=()):
    """Returns one step's rows (all, or those of `variants`) at the file's first size as lines of text; None if there are none."""
    size, gpus = size_of(table.rows[0]), table.rows[0].get("gpus", "1")
    rows = [row for row in table.rows if size_of(row) == size and row.get("gpus", "1") == gpus]
    with_memcpy = has_memcpy(rows)
    cells = [("variant", "status", "ms", "GB/s", "% of copy", "% of memcpy")]
    for row in rows:
        if (row["step"] == step or gpus != "1") and (not variants or row["variant"] in variants):
            problem = results.special(row)
            cells.append((row["variant"] + (" (%s)" % problem if problem else ""), row["status"],
                          milliseconds(row["time_ms"]), fixed(row["gb_per_s"], 0),
                          fixed(row["percent_of_copy"], 1), fixed(row.get("percent_of_memcpy", "nan"), 1)))
    if len(cells) == 1:
        return None
    wide = max(len(cell[0]) for cell in cells)
    lines = [made_on(table, size) + (", %s GPUs" % gpus if gpus != "1" else ""), ""]
    for cell in cells:
        line = "%-*s  %-7s  %9s  %7s  %9s" % (wide, *cell[:5])
        lines.append(line + ("  %11s" % cell[5] if with_memcpy else ""))
    return lines


def fastest_of_steps(rows):
    """Returns step -> its fastest measured row for one matrix of floats."""
    best = {}
    for row in rows:
        if (row["variant"] != "ceiling" and not results.is_peer_copy(row["variant"])
                and results.is_shared_problem(row) and results.is_measured(row)
                and (row["step"] not in best or value(row["gb_per_s"]) > value(best[row["step"]]["gb_per_s"]))):
            best[row["step"]] = row
    return best


def markdown_rows(table):
    """Returns a Markdown table, as lines, of all rows at the file's first size: peers last, each step's best in bold."""
    size = size_of(table.rows[0])
    rows = [row for row in table.rows if size_of(row) == size]
    with_memcpy = has_memcpy(rows)
    best = fastest_of_steps(rows)
    headline = results.headlines(table.head)

    def line(cells, memcpy, peak, iqr):
        more = [memcpy] if with_memcpy else []
        return "| %s |" % " | ".join([*cells, *more, peak, iqr])

    lines = [line(["step", "variant", "time, ms", "GB/s", "% of copy"], "% of cudaMemcpy", "% of peak", "IQR, ms"),
             line(["---", "---", "---:", "---:", "---:"], "---:", "---:", "---:")]
    ceilings = [row for row in rows if row["variant"] == "ceiling" and results.is_measured(row)]
    if ceilings:
        def middle(name):
            return median(row.get(name, "nan") for row in ceilings)
        lines.append(line(["", "copy ceiling", milliseconds(middle("time_ms")), fixed(middle("gb_per_s"), 0), "100.0"],
                          fixed(middle("percent_of_memcpy"), 1), fixed(middle("percent_of_peak"), 1),
                          milliseconds(middle("iqr_ms"))).replace("|  |", "| |"))
    for row in sorted(rows, key=lambda row: row["step"] == "peers"):
        if row["variant"] == "ceiling":
            continue
        step = row["step"]
        bold = "**" if best.get(step) is row else ""
        problem = results.special(row)
        name = bold + row["variant"] + bold + (" (%s)" % problem if problem else "")
        if headline.get(step, ("",))[0] == row["variant"]:
            name += ", headline"
        if row["status"] != "ok":
            lines.append(line([step, name, row["status"], "-", "-"], "-", "-", "-"))
        else:
            lines.append(line([step, name, milliseconds(row["time_ms"]), bold + fixed(row["gb_per_s"], 0) + bold,
                               bold + fixed(row["percent_of_copy"], 1) + bold],
                              fixed(row.get("percent_of_memcpy", "nan"), 1), fixed(row["percent_of_peak"], 1),
                              milliseconds(row["iqr_ms"])))
    last = made_on(table, size)
    for key in "driver", "CUDA runtime":
        if table.head.get(key):
            last += ", %s %s" % (key, table.head[key])
    return lines + ["", last + "; the best of each step in bold."]


def table(name, arguments):
    refuse_option(arguments)
    if len(arguments) not in (1, 2):
        raise results.Usage("needs FILE.tsv and perhaps a STEP (see --help)")
    read = results.read(arguments[0], "bandwidth")
    step = arguments[1] if len(arguments) == 2 else ""
    lines = plain_rows(read, step) if step else markdown_rows(read)
    if lines is None:
        complain(name, "%s has no rows of step %s" % (arguments[0], step))
        return 1
    return lines


# ---- headlines of several GPUs ----

HEADLINES = """usage: tables.py headlines FILE.tsv...

Prints a Markdown table of bandwidth files, one file per GPU. Each row has a step, its headline variant
and the variant that the headline is compared with, then per GPU the headline's GB/s and the percentages
of the copy ceiling as `compared with → headline`. If files name different headlines, the first file's
headline is used.

Exit status: 0; 2 a usage error or a malformed file.
"""


class Gpu:
    """One bandwidth file at its first size. rows: (step, variant) -> measured row; best: step -> fastest row.

    Each peer counts as a step named like the peer.
    """

    def __init__(self, table):
        self.name = results.gpu_name(table)
        self.ceilings, self.rows, self.steps, self.peers = [], {}, {}, {}
        size = size_of(table.rows[0])
        for row in table.rows:
            step, variant = row["step"], row["variant"]
            if size_of(row) != size:
                continue
            if variant == "ceiling":
                if results.is_measured(row):
                    self.ceilings.append(row["gb_per_s"])
                continue
            if step == "peers":
                if results.is_peer_copy(variant):
                    continue
                step = variant
                self.peers[step] = None
            else:
                self.steps[step] = None
            if results.is_measured(row):
                self.rows[step, variant] = row
        self.best = fastest_of_steps(row for (step, _), row in self.rows.items() if row["step"] == step)

    def figure(self, step, variant, column, places):
        row = self.rows.get((step, variant))
        return fixed(row[column], places) if row else "-"


def headline_rows(tables):
    """Returns a Markdown table, as lines, of each step's headline on each GPU. Peers come last, without torch_copy."""
    gpus = [Gpu(table) for table in tables]
    steps = list(dict.fromkeys(step for gpu in gpus for step in gpu.steps))
    peers = list(dict.fromkeys(peer for gpu in gpus for peer in gpu.peers))
    headline = {}
    for table in tables:
        headline = {**results.headlines(table.head), **headline}

    def home(variant, step):
        """Returns the last step, up to `step`, that has the variant; None if no step has it."""
        before = steps[:steps.index(step) + 1] if step in steps else steps
        found = [other for other in before if any((other, variant) in gpu.rows for gpu in gpus)]
        return found[-1] if found else None

    def cells(step, variant, compared):
        line = ""
        at_home = home(compared, step) if compared else None
        for gpu in gpus:
            line += " %s | " % gpu.figure(step, variant, "gb_per_s", 0)
            if compared and compared != variant:
                line += gpu.figure(at_home, compared, "percent_of_copy", 1) + " → "
            line += gpu.figure(step, variant, "percent_of_copy", 1) + " |"
        return line

    lines = ["| step | headline | compared with |" + "".join(" %s, GB/s | %% of copy |" % gpu.name for gpu in gpus),
             "| --- | --- | --- |" + " ---: | ---: |" * len(gpus),
             "| | copy ceiling | |" + "".join(" %s | 100.0 |" % fixed(median(gpu.ceilings), 0) for gpu in gpus)]
    for step in steps:
        variant, compared = headline.get(step, ("", ""))
        fastest = [gpu.best[step]["variant"] for gpu in gpus if step in gpu.best]
        if not variant and fastest:
            variant = fastest[0]
        shown = compared + " " if compared and compared != variant else ""
        lines.append("| %s | %s | %s|%s" % (step, variant, shown, cells(step, variant, compared)))
    return lines + ["| peers | %s | |%s" % (peer, cells(peer, peer, "")) for peer in peers]


def headlines(_, arguments):
    if not arguments or arguments[0] == "":
        raise results.Usage("needs FILE.tsv (see --help)")
    refuse_option(arguments)
    return headline_rows([results.read(file, "bandwidth") for file in arguments])


# ---- counts, DRAM, shapes ----

def count_rows(table):
    """Returns one line of text per variant of a counts file, in the file's order."""
    counts = {}
    for row in table.rows:
        variant = (row["step"], row["variant"], row["rows"], row["cols"])
        counts.setdefault(variant, {})[row["counter"]] = row

    def ratio(row, over):
        if row is None or not number(row[over]) > 0:
            return "-"
        return "%.4g" % (number(row["work"]) / number(row[over]))

    wide = max([18] + [len(variant[0]) for variant in counts])
    wider = max([26] + [len(variant[1]) for variant in counts])
    with_size = len({variant[2:] for variant in counts}) > 1

    def line(step, variant, size, form, *cells):
        text = "%-*s %-*s " % (wide, step, wider, variant)
        return text + ("%13s " % size if with_size else "") + form % cells

    lines = [line("", "", "", "%17s %17s", "sectors/request", "conflict degree"),
             line("step", "variant", "size", "%8s %8s %8s %8s", "load", "store", "load", "store")]
    for (step, variant, rows, cols), of in counts.items():
        lines.append(line(step, variant, rows + "x" + cols, "%8s %8s %8s %8s",
                          ratio(of.get("global_load"), "requests"), ratio(of.get("global_store"), "requests"),
                          ratio(of.get("shared_load"), "ideal_work"), ratio(of.get("shared_store"), "ideal_work")))
    return lines


def dram_rows(table):
    """Returns a Markdown table, as lines, of each variant's DRAM traffic at the file's first size."""
    first = table.rows[0]

    def cell(row, metric, unit):
        text = row.get(metric, "")
        return "%.3f" % (float(text) / unit) if known(text) else "-"

    lines = ["| step | variant | read, GB | written, GB | cycles reading, millions | cycles writing, millions |",
             "| --- | --- | ---: | ---: | ---: | ---: |"]
    for row in table.rows:
        if size_of(row) == size_of(first):
            lines.append("| %s | %s | %s | %s | %s | %s |" % (
                row["step"], row["variant"], cell(row, "dram__bytes_read.sum", 1e9), cell(row, "dram__bytes_write.sum", 1e9),
                cell(row, "dram__cycles_active_read.avg", 1e6), cell(row, "dram__cycles_active_write.avg", 1e6)))
    return lines + ["", "%s, %s, %s, Nsight Compute %s; 1 GB is 1e9 bytes. Each of the two matrices holds %.3f GB. Cycles"
                        " are those in which a channel of DRAM moves data, the mean over channels." % (
                            table.head.get("gpu", ""), size_of(first), table.head.get("date", ""),
                            table.head.get("ncu", ""), number(first["rows"]) * number(first["cols"]) * 4 / 1e9)]


# Contender -> its column in the table of shapes. `steps` and `geam` show their fastest variant.
CONTENDERS = {"transpose": "`transpose`", "steps": "best of steps 04 to 07", "geam": "cuBLAS geam",
              "cutensor": "cuTENSOR", "contiguous": "PyTorch", "compiled": "compiled", "max_autotune": "max-autotune"}


def shape_rows(table):
    """Returns a Markdown table, as lines, of the percentages of cudaMemcpy per shape, smaller elements first."""
    best = {}
    for row in table.rows:
        kind = results.contender(row)
        if kind is None:
            continue
        shape = tuple(row.get(name, results.FILLED.get(name)) for name in ("element_bytes", "batches", "rows", "cols"))
        of = best.setdefault(shape, {})
        text = row.get("percent_of_memcpy", "nan")
        if row["status"] == "ok" and known(text) and (kind not in of or value(text) > value(of[kind])):
            of[kind] = text
    kinds = [kind for kind in CONTENDERS if any(kind in of for of in best.values())]
    lines = ["| bytes | shape |" + "".join(" %s |" % CONTENDERS[kind] for kind in kinds),
             "| ---: | ---: |" + " ---: |" * len(kinds)]
    for shape, of in sorted(best.items(), key=lambda item: value(item[0][0])):
        element_bytes, batches, rows, cols = shape
        label = "%s × %s" % (rows, cols)
        if value(batches) != 1:
            label = "%s of %s" % (batches, label)
        top = max([value(of[kind]) for kind in kinds if kind in of], default=0)
        line = "| %s | %s |" % (element_bytes, label)
        for kind in kinds:
            cell = fixed(of.get(kind, "nan"), 1)
            line += " **%s** |" % cell if kind in of and value(of[kind]) >= top else " %s |" % cell
        lines.append(line)
    return lines


def columns(_, arguments):
    """Returns the named columns of any TSV file as lines; does not check values, so the file may be of any kind."""
    if len(arguments) < 2:
        sys.stderr.write("usage: columns.sh FILE.tsv COLUMN...\n")
        return 2
    try:
        lines = [line.split("\t") for line in results.read_lines(arguments[0]) if not line.startswith("#")]
    except results.Error as error:
        complain("columns.sh", error)
        return 1
    rows = [dict(zip(lines[0], line)) for line in lines[1:]]
    for name in arguments[1:] if rows else []:
        if name not in lines[0]:
            print("no column " + name, file=sys.stderr)
            return 2
    return ["\t".join(row.get(name, "") for name in arguments[1:]) for row in rows]


def of_one_file(word, kind, rows_of, what):
    """Returns the entry of COMMANDS for a command that prints the lines rows_of(table) of one file of this kind."""
    def command(_, arguments):
        refuse_option(arguments)
        if len(arguments) != 1:
            raise results.Usage("needs %s.tsv (see --help)" % word.upper())
        return rows_of(results.read(arguments[0], kind))
    usage = "usage: tables.py %s %s.tsv\n\nPrints %s.\n\nExit status: 0; 2 a usage error or a malformed file.\n"
    return "tables.py " + word, usage % (word, word.upper(), what), command


# Command -> (its name in error messages, help text, function (name, arguments) -> lines or exit status).
COMMANDS = {
    "columns": ("columns.sh", "", columns),
    "counts": of_one_file("counts", "counts", count_rows, """one line per variant of a counts file: sectors per request of its global loads and stores,
and the conflict degree of its shared loads and stores, if the file has ideal_work"""),
    "dram": of_one_file("dram", "dram", dram_rows, """a file of DRAM counters, as shared/profile/metrics.sh writes it, as a Markdown table with
a row per variant at the file's first size"""),
    "headlines": ("tables.py headlines", HEADLINES, headlines),
    "merge": ("merge.sh", MERGE, merge),
    "shapes": of_one_file("shapes", "bandwidth", shape_rows, """a file of shapes, as shared/tests/benchmark/shapes.sh writes it, as a Markdown table with
a row per shape, in percent of cudaMemcpy's speed, the fastest in bold"""),
    "table": ("table.sh", TABLE, table),
}


def main(arguments):
    results.start()
    word = arguments[0] if arguments else ""
    if word in ("--help", "-h"):
        print("usage: tables.py %s ARGUMENT...\n\nEach command but columns has its own --help." % " | ".join(COMMANDS))
        return 0
    if word not in COMMANDS:
        complain("tables.py", "needs one of: %s (see --help)" % ", ".join(COMMANDS))
        return 2
    name, usage, command = COMMANDS[word]
    if usage and arguments[1:2] in (["--help"], ["-h"]):
        sys.stdout.write(usage)
        return 0
    try:
        answer = command(name, arguments[1:])
    except results.Error as error:
        complain(name, error)
        return 2
    if isinstance(answer, int):
        return answer
    sys.stdout.write("".join(line + "\n" for line in answer))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
