"""usage: book.sh [--results DIR] [--programs DIR | --no-players] OUT

Makes one HTML book of the workbook in OUT: lessons, chapters, the pages of the libraries and the
logs, with search, predictions, the layout bench, and players (pages that replay a step's kernels,
access by access). The book needs no server and no network: open OUT/index.html. book.sh needs python3
with markdown-it-py and Pygments; for the bench also clang, lld and wasi-libc, for the players what cpucc
needs. If it cannot make the bench or a player, it says so and makes the rest.

  --results DIR   show the charts of your own runs (DIR/figures) instead of the recorded ones
  --programs DIR  make the players with programs that cpucc has built already, DIR/NN_word
  --no-players    leave out the players

Exit status: 0 done, 1 a page could not be made, 2 wrong usage, 3 markdown-it-py or Pygments is missing.
"""
import base64
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
TOOLS = ("layout", "traffic", "cpucc", "exercises")  # these components of shared/ come first in the contents
# of a program as WebAssembly whose memory bench/layout.js resets before each run
RUN_OFTEN = ["-mmutable-globals", "-Wl,--strip-all", "-Wl,--export=__stack_pointer", "-Wl,-z,stack-size=1048576"]
# before a player: the way back, and a switch for what would help, which can be the idea of a later lesson
PLAYER_HEAD = """<nav class="legend" aria-label="Lesson"><a href="index.html">Back to the lesson</a>
<label><input type="checkbox" id="advice"> Show what would help (it can tell a later lesson)</label></nav>
<style>body:not(:has(#advice:checked)) :is([data-advice], [data-tried], [data-exchanged], .advice) { display: none; }</style>
<main id="page">"""
PROCESSORS = len(os.sched_getaffinity(0))


def stop(status, message):
    """Print one line of error and exit."""
    print(f"book.sh: {message}", file=sys.stderr)
    sys.exit(status)


def options(words):
    """Return the command line as a dictionary with the keys results, programs, players and out."""
    asked, words = {"results": None, "programs": None, "players": True, "out": None}, list(words)
    while words:
        word = words.pop(0)
        if word in ("--results", "--programs"):
            if not words or not words[0]:
                stop(2, f"{word}: a value is needed after it")
            asked[word[2:]] = Path(words.pop(0)).resolve()
        elif word == "--no-players":
            asked["players"] = False
        elif word == "--help":
            print(__doc__, end="")
            sys.exit(0)
        elif word.startswith("-"):
            stop(2, f"{word}: unknown option (see --help)")
        elif asked["out"]:
            stop(2, f"{word}: one folder at a time (see --help)")
        else:
            asked["out"] = Path(word).resolve()
    if not asked["out"]:
        stop(2, "where to? (see --help)")
    return asked


ASKED = options(sys.argv[1:])
try:
    import frame
    import pages
except ModuleNotFoundError as missing:
    stop(3, f"the Python module {missing.name} is missing; ./run_all.sh --install --book installs it")


def title_of(path):
    """Return the first heading of a Markdown file, as text."""
    found = re.search(r"^# *(.*)", pages.read(path), flags=re.M)
    return re.sub(r"`|<!--.*?-->", "", found[1]).strip() if found else path.name


def chapters(folder):
    """Return the Markdown files beside a README.md: first those that it links, in its order, then the others."""
    named = re.findall(r"\]\(([a-z_0-9]+\.md)", pages.read(folder / "README.md"))
    names = list(dict.fromkeys(named + sorted(path.name for path in folder.glob("*.md"))))
    return [folder / name for name in names if name != "README.md" and (folder / name).is_file()]


def steps():
    """Return the folders of the steps, without symbolic links."""
    return [path for path in sorted((ROOT / "steps").glob("[0-9][0-9]_*")) if path.is_dir() and not path.is_symlink()]


def program_of(step):
    """Return the name of a step's program, without .cu."""
    name = re.search(r"^PROGRAM *:?= *(\S*) *$", pages.read(step / "Makefile"), flags=re.M) \
        if (step / "Makefile").is_file() else None
    return name[1] if name else step.name


def solved_exercises(results):
    """Return the names of the exercises that the checker marked solved here."""
    found = set()
    for verdict in (results / "exercises/now").glob("*") if results else ():
        said = pages.read(verdict)
        if said.startswith("solved\t") and said.endswith("end\t\n"):
            found.add(verdict.name)
    return found


def solved_in_steps(solved):
    """Return per folder of a step in the book how many of its exercises are solved, and how many there are."""
    names = {step: [path.parent.name for path in step.glob("exercises/*/task.cu")] for step in steps()}
    return {f"steps/{step.name}/": (len(solved.intersection(some)), len(some)) for step, some in names.items() if some}


def flight_points():
    """Return a dictionary for each kernel whose bytes in flight are recorded, for the live figure."""
    for path in sorted((ROOT / "plots/results").glob("*/in_flight.tsv"), reverse=True):
        head, *rows = [line.split("\t") for line in pages.read(path).splitlines() if not line.startswith("#")]
        named = [dict(zip(head, row)) for row in rows]
        return [{"name": one["kernel"], "kb": float(one["in_flight_kb"]), "said": f"{one['gb_per_s']} GB/s"} for one in named]
    return []


def list_pages():
    """Return the pages of the contents, in reading order."""
    entries = {}

    def add(group, level, path, place=None, title=None, before=False):
        source = path.relative_to(ROOT).as_posix()
        place = place or re.sub(r"\.md$", ".html", re.sub(r"README\.md$", "index.html", source))
        entries.setdefault(place, frame.Entry(source, place, group, level, title or title_of(path), before))

    def add_folder(group, folder):
        if (folder / "README.md").is_file():
            add(group, 1, folder / "README.md")
            known = re.search(r"^\*\*Know first:\*\*(?:.+\n)*", pages.read(folder / "README.md"), flags=re.M)
            for chapter in chapters(folder):
                add(group, 2, chapter, before=bool(known) and f"]({chapter.name})" in known[0])

    add("Begin", 1, ROOT / "README.md")
    for step in steps():
        add_folder("Steps", step)
        program = step / f"{program_of(step)}.cu"
        if program.is_file():
            source = program.relative_to(ROOT).as_posix()
            add("Steps", 2, program, source + ".html", f"The program {program.name}")
        if (step / "README.md").is_file() and (step / "exercises").is_dir():
            add("Steps", 2, step / "exercises", f"steps/{step.name}/exercises.html",
                f"Exercises of step {step.name[:2]}")
    add("Tools", 1, ROOT / "bench", "bench.html", "The layout bench")
    for folder in [ROOT / "shared" / name for name in TOOLS] + sorted((ROOT / "shared").iterdir()):
        add_folder("Tools", folder)
    results = sorted((ROOT / "plots/results").glob("*"))
    for folder in [ROOT / "plots", ROOT / "plots/results", *results]:
        add_folder("Results and logs", folder)
    if (ROOT / ".github/CONTRIBUTING.md").is_file():
        add("More", 1, ROOT / ".github/CONTRIBUTING.md")
    return list(entries.values())


class Book:
    """A book that is being made: its folder, its pages, the running processes, and the number of failures."""

    def __init__(self, out, results, work, processes):
        self.out, self.work, self.processes, self.failures = out, work, processes, 0
        self.entries = list_pages()
        figures = results / "figures" if results else None
        own = {path.name: path for path in figures.iterdir() if path.is_file()} if figures and figures.is_dir() else {}
        self.solved = solved_exercises(results)
        self.links = pages.Links(ROOT, self.entries, own)
        self.index = []

    def failed(self, message):
        """Count a failure and print it; making the book goes on."""
        self.failures += 1
        print(f"book.sh: {message}", file=sys.stderr)

    def write(self, name, content):
        """Write a file of the book, from text or bytes."""
        path = self.out / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "replace"))
        except OSError:
            self.failed(f"{name}: cannot write")

    def write_page(self, entry, text, sections=()):
        """Write a page of the contents."""
        first = entry is self.entries[0]
        self.write(entry.html, frame.whole_page(
            self.entries, entry.html, entry.title + ("" if first else " - Transpose workbook"),
            "source" if entry.source.endswith(".cu") else "lesson" if entry.source.startswith("steps/") else "page", text, sections))

    def run(self, command, log, **more):
        """Run a command with its output in a log. Return True if it succeeded."""
        try:
            with subprocess.Popen(command, cwd=ROOT, stderr=log, start_new_session=True,
                                  **{"stdout": log, **more}) as process:
                self.processes.add(process)
                status = process.wait()
                self.processes.discard(process)
        except OSError as error:
            log.write(f"{error}\n".encode())
            return False
        return status == 0

    # ---- players: pages that replay the steps' kernels; a run on the CPU writes them (CPUCC_REPORT=html) ----

    def make_player(self, step, programs):
        """Make one step's player.html. If that fails, the step's log has the reason."""
        page, program = self.work / f"{step.name}.html", programs / step.name if programs else None
        with open(self.work / f"{step.name}.log", "wb") as log:
            if not program or not os.access(program, os.X_OK):
                program = self.work / f"{step.name}.cpu"
                source = f"steps/{step.name}/{program_of(step)}.cu"
                if not self.run(["shared/cpucc/cpucc", "-Ishared", source, "-o", program], log):
                    return
            report = {"CPUCC_REPORT": "html", "CPUCC_REPORT_FILE": str(page)}
            if self.run([program, "--size", "64"], log, stdout=subprocess.DEVNULL, env={**os.environ, **report}):
                self.write(f"steps/{step.name}/player.html", pages.read(page).replace('<main id="page">', PLAYER_HEAD, 1))

    def make_players(self, programs):
        """Make the players of all steps, PROCESSORS at a time."""
        for old in self.out.glob("steps/*/player.html"):
            old.unlink()
        if subprocess.run("shared/cpucc/find_clang.sh", cwd=ROOT, stdout=subprocess.DEVNULL, check=False).returncode:
            print("no clang for a run on the CPU: the players are left out; ./run_all.sh --install installs one")
            return
        done = 0

        def make(step):
            nonlocal done
            self.make_player(step, programs)
            done += 1
            print(f"player {done} of {len(played)}: {step.name}", flush=True)

        played = [step for step in steps() if (step / "Makefile").is_file()]
        print("building the programs of the players; the first one also builds cpucc", flush=True)
        for step in played[:1]:  # first alone, to build cpucc's run time once
            make(step)
        with ThreadPoolExecutor(PROCESSORS) as pool:
            list(pool.map(make, played[1:]))
        for step in played:
            if not (self.out / "steps" / step.name / "player.html").is_file():
                said = [line for line in pages.read(self.work / f"{step.name}.log").splitlines() if line[:1] != " "]
                self.failed(f"no player of {step.name}: {''.join(said[:1])}")

    # ---- pages ----

    def make_page(self, entry):
        """Make one page of the contents and add its words to the search index."""
        try:
            text, found, sections = self.text_of(entry)
        except OSError as error:
            self.failed(f"{entry.source}: no page of it could be made: {error}")
            return
        self.index += [(self.entries.index(entry), *one) for one in found]
        self.write_page(entry, text, sections)

    def text_of(self, entry):
        """Return the HTML text of a page of the contents, its search entries and its sections."""
        if entry.source.endswith("/exercises"):
            return (*pages.exercises(self.links, self.entries, entry, self.solved), ())
        if not entry.source.endswith(".md"):
            program = pages.read(ROOT / entry.source)
            said = " ".join(" ".join(pages.task_parts(program)[0]).split())
            return pages.source_text(entry.source, program), [("", entry.title, said, 0)], ()
        player = re.fullmatch("steps/[^/]*/index.html", entry.html) and \
            (self.out / entry.html).with_name("player.html").is_file()
        body = pages.markdown_body(self.links, entry.source, pages.read(ROOT / entry.source), entry.title, player)
        text = pages.landing(body, self.entries, solved_in_steps(self.solved)) if entry is self.entries[0] else body.text
        return text, body.index, body.sections

    def make_used(self):
        """Make the images, files and folders of the tree that pages link to."""
        used = set(self.links.used)
        for kind, path in self.links.used:
            if kind == "folder":
                used |= {("file", f"{path}/{one.name}") for one in (ROOT / path).iterdir()
                         if one.is_file() and not one.is_symlink()}
        for kind, path in sorted(used):
            if path in self.links.html_of:
                continue
            if kind == "image":
                file = self.links.own_figures.get(Path(path).name, ROOT / path)
                self.write(path, file.read_bytes())
                continue
            if kind == "folder":
                names = sorted(one[len(path) + 1:] for sort, one in used
                               if sort == "file" and one.rpartition("/")[0] == path and (ROOT / one).is_file())
                title, place, text = path, path + "/index.html", pages.folder_text(path, names)
            else:
                title, place, text = Path(path).name, path + ".html", pages.source_text(path, pages.read(ROOT / path))
            self.write(place, frame.whole_page(self.entries, place, title + " - Transpose workbook", "source", text))

    def wasm_compiler(self, log):
        """Return the name of a clang that compiles to WebAssembly; empty if there is none."""
        return subprocess.run(HERE / "bench/compiler.sh", stdout=subprocess.PIPE, stderr=log, text=True,
                              check=False).stdout.strip()

    def layout_module(self):
        """Compile the program `layout` to WebAssembly. Return it in base64, or None if that fails."""
        program, log_file = self.work / "layout.wasm", self.work / "wasm.log"
        with open(log_file, "wb") as log:
            clang = self.wasm_compiler(log)
            flags = [f"CC={clang} --target=wasm32-wasi", "CFLAGS=-Os", f"program={program}", "LDFLAGS=" + " ".join(RUN_OFTEN)]
            if clang and self.run(["make", "-s", "-C", "shared/layout", *flags, program], log):
                return base64.b64encode(program.read_bytes()).decode()
        print("\n".join(pages.read(log_file).splitlines()[:2]), file=sys.stderr)
        return None

    def make_figures(self):
        """Make the scripts of the live figures and of the lab, with their WebAssembly. Return True if that succeeds."""
        sources = {"traffic": ["book/figures/model"], "lab": [
            *(f"book/lab/{name}" for name in ("token", "parse", "run", "lab", "main")),
            *(f"exercises/checker/{name}" for name in ("assignment", "goals", "predictions"))]}
        modules = {}
        with open(self.work / "figures.log", "wb") as log:
            clang = self.wasm_compiler(log)
            for name, files in sources.items():
                module = self.work / f"{name}.wasm"
                flags = RUN_OFTEN if name == "lab" else ["-mexec-model=reactor", "-Wl,--strip-all"]
                if not clang or not self.run([clang, "--target=wasm32-wasi", "-Os", *flags, "-Ishared",
                                              *(f"shared/{file}.c" for file in [*files, "traffic/traffic"]), "-o", module], log):
                    return False
                modules[name] = f"const {name}Base64 = '{base64.b64encode(module.read_bytes()).decode()}';\n"
        figures = [modules["traffic"], f"const flightPoints = {json.dumps(flight_points())};\n"]
        figures += [pages.read(HERE / name) for name in ("make.js", "figures/model.js", "figures/draw.js", "figures/figures.js")]
        lab = [modules["lab"], *(pages.read(HERE / name) for name in ("bench/layout.js", "lab/lab.js"))]
        for name, parts in ("figures.js", figures), ("lab.js", figures + lab):
            self.write(name, f"'use strict';\n(function () {{\n{''.join(parts)}}})();\n")
        return True

    def make_bench(self, module):
        """Make the page of the layout bench with this WebAssembly module."""
        if module:
            scripts = "".join(pages.read(HERE / name) for name in ("make.js", "figures/draw.js", "bench/layout.js",
                                                                   "bench/bench.js"))
            text = pages.read(HERE / "bench/bench.html") + \
                f'<script>\nconst layoutBase64 = "{module}";\n{scripts}</script>'
        else:
            print("no WebAssembly compiler (clang, lld, wasi-libc): the layout bench is left out; "
                  "./run_all.sh --install --book installs them")
            text = "<p>This book was made without a WebAssembly compiler, so the bench is missing. " \
                   "<code>./run_all.sh --install --book</code> installs one.</p>"
        self.write_page(next(entry for entry in self.entries if entry.html == "bench.html"), text)

    def make(self, players, programs):
        """Make the whole book. Return True if nothing failed."""
        self.links.live = self.make_figures()
        with ThreadPoolExecutor(1) as pool:
            module = pool.submit(self.layout_module)
            if players:
                self.make_players(programs)
            for entry in self.entries:
                if entry.html != "bench.html":
                    self.make_page(entry)
            self.write("search.js", pages.search_script(self.entries, self.index))
            self.make_used()
            self.make_bench(module.result())
        colours = ROOT / "shared/cpucc/page/colours.css"
        self.write("style.css", colours.read_bytes() + (HERE / "style.css").read_bytes())
        scripts = "".join(pages.read(HERE / f"{name}.js") for name in ("make", "book", "predict", "find", "start"))
        self.write("book.js", f"'use strict';\n(function () {{\n{scripts}}})();\n")
        print(f"the book: {self.out}/index.html ({len(self.entries)} pages)")
        return self.failures == 0


def main():
    """Make the book. Remove the scratch files, also if a signal ends the program."""
    out = ASKED["out"]
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError:
        stop(1, f"{out}: cannot write there")
    processes, scratch = set(), []

    def interrupted(number, _):
        for process in list(processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for folder in scratch:
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(128 + number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    scratch.append(tempfile.mkdtemp())
    os.environ["TMPDIR"] = scratch[0]  # where a compiler leaves its files if a signal ends it
    try:
        book = Book(out, ASKED["results"], Path(scratch[0]), processes)
        return 0 if book.make(ASKED["players"], ASKED["programs"]) else 1
    finally:
        shutil.rmtree(scratch[0], ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
