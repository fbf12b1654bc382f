#!/usr/bin/env python3
"""Checks that a page (a lesson, a chapter, a log, a README) agrees with programs, results and files.

  * The lines of a ```cuda block are consecutive lines of the step's program. A line of three dots stands
    for lines left out. "```cuda shared/harness/ptx.h" quotes that file instead.
  * A line `$ COMMAND` in a ```console block is run in the page's folder, with the program `layout` in
    PATH. It must print the lines up to the next `$` or the end of the block. `make cpu` and `make try`
    must name the variants they run (`--variant`), so that a new variant changes no page.
  * A `make try` in a ```sh block that begins with `cd FOLDER` succeeds there.
  * A measured number in a step's page or in the README has a comment that says where it was recorded
    (plots/quote.sh --help), and equals the recorded number. If a comment compares two variants, the page
    names both.
  * A number quoted from other people or from a log is in the source that its comment names (said.py).
  * Every table row whose second column is a traffic counter agrees with the recorded counts.
  * Every link to a file leads to a file.
  * A lesson has its parts: minutes, what to know first, links to its neighbours, a prediction, something
    to try, three questions. Results come after the prediction and are folded; no number of the step's own
    variants comes before it.
  * The entries of a log (`## 7. ...` or `* **7. ...`) are in the order of their numbers.

plots/record.sh --check checks the other tables, which plots/record.sh writes.

usage: page.py [--update] FILE [FOLDER [PROGRAM]]

FOLDER holds the program `layout` (default: page.py builds it). PROGRAM is the step's program, built for
the CPU (default: make builds it if a command needs it). --update writes the output of the commands into
the page. Exit status: 0, 1 if a check failed, 2 for wrong usage.
"""
import difflib
import fcntl
import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "plots"))
import results  # noqa: E402
import said  # noqa: E402

RECORDED = ROOT / "plots/results"
QUOTED = re.compile(r"[0-9]+(?:\.[0-9]+)?<!--([^>]*)-->")
UNIT = r"(?:%|percent|GB/s|TB/s|GB|ms|us|ns|points?|times as|of the copy)(?:[^A-Za-z]|$)"
FIGURE = re.compile(r"[0-9@.]+(?:(?:,|,? and|,? or| to| against| →) [0-9@.]+)* ?" + UNIT)
COUNTER = re.compile(r"(global|shared)_(load|store)$|async_copy_")
LESSON_PARTS = (
    r"\*\*Time:\*\* about [0-9]* minutes", r"\*\*Know first:\*\* ", "## Predict$", "## Try this$", "## Questions$",
    "## Sources$", "## What the counters say$", r"<!-- output[a-z0-9_ ]*: begin \(plots/record.sh writes this\) -->$",
    "<!-- output: end -->$")


class Page:
    """A page, and how many checks of it passed and failed."""

    def __init__(self, path, folder_of_layout, built):
        self.path = Path(path).resolve()
        self.name = os.path.relpath(self.path, ROOT)
        self.folder = self.path.parent
        self.lines = self.path.read_text().splitlines()
        self.step = self.program = None
        if self.name.startswith("steps/"):
            self.step = self.folder.name
            self.program = re.search(r"^PROGRAM *:= *(\S+)", (self.folder / "Makefile").read_text(), re.M).group(1)
        self.built = built  # the step's program for the CPU, or None
        self.environment = dict(os.environ, PATH="%s:%s" % (folder_of_layout, os.environ["PATH"]))
        self.passed = self.failed = 0

    def check(self, good, text):
        """Counts a check, and prints the text if it failed."""
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print("FAILED: %s:%s" % (self.name, text))

    def quotes(self):
        """Checks the ```cuda blocks."""
        inside = False
        for number, line in enumerate(self.lines, 1):
            if line.startswith("```cuda"):
                file = (line.split() + ["steps/%s/%s.cu" % (self.step, self.program)])[1]
                text = (ROOT / file).read_text() if (ROOT / file).is_file() else ""
                source = [other for other in text.splitlines() if other.strip()]
                inside, after, quoted = True, 0, []
            elif inside and (line.startswith("```") or line.strip() == "..."):
                found = [at for at in range(after, len(source)) if source[at:at + len(quoted)] == quoted]
                self.check(found or not quoted, "%d: not in %s, in this order: %s" % (number, file, quoted[:1]))
                if found:
                    after = found[0] + len(quoted)
                inside, quoted = not line.startswith("```"), []
            elif inside and line.strip():
                quoted.append(line)

    def output_of(self, command):
        """Runs a command in the page's folder; returns its output as lines."""
        lock = os.open(self.folder, os.O_RDONLY)
        try:
            if re.search("make.*cpu", command):  # only one page of a folder at a time runs make there
                fcntl.flock(lock, fcntl.LOCK_EX)
                self.put_program()
            run = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, encoding="utf-8",
                                 errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, check=False)
        finally:
            os.close(lock)
        return run.stdout.splitlines()

    def put_program(self):
        """Copies PROGRAM, if given, to the page's folder, so that make does not build it again."""
        if not self.built or not os.access(self.built, os.X_OK):
            return
        place = self.folder / (self.program + ".cpu")
        if not place.exists() or not filecmp.cmp(self.built, place, shallow=False):
            part = "%s.%d" % (place, os.getpid())
            shutil.copy(self.built, part)
            os.replace(part, place)
        os.utime(place)

    def commands(self, update):
        """Checks the ```console blocks, or updates them."""
        new, at, inside = [], 0, False
        while at < len(self.lines):
            line = self.lines[at]
            at += 1
            new.append(line)
            if not inside:
                inside = line == "```console"
            elif line == "```":
                inside = False
            elif line.startswith("$ "):
                begin = at
                while at < len(self.lines) and self.lines[at] != "```" and not self.lines[at].startswith("$ "):
                    at += 1
                if re.search(r"make (-s cpu|try) ", line):
                    self.check(re.search("--(variant|guide)", line), " %s\nnames no variant" % line)
                expected, actual = self.lines[begin:at], self.output_of(line[2:])
                if not update:
                    self.check(expected == actual, " %s\n%s" % (
                        line, "\n".join(difflib.unified_diff(expected, actual, "page", "output", n=0, lineterm=""))))
                new += actual
        if update and new != self.lines:
            self.path.write_text("\n".join(new) + "\n")
            self.lines = new

    def tries(self):
        """Checks that `make try` succeeds in the ```sh blocks that say in which folder."""
        for place, block in re.findall(r"^```sh\ncd (\S+)\n(.*?)^```", "\n".join(self.lines), re.M | re.S):
            for line in re.findall("^make try .*", block, re.M):
                run = subprocess.run(["bash", "-c", line], cwd=self.folder / place, env=self.environment,
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
                self.check(run.returncode == 0, " fails in %s: %s" % (place, line))

    def bare_figures(self):
        """Checks that every measured number has a comment with its source."""
        fenced = written = False
        for number, line in enumerate(self.lines, 1):
            fenced ^= line.startswith("```")
            written = bool(re.match(r"<!-- .*: begin \(", line)) or written and not re.match("<!-- .*: end -->$", line)
            if fenced or written:
                continue
            line = QUOTED.sub("@", line)  # @ is a figure with its source
            line = re.sub(r"(^|[^0-9.@])100 %|1 GB is 1e9 bytes", "", line)
            line = re.sub(r"`[^`]*`|[A-Za-z]+[0-9]+", "", line)
            line = re.sub(r"\]\([^)]*\)", "]", line)
            for figure in FIGURE.findall(line):
                if re.search("[0-9]", figure):
                    self.check(False, "%d: %s: a number without a comment that says where it was recorded "
                               "(plots/quote.sh --help)" % (number, figure))

    def recorded_figures(self):
        """Checks that every quoted number equals the recorded one, and that the page names the variants it compares."""
        with tempfile.NamedTemporaryFile("r") as pairs:
            quote = subprocess.run([ROOT / "plots/quote.sh", self.path, "--pairs", pairs.name], encoding="utf-8",
                                   stdout=subprocess.PIPE, check=False)
            compared = [line.split() for line in pairs.read().splitlines()]
        actual = quote.stdout.splitlines()
        self.check(quote.returncode == 0 and actual == self.lines,
                   " figures are not what was recorded: plots/record.sh --refresh writes them\n"
                   + "\n".join(difflib.unified_diff(self.lines, actual, "page", "recorded", n=0, lineterm="")))
        for number, variant in compared:
            self.check(any("`%s`" % variant in line for line in self.lines),
                       "%s: compares with %s, which the page does not name" % (number, variant))

    def counter_rows(self):
        """Checks rows `| variant | counter | requests | work | work per request |`, at 1024 x 1024."""
        recorded = {}
        for row in results.read(RECORDED / "h200/counts.tsv").rows:
            if row["step"] == self.step and row["rows"] == "1024":
                recorded[row["variant"], row["counter"]] = row["requests"], row["work"]
        for line in self.lines:
            cells = [cell.strip() for cell in line.split("|")] + [""] * 5
            if COUNTER.match(cells[2]):
                requests, work = recorded.get((cells[1].replace("`", ""), cells[2]), ("", ""))
                ratio = float(work) / float(requests) if requests not in ("", "0") else 0
                self.check(requests and cells[3:5] == [requests, work] and float(cells[5] or 0) == ratio,
                           " not what was recorded: " + line)

    def links(self):
        """Checks that the links to files lead to files."""
        for target in re.findall(r"\]\(([^)]*)\)", "\n".join(self.lines)):
            if not re.match("https?:", target):
                target = target.split("#")[0]
                self.check((self.folder / target).exists(), " no file " + target)

    def parts(self):
        """Checks that a lesson has its parts."""
        def count(pattern):
            return sum(1 for line in self.lines if re.match(pattern, line))

        for part in ("# Step %s: " % self.step.split("_")[0],) + LESSON_PARTS:
            self.check(count(part) == 1, " must be there exactly once: " + part)
        questions = re.search("^## Questions$(.*?)^## Exercises$", "\n".join(self.lines), re.M | re.S)
        self.check(questions and len(re.findall("^<details>", questions.group(1), re.M)) >= 3,
                   " fewer than three questions with answers")
        self.check(count("<details>") == count("</details>$"), " <details> and </details> do not match")
        way = "\n".join(self.lines[:3])  # the links to the contents and the lesson before
        self.check("](../../README.md)" in way, " no link to the contents in its third line")
        steps = sorted(path.name for path in (ROOT / "steps").glob("[0-9]*") if path.is_dir() and not path.is_symlink())
        before = steps[:steps.index(self.step)][-1:]
        for step in before:
            self.check("](../%s/README.md)" % step in way, " no link back in its third line")

    def spoilers(self):
        """Checks that results come after the prediction and are folded."""
        shown = RECORDED / (RECORDED / "shown").read_text().strip() / "bandwidth.tsv"
        own = {row["variant"] for row in results.read(shown).rows if row["step"] == self.step}
        predicted = folded = False
        for number, line in enumerate(self.lines, 1):
            predicted |= line == "## Predict"
            folded = line.startswith("<details>") or folded and line != "</details>"
            result = re.match(r"<!-- (output.*|rows .*): begin|\|.*\| *(global|shared)_(load|store) *\|", line)
            if result and not (predicted and folded):
                self.check(False, "%d: results before the prediction, or unfolded" % number)
            for source in [] if predicted else re.findall("[0-9]<!--([^>]*)-->", line):
                for word in own.intersection(re.split("[ :@#]", source)):
                    self.check(False, "%d: a figure of %s before the prediction" % (number, word))

    def order(self):
        """Checks that a log's entries are in the order of their numbers."""
        numbers = [int(n) for n in re.findall(r"^(?:## |\* \*\*)([0-9]+)\. ", "\n".join(self.lines), re.M)]
        self.check(all(a < b for a, b in zip(numbers, numbers[1:])), " entries out of order")

    def all(self, update):
        """Makes all checks for a page at this place in the tree."""
        self.quotes()
        self.commands(update)
        self.tries()
        in_results = self.name.startswith("plots/results/")
        predictions = in_results and self.path.name == "lessons.md"  # its bare figures are predictions
        if self.step or predictions or self.name in ("README.md", "plots/results/README.md"):
            if not predictions:
                self.bare_figures()
            self.recorded_figures()
        for line in said.wrong(self.path):
            self.check(False, line)
        if self.step:
            self.counter_rows()
        self.links()
        if self.step and self.path.name == "README.md":
            self.parts()
            self.spoilers()
        if in_results:
            self.order()
        print("%d passed, %d failed" % (self.passed, self.failed))
        return self.failed > 0


def main(arguments):
    update = arguments[:1] == ["--update"]
    arguments = arguments[update:]
    if not 1 <= len(arguments) <= 3 or arguments[0].startswith("-"):
        print(__doc__)
        return 0 if arguments in (["--help"], ["-h"]) else 2
    with tempfile.TemporaryDirectory() as work:
        layout = os.path.abspath(arguments[1]) if len(arguments) > 1 else work + "/layout"
        if len(arguments) == 1:
            for part in ("layout", "traffic"):
                shutil.copytree(ROOT / "shared" / part, work + "/" + part)
            subprocess.run(["make", "-s", "-C", layout, "layout"], check=True)
        return Page(arguments[0], layout, arguments[2] if len(arguments) > 2 else None).all(update)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
