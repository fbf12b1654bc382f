#!/usr/bin/env python3
"""Checks a rule of the whole tree.

usage: rules.py components|steps|sizes

components  Components of shared/ use only those below them, by their includes and paths. Only step.mk
            names them all. The harness's headers also name no other component in comments, and no
            program asks which machine it runs on (__CPUCC__).
steps       Steps are found, not listed: shared/ outside tests names no step, no file but the README
            names them all, and no step includes another.
sizes       No code file outside tests is longer than 500 lines and no awk program longer than 5 lines. A file
            that begins with #! may be executed. Prints how large the tree is.

Exit status: 0, 1 if something breaks the rule.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]

# Component -> the components that it may use. A component that is not listed may use all.
BELOW = {
    "traffic": "", "harness": "", "transpose": "", "layout": "traffic", "cpucc": "traffic",
    "exercises": "harness cpucc layout traffic run_all", "peers": "harness cpucc", "profile": "harness cpucc"}
NAMED = re.compile(r"""(?:shared["']?/|SHARED[)}]/|\.\./|\#include\ ["<]|home["']?/\.\./)([a-z_]+)(?=["']?/)""", re.X)

MACHINE_FREE = re.compile(r"(shared/(harness|exercises|peers)|steps/[0-9][^/]*)/.*\.(h|cu|cuh)$")
HARNESS_INCLUDE = re.compile(r"[a-z]+\.h|cuda_runtime\.h|sys/stat\.h")

LONGEST, LONGEST_AWK = 500, 5
CODE = re.compile(r"\.(c|h|cu|cuh|py|js|sh|awk|gp|cmake)$|^shared/cpucc/include/")
SCRIPT = re.compile(r"\.(sh|awk|py)$")
TESTS = re.compile(r"(^|/)tests/")


def tree():
    """Yields the name and text of every file of the tree, without links and files that git ignores."""
    listed = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, check=False)
    if listed.returncode == 0:
        names = listed.stdout.decode().split("\0")[:-1]
    else:
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")]
        names = [name for name in names if not name.startswith(("out/", "build/"))]
    for name in sorted(names):
        path = ROOT / name
        if path.is_file() and not path.is_symlink():
            yield name, path.read_bytes().decode("utf-8", "replace")


def is_script(name, text):
    return SCRIPT.search(name) or re.match(r"#!.*\b(sh|bash|python3)\b", text)


def without_comments(name, text):
    """Returns the text of a source or script without its comments."""
    if re.search(r"\.(c|h|cu|cuh)$", name) or "/include/" in name:
        return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    return re.sub(r"(^|[ \t])#( .*|$)", "", text, flags=re.M)


def harness_violations(text, headers):
    """Yields what a header of the harness includes or names but must not."""
    lines = text.splitlines()
    for before, line in zip([""] + lines, lines):
        include = re.match(r' *# *include *(["<])([^">]*)', line)
        name = include and include[2]
        if include and not (name in headers if include[1] == '"' else HARNESS_INCLUDE.fullmatch(name) or
                            name == "harness_hooks.h" and before == "#if __has_include(<%s>)" % name):
            yield "includes %s" % name
        named = re.search(r"cpucc|\.\./|shared/|(traffic|layout|exercises|peers|profile|book)/", line, re.I)
        if named:
            yield "names %s" % named[0]


def component_violations(name, text, all_components, headers):
    """Yields the file's violations of the rule `components`."""
    parts = name.split("/")
    code = without_comments(name, text)
    if parts[0] == "shared" and len(parts) > 2 and not TESTS.search(name) and not name.endswith((".md", "/step.mk")):
        allowed = {parts[1]} | set(BELOW[parts[1]].split() if parts[1] in BELOW else all_components)
        if name.startswith("shared/cpucc/harness/"):
            allowed.add("harness")  # these files connect cpucc and the harness
        for used in sorted((set(NAMED.findall(code)) & all_components) - allowed):
            yield "%s uses shared/%s" % (name, used)
    if MACHINE_FREE.match(name) and "__CPUCC__" in code:
        yield "%s asks for __CPUCC__" % name
    if re.match(r"shared/harness/[^/]*\.h$", name):
        yield from ("%s %s" % (name, what) for what in harness_violations(text, headers))


def components():
    known = {path.name for path in (ROOT / "shared").iterdir() if path.is_dir()}
    headers = {path.name for path in (ROOT / "shared/harness").glob("*.h")}
    bad = [("harness/timing.h", line) for line in (
        '#include "cpucc/cpucc.h"', "#ifdef __CPUCC__", "#include <harness_hooks.h>",
        '#include "../layout/layout.h"', "#include <layout/layout.h>", "/* as cpucc does */")]
    bad += [("traffic/a.c", '#include "../layout/layout.h"'), ("layout/a.c", '#include "cpucc/a.h"'),
            ("cpucc/cpucc", 'cat "$home"/../harness/ptx.h'), ("peers/CMakeLists.txt", "${SHARED}/book/a")]
    for name, line in bad:
        if not list(component_violations("shared/" + name, line + "\n", known, headers)):
            yield "rules.py does not find this violation: %s with the line %s" % (name, line)
    for name, text in tree():
        yield from component_violations(name, text, known, headers)


def steps():
    folders = [path for path in sorted((ROOT / "steps").glob("[0-9][0-9]_*")) if not path.is_symlink()]
    if len(folders) < 3:
        yield "only %d steps were found" % len(folders)
    any_step = re.compile("|".join(path.name for path in folders))
    for name, text in tree():
        if name.startswith(("steps/", "plots/results/", "plots/figures/")):
            continue
        named = set(any_step.findall(text))
        if len(named) >= len(folders) - 1 and name != "README.md" and not re.search("tests/.*data/", name):
            yield "%s lists the steps" % name
        if named and name.startswith("shared/") and not TESTS.search(name):
            yield "%s names %s" % (name, named.pop())
    for folder in folders:
        for source in folder.glob("*.cu*"):
            if re.search(r"^ *# *include .*(\.\./|steps/)", source.read_text(), re.M):
                yield "%s includes another step" % source.relative_to(ROOT)


def awk_programs(name, text):
    """Returns a file's awk programs: the file itself, or the programs quoted in a script."""
    if name.endswith(".awk"):
        return [text]
    if not is_script(name, text) or name.endswith(".py"):
        return []
    return re.findall(r"^[^#\n']*\bawk\b[^'\n|]*(?:'[^'\n]*'[^'\n|]*)*'([^']*)'", text, re.M)


def sizes():
    files = lines = script_lines = awk_lines = 0
    for name, text in tree():
        length = text.count("\n")
        files += 1
        lines += length
        script_lines += length if is_script(name, text) else 0
        if CODE.search(name) and not TESTS.search(name) and length > LONGEST:
            yield "%s has %d lines" % (name, length)
        if text.startswith("#!") and not os.access(ROOT / name, os.X_OK):
            yield "%s cannot be executed" % name
        for program in awk_programs(name, text):
            awk_lines += program.count("\n") + 1
            if program.count("\n") >= LONGEST_AWK:
                yield "%s: an awk program of %d lines: %s" % (name, program.count("\n") + 1, program.split("\n")[1])
    print("the tree has %d files and %d lines; scripts have %d lines of them, awk programs %d"
          % (files, lines, script_lines, awk_lines))


if __name__ == "__main__":
    rules = {"components": components, "steps": steps, "sizes": sizes}
    if len(sys.argv) != 2 or sys.argv[1] not in rules:
        print(__doc__)
        sys.exit(2)
    broken = list(rules[sys.argv[1]]())
    for line in broken:
        print("FAILED: " + line)
    sys.exit(len(broken) > 0)
