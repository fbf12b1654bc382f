#!/usr/bin/env python3
"""Compares the page of a run, as a browser has it, with the reports of the same run.

usage: page_figures.py DOM COUNTS.tsv LINES.tsv LAUNCHES.tsv

DOM is the document with a tag a line. The kernels are steps': all requests of a line cost the same,
so a drawn request's sectors, wavefronts or bytes times the requests are the line's work; one bank
is the busiest in each group of lanes, so its pile has all wavefronts; all blocks do the same, but
perhaps for the last one, which may find nothing left to do.
"""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../traffic/tests"))
import tsv  # noqa: E402


def values(tag, *names):
    """The values of these data- attributes of a tag."""
    found = dict(re.findall(r' data-([a-z-]+)="([^"]*)"', tag))
    return tuple(found.get(name, "") for name in names)


def pictures(tags):
    """For each picture of a request: its line, counter, kind, work as drawn, wavefronts, highest pile."""
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
            print("FAILED: %s: the page alone %s, the run alone %s" % (
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
