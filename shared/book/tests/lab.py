"""usage: lab.py BOOK LAB ROOT

Judges, for each exercise that the book offers in its lab, our solution and the right and wrong answers of answers.txt
with the program LAB. Prints what differs from the checker: a right answer that the lab does not call solved, and a wrong
one that it does, unless the checker refuses it for what the lab cannot see. A copy without a tile is such a wrong answer
too. The last line is the number of exercises.
"""
import re
import subprocess
import sys
from pathlib import Path

# kinds of messages that no lab gives
UNSEEN = re.compile(r"race|barrier|misaligned|compile|refused|unwritten|deadlock|offsets|too_wide")

TYPES = {"1": "uint8_t", "2": "uint16_t", "4": "float", "8": "double", "16": "int4"}
LAZY = """#include "exercises/exercise.h"
__global__ void direct(const TYPE *in, TYPE *out, int rows, int cols, int all)
{
    int i = blockIdx.x * 256 + threadIdx.x, at = i % (rows * cols), matrix = i - at;
    if (i < all)
        out[matrix + (COPY ? at : at % cols * rows + at / cols)] = in[i];
}
static void go(const TYPE *in, TYPE *out, int rows, int cols, int count)
{
    direct<<<tiles(rows * cols * COUNT, 256), 256>>>(in, out, rows, cols, rows * cols * COUNT);
}
EXERCISE(go)
"""


def lazy(task):
    """Return a program without a tile for a task."""
    operation, more = re.search(r"^// operation: (\w+)(.*)", task, flags=re.M).groups()
    given = dict(re.findall(r"(\w+)=(\d+)", more))
    count = given.get("count", "3" if operation == "batch" else "1")
    return LAZY.replace("TYPE", TYPES[given.get("elements", "4")]).replace("COPY", str(int(operation == "copy"))).replace("COUNT", count)


def main(book, lab, root):
    """Check every fold of the book's pages of exercises."""
    sys.path.append(f"{root}/shared/exercises/tests")
    import answers_file  # pylint: disable=import-outside-toplevel,import-error
    folders = [Path(root) / "steps" / page.parent.name / "exercises" / name for page in sorted(Path(book).glob("steps/*/exercises.html"))
               for name in re.findall(r'<details class="plain lab" data-lab="(\w+)"', page.read_text())]
    for folder in folders:
        task, solution = (folder / "task.cu").read_text(), (folder / "solution.cu").read_text()
        answers = [(True, "our solution", solution)]
        if "// predict:" not in task:
            head, given = answers_file.read(folder / "answers.txt")
            answers += [(answer.kind == "right", answer.words, code) for answer, code in answers_file.programs(folder, given)
                        if answer.kind == "right" or not UNSEEN.search(answer.keys["told"])]
            if re.search("^// goal: (?!verified)", task, re.M) and "operation: in_place" not in task and "direct_rows" not in head.get("meets", ""):
                answers.append((False, "direct_rows", lazy(task)))
        for right, words, code in answers:
            said = subprocess.run([lab, code, task], stdout=subprocess.PIPE, text=True, check=False)
            faults = re.findall(r"^(?:fault\t.*|goal\tunmet\t[^\t\n]*)$", said.stdout, flags=re.M)
            unknown = right and words != "our solution" and any("the lab" in fault for fault in faults)
            if said.returncode not in (0, 1) or (bool(faults) and not unknown if right else said.returncode == 0):
                print(f"{folder.name}: {words}: {said.returncode} {' '.join(faults)}")
    print(len(folders))


main(*sys.argv[1:])
