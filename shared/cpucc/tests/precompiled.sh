#!/bin/bash
# Tests that the precompiled header only saves time: cpucc does not use it if options or files differ from
# those it was made with, and several first compilations may run at once.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
. "$(dirname "$0")/ready_tools.sh"
cd "$work" || exit 1
cp -r "$shared/cpucc" "$shared/traffic" . # the test changes a header of the copy
cpucc=$work/cpucc/cpucc
export CPUCC_CACHE=$work/cache CPUCC_REPORT=off
compiler_of_ready "$work/cc" "$(command -v "$("$shared/cpucc/find_clang.sh")")"
export CC="$work/cc --driver-mode=gcc"

cat >prints.cu <<'END'
#include <cstdio>
#ifndef PRINTED
#define PRINTED 1
#endif
__global__ void kernel(int *p) { *p = PRINTED; }
int main()
{
    int *p, value;
    cudaMalloc(&p, 4);
    kernel<<<1, 1>>>(p);
    cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost);
    printf("%d %s\n", value, HEADER_SAYS);
}
END
echo '#define HEADER_SAYS "ours"' >cpucc/include/says.h
sed -i '/#include "cpucc_host.h"/a #include <says.h>' cpucc/include/cuda_runtime.h

# Three first compilations at once, with an empty cache.
for i in 1 2 3; do
    "$cpucc" -DPRINTED=$i prints.cu -o "p$i" &
done
wait
for i in 1 2 3; do
    expect 0 "./p$i"
    says "^$i ours$"
done
folders() { find cache -name 'header-*' -type d | wc -l; }
check 'one header was precompiled' test "$(folders)" = 1
check 'nothing half made is left' test -z "$(find cache -name 'new.*')"

# used OPTIONS...: succeeds if cpucc uses the precompiled header.
used() { bash -x "$cpucc" "$@" prints.cu -o p 2>&1 | grep -q -e '-cuda-host-only.*-include-pch'; }
check 'plainly' used
check 'with a macro that no header knows' used -DPRINTED=3 -D SPECIAL -UNOBODY
check 'not with one that a header knows' not used -DNDEBUG
check 'not with one, in two words' not used -D __CPUCC__=2
mkdir empty hides
check 'with a folder that hides nothing' used -Iempty -I empty
echo '#define HEADER_SAYS "hidden"' >hides/says.h
check 'not with a folder that hides a header' not used -Ihides
expect 0 "$cpucc" -I hides prints.cu -o p
expect 0 ./p
says '^1 hidden$'
check 'another standard has its own' used -std=c++20
check 'they are two' test "$(folders)" = 2

# A changed header: the precompiled one is not used.
sed -i 's/ours/changed/' cpucc/include/says.h
expect 0 "$cpucc" prints.cu -o p
expect 0 ./p
says '^1 changed$'
check 'it is precompiled again' used

# Another compilation replaces the precompiled header at this moment, before or after its list is read.
mkdir shims
for program in cksum stat; do
    real=$(command -v $program)
    printf '#!/bin/bash\n%s "$@"\nstatus=$?\nrm -f %s/cache/*/header-*/{files,state,host.pch}\nexit $status\n' \
        "$real" "$work" >shims/$program
    chmod +x shims/$program
    expect 0 env "PATH=$work/shims:$PATH" "$cpucc" prints.cu -o p
    check "$program: nothing is said: $(cat "$work/err")" test ! -s "$work/err"
    expect 0 ./p
    says '^1 changed$'
    rm shims/$program
done
expect 0 "$cpucc" prints.cu -o p

# A damaged precompiled header; and error messages name the program's own lines.
for file in cache/*/header-*/*.pch; do
    echo garbage >"$file"
done
expect 0 "$cpucc" prints.cu -o p
echo 'int main() { return undeclared; }' >wrong.cu
expect 1 "$cpucc" wrong.cu -o p
says '^wrong\.cu:1:.*undeclared'
check 'once' test "$(grep -c undeclared "$work/err")" = 1
finish
