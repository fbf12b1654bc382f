#!/usr/bin/env python3
"""Judges answers. usage: answers.py TOOLS FOLDER | answers.py TOOLS FILE...

TOOLS is the folder that tools.sh has made. FOLDER is an exercise. Tests that its files are complete; that
the solution passes with the exercise's best medal; that every right answer of answers.txt passes with the
medal that it names; that the checker refuses the untouched task and every wrong answer, with the message
that answers.txt names; and that the explanation's numbers equal the counts. FILE holds answers in the same
format (cheats/): patches of the exercise naive4_stores, or of the one that an answer names."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
import answers_file  # noqa: E402
import complete  # noqa: E402
import degenerate  # noqa: E402
import figures  # noqa: E402

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SECONDS = "10"  # of processor time: the checker's own limit on a run
PATIENCE = "300"  # a test machine may be busy for that long


class Verdict:
    """A verdict that the checker printed: status, medal, message to the learner (said), and counts."""

    def __init__(self, text):
        head, _, rest = text.partition("\n")
        self.status, _, self.medal = (head.split("\t") + ["", "", ""])[:3]
        lines = rest.split("\n")
        self.counts = [line.split("\t")[1:] for line in lines if line.startswith("count\t")]
        self.said = "\n".join(line for line in lines if not line.startswith("count\t")).strip("\n")


class Judge:
    """Calls the checker, and counts the checks that passed and failed."""

    def __init__(self, tools, work):
        self.work, self.passed, self.failed = Path(work), 0, 0
        self.kinds = answers_file.read_messages()
        self.environment = dict(os.environ, EXERCISES_HOME=str(ROOT), EXERCISES_OUT=str(self.work / "out"),
                                TOOLS=str(next(Path(tools).resolve().glob("tools-*"))), LC_ALL="C",
                                EXERCISE_PATIENCE=PATIENCE)
        (self.work / "out").mkdir()

    def check(self, good, text):
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print("FAILED:", text)

    def judge(self, name, programs, seconds=SECONDS):
        """Returns the verdict on each program. Compiling several together takes a third of the time."""
        files = [self.work / f"answer{i}.cu" for i in range(len(programs))]
        for file, program in zip(files, programs):
            file.write_text(program)
        checker = os.path.join(self.environment["TOOLS"], "checker")
        done = subprocess.run([checker, "--judge", name] + [str(file) for file in files], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, env=dict(self.environment, EXERCISE_SECONDS=seconds), check=False)
        texts = done.stdout.decode(errors="replace").split("\f\n")[:len(files)]
        return [Verdict(text) for text in texts + [""] * (len(files) - len(texts))]

    def expect(self, name, label, verdict, status, keys):
        """Checks that a verdict has this status, and the medal and messages that keys (told, first, medal) name."""
        said = {"told": verdict.said, "first": verdict.said.partition("\n")[0]}
        text = ""
        if verdict.status != status:
            text = f"{verdict.status or 'no verdict'} instead of {status}: {verdict.said}"
        elif verdict.medal != keys.get("medal", verdict.medal):
            text = f"{verdict.medal or 'no medal'} instead of {keys['medal']}"
        for key in said:
            if not text and key in keys and not answers_file.is_told(self.kinds, keys[key], said[key]):
                kinds = " ".join(answers_file.kinds_in(self.kinds, said[key]))
                text = f"it says: {said[key]}\nexpected: {keys[key]}\nkinds of what it says: {kinds}"
        self.check(not text, f"{name}, {label}: {text}")

    def expect_answer(self, name, answer, verdict):
        self.expect(name, str(answer), verdict, "solved" if answer.kind == "right" else "unsolved", answer.keys)


def test_exercise(judge, folder):
    missing = complete.lacks(folder)
    judge.check(not missing, "it is not complete:\n" + "\n".join(missing))
    if missing:
        return
    task, solution = ((folder / name).read_text() for name in ("task.cu", "solution.cu"))
    medals = [medal for medal in ("gold", "silver") if f"\n// {medal}:" in task]
    head, answers = answers_file.read(folder / "answers.txt")
    programs = [solution, task] + [program for _, program in answers_file.programs(folder, answers)]
    lazy, meets = dict(degenerate.programs(task, solution)), head.get("meets", "").split()
    programs += lazy.values()
    told = ["", head["untouched"]] + [answer.keys.get("told", "") for answer in answers] + [""] * len(lazy)
    verdicts = [None] * len(programs)
    built = [i for i, words in enumerate(told) if not re.search("compile|blank", words)]
    for group in [built] + [[i] for i in range(len(programs)) if i not in built]:
        for i, verdict in zip(group, judge.judge(folder.name, [programs[i] for i in group])):
            verdicts[i] = verdict

    solved, untouched = verdicts[:2]
    judge.expect(folder.name, "the solution", solved, "solved", {"medal": medals[0] if medals else ""})
    judge.expect(folder.name, "untouched", untouched, "unsolved", {"told": head["untouched"]})
    wrong = figures.wrong_figures(folder, {"": solved.counts, "task:": untouched.counts})
    judge.check(not wrong, "\n".join(wrong))
    for answer, verdict in zip(answers, verdicts[2:]):
        judge.expect_answer(folder.name, answer, verdict)
    for name, verdict in zip(lazy, verdicts[2 + len(answers):]):
        judge.expect(folder.name, f"degenerate: {name}", verdict, "solved" if name in meets else "unsolved", {})


def test_attempts(judge, file):
    _, answers = answers_file.read(file)
    texts = {}
    for answer in answers:
        name = answer.keys.get("exercise", "naive4_stores")
        folder = next(f for f in ROOT.glob(f"steps/[0-9][0-9]_*/exercises/{name}") if not f.parents[1].is_symlink())
        for _, program in answers_file.programs(folder, [answer], texts):
            judge.expect_answer(name, answer, judge.judge(name, [program], answer.keys.get("seconds", SECONDS))[0])


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: answers.py TOOLS FOLDER | answers.py TOOLS FILE...")
    with tempfile.TemporaryDirectory() as work:
        try:
            judge = Judge(sys.argv[1], work)
            for path in map(Path, sys.argv[2:]):
                (test_exercise if path.is_dir() else test_attempts)(judge, path.resolve())
        except (answers_file.Error, OSError) as error:
            sys.exit(f"FAILED: {error}")
    print(f"{judge.passed} passed, {judge.failed} failed")
    sys.exit(1 if judge.failed or not judge.passed else 0)


if __name__ == "__main__":
    main()
