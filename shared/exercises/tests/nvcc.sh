#!/bin/bash
# nvcc compiles the solutions of a step's exercises without a warning: in one file, each in a namespace of
# its own. usage: nvcc.sh STEP
. "$(dirname "$0")/../../traffic/tests/checks.sh"

echo '#include "exercises/exercise.h"' >"$work/all.cu"
for folder in "$root/steps/$1"/exercises/*/; do
    file=${folder}solution.cu name=$(basename "$folder")
    [ -f "$file" ] || { skip "$1 has no exercises"; finish; }
    ! grep -q '^// predict:' "$file" || file=${folder}task.cu # a solution of predictions has no code
    grep -q '^#include' "$file" || continue                   # nor has one that is a layout
    printf '#define exercise_launch launch_%s\nnamespace %s {\n#include "%s"\n}\n#undef exercise_launch\n' \
        "$name" "$name" "$file" >>"$work/all.cu"
done
expect 0 nvcc -c -O1 -std=c++17 -arch=sm_90 -I"$root/shared" -Xcompiler -Wall,-Wextra "$work/all.cu" \
    -o "$work/all.o"
check "a warning: $(head -n 3 "$work/out" "$work/err")" [ -z "$(cat "$work/out" "$work/err")" ]
finish
