"""usage: lab.py BOOK LAB ROOT

For each exercise that the book offers in its lab, runs our solution (for a prediction: the task) in the program LAB, and
prints an exercise whose goals are not met, whose predictions differ, or whose output is wrong at any of four sizes. The
counts in goals and predictions are those of the checker. The last line is the number of exercises.
"""
import re
import subprocess
import sys
from pathlib import Path


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
                            f"{rest[0]} conflict_degree": work / ideal if ideal else 1,
                            f"{rest[0]} work_per_request": work / requests if requests else 0})
        elif len(rest) == 1:
            numbers[name] = float(rest[0])
    return verified, numbers


def faults_of(lab, task, fold):
    """Return what is wrong with the lab's report on an exercise."""
    text, solution = task.read_text(), task.with_name("solution.cu")
    source = task if "// predict:" in text else solution
    def run(rows, cols):
        return report_of([lab, source, fold["operation"], fold["bytes"], str(rows), str(cols), fold["count"]])

    verified, numbers = run(fold["rows"], fold["cols"])
    faults = [verified] if verified != "yes" else []
    for what, relation, wanted in re.findall(r"^// (?:goal|predict): (\w+(?: \w+)?) (<=|==|>=|=) ([\d.]+)$",
                                             text + solution.read_text(), flags=re.M):
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
    count = 0
    for page in sorted(Path(book).glob("steps/*/exercises.html")):
        for fold in re.findall(r'<details class="plain lab" ([^>]*) hidden>', page.read_text()):
            about = dict((name, value.strip('"')) for name, value in re.findall(r'data-(\w+)=("[^"]*"|\S+)', fold))
            task = Path(root) / "steps" / page.parent.name / "exercises" / about["lab"] / "task.cu"
            for fault in faults_of(lab, task, about):
                print(f"{about['lab']}: {fault}")
            count += 1
    print(count)


main(*sys.argv[1:])
