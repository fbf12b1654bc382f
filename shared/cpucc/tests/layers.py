#!/usr/bin/env python3
"""Checks the layers of the run time: each folder uses only folders before it in LAYERS.

usage: layers.py [--draw]   --draw prints which folder uses which, with the number of functions and variables

It compares the folders' includes, and the symbols that the members of the compiled archive define and need. No
file includes a .c file or is longer than 450 lines. Files that build.sh compiles together have no variable of one
name, which C would take for one variable. A program of a step holds nothing of libraries/.
"""
import collections
import glob
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HOME = os.path.dirname(HERE)
# The last one is device code's own part of frontend/: PTX in asm statements, and printf.
LAYERS = ["traffic", "core", "memory", "counting", "execution", "checks", "reports", "api", "libraries", "frontend"]
HEADERS = ["include", "frontend/ptx.h", "cpucc.h"]  # of the program, or without functions


def files():
    """Returns the run time's files: path -> layer."""
    found = {}
    for layer in LAYERS[1:-1]:
        for path in glob.glob(os.path.join(HOME, layer, "*.[ch]")):
            found[path] = layer
    return found


def includes():
    """Yields messages about includes that go upwards, includes of .c files, and long files."""
    for path, layer in sorted(files().items()):
        with open(path) as file:
            text = file.read()
        name = os.path.relpath(path, HOME)
        if text.count("\n") > 450:
            yield "%s has %d lines" % (name, text.count("\n"))
        for include in re.findall(r'^#include "(.*)"', text, re.M):
            target = os.path.relpath(os.path.join(os.path.dirname(path), include), HOME)
            other = target.split("/")[1 if target.startswith("../") else 0]
            if include.endswith(".c"):
                yield "%s includes %s" % (name, include)
            if not any(target.startswith(header) for header in HEADERS) and (
                    other not in LAYERS or LAYERS.index(other) > LAYERS.index(layer)):
                yield "%s includes %s" % (name, target)


def shared_variables():
    """Yields messages about static variables that two files of a line in build.sh have."""
    with open(os.path.join(HOME, "build.sh")) as file:
        lines = re.search("^done <<'END'\n(.*?)^END", file.read(), re.M | re.S).group(1).split("\n")
    for line in lines:
        owner = {}
        for name in line.split():
            with open(os.path.join(HOME, "frontend", name + ".c")) as file:
                declared = re.findall(r"^static ([^()=\n]*)(?:=.*)?;", file.read(), re.M)
            for variable in [part for text in declared for part in re.findall(r"(\w+)(?:\[.*?\])* *(?:,|$)", text)]:
                if owner.setdefault(variable, name) != name:
                    yield "%s.c and %s.c both have a variable %s" % (owner[variable], name, variable)


def symbols(archive):
    """Returns the archive's members: name -> (symbols that it defines, symbols that it needs)."""
    members = collections.defaultdict(lambda: (set(), set()))
    for line in subprocess.check_output(["nm", "-A", archive], universal_newlines=True).splitlines():
        place, kind, symbol = line.rsplit(None, 2) if line.split()[-2] not in "Uw" else (
            line.split()[0], line.split()[-2], line.split()[-1])
        member = place.split(":")[1]
        if kind in "Uw":
            members[member][1].add(symbol)
        elif kind.isupper():
            members[member][0].add(symbol)
    return members


def uses(members):
    """Returns (layer, other layer) -> messages "member uses symbol of member"."""
    of = {os.path.basename(path)[:-2] + ".o": layer for path, layer in files().items()}
    of["traffic.o"] = "traffic"
    home = {symbol: member for member in members for symbol in members[member][0]}
    found = collections.defaultdict(set)
    for member in members:
        for symbol in members[member][1] & set(home):
            pair = of.get(member, "frontend"), of.get(home[symbol], "frontend")
            if pair[0] != pair[1]:
                found[pair].add("%s uses %s of %s" % (member, symbol, home[symbol]))
    return found


def main(draw=None):
    wrong = list(includes()) + list(shared_variables())
    with tempfile.TemporaryDirectory() as work:
        source, keep = os.path.join(work, "program.cu"), os.path.join(work, "keep")
        with open(source, "w") as file:
            file.write("__global__ void copy(int *to, const int *from)\n{\n    to[threadIdx.x] = from[threadIdx.x];\n"
                       "    asm volatile(\"membar.gl;\");\n}\n"
                       "int main()\n{\n    int *p;\n    cudaMalloc(&p, 256);\n    cudaMemset(p, 0, 256);\n"
                       "    copy<<<1, 32>>>(p + 32, p);\n    return cudaDeviceSynchronize();\n}\n")
        program = os.path.join(work, "program")
        subprocess.check_call([os.path.join(HOME, "cpucc"), "--keep", keep, source, "-o", program])
        with open(os.path.join(keep, "link")) as file:
            archive = [word for word in file.read().split("\n") if word.endswith("runtime.a")][0]
        members = symbols(archive)
        has = set(subprocess.check_output(["nm", program], universal_newlines=True).split())
    graph = uses(members)
    for (layer, other), found in sorted(graph.items()):
        if LAYERS.index(other) > LAYERS.index(layer):
            wrong += sorted(found)
    for path, layer in sorted(files().items()):
        member = os.path.basename(path)[:-2] + ".o"
        if layer == "libraries" and path.endswith(".c") and members[member][0] & has:
            wrong.append("a program without %s holds %s" % (layer, member))
    if draw == "--draw":
        for layer in LAYERS:
            print("%-10s %s" % (layer, ", ".join("%s %d" % (other, len(graph[layer, other])) for other in LAYERS
                                                 if (layer, other) in graph)))
    for text in wrong:
        print("FAILED: " + text)
    print("%d members, %d pairs of layers, %d wrong" % (len(members), len(graph), len(wrong)))
    return bool(wrong) or len(members) < 50 or len(graph) < 15


if __name__ == "__main__":
    if len(sys.argv) > 2 or sys.argv[1:] not in ([], ["--draw"]):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
