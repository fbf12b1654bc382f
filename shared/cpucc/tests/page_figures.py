#!/usr/bin/env python3
"""Compares the HTML report of a run, as a browser renders it, with the TSV reports of the same run.

usage: page_figures.py DOM COUNTS.tsv LINES.tsv LAUNCHES.tsv

DOM is the browser's document, one tag per line. It must be of a step's kernels, in which all requests of a
source line cost the same: the sectors, wavefronts or bytes in a picture of one request, times the requests,
are the line's work. The busiest bank's pile has as many entries as the request has wavefronts. All blocks do
the same work, except that the last one may have none.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../traffic/tests"))
import tsv  # noqa: E402


def values(tag, *names):
    """Returns the tag's data- attributes of these names; "" for a missing one."""
    found = dict(re.findall(r' data-([a-z-]+)="([^"]*)"', tag))
    return tuple(found.get(name, "") for name in names)


def pictures(tags):
    """Yields for each picture of a request: line, counter, kind, drawn work, wavefronts, highest pile."""
    line = counter = kind = None
    for tag in tags:
        if ' id="player"' in tag:
            return
        if "data-detail=" in tag:
            line, counter = values(tag, "detail", "counter")
        if "data-picture=" in tag:
            kind, size, waves = values(tag, "picture", "bytes", "wavefronts")
            work, pile = int(size) if kind == "box" else 0, 0
        if kind:
            work += kind == "sectors" and 'data-touched="1"' in tag
            work += kind == "banks" and "data-wavefront=" in tag
            pile = max(pile, int(values(tag, "pile")[0] or 0))
            if "</svg>" in tag:
                yield line, counter, kind, work, int(waves or 0), pile
                kind = None


def main(dom, counts, lines, launches):
    with open(dom, errors="replace") as file:
        tags = file.read().splitlines()
    rows, failures = tsv.rows(lines), 0

    def compare(what, page, run):
        nonlocal failures
        if page != run or not run:
            failures += 1
            print("FAILED: %s: only in the page: %s, only in the reports: %s" % (
                what, sorted(page - run)[:4], sorted(run - page)[:4]))

    parts = ("requests", "work", "ideal_work")
    totals = {(row["counter"], part, int(row[part])) for row in tsv.rows(counts)
              if int(row["requests"]) for part in parts}
    page = {values(tag, "metric", "field", "value") for tag in tags
            if tag.startswith("<td ") and " data-field=" in tag}
    compare("totals", {(metric, field, int(value)) for metric, field, value in page}, totals)
    compare("lines", {values(tag, "file", "line", "metric", "requests", "work", "ideal")
                      for tag in tags if tag.startswith('<button class="chip')},
            {tuple(row[name] for name in ("source", "line", "counter") + parts) for row in rows})
    drawn = list(pictures(tags))
    compare("drawn", {(line, counter, float(work)) for line, counter, _, work, _, _ in drawn},
            {(row["line"], row["counter"], int(row["work"]) / int(row["requests"])) for row in rows})
    banks = {(line, waves, pile) for line, _, kind, _, waves, pile in drawn if kind == "banks"}
    compare("piles", banks | {0}, {(line, waves, waves) for line, waves, _ in banks} | {0})
    block = [values(tag, "block-metric", "requests", "work", "ideal") for tag in tags
             if tag.startswith("<span data-block-metric")]
    x, y, z = map(int, tsv.rows(launches)[0]["grid"].split(","))
    of_all = [{(name, part, int(figure) * blocks) for name, *figures in block
               for part, figure in zip(parts, figures)} for blocks in (x * y * z, x * y * z - 1)]
    compare("player", totals if totals in of_all else of_all[0], totals)
    return failures


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) > 0)
