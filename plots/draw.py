"""Draws all charts of the TSV files in a folder; draw.sh runs this script."""

import concurrent.futures
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zlib

import charts
import charts_memory
import results

HERE = os.path.dirname(os.path.realpath(__file__))
TOP = os.path.dirname(HERE)

USAGE = """\
usage: draw.sh DIR [--out DIR2] [--note TEXT] [--only "NAME..."] [--sums]

Reads those of bandwidth.tsv, sizes.tsv, shapes.tsv, many.tsv, counts.tsv and lanes.tsv
that DIR holds, and draws their charts into DIR2 (default: DIR/figures). Four kinds of pictures need no TSV
file and are always drawn: bank maps, sector maps, tile orders and windows. Charts are SVG files; grids of
numbered cells are PNG files, which are smaller.

--note TEXT     add TEXT to the subtitle of each chart (default for a folder of plots/results: "recorded")
--only "NAME..."  draw only the pictures named, for example "sizes.svg counts.svg"
--sums          draw nothing; print a TSV file with the columns figure and checksum (of a picture's inputs)

If DIR has recorded counts of a CPU run but no lanes.tsv, draw.sh runs the steps on the CPU to make it,
which needs clang. Bank maps and sector maps need a C compiler. If a compiler is missing, draw.sh says
which pictures it leaves unchanged.

Exit status: 0; 1 a chart could not be drawn or written (its old file is unchanged), or gnuplot is
missing; 2 a usage error or a malformed TSV file (nothing is drawn).
"""

FILES = "bandwidth sizes shapes many counts lanes".split()
TILES = {  # bank map -> (bytes per element, layout in the notation of shared/layout, description in the title)
    "plain": (4, "(32,32):(32,1)", "32x32 floats, row-major"),
    "padded": (4, "(32,32):(33,1)", "32x32 floats, rows 33 floats apart"),
    "swizzle_5_0_5": (4, "Sw<5,0,5> o 0 o (32,32):(32,1)", "32x32 floats, Swizzle<5,0,5>"),
    "guide_plain": (16, "(8,8):(8,1)", "8x8 elements of 16 bytes, row-major"),
    "guide_swizzle_128": (16, "Sw<3,0,3> o 0 o (8,8):(8,1)", "8x8 elements of 16 bytes, TMA 128-byte swizzle"),
}
PATTERNS = {  # request to global memory -> (4-byte words per lane, layout, whether the lanes walk a row or a column)
    "row": (1, "(1,32):(1024,1)", "row"),
    "wide": (4, "(1,128):(1024,1)", "row"),
    "shifted": (1, "Sw<0,0,0> o 1 o (1,32):(1024,1)", "row"),
    "column": (1, "(32,1):(1024,1)", "column"),
}


def options_of(arguments):
    """The command line as a dict: dir, out, note, only (names, or None), sums."""
    options = {"dir": None, "out": None, "note": None, "only": None, "sums": False}
    while arguments:
        word = arguments.pop(0)
        if word in ("--help", "-h"):
            print(USAGE, end="")
            sys.exit(0)
        elif word in ("--out", "--note", "--only"):
            if not arguments:
                raise results.Usage(word + " needs a value")
            options[word[2:]] = arguments.pop(0)
        elif word == "--sums":
            options["sums"] = True
        elif word.startswith("-"):
            raise results.Usage("unknown option %s (see --help)" % word)
        elif options["dir"]:
            raise results.Usage("one folder only, please (see --help)")
        else:
            options["dir"] = word
    if not options["dir"]:
        raise results.Usage("which folder? (see --help)")
    if not os.path.isdir(options["dir"]):
        raise results.Usage("%s: no such folder" % options["dir"])
    if options["only"] is not None:
        options["only"] = options["only"].split()
    return options


class Drawing:
    """The charts of one folder. chart() draws a chart, or with --sums prints the checksum of its inputs."""

    def __init__(self, options, work):
        self.work = work
        self.dir = options["dir"]
        self.only = options["only"]
        self.sums = options["sums"]
        self.note = options["note"]
        if self.note is None and os.path.realpath(os.path.join(self.dir, "..")) == os.path.join(HERE, "results"):
            self.note = "recorded"
        # gnuplot runs in another folder
        self.out = os.path.abspath(options["out"] or os.path.join(self.dir, "figures"))
        self.tables = {}
        self.pool = concurrent.futures.ThreadPoolExecutor(os.cpu_count())
        self.jobs = {}  # picture -> future; its result is True if gnuplot drew the picture
        self.failed = False
        self.layout = None

    def read_all(self):
        for name in FILES:
            path = os.path.join(self.dir, name + ".tsv")
            if os.path.exists(path):
                self.tables[name] = results.read(path)

    def wanted(self, *names):
        return self.only is None or any(name in self.only for name in names)

    def subtitle(self, table, text="", note=True):
        """Returns the text, the GPU, the date and the note, separated by commas; unknown parts are left out."""
        return ", ".join(filter(None, [text, table.head.get("gpu"), table.head.get("date"), note and self.note]))

    def write(self, table):
        """Writes a table's rows to a new file for gnuplot and returns its path."""
        file, path = tempfile.mkstemp(dir=self.work)
        with open(file, "w", encoding="utf-8", errors="surrogateescape") as data:
            data.writelines("\t".join(map(str, row)) + "\n" for row in table)
        return path

    def chart(self, name, script, table, subtitle, *arguments):
        """Draws OUT/NAME atomically, in the thread pool. gnuplot gets each table among the arguments as a file."""
        if not self.wanted(name):
            return
        if self.sums:
            print("%s\t%s" % (name, checksum([code(script), table, subtitle, *arguments])))
            return
        part = os.path.join(self.out, ".drawing.%d.%s" % (os.getpid(), name))
        words = [self.write(word) if isinstance(word, list) else str(word)
                 for word in [table, part, subtitle, *arguments]]
        self.jobs[name] = self.pool.submit(self.run_gnuplot, name, part, script, words)

    def run_gnuplot(self, name, part, script, words):
        """Draws into the temporary file `part`, then renames it to OUT/NAME. Returns True on success."""
        ran = subprocess.run(["gnuplot", "-c", script] + words, cwd=HERE, env=dict(os.environ, LC_ALL="C.UTF-8"),
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        said = ran.stdout.decode(errors="replace")
        try:
            if ran.returncode == 0 and is_finished(part):
                if name.endswith(".svg"):
                    compact(part)
                os.replace(part, os.path.join(self.out, name))
                return True
        except OSError as error:
            said += str(error)
        finally:
            if os.path.exists(part):
                os.remove(part)
        why = next((line for line in said.splitlines() if "warning" not in line and re.search("[a-z]", line)), "")
        results.complain("draw.sh", "%s could not be drawn: %s" % (os.path.join(self.out, name), why))
        return False

    def keep(self, why, pattern):
        """Prints why the pictures matching `pattern` are not drawn; with --sums prints their recorded checksums instead."""
        if not self.sums:
            print(why)
            return
        path = os.path.join(HERE, "figures", "drawn_from.tsv")
        for row in results.read(path).rows if os.path.exists(path) else []:
            if re.match(pattern, row["figure"]) and self.wanted(row["figure"]):
                print("%s\t%s" % (row["figure"], row["checksum"]))

    def finish(self):
        """Waits for gnuplot, prints the pictures drawn, and returns the exit status."""
        drawn = [name for name, job in self.jobs.items() if job.result()]
        if drawn:
            print("drawn in %s: %s" % (self.out, " ".join(drawn)))
        return 1 if self.failed or len(drawn) < len(self.jobs) else 0


def checksum(parts):
    """Returns a checksum of texts and tables, as text."""
    text = "\n".join("\n".join("\t".join(map(str, row)) for row in part) if isinstance(part, list) else str(part)
                     for part in parts).encode(errors="surrogateescape")
    return "%d.%d" % (zlib.crc32(text), len(text))


def code(script):
    """Returns the text of a gnuplot script without comment lines, followed by the scripts that it calls."""
    lines = [line for line in results.read_lines(os.path.join(HERE, script)) if not line.lstrip().startswith("#")]
    called = [match.group(1) for match in (re.match('call "([^"]*)"', line) for line in lines) if match]
    return "\n".join(lines + [code(name) for name in called])


def is_finished(picture):
    """True if the picture file is complete. On a full disk gnuplot can stop early without an error."""
    with open(picture, "rb") as file:
        end = file.read()[-12:]
    return (b"IEND" if picture.endswith(".png") else b"</svg>") in end


def compact(picture):
    """Removes what draws nothing from an SVG file by gnuplot: paths of one point, empty groups, line breaks but for one before each group."""
    with open(picture, encoding="utf-8") as file:
        text = file.read()
    for pattern, new in ((r"<path [^>]*d='M[-\d.]+,[-\d.]+\s*'/>", ""), (r"(?<=>)\s+(?=<)", "\n"), (r"(?<=[^>\n])\n\s*(?=[^<\s])", " "),
                         (r"\n(?=<(?!g))", ""), (r"\n<g [^>]*></g>", "")):
        text = re.sub(pattern, new, text)
    with open(picture, "w", encoding="utf-8") as file:
        file.write(text)


def known_or_nan(table, key):
    """Returns the number in the header line `key`, as text; nan if the line is missing or its number is 0."""
    text = table.head.get(key, "")
    return text if re.fullmatch(r"[0-9.]*[1-9][0-9.]*", text) else "nan"


def draw_bandwidth(drawing, table):
    size, ceiling, _ = charts.bandwidth(table)
    below = drawing.subtitle(table, size + " floats")
    peak = known_or_nan(table, "theoretical peak GB/s")
    rows = charts.progression(table, peak)
    legend = [kind for kind in ("headline", "best", "peer") if any(row[0] == kind for row in rows)]
    drawing.chart("progression.svg", "bars.gp", rows, below, "How close each step comes to the speed of a copy",
                  ceiling, peak, " ".join(legend) or "none")
    for step, rows in charts.variants(table, peak).items():
        drawing.chart("variants_%s.svg" % step, "bars.gp", rows, below,
                      step + ": GB/s and percent of copy of every variant, fastest first", ceiling, peak)


def draw_sizes(drawing, table):
    rows, lines, most = charts.sizes(table)
    if rows:
        drawing.chart("sizes.svg", "sizes.gp", rows, drawing.subtitle(table), known_or_nan(table, "l2 bytes"), most,
                      " ".join(lines))
    elif not drawing.sums:
        print("%s/sizes.tsv: no square size was measured, so no chart of sizes" % drawing.dir)


def draw_shapes(drawing, table):
    rows, slots = charts.shapes(table)
    if rows:
        drawing.chart("shapes.svg", "shapes.gp", rows, drawing.subtitle(table), charts.SHAPES_LIMIT, charts.SLOT * slots,
                      " ".join(name for name in charts.CONTENDERS if any(row[0] == name for row in rows)))


def draw_many(drawing, table):
    """Draws the charts of several GPUs that have something to show: variants, sizes, numbers of GPUs."""
    first = charts.of_first(table, "gpus")
    size, ceiling, _ = charts.bandwidth(first)
    if any(results.is_measured(row) for row in charts.first_size(first)[1]):
        peak = known_or_nan(table, "theoretical peak GB/s")
        of_gpus = "%s GPUs" % table.rows[0]["gpus"]
        drawing.chart("many_variants.svg", "bars.gp", charts.many_variants(table, peak),
                      drawing.subtitle(table, "%s floats on %s" % (size, of_gpus)),
                      "What leaves each GPU, GB/s and percent of the fastest copy", ceiling, peak)
        for name, x, label, text in (("many_sizes.svg", "rows", "N, of an N x N matrix of floats", of_gpus),
                                     ("many_gpus.svg", "gpus", "number of GPUs", size + " floats")):
            rows, lines = charts.many_lines(table, x)
            if rows:
                drawing.chart(name, "many.gp", rows, drawing.subtitle(table, text), x, label, peak, " ".join(lines))


def draw_counts(drawing, table):
    # Counts measured by hardware have no ideal_work, which the chart compares with.
    if any(results.known(row["ideal_work"]) for row in table.rows):
        size, rows = charts_memory.counts(table, drawing.note == "recorded")
        drawing.chart("counts.svg", "counts.gp", rows, drawing.subtitle(table, size + " floats"))


def is_wanted_of(drawing, step, name):
    """True unless the picture is of a recorded run and no page of its step shows it."""
    pages = glob.glob(os.path.join(TOP, "steps", step, "*.md"))
    return drawing.note != "recorded" or any(name in line for page in pages for line in results.read_lines(page))


def draw_lanes(drawing, table):
    is_recorded = "date" in table.head  # a file made by lanes.sh has no date
    for step, rows in charts.grouped(table.rows, "step").items():
        if is_wanted_of(drawing, step, "lanes_%s.png" % step):
            made = charts_memory.lanes(rows)
            note = "a box: a word and its lane"
            if any(row[0] == "part" for row in made):
                note += "; a line: the next part of a wide access"
            drawing.chart("lanes_%s.png" % step, "lanes.gp", made, drawing.subtitle(table, note, is_recorded), step)
        groups = charts_memory.groups(rows)
        if groups and is_wanted_of(drawing, step, "groups_%s.png" % step):
            drawing.chart("groups_%s.png" % step, "groups.gp", groups,
                          drawing.subtitle(table, note=is_recorded), step)


def make_lanes(drawing):
    """Runs the steps on the CPU and returns their lanes table, without the variants that counts.tsv lacks.

    Returns None if the folder is not a recorded CPU run, if --only excludes these charts, or if lanes.sh fails.
    """
    counts = drawing.tables.get("counts")
    if not counts or not counts.head.get("gpu", "").startswith("no GPU") or drawing.note != "recorded":
        return None
    if drawing.only is not None and not re.search("(^| )(lanes|groups)_", " ".join(drawing.only)):
        return None
    path = os.path.join(drawing.work, "lanes.tsv")
    status = subprocess.run([os.path.join(HERE, "lanes.sh"), path], check=False).returncode
    if status == 0:
        lanes = results.read(path)
        recorded = {(row["step"], row["variant"]) for row in counts.rows}
        lanes.rows = [row for row in lanes.rows if (row["step"], row["variant"]) in recorded]
        return lanes
    drawing.keep("no clang: the charts of lanes stay as they are", "(lanes|groups)_")
    drawing.failed |= status != 3
    return None


def asked_layout(drawing, *words):
    """Runs the program `layout` with these arguments and returns the rows of its TSV output."""
    ran = subprocess.run([drawing.layout, *words], stdout=subprocess.PIPE, check=True)
    lines = [line.split("\t") for line in ran.stdout.decode().splitlines() if not line.startswith("#")]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def bank_map(drawing, name):
    """Returns the table of a bank map for gnuplot, and its verdict: the bank conflicts of a row and of a column."""
    element, layout, _ = TILES[name]
    rows = asked_layout(drawing, "banks", layout, "--bytes", str(element), "--tsv")
    columns = ["row", "col", "offset", "bank"]
    return [columns] + [[row[column] for column in columns] for row in rows], charts_memory.bank_map_verdict(rows)


def pattern(drawing, name):
    """Returns the words that one request to global memory touches, as rows with the columns lane, line and word."""
    words, layout, access = PATTERNS[name]
    rows = asked_layout(drawing, "requests", layout, "--global", "--request", "0", "--access", access,
                        "--vector", str(words))
    return [{"lane": row["lane"], "line": row["line"], "word": str(int(row["byte"]) % 128 // 4 + word)}
            for row in rows for word in range(words)]


def build_layout(drawing):
    """Builds the program `layout` in the working folder. Returns False if there is no C compiler."""
    compiler = os.environ.get("CC", "cc").split()
    if not shutil.which(compiler[0]):
        return False
    drawing.layout = os.path.join(drawing.work, "layout")
    sources = glob.glob(os.path.join(TOP, "shared", "layout", "*.c")) + [os.path.join(TOP, "shared", "traffic", "traffic.c")]
    subprocess.run(compiler + ["-std=c11", "-I", os.path.join(TOP, "shared"), "-o", drawing.layout] + sources, check=True)
    return True


def draw_maps(drawing):
    names = ["bank_map_%s.png" % name for name in ("plain", "padded", "swizzle_5_0_5", "guide")]
    if not drawing.wanted("sectors_rows.png", "sectors_column.png", *names):
        return
    try:
        if not build_layout(drawing):
            drawing.keep("no C compiler: the maps of banks and sectors stay as they are", "bank_map_|sectors_")
            return
    except subprocess.CalledProcessError:
        results.complain("draw.sh", "shared/layout does not build: the maps of banks and sectors stay as they are")
        drawing.failed = True
        return
    for name in "plain", "padded", "swizzle_5_0_5":
        rows, verdict = bank_map(drawing, name)
        drawing.chart("bank_map_%s.png" % name, "bank_map.gp", rows, verdict + "; column 0 is outlined",
                      "The bank of each element: " + TILES[name][2])
    rows, verdict = bank_map(drawing, "guide_plain")
    rows2, verdict2 = bank_map(drawing, "guide_swizzle_128")
    drawing.chart("bank_map_guide.png", "bank_map.gp", rows,
                  "at: its place in shared memory, counted in elements; column 0 is outlined",
                  "An 8x8 tile of 16-byte elements: the group of four banks of each",
                  "No swizzle: " + verdict, rows2, "128-byte swizzle: " + verdict2)
    for name, heading, some in (("rows", "rows", ("row", "wide", "shifted")),
                                ("column", "a row and a column", ("row", "column"))):
        requests = {one: pattern(drawing, one) for one in some}
        drawing.chart("sectors_%s.png" % name, "sectors.gp", charts_memory.sectors(requests),
                      "a box of eight words: a sector of 32 bytes; a number: the lane that wants the word",
                      "A warp's requests to global memory: " + heading)


def draw(drawing):
    tables = drawing.tables
    for name, function in ("bandwidth", draw_bandwidth), ("sizes", draw_sizes), ("shapes", draw_shapes), \
            ("many", draw_many), ("counts", draw_counts):
        if name in tables:
            function(drawing, tables[name])
    lanes = tables.get("lanes") or make_lanes(drawing)
    if lanes:
        draw_lanes(drawing, lanes)
    drawing.chart("tile_orders.png", "orders.gp", charts_memory.orders(),
                  "pale: done; dark: in flight, blocks 20 to 31; white: still to come")
    draw_maps(drawing)
    drawing.chart("windows.png", "windows.gp", charts_memory.windows(),
                  "a box: a sector of 32 bytes, eight words; a number: the element; red: a partly written sector",
                  "Output rows that begin anywhere: a tile's part, and windows")


def main():
    results.start()
    try:
        options = options_of(sys.argv[1:])
        with tempfile.TemporaryDirectory() as work:
            drawing = Drawing(options, work)
            drawing.read_all()
            if drawing.sums:
                print("figure\tchecksum")
            elif not shutil.which("gnuplot"):
                results.complain("draw.sh", "gnuplot is missing, the TSV files are kept; get it "
                                 "(apt-get install gnuplot-nox), then run: plots/draw.sh " + drawing.dir)
                return 1
            else:
                try:
                    os.makedirs(drawing.out, exist_ok=True)
                except OSError:
                    results.complain("draw.sh", "%s: cannot be made" % options["out"])
                    return 1
            draw(drawing)
            return drawing.finish()
    except results.Error as error:
        results.complain("draw.sh", error)
        return 2
    except OSError as error:  # for example, the disk is full
        results.complain("draw.sh", error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
