#!/bin/bash
# Tests that the HTML report names the access pattern of a request, for each pattern that it knows.
. "$(dirname "$0")/page_checks.sh"
cd "$work" || exit 1
cat >patterns.cu <<'END'
#include <cuda_runtime.h>
#define LANE threadIdx.x
#define GLOBAL(name, type, index)                                                                  \
    __global__ void name(char *p, int one) { ((type *)p)[index] = (type)one; }
#define SHARED(name, type, index)                                                                  \
    __global__ void name(char *p, int one)                                                         \
    {                                                                                              \
        __shared__ __align__(16) type s[2048];                                                     \
        s[index] = type{};                                                                         \
    }
GLOBAL(coalesced, float, LANE)
GLOBAL(misaligned, float, LANE + one)
GLOBAL(backwards_misaligned, float, 33 - LANE)
GLOBAL(stride, float, 2 * LANE)
GLOBAL(wide_stride, double, 3 * LANE)
GLOBAL(column, float, 100 * LANE)
GLOBAL(short_rows, float, LANE / 4 * 1024 + LANE % 4)
GLOBAL(misaligned_rows, float, LANE / 16 * 1023 + LANE % 16)
GLOBAL(scattered, float, LANE *LANE * 40)
SHARED(no_conflict, float, LANE)
SHARED(no_conflict_odd, float, 33 * LANE)
SHARED(tile_column, float, 32 * LANE)
SHARED(tile_column_of_64, float, 64 * LANE)
SHARED(vector_column, float4, 8 * LANE)
SHARED(shared_stride, float, 2 * LANE)
SHARED(rows_that_meet, float, LANE / 16 * 32 + LANE % 16)
SHARED(small_elements, short, 3 * LANE)
SHARED(irregular, float, LANE *LANE % 97)

// Arrays in shared memory, for each a kernel in which it is declared as the report proposes for the one before it.
#define ARRAY(name, type, rows, cols, store, load)                                                 \
    __global__ void name(char *p, int one)                                                         \
    {                                                                                              \
        __shared__ __align__(16) type t[rows][cols];                                               \
        t store = type{};                                                                          \
        __syncwarp();                                                                              \
        ((type *)p)[LANE] = t load;                                                                \
    }
ARRAY(tile, float, 32, 32, [one][LANE], [LANE][one])
ARRAY(tile_then, float, 32, 33, [one][LANE], [LANE][one])
ARRAY(bytes, char, 32, 128, [one][LANE], [LANE][one])
ARRAY(bytes_then, char, 32, 132, [one][LANE], [LANE][one])
ARRAY(vectors, float4, 32, 8, [LANE][one], [LANE][one])
ARRAY(vectors_then, float4, 32, 9, [LANE][one], [LANE][one])
ARRAY(swapped, float, 32, 32, [LANE][31 - LANE], [LANE][one])
ARRAY(swapped_then, float, 32, 32, [31 - LANE][LANE], [one][LANE])
ARRAY(fine, float, 32, 33, [one][LANE], [LANE][one])
__global__ void wide(char *p, int one)
{
    __shared__ __align__(16) float t[32][34];
    for (int i = 0; i < 34; i++)
        t[LANE][i] = 0;
    __syncwarp();
    ((float4 *)p)[LANE] = ((float4 *)t)[8 * LANE + one]; // over the ends of rows
}

// Kernels of 32 x 32 threads: in the first, threadIdx.x and .y exchanged make both sides rows.
#define X threadIdx.x
#define Y threadIdx.y
#define SQUARE(name, to, from, then)                                                               \
    __global__ void name(float *p, const float *q)                                                 \
    {                                                                                              \
        __shared__ float t[32][33];                                                                \
        for (int k = 0; k < blockDim.x / 16; k++)                                                 \
            t[X][Y] = q[from + k * 1024];                                                          \
        then;                                                                                      \
        if (X < 20)                                                                                \
            p[to] = t[X][Y];                                                                       \
    }
SQUARE(exchange, 32 * X + Y, 32 * X + Y, __syncthreads())
SQUARE(transposed, 32 * X + Y, 32 * Y + X, __syncthreads())
SQUARE(by_warp, 32 * X + Y, 32 * X + Y, __syncwarp())
#undef X
#undef Y
#define X threadIdx.y
#define Y threadIdx.x
SQUARE(exchange_then, 32 * X + Y, 32 * X + Y, __syncthreads())
int main()
{
    char *p;
    cudaMalloc(&p, 1 << 20);
#define RUN(k) k<<<1, 32>>>(p, 1);
    RUN(coalesced) RUN(misaligned) RUN(backwards_misaligned) RUN(stride) RUN(wide_stride) RUN(column)
    RUN(short_rows) RUN(misaligned_rows) RUN(scattered) RUN(no_conflict) RUN(no_conflict_odd)
    RUN(tile_column) RUN(tile_column_of_64) RUN(vector_column) RUN(shared_stride) RUN(rows_that_meet)
    RUN(small_elements) RUN(irregular)
    RUN(tile) RUN(tile_then) RUN(bytes) RUN(bytes_then) RUN(vectors) RUN(vectors_then) RUN(swapped) RUN(swapped_then)
    RUN(fine) RUN(wide)
#define RUN_SQUARE(k) k<<<1, dim3(32, 32)>>>((float *)p, (float *)p + 4096);
    cudaMemset(p, 0, 1 << 20);
    RUN_SQUARE(exchange) RUN_SQUARE(transposed) RUN_SQUARE(by_warp) RUN_SQUARE(exchange_then)
}
END
expect 0 "$shared/cpucc/cpucc" patterns.cu -o patterns
CPUCC_REPORT=html CPUCC_CHECKS=bounds CPUCC_PATIENCE=60 expect 0 ./patterns

# advice KERNEL WORDS: checks that the report's sentence on the kernel's only line begins with WORDS.
advice() {
    local said
    said=$(sed "s/{\"name\":\"$1\",/\n&\n/" patterns.html | sed "1,/^{\"name\":\"$1\",\$/d" |
        grep -m 1 -o '"advice":"[^"]*' | head -n 1 | sed 's/"advice":"//')
    check "$1: $2 expected, not: $said" test "${said#"$2"}" != "$said"
}
advice coalesced 'Coalesced:'
advice misaligned 'Misaligned start: the lanes write one row, but it begins 4 bytes behind'
advice backwards_misaligned 'Misaligned start: the lanes write one row, but it begins 8 bytes behind'
advice stride 'Stride 2: lane after lane writes an element 8 bytes further, so 4 of every 8 bytes'
advice wide_stride 'Stride 3: lane after lane writes an element 24 bytes further'
advice column 'A column of a row-major matrix: lane after lane is 400 bytes (100 elements)'
advice short_rows 'Short rows: 4 lanes write 16 contiguous bytes'
advice misaligned_rows 'Misaligned rows: 16 lanes write a row of 64 bytes'
advice scattered 'Scattered: the lanes meet 32 sectors where 4'
advice no_conflict 'No bank conflict:'
advice no_conflict_odd 'No bank conflict:'
advice tile_column 'A column of a row-major tile: its rows are 32 words long'
advice tile_column_of_64 'A column of a row-major tile: its rows are 64 words long'
advice vector_column 'A column of a row-major tile: its rows are 32 words long, a multiple of the 32 banks, so 8 lanes'
advice shared_stride 'Stride 2: lane after lane is 2 words further, which meets only 16 of the 32 banks'
advice rows_that_meet 'Rows that meet: 16 lanes go along one row, the next begins 32 words further'
advice small_elements 'Stride 3: lane after lane is 6 bytes further'
advice irregular 'A 3-way bank conflict at no regular distance'
# What a report says of another declaration is what a program declared so takes.
python3 - patterns.html >tried <<'END'
import json, re, sys
page = open(sys.argv[1]).read()
kernels = {k["name"]: k for k in json.loads(re.search(r'id="data">(.*?)</script>', page, re.S)[1])["kernels"]}
work = lambda name: sum(n[1] for c, n in kernels[name]["counters"].items() if c.startswith("shared"))
for name in "tile", "bytes", "vectors", "swapped":
    tried, = kernels[name]["tried"]
    print(name, tried["pad"], tried["work"] == work(name), tried["would"] == work(name + "_then"))
took = lambda name: [sum(n[1] for c, n in kernels[name]["counters"].items() if c.startswith(where)) for where in ("global", "shared")]
print("exchanged", [(name, k["exchanged"] == list(map(list, zip(took(name), took(name + "_then"))))) for name, k in kernels.items() if "exchanged" in k])
print("none", [name for name, k in kernels.items() if k["tried"]])
END
for line in 'tile 1' 'bytes 4' 'vectors 1' 'swapped 0'; do
    check "$line: $(cat tried)" grep -qx "$line True True" tried
done
check "other arrays: $(tail -n 1 tried)" grep -qxF "none ['tile', 'bytes', 'vectors', 'swapped']" tried
check "exchanged threads: $(grep exchanged tried)" grep -qxF "exchanged [('exchange', True)]" tried
need_browser
dump patterns.html '' >dom
check 'the page opens on the kernel that wastes most' grep -q '>exchange&lt;&lt;&lt;' dom
check "the exchange is said: $(grep -o 'x and threadIdx.*' dom)" grep -q 'block 0 would take 336 sectors instead of 2[^0-9]*688, and 84 wavefronts instead of 96' dom
finish
