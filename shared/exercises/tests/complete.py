#!/usr/bin/env python3
"""Checks that an exercise's folder has every file and part that shared/exercises/README.md demands. Prints
each missing part in a line; exit status 1 if there is one. usage: complete.py FOLDER..."""
import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
import answers_file  # noqa: E402

FILES = ("task.cu", "solution.cu", "hints.md", "explanation.md", "answers.txt")


def lacks_answers(folder):
    try:
        head, answers = answers_file.read(folder / "answers.txt")
        for _ in answers_file.programs(folder, answers):
            pass
        kinds = answers_file.read_messages()
        for told in [a.keys["told"] for a in answers if "told" in a.keys] + [head.get("untouched", "")]:
            for phrase in re.split(" or | and ", told) if told and "TODO" not in told else ():
                answers_file.pattern_of(kinds, phrase)
    except answers_file.Error as error:
        yield str(error)
        return
    if "untouched" not in head:
        yield "answers.txt does not say what is told of the untouched task (untouched: ...)"
    wrong = [answer for answer in answers if answer.kind == "wrong"]
    for answer in wrong:
        if "told" not in answer.keys:
            yield f"answers.txt: {answer}: it does not say what the learner is told (told: ...)"
    if len(wrong) < 3:
        yield f"{len(wrong)} wrong answers: three are asked for"


def lacks(folder):
    """Returns the list of parts that the folder lacks, one message each."""
    folder = Path(folder)
    text = {name: (folder / name).read_text() if (folder / name).is_file() else "" for name in FILES}
    missing = [f"there is no {name}" for name in FILES if not text[name]]
    if "\n---\n" not in text["hints.md"]:
        missing.append("fewer than two hints")
    why, _, tries = text["explanation.md"].partition("\nTry: ")
    if not tries.strip():
        missing.append("explanation.md names nothing to try (Try: ...)")
    if len(re.findall(r"[.?!:](?:\s|$)", why)) < 2:
        missing.append("explanation.md has fewer than two sentences")
    if not re.search(rf"^ \* {re.escape(folder.name)}: .+[.?]$", text["task.cu"], re.M):
        missing.append(f"task.cu has no title ( * {folder.name}: ...)")
    if not re.search("^// operation: ", text["task.cu"], re.M):
        missing.append("task.cu names no operation")
    if not re.search("^// (goal|predict): ", text["task.cu"], re.M):
        missing.append("task.cu has no goal")
    if re.search("^// *(operation|multiple|counted|capability|goal|silver|gold):", text["solution.cu"], re.M):
        missing.append("the solution states goals: they are the task's")
    if all(text[name] for name in ("task.cu", "solution.cu", "answers.txt")):
        missing += lacks_answers(folder)
    if any(re.search(r"\bTODO\b", text[name]) for name in FILES):
        missing.append("something is left to do (TODO)")
    return [f"{folder}: {what}" for what in missing]


def main():
    missing = [what for folder in sys.argv[1:] for what in lacks(folder)]
    print("\n".join(missing), end="\n" if missing else "")
    sys.exit(1 if missing or len(sys.argv) < 2 else 0)


if __name__ == "__main__":
    main()
