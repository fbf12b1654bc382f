"""transpose.py: calls libtranspose.so (make -C shared/transpose) for tensors of PyTorch and arrays of JAX.

    y = transpose.transposed(x)      # x.transpose(-1, -2).contiguous()
    y = transpose.jax_transposed(x)  # x.swapaxes(-1, -2); needs libtranspose_jax.so (make -C shared/transpose jax)

The tensor x may have up to three dimensions before the two that are swapped, and any strides if its last one is
1. Anything else that has PyTorch's shape, stride(), data_ptr(), element_size() and new_empty() works too.
"""
import ctypes
import functools
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIBRARY = ctypes.CDLL(str(HERE / "libtranspose.so"))
LIBRARY.transpose_error_text.restype = ctypes.c_char_p


class Batch(ctypes.Structure):
    """TransposeBatch of transpose.h."""
    _fields_ = [(name, ctypes.c_int64) for name in ("count", "in_stride", "out_stride")]


class Problem(ctypes.Structure):
    """Transpose of transpose.h."""
    _fields_ = ([(name, ctypes.c_void_p) for name in ("out", "input")] +
                [(name, ctypes.c_int64) for name in ("rows", "cols", "in_pitch", "out_pitch")] +
                [(name, ctypes.c_int) for name in ("element_bytes", "batch_dims")] +
                [("batch", Batch * 3), ("reads", ctypes.c_int), ("stream", ctypes.c_void_p)])


def transposed(x, out=None, stream=None):
    """Returns x with its last two dimensions swapped, in `out` or new memory, on PyTorch's stream."""
    if stream is None:
        import torch
        with torch.cuda.device(x.device):
            return transposed(x, out, torch.cuda.current_stream().cuda_stream)
    *batch, rows, cols = x.shape
    shape = (*batch, cols, rows)
    out = x.new_empty(shape) if out is None else out
    for tensor in (x, out):
        steps = [step for step, size in zip(tensor.stride(), tensor.shape) if size > 1]
        if len(batch) > 3 or tuple(out.shape) != shape or 0 in steps:
            raise ValueError("more than 5 dimensions, repeated elements, or another shape of out")
        if tensor.shape[-1] > 1 and tensor.stride()[-1] != 1:
            raise ValueError("the last stride is not 1")
    problem = Problem(out.data_ptr(), x.data_ptr(), rows, cols, x.stride()[-2] if rows > 1 else 0,
                      out.stride()[-2] if cols > 1 else 0, x.element_size(), len(batch), stream=stream)
    for d, count in enumerate(reversed(batch)):
        problem.batch[d] = Batch(count, x.stride()[-3 - d], out.stride()[-3 - d])
    error = LIBRARY.transpose(ctypes.byref(problem))
    if error:
        raise RuntimeError(LIBRARY.transpose_error_text(error).decode())
    return out


@functools.lru_cache(None)
def register(platform):
    """Makes the handler of jax.cc known to JAX, once."""
    import jax
    handler = ctypes.CDLL(str(HERE / "libtranspose_jax.so")).transpose_in_jax
    jax.ffi.register_ffi_target("transpose", jax.ffi.pycapsule(handler), platform=platform)


def jax_transposed(x, platform="CUDA"):
    """Returns x, an array of JAX with two or more dimensions, with the last two swapped; also under jax.jit."""
    import jax
    register(platform)
    *batch, rows, cols = x.shape
    return jax.ffi.ffi_call("transpose", jax.ShapeDtypeStruct((*batch, cols, rows), x.dtype))(x)
