#!/usr/bin/env python3
"""Makes a run the recorded one, and writes from all that is recorded: see USAGE."""

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

Copies the results in DIR (of shared/tests/benchmark/measure.sh, or the --out of run_all.sh) to
plots/results/FOLDER: bandwidth.tsv and, as far as DIR holds them, sizes.tsv, shapes.tsv, last_percent.tsv,
counts.tsv, dram.tsv, caches.tsv, timeline.tsv, in_flight.tsv, halves.tsv, halves_counts.tsv and
exercises.tsv; probes.tsv goes to shared/traffic/tests/probes_FOLDER.tsv. FOLDER is the GPU's name unless
given. Then writes from all that is recorded, between the markers for it:

  README.md, plots/results/*/lessons.md   the figures that they quote
  plots/results/README.md         each step's headline, on all recorded GPUs
  plots/results/FOLDER/README.md  every variant, and the DRAM traffic; made if it is not there
  steps/*/*.md                    the expected output, the table of percentages; of the shown GPU;
                                  and the figures that they quote (see quote.sh --help)
  plots/figures                   of the shown GPU, and of the run on the CPU

The shown GPU is named in plots/results/shown: the one recorded first, until --show names another.

A run without a GPU has no bandwidth; its counts.tsv is recorded, as FOLDER `cpu`.
Refused are runs with a failed row, malformed files, and files of two GPUs.

--refresh writes everything anew from what is recorded already, after a script or a page was changed.
--check compares instead, and names everything that is stale: tables and figures.

Exit status: 0; 1 something is stale, or could not be written; 2 a usage error or a refused run
(nothing is changed).
"""
BANDWIDTHS = ("bandwidth", "sizes", "shapes", "last_percent")
RECORDED = BANDWIDTHS + ("counts", "dram", "caches", "timeline", "in_flight", "halves", "halves_counts", "exercises")
# Charts that say which GPU they show, and since when: file -> picture.
DATED = {"bandwidth": ("progression", "variants_*"), "sizes": ("sizes",), "shapes": ("shapes",)}
SHAPES_TEXT = "percent of cudaMemcpy for many shapes and elements: transpose(), cuBLAS, PyTorch"
NOT_RECORDED = "Not recorded on this GPU yet."


class Failure(results.Error):
    """One clear line: what could not be done; the exit status is then 1."""


def begin(kind):
    return "<!-- %s: begin (plots/record.sh writes this) -->" % kind


def end(kind):
    return "<!-- %s: end -->" % kind


def put(source, path):
    """Copies a file whole or not at all, if the two differ."""
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
    """All that is recorded, with the new run if there is one, and the pages that are made from it.

    results is a copy of plots/results; made holds what is written, with paths from the top. The tree
    changes in write() alone, so that a failure leaves it as it was.
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

    def read(self, folder, name):
        """The recorded table of that name; None if there is none."""
        path = os.path.join(self.results, folder, name + ".tsv")
        if path not in self.tables:
            self.tables[path] = results.read(path) if os.path.isfile(path) else None
        return self.tables[path]

    def gpus(self):
        return results.recorded_gpus(self.results, self.shown)

    # ---- pages ----

    def page(self, path):
        """The lines of a page, as it was made so far."""
        made = os.path.join(self.made, path)
        return results.read_lines(made if os.path.isfile(made) else os.path.join(ROOT, path))

    def make(self, path, lines):
        path = os.path.join(self.made, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        results.write_text(path, "".join(line + "\n" for line in lines))

    def fill(self, path, kind, text):
        """The lines of text come between the page's markers of that kind."""
        lines = self.page(path)
        if (lines.count(begin(kind)), lines.count(end(kind))) != (1, 1) or \
                lines.index(begin(kind)) > lines.index(end(kind)):
            raise Usage("%s lacks the markers: %s and %s" % (path, begin(kind), end(kind)))
        self.make(path, lines[:lines.index(begin(kind)) + 1] + text + lines[lines.index(end(kind)):])

    def has_markers(self, path, kind):
        return any("<!-- %s: " % kind in line for line in results.read_lines(os.path.join(ROOT, path)))

    def quote(self, path):
        """Writes the figures that a page quotes. What is not recorded is said, and stays."""
        quoted = quote.Page(self.page(path), self.recorded)
        for number, text in quoted.complaints:
            print("%s:%d: %s" % (path, number, text), file=sys.stderr)
        self.make(path, quoted.lines)

    def shapes_of(self, folder):
        """The table of all shapes, or that there is none."""
        shapes = self.read(folder, "shapes")
        if not shapes:
            return ["", NOT_RECORDED, ""]
        return ["", *tables.shape_rows(shapes), "", "Percent of cudaMemcpy in the same process; %s, %s; the fastest in bold."
                % (results.gpu_name(self.read(folder, "bandwidth")), shapes.head.get("date", "")), ""]

    def fill_shapes(self, path, up, with_table):
        """The chart of shapes and their table, if the page has a place for them; `up` leads to the top."""
        if not self.has_markers(path, "shapes"):
            return
        lines = []
        recorded = self.read(self.shown, "shapes")
        if recorded:
            lines = ["", "![%s](%splots/figures/shapes.svg)" % (SHAPES_TEXT, up)]
        self.fill(path, "shapes", lines + (self.shapes_of(self.shown) if with_table or not recorded else [""]))

    def make_readmes(self):
        """The table of headlines, and the page that the tree opens with."""
        bandwidths = [self.read(folder, "bandwidth") for folder in self.gpus()]
        lines = ["", *tables.headline_rows(bandwidths), "",
                 "`a → b`: the variant that the headline is compared with, then the headline, each in percent of the"
                 " copy ceiling.", ""]
        for folder, table in zip(self.gpus(), bandwidths):
            lines.append("* [Every variant on the %s](%s/README.md): %s, from [bandwidth.tsv](%s/bandwidth.tsv)."
                         % (results.gpu_name(table), folder, table.head.get("date", ""), folder))
        self.fill("plots/results/README.md", "results", lines + [""])
        self.quote("plots/results/README.md")
        self.fill_shapes("README.md", "", False)
        self.quote("README.md")

    def make_gpu_readme(self, folder):
        """The table of all variants of a GPU, of its DRAM traffic, and of its shapes."""
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
        """The expected output in each lesson, the percentages and shapes in its chapters, its figures."""
        bandwidth, last_percent = self.read(self.shown, "bandwidth"), self.read(self.shown, "last_percent")
        for path in sorted(glob.glob(os.path.join(ROOT, "steps", "*", "*.md"))):
            step = os.path.basename(os.path.dirname(path))
            if os.path.islink(os.path.join(ROOT, "steps", step)):
                continue  # another name of a step
            path = os.path.relpath(path, ROOT)
            if self.has_markers(path, "output"):
                lines = tables.plain_rows(bandwidth, step)
                if lines:
                    self.fill(path, "output", ["```text", *lines, "```"])
                else:
                    print("steps/%s: no rows in this run, its expected output stays as it is" % step)
            if last_percent and self.has_markers(path, "percent"):
                self.fill(path, "percent", ["", *tables.percent_rows(last_percent, tables.LAST_PERCENT), ""])
            self.fill_shapes(path, "../../", True)
            self.quote(path)

    # ---- figures ----

    def draw(self, *arguments):
        """What draw.sh prints for the shown GPU, then for the CPU."""
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
        """Picture -> the checksum of what it was drawn from, as the tree has it."""
        path = os.path.join(HERE, "figures", "drawn_from.tsv")
        if not os.path.isfile(path):
            return {}
        return {row["figure"]: row["checksum"] for row in results.read(path).rows}

    def stale_figures(self):
        """The pictures that are to be drawn from something else than before."""
        old = self.old_sums()
        return [name for name, checksum in self.sums.items()
                if old.get(name) != checksum or not os.path.isfile(os.path.join(HERE, "figures", name))]

    def make_pages(self):
        """Everything that is written from the recorded results, but the pictures themselves."""
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
        """Writes what was made into the tree, with the pictures that are stale, which are drawn first."""
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
        """Names everything that is stale, and returns the exit status."""
        stale = []
        if self.shown and not self.read(self.shown, "bandwidth"):
            stale.append("plots/results/shown names %s, of which nothing is recorded" % self.shown)
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
            # Pictures differ from one gnuplot to the next, but what they say they show does not.
            for name, pictures in DATED.items():
                table = self.read(self.shown, name) if self.shown else None
                for pattern in pictures if table else ():
                    label = "%s, %s" % (table.head.get("gpu", ""), table.head.get("date", ""))
                    for path in glob.glob(os.path.join(HERE, "figures", pattern + ".svg")):
                        if not any(label in line for line in results.read_lines(path)):
                            stale.append("plots/figures/" + os.path.basename(path))
        for name in stale:
            print("stale: " + name)
        return 1 if stale else 0

    def take_run(self, run, folder):
        """The files of a run become recorded ones, if they can be; returns the folder's name."""
        names, gpu = RECORDED, ""
        bandwidth = os.path.join(run, "bandwidth.tsv")
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
                    # Of the shapes a peer may have failed: then its place is empty.
                    if row["status"] == "failed" and not (name == "shapes" and row["step"] == "peers"):
                        raise Usage("%s: %s of %s failed; a run with a failure is not recorded"
                                    % (file, row["variant"], row["step"]))
                if not same_gpu:
                    raise Usage("%s is of another GPU than bandwidth.tsv" % file)
            elif not same_gpu:
                print("%s.tsv was not counted on this GPU: not recorded" % name)
                continue
            self.take(file, "plots/results/%s/%s.tsv" % (folder, name), os.path.join(self.results, folder))
        probes = os.path.join(run, "probes.tsv")
        if gpu and os.path.isfile(probes):
            if results.read(probes, "probes").head.get("gpu") != gpu:
                raise Usage("%s is of another GPU than bandwidth.tsv" % probes)
            self.take(probes, "shared/traffic/tests/probes_%s.tsv" % folder)
        self.tables = {}
        if not self.shown and gpu:
            self.shown = folder

    def take(self, file, path, *folders):
        """Copies a file to where it is made, and to these folders."""
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
