"""Makes the input of torch_transpose.py and verifies its output, with the values of harness/verify.h."""

import sys

TYPES = {1: "uint8", 2: "bfloat16", 4: "float32", 8: "float64", 16: "complex128"}


def hashed(h):
    """Returns input_bits(h - 1) of harness/verify.h, as int32."""
    h = h * (0x9E3779B97F4A7C15 - 2**64)
    h = (h ^ (h >> 32 & 0xFFFFFFFF)) * (0xD6E8FEB86659FD93 - 2**64)
    return ((h >> 35 & 0x1FFFFFFF) | 0x30000000).int()


def element_bits(torch, place, size):
    """Returns element_bits of harness/verify.h as integers of `size` bytes; for more than 4 bytes, as int32 words
    in a last dimension."""
    if size == 1:
        return (hashed(place + 1) & 0x7F).to(torch.uint8)
    if size == 2:
        return (hashed(place + 1) & 0xFFF | 0x3000).to(torch.int16)
    if size == 4:
        return hashed(place + 1)
    return torch.stack([hashed(place + (w << 48) + 1) for w in range(size // 4)], -1)


def as_bits(torch, tensor, size):
    """Returns the bits of a contiguous tensor as integers, in the form of element_bits."""
    if size <= 4:
        return tensor.view({1: torch.uint8, 2: torch.int16, 4: torch.int32}[size])
    tensor = torch.view_as_real(tensor) if size == 16 else tensor.unsqueeze(-1)
    return tensor.contiguous().view(torch.int32)


def rows_at_a_time(width):
    """Returns how many rows of `width` elements to check at once, so that memory suffices."""
    return max(1, (1 << 26) // width)


def make_input(torch, rows, cols, device, size=4):
    """Returns the input as one matrix of `rows` rows, with the matrices of a batch below each other."""
    matrix = torch.empty(rows, cols, dtype=getattr(torch, TYPES[size]), device=device)
    step = rows_at_a_time(cols * max(1, size // 4))
    for r in range(0, rows, step):
        n = min(step, rows - r)
        place = torch.arange(r * cols, (r + n) * cols, dtype=torch.int64, device=device)
        as_bits(torch, matrix[r:r + n], size).copy_(
            element_bits(torch, place.view(n, cols), size))
    return matrix


def verify(torch, name, out, rows, cols, transposed, batches=1, size=4):
    """True if every element has the expected bits; otherwise prints how many differ and the first."""
    height, width = (cols, rows) if transposed else (rows, cols)
    if out.numel() != batches * height * width or not out.is_contiguous():
        print(f"{name}: the result is {tuple(out.shape)}, not {batches} times {height} x {width}",
              file=sys.stderr)
        return False
    out = out.view(batches * height, width)
    step = rows_at_a_time(width * max(1, size // 4))
    wrong, report = 0, ""
    for r in range(0, batches * height, step):
        n = min(step, batches * height - r)
        row = torch.arange(r, r + n, dtype=torch.int64, device=out.device)[:, None]
        col = torch.arange(width, dtype=torch.int64, device=out.device)[None, :]
        if transposed:
            batch, row = row // height, row % height
            place = (batch * rows + col) * cols + row
        else:
            place = row * cols + col
        expected = element_bits(torch, place, size)
        actual = as_bits(torch, out[r:r + n], size)
        different = actual != expected
        if size > 4:
            different = different.any(-1)
        found = int(different.sum())
        if found and not wrong:
            i, j = divmod(int(different.flatten().int().argmax()), width)
            report = (f"row {r + i}, column {j}: expected {expected[i, j].tolist()}, "
                      f"actual {actual[i, j].tolist()}")
        wrong += found
    if wrong:
        print(f"{name}: {wrong} of {batches * height * width} elements differ; the first is {report}",
              file=sys.stderr)
    return wrong == 0
