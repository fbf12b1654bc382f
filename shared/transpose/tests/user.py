#!/usr/bin/env python3
"""Calls the library through transpose.py. On a GPU: tensors of PyTorch, arrays of JAX. Elsewhere, with a stub library
that works on host memory: tensors of 4-byte numbers that have what transpose.py asks of PyTorch's.

usage: user.py torch|jax|stub. Exit status: 0, 1 something is wrong, 3 no PyTorch, JAX or GPU.
"""
import ctypes
import itertools
import sys

import transpose


class Tensor:
    """A tensor in host memory, a view of `memory` from element `offset` on."""

    def __init__(self, shape, strides=None, memory=None, offset=0):
        self.shape = tuple(shape)
        size = 1
        packed = []
        for length in reversed(self.shape):
            packed.insert(0, size)
            size *= length
        self.strides = tuple(strides or packed)
        self.memory = (ctypes.c_uint32 * size)() if memory is None else memory
        self.offset = offset

    def stride(self):
        return self.strides

    def element_size(self):
        return 4

    def data_ptr(self):
        return ctypes.addressof(self.memory) + 4 * self.offset

    def new_empty(self, shape):
        return Tensor(shape)

    def at(self, index):
        return self.memory[self.offset + sum(i * step for i, step in zip(index, self.strides))]


def with_stub():
    memory = (ctypes.c_uint32 * 10000)(*range(10000))
    views = [Tensor((20, 30), None, memory), Tensor((3, 20, 30), (700, 33, 1), memory, 5),
             Tensor((4, 3, 2, 5, 7), (7, 1000, 400, 28, 1), memory), Tensor((6, 1), (9, 5), memory)]
    for x in views:
        y = transpose.transposed(x, stream=0)
        for index in itertools.product(*map(range, x.shape)):
            assert y.at((*index[:-2], index[-1], index[-2])) == x.at(index), (x.shape, index)
    for x, error in ((Tensor((20, 30), (30, 2), memory), ValueError), (Tensor((5, 4, 3), (0, 3, 1), memory), ValueError),
                     (Tensor((20, 30), (29, 1), memory), RuntimeError)):
        try:
            transpose.transposed(x, stream=0)
        except error as reason:
            print(reason)
        else:
            raise AssertionError("%s with strides %s is not refused" % (x.shape, x.strides))


def with_torch():
    try:
        import torch
    except ImportError:
        sys.exit(print("skipped: PyTorch is not installed") or 3)
    if not torch.cuda.is_available():
        sys.exit(print("skipped: no CUDA device") or 3)
    x = torch.arange(4 * 300 * 200, device="cuda", dtype=torch.int32).reshape(4, 300, 200)
    for kind in (torch.uint8, torch.float16, torch.float32, torch.float64, torch.complex128):
        for y in (x.to(kind), x.to(kind)[1:3, 5:, 3:150], x.to(kind)[0], x.to(kind).permute(1, 0, 2)):
            assert torch.equal(transpose.transposed(y), y.transpose(-1, -2))
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        y = transpose.transposed(x)
    stream.synchronize()
    assert torch.equal(y, x.transpose(-1, -2))


def with_jax():
    try:
        import jax
        jax.devices("cuda")
    except (ImportError, RuntimeError) as reason:
        sys.exit(print("skipped: JAX is not installed or has no CUDA device:", reason) or 3)
    for shape in ((300, 200), (4, 300, 200), (2, 3, 4, 5, 7), (0, 5), (1, 1)):
        for kind in ("uint8", "bfloat16", "float32", "complex64"):
            x = jax.random.randint(jax.random.key(1), shape, 0, 100).astype(kind)
            assert (transpose.jax_transposed(x) == x.swapaxes(-1, -2)).all(), (shape, kind)
            y = jax.jit(lambda v: transpose.jax_transposed(v + 1) + 1)(x)
            assert (y == x.swapaxes(-1, -2) + 2).all(), (shape, kind)


if __name__ == "__main__":
    {"stub": with_stub, "torch": with_torch, "jax": with_jax}[sys.argv[1]]()
