#!/bin/bash
# The solution of an exercise also compiles alone with nvcc, without a warning. usage: nvcc.sh NAME
name=$1
. "$(dirname "$0")/../checks.sh"
for file in "$root"/steps/*/solutions/"$name.cu"; do break; done
expect 0 nvcc -c -O1 -std=c++17 -arch=sm_90 -I"$root/shared" -Xcompiler -Wall,-Wextra "$file" \
    -o "$work/alone.o"
check "a warning: $(head -n 3 "$work/out" "$work/err")" [ ! -s "$work/out" -a ! -s "$work/err" ]
finish
