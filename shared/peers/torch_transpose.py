#!/usr/bin/env python3
"""Peer: the transposes that a user of PyTorch calls.

  torch_copy          out.copy_(in), which is cudaMemcpyAsync
  torch_contiguous    in.t().contiguous()
  torch_compiled      the same, through torch.compile
  torch_max_autotune  the same, compiled in the mode max-autotune-no-cudagraphs (with graphs,
                      PyTorch would first copy the input to a place of its own)

Input, verification, timing and results follow the step programs: values worked out from their
place by an integer hash, every element compared bit by bit, contenders taking turns, medians over
rounds; before each sample the lines that L2 keeps are reset and the contender is called once
untimed. The ceiling is the faster of torch_copy and the step programs' copy kernel, which nvcc
builds from harness/copy.h; without nvcc it is torch_copy, and a line on standard error says so.
PyTorch allocates its outputs itself, so they are not poisoned beforehand.

Exit status: 0 verified, 1 a failure, 2 wrong usage, 3 no PyTorch, no device or too little memory.
"""

import argparse
import ctypes
import datetime
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

DEFAULT_ROUNDS = 15
SAMPLE_MS = 1.2  # a sample lasts a millisecond at least, with room for a faster round
VARIANTS = ["torch_copy", "torch_contiguous", "torch_compiled", "torch_max_autotune"]
COLUMNS = ("step variant rows cols status time_ms iqr_ms gb_per_s percent_of_copy "
           "percent_of_peak element_bytes batches percent_of_memcpy").split()
SHARED = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def whole_number(text, least=1):
    value = int(text) if text.isascii() and text.isdigit() else -1
    if not least <= value <= 2**31 - 1:
        raise argparse.ArgumentTypeError(
            f"{text}: a whole number from {least} to 2147483647 is needed")
    return value


def device_number(text):
    return whole_number(text, 0)


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(2, message + "\n")


def parse_options():
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=whole_number)
    parser.add_argument("--rows", type=whole_number)
    parser.add_argument("--cols", type=whole_number)
    parser.add_argument("--rounds", type=whole_number, default=DEFAULT_ROUNDS)
    parser.add_argument("--variant", action="append", choices=VARIANTS)
    parser.add_argument("--device", type=device_number, default=0)
    parser.add_argument("--tsv")
    parser.add_argument("--list", action="store_true", help="print the names, one a line")
    parser.add_argument("--verify-only", action="store_true")
    options = parser.parse_args()
    if options.list:
        print("\n".join(VARIANTS))
        sys.exit(0)
    if options.size and (options.rows or options.cols):
        parser.error("--size excludes --rows and --cols")
    if bool(options.rows) != bool(options.cols):
        parser.error("--rows and --cols come together")
    if options.size:
        options.rows = options.cols = options.size
    folder = os.path.dirname(options.tsv or "") or "."
    if options.tsv is not None and (os.path.isdir(options.tsv) or not os.access(folder, os.W_OK)):
        parser.error(f"--tsv {options.tsv}: cannot write there")
    return options


def input_bits(torch, first, count, device):
    """Bits of `count` inputs from place `first` on: verify.h's input_bits, as int32."""
    place = torch.arange(first + 1, first + count + 1, dtype=torch.int64, device=device)
    return hashed(place)


def hashed(h):
    h = h * (0x9E3779B97F4A7C15 - 2**64)
    h = (h ^ (h >> 32 & 0xFFFFFFFF)) * (0xD6E8FEB86659FD93 - 2**64)
    return ((h >> 35 & 0x1FFFFFFF) | 0x30000000).int()


def rows_at_a_time(width):
    return max(1, (1 << 26) // width)


def make_input(torch, rows, cols, device):
    matrix = torch.empty(rows, cols, dtype=torch.float32, device=device)
    step = rows_at_a_time(cols)
    for r in range(0, rows, step):
        n = min(step, rows - r)
        bits = input_bits(torch, r * cols, n * cols, device)
        matrix[r:r + n].view(torch.int32).copy_(bits.view(n, cols))
    return matrix


def verify(torch, name, out, rows, cols, transposed):
    """Compares every element bit by bit; prints how many differ and the first of them."""
    height, width = (cols, rows) if transposed else (rows, cols)
    if tuple(out.shape) != (height, width) or not out.is_contiguous():
        print(f"{name}: the result is {tuple(out.shape)}, not {height} x {width}", file=sys.stderr)
        return False
    step = rows_at_a_time(width)
    wrong, report = 0, ""
    for r in range(0, height, step):
        n = min(step, height - r)
        row = torch.arange(r, r + n, dtype=torch.int64, device=out.device)[:, None]
        col = torch.arange(width, dtype=torch.int64, device=out.device)[None, :]
        expected = hashed((col * cols + row if transposed else row * cols + col) + 1)
        actual = out[r:r + n].view(torch.int32)
        different = actual != expected
        found = int(different.sum())
        if found and not wrong:
            at = int(different.flatten().int().argmax())
            i, j = divmod(at, width)
            report = (f"row {r + i}, column {j}: expected 0x{int(expected[i, j]):08x}, "
                      f"actual 0x{int(actual[i, j]) & 0xFFFFFFFF:08x}")
        wrong += found
    if wrong:
        print(f"{name}: {wrong} of {height * width} elements differ; the first is {report}",
              file=sys.stderr)
    return wrong == 0


def note(text):
    print(text, file=sys.stderr)


def find_reset(capability):
    """The driver's function that makes all lines that L2 keeps ordinary ones, as one that returns
    nothing. It does nothing below compute capability 8.0, where no kernel can keep any."""
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
    """launch_fastest_copy of harness/copy.h as a function of two tensors, or None and a note. It
    launches on the default stream, as everything here. The library is built in `folder`."""
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
        arguments = matrix.data_ptr(), out.data_ptr(), matrix.shape[0], matrix.shape[1]

        def launch():
            status = functions.copy(*arguments)
            if status != 0:
                raise RuntimeError(f"harness/copy.h: CUDA error {status}")
            return out

        return launch

    return copy


def sample(torch, function, launches, reset):
    """Milliseconds per call, over back-to-back calls that follow an untimed one."""
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
    """{name: (median, iqr)} in milliseconds, all functions taking turns."""
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


def provenance(torch, device):
    properties = torch.cuda.get_device_properties(device)
    try:
        with open("/proc/driver/nvidia/version", encoding="ascii") as file:
            driver = next(w for w in file.readline().split() if w[0].isdigit())
    except (OSError, StopIteration):
        driver = "unknown"
    clock = getattr(properties, "memory_clock_rate", 0)
    width = getattr(properties, "memory_bus_width", 0)
    peak = 2 * clock * 1e3 * width / 8 / 1e9 or float("nan")
    return peak, [
        ("gpu", properties.name),
        ("compute capability", f"{properties.major}.{properties.minor}"),
        ("driver", driver),
        ("CUDA runtime", f"{torch.version.cuda}, PyTorch {torch.__version__}"),
        ("theoretical peak GB/s", f"{peak:.1f}"),
        ("SMs", properties.multi_processor_count),
        ("l2 bytes", properties.L2_cache_size),
        ("date", datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")),
        ("command", " ".join(["torch_transpose.py"] + sys.argv[1:])),
    ]


def write_tsv(path, keys, rows):
    """Writes the file whole or not at all."""
    beside = f"{path}.{os.getpid()}.part"
    if os.path.exists(path) and not os.path.isfile(path):
        beside = path
    with open(beside, "w", encoding="utf-8") as file:
        for key, value in keys:
            file.write(f"# {key}: {value}\n")
        for row in [COLUMNS] + rows:
            file.write("\t".join(str(field) for field in row) + "\n")
    if beside != path:
        os.replace(beside, path)


def main():
    options = parse_options()
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed", file=sys.stderr)
        return 3
    if not torch.cuda.is_available() or options.device >= torch.cuda.device_count():
        print("PyTorch sees no such CUDA device", file=sys.stderr)
        return 3
    torch.cuda.set_device(options.device)
    device = torch.device("cuda", options.device)
    free, _ = torch.cuda.mem_get_info()
    rows, cols = options.rows, options.cols
    if not rows:
        rows = cols = 32768
        while rows > 1 and 8 * rows * cols > 0.7 * free:
            rows = cols = rows // 2
    # The input, two outputs (one being made while the last is still held) and verification.
    needed = 12 * rows * cols + 8 * (1 << 30)
    if needed > free:
        print(f"{rows} x {cols} needs {needed / 1e9:.2f} GB of device memory, and "
              f"{free / 1e9:.2f} GB are free", file=sys.stderr)
        return 3

    matrix = make_input(torch, rows, cols, device)
    copied = torch.empty_like(matrix)
    capability = torch.cuda.get_device_capability(device)
    torch._dynamo.config.suppress_errors = False
    compiled = torch.compile(lambda x: x.t().contiguous(), dynamic=False)
    tuned = torch.compile(lambda x: x.t().contiguous(), dynamic=False,
                          mode="max-autotune-no-cudagraphs")
    functions = {
        "torch_copy": lambda: copied.copy_(matrix),
        "torch_contiguous": lambda: matrix.t().contiguous(),
        "torch_compiled": lambda: compiled(matrix),
        "torch_max_autotune": lambda: tuned(matrix),
    }
    chosen = [name for name in VARIANTS if not options.variant or name in options.variant]
    peak, keys = provenance(torch, device)
    print(f"peers: {rows} x {cols} floats on {keys[0][1]}, PyTorch {torch.__version__}")
    status = {}
    for name in chosen:
        good = verify(torch, name, functions[name](), rows, cols, name != "torch_copy")
        status[name] = "ok" if good else "failed"
    times = {}
    if not options.verify_only and "ok" in status.values():
        timed = {"torch_copy": functions["torch_copy"]}
        with tempfile.TemporaryDirectory() as folder:
            fastest = build_fastest_copy(folder, capability, options.device)
        if fastest:
            copied.zero_()
            timed["fastest_copy"] = fastest(matrix, copied)
            if not verify(torch, "fastest_copy", timed["fastest_copy"](), rows, cols, False):
                return 1
        timed.update((name, functions[name]) for name in chosen if status[name] == "ok")
        times = measure(torch, timed, options.rounds, find_reset(capability))
        times["ceiling"] = min(times[name] for name in ("torch_copy", "fastest_copy")
                               if name in times)
        status["ceiling"] = "ok"
        chosen.append("ceiling")

    lines = []
    print(f"{'variant':28} {'status':8} {'ms':>10} {'IQR ms':>9} {'GB/s':>8} {'% copy':>7} "
          f"{'% memcpy':>9} {'% peak':>7}")
    for name in chosen:
        nan = float("nan")
        ms, iqr = times.get(name, (nan, nan))
        gb = 8 * rows * cols / (ms * 1e6)
        copy = 100 * times["ceiling"][0] / ms if times else nan
        memcpy = 100 * times["torch_copy"][0] / ms if times else nan
        numbers = f"{ms:.6f} {iqr:.6f} {gb:.2f} {copy:.2f} {100 * gb / peak:.2f} 4 1 {memcpy:.2f}"
        lines.append(["peers", name, rows, cols, status[name]] + numbers.split())
        if name in times:
            print(f"{name:28} {status[name]:8} {ms:10.4f} {iqr:9.4f} {gb:8.1f} {copy:7.1f} "
                  f"{memcpy:9.1f} {100 * gb / peak:7.1f}")
        else:
            print(f"{name:28} {status[name]}")
    if options.tsv:
        write_tsv(options.tsv, keys, lines)
    return 1 if "failed" in status.values() else 0


if __name__ == "__main__":
    sys.exit(main())
