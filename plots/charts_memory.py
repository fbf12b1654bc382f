"""Makes the tables of the charts of counts and requests, and of pictures drawn from formulas.

As in charts.py, each function returns a table that a gnuplot script of the same name draws.
"""

from collections import Counter

import results
from charts import NAN, first_size, grouped, show


# ---- counts ----

def ratio(a, b):
    """Returns a / b as text; "1" if b is 0."""
    return "%.4g" % (a / b) if b > 0 else "1"


def requests_of(counts, counter, in_place, tma):
    """Returns [value, ideal value, source] of one counter of a variant.

    The value is sectors per request for global memory, and the conflict degree for shared memory. The
    source says what made the requests: "warp", "async" (cp.async), "tma" or "none"; the last two have no value.
    counts: counter -> row of the variant. in_place: the cp.async counter that is used instead of `counter` if
    it has more requests. tma: the TMA counter for the same direction.
    """
    def of(name, column):
        return results.value(counts[name][column]) if name in counts else 0

    by = "warp"
    if of(in_place, "requests") > of(counter, "requests"):
        by, counter = "async", in_place
    if of(counter, "requests") == 0:
        return [NAN, NAN, "tma" if of(tma, "requests") > 0 else "none"]
    work, ideal, requests = (of(counter, column) for column in ("work", "ideal_work", "requests"))
    if not all(results.known(counts[counter][column]) for column in ("work", "ideal_work")):
        return [NAN, NAN, "none"]
    if "global" in counter:
        return [ratio(work, requests), ratio(ideal, requests), by]
    return [ratio(work, ideal), "1", by]


ACCESSES = [  # one panel each: (counter of the warps' requests, counter of cp.async or "", counter of TMA)
    ("global_load", "async_copy_global", "tma_load"),
    ("global_store", "", "tma_store"),
    ("shared_load", "", "tma_store"),
    ("shared_store", "async_copy_shared", "tma_load"),
]
TICKS = ["1", "2", "4", "8", "16", "32"]


def counts(table, headlines_only=False):
    """Returns the size, and the table of counts.gp with one panel per entry of ACCESSES. headlines_only leaves out
    all variants but those of results.compared(), if the file names headlines.

    Kinds of rows:
    head     a step's name
    variant  a variant's name
    counted  a value, at x
    ideal    the smallest possible value, at x, if that is less than the value, at `to`
    number   a value as text, if it exceeds the ideal, comes from cp.async or lies between TICKS
    tma      marks a variant whose accesses of this kind were all made by TMA
    """
    size, rows = first_size(table)
    if headlines_only:
        shown = results.compared(table)
        rows = [row for row in rows if (row["step"], row["variant"]) in shown] or rows
    made = [["kind", "panel", "y", "x", "to", "text"]]
    y, last = 0, None
    for (step, variant), group in grouped(filter(results.is_shared_problem, rows), "step", "variant").items():
        if step != last:
            y += 0.4 * (last is not None)
            made.append(["head", 0, show(y), NAN, NAN, step])
            y += 1
        last = step
        made.append(["variant", 0, show(y), NAN, NAN, variant])
        by_counter = {row["counter"]: row for row in group}
        for panel, access in enumerate(ACCESSES):
            counted, ideal, by = requests_of(by_counter, *access)
            if by == "tma":
                made.append(["tma", panel, show(y), "1", NAN, ""])
            if counted == NAN:
                continue
            made.append(["counted", panel, show(y), counted, NAN, ""])
            is_more = float(counted) > 1.0005 * float(ideal)
            if is_more:
                made.append(["ideal", panel, show(y), ideal, counted, ""])
            if is_more or by == "async" or counted not in TICKS:
                made.append(["number", panel, show(y), counted, NAN,
                             "%.3g%s" % (float(counted), " async" if by == "async" else "")])
        y += 1
    return size, made


# ---- lanes ----

def lanes(rows):
    """Returns the table of lanes.gp: for each request of a step, the words stacked on their banks.

    Variants with equal requests share a panel. Kinds of rows:
    title  a panel's counter and verdict
    names  a panel's variants
    word   a box with the number of its first lane
    base   the line below a panel
    part   a line between two groups of lanes; the hardware serves the groups of a wide request one by one
    """
    panels = {}
    for (variant, counter), request in grouped(rows, "variant", "counter").items():
        same = (counter,) + tuple((row["lane"], row["bank"], row["wavefront"]) for row in request)
        panels.setdefault(same, (request, []))[1].append(variant)
    made = [["kind", "x", "y", "text"]]
    y = 0
    for (counter, *_), (request, names) in panels.items():
        part_of = {int(row["wavefront"]): row["part"] for row in request}
        height = max(part_of) + 1
        ideal = request[0]["ideal_work"]
        verdict = "a pile %d high where %s would do" % (height, ideal) if height > float(ideal) else \
            "%d high, as low as can be" % height
        made.append(["title", "0", show(y + 0.5), counter + ": " + verdict])
        made.append(["names", "0", show(y + 1.6), one_line(names)])
        ground = y + 2.3 + height
        taken = set()
        for row in request:
            # Lanes that access one word share a box, which has the number of the first lane.
            place = row["wavefront"], row["bank"], row["word"]
            if place not in taken:
                made.append(["word", row["bank"], show(ground - int(row["wavefront"]) - 0.5), row["lane"]])
            taken.add(place)
        for wave in range(1, height):
            if part_of.get(wave) != part_of.get(wave - 1):
                made.append(["part", "0", show(ground - wave), ""])
        made.append(["base", "0", show(ground), ""])
        y = ground + 2
    return made


def one_line(names):
    """Joins names until the line is full, at about 95 characters, then adds how many more there are."""
    line = names[0]
    for i, name in enumerate(names[1:], 1):
        if len(line) >= 95:
            return "%s and %d more" % (line, len(names) - i)
        line += ", " + name
    return line


def groups(rows):
    """Returns the table of groups.gp: the groups of four banks that lanes 0 to 7 access with 16 bytes each.

    One wavefront serves the eight lanes if their groups differ. The table is empty if the step has no
    16-byte access. Kinds of rows: cell (a lane at its group), title, names (the variants), good or bad
    (the verdict below a panel).
    """
    panels = {}
    requests = grouped((row for row in rows if int(row["lane"]) < 8), "variant", "counter").items()
    for wanted in True, False:  # reads first, then writes
        for (variant, counter), request in requests:
            if len(request) != 32 or (counter == "shared_load") != wanted:
                continue  # not 16 bytes per lane
            group_of = {int(row["lane"]): int(row["bank"]) // 4 for row in request}
            panels.setdefault((counter, tuple(group_of[lane] for lane in range(8))), []).append(variant)
    made = [["panel", "x", "y", "kind", "text"]]
    for panel, ((counter, group_of), names) in enumerate(panels.items()):
        most = max(Counter(group_of).values())
        made += [[str(panel), str(group), str(lane), "cell", str(lane)] for lane, group in enumerate(group_of)]
        made.append([str(panel), "0", "0", "title", "reads" if counter == "shared_load" else "writes"])
        made.append([str(panel), "0", "0", "names",
                     names[0] + (" and %d more" % (len(names) - 1) if len(names) > 1 else "")])
        made.append([str(panel), "0", "0", "bad" if most > 1 else "good",
                     "%d lanes in one group: %d wavefronts" % (most, most) if most > 1
                     else "eight groups: one wavefront"])
    return made if panels else []


# ---- pictures that follow from formulas ----

def orders(tiles=8, first=20, flying=12):
    """Returns the table of orders.gp: a tiles x tiles grid of tiles in three orders in which blocks visit them.

    Blocks before `first` are done, and the next `flying` blocks are in flight. Panel 0 is the input. Panel
    1 is the output, where the input's tile (row, col) is at (col, row).
    """
    made = [["order", "panel", "row", "col", "number", "state"]]
    half = tiles // 2 * tiles
    for block in range(tiles * tiles):
        fronts = block % 2 * half + block // 2 if block < 2 * half else block
        places = [(block // tiles, block % tiles, block), (block % tiles, block // tiles, block),
                  (fronts % tiles, fronts // tiles, block)]
        for order, (row, col, number) in enumerate(places):
            state = "done" if number < first else "flying" if number < first + flying else "waiting"
            made.append([order, 0, row, col, number, state])
            made.append([order, 1, col, row, number, state])
    return made


def windows(rows=1003, first=64, width=16):
    """Returns the table of windows.gp: the parts of eight output rows that a tile writes, then those that windows write.

    Output rows are `rows` 4-byte elements apart, so they start anywhere in a sector of eight elements. A
    tile writes `width` elements of each row from element `first` on; a window is moved back to the sector
    boundary before. Kinds of rows: title, line (a label), whole, part and idle (a sector written wholly,
    partly or not), word (an element).
    """
    made = [["kind", "x", "y", "text"]]
    y = 0
    for title, is_window in (
            ("a tile: elements %d to %d of each output row" % (first, first + width - 1), False),
            ("its windows: %d elements from the sector boundary before element %d on" % (width, first), True)):
        made.append(["title", 0, show(y + 0.6), title])
        y += 1.8
        for line in range(8):
            shift = (line * rows + first) % 8  # elements past the start of a sector
            start = 0 if is_window else shift
            made.append(["line", 0, show(y), "output row %d" % line])
            for sector in range(0, 24, 8):
                covered = sum(start <= word < start + width for word in range(sector, sector + 8))
                made.append(["whole" if covered == 8 else "part" if covered else "idle", sector, show(y), ""])
            made += [["word", word, show(y), first - shift + word] for word in range(start, start + width)]
            y += 1.25
        y += 0.9
    return made


def ways(most):
    return "no conflict" if most == 1 else "%d-way conflict" % most


def bank_map_verdict(rows):
    """Returns the worst bank conflict of a row and of a column of a bank map, as text."""
    return "a row: %s, a column: %s" % tuple(
        ways(max(Counter((row[line], row["bank"]) for row in rows).values())) for line in ("row", "col"))


def sectors(patterns):
    """Returns the table of sectors.gp: requests to global memory, a row of 32 words per touched 128-byte line.

    patterns: name -> rows with the columns lane, line and word. Kinds of rows: title, line (a label),
    sector (a touched sector), idle (an untouched sector), word (with the lane that loads it). Of more than
    eight lines only the first five and the last two are drawn.
    """
    made = [["kind", "x", "y", "text"]]
    y = 0
    for name, rows in patterns.items():
        lines = grouped(rows, "line")
        touched = {(row["line"], int(row["word"]) // 8) for row in rows}
        n_lanes = len({row["lane"] for row in rows})
        bytes_a_lane = 4 * len(rows) // n_lanes
        how = {"column": "down a column: each lane in a line of its own",
               "shifted": "side by side, one element past the start of a line"}.get(name, "side by side")
        made.append(["title", 0, show(y + 0.6), "%d bytes per lane, %s: %d sectors, %d of %d bytes are used" % (
            bytes_a_lane, how, len(touched), 4 * len(rows), 32 * len(touched))])
        y += 1.8
        for number, (line, words) in enumerate(lines.items(), 1):
            if len(lines) > 8 and 5 < number < len(lines) - 1:
                if number == 6:
                    made.append(["line", 0, show(y - 0.1), "..."])
                    y += 0.8
                continue
            # A column touches one line per matrix row.
            made.append(["line", 0, show(y), "row %d" % (number - 1) if name == "column" else "line " + line])
            made += [["sector" if (line, sector) in touched else "idle", 8 * sector, show(y), ""] for sector in range(4)]
            made += [["word", row["word"], show(y), row["lane"]] for row in words]
            y += 1.25
        y += 0.9
    return made
