#!/bin/bash
# Builds and runs the programs that use the library: C, Rust and Python with a shared library, C++ with the single
# header. Without --gpu they run on the CPU: with a stub library, and under cpucc.
# usage: users.sh [--gpu]. Exit status: 0, 1 a failure, 3 no GPU.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cd "$shared/transpose/tests" || exit 1
cuda=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")") # the toolkit, or `.` without one
expect 0 make -s -C .. header OUT="$work"
if [ "${1-}" = --gpu ]; then
    nvidia-smi -L 2>/dev/null | grep -q GPU || { skip "no CUDA device"; exit 3; }
    expect 0 make -s -B -C .. libtranspose.so transpose.o
    ! python3 -c 'import jax' 2>/dev/null || expect 0 make -s -C .. jax
    mv ../libtranspose*.so ../transpose.o "$work"
    objects=("$work/transpose.o" "-L$cuda/lib64" -lcudart -lstdc++ -lm) python="torch jax"
    linked=("-L$cuda/lib64" -l cudart)
    expect 0 nvcc -O3 -std=c++17 -arch=native "-I$work" user.cu -o "$work/user_cu"
else
    expect 0 gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -fPIC -shared -I../.. stub.c -lm -o "$work/libtranspose.so"
    objects=("-L$work" -ltranspose) linked=() python=stub
    if command -v clang >/dev/null; then
        expect 0 ../../cpucc/cpucc "-I$work" user.cu -o "$work/user_cu"
    fi
fi
export LD_LIBRARY_PATH=$work:$cuda/lib64 PYTHONPATH=$work PYTHONDONTWRITEBYTECODE=1 CPUCC_REPORT=off

[ ! -f "$work/user_cu" ] || expect 0 "$work/user_cu"
if [ -f "$cuda/include/cuda_runtime_api.h" ]; then
    expect 0 gcc -std=c11 -Wall -Wextra -Werror -I../.. -isystem "$cuda/include" user.c "${objects[@]}" -o "$work/user_c"
    expect 0 "$work/user_c"
else
    skip "the C program: no CUDA toolkit"
fi
if command -v rustc >/dev/null; then
    expect 0 rustc user.rs -o "$work/user_rs" "-L$work" -l transpose "${linked[@]}"
    expect 0 "$work/user_rs"
else
    skip "the Rust program: no rustc"
fi
cp ../transpose.py "$work"
for user in $python; do
    python3 user.py "$user" >"$work/out" 2>&1
    case $? in
    0) pass ;;
    3) skip "the Python program, $user: $(cat "$work/out")" ;;
    *) fail "the Python program, $user: $(cat "$work/out")" ;;
    esac
done
finish
