"""The suites that run.py runs: where their programs are, their labels, and how each is started."""
import glob
import os
import random
import re
import struct
import subprocess
import sys

import kernel_host

RACES = ("race_", "plain_first_read", "no_acquire", "volatile_data", "racecheck", "block_absent")
VERIFIED = ("barrier_divergence", "endless_wait", "assertion", "constant_write", "lane_mask", "out_of_bounds")


class Program:
    """A program with its label. `runs` are the arguments of its runs; `order` is CPUCC_SCHEDULE."""

    def __init__(self, suite, name, source, label, runs=((),), flags=(), judged=None, order=""):
        self.suite, self.name, self.source, self.label = suite, name, source, label
        self.runs, self.flags, self.judged, self.order = runs, list(flags), judged, order

    def counts(self, kind):
        """Whether the label speaks of this kind: a suite of races says nothing of bounds."""
        return self.judged is None or kind.startswith(self.judged)

    def prepare(self, folder):
        """Writes what the program needs into the folder."""


# ---- IndigoSuite: graph codes, generated from templates whose tags name the planted bugs ----

def write_graph(path, vertices, ends_empty):
    """Writes a graph in the suite's format: a vertex with many neighbours, the others with 1 to 6; with
    ends_empty the first and the last ones have none."""
    choose = random.Random(1)
    degrees = [choose.randint(1, 6), 150] + [choose.randint(1, 6) for _ in range(vertices - 2)]
    if ends_empty:
        degrees[0] = 0
        degrees[-8:] = [0] * 8
    index = [sum(degrees[:i]) for i in range(vertices + 1)]
    neighbours = [choose.randrange(vertices) for _ in range(index[-1])]
    with open(path, "wb") as file:
        file.write(struct.pack("<%di" % (2 + len(index) + len(neighbours)), vertices, index[-1], *index, *neighbours))


def indigo(checkout, work):
    """Generates the int programs. Racy are those with a tag other than boundsBug, as in HiRace's paper."""
    generators = os.path.join(checkout, "Generators")
    for template in sorted(glob.glob(os.path.join(generators, "CUDA_sources", "*.idg"))):
        subprocess.run([sys.executable, "-W", "ignore", "generate_CUDA_codes.py", template, "../copyright.txt", work],
                       cwd=generators, check=True, stdout=subprocess.DEVNULL)
    full, empty = os.path.join(work, "full.egr"), os.path.join(work, "empty.egr")
    write_graph(full, 128, False)
    write_graph(empty, 120, True)
    for source in sorted(glob.glob(os.path.join(work, "*", "*.cu"))):
        name = os.path.basename(source)[:-3]
        threads, blocks = 64, 128 if "_block" in name else 64 if "_warp" in name else 2
        runs = [(graph, str(threads), str(blocks)) for graph in (full, empty)]
        label = "racy" if re.search("atomicBug|guardBug|syncBug|raceBug", name) else "right"
        yield Program("indigo", name, source, label, runs, ["-I" + os.path.join(generators, "sources_include")], RACES)


# ---- ScoR: races of scopes, fences and locks; the name says which ----

def scor(checkout, work):
    del work
    for source in sorted(glob.glob(os.path.join(checkout, "microbenchmarks", "src", "*.cu"))):
        name = os.path.basename(source)[:-3]
        yield Program("scor", name, source, "racy" if name.startswith("race") else "right", judged=RACES,
                      order="search:50")


# ---- GPUVerify and GPURepair: kernels alone, with launch and verdict in their first lines ----

class Kernel(Program):
    """A kernel for which kernel_host.py writes a host."""

    def prepare(self, folder):
        host = os.path.join(folder, "host.cu")
        kernel_host.write(self.source, host)
        self.flags, self.source = kernel_host.flags(self.source), host


def kernels(suite, folder, label_of):
    for source in sorted(glob.glob(os.path.join(folder, "**", "kernel.cu"), recursive=True)):
        with open(source, encoding="utf-8", errors="replace") as file:
            first = file.readline().strip().lower()
        name = os.path.relpath(os.path.dirname(source), folder)
        yield Kernel(suite, name, source, label_of(name, first), [(str(k),) for k in range(kernel_host.INPUTS)],
                     judged=RACES + VERIFIED)


def gpuverify(checkout, work):
    """Labels are the verdicts in line 1; errors of GPUVerify's own front end are none."""
    del work
    labels = {"//pass": "right", "//xfail:not_all_verified": "faulty"}
    return kernels("gpuverify", os.path.join(checkout, "testsuite", "CUDA"), lambda name, first: labels.get(first, "-"))


def gpurepair(checkout, work):
    """Line 1 says whether a repair succeeds, not what needs one. The kernels of Bugged, Bugged_Cooperative and
    MicroBenchmarks do, but for those that keep their barrier; of CUDASamples those whose barrier is commented out.
    The folder CUDA has GPUVerify's kernels."""
    del work
    folder = os.path.join(checkout, "tests", "testsuite")

    def label(name, first):
        del first
        if name.startswith("CUDASamples"):
            files = glob.glob(os.path.join(folder, name, "*.*"))
            return "faulty" if any(re.search(r"//\s*__sync", kernel_host.text_of(file)) for file in files) else "right"
        kept = re.search("unnecessary_barrier|race_syncthreads|race_grid_group|race_thread_block", name)
        return "right" if kept else "faulty"

    return (kernel for kernel in kernels("gpurepair", folder, label) if not kernel.name.startswith(("CUDA/", "OpenCL")))


# ---- compute-sanitizer-samples: each shows what one of its tools finds ----

def sanitizer(checkout, work):
    del work
    for source in sorted(glob.glob(os.path.join(checkout, "*check", "*.cu")) +
                         glob.glob(os.path.join(checkout, "Suppressions", "*.cu"))):
        yield Program("sanitizer", os.path.relpath(source, checkout)[:-3], source, "faulty")


SUITES = {"indigo": indigo, "scor": scor, "gpuverify": gpuverify, "gpurepair": gpurepair, "sanitizer": sanitizer}
