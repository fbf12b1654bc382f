"""usage: bench.py ask LAYOUT BOOK WORK; bench.py differs WORK

The same generated input for the layout bench every time: 300 states of its fields. The program LAYOUT
refuses some of them.

ask      writes what the program says to WORK/program, and prints commands that ask the page the same in a browser
differs  prints where the page's answers (WORK/out) differ, piles and cells in any order; ends with 1 if they do
"""
import json
import random
import re
import subprocess
import sys
from pathlib import Path

COUNT = 300
SIDES = (2, 3, 4, 6, 8, 8, 12, 16, 16, 32, 32, 64)
ACCESSES = ("row", "column", "row", "column", "row", "column", "32:1", "8:1", "(8,4):(1,64)", "(16,2):(1,256)",
            "(4,8):(8,1)", "16:2", "32:0")
SWIZZLES = ("5,0,5", "3,2,3", "3,3,3", "2,0,3", "1,0,1", "5,0,6", "9,0,9", "9,0,2")


def tile(chance):
    """A layout, mostly of rows and columns."""
    rows, cols, pad = chance.choice(SIDES), chance.choice(SIDES), chance.choice((0, 0, 0, 1, 2, 4, 8))
    if chance.random() < 1 / 8:
        return f"(({rows},{chance.choice((2, 4))}),{cols}):(({cols},{rows * cols}),1)"
    if chance.random() < 1 / 6:
        return f"({rows},{cols}):(1,{rows + pad})"
    if chance.random() < 1 / 12:
        return f"({rows},{cols}):({chance.randrange(40)},{chance.randrange(5)})"
    return f"({rows},{cols}):({cols + pad},1)"


def state(chance):
    """The fields of the bench: a dictionary with the names of its address."""
    return {"layout": tile(chance), "swizzle": chance.choice(SWIZZLES) if chance.random() < 1 / 2 else "",
            "bytes": chance.choice("124448") if chance.random() < 6 / 7 else "16", "vector": chance.choice("11111124"),
            "access": chance.choice(ACCESSES), "memory": chance.choice(("shared", "shared", "global")),
            "store": chance.choice("01"), "request": chance.randrange(3)}


def run(*words):
    """Status, output and error of a call of the program."""
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def table(text):
    """The rows of a TSV text as dictionaries."""
    head, *rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return [dict(zip(head, row)) for row in rows]


def said_of(layout, one):
    """What the program says of a state, in the lines that read_bench.js prints of the page."""
    shape = f"Sw<{one['swizzle']}> o 0 o {one['layout']}" if one["swizzle"] else one["layout"]
    flags = ["--bytes", one["bytes"], "--vector", one["vector"], "--access", one["access"]]
    flags += ["--store"] if one["store"] == "1" else []
    in_shared = one["memory"] == "shared"
    status, said, error = run(layout, "banks" if in_shared else "sectors", shape, *flags)
    if status:
        return ["trouble " + error.split("\n")[0]]
    sums = re.search(r"requests (\d+), [a-z]* (\d+), ideal (\d+)", said).groups()
    lines = ["sum " + " ".join(sums)]
    cells = [list(cell.values())[:4] for cell in table(run(layout, "banks", shape, *flags, "--tsv")[1])]
    lines += ["cell " + " ".join(cell) for cell in cells if int(cell[0]) < 64 and int(cell[1]) < 64]
    request = str(min(one["request"], int(sums[0]) - 1))
    lanes = {}
    flags += ["--request", request] + ([] if in_shared else ["--global"])
    for row in table(run(layout, "requests", shape, *flags)[1]):
        key = f"pile {row['wavefront']} {row['bank']} {row['word']}" if in_shared else f"sector {row['sector']}"
        lanes.setdefault(key, []).append(row["lane"])
    return lines + [f"{key} {'+'.join(some)}" for key, some in lanes.items()]


def ask(layout, book, work):
    """Ask for states, 25 in a call of the browser, which numbers them from 0 each time."""
    chance = random.Random(1)
    states = [state(chance) for _ in range(COUNT)]
    lines = [line for i, one in enumerate(states) for line in (f"state {i % 25}", *said_of(layout, one))]
    (work / "program").write_text("\n".join(lines), encoding="utf-8")

    print(f"open file://{book}/bench.html", f"load {Path(__file__).parent}/read_bench.js", sep="\n")
    addresses = ["&".join(f"{name}={value}" for name, value in one.items()) for one in states]
    for first in range(0, COUNT, 25):
        print(f"eval read_bench({json.dumps(addresses[first:first + 25])})")


def differs(work):
    """Print the first differences between the program and the page; whether there are any."""
    def answers(name):
        return [sorted(one.splitlines()) for one in re.split(r"^(?=state )", (work / name).read_text(encoding="utf-8").strip(), flags=re.M)]

    program, page = answers("program"), answers("out")
    wrong = [sorted(set(a) ^ set(b))[:4] for a, b in zip(program, page) if a != b]
    print(*wrong[:3], f"{len(program)} and {len(page)} answers", sep="\n")
    return bool(wrong) or len(program) != len(page)


if sys.argv[1] == "differs":
    sys.exit(differs(Path(sys.argv[2])))
ask(sys.argv[2], sys.argv[3], Path(sys.argv[4]))
