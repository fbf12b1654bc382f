"""Checks that the figures in an exercise's explanation equal the counts and recorded times. A figure is a
number followed by a comment that names its source:

  10240<!--global_load.work-->          a count of the solution: COUNTER.requests or COUNTER.work
  2048<!--task:global_load.requests-->  a count of the task as it is handed out
  27<!--solution_ms-->                  a column of exercises.tsv in plots/results
  176<!--said: shared/cpucc/found.md--> quoted from another source: not checked

A source can also be an expression of these and of numbers, with blanks around + - * / ( ). The figure must
equal the value, rounded to the figure's decimals. A number of three digits or more in front of `requests`,
`sectors`, `wavefronts` or `ms` must have such a comment."""
import re
import sys
from pathlib import Path

PLOTS = Path(__file__).resolve().parents[3] / "plots"
sys.path.insert(0, str(PLOTS))
import results  # noqa: E402

COMMENT = r"<!-- *([^>]*?) *-->"


def recorded(name):
    """Returns the recorded row of this exercise: column -> value."""
    folder = PLOTS / "results"
    rows = results.read(folder / results.shown_gpu(folder) / "exercises.tsv").rows
    return {column: float(x) for row in rows if row["exercise"] == name for column, x in row.items() if results.known(x)}


def value_of(source, values):
    """Returns the value of an expression; raises KeyError with an unknown name."""
    words = [w if w in "+-*/()" or re.fullmatch("[0-9.]+", w) else repr(values[w]) for w in source.split()]
    return eval(" ".join(words), {"__builtins__": {}})  # numbers and operators only


def wrong_figures(folder, counts):
    """Returns a message per wrong figure in explanation.md. counts: prefix -> rows of counter, requests, work."""
    page = folder / "explanation.md"
    text, values, wrong = page.read_text(), recorded(folder.name), []
    for prefix, rows in counts.items():
        for counter, requests, work in rows:
            values[f"{prefix}{counter}.requests"], values[f"{prefix}{counter}.work"] = float(requests), float(work)
    for figure, source in re.findall(r"(\d[\d.]*)" + COMMENT, text):
        if source.startswith("said: "):
            continue
        try:
            value = value_of(source, values)
        except (KeyError, SyntaxError, ZeroDivisionError) as error:
            wrong.append(f"{page}: {figure} for {source}: {error!r}")
            continue
        decimals = len(figure.partition(".")[2])
        if f"{value:.{decimals}f}" != figure:
            wrong.append(f"{page}: {figure} for {source}, which is {value:g}")
    bare = re.search(r"\d{3,} (requests|sectors|wavefronts|ms)\b", re.sub(COMMENT, "!", text))
    if bare:
        wrong.append(f"{page}: where is this from? {bare[0]}")
    return wrong
