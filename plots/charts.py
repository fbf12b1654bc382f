"""Makes the tables of the charts of bandwidths. draw.py writes each table as TSV and a gnuplot script draws it.

A table is a list of rows; the first row holds the column names. The text nan stands for an unknown
number. The column y counts down from the top of the chart.
"""

from collections import defaultdict

import results

NAN = "nan"


def show(number):
    """Returns a number as text with six significant digits, without trailing zeros."""
    return "%.6g" % number


def first_size(table):
    """Returns the size of the table's first row, and all rows of that size."""
    size = results.size_of(table.rows[0])
    return size, [row for row in table.rows if results.size_of(row) == size]


def grouped(rows, *columns):
    """Returns value -> rows with that value in the column; with several columns the key is a tuple. Keeps the order."""
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in columns), []).append(row)
    return {key[0] if len(columns) == 1 else key: group for key, group in groups.items()}


# ---- bandwidths ----

def steps_of(rows):
    """Returns step -> its rows, fastest first. Steps keep the order of the file, with `peers` last."""
    steps = {step: sorted(group, key=speed, reverse=True) for step, group in grouped(rows, "step").items()}
    if "peers" in steps:
        steps["peers"] = steps.pop("peers")
    return steps


def speed(row):
    """Returns a row's GB/s for sorting; -1 if it was not measured."""
    return float(row["gb_per_s"]) if results.is_measured(row) else -1


def named(row):
    """Returns the variant's name, followed by what is special about its problem."""
    special = results.special(row)
    return row["variant"] + (" (%s)" % special if special else "")


def bandwidth(table):
    """Returns the first size, the median of the ceilings at that size, and the other rows of that size."""
    size, rows = first_size(table)
    ceiling = results.median(row["gb_per_s"] for row in rows
                             if row["variant"] == "ceiling" and results.is_measured(row))
    return size, ceiling, [row for row in rows if row["variant"] != "ceiling"]


def is_faster(row, other):
    """True if `row` is faster than `other` by more than the larger of their relative interquartile ranges."""
    spread = max(results.value(one["iqr_ms"]) / (results.value(one["time_ms"]) or 1) for one in (row, other))
    return speed(row) > max(speed(other), 0) * (1 + spread)


class Bars:
    """The table of bars.gp: horizontal bars with names and labels.

    Kinds of rows:
    headline, peer    a bar in GB/s
    best              the part of a bar beyond the headline variant, up to the step's fastest variant
    step, name, note  a text to the left of a bar
    inside, outside   a label that ends (inside) or starts (outside) at `from`, in a colour
    """

    WHITE, INK, ALARM = 0xffffff, 0x222222, 0x9c2a00  # as in style.gp

    def __init__(self, most, unit, of_copy, fits):
        """most: end of the axis, GB/s; unit, of_copy: texts after speed and percent; fits: share of the axis per label."""
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
        """Adds a bar for the row and its label. `best`, if given, is the step's fastest row and extends the bar."""
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
            # Each part gets its own label if both fit; otherwise one label has both speeds.
            if end - speed_of > 0.4 * self.most:
                self.text("inside", end, self.short(best), self.INK)
                fits = speed_of > 0.2 * self.most
                self.text("inside" if fits else "outside", speed_of, label, colour if fits else self.INK)
                return
            label += ", best" + self.share("  %.0f %%", best)
        fits = speed_of > self.fits * self.most
        self.text("inside" if fits else "outside", speed_of if fits else end, label, colour if fits else self.INK)


def longest(rows, *more):
    """Returns the largest of the rows' speeds, the numbers in the texts `more`, and 0."""
    return max([speed(row) for row in rows] + [results.value(text) for text in more] + [0])


def progression(table, peak):
    """Returns the table of bars.gp with one bar per step, then one per peer.

    A step's bar shows its headline variant, extended to its fastest variant. If the step has no headline,
    or if the headline was skipped, the bar shows the fastest variant.
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
    """Returns step -> table of bars.gp with its variants, fastest first."""
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
    """Returns the table of sizes.gp, the names of its columns after `ceiling`, and its largest GB/s.

    The table has a row per square size: the ceiling, the speed of each step's fastest variant, and that of
    the fastest peer. It is empty if no square size was measured.
    """
    ceilings = defaultdict(list)
    fastest = defaultdict(dict)  # step -> size -> GB/s
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


SHAPES_LIMIT = 125  # percent at which the axis of the chart of shapes ends
SLOT = 16  # width in percent of a slot beside the axis, which holds a mark beyond the limit and its number
CONTENDERS = ["transpose", "steps", "geam", "cutensor", "contiguous", "compiled", "max_autotune"]


def shapes(table):
    """Returns the table of shapes.gp, and the number of slots that its marks beyond SHAPES_LIMIT need.

    The table has a line per shape, smaller elements first, in percent of cudaMemcpy's speed. Kinds of rows:
    head, shape   the size of the elements; the shape's name
    ours, peer    the percentages of transpose() and of the best peer, as text
    CONTENDERS    a mark at x
    beyond        the percentage of a mark that stands in a slot because it exceeds SHAPES_LIMIT
    """
    known = {"element_bytes": "4", "batches": "1", "percent_of_memcpy": NAN}
    rows = [{**known, **row} for row in table.rows if results.contender(row)]
    made = [["kind", "x", "y", "text"]]
    y, last, slots = 0, None, 0
    shapes_by_bytes = sorted(grouped(rows, "element_bytes", "batches", "rows", "cols").items(),
                             key=lambda item: float(item[0][0]))
    for (size, batches, height, width), group in shapes_by_bytes:
        best = {}
        for row in group:
            percent = row["percent_of_memcpy"]
            if row["status"] == "ok" and results.known(percent):
                for name in [results.contender(row)] + ["peer"] * (row["step"] == "peers"):
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
        # Small matrices stay in L2, so transposes can be faster than cudaMemcpy.
        for slot, (percent, name) in enumerate(mark for mark in marks if mark[0] > SHAPES_LIMIT):
            place = show(SHAPES_LIMIT + 4 + SLOT * slot)
            made += [[name, place, show(y), ""], ["beyond", place, show(y), "%.0f" % percent]]
            slots = max(slots, slot + 1)
        y += 1
    return made if rows else [], slots


# ---- several GPUs ----

MANY_LINES = ["graph", "pieces128", "pieces32", "nccl_copy", "nccl", "torch_many_max_autotune", "torch_many"]


def of_first(table, *columns):
    """Returns a table of the rows that have the first row's values in these columns."""
    first = table.rows[0]
    return results.Table(table.head, table.columns,
                         [row for row in table.rows if all(row.get(name) == first.get(name) for name in columns)])


def many_variants(table, peak):
    """Returns the table of bars.gp with the variants and peers at the first size and number of GPUs, fastest first."""
    _, ceiling, rows = bandwidth(of_first(table, "gpus"))
    bars = Bars(longest(rows, ceiling, peak), "", "", 0.15)
    for row in sorted(rows, key=speed, reverse=True):
        bars.text("name", 0, row["variant"])
        bars.add("peer" if row["step"] == "peers" else "headline", row)
        bars.y += 1
    return bars.table


def many_lines(table, x):
    """Returns the table of many.gp with a row per value of the column x, and its columns after `ceiling`.

    x is `gpus`, at the first size, or `rows`, of square matrices on the first number of GPUs. The table is
    empty if fewer than two values are measured.
    """
    if x == "gpus":
        rows = of_first(table, "rows", "cols").rows
    else:
        rows = [row for row in of_first(table, "gpus").rows if row["rows"] == row["cols"]]
    points = {}
    for row in rows:
        if results.is_measured(row):
            points.setdefault(row[x], {}).setdefault(row["variant"], []).append(row["gb_per_s"])
    lines = [name for name in MANY_LINES if any(name in point for point in points.values())]
    made = [[x, "ceiling"] + lines]
    for value in sorted(points, key=float):
        made.append([value] + [results.median(points[value].get(name, [])) for name in made[0][1:]])
    return made if len(points) > 1 else [], lines
