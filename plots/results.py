"""Reads, checks and writes the TSV files of measurements, with columns by name.

A file has `# key: value` lines, then one row of column names, then at least one row of values. This
module needs Python 3.9 and its standard library alone.
"""

import os
import re
import signal
import sys

# File name without .tsv -> (required columns, optional columns). Columns are in any order; unknown columns
# are allowed and ignored.
BANDWIDTH = ("step variant rows cols status time_ms iqr_ms gb_per_s percent_of_copy percent_of_peak",
             "element_bytes batches percent_of_memcpy gpus")  # defaults: see FILLED
# A column per metric of Nsight Compute, of any name with two underscores.
METRICS = ("step variant rows cols", "")
# On what a warp waits between two instructions that it issues: Nsight Compute's names.
STALL_REASONS = "long_scoreboard short_scoreboard barrier mio_throttle lg_throttle drain wait".split()
KINDS = {
    "bandwidth": BANDWIDTH,
    "sizes": BANDWIDTH,
    "shapes": BANDWIDTH,
    "last_percent": BANDWIDTH,
    "many": BANDWIDTH,  # of programs that use several GPUs
    "counts": ("step variant rows cols counter requests work ideal_work",
               "element_bytes batches"),  # left out if they are 4 and 1
    "dram": METRICS,
    "caches": METRICS,
    "stalls": ("step variant rows cols instructions cycles " + " ".join(STALL_REASONS) + " other", ""),
    "lanes": ("step variant counter lane bank word wavefront part ideal_work", ""),
    "timeline": ("kernel block warp bytes begin loaded end", ""),
    "in_flight": ("kernel threads bytes_per_thread latency_ns in_flight_kb gb_per_s", ""),
    "halves": ("contender rows cols time_ms iqr_ms gb_per_s", ""),
    "halves_counts": ("contender rows cols", ""),
    "exercises": ("exercise rows cols task task_ms task_percent_of_copy"
                  " solution solution_ms solution_percent_of_copy", ""),
    "probes": ("kernel pattern lanes", ""),
}
# These columns hold text, and `status` holds one of STATUSES. All other columns of KINDS hold numbers or nan.
NAMES = {"step", "variant", "counter", "pattern", "kernel", "contender", "exercise", "task", "solution", "lanes"}
STATUSES = {"ok", "failed", "skipped"}

# A merged file has one row per combination of these columns.
KEY = "step variant rows cols element_bytes batches gpus".split()
# Optional column -> its value in files that lack it.
FILLED = {"element_bytes": "4", "batches": "1", "percent_of_memcpy": "nan", "gpus": "1"}

NUMBER = re.compile(r"-?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?")
HEADLINE = re.compile(r"# headline [^ ]+: [^ ]+ compared with [^ ]+")


class Error(Exception):
    """Its text is one line: the file, the line number if any, and what is wrong."""


class Usage(Error):
    """Wrong usage. Its text is one line that says what is wrong with the command line or its files."""


class Table:
    """A TSV file: head is a dict of header lines, columns a list of names, rows a list of dicts column -> text."""

    def __init__(self, head=None, columns=(), rows=()):
        self.head = dict(head or {})
        self.columns = list(columns)
        self.rows = list(rows)


def known(text):
    """True if the text is a number; nan is not a number."""
    return NUMBER.fullmatch(text) is not None


def number(text):
    """Returns the text as a float, which may be nan. Raises Error if the text is neither a number nor nan."""
    if known(text):
        return float(text)
    if text in ("nan", "-nan"):
        return float("nan")
    raise Error("'%s' is not a number" % text)


def value(text):
    """Returns the text as a float; 0 if it is not a number."""
    return float(text) if known(text) else 0.0


def fixed(text, places):
    """Returns the number in the text rounded to `places` decimals; a dash if it is not a number."""
    return "%.*f" % (places, float(text)) if known(text) else "-"


def decimals(text):
    """Returns how many digits follow the decimal point."""
    return len(text.partition(".")[2])


def median(texts):
    """Returns the median of the numbers among the texts, as text; nan if there are none.

    For an odd count the median is one of the texts, unchanged. For an even count it is the mean of the
    middle two, written with one more decimal so that it is exact.
    """
    texts = sorted((text for text in texts if known(text)), key=float)
    if not texts:
        return "nan"
    high = texts[len(texts) // 2]
    if len(texts) % 2:
        return high
    low = texts[len(texts) // 2 - 1]
    mean = (float(low) + float(high)) / 2
    if re.search("[eE]", low + high):
        return "%.9g" % mean
    return "%.*f" % (max(decimals(low), decimals(high)) + 1, mean)


# ---- rows of bandwidth files ----

def size_of(row):
    return row["rows"] + " x " + row["cols"]


def is_measured(row):
    return row["status"] == "ok" and known(row["gb_per_s"])


def is_peer_copy(variant):
    """True for torch_copy, the only variant under `peers` that copies instead of transposing."""
    return variant == "torch_copy"


def is_shared_problem(row):
    """True if the row is of one matrix of 4-byte elements, the problem that all steps solve."""
    return value(row.get("element_bytes", "4")) == 4 and value(row.get("batches", "1")) == 1


def special(row):
    """Returns what differs from one matrix of floats, say "2-byte elements, 3 matrices"; empty if nothing differs."""
    words = []
    if value(row.get("element_bytes", "4")) != 4:
        words.append(row["element_bytes"] + "-byte elements")
    if value(row.get("batches", "1")) != 1:
        words.append(row["batches"] + " matrices")
    return ", ".join(words)


def contender(row):
    """Returns the row's contender in the comparison of shapes; None if the row does not take part.

    All steps before 08 are one contender, `steps`, and all cuBLAS kernels are one, `geam`.
    """
    step, variant = row["step"], row["variant"]
    if variant == "ceiling" or is_peer_copy(variant):
        return None
    if step != "peers":
        if step.startswith("08_"):
            return "transpose" if variant == "transpose" else None
        return "steps"
    if variant.startswith("cublas"):
        return "geam"
    if variant.startswith("cutensor"):
        return "cutensor"
    return variant[len("torch_"):] if variant.startswith("torch_") else variant


def headlines(head):
    """Returns step -> (headline variant, variant that it is compared with), from the header lines `head`."""
    return {key[len("headline "):]: tuple(text.split(" compared with "))
            for key, text in head.items() if key.startswith("headline ")}


def compared(table):
    """Returns the pairs (step, variant) of each step's headline and, if it is of that step, what it is compared with."""
    pairs = {(step, variant) for step, both in headlines(table.head).items() for variant in both}
    return {(row["step"], row["variant"]) for row in table.rows} & pairs


def gpu_name(table):
    """Returns the name of a file's GPU without "NVIDIA "."""
    return re.sub("^NVIDIA ", "", table.head.get("gpu", ""))


def shown_gpu(folder):
    """Returns the text of the file `shown`, which names the subfolder whose results the pages show; empty without it."""
    try:
        with open(os.path.join(folder, "shown"), encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def recorded_gpus(folder, shown):
    """Returns the names of the subfolders that hold a bandwidth.tsv, `shown` first."""
    try:
        names = os.listdir(folder)
    except OSError:
        names = []
    return sorted((name for name in names if os.path.isfile(os.path.join(folder, name, "bandwidth.tsv"))),
                  key=lambda name: (name != shown, name))


# ---- files ----

def read_lines(path):
    """Returns a file's lines without newlines; write_text() restores bytes that are not UTF-8."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            lines = file.read().split("\n")
    except (OSError, ValueError):
        raise Error("%s: cannot be read" % path) from None
    if lines[-1] == "":
        lines.pop()
    return lines


def read(path, kind=None):
    """Reads a file, checks its columns and values, and returns its Table. Raises Error if it is malformed.

    kind is a key of KINDS (default: the file's name without .tsv). If KINDS lacks it, read() checks only
    that each row has one value per column.
    """
    path = str(path)
    if kind is None:
        kind = os.path.basename(path).rpartition(".tsv")[0]
    wanted, more = (text.split() for text in KINDS.get(kind, ("", "")))
    table = Table()
    checks = []
    is_by_launch = False

    def wrong(what):
        raise Error("%s: line %d: %s" % (path, line_number, what))

    line_number = 0
    for line_number, line in enumerate(read_lines(path), 1):
        if line.startswith("#"):
            if line.startswith("# headline ") and not HEADLINE.fullmatch(line):
                wrong("a headline reads: # headline STEP: VARIANT compared with VARIANT")
            key, colon, value = line[2:].partition(": ")
            if colon and not table.columns:
                table.head.setdefault(key, value)
            continue
        fields = line.split("\t")
        if not table.columns:
            for i, name in enumerate(fields):
                if name in fields[:i]:
                    wrong("two columns are called " + name)
            is_by_launch = kind == "counts" and "counter" not in fields
            for name in LAUNCH[:4] if is_by_launch else wanted:
                if name not in fields:
                    wrong("no column %s; expected are: %s" % (name, " ".join(wanted)))
            table.columns = fields
            checks = [name for name in fields if name in wanted or name in more or "__" in name]
            continue
        if len(fields) != len(table.columns):
            wrong("expected %d tab-separated fields, found %d" % (len(table.columns), len(fields) if line else 0))
        row = dict(zip(table.columns, fields))
        if is_by_launch:
            for name in [name for name in table.columns if name not in LAUNCH]:
                cell = row[name].split(" ")
                if len(cell) != 3 or not all(known(text) or text == "nan" for text in cell):
                    wrong("'%s' is not requests, work and ideal work (%s)" % (row[name], name))
        for name in checks:
            text = row[name]
            if name == "status":
                if text not in STATUSES:
                    wrong("unknown status '%s'" % text)
            elif name in NAMES:
                if text == "":
                    wrong("empty " + name)
            elif not known(text) and text not in ("nan", "-nan"):
                wrong("'%s' is not a number (%s)" % (text, name))
        table.rows.append(row)
    if not table.columns:
        wrong("no header row")
    if not table.rows:
        wrong("no rows")
    return by_counter(table) if is_by_launch else table


COUNTED = ["requests", "work", "ideal_work"]
LAUNCH = "step variant rows cols element_bytes batches".split()


def by_launch(table):
    """Returns the text of a counts file as it is recorded: a row per launch, and a column per counter with the counter's
    requests, work and ideal work, separated by blanks."""
    keys = [name for name in table.columns if name in LAUNCH]
    counters = list(dict.fromkeys(row["counter"] for row in table.rows))
    launches = {}
    for row in table.rows:
        made = launches.setdefault(tuple(row[name] for name in keys), {name: row[name] for name in keys})
        made[row["counter"]] = " ".join(row[name] for name in COUNTED)
    rows = [{**dict.fromkeys(counters, "0 0 nan"), **row} for row in launches.values()]
    return text_of(Table(table.head, keys + counters, rows))


def by_counter(table):
    """The reverse of by_launch()."""
    keys = [name for name in table.columns if name in LAUNCH]
    rows = [{**{key: row[key] for key in keys}, "counter": name, **dict(zip(COUNTED, row[name].split(" ")))}
            for row in table.rows for name in table.columns if name not in LAUNCH]
    return Table(table.head, keys + ["counter"] + COUNTED, rows)


def text_of(table):
    """Returns the table as the text of a TSV file."""
    lines = ["# %s: %s" % item for item in table.head.items()]
    lines.append("\t".join(table.columns))
    lines += ["\t".join(row[name] for name in table.columns) for row in table.rows]
    return "\n".join(lines) + "\n"


def write(path, table):
    """Writes the table to a file atomically."""
    write_text(path, text_of(table))


def write_text(path, text):
    """Writes a file atomically: to a temporary file in its folder, which is then renamed."""
    part = "%s.%d" % (path, os.getpid())
    try:
        if os.path.isdir(path):
            raise IsADirectoryError(path)
        with open(part, "w", encoding="utf-8", errors="surrogateescape", newline="\n") as file:
            file.write(text)
        os.replace(part, path)
    except OSError:
        raise Error("%s: cannot be written" % path) from None
    finally:
        if os.path.exists(part):
            os.remove(part)


def fastest(rows, group, column):
    """Returns the measured row with the highest percentage in `column` of each group: group(row) -> row."""
    best = {}
    for row in rows:
        if is_measured(row) and value(row.get(column, "")) > value(best.setdefault(group(row), row).get(column, "")):
            best[group(row)] = row
    return best


def shown_shapes(table, quoted):
    """Returns the text of a shapes file without what no table shows: of the steps before 08 the table of shapes has the
    one with the highest percentage of cudaMemcpy, of step 08 `transpose`; pages quote those in `quoted`, as
    "elements#4B_3x100" or, of 7 matrices, "elements#4B_7x3x100"."""
    def problem(row):
        return tuple(row.get(name) for name in KEY[2:])

    def name(row):
        batches = "" if row["batches"] == "1" else row["batches"] + "x"
        return "%s#%sB_%s%sx%s" % (row["variant"], row["element_bytes"], batches, row["rows"], row["cols"])

    best = fastest([row for row in table.rows if contender(row) == "steps"], problem, "percent_of_memcpy")
    rows = [row for row in table.rows if row["variant"] in ("ceiling", "transpose") or row["step"] == "peers"
            or row is best.get(problem(row)) or name(row) in quoted]
    return text_of(Table(table.head, table.columns, rows))


def shown_sizes(table, quoted):
    """Returns the text of a sizes file with the ceilings, each step's fastest variant per size, which the chart shows,
    and those in `quoted`, as "naive#1024"."""
    def step(row):
        return row["step"], row["rows"], row["cols"]

    best = fastest([row for row in table.rows if row["variant"] != "ceiling"], step, "percent_of_copy")
    rows = [row for row in table.rows if row["variant"] == "ceiling" or row is best.get(step(row))
            or row["variant"] + "#" + row["rows"] in quoted]
    return text_of(Table(table.head, table.columns, rows))


# ---- merging ----

def merged_head(tables, command):
    """Returns the first table's header lines with all tables' headlines and `command` (default: all commands)."""
    head, said = {}, {}
    for table in tables:
        for key, text in table.head.items():
            if key.startswith("headline "):
                if said.setdefault(key, text) != text:
                    raise Usage("two headlines of one step: %s: %s and %s: %s" % (key, said[key], key, text))
            elif key != "command" and table is tables[0]:
                head[key] = text
    commands = dict.fromkeys(table.head["command"] for table in tables if "command" in table.head)
    command = command or "; ".join(commands)
    if command:
        head["command"] = command
    return {**head, **said}


def merged(tables, command=""):
    """Merges bandwidth tables of several programs and runs; each value is the median over rows with status ok."""
    columns = " ".join(BANDWIDTH).split()
    statuses, figures = {}, {}
    for table in tables:
        for row in table.rows:
            row = {**FILLED, **row}
            key = tuple(row[name] for name in KEY)
            old, new = statuses.get(key), row["status"]
            # `failed` in any file wins; then `ok` in any file; else the row is `skipped`.
            if old != "failed" and (old != "ok" or new == "failed"):
                statuses[key] = new
            if new == "ok":
                for name in columns:
                    figures.setdefault((key, name), []).append(row[name])
    rows = []
    for key, status in statuses.items():
        row = dict(zip(KEY, key), status=status)
        for name in columns:
            if name not in row:
                row[name] = median(figures[key, name]) if status == "ok" else "nan"
        rows.append(row)
    return Table(merged_head(tables, command), columns, rows)


# ---- commands ----

def complain(command, text):
    print("%s: %s" % (command, text), file=sys.stderr)


def start():
    """Sets stdout and stderr to UTF-8; SIGPIPE ends the process silently, other signals with status 1."""
    for stream in sys.stdout, sys.stderr:
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    for number_of_signal in signal.SIGHUP, signal.SIGINT, signal.SIGTERM:
        signal.signal(number_of_signal, lambda *_: sys.exit(1))
