#!/usr/bin/env python3
"""Components of shared/ use only the components below them, in includes and in paths.

usage: layers.py

The harness also names no other component in its comments, includes harness_hooks.h only where one
is found, and no program asks which machine it runs on (__CPUCC__). Documents, tests and step.mk,
which names all components, are exempt. Exit status: 0, or 1 after a line for each violation.
"""
import os
import re
import subprocess
import sys

# What each component may use. One that is not listed may use all.
BELOW = {
    "traffic": [],
    "harness": [],
    "transpose": [],
    "layout": ["traffic"],
    "cpucc": ["traffic"],
    "exercises": ["traffic", "layout", "cpucc", "harness", "transpose"],
    "peers": ["traffic", "cpucc", "harness", "transpose"],
    "profile": ["traffic", "cpucc", "harness", "transpose"],
}
EXEMPT = re.compile(r".*\.md|shared/harness/step\.mk|shared/([a-z_]+/)?tests/.*")
C_FILE = re.compile(r".*\.(c|h|cu|cuh)|shared/cpucc/include/.*")
PATH = re.compile(r"""(?:shared["']?/|SHARED[)}]/?|\.\./|#include ["<]|home["']?/\.\./)([a-z_]+)["']?(?=/)""")
MACHINE_FREE = re.compile(r"(shared/(harness|exercises|peers)|steps/[0-9][^/]*)/.*\.(h|cu|cuh)")
HARNESS_INCLUDE = re.compile(r"[a-z]+\.h|cuda_runtime\.h|sys/stat\.h")


def code_of(path, text):
    """The text without its comments."""
    if C_FILE.fullmatch(path):
        return re.sub(r"/\*.*?\*/|//[^\n]*", "", text, flags=re.S)
    return re.sub(r"(^|[ \t])#( .*|$)", "", text, flags=re.M)


def harness_violations(text, headers):
    """What a header of the harness includes or names that it must not."""
    lines = text.splitlines()
    for before, line in zip([""] + lines, lines):
        include = re.match(r' *# *include *(["<])([^">]*)', line)
        name = include and include[2]
        if include and not (name in headers if include[1] == '"' else HARNESS_INCLUDE.fullmatch(name) or
                            name == "harness_hooks.h" and before == f"#if __has_include(<{name}>)"):
            yield f"includes {name}"
        named = re.search(r"cpucc|\.\./|shared/|(traffic|layout|exercises|peers|profile|book)/", line, re.I)
        if named:
            yield f"names {named[0]}"


def violations(path, text, components, headers):
    """What the file breaks, a line each."""
    code, component = code_of(path, text), path.split("/")[1]
    if path.startswith("shared/") and component in components and not EXEMPT.fullmatch(path):
        allowed = BELOW.get(component, components) + [component]
        if path.startswith("shared/cpucc/harness/"):  # the glue between the two
            allowed = allowed + ["harness"]
        for used in sorted(set(PATH.findall(code)) & set(components) - set(allowed)):
            yield f"uses shared/{used}"
    if MACHINE_FREE.fullmatch(path) and "__CPUCC__" in code:
        yield "asks for __CPUCC__"
    if re.fullmatch(r"shared/harness/[^/]*\.h", path):
        yield from harness_violations(text, headers)


def can_fail(components, headers):
    """Lines about known violations that would pass unseen."""
    bad = [("harness/timing.h", line) for line in (
        '#include "cpucc/cpucc.h"', "#ifdef __CPUCC__", "#include <harness_hooks.h>",
        '#include "../layout/layout.h"', "#include <layout/layout.h>", "/* as cpucc does */")]
    bad += [("traffic/a.c", '#include "../layout/layout.h"'), ("layout/a.c", '#include "cpucc/a.h"'),
            ("cpucc/cpucc", 'cat "$home"/../harness/ptx.h'), ("peers/CMakeLists.txt", "${SHARED}/book/a")]
    for path, line in bad:
        if not list(violations("shared/" + path, line + "\n", components, headers)):
            yield f"{path} passes with {line}"


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../.."))
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "shared", "steps"],
                            stdout=subprocess.PIPE, universal_newlines=True, check=False).stdout.split("\n")
    if listed == [""]:  # a copy without git's records
        listed = [os.path.join(folder, name) for top in ("shared", "steps")
                  for folder, _, names in os.walk(top) for name in names]
    files = sorted(path for path in set(listed) if os.path.isfile(path) and not os.path.islink(path))
    components = sorted({path.split("/")[1] for path in files if path.startswith("shared/")})
    headers = {os.path.basename(path) for path in files if re.fullmatch(r"shared/harness/[^/]*\.h", path)}
    failures = list(can_fail(components, headers))
    for path in files:
        with open(path, encoding="utf-8", errors="replace") as file:
            failures += [f"{path} {what}" for what in violations(path, file.read(), components, headers)]
    print("\n".join(failures + [f"{len(files)} files, {len(failures)} failures"]))
    return bool(failures or not files)


if __name__ == "__main__":
    sys.exit(main())
