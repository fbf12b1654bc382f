#!/usr/bin/env python3
"""Copies the results of a run to plots/results and updates the pages and charts made from them: see USAGE."""

import filecmp
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import palette
import quote
import results
import tables
from results import Usage

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)

USAGE = """usage: record.sh DIR [FOLDER]
       record.sh --show FOLDER
       record.sh --refresh
       record.sh --check

Copies the results in DIR (made by shared/tests/benchmark/measure.sh or run_all.sh --out) to
plots/results/FOLDER (default: the GPU's name): bandwidth.tsv, and those of sizes.tsv, shapes.tsv,
last_percent.tsv, many.tsv, counts.tsv, dram.tsv, caches.tsv, stalls.tsv, timeline.tsv, in_flight.tsv, halves.tsv,
halves_counts.tsv and exercises.tsv that DIR holds. A DIR with many.tsv alone adds it to the GPU's results. probes.tsv goes to
shared/traffic/tests/probes_FOLDER.tsv. Then updates everything that is made from recorded results; in
pages it changes only quoted numbers and the text between its markers:

  README.md, shared/transpose/*.md, plots/results/*/lessons.md   quoted numbers (see quote.sh --help)
  plots/results/README.md         each step's headline, on all recorded GPUs
  plots/results/FOLDER/README.md  every variant, and the DRAM traffic; created if it does not exist
  steps/*/*.md                    expected output (of the variants that its marker names, or of all) and table of
                                  percentages of the shown GPU; quoted numbers
  plots/figures                   charts of the shown GPU and of the recorded CPU run

plots/results/shown names the shown GPU: the first GPU recorded, or the FOLDER given with --show.

A run without a GPU has no bandwidth.tsv; record.sh records its counts.tsv in FOLDER `cpu`.
It refuses runs with a failed row, malformed files, and files of two GPUs.

--refresh  update everything from recorded results, after a script or a page was changed
--check    change nothing; list the pages and pictures that are out of date

Exit status: 0; 1 something is out of date or could not be written; 2 a usage error or a refused run
(nothing is changed).
"""
BANDWIDTHS = ("bandwidth", "sizes", "shapes", "last_percent", "many")
RECORDED = BANDWIDTHS + ("counts", "dram", "caches", "stalls", "timeline", "in_flight", "halves", "halves_counts", "exercises")
# TSV file -> the pictures whose subtitle has its GPU and date.
DATED = {"bandwidth": ("progression", "variants_*"), "sizes": ("sizes",), "shapes": ("shapes",), "many": ("many_*",)}
SHORTER = {"counts": results.by_launch,  # how files are recorded
           "shapes": lambda table: results.shown_shapes(table, quoted_at_sizes()),
           "sizes": lambda table: results.shown_sizes(table, quoted_at_sizes())}
NOT_RECORDED = "Not recorded on this GPU yet."


def quoted_at_sizes():
    """Returns VARIANT#SIZE of all values at a size that a page of a step or of the results quotes."""
    pages = [path for folder in ("steps", "plots/results") for path in
             glob.glob(os.path.join(ROOT, folder, "**", "*.md"), recursive=True)]
    text = "\n".join(line for path in pages for line in results.read_lines(path))
    return {"#".join(found) for found in re.findall(r"(\w+)(?::\w+)?(?:@\w+)?#(\w+)(?= |-->)", text)}


class Failure(results.Error):
    """An error with exit status 1. Its text is one line that says what could not be done."""


def begin(kind):
    return "<!-- %s: begin (plots/record.sh writes this) -->" % kind


def end(kind):
    return "<!-- %s: end -->" % kind.split()[0]


def put(source, path):
    """Copies `source` to `path` atomically if the two differ."""
    if os.path.isfile(path) and filecmp.cmp(source, path, shallow=False):
        return
    part = "%s.%d" % (path, os.getpid())
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        shutil.copyfile(source, part)
        os.replace(part, path)
    except OSError:
        raise Failure("%s: cannot be written" % path) from None
    finally:
        if os.path.exists(part):
            os.remove(part)


class Record:
    """Works on copies in the folder `stage`; only write() changes the tree, so a failure leaves it unchanged.

    results: a copy of plots/results with the new run, if any. made: a folder with the files to write, by
    their paths from the tree's top.
    """

    def __init__(self, stage):
        self.stage = stage
        self.results = os.path.join(stage, "results")
        self.made = os.path.join(stage, "made")
        os.mkdir(self.made)
        if os.path.isdir(os.path.join(HERE, "results")):
            shutil.copytree(os.path.join(HERE, "results"), self.results)
        else:
            os.mkdir(self.results)
        self.shown = results.shown_gpu(self.results)
        self.sums = {}
        self.tables = {}
        self.complaints = 0  # of quoted numbers

    def read(self, folder, name):
        """Returns the recorded table folder/name.tsv; None if there is none."""
        path = os.path.join(self.results, folder, name + ".tsv")
        if path not in self.tables:
            self.tables[path] = results.read(path) if os.path.isfile(path) else None
        return self.tables[path]

    def gpus(self):
        return results.recorded_gpus(self.results, self.shown)

    # ---- pages ----

    def page(self, path):
        """Returns a page's lines from `made`, or from the tree if it is not made yet."""
        made = os.path.join(self.made, path)
        return results.read_lines(made if os.path.isfile(made) else os.path.join(ROOT, path))

    def make(self, path, lines):
        path = os.path.join(self.made, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        results.write_text(path, "".join(line + "\n" for line in lines))

    def fill(self, path, kind, text):
        """Replaces the lines between the page's markers of that kind by the lines `text`."""
        lines = self.page(path)
        if (lines.count(begin(kind)), lines.count(end(kind))) != (1, 1) or \
                lines.index(begin(kind)) > lines.index(end(kind)):
            raise Usage("%s lacks the markers: %s and %s" % (path, begin(kind), end(kind)))
        self.make(path, lines[:lines.index(begin(kind)) + 1] + text + lines[lines.index(end(kind)):])

    def output_markers(self, path):
        """Returns the variants that each marker `output VARIANT...` of a page names, with a blank before each."""
        text = "\n".join(results.read_lines(os.path.join(ROOT, path)))
        return re.findall("^<!-- output((?: [a-z0-9_]+)*): begin", text, re.M)

    def has_markers(self, path, kind):
        return any("<!-- %s: " % kind in line for line in results.read_lines(os.path.join(ROOT, path)))

    def quote(self, path):
        """Updates the quoted numbers of a page. Reports numbers that are not recorded on stderr and keeps them."""
        quoted = quote.Page(self.page(path), self.recorded)
        for number, text in quoted.complaints:
            print("%s:%d: %s" % (path, number, text), file=sys.stderr)
        self.complaints += len(quoted.complaints)
        self.make(path, quoted.lines)

    def shapes_of(self, folder):
        """Returns the table of all shapes as lines of Markdown, or a line that says that none is recorded."""
        shapes = self.read(folder, "shapes")
        if not shapes:
            return ["", NOT_RECORDED, ""]
        return ["", *tables.shape_rows(shapes), "", "Percent of cudaMemcpy in the same process; %s, %s; the fastest in bold."
                % (results.gpu_name(self.read(folder, "bandwidth")), shapes.head.get("date", "")), ""]

    def make_readmes(self):
        """Makes plots/results/README.md with the table of headlines, and the README.md at the tree's top."""
        bandwidths = [self.read(folder, "bandwidth") for folder in self.gpus()]
        lines = ["", *tables.headline_rows(bandwidths), "",
                 "`a → b`: the variant that the headline is compared with, then the headline, each in percent of the"
                 " copy ceiling.", ""]
        for folder, table in zip(self.gpus(), bandwidths):
            lines.append("* [Every variant on the %s](%s/README.md): %s, from [bandwidth.tsv](%s/bandwidth.tsv)."
                         % (results.gpu_name(table), folder, table.head.get("date", ""), folder))
        self.fill("plots/results/README.md", "results", lines + [""])
        self.quote("plots/results/README.md")
        for path in (os.path.join(ROOT, "README.md"), *sorted(glob.glob(os.path.join(ROOT, "shared", "transpose", "*.md")))):
            self.quote(os.path.relpath(path, ROOT))

    def make_gpu_readme(self, folder):
        """Makes plots/results/FOLDER/README.md: tables of all variants, of DRAM traffic and of shapes."""
        path = "plots/results/%s/README.md" % folder
        bandwidth, dram = self.read(folder, "bandwidth"), self.read(folder, "dram")
        if not os.path.isfile(os.path.join(ROOT, path)):
            lines = ["# " + bandwidth.head.get("gpu", ""), "", "The results recorded on this GPU. To draw its charts:"
                     " `plots/draw.sh plots/results/%s --out DIR`." % folder]
            for title, kind in ("Every variant", "variants"), ("DRAM traffic", "dram"), ("Any shape", "shapes"):
                lines += ["", "## " + title, "", begin(kind), end(kind)]
            self.make(path, lines)
        self.fill(path, "variants", ["", *tables.markdown_rows(bandwidth), "",
                                     "Every figure is the median of what [bandwidth.tsv](bandwidth.tsv) records.", ""])
        self.fill(path, "dram", ["", *(tables.dram_rows(dram) + ["", "What the counters said is in [dram.tsv](dram.tsv)."]
                                       if dram else [NOT_RECORDED]), ""])
        self.fill(path, "shapes", self.shapes_of(folder))

    def make_lessons(self):
        """Updates all pages of the steps: expected output, tables of percentages, quoted numbers."""
        bandwidth = self.read(self.shown, "bandwidth")
        many = self.read(self.shown, "many")
        many_steps = {row["step"] for row in many.rows} if many else ()
        for path in sorted(glob.glob(os.path.join(ROOT, "steps", "*", "*.md"))):
            step = os.path.basename(os.path.dirname(path))
            if os.path.islink(os.path.join(ROOT, "steps", step)):
                continue  # another name of a step
            path = os.path.relpath(path, ROOT)
            for variants in self.output_markers(path):
                lines = tables.plain_rows(many if step in many_steps else bandwidth, step, variants.split())
                if lines:
                    self.fill(path, "output" + variants, ["```text", *lines, "```"])
                else:
                    print("steps/%s: no rows in this run, its expected output stays as it is" % step)
            self.quote(path)

    # ---- figures ----

    def draw(self, *arguments):
        """Runs draw.sh for the shown GPU and for the recorded CPU run; returns what it prints."""
        said = ""
        for folder in [self.shown] if self.shown else [], ["cpu"]:
            path = os.path.join(self.results, *folder)
            if folder and os.path.isdir(path):
                ran = subprocess.run([os.path.join(HERE, "draw.sh"), path, "--note", "recorded", *arguments],
                                     stdout=subprocess.PIPE, check=False)
                if ran.returncode:
                    raise Failure("draw.sh ended with %d" % ran.returncode)
                said += ran.stdout.decode("utf-8", "surrogateescape")
        return said

    def old_sums(self):
        """Returns picture -> checksum of the inputs that it was last drawn from."""
        path = os.path.join(HERE, "figures", "drawn_from.tsv")
        if not os.path.isfile(path):
            return {}
        return {row["figure"]: row["checksum"] for row in results.read(path).rows}

    def stale_figures(self):
        """Returns the pictures that are missing or whose inputs have changed since they were drawn."""
        old = self.old_sums()
        return [name for name, checksum in self.sums.items()
                if old.get(name) != checksum or not os.path.isfile(os.path.join(HERE, "figures", name))]

    def make_pages(self):
        """Makes all pages and the checksums of all pictures; draws no picture."""
        self.recorded = quote.Recorded(self.results)
        self.recorded.shown, self.recorded.gpus = self.shown, self.gpus()
        if self.shown:
            self.make_readmes()
            self.make_lessons()
        for folder in self.gpus():
            self.make_gpu_readme(folder)
            lessons = "plots/results/%s/lessons.md" % folder
            if os.path.isfile(os.path.join(ROOT, lessons)):
                self.quote(lessons)
        if self.shown or os.path.isdir(os.path.join(self.results, "cpu")):
            lines = list(dict.fromkeys(self.draw("--sums").splitlines()))
            self.sums = dict(line.split("\t") for line in lines[1:])
            self.make("plots/figures/drawn_from.tsv", lines)

    def write(self):
        """Draws the stale pictures, then copies everything that was made into the tree."""
        stale = self.stale_figures()
        if stale:
            figures = os.path.join(self.made, "plots", "figures")
            self.draw("--out", figures, "--only", " ".join(stale))
            for path in glob.glob(os.path.join(figures, "*.png")):
                palette.shrink(path)
        for folder, _, names in os.walk(self.made):
            for name in names:
                source = os.path.join(folder, name)
                put(source, os.path.join(ROOT, os.path.relpath(source, self.made)))

    # ---- what the command line asks for ----

    def check(self):
        """Prints all stale pages and pictures; returns the exit status: 1 also if a quote has no record."""
        stale = []
        if self.shown and not self.read(self.shown, "bandwidth"):
            stale.append("plots/results/shown names %s, which has no records" % self.shown)
        elif not self.shown and self.gpus():
            stale.append("plots/results/shown is not there, but results are")
        else:
            self.make_pages()
            for path in sorted(glob.glob(os.path.join(self.made, "**", "*.md"), recursive=True)):
                page = os.path.relpath(path, self.made)
                tree = os.path.join(ROOT, page)
                if not os.path.isfile(tree) or not filecmp.cmp(path, tree, shallow=False):
                    stale.append(page)
            stale += ["plots/figures/" + name for name in self.stale_figures()]
            # Pictures differ between versions of gnuplot, so compare only the GPU and date in their text.
            for name, pictures in DATED.items():
                table = self.read(self.shown, name) if self.shown else None
                for pattern in pictures if table else ():
                    label = "%s, %s" % (table.head.get("gpu", ""), table.head.get("date", ""))
                    for path in glob.glob(os.path.join(HERE, "figures", pattern + ".svg")):
                        if not any(label in line for line in results.read_lines(path)):
                            stale.append("plots/figures/" + os.path.basename(path))
        for name in stale:
            print("stale: " + name)
        return 1 if stale or self.complaints else 0

    def take_run(self, run, folder):
        """Checks the files of the folder `run` and takes them as recorded results. Raises Usage if they are refused."""
        names, gpu = RECORDED, ""
        bandwidth = os.path.join(run, "bandwidth.tsv")
        if not os.path.isfile(bandwidth) and os.path.isfile(os.path.join(run, "many.tsv")):
            bandwidth, names = os.path.join(run, "many.tsv"), ("many",)
        if os.path.isfile(bandwidth):
            gpu = results.read(bandwidth).head.get("gpu", "")
            if not gpu or "CPU" in gpu:
                raise Usage("%s was not measured on a GPU (its gpu line says '%s')" % (bandwidth, gpu))
            # "NVIDIA H200" becomes h200.
            folder = folder or re.sub("[^a-z0-9]+", "_", re.sub("^NVIDIA ", "", gpu).lower()).strip("_")
        elif os.path.isfile(os.path.join(run, "lanes.tsv")) and os.path.isfile(os.path.join(run, "counts.tsv")):
            names, folder = ("counts",), folder or "cpu"
        else:
            raise Usage("%s has no bandwidth.tsv: only a run on a GPU can be recorded" % run)
        if not re.fullmatch("[a-z0-9_-]+", folder) or folder == "shown":
            raise Usage("'%s' is no name for a folder of results: a-z, 0-9, _ and - only" % folder)
        recorded = self.read(folder, "bandwidth")
        if recorded and recorded.head.get("gpu", "") != gpu:
            raise Usage("plots/results/%s is of another GPU (%s)" % (folder, recorded.head.get("gpu", "")))
        for name in names:
            file = os.path.join(run, name + ".tsv")
            if not os.path.isfile(file):
                continue
            table = results.read(file)
            same_gpu = not gpu or table.head.get("gpu") == gpu
            if name in BANDWIDTHS:
                for row in table.rows:
                    # A peer that failed at some shapes is allowed; its cell in the table is empty.
                    if row["status"] == "failed" and not (name == "shapes" and row["step"] == "peers"):
                        raise Usage("%s: %s of %s failed; a run with a failure is not recorded"
                                    % (file, row["variant"], row["step"]))
                if not same_gpu:
                    raise Usage("%s is of another GPU than bandwidth.tsv" % file)
            elif not same_gpu:
                print("%s.tsv was not counted on this GPU: not recorded" % name)
                continue
            if name in SHORTER:
                file = os.path.join(self.made, name + ".tsv.part")
                os.makedirs(self.made, exist_ok=True)
                results.write_text(file, SHORTER[name](table))
            self.take(file, "plots/results/%s/%s.tsv" % (folder, name), os.path.join(self.results, folder))
            if name in SHORTER:
                os.remove(file)
        probes = os.path.join(run, "probes.tsv")
        if gpu and os.path.isfile(probes):
            if results.read(probes, "probes").head.get("gpu") != gpu:
                raise Usage("%s is of another GPU than bandwidth.tsv" % probes)
            self.take(probes, "shared/traffic/tests/probes_%s.tsv" % folder)
        self.tables = {}
        if not self.shown and gpu:
            self.shown = folder

    def take(self, file, path, *folders):
        """Copies a file to `path` in the folder `made`, and into each of `folders`."""
        for target in (os.path.join(self.made, path), *(os.path.join(one, os.path.basename(path)) for one in folders)):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(file, target)


def record(stage, arguments):
    record = Record(stage)
    first = arguments[0] if arguments else ""
    if first in ("--check", "--refresh"):
        if len(arguments) != 1:
            raise Usage(first + " stands alone")
        if first == "--check":
            return record.check()
    elif first == "--show":
        if len(arguments) != 2:
            raise Usage("--show needs a folder of plots/results, and nothing else")
        if not record.read(arguments[1], "bandwidth"):
            raise Usage("plots/results/%s has no bandwidth.tsv" % arguments[1])
        record.shown = arguments[1]
    elif not first:
        raise Usage("which folder? (see --help)")
    elif first.startswith("-"):
        raise Usage("unknown option %s (see --help)" % first)
    elif len(arguments) > 2:
        raise Usage("too many arguments (see --help)")
    elif not os.path.isdir(first):
        raise Usage("%s: no such folder" % first)
    else:
        record.take_run(first.rstrip("/"), arguments[1] if len(arguments) == 2 else "")
    if not shutil.which("gnuplot"):
        raise Failure("gnuplot is missing (apt-get install gnuplot-nox); nothing is changed")
    record.make_pages()
    if record.shown:
        record.make("plots/results/shown", [record.shown])
    record.write()
    targets = glob.glob(os.path.join(record.made, "plots", "results", "*", "*.tsv"))
    if targets:
        print("recorded in plots/results/%s; look at plots/figures and at git diff, then commit"
              % os.path.basename(os.path.dirname(targets[0])))
    return 0


def main(arguments):
    results.start()
    if arguments and arguments[0] in ("--help", "-h"):
        sys.stdout.write(USAGE)
        return 0
    try:
        with tempfile.TemporaryDirectory() as stage:
            return record(stage, arguments)
    except results.Error as error:
        results.complain("record.sh", error)
        return 1 if isinstance(error, Failure) else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
