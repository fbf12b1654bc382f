"""Shrinks PNG pictures: gives them a palette of 256 colours, without a visible difference.

usage: palette.py FILE...
"""
import struct
import sys
import zlib
from collections import Counter


def chunk(kind, data):
    """Returns one chunk of a PNG file as bytes (PNG specification, section 5)."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def rows_of(data, width, height):
    """Yields the unfiltered rows of an RGB image with 8 bits per channel (PNG specification, section 9)."""
    raw, stride, before = zlib.decompress(data), 3 * width, bytearray(3 * width)
    for y in range(height):
        at = y * (stride + 1)
        kind, row = raw[at], bytearray(raw[at + 1:at + 1 + stride])
        if kind == 2:
            row = bytearray((a + b) & 255 for a, b in zip(row, before))
        elif kind:
            for x in range(stride):
                left, up = row[x - 3] if x >= 3 else 0, before[x]
                corner = before[x - 3] if x >= 3 else 0
                if kind == 1:
                    add = left
                elif kind == 3:
                    add = (left + up) >> 1
                else:
                    p, q, r = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
                    add = left if p <= q and p <= r else up if q <= r else corner
                row[x] = (row[x] + add) & 255
        before = row
        yield row


def shrink(path):
    """Rewrites an RGB picture with its 256 commonest colours; other colours become the nearest of them. Leaves
    pictures of other kinds, such as those with a palette, unchanged.
    """
    with open(path, "rb") as file:
        image = file.read()
    parts, at = [], 8
    while at < len(image):
        size, kind = struct.unpack(">I4s", image[at:at + 8])
        parts.append((kind, image[at + 8:at + 8 + size]))
        at += 12 + size
    width, height, depth, colours = struct.unpack(">IIBB", parts[0][1][:10])
    if (depth, colours) != (8, 2):
        return
    data = b"".join(data for kind, data in parts if kind == b"IDAT")
    pixels = [list(zip(row[::3], row[1::3], row[2::3])) for row in rows_of(data, width, height)]
    palette = [colour for colour, _ in Counter(p for row in pixels for p in row).most_common(256)]
    index = {colour: i for i, colour in enumerate(palette)}

    def nearest(colour):
        """Returns the index of the nearest colour in the palette."""
        if colour not in index:
            index[colour] = min(range(len(palette)),
                                key=lambda i: sum((a - b) ** 2 for a, b in zip(palette[i], colour)))
        return index[colour]

    packed = b"".join(b"\0" + bytes(map(nearest, row)) for row in pixels)
    with open(path, "wb") as file:
        file.write(image[:8] + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)) +
                   chunk(b"PLTE", bytes(c for colour in palette for c in colour)) +
                   chunk(b"IDAT", zlib.compress(packed, 9)) + chunk(b"IEND", b""))


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        shrink(argument)
