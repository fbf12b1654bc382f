"""Records the hardware's counts of a program of probes (small test kernels) with Nsight Compute.

usage: probes.sh PROBES.cu COUNTS.tsv [LAUNCHES]

The program launches probes and prints a line per launch: number, kernel, pattern (of the addresses) and
lanes (the active ones). With `--list` it only prints the lines; with `FIRST LAST` it makes only these
launches. probes.py skips launches that COUNTS.tsv already has, so an interrupted run can be resumed. It
runs ncu on LAUNCHES launches at a time (default: 150) and then writes COUNTS.tsv atomically. The columns are
kernel, pattern, lanes and the counters; nan is a counter that was not measured. Kernels with equal pattern
and lanes share a row; its cells, but those two, hold one word per kernel.

Exit status: 0 every launch is counted; 1 some launches could not be counted; 2 wrong usage, or COUNTS.tsv
is of another GPU; 3 no ncu, no nvcc, or no permission to read the counters.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import ncu
import results

FIGURES = [counter + kind for counter in ncu.COUNTERS for kind in ("_requests", "_work")
           if counter + kind != "async_copy_shared_requests"]  # the same instructions as async_copy_global
COLUMNS = ["kernel", "pattern", "lanes"] + FIGURES


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode()


def launches_of(text):
    """Returns number -> (kernel, pattern, lanes) from the lines that the program prints."""
    lines = (line.split("\t") for line in text.splitlines())
    return {int(line[0]): tuple(line[1:4]) for line in lines}


def recorded(path):
    """Reads COUNTS.tsv. Returns (kernel, pattern, lanes) -> values in the order of FIGURES, and the file's GPU."""
    table = results.read(path, "probes")
    rows = {}
    for row in table.rows:
        for at, kernel in enumerate(row["kernel"].split(" ")):
            rows[kernel, row["pattern"], row["lanes"]] = [
                row[name].split(" ")[at] if name in row else "nan" for name in FIGURES]
    return rows, table.head.get("gpu", "")


def write(path, head, rows, launches):
    """Writes the counted launches to COUNTS.tsv, in the order of `launches`. Equal pattern and lanes share a row."""
    together = {}
    for launch in dict.fromkeys(launches.values()):
        if launch in rows:
            together.setdefault(launch[1:], []).append([launch[0], *rows[launch]])
    table = results.Table(head, COLUMNS)
    for (pattern, lanes), kernels in together.items():
        kernel, *figures = (" ".join(words) for words in zip(*kernels))
        table.rows.append(dict(zip(COLUMNS, [kernel, pattern, lanes, *figures])))
    results.write(path, table)


def bare(kernel):
    """Returns a kernel's name without return type, template arguments and parameters."""
    return re.sub("[ (<].*", "", re.sub("^void ", "", kernel))


def counted(made, path):
    """Returns launch -> values, if ncu counted all metrics and the kernel's name is the one that the program printed."""
    launches = list(launches_of(made).values())
    metrics = {}
    for row in ncu.read_list(path)[1]:
        at = int(row["ID"])
        if row["Metric Value"].isdigit() and at < len(launches) and bare(row["Kernel Name"]) == bare(launches[at][0]):
            metrics.setdefault(at, {})[row["Metric Name"]] = int(row["Metric Value"])
    rows = {}
    for at, found in metrics.items():
        if set(found) >= set(ncu.METRICS):
            figures = []
            for counter, (requests, work) in ncu.COUNTERS.items():
                if counter + "_requests" in FIGURES:
                    figures.append(found[requests])
                figures.append(sum(found[metric] for metric in work))
            rows[launches[at]] = [str(figure) for figure in figures]
    return rows


def ranges(launches, rows, most):
    """Returns the launches that `rows` lacks as ranges [first, last] of at most `most` launches."""
    missing = [number for number, launch in launches.items() if launch not in rows]
    found = []
    for number in missing:
        if found and number == found[-1][1] + 1 and number - found[-1][0] < most:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


def complain(text, status):
    print(text, file=sys.stderr)
    sys.exit(status)


def main(arguments):
    if len(arguments) not in (2, 3) or not re.fullmatch("[1-9][0-9]{0,5}", (arguments + ["150"])[2]) \
            or not os.path.isfile(arguments[0]):
        complain("usage: probes.sh PROBES.cu COUNTS.tsv [LAUNCHES]", 2)
    source, path, most = arguments[0], arguments[1], int((arguments + ["150"])[2])
    for tool in "ncu", "nvcc":
        if not shutil.which(tool):
            complain("%s is missing: it is part of the CUDA toolkit" % tool, 3)
    gpu = output("nvidia-smi", "--query-gpu=name", "--format=csv,noheader").splitlines()[0]
    rows = {}
    if os.path.isfile(path):
        rows, other = recorded(path)
        if other != gpu:
            complain("%s has counts of '%s', but this GPU is '%s'; name another file" % (path, other, gpu), 2)
    with tempfile.TemporaryDirectory() as work:
        return count(source, path, most, gpu, rows, work)


def count(source, path, most, gpu, rows, work):
    program = os.path.join(work, "probes")
    if subprocess.run(["nvcc", "-O3", "-std=c++17", "-arch=native", "-o", program, source], check=False).returncode:
        return 1
    launches = launches_of(output(program, "--list"))
    log = os.path.join(work, "ncu")
    status = 0
    for first, last in ranges(launches, rows, most):
        began = time.monotonic()
        ran = subprocess.run(["ncu", "--csv", "--print-units", "base", "--clock-control", "none", "--cache-control", "none",
                              "--metrics", ",".join(ncu.METRICS), "--log-file", log, program, str(first), str(last)],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        said = ran.stderr.decode(errors="replace").splitlines()
        logged = results.read_lines(log) if os.path.exists(log) else []
        if any("ERR_NVGPUCTRPERM" in line for line in said + logged):
            complain("ncu has no permission to read the counters: https://developer.nvidia.com/ERR_NVGPUCTRPERM", 3)
        new = counted(ran.stdout.decode(), log) if logged else {}
        rows.update(new)
        version = re.search("^Version (.*)", output("ncu", "--version"), re.M)
        head = {"gpu": gpu, "ncu": version.group(1) if version else "",
                "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "program": os.path.basename(source)}
        write(path, head, rows, launches)
        wanted = last - first + 1
        print("launches %d to %d: %d of %d counted, %d s" % (first, last, len(new), wanted, time.monotonic() - began), flush=True)
        if len(new) < wanted:
            status = 1
            print("\n".join(said[-3:] + [line for line in logged if "==ERROR==" in line or "==WARNING==" in line][-3:]),
                  file=sys.stderr)
    print("%d of %d launches have counts in %s" % (sum(launch in rows for launch in launches.values()), len(launches), path))
    return status


if __name__ == "__main__":
    results.start()
    try:
        sys.exit(main(sys.argv[1:]))
    except (results.Error, OSError, subprocess.CalledProcessError) as error:
        complain("probes.sh: %s" % error, 1)
