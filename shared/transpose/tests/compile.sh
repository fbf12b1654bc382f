#!/bin/bash
# Compiles the library: for all architectures, and as one header, without a warning; with at most 60 kernels, and
# none if nothing is called. Prints processor seconds; they fail nothing.
# usage: compile.sh. Exit status: 0, 1 a failure, 3 no nvcc.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
command -v nvcc >/dev/null || { skip "no nvcc"; finish; }
cd "$shared/transpose" || exit 1

# compiled NAME SOURCE OPTION...: compiles to $work/NAME.o, without a word, and prints how long that took.
compiled() {
    local name=$1 TIMEFORMAT="$1: %U s + %S s of the system"
    time nvcc -O3 -std=c++17 -Xcompiler -Wall,-Wextra -c "${@:2}" -o "$work/$name.o" >"$work/said" 2>&1
    check "$name: $(head -n 5 "$work/said")" [ -f "$work/$name.o" ] && check "$name: a warning: $(head -n 20 "$work/said")" [ ! -s "$work/said" ]
}

# kernels NAME: prints how many kernels the object holds, by the stubs that launch them.
kernels() { nm "$work/$1.o" | grep -o '_Z[0-9]*__device_stub_[^ ]*\|__device_stub__Z[^ ]*' | sed 's/.*__device_stub__//; s/RK12TransposeJob.*//' | sort -u | wc -l; }

expect 0 make -s header OUT="$work"
echo 'int main() { return 0; }' >"$work/empty.cu"
{
    echo '#include "transpose.cuh"'
    cat "$work/empty.cu"
} >"$work/include.cu"
compiled empty "$work/empty.cu" -arch=sm_90
compiled include "$work/include.cu" "-I$work" -arch=sm_90
compiled one_size tests/user.cu "-I$work" -arch=sm_90
compiled all_sizes transpose.cu -I.. -arch=sm_90
compiled tune tune.cu -I.. -arch=sm_90
compiled all_major transpose.cu -I.. -arch=all-major
for name in include one_size all_sizes; do echo "$name: $(kernels $name) kernels"; done
check "kernels of an include" [ "$(kernels include)" -eq 0 ]
check "kernels of all sizes" [ "$(kernels all_sizes)" -le 60 ]
check "kernels of one size" [ "$(kernels one_size)" -gt 5 ]
finish
