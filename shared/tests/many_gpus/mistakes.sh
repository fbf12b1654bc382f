#!/bin/bash
# Plants one mistake at a time in the program of several devices and its harness, and runs it on the CPU with
# three devices. The verification or the CPU run must refuse it, and say why. usage: mistakes.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cpucc=${CPUCC:-$shared/cpucc/cpucc}
"$cpucc" --version >"$work/version" 2>&1 || { skip "no clang"; finish; }
program=$(grep -l 'run_many(' "$root"/steps/*/*.cu)
mkdir "$work/harness"

# small SCRIPT: a sed script that also makes slices small, so that several go to each destination.
small='s/FIRST_SLICE = 8 \* MB, SLICE = 256 \* MB/FIRST_SLICE = 2048, SLICE = 4096/'

# planted NAME VARIANT PATTERN SCRIPT: the sed script changes the program or a header; the variant must fail, and
# its standard error must match the pattern.
planted() {
    local name=$1 variant=$2 pattern=$3 script=$4
    cp "$shared"/harness/*.h "$work/harness"
    sed -e "$small" "$program" >"$work/program.cu"
    cat "$work/program.cu" "$work"/harness/{many,spread}.h >"$work/before"
    sed -i -e "$script" "$work/program.cu" "$work"/harness/{many,spread}.h
    cat "$work/program.cu" "$work"/harness/{many,spread}.h >"$work/after"
    check "$name: the script changes nothing" not cmp -s "$work/before" "$work/after"
    expect 0 "$cpucc" -I"$work" -I"$shared" "$work/program.cu" -o "$work/program"
    expect 1 env CPUCC_DEVICES=3 CPUCC_REPORT=off "$work/program" --rows "${rows:-120}" --cols "${cols:-132}" --variant "$variant"
    check "$name: it said $(head -n 3 "$work/err")" grep -q -e "$pattern" "$work/err"
}

cp "$shared"/harness/*.h "$work/harness"
sed -e "$small" "$program" >"$work/program.cu"
expect 0 "$cpucc" -I"$work" -I"$shared" "$work/program.cu" -o "$work/program"
expect 0 env CPUCC_DEVICES=3 CPUCC_REPORT=off "$work/program" --rows 100 --cols 129
says '^graph  *yes'
says 'on 3 devices'

# Wrong places, swapped blocks
differ='elements differ; the first is row'
planted 'swapped blocks' engines "$differ" 's/cols \* s->first_row\[g\], h,/cols * s->first_row[(h + 2) % 3], h,/'
planted 'another device' scattered "$differ\|outside" 's/s->out\[h\]\[(size_t)(col - s/s->out[(h + 1) % 3][(size_t)(col - s/'
planted 'rows of another source' pieces128 "$differ" \
    's/s.out\[t.peer\] + (size_t)t.col \* s.rows + s.first_row\[g\]/s.out[t.peer] + (size_t)t.col * s.rows + s.first_row[(g + 1) % 3]/'
rows=101 cols=130 planted 'the smallest block' pieces64 untouched 's/tiles(rows_of(s, s->gpus - 1), piece)/rows_of(s, 0) \/ piece/'
planted 'the last slice is left out' growing untouched 's/col < cols_of(s, h); col += cols)/col < cols_of(s, h); col += cols + 1)/'
planted 'a column too far' pull "$differ\|outside" 's/s.first_col\[h\] + t.col, s.cols/s.first_col[h] + t.col + 1, s.cols/'

# Missing events
planted 'the copy does not wait for the kernel' growing 'race' '/cudaStreamWaitEvent(copy_stream\[g\], transposed/d'
planted 'the kernel does not wait for the copy' growing 'race' 's/if (slice >= RING)/if (0)/'
planted 'copies follow nothing' engines 'race' 's/follow(s, g, copy_stream\[g\], s->stream\[g\]);/;/'
planted 'the launch does not wait for its copies' staged 'race' 's/follow(s, g, s->stream\[g\], copy_stream\[g\]);/;/'
planted 'devices do not wait for each other' pieces128 'race\|order' \
    '/static inline void join_devices/,/^}/s/CUDA_CHECK(cudaStreamWaitEvent(s->stream\[g\], s->event\[h\], 0));/;/'

# Missing fences, barriers and peer access
planted 'no barrier' by_peer 'race' '/static __device__ void move_tile/,/^}/s/__syncthreads();//'
planted 'no peer access' coalesced 'peer' 's/cudaDeviceEnablePeerAccess(h, 0)/cudaSuccess/'
finish
