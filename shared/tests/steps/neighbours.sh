#!/bin/bash
# Neighbouring steps differ by their lesson alone: 02 and 03 by `+ 1`, 03 and 04's first variant by the
# XOR, 03 and 05 by an unrolling and several tiles per block, and the two kernels of 01 by which threadIdx counts
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
<             tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(row + i) * cols + col];
>             tile[threadIdx.y + i][threadIdx.x ^ (threadIdx.y + i)] =
>                 in[(size_t)(row + i) * cols + col];
<             out[(size_t)(out_row + i) * rows + out_col] = tile[threadIdx.x][threadIdx.y + i];
>             out[(size_t)(out_row + i) * rows + out_col] =
>                 tile[threadIdx.x][(threadIdx.y + i) ^ threadIdx.x];
END

lines 05_coarsen/coarsen.cu >"$work/b"
differ '03 and 05' <<'END'
< template <int ROWS>
> template <int ROWS, int UNROLL, int TILES>
<     __shared__ float tile[TILE][TILE + 1];
>     __shared__ float block_tiles[TILES][TILE][TILE + 1];
>     int z = TILES > 1 ? threadIdx.z : 0;
>     float(*tile)[TILE + 1] = block_tiles[z];
>     int tile_col = blockIdx.x * TILES + z;
<     int col = blockIdx.x * TILE + threadIdx.x;
>     int col = tile_col * TILE + threadIdx.x;
> #pragma unroll UNROLL
<     int out_row = blockIdx.x * TILE + threadIdx.y;
>     int out_row = tile_col * TILE + threadIdx.y;
< template <int ROWS>
> template <int ROWS, int UNROLL = TILE / ROWS, int TILES = 1>
<     dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
<     dim3 threads(TILE, ROWS);
<     transpose<ROWS><<<blocks, threads>>>(in, out, rows, cols);
>     dim3 blocks(tiles(cols, TILES * TILE), tiles(rows, TILE));
>     dim3 threads(TILE, ROWS, TILES);
>     transpose<ROWS, UNROLL, TILES><<<blocks, threads>>>(in, out, rows, cols);
END
finish
