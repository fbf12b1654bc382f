#!/usr/bin/env python3
"""Checks numbers quoted from other people and from our logs: 996<!--said: SOURCE-->.

SOURCE is a file, followed by the number of an entry (`## 7. ...` or `* **7. ...`) if the number is from one:

  7.5<!--said: plots/results/h200/any_shape.md, 37-->

The file or entry must contain the number, perhaps with more decimals. Otherwise SOURCE is the text of a
link to another site, or a part of that text, and the page must contain that link.

usage: said.py PAGE...     exit status: 0, 1 if a number is not in its source
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SAID = re.compile(r"([0-9.]*[0-9])<!--said: ([^>]*)-->")
ENTRY = r"^(?:## |\* \*\*)%s\. .*?(?=^## |^\* \*\*[0-9]|\Z)"
FILE = re.compile(r"([\w./]+\.(?:md|tsv|csv|txt))(?:, (\w+))?")


def stands_in(figure, text):
    """True if the text holds the figure, or a number that rounds to it."""
    decimals = len(figure.partition(".")[2])
    return any("%.*f" % (decimals, float(n)) == figure for n in re.findall(r"[0-9]+(?:\.[0-9]+)?", text))


def wrong(path):
    """One line for each figure of the page that does not stand where the page says."""
    text = path.read_text()
    links = " ".join(" | ".join(re.findall(r"\[([^]]*)\]\(https?:", text)).split())
    for number, line in enumerate(text.splitlines(), 1):
        for figure, source in SAID.findall(line):
            file = FILE.fullmatch(source)
            if not file:
                if source not in links:
                    yield "%d: %s: the page has no link to `%s`" % (number, figure, source)
                continue
            try:
                said = (ROOT / file.group(1)).read_text()
            except OSError:
                yield "%d: %s: there is no file %s" % (number, figure, file.group(1))
                continue
            if file.group(2):
                said = "".join(re.findall(ENTRY % file.group(2), said, re.M | re.S))
            if not stands_in(figure, said):
                yield "%d: %s is not in %s" % (number, figure, source)


def main(pages):
    failed = ["FAILED: %s:%s" % (page, line) for page in pages for line in wrong(Path(page))]
    print("\n".join(failed + ["%d pages, %d failed" % (len(pages), len(failed))]))
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
