"""usage: lab.py BOOK LAB ROOT

For each exercise that the book offers in its lab, judges our solution (for a prediction: the task) and the wrong answers
of answers.txt as the page does, with the program LAB. Prints what differs from the checker: a solution whose goals or
predictions are not met or whose output is wrong, and a wrong answer that the lab would call solved, unless the
checker refuses it for what the lab cannot see. A copy without a tile is such a wrong answer too. The last line is the number of exercises.
"""
import html
import re
import subprocess
import sys
import tempfile
from pathlib import Path

UNSEEN = re.compile(r"race|barrier|misaligned|compile|refused|unwritten|deadlock|offsets|too_wide|^(?:threads|blocks|at) \d")
# kinds of messages that no lab gives: races and the like, and bounds that fail at sizes that the lab does not count

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


def lazy(fold):
    """Return a program without a tile for an exercise."""
    return LAZY.replace("TYPE", TYPES[fold["bytes"]]).replace("COPY", str(int(fold["operation"] == "copy"))) \
        .replace("COUNT", fold["count"])


def report_of(words):
    """Return what the lab says of verification, and its numbers by the names that goals use."""
    said = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=False).stdout
    verified, numbers = said, {}
    for name, *rest in (line.split("\t") for line in said.splitlines()):
        if name == "verified":
            verified = rest[0]
        elif name == "counter":
            requests, work, ideal = map(int, rest[1:])
            numbers.update({f"{rest[0]} requests": requests, f"{rest[0]} work": work, f"{rest[0]} ideal": ideal,
                            f"{rest[0]} extra": work - ideal,
                            f"{rest[0]} conflict_degree": work / ideal if ideal else 1,
                            f"{rest[0]} work_per_request": work / requests if requests else 0})
        elif len(rest) == 1:
            numbers[name] = float(rest[0])
    return verified, numbers


def faults_of(lab, source, goals, fold):
    """Return what is wrong with a source by the lab's reports and these goals."""
    def run(rows, cols):
        return report_of([lab, source, fold["operation"], fold["bytes"], str(rows), str(cols), fold["count"]])

    verified, numbers = run(fold["rows"], fold["cols"])
    faults = [verified] if verified != "yes" else []
    for what, relation, wanted in re.findall(r"^// (?:goal|predict): (\w+(?: \w+)?) (<=|==|>=|=) ([\d.]+)$", goals, flags=re.M):
        given, wanted = numbers.get(what, -1), float(wanted)
        met = given <= wanted if relation == "<=" else given >= wanted if relation == ">=" else abs(given - wanted) < 0.0101
        faults += [] if met else [f"{what} {relation} {wanted}: {given}"]
    step = int(fold["multiple"])
    for rows, cols in (1, 1), (33, 65), (100, 60):
        rows, cols = -(-rows // step) * step, -(-cols // step) * step
        verified, _ = run(rows, rows if fold["operation"] == "in_place" else cols)
        faults += [f"{rows} x {cols}: {verified}"] if verified != "yes" else []
    return faults


def main(book, lab, root):
    """Check every fold of the book's pages of exercises."""
    sys.path.append(f"{root}/shared/exercises/tests")
    import answers_file  # pylint: disable=import-outside-toplevel,import-error
    count = 0
    with tempfile.NamedTemporaryFile("w", suffix=".cu") as scratch:
        for page in sorted(Path(book).glob("steps/*/exercises.html")):
            for fold in re.findall(r'<details class="plain lab" ([^>]*) hidden>', page.read_text()):
                about = {name: html.unescape(value.strip('"')) for name, value in re.findall(r'data-(\w+)=("[^"]*"|\S+)', fold)}
                folder = Path(root) / "steps" / page.parent.name / "exercises" / about["lab"]
                text, solution = (folder / "task.cu").read_text(), folder / "solution.cu"
                predicts = "// predict:" in text
                goals = text + solution.read_text() + "\n" + about["implied"]
                for fault in faults_of(lab, folder / "task.cu" if predicts else solution, goals, about):
                    print(f"{about['lab']}: {fault}")
                count += 1
                head, answers = ({}, []) if predicts else answers_file.read(folder / "answers.txt")
                wrong = [(answer.words, code) for answer, code in answers_file.programs(folder, answers)
                         if answer.kind == "wrong" and not UNSEEN.search(answer.keys["told"])]
                if re.search("^// goal: (?!verified)", text, re.M) and about["operation"] != "in_place" and "direct_rows" not in head.get("meets", ""):
                    wrong.append(("direct_rows", lazy(about)))
                for words, code in wrong:
                    scratch.seek(0)
                    scratch.truncate()
                    scratch.write(code)
                    scratch.flush()
                    if not faults_of(lab, scratch.name, goals, about):
                        print(f"{about['lab']}: the lab calls solved: {words}")
    print(count)


main(*sys.argv[1:])
