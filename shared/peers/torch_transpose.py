#!/usr/bin/env python3
"""Peer: the transposes that a user of PyTorch calls.

  torch_copy          out.copy_(in), which is cudaMemcpyAsync
  torch_contiguous    in.t().contiguous(), of a batch in.transpose(1, 2).contiguous()
  torch_compiled      the same, through torch.compile
  torch_max_autotune  the same, compiled in the mode max-autotune-no-cudagraphs (with graphs,
                      PyTorch would first copy the input)

Elements of 1, 2, 4, 8 and 16 bytes are uint8, bfloat16, float32, float64 and complex128.

Verification (torch_verify.py), timing (torch_timing.py) and results follow the step programs. The
ceiling is the faster of torch_copy and the step programs' copy kernel, which nvcc builds from
harness/copy.h; without nvcc it is torch_copy, and a line on standard error says so. PyTorch allocates
its outputs itself, so they are not poisoned beforehand.

To run many problems in one process, which loads PyTorch once:

  --serve      reads problems from standard input, one per line, each as its options
               (--rows 3 --cols 5 --element-bytes 2 --batches 1 --rounds 9 --tsv FILE), and answers
               each with a line `status N`, its exit status
  --prepare N  compiles and tunes the problems on standard input in N processes into PyTorch's cache
               on disk, and measures none. One process at a time tunes on the GPU, so that tuning
               is not disturbed

Exit status: 0 verified, 1 a failure, 2 wrong usage, 3 no PyTorch, no device or too little memory.
"""

import argparse
import concurrent.futures
import datetime
import fcntl
import gc
import multiprocessing
import os
import shlex
import sys
import tempfile

from torch_timing import build_fastest_copy, find_reset, measure, note
from torch_verify import TYPES, make_input, verify

DEFAULT_ROUNDS = 15
VARIANTS = ["torch_copy", "torch_contiguous", "torch_compiled", "torch_max_autotune"]
COLUMNS = ("step variant rows cols status time_ms iqr_ms gb_per_s percent_of_copy "
           "percent_of_peak element_bytes batches percent_of_memcpy").split()


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


def parse_options(arguments):
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=whole_number)
    parser.add_argument("--rows", type=whole_number)
    parser.add_argument("--cols", type=whole_number)
    parser.add_argument("--element-bytes", type=int, choices=sorted(TYPES), default=4)
    parser.add_argument("--batches", type=whole_number, default=1)
    parser.add_argument("--rounds", type=whole_number, default=DEFAULT_ROUNDS)
    parser.add_argument("--variant", action="append", choices=VARIANTS)
    parser.add_argument("--device", type=device_number, default=0)
    parser.add_argument("--tsv")
    parser.add_argument("--list", action="store_true", help="print the names, one per line")
    parser.add_argument("--verify-only", action="store_true")
    parser.add_argument("--serve", action="store_true", help="problems from standard input")
    parser.add_argument("--prepare", type=whole_number, metavar="N",
                        help="compile problems from standard input, N at a time")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(VARIANTS))
        sys.exit(0)
    if options.size and (options.rows or options.cols):
        parser.error("--size excludes --rows and --cols")
    if bool(options.rows) != bool(options.cols):
        parser.error("--rows and --cols come together")
    if options.size:
        options.rows = options.cols = options.size
    check_tsv(parser, options.tsv)
    return options


def check_tsv(parser, path):
    """Ends the program unless the path of --tsv, if given, can be written."""
    folder = os.path.dirname(path or "") or "."
    if path is not None and (os.path.isdir(path) or not os.access(folder, os.W_OK)):
        parser.error(f"--tsv {path}: cannot write there")


def provenance(torch, device, arguments):
    """Returns the theoretical peak in GB/s, and the `# key: value` lines of the results."""
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
        ("command", " ".join(["torch_transpose.py"] + arguments)),
    ]


def write_tsv(path, keys, rows, columns=tuple(COLUMNS)):
    """Writes the file atomically; a special file directly."""
    beside = f"{path}.{os.getpid()}.part"
    if os.path.exists(path) and not os.path.isfile(path):
        beside = path
    with open(beside, "w", encoding="utf-8") as file:
        for key, value in keys:
            file.write(f"# {key}: {value}\n")
        for row in [columns] + rows:
            file.write("\t".join(str(field) for field in row) + "\n")
    if beside != path:
        os.replace(beside, path)


def transposed(x):
    """Returns a contiguous transpose of each matrix."""
    return x.transpose(-2, -1).contiguous()


def compiled_functions(torch):
    """Resets PyTorch's compiler, and returns the two compiled transposes: name -> function."""
    torch._dynamo.reset()
    torch._dynamo.config.suppress_errors = False
    return {
        "torch_compiled": torch.compile(transposed, dynamic=False),
        "torch_max_autotune": torch.compile(transposed, dynamic=False,
                                            mode="max-autotune-no-cudagraphs"),
    }


def refused(torch, options):
    """Chooses the default size if none is given. Returns why the problem does not fit into the free memory, or
    None."""
    free, _ = torch.cuda.mem_get_info()
    size, batches = options.element_bytes, options.batches
    if not options.rows:
        options.rows = options.cols = 32768
        while options.rows > 1 and 2 * size * batches * options.rows * options.cols > 0.7 * free:
            options.rows = options.cols = options.rows // 2
    # The input, two outputs (a call makes one while the previous one still exists) and verification.
    needed = 3 * size * batches * options.rows * options.cols + 8 * (1 << 30)
    if needed <= free:
        return None
    return (f"{options.rows} x {options.cols} needs {needed / 1e9:.2f} GB of device memory, and "
            f"{free / 1e9:.2f} GB are free")


def run_problem(torch, device, fastest, options, arguments):
    """Verifies and measures one problem; returns the exit status. `fastest`: the result of
    build_fastest_copy."""
    refusal = refused(torch, options)
    if refusal:
        note(refusal)
        return 3
    rows, cols = options.rows, options.cols
    size, batches = options.element_bytes, options.batches
    matrix = make_input(torch, batches * rows, cols, device, size)
    if batches > 1:
        matrix = matrix.view(batches, rows, cols)
    copied = torch.empty_like(matrix)
    functions = {
        "torch_copy": lambda: copied.copy_(matrix),
        "torch_contiguous": lambda: transposed(matrix),
    }
    for name, function in compiled_functions(torch).items():
        functions[name] = lambda function=function: function(matrix)
    chosen = [name for name in VARIANTS if not options.variant or name in options.variant]
    peak, keys = provenance(torch, device, arguments)
    times_each = f"{batches} times " if batches > 1 else ""
    kind = "floats" if size == 4 else TYPES[size]
    print(f"peers: {times_each}{rows} x {cols} {kind} on {keys[0][1]}, PyTorch {torch.__version__}")
    status = {}
    for name in chosen:
        try:
            good = verify(torch, name, functions[name](), rows, cols, name != "torch_copy", batches,
                          size)
        except Exception as error:  # the compiler may fail in any way; the others go on
            note(f"{name}: {type(error).__name__}: {str(error).strip().splitlines()[:1]}")
            good = False
        status[name] = "ok" if good else "failed"
    times = {}
    if not options.verify_only and "ok" in status.values():
        timed = {"torch_copy": functions["torch_copy"]}
        if fastest:
            copied.zero_()
            timed["fastest_copy"] = fastest(matrix, copied)
            whole = batches * rows * cols * size % 4 == 0  # fastest_copy copies whole floats
            if whole and not verify(torch, "fastest_copy", timed["fastest_copy"](), rows, cols,
                                    False, batches, size):
                return 1
        timed.update((name, functions[name]) for name in chosen if status[name] == "ok")
        times = measure(torch, timed, options.rounds,
                        find_reset(torch.cuda.get_device_capability(device)))
        times["ceiling"] = min(times[name] for name in ("torch_copy", "fastest_copy")
                               if name in times)
        status["ceiling"] = "ok"
        chosen.append("ceiling")
    report(options, status, times, chosen, peak, keys)
    return 1 if "failed" in status.values() else 0


def report(options, status, times, chosen, peak, keys):
    """Prints the table of one problem and writes its TSV file."""
    rows, cols = options.rows, options.cols
    size, batches = options.element_bytes, options.batches
    lines = []
    print(f"{'variant':28} {'status':8} {'ms':>10} {'IQR ms':>9} {'GB/s':>8} {'% copy':>7} "
          f"{'% memcpy':>9} {'% peak':>7}")
    for name in chosen:
        nan = float("nan")
        ms, iqr = times.get(name, (nan, nan))
        gb = 2 * size * batches * rows * cols / (ms * 1e6)
        copy = 100 * times["ceiling"][0] / ms if times else nan
        memcpy = 100 * times["torch_copy"][0] / ms if times else nan
        numbers = f"{ms:.6f} {iqr:.6f} {gb:.2f} {copy:.2f} {100 * gb / peak:.2f} {size} {batches} " \
                  f"{memcpy:.2f}"
        lines.append(["peers", name, rows, cols, status[name]] + numbers.split())
        if name in times:
            print(f"{name:28} {status[name]:8} {ms:10.4f} {iqr:9.4f} {gb:8.1f} {copy:7.1f} "
                  f"{memcpy:9.1f} {100 * gb / peak:7.1f}")
        else:
            print(f"{name:28} {status[name]}")
    if options.tsv:
        write_tsv(options.tsv, keys, lines)


def forget(torch):
    """Returns the memory of the last problem to the device, for other processes."""
    gc.collect()
    torch.cuda.empty_cache()


def serve(torch, device, fastest):
    """Runs problems from standard input and prints a line `status N` for each."""
    for line in sys.stdin:
        arguments = shlex.split(line)
        try:
            status = run_problem(torch, device, fastest, parse_options(arguments), arguments)
        except SystemExit as stop:  # wrong usage
            status = stop.code
        except Exception as error:
            note(f"{type(error).__name__}: {error}")
            status = 1
        torch._dynamo.reset()
        forget(torch)
        print(f"status {status}", flush=True)
    return 0


def tune_alone(lock):
    """Makes the compiler's tuner wait until no other process tunes on the GPU."""
    from torch._inductor.runtime import triton_heuristics
    bench = triton_heuristics.CachingAutotuner.bench

    def alone(*arguments, **options):
        with open(lock, "w", encoding="ascii") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            return bench(*arguments, **options)

    triton_heuristics.CachingAutotuner.bench = alone


def prepare_one(line, lock, number):
    """Compiles and tunes one problem in a process of a pool; returns None, or why it failed."""
    import torch
    torch.cuda.set_device(number)
    if not getattr(tune_alone, "done", False):
        tune_alone(lock)
        tune_alone.done = True
    options = parse_options(shlex.split(line))
    refusal = refused(torch, options)
    if refusal:
        return refusal
    shape = [options.rows, options.cols]
    if options.batches > 1:
        shape.insert(0, options.batches)
    matrix = torch.empty(shape, dtype=getattr(torch, TYPES[options.element_bytes]), device="cuda")
    try:
        for function in compiled_functions(torch).values():
            function(matrix)
        torch.cuda.synchronize()
    except Exception as error:
        return f"{line.strip()}: {type(error).__name__}: {str(error).strip().splitlines()[:1]}"
    finally:
        del matrix
        forget(torch)
    return None


def prepare(torch, processes, device):
    """Compiles the problems on standard input into PyTorch's cache."""
    free, _ = torch.cuda.mem_get_info()
    lines = sys.stdin.readlines()
    # Each process holds an input, two outputs and a context, and compiles in one thread.
    processes = max(1, min(processes, len(lines), int(free // (14 << 30))))
    os.environ["TORCHINDUCTOR_COMPILE_THREADS"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        lock = os.path.join(folder, "tuning")
        with concurrent.futures.ProcessPoolExecutor(
                processes, multiprocessing.get_context("spawn")) as pool:
            for done in [pool.submit(prepare_one, line, lock, device) for line in lines]:
                try:
                    refusal = done.result()
                except Exception as error:  # a process that died
                    refusal = f"{type(error).__name__}: {error}"
                if refusal:
                    note(f"not prepared: {refusal}")
    return 0


def main():
    options = parse_options(sys.argv[1:])
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed", file=sys.stderr)
        return 3
    if not torch.cuda.is_available() or options.device >= torch.cuda.device_count():
        print("PyTorch sees no such CUDA device", file=sys.stderr)
        return 3
    if options.prepare:
        return prepare(torch, options.prepare, options.device)
    torch.cuda.set_device(options.device)
    device = torch.device("cuda", options.device)
    with tempfile.TemporaryDirectory() as folder:
        fastest = None
        if not options.verify_only:
            fastest = build_fastest_copy(folder, torch.cuda.get_device_capability(device),
                                         options.device)
    if options.serve:
        return serve(torch, device, fastest)
    return run_problem(torch, device, fastest, options, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
