"""Arranges counts, requests and blocks in time for their charts, and the pictures that follow from formulas.

As in charts.py: each function returns the rows of a table that a gnuplot script draws.
"""

from collections import Counter

import results
from charts import NAN, first_size, grouped, show


# ---- counts ----

def ratio(a, b):
    return "%.4g" % (a / b) if b > 0 else "1"


def requests_of(counts, counter, in_place, tma):
    """One kind of access of a variant: its figure, its ideal, and what made the requests.

    counts has the variant's rows by counter; in_place is the counter of cp.async that takes the place of
    this one. For global memory the figure is sectors per request, for shared memory the conflict degree.
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


ACCESSES = [  # the panels: counter, the counter of cp.async that takes its place, that of TMA
    ("global_load", "async_copy_global", "tma_load"),
    ("global_store", "", "tma_store"),
    ("shared_load", "", "tma_store"),
    ("shared_store", "async_copy_shared", "tma_load"),
]
TICKS = ["1", "2", "4", "8", "16", "32"]


def counts(table):
    """The size, and rows for each variant: four kinds of access, each a panel of its own.

    Kinds of rows: head and variant (names, as text); counted (a figure) and ideal (the least possible one,
    where that is less, with `to` the figure); number (a figure as text, where it is not the ideal or lies
    between the ticks of its axis); tma (TMA alone, without requests of a warp).
    """
    size, rows = first_size(table)
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
    """The requests of one step as piles of words on their banks; variants whose request is the same share a panel.

    Kinds of rows: title and names (of a panel), word (a box with its lane), base (under a panel), part (a
    line between lanes that are served together).
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
            # Lanes that load one word share it: a box has the number of the first.
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
    """As many of the names as a line of the picture holds, and how many more there are."""
    line = names[0]
    for i, name in enumerate(names[1:], 1):
        if len(line) >= 95:
            return "%s and %d more" % (line, len(names) - i)
        line += ", " + name
    return line


def groups(rows):
    """A step's 16-byte accesses to shared memory: the groups of four banks that lanes 0 to 7 meet.

    One wavefront gives eight lanes 16 bytes each if they meet eight different groups. Kinds of rows: cell
    (a lane in its group), title, names, good or bad (the verdict below a panel). No rows if the step has
    no such access.
    """
    panels = {}
    requests = grouped((row for row in rows if int(row["lane"]) < 8), "variant", "counter").items()
    for wanted in True, False:  # reads first, then writes
        for (variant, counter), request in requests:
            if len(request) != 32 or (counter == "shared_load") != wanted:
                continue  # not 16 bytes a lane
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


# ---- blocks in time ----

def timeline(table, kernels, span):
    """What the blocks on one SM do in `span` clock cycles, of these kernels.

    Kinds of rows: load (a block whose loads are in flight, from its first warp's to the last one's
    arrival) and store (from then to its last store), both with y the block's place on the SM, from 0;
    flight (KB that loads wait for, as y, at the cycle `from`, a corner of a curve of steps); and panel (its
    number of places as y, most KB in flight as `from`).
    """
    bins = 300
    step = span / bins

    def bin_of(cycle):
        return -1 if cycle < 0 else min(int(cycle / step), bins + 1)

    made = [["kind", "panel", "y", "from", "to"]]
    by_kernel = grouped(table.rows, "kernel")
    for panel, kernel in enumerate(kernels, 1):
        rows = by_kernel.get(kernel, [])
        change = Counter()
        for row in rows:  # what is in flight changes where a warp sends its loads and where they have arrived
            change[bin_of(float(row["begin"]))] += float(row["bytes"])
            change[bin_of(float(row["loaded"]))] -= float(row["bytes"])
        blocks = [[pick(float(row[column]) for row in group)
                   for pick, column in ((min, "begin"), (max, "loaded"), (max, "end"))]
                  for group in grouped(rows, "block").values()]
        free = []  # when each place is free again
        for begin, loaded, end in sorted(blocks, key=lambda block: block[0]):
            # Each block goes to the place that is free for longest.
            place = min((i for i in range(len(free)) if free[i] <= begin), key=free.__getitem__, default=len(free))
            free[place:place + 1] = [end]
            start, arrived, stop = max(begin, 0), min(loaded, span), min(end, span)
            if arrived > start:
                made.append(["load", str(panel), str(place), show(start), show(arrived)])
            arrived = max(arrived, 0)
            if stop > arrived and loaded < span:
                made.append(["store", str(panel), str(place), show(arrived), show(stop)])
        total, before, most = change[-1], 0, 0
        for i in range(bins):
            total += change[i]
            most = max(most, total)
            if total != before:
                made += [["flight", str(panel), show(level / 1000), show(i * step), NAN] for level in (before, total)]
            before = total
        made += [["flight", str(panel), show(level / 1000), show(span), NAN] for level in (total, 0)]
        made.append(["panel", str(panel), str(len(free)), show(most / 1000), "0"])
    return made


def in_flight(table):
    columns = ["kernel", "bytes_per_thread", "in_flight_kb", "gb_per_s"]
    return [columns] + [[row[column] for column in columns] for row in table.rows]


# ---- pictures that follow from formulas ----

def orders(tiles=8, first=20, flying=12):
    """The tiles of a matrix of tiles x tiles tiles in three orders in which blocks visit them.

    Blocks first to first + flying - 1 are in flight, those before are done. Panel 0 is the input, 1 the
    output, in which the tile of input (row, col) lies at (col, row).
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
    """Eight output rows of a matrix whose rows begin anywhere: what a tile covers of them, then what its windows cover.

    Output rows are `rows` elements of 4 bytes apart, a sector is eight of them; a tile covers `width`
    elements of each output row from `first` on. Kinds of rows: title, line (a label), whole, part and
    idle (sectors), word (with its element).
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
    """How many elements of one row, and of one column, of a bank map share a bank at worst."""
    return "a row: %s, a column: %s" % tuple(
        ways(max(Counter((row[line], row["bank"]) for row in rows).values())) for line in ("row", "col"))


def sectors(patterns):
    """Requests to global memory: a row of 32 words for each 128-byte line that is touched.

    patterns has, by a name, rows with the columns lane, line and word. Kinds of rows: title, line (a
    label), sector (a touched one), idle (an untouched one), word (with the lane that loads it). The middle
    ones of 32 lines that are alike are left out.
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
            # Lines of a column are as far apart as a row of the matrix is long.
            made.append(["line", 0, show(y), "row %d" % (number - 1) if name == "column" else "line " + line])
            made += [["sector" if (line, sector) in touched else "idle", 8 * sector, show(y), ""] for sector in range(4)]
            made += [["word", row["word"], show(y), row["lane"]] for row in words]
            y += 1.25
        y += 0.9
    return made
