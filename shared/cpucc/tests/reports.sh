#!/bin/bash
# Tests reports of counts and faults in every format: well formed, with equal numbers and escaped names.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cpucc=$shared/cpucc/cpucc
cd "$work" || exit 1

cat >'two "words".cu' <<'END'
#include <cstdio>
template <int N> __global__ void fine(int *p) { p[threadIdx.x] = N; }
__global__ void racy(int *p)
{
    __shared__ int s[64];
    s[threadIdx.x] = p[2 * threadIdx.x];
    p[threadIdx.x + 512] = s[63 - threadIdx.x];
}
__global__ void asserts(int *p) { assert(p[0] < 0 && "a <sharp> \"word\""); }
__global__ void doubtful(int *p)
{
    __shared__ int one, two;
    int v = 0;
    for (int i = 0; i <= threadIdx.x; i++)
        v += p[i];
    if (threadIdx.x == 0)
        one = v;
    if (threadIdx.x == 1)
        two = v + 1;
    __syncthreads();
    p[threadIdx.x + 64] = one + two;
    p[(atomicAdd(p + 512, 1) & 63) + 128] = v;
    __shared__ int sums[32];
    int n = p[600] + 4;
    sums[threadIdx.x] = 0;
    for (int i = 0; i < n; i++)
        sums[threadIdx.x] += p[i];
    p[threadIdx.x + 700] = sums[threadIdx.x];
    if (threadIdx.x % 3)
        p[threadIdx.x + 740] = -1;
    else
        p[threadIdx.x + 740] *= n;
}
int main()
{
    int *p;
    cudaMalloc(&p, 4096);
    cudaMemset(p, 0, 4096);
    doubtful<<<1, 32>>>(p);
    fine<1><<<2, 64>>>(p);
    fine<1><<<1, 64>>>(p);
    racy<<<1, 64>>>(p);
    asserts<<<1, 32>>>(p);
    cudaDeviceSynchronize();
}
END
expect 0 "$cpucc" 'two "words".cu' -o program
export CPUCC_REPORT_FILE=report CPUCC_FAULTS_FILE=faults

# rows FILE: prints the file without its header
rows() { tail -n +2 "$1"; }

CPUCC_REPORT=tsv expect 1 ./program
check 'tsv: the launches' test "$(rows report | cut -f 1-8 | grep -c $'fine.*\tglobal_store\t')" = 2
check 'tsv: the sectors' grep -q $'^racy\t1\t1,1,1\t64,1,1\tglobal_load\t2\t16\t8\t-$' report
check 'tsv: what may differ' cmp -s - <(rows report | sed -n 's/^doubtful\t.*,1\t\([a-z_]*\)\t.*\t/\1 /p' | sort) <<'END'
global_load lanes
global_store branches,atomics
shared_load neighbours
shared_store neighbours,sum
END
check 'tsv: nothing else does, but what a fault has ended' test \
    "$(rows report | grep -v ^doubtful | cut -f 1,9 | sort -u | sed 's/<.*>//' | tr '\t\n' ' ,')" = \
    'asserts ended,fine -,racy -,'
check 'faults: a header' grep -q $'^level\tkind\tfile\tline\tkernel\tblock\tthread\ttimes\tmessage$' \
    faults
check 'faults: a race' grep -q \
    $'^fault\trace_read_after_write\ttwo "words".cu\t7\tracy\t0,0,0\t[0-9]*,0,0\t[0-9]*\t' faults
check 'faults: an assertion' grep -q $'^fault\tassertion\t.*\t9\tasserts\t' faults
check 'faults: nine columns' not grep -qvP '^([^\t]*\t){8}[^\t]*$' faults
CPUCC_REPORT=lines expect 1 ./program
check 'lines: the sum of two launches' grep -q $'^fine.*\t2\tglobal_store\t6\t24\t24\tnan\tnan\t[a-z]* 6 24 24\t-$' report
check 'lines: what may differ, and only there' cmp -s - <(rows report | sed -n \
    's/^doubtful\t[^\t]*\t\([0-9]*\)\t\([a-z_]*\)\t.*\t/\1 \2 /p' | sort -n) <<'END'
15 global_load lanes
17 shared_store neighbours
19 shared_store neighbours
21 global_store -
21 shared_load neighbours
22 global_store atomics
24 global_load -
25 shared_store -
27 global_load -
27 shared_store sum
28 global_store -
32 global_load -
32 global_store branches
END
CPUCC_REPORT=table expect 1 ./program
cp report table
CPUCC_REPORT=text expect 1 ./program
check 'table: a mark at the line' grep -q '^  two "words".cu:15 .* global_load .*  ~lanes$' table
check 'table: what the mark means' grep -q '^    lanes: lanes leave ' table
check 'table: no other marks' test "$(grep -c '~[a-z]' table)" = 12
check 'text is table' cmp -s <(sed 's/0x.*//' table) <(sed 's/0x.*//' report)
CPUCC_REPORT=json CPUCC_REPORT_FILE=report.json expect 1 ./program
CPUCC_REPORT=junit CPUCC_REPORT_FILE=report.xml expect 1 ./program
check 'junit: four kernels, two failed' grep -q 'tests="4" failures="2"' report.xml
check 'junit: the kind' grep -q '<failure type="race_read_after_write" ' report.xml
check 'json: names of metrics' grep -q 'smsp__sass_inst_executed_op_global_ld\.sum' report.json
if command -v python3 >"$work/null"; then
    check 'json and junit are well formed and agree' python3 - <<'END'
import json, xml.etree.ElementTree as xml
report = json.load(open("report.json"))
assert [k["name"].split("<")[0] for k in report["kernels"]] == ["doubtful", "fine", "racy", "asserts"]
doubtful, fine = report["kernels"][:2]
first = doubtful["lines"][0]["counters"]
assert first["global_load"]["may_differ"] == ["lanes"] and "lanes" in report["doubts"]
assert doubtful["launches"][0]["counters"]["global_store"]["may_differ"] == ["branches", "atomics"]
assert "may_differ" not in json.dumps(fine)
assert [l["counters"]["global_store"]["work"] for l in fine["launches"]] == [16, 8]
assert fine["lines"][0]["line"] == 2
assert fine["lines"][0]["counters"]["global_store"]["work"] == 24
assert fine["lines"][0]["arrays"][0]["counters"] == fine["lines"][0]["counters"]
assert {"race_read_after_write", "assertion"} <= {f["kind"] for f in report["faults"]}
assert report["fault_count"] == sum(f["times"] for f in report["faults"])
assert "<sharp>" in report["faults"][-1]["message"]
cases = xml.parse("report.xml").getroot().findall("testcase")
assert sum(len(c.findall("failure")) for c in cases) == len(report["faults"])
END
else
    skip 'no python3 to parse JSON and XML with'
fi

CPUCC_REPORT=html CPUCC_REPORT_FILE=report.html expect 1 ./program
check 'html: what may differ' grep -q '"doubts":\[\["global_load","lanes","lanes leave ' report.html
check 'html: nothing else' test "$(grep -c '"line":[0-9]*,.*"doubts":\[\[' report.html)" = 7

# What a line's counts are of: its text, its arrays, accesses that are one in nvcc's code.
cat >arrays.cu <<'END'
__global__ void first(const float *a, const float *b, float *c)
{
    __shared__ float s[128], t[64];
    int i = threadIdx.x;
    s[i] = a[i] + b[2 * i], s[i + 64] = t[i] = 1;
    __syncthreads();
    c[i] = s[i] + t[63 - i];
    if (i < 32)
        c[i] = s[4 * i] + s[4 * i + 1] + s[4 * i + 2] + s[4 * i + 3];
}
__global__ void vectors(const float4 *a, float *c)
{
    c[32 * threadIdx.x] = a[threadIdx.x].x + a[threadIdx.x].y;
    float4 v = a[threadIdx.x + 32];
    c[threadIdx.x] = v.x + v.y + v.z + v.w;
}
int main()
{
    float *p[3];
    for (int i = 0; i < 3; i++)
        cudaMalloc(&p[i], 4096), cudaMemset(p[i], 0, 4096);
    first<<<1, 64>>>(p[0], p[1], p[2]);
    first<<<1, 64>>>(p[1], p[0], p[2]);
    vectors<<<1, 32>>>((float4 *)p[0], p[1]);
    return cudaDeviceSynchronize();
}
END
expect 0 "$cpucc" arrays.cu -o arrays
CPUCC_REPORT=table expect 0 ./arrays
check 'table: the source' grep -qxF '  5 | s[i] = a[i] + b[2 * i], s[i + 64] = t[i] = 1;' report
check 'table: units' grep -q '^  arrays.cu:7 .* shared_load .*  wavefronts$' report
# array NAME COUNTER REQUESTS WORK
array() { check "table: $1 alone" grep -q "^    of $1 * $2 * $3 * $4 " report; }
array a global_load 4 16
array b global_load 4 32
array s shared_load 4 4
check 'table: no array where there is one' test "$(grep -c '^    of ' report)" = 6
check 'table: merged, and not a vector of the source' test "$(grep '^    merged' report | cut -d ' ' -f 9)" = $'16\n8'
CPUCC_REPORT=html CPUCC_REPORT_FILE=arrays.html expect 0 ./arrays
check 'html: arrays' grep -qF '"arrays":[["global_load","a",4,16,16],["global_load","b",4,32,' arrays.html
check 'html: merged' grep -qF '"merged":[["shared_load",16]]' arrays.html

# Files that cannot be written, and unknown formats.
CPUCC_REPORT=bad expect 1 ./program
says '^CPUCC_REPORT=bad: must be one of '
CPUCC_REPORT=tsv CPUCC_REPORT_FILE=none/report expect 2 ./program
says 'cannot write none/report'
CPUCC_FAULTS_FILE=none/faults expect 2 ./program
says 'cannot write none/faults'
finish
