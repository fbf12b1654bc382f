"""Reads files of answers, which are written as patches; ../README.md describes the format ("answers.txt")."""
import re
from pathlib import Path


class Error(Exception):
    """An error in a file. The message is one line: PATH:LINE: cause."""


class Answer:
    """One block of the file. kind: `right` or `wrong`; keys: key -> value; hunks: the patch, each a pair of
    where (PATH:LINE) and a list of lines (sign, text)."""

    def __init__(self, where, kind, words):
        self.where, self.kind, self.words = where, kind, words
        self.keys, self.hunks = {}, []

    def __str__(self):
        return f"{self.kind}: {self.words}"


KEYS = ("told", "first", "medal", "from", "note", "seconds", "exercise")
HEAD = re.compile(r"(right|wrong): *(.+)")
KEY = re.compile(r"([a-z]+): *(.+)")


def read(path):
    """Returns the keys above the first block (key -> value), and the list of blocks (Answer)."""
    head, answers, hunk = {}, [], None
    for number, line in enumerate(Path(path).read_text().split("\n"), 1):
        where = f"{path}:{number}"
        found = HEAD.fullmatch(line)
        if found:
            answers.append(Answer(where, *found.groups()))
        elif line[:1] in ("-", "+", " ") and answers:
            if line[1:2] not in ("", " "):
                raise Error(f"{where}: a blank must follow the {line[0]!r}")
            if hunk is None:
                hunk = []
                answers[-1].hunks.append((where, hunk))
            hunk.append((line[0], line[2:]))
            continue
        elif line and not line.startswith("#"):
            found = KEY.fullmatch(line)
            if not found or found[1] not in KEYS + (() if answers else ("untouched", "meets")):
                raise Error(f"{where}: neither a key ({', '.join(KEYS)}) nor a line of a patch: {line}")
            (answers[-1].keys if answers else head)[found[1]] = found[2]
        hunk = None
    names = [str(a) for a in answers]
    for answer in answers:
        if names.count(str(answer)) > 1:
            raise Error(f"{answer.where}: there are two answers of these words")
    return head, answers


def patched(lines, where, hunk):
    """Returns the lines with one hunk applied. Its old lines must occur exactly once; a hunk without old lines
    adds its lines at the end."""
    old = [text for sign, text in hunk if sign != "+"]
    new = [text for sign, text in hunk if sign != "-"]
    if not old:
        return lines + new
    at = [i for i in range(len(lines)) if lines[i:i + len(old)] == old]
    if len(at) != 1:
        raise Error(f"{where}: these lines are there {len(at)} times, not once: {old[0].strip()}")
    return lines[:at[0]] + new + lines[at[0] + len(old):]


def code_of(task):
    """Returns the text of a task without its comment and goals, which a solution lacks too."""
    at = task.find("#include")
    return task[at:] if at >= 0 else task


def programs(folder, answers, texts=None):
    """Yields each answer and the text of its program, and adds the texts to `texts` (words of an answer -> text)."""
    texts = {} if texts is None else texts
    task, solution = ((Path(folder) / name).read_text() for name in ("task.cu", "solution.cu"))
    texts.update({"task": code_of(task), "whole task": task, "solution": solution, "nothing": ""})
    for answer in answers:
        start = answer.keys.get("from", "solution")
        if start not in texts:
            raise Error(f"{answer.where}: from: is solution, task, whole task, nothing, or an answer above")
        lines = texts[start].split("\n")[:-1]
        for where, hunk in answer.hunks:
            lines = patched(lines, where, hunk)
        text = "".join(line + "\n" for line in lines)
        if text == texts[start] and start != "nothing":
            raise Error(f"{answer.where}: is {start} itself")
        texts[answer.words] = text
        yield answer, text


def read_messages(path=Path(__file__).with_name("messages.txt")):
    """Returns the kinds of messages.txt: kind -> pattern."""
    kinds = {}
    for number, line in enumerate(path.read_text().split("\n"), 1):
        if line and not line.startswith("#"):
            kind, _, pattern = line.partition(" ")
            if kind in kinds:
                raise Error(f"{path}:{number}: {kind} is there twice")
            kinds[kind] = pattern.strip()
    return kinds


def pattern_of(kinds, phrase):
    """Returns the regular expression for a phrase `KIND WORD...` of `told:`."""
    kind, *words = phrase.split()
    if kind not in kinds:
        raise Error(f"no kind of message is called {kind}; messages.txt lists them")
    pattern = kinds[kind]
    for place in "123":
        if "%" + place in pattern:
            word = words.pop(0) if words else "*"
            exact = r"(?<![\w.])" + re.escape(word) + r"(?![\w.]*\w)"  # 2, and not the 2 of 2.5
            pattern = pattern.replace("%" + place, ".*" if word == "*" else exact)
    pattern = pattern.replace("%*", re.escape(" ".join(words)).replace("\\*", ".*") if words else ".*")
    return pattern


def is_told(kinds, told, said):
    """True if a line of the message `said` matches `told`: phrases joined by `and`, and these by `or`."""
    wanted = [[re.compile(pattern_of(kinds, phrase)) for phrase in choice.split(" and ")]
              for choice in told.split(" or ")]
    return any(all(p.search(line) for p in choice) for line in said.split("\n") for choice in wanted)


def kinds_in(kinds, said):
    """The kinds of all that was said, for who writes an answer."""
    return sorted(kind for kind in kinds if is_told(kinds, kind, said))
