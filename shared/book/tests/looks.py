"""usage: looks.py FOLDER < OUTPUT-OF-THE-BROWSER

Compares the PNG pictures of FOLDER. PAGE.light.png and PAGE.dark.png are one page: dark must be dark. figureN.*.png show
a live figure, whose cells the lines `cells N {...}` locate: without colours, in forced colours and on paper the
kinds of cells must still differ in brightness or in their hatching, what waits is hatched, and the banks differ in
brightness. Prints what does not.
"""
import itertools
import json
import statistics
import struct
import sys
import zlib
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[3] / "plots"))
import palette  # pylint: disable=import-error,wrong-import-position


def brightness(path):
    """Return a picture's rows of relative luminance, and whether all of it is grey."""
    image, at, data = path.read_bytes(), 8, b""
    while at < len(image):
        size, kind = struct.unpack(">I4s", image[at:at + 8])
        if kind == b"IHDR":
            width, height = struct.unpack(">II", image[at + 8:at + 16])
        data += image[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += 12 + size
    channels = list(palette.rows_of(data, width, height))
    linear = [((c / 255 + 0.055) / 1.055) ** 2.4 if c > 10 else c / 3294.6 for c in range(256)]
    rows = [[0.2126 * linear[r] + 0.7152 * linear[g] + 0.0722 * linear[b] for r, g, b in zip(*row)] for row in channels]
    return rows, all(max(pixel) - min(pixel) < 3 for row in channels for pixel in zip(*row))


def cell_of(rows, box):
    """Return mean and spread of the brightness inside a cell."""
    x, y, width, height = map(int, box)
    values = [value for row in rows[y + 1:y + height - 1] for value in row[x + 1:x + width - 1]]
    return statistics.mean(values), statistics.pstdev(values)


def contrast(a, b):
    """Return WCAG's contrast of two luminances."""
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)


def main(folder):
    """Compare the pictures."""
    for light in sorted(folder.glob("*.light.png")):
        if not light.name.startswith("figure"):
            before, after = (brightness(path)[0] for path in (light, light.with_name(light.name.replace("light", "dark"))))
            same = statistics.mean(abs(a - b) < 0.1 for one, other in zip(before, after) for a, b in zip(one, other))
            if same > 0.2:
                print(f"{light.name}: {100 * same:.0f} % looks the same in dark")
    for line in sys.stdin:
        word, _, rest = line.partition(" ")
        if word != "cells":
            continue
        number, _, said = rest.partition(" ")
        rows, grey = brightness(folder / f"figure{number}.png")
        if "grey" in number and not grey:
            print(f"{number}: there are colours")
        seen = {name: cell_of(rows, box) for name, box in json.loads(said).items()}
        if seen["waste"][1] < 0.04:
            print(f"{number}: what waits is not hatched: {seen}")
        for one, other in itertools.combinations(sorted(seen), 2):
            (a, spread), (b, wide) = seen[one], seen[other]
            banks = one[:4] == other[:4] == "bank"
            if (banks or "bank" not in one + other) and contrast(a, b) < (1.2 if banks else 1.5) and abs(spread - wide) < 0.04:
                print(f"{number}: {one} and {other} look alike: {contrast(a, b):.2f}, {abs(spread - wide):.2f}")


main(Path(sys.argv[1]))
