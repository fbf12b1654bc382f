/*
 * Step 09: a matrix in blocks of rows over several GPUs, so that most of it must cross a link.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared many_gpus.cu -o many_gpus
 *
 * Copies of the same blocks, not transposed; the fastest is the ceiling:
 *   engines      copy engines: one cudaMemcpyPeerAsync per pair of devices
 *   copy_kernel  a kernel reads its own memory and stores to all others, 16 bytes per thread
 *   nccl_copy    NCCL's send and receive
 *
 * One kernel per device, which accesses the other devices' memory:
 *   scattered    one element per thread; a warp reads a row and stores down a remote column
 *   coalesced    one element per thread; a warp reads down a column and stores along a remote row
 *   pieces32     tiles of 1024 elements through shared memory; stores in pieces of 32 bytes,
 *   pieces64     64 bytes,
 *   pieces128    128 bytes
 *   by_peer      pieces128, one destination after another instead of all in turns
 *   pull         pieces128, but each device loads its tiles from the others
 *
 * In two stages:
 *   staged       kernels transpose slices of 256 MB into two staging buffers, a copy engine carries them
 *   growing      staged, but the first slice has 8 MB and each next slice is twice as large
 *   graph        growing, launched as one CUDA graph
 *   later        growing, but the block that stays waits until the slices have 256 MB
 *   nccl         the usual way: pack, NCCL's send and receive, unpack
 */
#include "harness/many.h"

constexpr int TILE = 32, THREADS = 256;
constexpr size_t MB = 1 << 20;

/* ---- copies: the ceiling ---- */

/* Carries what device g sends, one copy after another. Device g sends to devices g + 1, g + 2, ... in
 * this order, so that each device receives from one other at a time. */
static cudaStream_t copy_stream[MAX_GPUS];

static const char *prepare_streams(const Spread *s)
{
    for (int g = s->begin; g < s->end && !copy_stream[g]; g++) {
        use_device(s, g);
        CUDA_CHECK(cudaStreamCreateWithFlags(&copy_stream[g], cudaStreamNonBlocking));
    }
    return NULL;
}

static void launch_engines(const Spread *s)
{
    for (int g = 0; g < s->gpus; g++) {
        use_device(s, g);
        follow(s, g, copy_stream[g], s->stream[g]);
        for (int turn = 1; turn <= s->gpus; turn++) {
            int h = (g + turn) % s->gpus;
            size_t rows = rows_of(s, g), cols = cols_of(s, h);
            if (rows && cols)
                CUDA_CHECK(cudaMemcpyPeerAsync(
                    s->out[h] + cols * s->first_row[g], h, s->in[g] + rows * s->first_col[h], g,
                    rows * cols * sizeof(float), h == g ? s->stream[g] : copy_stream[g]));
        }
        follow(s, g, s->stream[g], copy_stream[g]);
    }
}

constexpr int COPY_BLOCKS = 264; /* for each destination: two per SM of an H200 */

/* Neighbouring blocks have different destinations. */
__global__ void copy_blocks(Spread s, int g)
{
    int h = (g + 1 + blockIdx.x) % s.gpus;
    size_t rows = rows_of(&s, g), cols = cols_of(&s, h), count = rows * cols;
    const float *in = s.in[g] + rows * s.first_col[h];
    float *out = s.out[h] + cols * s.first_row[g];
    size_t first = (size_t)(blockIdx.x / s.gpus) * THREADS + threadIdx.x;
    size_t stride = (size_t)(gridDim.x / s.gpus) * THREADS;
    if (((size_t)in | (size_t)out) % sizeof(float4) == 0) {
        for (size_t i = first; i < count / 4; i += stride)
            ((float4 *)out)[i] = ((const float4 *)in)[i];
        first += count / 4 * 4;
    }
    for (size_t i = first; i < count; i += stride)
        out[i] = in[i];
}

static void launch_copy_kernel(const Spread *s)
{
    for (int g = 0; g < s->gpus; g++) {
        use_device(s, g);
        copy_blocks<<<COPY_BLOCKS * s->gpus, THREADS, 0, s->stream[g]>>>(*s, g);
    }
}

/* ---- kernels that store to other devices ---- */

/* The device that holds this column of the input as a row of the output. */
static __device__ int owner(const Spread *s, int col)
{
    int h = 0;
    while (col >= s->first_col[h + 1])
        h++;
    return h;
}

static __device__ void move_one(const Spread *s, int g, int row, int col)
{
    int h = owner(s, col);
    s->out[h][(size_t)(col - s->first_col[h]) * s->rows + s->first_row[g] + row] =
        s->in[g][(size_t)row * s->cols + col];
}

__global__ void transpose_scattered(Spread s, int g)
{
    unsigned blocks_per_row = tiles(s.cols, THREADS);
    int row = blockIdx.x / blocks_per_row;
    int col = blockIdx.x % blocks_per_row * THREADS + threadIdx.x;
    if (col < s.cols)
        move_one(&s, g, row, col);
}

static void launch_scattered(const Spread *s)
{
    for (int g = 0; g < s->gpus; g++) {
        use_device(s, g);
        unsigned blocks = rows_of(s, g) * tiles(s->cols, THREADS);
        if (blocks)
            transpose_scattered<<<blocks, THREADS, 0, s->stream[g]>>>(*s, g);
    }
}

__global__ void transpose_coalesced(Spread s, int g)
{
    unsigned blocks_per_col = tiles(rows_of(&s, g), THREADS);
    int col = blockIdx.x / blocks_per_col;
    int row = blockIdx.x % blocks_per_col * THREADS + threadIdx.x;
    if (row < rows_of(&s, g))
        move_one(&s, g, row, col);
}

static void launch_coalesced(const Spread *s)
{
    for (int g = 0; g < s->gpus; g++) {
        use_device(s, g);
        if (rows_of(s, g))
            transpose_coalesced<<<s->cols * tiles(rows_of(s, g), THREADS), THREADS, 0,
                                  s->stream[g]>>>(*s, g);
    }
}

/* Tiles of `piece` x 1024 / piece elements that cover the largest block that leaves device g, or
 * arrives at it. */
static unsigned tiles_of_largest(const Spread *s, int piece)
{
    unsigned down = tiles(rows_of(s, s->gpus - 1), piece);
    return down * tiles(cols_of(s, s->gpus - 1), TILE * TILE / piece);
}

/* The tile of a block of threads: the destination (or, to pull, the source), and its first row and
 * column within the block of the matrix that goes there. */
typedef struct {
    int peer, row, col;
} Tile;

enum { IN_TURNS, ONE_BY_ONE };

template <int PIECE, int ORDER>
static __device__ Tile my_tile(const Spread *s, int g, unsigned tiles_each, int rows)
{
    unsigned turn = ORDER == IN_TURNS ? blockIdx.x % s->gpus : blockIdx.x / tiles_each;
    unsigned at = ORDER == IN_TURNS ? blockIdx.x / s->gpus : blockIdx.x % tiles_each;
    unsigned down = tiles(rows, PIECE);
    Tile tile = {(int)((g + 1 + turn) % s->gpus), (int)(at % down) * PIECE,
                 (int)(at / down) * (TILE * TILE / PIECE)};
    return tile;
}

/* Transposes one tile of at most PIECE rows and 1024 / PIECE columns: `in` has rows x cols elements
 * from the tile's first on, rows in_pitch apart; `out` is where its first element goes. */
template <int PIECE>
static __device__ void move_tile(const float *in, size_t in_pitch, float *out, size_t out_pitch,
                                 int rows, int cols)
{
    constexpr int WIDTH = TILE * TILE / PIECE;
    __shared__ float tile[PIECE][WIDTH + TILE / PIECE];

    for (int i = threadIdx.x; i < TILE * TILE; i += THREADS) {
        int row = i / WIDTH, col = i % WIDTH;
        if (row < rows && col < cols)
            tile[row][col] = in[row * in_pitch + col];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < TILE * TILE; i += THREADS) {
        int row = i % PIECE, col = i / PIECE;
        if (row < rows && col < cols)
            out[col * out_pitch + row] = tile[row][col];
    }
}

/* Device g stores the tile, from its own memory into that of device h. */
template <int PIECE, int ORDER>
__global__ void transpose_push(Spread s, int g, unsigned tiles_each)
{
    Tile t = my_tile<PIECE, ORDER>(&s, g, tiles_each, rows_of(&s, g));
    move_tile<PIECE>(s.in[g] + (size_t)t.row * s.cols + s.first_col[t.peer] + t.col, s.cols,
                     s.out[t.peer] + (size_t)t.col * s.rows + s.first_row[g] + t.row, s.rows,
                     rows_of(&s, g) - t.row, cols_of(&s, t.peer) - t.col);
}

template <int PIECE, int ORDER>
static void launch_push(const Spread *s)
{
    for (int g = 0; g < s->gpus; g++) {
        use_device(s, g);
        unsigned each = tiles_of_largest(s, PIECE);
        if (rows_of(s, g))
            transpose_push<PIECE, ORDER><<<each * s->gpus, THREADS, 0, s->stream[g]>>>(*s, g, each);
    }
}

/* Device h loads the tile, from the memory of device g into its own. */
__global__ void transpose_pull(Spread s, int h, unsigned tiles_each)
{
    int g = (h + 1 + blockIdx.x) % s.gpus;
    if (rows_of(&s, g) == 0)
        return;
    Tile t = my_tile<TILE, IN_TURNS>(&s, h, tiles_each, rows_of(&s, g));
    move_tile<TILE>(s.in[g] + (size_t)t.row * s.cols + s.first_col[h] + t.col, s.cols,
                    s.out[h] + (size_t)t.col * s.rows + s.first_row[g] + t.row, s.rows,
                    rows_of(&s, g) - t.row, cols_of(&s, h) - t.col);
}

static void launch_pull(const Spread *s)
{
    for (int h = 0; h < s->gpus; h++) {
        use_device(s, h);
        unsigned each = tiles_of_largest(s, TILE);
        if (cols_of(s, h))
            transpose_pull<<<each * s->gpus, THREADS, 0, s->stream[h]>>>(*s, h, each);
    }
}

/* ---- two stages: kernels transpose slices, copy engines carry them ---- */

__global__ void transpose_slice(const float *in, int in_pitch, float *out, int out_pitch, int rows,
                                int cols)
{
    unsigned down = tiles(rows, TILE);
    int row = blockIdx.x % down * TILE, col = blockIdx.x / down * TILE;
    move_tile<TILE>(in + (size_t)row * in_pitch + col, in_pitch,
                    out + (size_t)col * out_pitch + row, out_pitch, rows - row, cols - col);
}

static void launch_slice(const float *in, int in_pitch, float *out, int out_pitch, int rows,
                         int cols, cudaStream_t stream)
{
    if (rows && cols)
        transpose_slice<<<blocks_for(rows, cols, TILE, TILE), THREADS, 0, stream>>>(
            in, in_pitch, out, out_pitch, rows, cols);
}

enum { RING = 2 };
/* Bytes of slices; the last of a block can have up to twice SLICE. */
constexpr size_t FIRST_SLICE = 8 * MB, SLICE = 256 * MB;

static float *staging[MAX_GPUS]; /* of device g: RING buffers */
static size_t buffer_floats[MAX_GPUS];
static cudaEvent_t transposed[MAX_GPUS][RING], carried[MAX_GPUS][RING], sent[MAX_GPUS];

static void create_event(cudaEvent_t *event)
{
    CUDA_CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
}

static const char *prepare_staging(const Spread *s)
{
    prepare_streams(s);
    for (int g = 0; g < s->gpus && !staging[g]; g++) {
        use_device(s, g);
        size_t block = (size_t)rows_of(s, g) * cols_of(s, s->gpus - 1);
        buffer_floats[g] = min(block, 2 * SLICE / sizeof(float));
        if (buffer_floats[g] < (size_t)rows_of(s, g)) /* a slice has one column at least */
            buffer_floats[g] = rows_of(s, g);
        CUDA_CHECK(cudaMalloc((void **)&staging[g], (buffer_floats[g] * RING + 1) * sizeof(float)));
        create_event(&sent[g]);
        for (int slot = 0; slot < RING; slot++) {
            create_event(&transposed[g][slot]);
            create_event(&carried[g][slot]);
        }
    }
    return NULL;
}

/* Transposes `cols` columns of device g, from `col` of those that go to device h, into a buffer, and has
 * a copy engine carry them. */
static void send_slice(const Spread *s, int g, int h, int slice, int col, int cols)
{
    int slot = slice % RING, rows = rows_of(s, g);
    const float *in = s->in[g] + s->first_col[h] + col;
    float *out = s->out[h] + (size_t)col * s->rows + s->first_row[g];
    float *buffer = staging[g] + buffer_floats[g] * slot;
    size_t width = rows * sizeof(float);
    if (slice >= RING)
        CUDA_CHECK(cudaStreamWaitEvent(s->stream[g], carried[g][slot], 0));
    launch_slice(in, s->cols, buffer, rows, rows, cols, s->stream[g]);
    CUDA_CHECK(cudaEventRecord(transposed[g][slot], s->stream[g]));
    CUDA_CHECK(cudaStreamWaitEvent(copy_stream[g], transposed[g][slot], 0));
    CUDA_CHECK(cudaMemcpy2DAsync(out, s->rows * sizeof(float), buffer, width, width, cols,
                                 cudaMemcpyDefault, copy_stream[g]));
    CUDA_CHECK(cudaEventRecord(carried[g][slot], copy_stream[g]));
}

/* How far a device is: slices sent, columns of its own block transposed, bytes of the next slice. */
typedef struct {
    int slices, kept;
    size_t bytes;
} Progress;

/* Transposes the next `cols` columns of the block that stays on device g. */
static void keep_slice(const Spread *s, int g, int cols, Progress *p)
{
    launch_slice(s->in[g] + s->first_col[g] + p->kept, s->cols,
                 s->out[g] + (size_t)p->kept * s->rows + s->first_row[g], s->rows, rows_of(s, g),
                 cols, s->stream[g]);
    p->kept += cols;
}

/* After which slices a device transposes a part of the block that stays: all, or those of full size. */
enum { AT_ONCE, LATER };

/* Sends the block of device g that goes to device h, in slices, each twice as large as the one before, up
 * to SLICE. Beside the copies of the slices that `keep` names it transposes parts of its own block. */
static void send_block(const Spread *s, int g, int h, int keep, Progress *p)
{
    int rows = rows_of(s, g);
    for (int col = 0, cols; rows && col < cols_of(s, h); col += cols) {
        size_t rest = cols_of(s, h) - col, fit = p->bytes / sizeof(float) / rows;
        cols = (int)(rest < 2 * fit ? rest : fit < 1 ? 1 : fit);
        send_slice(s, g, h, p->slices++, col, cols);
        if (keep == AT_ONCE || p->bytes == SLICE)
            keep_slice(s, g, min(tiles(cols, s->gpus - 1), cols_of(s, g) - p->kept), p);
        p->bytes = min(2 * p->bytes, SLICE);
    }
}

/* Sends all blocks, each device to devices g + 1, g + 2, ... A device sends to h when device g + 1, which
 * sent to h before, is done: so each device receives from one other at a time. */
static void send_all(const Spread *s, size_t first_bytes, int keep)
{
    Progress progress[MAX_GPUS];
    for (int g = 0; g < s->gpus; g++) {
        progress[g] = {0, 0, first_bytes};
        use_device(s, g);
        follow(s, g, copy_stream[g], s->stream[g]);
    }
    for (int turn = 1; turn < s->gpus; turn++) {
        for (int g = 0; g < s->gpus && turn > 1; g++)
            CUDA_CHECK(cudaStreamWaitEvent(copy_stream[g], sent[(g + 1) % s->gpus], 0));
        for (int g = 0; g < s->gpus; g++) {
            use_device(s, g);
            send_block(s, g, (g + turn) % s->gpus, keep, &progress[g]);
            CUDA_CHECK(cudaEventRecord(sent[g], copy_stream[g]));
        }
    }
    for (int g = 0; g < s->gpus; g++) {
        use_device(s, g);
        keep_slice(s, g, cols_of(s, g) - progress[g].kept, &progress[g]);
        follow(s, g, s->stream[g], copy_stream[g]);
    }
}

static void launch_staged(const Spread *s) { send_all(s, SLICE, AT_ONCE); }

static void launch_growing(const Spread *s) { send_all(s, FIRST_SLICE, AT_ONCE); }

static void launch_later(const Spread *s) { send_all(s, FIRST_SLICE, LATER); }

static cudaGraphExec_t graph;

/* Has every other device's stream follow stream[0], or the other way round. */
static void fork_from_first(const Spread *s)
{
    for (int g = 1; g < s->gpus; g++)
        follow(s, 0, s->stream[g], s->stream[0]);
}

static void join_in_first(const Spread *s)
{
    for (int g = 1; g < s->gpus; g++)
        follow(s, g, s->stream[0], s->stream[g]);
}

static const char *prepare_graph(const Spread *s)
{
    cudaGraph_t captured;
    prepare_staging(s);
    use_device(s, 0);
    CUDA_CHECK(cudaStreamBeginCapture(s->stream[0], cudaStreamCaptureModeRelaxed));
    fork_from_first(s);
    send_all(s, FIRST_SLICE, AT_ONCE);
    join_in_first(s);
    CUDA_CHECK(cudaStreamEndCapture(s->stream[0], &captured));
    CUDA_CHECK(cudaGraphInstantiate(&graph, captured, 0));
    CUDA_CHECK(cudaGraphDestroy(captured));
    return NULL;
}

static void launch_graph(const Spread *s)
{
    join_in_first(s);
    use_device(s, 0);
    CUDA_CHECK(cudaGraphLaunch(graph, s->stream[0]));
    fork_from_first(s);
}

/* ---- NCCL ---- */

static float *packed[MAX_GPUS], *received[MAX_GPUS];

static const char *prepare_nccl(const Spread *s)
{
    const char *why = connect_nccl(s);
    for (int g = s->begin; g < s->end && !why && !packed[g]; g++) {
        use_device(s, g);
        CUDA_CHECK(cudaMalloc((void **)&packed[g], (in_count(s, g) + 1) * sizeof(float)));
        CUDA_CHECK(cudaMalloc((void **)&received[g], (out_count(s, g) + 1) * sizeof(float)));
    }
    return why;
}

/* Has NCCL carry the blocks: `from[g]` holds those of device g in the order of their destinations, each
 * contiguous, and they arrive in `to[g]` in the order of their sources. */
static void exchange(const Spread *s, const float *const *from, float *const *to)
{
    NCCL_CHECK(nccl.group_start());
    for (int g = s->begin; g < s->end; g++)
        for (int h = 0; h < s->gpus; h++) {
            NCCL_CHECK(nccl.send(from[g] + (size_t)rows_of(s, g) * s->first_col[h],
                                 (size_t)rows_of(s, g) * cols_of(s, h), NCCL_FLOAT, h, nccl.comm[g],
                                 s->stream[g]));
            NCCL_CHECK(nccl.receive(to[g] + (size_t)cols_of(s, g) * s->first_row[h],
                                    (size_t)rows_of(s, h) * cols_of(s, g), NCCL_FLOAT, h,
                                    nccl.comm[g], s->stream[g]));
        }
    NCCL_CHECK(nccl.group_end());
}

static void launch_nccl_copy(const Spread *s) { exchange(s, s->in, s->out); }

/* Device g packs by transposing all its rows: then the columns for each destination are contiguous. Of
 * each source it receives (its columns) x (the source's rows) and unpacks them into the output's rows. */
static void launch_nccl(const Spread *s)
{
    for (int g = s->begin; g < s->end; g++) {
        use_device(s, g);
        launch_slice(s->in[g], s->cols, packed[g], rows_of(s, g), rows_of(s, g), s->cols,
                     s->stream[g]);
    }
    exchange(s, packed, received);
    for (int h = s->begin; h < s->end; h++) {
        use_device(s, h);
        for (int g = 0; g < s->gpus; g++) {
            size_t width = rows_of(s, g) * sizeof(float);
            if (width && cols_of(s, h))
                CUDA_CHECK(cudaMemcpy2DAsync(s->out[h] + s->first_row[g], s->rows * sizeof(float),
                                             received[h] + (size_t)cols_of(s, h) * s->first_row[g],
                                             width, width, cols_of(s, h), cudaMemcpyDeviceToDevice,
                                             s->stream[h]));
        }
    }
}

int main(int argc, char **argv)
{
    static const ManyVariant variants[] = {
        {"engines", launch_engines, COPY, prepare_streams},
        {"copy_kernel", launch_copy_kernel, COPY, NULL, 1},
        {"nccl_copy", launch_nccl_copy, COPY, connect_nccl, 0, 0, 0, 1},
        {"scattered", launch_scattered, TRANSPOSE, NULL, 1},
        {"coalesced", launch_coalesced, TRANSPOSE, NULL, 1},
        {"pieces32", launch_push<8, IN_TURNS>, TRANSPOSE, NULL, 1},
        {"pieces64", launch_push<16, IN_TURNS>, TRANSPOSE, NULL, 1},
        {"pieces128", launch_push<TILE, IN_TURNS>, TRANSPOSE, NULL, 1},
        {"by_peer", launch_push<TILE, ONE_BY_ONE>, TRANSPOSE, NULL, 1},
        {"pull", launch_pull, TRANSPOSE, NULL, 1},
        {"staged", launch_staged, TRANSPOSE, prepare_staging},
        {"growing", launch_growing, TRANSPOSE, prepare_staging},
        {"graph", launch_graph, TRANSPOSE, prepare_graph},
        {"later", launch_later, TRANSPOSE, prepare_staging},
        {"nccl", launch_nccl, TRANSPOSE, prepare_nccl, 0, 0, 0, 1},
    };
    return run_many("09_many_gpus", variants, COUNT_OF(variants), "graph", "nccl", argc, argv);
}
