#!/bin/bash
# Tests that cpucc and traffic do not need the rest of the tree: copied to an empty folder, they configure,
# build, pass one test of each kind and install, and the installed cpucc runs a program. usage: alone.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cd "$work" || exit 1
mkdir copy
cp -r "$shared/cpucc" "$shared/traffic" copy
expect 0 cmake -S copy/cpucc -B build
says '^-- Build files have been written'
expect 0 ctest --test-dir build -N
cp out tests
for test in cpucc.probes cpucc.faults.device cpucc.refused traffic.model; do
    check "$test is not among its tests" grep -q ": $test\$" tests
done

version=$("$("$shared/cpucc/find_clang.sh")" -dumpversion)
programs=(traffic_test "cpu_counts.clang-$version" cpu_counting)
expect 0 cmake --build build --target "${programs[@]}"
expect 0 ctest --test-dir build --output-on-failure \
    -R "^traffic[.](model|readme)\$|^cpucc[.](counts[.]clang-$version|probes|readme|order[.]streams|constructs[.]threads)\$"
says '100% tests passed'

expect 0 make -C copy/cpucc install PREFIX="$work/installed"
mv copy gone # the installed cpucc must not need the sources
cat >program.cu <<'END_OF_PROGRAM'
#include <cstdio>
__global__ void doubled(int *p) { p[threadIdx.x] *= 2; }
int main()
{
    int *p, out[32];
    cudaMalloc(&p, 128);
    cudaMemset(p, 1, 128);
    doubled<<<1, 32>>>(p);
    cudaMemcpy(out, p, 128, cudaMemcpyDeviceToHost);
    printf("%x\n", out[31]);
}
END_OF_PROGRAM
CPUCC_REPORT=tsv expect 0 installed/bin/cpucc run program.cu
says '^2020202$'
says $'\tglobal_load\t1\t4\t'
finish
