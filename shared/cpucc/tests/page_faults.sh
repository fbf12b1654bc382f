#!/bin/bash
# Tests HTML reports of faulty kernels and of programs with malicious names: faults are shown at their
# lines, the replay of the warp (the "player") stops there, names stay text, and the console stays empty.
. "$(dirname "$0")/page_checks.sh"
cpucc=$shared/cpucc/cpucc
cd "$work" || exit 1

cat >"racy <img src=x onerror=alert(1)>'&.cu" <<'END'
#include <cuda_runtime.h>
template <char C> __global__ void racy(int *p)
{
    __shared__ int s[64];
    s[threadIdx.x] = p[2 * threadIdx.x];
#line 1000 "</script><script>document.title='harm'</script>\xe2\x80\xa8.cu"
    p[threadIdx.x + 512] = s[63 - threadIdx.x] + C;
}
__global__ void stuck(int *p)
{
    for (int i = 0; i < 5000; i++)
        p[i % 64 * 33 + threadIdx.x] = i;
    p[1 << 20] = 0;
}
int main()
{
    int *p;
    cudaMalloc(&p, 65536);
    cudaMemset(p, 0, 65536);
    racy<'<'><<<3, 64>>>(p);
    cudaDeviceSynchronize();
    stuck<<<2, 32>>>(p);
    cudaDeviceSynchronize();
}
END
name="racy <img src=x onerror=alert(1)>'&"
expect 0 "$cpucc" "$name.cu" -o "$name.cpu"
CPUCC_REPORT=html CPUCC_FAULTS_FILE=faults expect 1 "./$name.cpu"
check 'the page lies beside the program' test -s "$name.html"
check 'the page is said' grep -qF "$name.html shows" err
CPUCC_REPORT=html CPUCC_REPORT_FILE=/no/where.html expect 2 "./$name.cpu"
cp "$name.html" page.html
check 'scripts are those of the template' test "$(grep -c '<script' page.html)" = 2
check 'names are escaped' not grep -qE '<img|<script>document' page.html
CPUCC_REPORT=html expect 1 "$cpucc" run "$name.cu"
CPUCC_REPORT=html CPUCC_REPORT_FILE=other.html expect 1 "$cpucc" run "$name.cu"
check 'cpucc run leaves the page' test -s other.html

# In a step's folder, if the harness is installed.
if [ -d "$shared/harness" ]; then
    mkdir -p step/exercises/step1_first
    printf 'PROGRAM := step\ninclude %s/harness/step.mk\n' "$shared" >step/Makefile
    echo '#include <cuda_runtime.h>
__global__ void k() {}
int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }' | tee step/step.cu >step/exercises/step1_first/task.cu
    expect 0 make -C step page
    check 'make page' test -s step/step.html
    expect 0 make -C step page NAME=step1_first
    check 'make page of an exercise' test -s step/exercises/step1_first/step1_first.html
    expect 2 make -C step page NAME=none
    says "there is no exercise 'none' here"
    expect 0 make -C step clean
    check 'make clean' test ! -e step/step.html
fi

if command -v python3 >null; then
    check 'the data is JSON' python3 - <<'END'
import json, re
page = open("page.html", encoding="utf-8").read()
data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.S).group(1))
racy, stuck = data["kernels"]
assert racy["name"].startswith("racy<"), racy["name"]
assert any("script>" in f["name"] for f in data["files"]), data["files"]
assert any(e[0] == 10 for e in racy["trace"]["events"])
assert stuck["trace"]["events"][-1][0] in (0, 10)
END
fi
need_browser

dump page.html 'play=3' >dom
check 'no message on the console' no_messages
check 'the title' grep -q "<title>racy &lt;img" dom
check 'nothing is praised beside a fault' not grep -q '>Nothing is wasted' dom
check 'faults at their lines' test "$(grep -c 'data-fault=' dom)" = \
    "$(cut -f 5 faults | grep -c '^racy')"
dump page.html 'kernel=2&play=1000000&theme=dark' >dom
check 'no message on the console, second kernel' no_messages
check 'the player stands at the fault' grep -q 'data-event="5000" data-kind="fault"' dom
dump page.html 'kernel=%3Cscript%3E&line=%E0%A4%A&play=x&theme=%22' >dom
check 'a fragment that makes no sense' no_messages
check 'it shows the page all the same' grep -q 'id="totals"' dom
finish
