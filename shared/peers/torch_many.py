#!/usr/bin/env python3
"""Peer: the transpose of a matrix in blocks of rows over several GPUs, as users of PyTorch write it.

  torch_many               pack (t().contiguous()), torch.distributed.all_to_all_single, unpack
  torch_many_compiled      pack and unpack through torch.compile
  torch_many_max_autotune  pack and unpack compiled in the mode max-autotune-no-cudagraphs
  torch_all_to_all         the exchange alone, which does not transpose

One process per GPU, through NCCL. Rows and columns must be multiples of the number of GPUs. GB/s counts
the bytes that leave a GPU for others. Time is rank 0's clock between two barriers at which all GPUs are
idle, over back-to-back calls of at least ten milliseconds; the figure is the median over rounds.

Exit status: 0 verified, 1 a failure, 2 wrong usage, 3 no PyTorch, fewer than two GPUs or too little memory.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time

from torch_timing import note
from torch_transpose import COLUMNS, DEFAULT_ROUNDS, Parser, check_tsv, provenance, whole_number, write_tsv
from torch_verify import as_bits, element_bits, rows_at_a_time

VARIANTS = ["torch_many", "torch_many_compiled", "torch_many_max_autotune", "torch_all_to_all"]
SAMPLE_MS = 10
MOST_GPUS = 8


def parse_options(arguments):
    parser = Parser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=whole_number, default=65536)
    parser.add_argument("--gpus", type=whole_number, default=0)
    parser.add_argument("--rounds", type=whole_number, default=DEFAULT_ROUNDS)
    parser.add_argument("--variant", action="append", choices=VARIANTS)
    parser.add_argument("--tsv")
    parser.add_argument("--list", action="store_true", help="print the names, one per line")
    options = parser.parse_args(arguments)
    if options.list:
        print("\n".join(VARIANTS))
        sys.exit(0)
    if options.gpus > MOST_GPUS:
        parser.error(f"--gpus {options.gpus}: at most {MOST_GPUS} devices")
    check_tsv(parser, options.tsv)
    return options


def pack(rows):
    """Returns the transpose of this GPU's rows: the columns for one destination become contiguous."""
    return rows.t().contiguous()


def unpack(received):
    """Returns this GPU's rows of the output from a tensor of (source, row, place in the source's block)."""
    return received.permute(1, 0, 2).reshape(received.shape[1], -1).contiguous()


def make_functions(torch, rows, gpus):
    """Returns variant -> function that returns its result on this GPU."""
    dist = torch.distributed
    size = rows.shape[1]
    received = torch.empty(gpus, size // gpus, size // gpus, device=rows.device)

    def exchange(packed):
        dist.all_to_all_single(received, packed.view_as(received))
        return received

    functions = {}
    for name, mode in zip(VARIANTS, ["eager", None, "max-autotune-no-cudagraphs"]):
        first, last = pack, unpack
        if mode != "eager":
            first, last = (torch.compile(f, dynamic=False, mode=mode) for f in (pack, unpack))
        functions[name] = lambda first=first, last=last: last(exchange(first(rows)))
    functions["torch_all_to_all"] = lambda: exchange(rows)
    return functions


def is_right(torch, out, size, first):
    """True if `out` holds rows first, first + 1, ... of the transpose of the size x size input."""
    step = rows_at_a_time(size)
    col = torch.arange(size, dtype=torch.int64, device=out.device)[None, :]
    for r in range(0, out.shape[0], step):
        part = out[r:r + step]
        row = first + torch.arange(r, r + part.shape[0], dtype=torch.int64, device=out.device)[:, None]
        if not bool((as_bits(torch, part, 4) == element_bits(torch, col * size + row, 4)).all()):
            return False
    return True


def fill(torch, size, first, count):
    """Returns rows first to first + count - 1 of the size x size input."""
    rows = torch.empty(count, size, device="cuda")
    step = rows_at_a_time(size)
    for r in range(0, count, step):
        part = rows[r:r + step]
        place = torch.arange((first + r) * size, (first + r + part.shape[0]) * size, dtype=torch.int64, device="cuda")
        as_bits(torch, part, 4).copy_(element_bits(torch, place.view(part.shape), 4))
    return rows


def sample(torch, function, calls):
    """Returns the milliseconds per call, equal in all processes, after an untimed call."""
    dist = torch.distributed
    function()
    torch.cuda.synchronize()
    dist.barrier()
    start = time.perf_counter()
    for _ in range(calls):
        function()
    torch.cuda.synchronize()
    dist.barrier()
    spent = torch.tensor([1e3 * (time.perf_counter() - start) / calls], device="cuda", dtype=torch.float64)
    dist.broadcast(spent, 0)
    return spent.item()


def measure(torch, functions, rounds):
    """Returns variant -> (median, interquartile range) in milliseconds. Each gives one sample per round."""
    calls = {name: int(SAMPLE_MS / sample(torch, function, 1)) + 1 for name, function in functions.items()}
    samples = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            samples[name].append(sample(torch, function, calls[name]))
    result = {}
    for name, values in samples.items():
        quarters = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
        result[name] = (quarters[1], quarters[2] - quarters[0])
    return result


def one_process(rank, gpus, options, meet, arguments):
    """Verifies and measures on one GPU together with the other processes; rank 0 reports."""
    import torch
    import torch.distributed as dist
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", init_method="file://" + meet, rank=rank, world_size=gpus,
                            device_id=torch.device("cuda", rank))
    size, count = options.size, options.size // gpus
    functions = make_functions(torch, fill(torch, size, rank * count, count), gpus)
    functions = {name: functions[name] for name in VARIANTS if not options.variant or name in options.variant}
    status = {}
    for name, function in functions.items():
        out = function()
        good = name == "torch_all_to_all" or is_right(torch, out, size, rank * count)
        wrong = torch.tensor([0 if good else 1], device="cuda")
        dist.all_reduce(wrong)
        status[name] = "failed" if wrong.item() else "ok"
        del out
    times = measure(torch, {name: functions[name] for name in functions if status[name] == "ok"}, options.rounds)
    if rank == 0:
        report(torch, options, gpus, status, times, arguments)
    dist.destroy_process_group()
    if "failed" in status.values():
        sys.exit(1)


def report(torch, options, gpus, status, times, arguments):
    """Prints the table and writes the TSV file."""
    _, keys = provenance(torch, 0, arguments)
    keys = [(key, "torch_many.py " + " ".join(arguments) if key == "command" else value)
            for key, value in keys if key != "theoretical peak GB/s"]
    size = options.size
    print(f"peers: {size} x {size} floats on {gpus} x {keys[0][1]}, PyTorch {torch.__version__}")
    rows = []
    for name, state in status.items():
        ms, iqr = times.get(name, (float("nan"),) * 2)
        gb = 4 * size * size / gpus * (gpus - 1) / gpus / (ms * 1e6)
        print(f"{name:28} {state:8} {ms:10.4f} {iqr:9.4f} {gb:8.1f}")
        rows.append(["peers", name, size, size, state, f"{ms:.6f}", f"{iqr:.6f}", f"{gb:.2f}", "nan", "nan", 4, 1, "nan",
                     gpus])
    if options.tsv:
        write_tsv(options.tsv, keys, rows, COLUMNS + ["gpus"])


def main(arguments):
    options = parse_options(arguments)
    os.environ["NCCL_NVLS_ENABLE"] = "0"  # NVLink multicast stays off
    try:
        import torch
    except ImportError:
        note("PyTorch is not installed")
        return 3
    gpus = options.gpus or min(torch.cuda.device_count(), MOST_GPUS)
    if gpus < 2 or gpus > torch.cuda.device_count():
        note(f"{max(gpus, 2)} GPUs are needed; there are {torch.cuda.device_count()}")
        return 3
    if options.size % gpus:
        note(f"--size {options.size}: a multiple of the {gpus} GPUs is needed")
        return 2
    free = min(torch.cuda.mem_get_info(device)[0] for device in range(gpus))
    needed = 5 * 4 * options.size * options.size // gpus + (8 << 30)  # input, packed, received, two outputs
    if needed > free:
        note(f"--size {options.size} needs {needed / 1e9:.2f} GB per GPU, and {free / 1e9:.2f} GB are free")
        return 3
    with tempfile.TemporaryDirectory() as folder:
        try:
            torch.multiprocessing.spawn(one_process, (gpus, options, os.path.join(folder, "meet"), arguments), gpus)
        except Exception as error:  # a process that failed or died
            note(f"{type(error).__name__}: {str(error).strip().splitlines()[-1:]}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
