"""Arranges measurements for the charts: each function returns the rows of a table that a gnuplot script draws.

A table is a list of rows, the first of them the column names; draw.py writes it as TSV. Numbers that
are unknown are the word nan. The y of a row counts down from the top of its chart.
"""

from collections import Counter, defaultdict

import results

NAN = "nan"


def show(number):
    """A number as text, without a tail of zeros."""
    return "%.6g" % number


def first_size(table):
    """The size of the table's first row, and the rows of that size."""
    size = results.size_of(table.rows[0])
    return size, [row for row in table.rows if results.size_of(row) == size]


def grouped(rows, *columns):
    """The rows by the value of these columns, in the order of their first rows."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in columns), []).append(row)
    return {key[0] if len(columns) == 1 else key: group for key, group in groups.items()}


# ---- bandwidths ----

def steps_of(rows):
    """The rows of each step, fastest first, in the order of the file; peers come last."""
    steps = {step: sorted(group, key=speed, reverse=True) for step, group in grouped(rows, "step").items()}
    if "peers" in steps:
        steps["peers"] = steps.pop("peers")
    return steps


def speed(row):
    """GB/s for sorting; a row without a figure comes after every row with one."""
    return float(row["gb_per_s"]) if results.is_measured(row) else -1


def named(row):
    special = results.special(row)
    return row["variant"] + (" (%s)" % special if special else "")


def bandwidth(table):
    """The first size of a bandwidth file, its ceiling (the median of all programs'), and its other rows."""
    size, rows = first_size(table)
    ceiling = results.median(row["gb_per_s"] for row in rows
                             if row["variant"] == "ceiling" and results.is_measured(row))
    return size, ceiling, [row for row in rows if row["variant"] != "ceiling"]


def is_faster(row, other):
    """True if a row is faster than another by more than the interquartile range of either."""
    spread = max(results.value(one["iqr_ms"]) / (results.value(one["time_ms"]) or 1) for one in (row, other))
    return speed(row) > max(speed(other), 0) * (1 + spread)


class Bars:
    """Horizontal bars with their names and labels, for bars.gp.

    Kinds of rows: headline, best (the part of a bar beyond the headline) and peer, bars between two
    values in GB/s; step, name and note, to the left of a bar; inside and outside, a label that ends or
    begins at `from`, in a colour.
    """

    WHITE, INK, ALARM = 0xffffff, 0x222222, 0x9c2a00  # as in style.gp

    def __init__(self, most, unit, of_copy, fits):
        """A label says its speed with this unit, its percentage with of_copy, and fits into a share of the axis."""
        self.table = [["kind", "y", "from", "to", "text", "colour"]]
        self.most = most or 1
        self.unit, self.of_copy, self.fits = unit, of_copy, fits
        self.y = 0

    def text(self, kind, x, text, colour=0, up=0.0):
        self.table.append([kind, show(self.y - up), show(x), NAN, text, colour])

    def short(self, row):
        return "%.0f%s" % (float(row["gb_per_s"]), self.unit) + self.share("  %.0f %%", row)

    @staticmethod
    def share(form, row):
        return form % float(row["percent_of_copy"]) if results.known(row["percent_of_copy"]) else ""

    def add(self, kind, row, best=None):
        """A bar, with the lighter part that leads on to the step's best."""
        if row["status"] != "ok":
            self.text("outside", 0, row["status"], self.ALARM)
        if not results.known(row["gb_per_s"]):
            return
        speed_of, colour = float(row["gb_per_s"]), self.WHITE if kind == "headline" else self.INK
        end = float(best["gb_per_s"]) if best else speed_of
        self.table.append([kind, show(self.y), "0", row["gb_per_s"], "", 0])
        label = "%.0f%s%s" % (speed_of, self.unit, self.share("   %.0f %%" + self.of_copy, row))
        if best:
            self.table.append(["best", show(self.y), row["gb_per_s"], best["gb_per_s"], "", 0])
            label = self.short(row)
            # Each part has a label if both fit; else one label tells both.
            if end - speed_of > 0.4 * self.most:
                self.text("inside", end, self.short(best), self.INK)
                fits = speed_of > 0.2 * self.most
                self.text("inside" if fits else "outside", speed_of, label, colour if fits else self.INK)
                return
            label += ", best" + self.share("  %.0f %%", best)
        fits = speed_of > self.fits * self.most
        self.text("inside" if fits else "outside", speed_of if fits else end, label, colour if fits else self.INK)


def longest(rows, *more):
    """The largest of all speeds and of these figures."""
    return max([speed(row) for row in rows] + [results.value(text) for text in more] + [0])


def progression(table, peak):
    """One bar for each step, its headline variant and beyond it its fastest one, then the peers.

    A step without a headline, or whose headline was skipped, is its fastest variant.
    """
    headline = {step: names[0] for step, names in results.headlines(table.head).items()}
    _, ceiling, rows = bandwidth(table)
    rows = [row for row in rows if not results.is_peer_copy(row["variant"]) and
            (results.is_shared_problem(row) or row["variant"] == headline.get(row["step"]))]
    bars = Bars(longest(rows, ceiling, peak), " GB/s", " of copy", 0.3)
    for step, group in steps_of(rows).items():
        if step == "peers":
            bars.y += 0.5
            for row in group:
                bars.text("name", 0, named(row))
                bars.add("peer", row)
                bars.y += 1
            continue
        row = next((row for row in reversed(group)
                    if row["variant"] == headline.get(step) and row["status"] != "skipped"), group[0])
        best = group[0] if is_faster(group[0], row) else None
        bars.text("step", 0, step, up=0.3)
        bars.text("name", 0, named(row))
        if best:
            bars.text("note", 0, "best: " + named(best), up=-0.3)
        bars.add("headline", row, best)
        bars.y += 1
    return bars.table


def variants(table, peak):
    """The variants of each step as bars, fastest first: step -> table."""
    _, ceiling, rows = bandwidth(table)
    charts = {}
    for step, group in steps_of(rows).items():
        bars = Bars(longest(rows, ceiling, peak), "", "", 0.15)
        for row in group:
            bars.text("name", 0, named(row))
            bars.add("peer" if step == "peers" else "headline", row)
            bars.y += 1
        charts[step] = bars.table
    return charts


def sizes(table):
    """A row for each square size: the ceiling, then the fastest variant of each step, then of the peers.

    Returns the rows, the names of the columns after the ceiling, and the largest figure; no rows if no
    square size was measured.
    """
    ceilings = defaultdict(list)
    fastest = defaultdict(dict)  # of a step at a size
    measured = [row for row in table.rows if row["rows"] == row["cols"] and results.is_measured(row)]
    for row in measured:
        if row["variant"] == "ceiling":
            ceilings[row["rows"]].append(row["gb_per_s"])
        elif results.is_shared_problem(row) and not results.is_peer_copy(row["variant"]):
            best = fastest[row["step"]]
            best[row["rows"]] = max(best.get(row["rows"], row["gb_per_s"]), row["gb_per_s"], key=float)
    lines = [step for step in fastest if step != "peers"] + ["peers"] * ("peers" in fastest)
    made = [["size", "ceiling"] + lines]
    for size in sorted({row["rows"] for row in measured}, key=float):
        made.append([size, results.median(ceilings[size])] + [fastest[step].get(size, NAN) for step in lines])
    most = max((results.value(text) for row in made[1:] for text in row[1:]), default=0)
    return made if measured else [], lines, show(most)


SHAPES_LIMIT = 125  # percent, where the axis of the chart of shapes ends
SLOT = 16  # percent that a mark beyond it takes with its number
CONTENDERS = ["transpose", "steps", "geam", "cutensor", "contiguous", "compiled", "max_autotune"]


def contender(row):
    """The line of the chart of shapes that a row belongs to; empty if to none."""
    variant = row["variant"]
    if variant == "ceiling" or results.is_peer_copy(variant):
        return ""
    if row["step"].startswith("08_"):
        return "transpose" if variant == "transpose" else ""
    if row["step"] != "peers":
        return "steps"
    for prefix, name in ("cublas", "geam"), ("cutensor", "cutensor"):
        if variant.startswith(prefix):
            return name
    return variant.replace("torch_", "", 1) if variant.startswith("torch_") else variant


def shapes(table):
    """A line for each shape, in percent of cudaMemcpy's speed, by the size of the elements.

    Returns the rows, and how many marks of one line lie beyond SHAPES_LIMIT at most. Kinds of rows: head
    and shape (names), ours and peer (figures of transpose() and the best peer, as text), the contenders
    (marks), and beyond (the figure of a mark beyond the limit: such marks stand in slots beside the axis).
    """
    known = {"element_bytes": "4", "batches": "1", "percent_of_memcpy": NAN}
    rows = [{**known, **row} for row in table.rows if contender(row)]
    made = [["kind", "x", "y", "text"]]
    y, last, slots = 0, None, 0
    shapes_by_bytes = sorted(grouped(rows, "element_bytes", "batches", "rows", "cols").items(),
                             key=lambda item: float(item[0][0]))
    for (size, batches, height, width), group in shapes_by_bytes:
        best = {}
        for row in group:
            percent = row["percent_of_memcpy"]
            if row["status"] == "ok" and results.known(percent):
                for name in [contender(row)] + ["peer"] * (row["step"] == "peers"):
                    best[name] = max(best.get(name, percent), percent, key=float)
        if size != last:
            y += 0.4 * (last is not None)
            made.append(["head", 0, show(y), "elements of %s byte%s" % (size, "" if float(size) == 1 else "s")])
            y += 1
        last = size
        made.append(["shape", 0, show(y), "%s%s × %s" % ("" if float(batches) == 1 else batches + " of ", height, width)])
        made.append(["ours", 0, show(y), results.fixed(best.get("transpose", NAN), 1)])
        made.append(["peer", 0, show(y), results.fixed(best.get("peer", NAN), 1)])
        marks = sorted((float(best[name]), name) for name in CONTENDERS if name in best)
        made += [[name, show(percent), show(y), ""] for percent, name in marks if percent <= SHAPES_LIMIT]
        # Small matrices live in L2, where a copy of this size is no bound.
        for slot, (percent, name) in enumerate(mark for mark in marks if mark[0] > SHAPES_LIMIT):
            place = show(SHAPES_LIMIT + 4 + SLOT * slot)
            made += [[name, place, show(y), ""], ["beyond", place, show(y), "%.0f" % percent]]
            slots = max(slots, slot + 1)
        y += 1
    return made if rows else [], slots


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
            # Lanes that want one word share it: a box has the number of the first.
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

    One wavefront gives eight lanes 16 bytes each if they want eight different groups. Kinds of rows: cell
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
    label), sector (a touched one), idle (an untouched one), word (with the lane that wants it). The middle
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
        made.append(["title", 0, show(y + 0.6), "%d bytes a lane, %s: %d sectors, %d of %d bytes are wanted" % (
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
