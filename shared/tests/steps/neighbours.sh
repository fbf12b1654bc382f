#!/bin/bash
# Neighbouring steps differ by their lesson alone: 02 and 03 by `+ 1`, 03 and 04's first variant by the
# XOR, 03 and 05 by the loops and two constants, and the two kernels of 01 by which threadIdx counts
# rows. Comments and the names of steps and variants may differ.
# usage: neighbours.sh [REPOSITORY]. Exit status: 0, or 1 if anything else differs.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cd "${1:-$root}/steps" || exit 1

# lines FILE: the code before the second kernel and before main, without comments of whole lines.
lines() {
    sed -e '/^\/\*.*\*\/$/d' -e '/^\/\*/,/\*\//d' -e '/^int main/,$d' -e '/^constexpr int TILE64/,$d' "$1"
}

# kernel FILE NAME: the lines of one kernel.
kernel() { sed -n "/^__global__ void $2(/,/^}/p" "$1"; }

# differ NAME: the lines of $work/a and $work/b that differ are those on standard input.
differ() {
    diff "$work/a" "$work/b" | grep '^[<>]' >"$work/found"
    if diff - "$work/found" >"$work/diff"; then pass; else fail "$1 differ otherwise: $(cat "$work/diff")"; fi
}

kernel 01_naive/naive.cu coalesced_read >"$work/a"
kernel 01_naive/naive.cu coalesced_write >"$work/b"
differ 'the kernels of 01' <<'END'
< __global__ void coalesced_read(const float *in, float *out, int rows, int cols)
> __global__ void coalesced_write(const float *in, float *out, int rows, int cols)
<     int row = blockIdx.y * TILE + threadIdx.y;
<     int col = blockIdx.x * TILE + threadIdx.x;
>     int row = blockIdx.y * TILE + threadIdx.x;
>     int col = blockIdx.x * TILE + threadIdx.y;
END

lines 02_smem/smem.cu >"$work/a"
lines 03_padding/padding.cu >"$work/b"
differ '02 and 03' <<'END'
<     __shared__ float tile[TILE][TILE];
>     __shared__ float tile[TILE][TILE + 1];
END

lines 03_padding/padding.cu >"$work/a"
lines 04_swizzle_5_0_5/swizzle.cu >"$work/b"
differ '03 and 04' <<'END'
<     __shared__ float tile[TILE][TILE + 1];
>     __shared__ float tile[TILE][TILE];
<         tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
>         tile[threadIdx.y][threadIdx.x ^ threadIdx.y] = in[(size_t)row * cols + col];
<         out[(size_t)out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
>         out[(size_t)out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y ^ threadIdx.x];
END

lines 05_coarsen/coarsen.cu >"$work/b"
differ '03 and 05' <<'END'
> template <int ELEMENTS, int PADDING, int UNROLL>
<     __shared__ float tile[TILE][TILE + 1];
>     __shared__ float tile[TILE][TILE + PADDING];
<     if (row < rows && col < cols)
<         tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
> #pragma unroll UNROLL
>     for (int i = 0; i < TILE; i += TILE / ELEMENTS)
>         if (row + i < rows && col < cols)
>             tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(row + i) * cols + col];
<     if (out_row < cols && out_col < rows)
<         out[(size_t)out_row * rows + out_col] = tile[threadIdx.x][threadIdx.y];
>     for (int i = 0; i < TILE; i += TILE / ELEMENTS)
>         if (out_row + i < cols && out_col < rows)
>             out[(size_t)(out_row + i) * rows + out_col] = tile[threadIdx.x][threadIdx.y + i];
> template <int ELEMENTS, int PADDING = 1, int UNROLL = ELEMENTS>
<     dim3 threads(TILE, TILE);
<     transpose<<<blocks, threads>>>(in, out, rows, cols);
>     dim3 threads(TILE, TILE / ELEMENTS);
>     transpose<ELEMENTS, PADDING, UNROLL><<<blocks, threads>>>(in, out, rows, cols);
END
finish
