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


def unfiltered(kind, row, before):
    """Undoes the filter of one channel of a row (PNG specification, section 9). `before` is the row above."""
    left = corner = 0
    made = bytearray()
    for value, up in zip(row, before):
        if kind == 1:
            left = (value + left) & 255
        elif kind == 2:
            left = (value + up) & 255
        elif kind == 3:
            left = (value + ((left + up) >> 1)) & 255
        elif kind == 4:
            to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            guess = left if to_left <= to_up and to_left <= to_corner else up if to_up <= to_corner else corner
            left = (value + guess) & 255
        else:
            left = value
        corner = up
        made.append(left)
    return made


def rows_of(data, width, height):
    """Yields the rows of an RGB picture of 8 bits per channel, each as three channels."""
    raw, stride, row = zlib.decompress(data), 3 * width + 1, [bytes(width)] * 3
    for at in range(0, stride * height, stride):
        row = [unfiltered(raw[at], raw[at + 1 + c:at + stride:3], row[c]) for c in range(3)]
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
    pixels = [list(zip(*row)) for row in rows_of(data, width, height)]
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
