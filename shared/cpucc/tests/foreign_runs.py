#!/usr/bin/env python3
"""Runs again the kernels of others whose counts foreign_counts.tsv records.

usage: foreign_runs.py DIR OUT [PATTERN]

DIR has a checkout of each repository of the record, named by the last part of the repository's name, at the record's
commit. Builds each program in a copy of its checkout, with the edits below, which make runs short and cannot change
what is recorded, and writes the report of each run whose name matches PATTERN to OUT/RUN.tsv. Then

    foreign_counts.py foreign_counts.tsv OUT/*.tsv | diff foreign_counts.tsv -

shows what differs from the record. $CLANGXX chooses the clang. Exit status: 0; 1 if a program was not built or did
not end; 2 for wrong usage.
"""
import fnmatch
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../traffic/tests"))
import tsv  # noqa: E402

# Of each repository: options, and a script of sed for a program's files.
COMMON = {
    "cuda-samples": ("-I../../../Common", ""),
    "llm.c": ("-lcublas -lcublasLt", r"""
        s/int B = [0-9]+/int B = 2/; s/int T = [0-9]+/int T = 64/; s/int C = [0-9]+/int C = 128/
        s/int NH = [0-9]+/int NH = 4/; s/int V = [0-9]+/int V = 509/; s/int L = [0-9]+/int L = 2/
        s/block_sizes\[\] = \{[^}]*\}/block_sizes[] = {32, 128, 256}/; s/repeat_times = [0-9]+/repeat_times = 1/
        s/num_parameters = [0-9]+/num_parameters = 10000/"""),
    "SGEMM_CUDA": ("-Isrc -lcublas", r"s/SIZE = \{[^}]*\}/SIZE = {256}/; s/repeat_times = 50/repeat_times = 1/"),
    "gpu-matrix-transpose": ("", "s/num_warmup = 10/num_warmup = 2/; s/num_iterations = 100/num_iterations = 5/"),
}
# Of some programs, by their first file's name: the other files, and a script of sed.
PROGRAMS = {
    "alignedTypes.cu": ("", "s/NUM_ITERATIONS = 32/NUM_ITERATIONS = 1/"),
    "convolutionSeparable.cu": ("convolutionSeparable_gold.cpp main.cpp", "s/iterations = 16/iterations = 1/"),
    "dct8x8.cu": ("BmpUtil.cpp DCT8x8_Gold.cpp", "s/BENCHMARK_SIZE *[0-9]+/BENCHMARK_SIZE 1/"),
    "globalToShmemAsyncCopy.cu": ("", r"s/10 \* 4 \* matrixBlock/2 * matrixBlock/g; s/nIter = 100/nIter = 1/"),
    "histogram256.cu": ("histogram64.cu histogram_gold.cpp main.cpp",
                        r"s/64 \* 1048576/262144/; s/numRuns *= 16/numRuns = 1/"),
    "matrixMul.cu": ("", "s/nIter = 300/nIter = 1/"),
    "mergeSort.cu": ("bitonic.cu main.cpp mergeSort_host.cpp mergeSort_validate.cpp", r"s/4 \* 1048576/32768/"),
    "reduction.cpp": ("reduction_kernel.cu", "s/testIterations = 100/testIterations = 1/"),
    "reductionMultiBlockCG.cu": ("", "s/testIterations = 100/testIterations = 8/; s/1 << 25/1 << 18/"),
    "scalarProd_cpu.cpp": ("scalarProd.cu", "s/VECTOR_N *= 256/VECTOR_N = 32/; s/ELEMENT_N *= 4096/ELEMENT_N = 1024/"),
    "scan/main.cpp": ("scan.cu scan_gold.cpp", r"s/13 \* 1048576 \/ 2/131072/; s/iCycles = 100/iCycles = 1/"),
    "sgemm.cu": ("src/runner.cu", ""),
    "sortingNetworks/main.cpp": ("bitonicSort.cu oddEvenMergeSort.cu sortingNetworks_validate.cpp",
                                 "s/N *= 1048576/N = 16384/"),
    "transpose.cu": ("", "s/NUM_REPS 100/NUM_REPS 1/"),
    "warpAggregatedAtomicsCG.cu": ("", "s/NUM_ELEMS *10000000/NUM_ELEMS 100000/"),
}


def build(checkout, file):
    """Builds the program in the checkout and returns the folder in which it is `program`, or None."""
    folder, first = os.path.join(checkout, os.path.dirname(file)), os.path.basename(file)
    options, script = COMMON[os.path.basename(checkout)]
    others, own = next((rest for name, rest in PROGRAMS.items() if ("/" + file).endswith("/" + name)), ("", ""))
    files = [first] + others.split()
    subprocess.check_call(["sed", "-E", "-i", "-e", script, "-e", own] + files, cwd=folder)
    words = [os.path.join(HERE, "..", "cpucc"), "-O3", "-std=c++17"] + options.split() + files + ["-o", "program"]
    return folder if subprocess.call(words, cwd=folder) == 0 else None


def main(words):
    if len(words) not in (2, 3) or not os.path.isdir(words[0]):
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 2
    checkouts, out = map(os.path.abspath, words[:2])
    os.makedirs(out, exist_ok=True)
    runs = {}  # run -> repository, file, arguments
    for row in tsv.rows(os.path.join(HERE, "foreign_counts.tsv")):
        if fnmatch.fnmatch(row["run"], "".join(words[2:]) or "*"):
            arguments = "" if row["arguments"] == "-" else row["arguments"]
            runs[row["run"]] = os.path.basename(row["repository"]), row["file"], arguments
    folders, failed = {}, 0  # (repository, file) -> folder, or None if it was not built
    with tempfile.TemporaryDirectory() as work:
        for run, (repository, file, arguments) in runs.items():
            copy = os.path.join(work, repository)
            if (repository, file) not in folders:
                shutil.rmtree(copy, ignore_errors=True)  # the last program's
                shutil.copytree(os.path.join(checkouts, repository), copy, symlinks=True)
                folders[repository, file] = build(copy, file)
            if folders[repository, file]:
                report = os.path.join(out, run + ".tsv")
                with open(os.path.join(out, run + ".out"), "w") as said:
                    subprocess.call(["./program"] + arguments.split(), cwd=folders[repository, file],
                                    stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                                    env=dict(os.environ, CPUCC_REPORT="tsv", CPUCC_REPORT_FILE=report))
            failed += not (folders[repository, file] and os.path.exists(report))
    print("%d runs, %d without a report" % (len(runs), failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
