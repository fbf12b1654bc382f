#!/usr/bin/env python3
"""Updates the numbers that a page quotes from recorded results: see USAGE. record.py uses the class Page."""

import os
import re
import sys

sys.dont_write_bytecode = True
import results
from results import known, median

USAGE = """usage: quote.sh PAGE.md [--results DIR] [--pairs FILE]

Prints the page with its quoted numbers updated. A number followed by a comment is a quoted number. The
comment is an arithmetic expression of numbers, + - * / ( ) and recorded values, separated by blanks:

  `padded` has 40.8<!--padded--> %, 1.73<!--padded / tile32--> times as much as `tile32`
  55.2<!--padded@h100--> %, 4816<!--padded:ms * 1000--> us, 98.5<!--registers4x2#4096--> %

A recorded value is VARIANT[:COLUMN][@GPU][#SIZE]. The variant `ceiling` is the median of all ceilings.
GPU is a folder of DIR (default: the one named in DIR/shown). Columns:

  copy (the default), memcpy, peak   percent of the copy ceiling, of cudaMemcpy, of the theoretical peak
  gbs, ms                            GB/s, milliseconds
  COUNTER.requests, COUNTER.work, COUNTER.per
                                     counts.tsv at 1024 x 1024; per is work per request
  dram_read, dram_write              dram.tsv, in GB
  stalled_REASON, stalled_cycles         stalls.tsv, in cycles per instruction that a warp issues
  instructions                           stalls.tsv, that a warp executes
  l1_sectors, l1_hits, l2_read_requests, l2_read_sectors, l2_write_requests, l2_write_sectors   caches.tsv
  latency_ns, in_flight_kb, in_flight_gbs, threads, bytes_per_thread   in_flight.tsv; VARIANT is a kernel
  half_ms, half_iqr                  halves.tsv at SIZE (default: 32768), milliseconds; VARIANT is a contender
  half_dram_read, half_dram_write    halves_counts.tsv, in MB
  half_l2_reads, half_l2_writes, half_l2_hits, half_l2_fabric   halves_counts.tsv, in sectors
  half_cycles, half_idle                 halves_counts.tsv, thousand cycles of DRAM: all, and those without data

SIZE also selects the file: 4096 sizes.tsv, 1000x3000 last_percent.tsv, 2B_8192x8192 or 4B_2000x701x503
(element bytes, then matrices if there are several) shapes.tsv; 2g or 2g_4096 (the number of GPUs) many.tsv;
without SIZE bandwidth.tsv at its first size, as 2g is many.tsv at its first size.
A quoted number keeps its number of decimals. A number with the comment `said: SOURCE` is not changed.

Between the lines `<!-- rows VARIANT...: begin (plots/record.sh writes this) -->` and `<!-- rows: end -->`
quote.sh writes a table of these variants on all recorded GPUs.

--results DIR  the folder of results (default: plots/results)
--pairs FILE   write to FILE a line `LINE VARIANT` per variant in an expression with several variants

Exit status: 0; 1 a value is not recorded (its old number stays) or an expression is wrong; 2 a usage error.
"""

QUOTED = re.compile(r"([0-9]+(?:\.[0-9]+)?)<!--([^>]*)-->")
ROWS_BEGIN = re.compile(r"<!-- rows (.*): begin \(plots/record\.sh writes this\) -->")
ROWS_END = "<!-- rows: end -->"

LONG_COLUMNS = {"copy": "percent_of_copy", "memcpy": "percent_of_memcpy", "peak": "percent_of_peak",
                "gbs": "gb_per_s", "ms": "time_ms"}
LOADS = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld"
CACHES = {"l1_sectors": LOADS + ".sum", "l1_hits": LOADS + "_lookup_hit.sum",
          **{"l2_%s_%s" % (operation, unit): "lts__t_%s_srcunit_tex_op_%s.sum" % (unit, operation)
             for operation in ("read", "write") for unit in ("requests", "sectors")}}
HALVES = {"half_dram_read": "dram__bytes_read.sum", "half_dram_write": "dram__bytes_write.sum",
          "half_l2_reads": "lts__t_sectors_op_read.sum", "half_l2_hits": "lts__t_sectors_op_read_lookup_hit.sum",
          "half_l2_writes": "lts__t_sectors_op_write.sum", "half_l2_fabric": "lts__t_sectors_srcunit_ltcfabric.sum"}
IN_FLIGHT = {"latency_ns": "latency_ns", "in_flight_kb": "in_flight_kb", "threads": "threads",
             "bytes_per_thread": "bytes_per_thread", "in_flight_gbs": "gb_per_s"}


class Recorded:
    """The values recorded in a folder of results. Each file is read once, at the first use of one of its values."""

    def __init__(self, folder):
        self.folder = folder
        self.shown = results.shown_gpu(folder)
        self.gpus = results.recorded_gpus(folder, self.shown)
        self.files = {}       # (gpu, name) -> {(variant, size, column): text, or a list of texts for the ceilings}
        self.first_size = {}  # (gpu, name) -> the size of the file's first row, the default size
        self.gpu_name = {}    # gpu -> its name without the maker
        self.step_of = {}     # variant -> step

    def read(self, gpu, name):
        """Returns the values of gpu/name.tsv: (variant, size, column) -> text; empty if there is no such file."""
        if (gpu, name) not in self.files:
            figures = self.files[gpu, name] = {}
            path = os.path.join(self.folder, gpu, name + ".tsv")
            if os.path.isfile(path):
                table = results.read(path)
                self.gpu_name[gpu] = results.gpu_name(table)
                for row in table.rows:
                    self.take(gpu, name, row, figures)
        return self.files[gpu, name]

    def take(self, gpu, name, row, figures):
        """Stores the values of one row of the file `name` in `figures`."""
        if name == "in_flight":
            self.store(figures, row["kernel"], "", row)
            return
        if name in ("halves", "halves_counts"):
            self.store(figures, row["contender"], row["rows"] if name == "halves" else "", row)
            return
        variant, size = row["variant"], row["rows"] + "x" + row["cols"]
        self.step_of[variant] = row["step"]
        if name == "counts":
            if size == "1024x1024":
                for column in "requests", "work":
                    figures[variant, "", row["counter"] + "." + column] = row[column]
                requests = results.value(row["requests"])
                per = results.value(row["work"]) / requests if requests > 0 else 0
                figures[variant, "", row["counter"] + ".per"] = repr(per)
        elif name in ("stalls", "dram", "caches"):
            self.store(figures, variant, "", row)
        elif name == "shapes":
            batches = "" if row["batches"] == "1" else row["batches"] + "x"
            self.store(figures, variant, row["element_bytes"] + "B_" + batches + size, row)
        elif name == "many":
            self.first_size.setdefault((gpu, name), size)
            self.store(figures, variant, row["gpus"] + "g_" + size, row)
        else:
            self.first_size.setdefault((gpu, name), size)
            if results.is_shared_problem(row):
                self.store(figures, variant, size, row)

    @staticmethod
    def store(figures, variant, size, row):
        for column, text in row.items():
            if variant == "ceiling":  # a file has one per process
                figures.setdefault((variant, size, column), []).append(text)
            else:
                figures[variant, size, column] = text

    def get(self, gpu, name, variant, size, column):
        """Returns the recorded value; None if there is none."""
        text = self.read(gpu, name).get((variant, size, column), "")
        if isinstance(text, list):
            text = median(text)
        return float(text) if known(text) else None

    def figure(self, text, mentioned=None):
        """Returns the value of VARIANT[:COLUMN][@GPU][#SIZE]; None if it is not recorded. Adds VARIANT to `mentioned`."""
        gpu, column, size = self.shown, "copy", ""
        if text.count("#") == 1:
            text, size = text.split("#")
        if text.count("@") == 1:
            text, gpu = text.split("@")
        if text.count(":") == 1:
            text, column = text.split(":")
        variant = text
        if mentioned is not None:
            mentioned[variant] = None
        if column in ("dram_read", "dram_write"):
            found = self.get(gpu, "dram", variant, "", "dram__bytes_%s.sum" % column[5:])
            return None if found is None else found / 1e9
        if column.startswith("stalled_") or column == "instructions":
            return self.get(gpu, "stalls", variant, "", column.replace("stalled_", ""))
        if column in CACHES:
            return self.get(gpu, "caches", variant, "", CACHES[column])
        if column in ("half_ms", "half_iqr"):
            return self.get(gpu, "halves", variant, size or "32768", "time_ms" if column == "half_ms" else "iqr_ms")
        if column in ("half_cycles", "half_idle"):
            all_cycles, *busy = (self.get(gpu, "halves_counts", variant, "", "dram__cycles_%s.avg" % state)
                                 for state in ("elapsed", "active_read", "active_write"))
            if None in (all_cycles, *busy):
                return None
            return (all_cycles - (sum(busy) if column == "half_idle" else 0)) / 1000
        if column.startswith("half_"):
            found = self.get(gpu, "halves_counts", variant, "", HALVES.get(column))
            return found / 1e6 if found is not None and "dram" in column else found
        if column in IN_FLIGHT:
            return self.get(gpu, "in_flight", variant, "", IN_FLIGHT[column])
        if column.endswith((".requests", ".work", ".per")):
            return self.get(gpu, "counts", variant, "", column)
        name = "bandwidth"
        many = re.fullmatch(r"([0-9]+g)(_[0-9]+)?", size)
        if many:
            name = "many"
            self.read(gpu, name)
            side = many.group(2)
            size = many.group(1) + (side + "x" + side[1:] if side else "_" + self.first_size.get((gpu, name), ""))
        elif "B_" in size:
            name = "shapes"
        elif "x" in size:
            name = "last_percent"
        elif size:
            name, size = "sizes", size + "x" + size
        self.read(gpu, name)
        return self.get(gpu, name, variant, size or self.first_size.get((gpu, name), ""),
                        LONG_COLUMNS.get(column, column))


class Expression:
    """Evaluates an expression whose parts are separated by blanks.

    value: the result. wrong: the first error, or empty. mentioned: the variants in the expression, as keys.
    """

    def __init__(self, text, recorded):
        self.recorded, self.wrong, self.mentioned = recorded, "", {}
        self.tokens = text.split()
        self.next = 0
        self.value = self.sum()
        if self.next < len(self.tokens):
            self.fail("'%s' is too much" % self.tokens[self.next])

    def fail(self, text):
        self.wrong = self.wrong or text
        return 0.0

    def token(self):
        return self.tokens[self.next] if self.next < len(self.tokens) else ""

    def take(self):
        token = self.token()
        self.next += 1
        return token

    def primary(self):
        token = self.take()
        if token == "(":
            inside = self.sum()
            return inside if self.take() == ")" else self.fail("a parenthesis is missing")
        if token == "-":
            return -self.primary()
        if known(token) and token[0] != "-":
            return float(token)
        if not re.match("[A-Za-z0-9]", token):
            return self.fail("'%s' where a variant or a number should be" % token)
        found = self.recorded.figure(token, self.mentioned)
        return self.fail("not recorded: " + token) if found is None else found

    def product(self):
        left = self.primary()
        while self.token() in ("*", "/"):
            operator = self.take()
            right = self.primary()
            if operator == "*":
                left *= right
            elif right == 0:
                return self.fail("division by zero")
            else:
                left /= right
        return left

    def sum(self):
        left = self.product()
        while self.token() in ("+", "-"):
            operator = self.take()
            right = self.product()
            left = left + right if operator == "+" else left - right
        return left


class Page:
    """A page with updated numbers. lines: the new page; complaints: (line number, text); pairs: variant -> line number."""

    def __init__(self, lines, recorded):
        self.recorded = recorded
        self.lines, self.complaints, self.pairs = [], [], {}
        self.number = 0
        fenced = skipping = False
        for self.number, line in enumerate(lines, 1):
            fenced ^= line.startswith("```")
            if line == ROWS_END and not fenced:
                skipping = False
            if skipping:
                continue
            self.lines.append(line if fenced else self.quoted(line))
            rows = None if fenced else ROWS_BEGIN.fullmatch(line)
            if rows:
                self.lines += self.rows_table(rows.group(1).split())
                skipping = True
        if skipping:
            self.complain("a table of rows has no end: " + ROWS_END)

    def complain(self, text):
        self.complaints.append((self.number, text))

    def quoted(self, line):
        """Returns a line with each NUMBER<!--EXPRESSION--> updated."""
        out, end = "", 0
        for match in QUOTED.finditer(line):
            out += line[end:match.start()]
            end = match.end()
            figure, text = match.groups()
            if not re.match("said: .", text):
                expression = Expression(text, self.recorded)
                if expression.wrong:
                    self.complain("%s (%s)" % (expression.wrong, text))
                else:
                    out = re.sub(r"(^|[ (|])-+$", r"\1", out)  # drop the minus sign of the old number
                    figure = "%.*f" % (results.decimals(figure), expression.value)
                    if float(figure) == 0:
                        figure = figure.lstrip("-")
                if len(expression.mentioned) > 1:
                    for variant in expression.mentioned:
                        if variant != "ceiling":
                            self.pairs[variant] = self.number
            out += "%s<!--%s-->" % (figure, text)
        return out + line[end:]

    def rows_table(self, variants):
        """Returns a Markdown table of these variants' bandwidths on all recorded GPUs, as lines."""
        recorded = self.recorded
        line, rule = "| variant | step |", "| --- | --- |"
        for gpu in recorded.gpus:
            recorded.read(gpu, "bandwidth")
            line += " %s, GB/s | %% of copy |" % recorded.gpu_name[gpu]
            rule += " ---: | ---: |"
        lines = ["", line, rule]
        for variant in variants:
            line = ""
            for gpu in recorded.gpus:
                for column, places in (":gbs", 0), ("", 1):
                    found = recorded.figure("%s%s@%s" % (variant, column, gpu))
                    line += " - |" if found is None else " %.*f |" % (places, found)
            if variant not in recorded.step_of:
                self.complain("not recorded: " + variant)
            lines.append("| `%s` | %s |%s" % (variant, recorded.step_of.get(variant, "")[:2], line))
        return lines + [""]


def main(arguments):
    results.start()
    page, pairs = "", ""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "results")
    try:
        while arguments:
            argument = arguments.pop(0)
            if argument in ("--help", "-h"):
                sys.stdout.write(USAGE)
                return 0
            if argument in ("--results", "--pairs"):
                if not arguments:
                    raise results.Usage(argument + " needs a value")
                if argument == "--pairs":
                    pairs = arguments.pop(0)
                else:
                    folder = arguments.pop(0)
            elif argument.startswith("-"):
                raise results.Usage("unknown option %s (see --help)" % argument)
            elif page:
                raise results.Usage("one page only, please (see --help)")
            else:
                page = argument
        if not page:
            raise results.Usage("which page? (see --help)")
        quoted = Page(results.read_lines(page), Recorded(folder))
    except results.Error as error:
        results.complain("quote.sh", error)
        return 2
    for number, text in quoted.complaints:
        print("%s:%d: %s" % (page, number, text), file=sys.stderr)
    if pairs:
        results.write_text(pairs, "".join("%d %s\n" % (line, name) for name, line in quoted.pairs.items()))
    sys.stdout.write("".join(line + "\n" for line in quoted.lines))
    return 1 if quoted.complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
