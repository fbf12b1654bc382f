"""Measures PyTorch's transposes as harness/timing.h does, together with the copy kernel of harness/copy.h."""

import ctypes
import os
import shutil
import statistics
import subprocess
import sys

SAMPLE_MS = 1.2  # a sample lasts at least a millisecond; the rest is for a faster round
SHARED = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def note(text):
    """Prints a line on standard error."""
    print(text, file=sys.stderr)


def find_reset(capability):
    """Returns a function that resets all lines that L2 keeps and reports its first failure. Below compute
    capability 8.0 no kernel can keep lines, and the function does nothing."""
    if capability < (8, 0):
        return lambda: None
    complain = "a figure may depend on what ran before"
    try:
        function = ctypes.CDLL("libcuda.so.1").cuCtxResetPersistingL2Cache
    except (OSError, AttributeError) as error:
        note(f"cuCtxResetPersistingL2Cache: {error}: {complain}")
        return lambda: None
    refused = []

    def reset():
        if not refused:
            status = function()
            if status != 0:
                refused.append(status)
                note(f"cuCtxResetPersistingL2Cache: error {status}: {complain}")

    return reset


def build_fastest_copy(folder, capability, device):
    """Builds harness/copy.h as a library in `folder` with nvcc. Returns a function of two tensors that returns
    a launch of the copy on the default stream, or None after a note."""
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    source, library = os.path.join(folder, "copy.cu"), os.path.join(folder, "copy.so")
    with open(source, "w", encoding="utf-8") as file:
        file.write("""#include "harness/copy.h"
            extern "C" int use_device(int device) { return cudaSetDevice(device); }
            extern "C" int copy(const float *in, float *out, int rows, int cols)
            {
                launch_fastest_copy(in, out, rows, cols);
                return cudaGetLastError();
            }
            """)
    try:
        subprocess.run([nvcc, "-O3", "-std=c++17", "-arch=sm_%d%d" % capability, "-I" + SHARED,
                        "-shared", "-Xcompiler", "-fPIC", source, "-o", library],
                       check=True, capture_output=True)
        functions = ctypes.CDLL(library)
    except (OSError, subprocess.CalledProcessError) as error:
        note(f"harness/copy.h is not built ({error}): the ceiling is PyTorch's own copy")
        return None
    if functions.use_device(device) != 0:
        note("harness/copy.h cannot use this device: the ceiling is PyTorch's own copy")
        return None
    functions.copy.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int, ctypes.c_int]

    def copy(matrix, out):
        floats = max(1, matrix.numel() * matrix.element_size() // 4)
        shape = (1, floats) if floats < 2**31 else (floats >> 16, 1 << 16)
        arguments = matrix.data_ptr(), out.data_ptr(), *shape

        def launch():
            status = functions.copy(*arguments)
            if status != 0:
                raise RuntimeError(f"harness/copy.h: CUDA error {status}")
            return out

        return launch

    return copy


def sample(torch, function, launches, reset):
    """Returns the milliseconds per call of back-to-back calls, after an untimed call."""
    torch.cuda.synchronize()
    reset()
    function()
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(launches):
        function()
    stop.record()
    stop.synchronize()
    return start.elapsed_time(stop) / launches


def measure(torch, functions, rounds, reset):
    """Returns name -> (median, interquartile range) in milliseconds. Each function gives one sample per round."""
    launches, samples = {}, {name: [] for name in functions}
    for name, function in functions.items():
        count = 1
        while sample(torch, function, count, reset) * count < SAMPLE_MS:
            count *= 2
        launches[name] = count
    for _ in range(rounds):
        for name, function in functions.items():
            samples[name].append(sample(torch, function, launches[name], reset))
    result = {}
    for name, values in samples.items():
        quarters = (statistics.quantiles(values, n=4, method="inclusive")
                    if len(values) > 1 else [values[0]] * 3)
        result[name] = (quarters[1], quarters[2] - quarters[0])
    return result
