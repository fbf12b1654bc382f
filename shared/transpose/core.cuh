/*
 * core.cuh: the kernels with tiles.
 *
 *   transpose_elements    a padded tile, one element at a time: touches nothing but the elements
 *   transpose_windows     any alignment: whole aligned vectors in, whole sectors out
 *   transpose_registers   aligned matrices: vectors both ways, the last step in registers
 */
#ifndef TRANSPOSE_CORE_CUH
#define TRANSPOSE_CORE_CUH

#include "transpose/job.cuh"

/* ---- element by element ---- */

/* Reads and writes only the matrix's own elements: for input and output that lie between each
 * other's rows, and for small matrices, which L2 holds, so that torn sectors cost little. */
template <int BYTES, int TILE>
static __global__ void __launch_bounds__(256) transpose_elements(const TransposeJob job)
{
    typedef TransposeElement<BYTES> Element;
    constexpr int STEP = 256 / TILE, LOADS = TILE / STEP;
    __shared__ Element tile[TILE][TILE + 1];

    TransposeTile at = transpose_tile(job);
    int x = threadIdx.x % TILE, y = threadIdx.x / TILE, row = at.row * TILE, col = at.col * TILE;
    const char *from = at.in + (row + y) * job.in_pitch + (long long)(col + x) * BYTES;
    Element values[LOADS];
#define TRANSPOSE_LOADS(HINTS)                                                                     \
    _Pragma("unroll") for (int k = 0; k < LOADS; k++, from += STEP * job.in_pitch)                 \
    {                                                                                              \
        if (row + y + k * STEP < job.rows && col + x < job.cols)                                   \
            values[k] = transpose_load<BYTES, HINTS>(from);                                        \
    }
    if (BYTES >= 8 && job.hints != 0) { /* elements of 4 bytes lose 2 points by the hint (H200) */
        TRANSPOSE_LOADS((BYTES >= 8 ? TRANSPOSE_KEEP : 0))
    }
    if (BYTES < 8 || job.hints == 0) {
        TRANSPOSE_LOADS(0)
    }
#undef TRANSPOSE_LOADS
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        if (row + y + k * STEP < job.rows && col + x < job.cols)
            tile[y + k * STEP][x] = values[k];
    __syncthreads();
    char *to = at.out + (col + y) * job.out_pitch + (long long)(row + x) * BYTES;
#pragma unroll
    for (int k = 0; k < LOADS; k++, to += STEP * job.out_pitch)
        if (col + y + k * STEP < job.cols && row + x < job.rows)
            *(Element *)to = tile[x][y + k * STEP];
}

/* ---- windows: any alignment ---- */

/* Returns a vector whose first word was put together as its word number `turn`. */
static __device__ __forceinline__ uint4 transpose_rotated(uint4 v, int turn)
{
    if (turn & 1)
        v = make_uint4(v.w, v.x, v.y, v.z);
    if (turn & 2)
        v = make_uint4(v.z, v.w, v.x, v.y);
    return v;
}

/*
 * An output row may begin anywhere. So a block does not write the same rows of every column, but of
 * each output row the ROWS elements from the sector boundary before its tile on: its *window*,
 * which differs from row to row. Every sector is written whole, by vectors. To have all windows,
 * the block reads a sector's worth of rows more than ROWS.
 *
 * An input row may begin anywhere too. The block loads the aligned vectors that cover its piece of
 * the row, one more than if it were aligned, and stores them in shared memory as they are. A row's
 * *shift* says how many bytes later than its first vector the piece begins.
 *
 * Steps from row to row are multiples of 16 bytes' worth of rows, and from column to column of 32
 * bytes' worth of columns: after such a step every alignment is the same again, whatever the pitch.
 */
template <int BYTES, int ROWS, int COLS, int THREADS, int BLOCKS>
static __global__ void __launch_bounds__(THREADS, TRANSPOSE_BLOCKS(THREADS, BLOCKS))
    transpose_windows(const TransposeJob job)
{
    typedef TransposeElement<BYTES> Element;
    constexpr int V = 16 / BYTES, EXTRA = 32 / BYTES, HEIGHT = ROWS + EXTRA;
    constexpr int WIDTH = COLS / V, PITCH = WIDTH + (BYTES < 16), ROW_STEP = THREADS / WIDTH;
    constexpr int EIGHTS = ROWS / V / 8;             /* eights of vectors along a window */
    constexpr int COL_STEP = THREADS / 8 / EIGHTS;   /* columns written at a time */
    constexpr int APART = BYTES < 4 ? 4 / BYTES : 1; /* columns of a word */
    static_assert(ROW_STEP % V == 0 && COL_STEP * BYTES % 32 == 0, "a step changes alignments");
    static_assert(COLS % COL_STEP == 0 && COL_STEP % (4 * APART) == 0 && HEIGHT <= THREADS,
                  "some elements have no thread");
    static_assert((HEIGHT * PITCH + HEIGHT / V) * 16 < 1 << 16, "16 bits are too few for a place");

    /* One vector of padding per V rows: lanes that read every V-th row meet different banks. */
    __shared__ uint4 tile[HEIGHT * PITCH + HEIGHT / V];
#define TRANSPOSE_PLACE(row, vector) ((row)*PITCH + (row) / V + (vector))

    TransposeTile at = transpose_tile(job);
    const int first_row = at.row * ROWS - EXTRA, first_col = at.col * COLS; /* row: may be < 0 */
    const int bytes = min(COLS, job.cols - first_col) * BYTES;
    if (first_row >= job.rows || bytes <= 0)
        return;
    const char *corner = at.in + first_row * job.in_pitch + (long long)first_col * BYTES;
    /* In most tiles no vector reaches past the input. */
    const char *lowest = corner + (first_row < 0 ? -first_row * job.in_pitch : 0);
    const int height = min(HEIGHT, job.rows - first_row); /* rows that there are */
    const bool inside =
        lowest - 15 >= job.in && corner + (height - 1) * job.in_pitch + bytes + 15 <= job.in_end;
#define TRANSPOSE_TAKE(row, from, past, vector, WHOLE)                                             \
    if ((past) < bytes && (row) < height && first_row + (row) >= 0) {                              \
        if (inside || ((from) >= job.in && (from) + 16 <= job.in_end))                             \
            transpose_copy<WHOLE>(&tile[TRANSPOSE_PLACE(row, vector)], from, job.hints);           \
        else                                                                                       \
            transpose_part<BYTES>(&tile[TRANSPOSE_PLACE(row, vector)], from, job.in, job.in_end);  \
    }
    {
        const int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH;
        const char *from = corner + y * job.in_pitch;
        const int past = x * 16 - transpose_past(from, 16);
        from += past;
#pragma unroll
        for (int k = 0; k < HEIGHT; k += ROW_STEP, from += ROW_STEP * job.in_pitch)
            TRANSPOSE_TAKE(y + k, from, past, x, (BYTES < 8 ? 128 : 256))
    }
    /* One more per row. DRAM reads aligned pairs of lines best. */
    if (PITCH > WIDTH && threadIdx.x < HEIGHT) {
        const char *from = corner + (int)threadIdx.x * job.in_pitch;
        const int past = WIDTH * 16 - transpose_past(from, 16);
        from += past;
        TRANSPOSE_TAKE((int)threadIdx.x, from, past, WIDTH, 256)
    }
#undef TRANSPOSE_TAKE
    transpose_copied();

    /* Eight lanes along a window; the next eight have the next column, or, if no row has another
     * shift than its neighbour, the column one word further: words side by side in shared memory
     * are in different banks, whichever rows the windows begin with. */
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32,
              shift_step = (int)(job.in_pitch & 15);
    int col = warp / EIGHTS * 4 + lane / 8;
    if (shift_step == 0 && APART > 1)
        col = col / (4 * APART) * (4 * APART) + col % 4 * APART + col / 4 % APART;
    char *to = at.out + (first_col + col) * job.out_pitch + (long long)at.row * ROWS * BYTES;
    int row = (warp % EIGHTS * 8 + lane % 8) * V - transpose_past(to, 32) / BYTES;
    const int start = at.row * ROWS + row; /* the row of the matrix that the vector begins with */
    if (start <= -V || start >= job.rows)
        return;
    to += row * BYTES;
    row += EXTRA; /* of the tile */
    const int shift = transpose_past(corner, 16);
#define TRANSPOSE_FROM(j)                                                                          \
    (TRANSPOSE_PLACE(row + (j), 0) * 16 + col * BYTES + ((shift + (row + (j)) * shift_step) & 15))
    /* Lanes of neighbouring columns read different rows if their windows differ, and in a square
     * matrix with an odd side all four would want the same bank each time. So each begins with
     * another word of its vector: a word's rows further on, the shift has grown by as many words as
     * the input's pitch has elements. Mod 4 an odd pitch is its own inverse, so this many words
     * bring the lanes of column i to the i-th of four banks. */
    int turn = 0;
    if (BYTES < 4 && job.out_pitch % 32 != 0)
        turn = (lane / 8 - TRANSPOSE_FROM(0) / 4) * (shift_step / BYTES) & 3;
    unsigned place[(V + 1) / 2]; /* where the vector's elements are, in bytes; two to a register */
#define TRANSPOSE_PLACES(number)                                                                   \
    _Pragma("unroll") for (int j = 0; j < V; j++)                                                  \
    {                                                                                              \
        unsigned from = TRANSPOSE_FROM(number);                                                    \
        place[j / 2] = j % 2 ? place[j / 2] | from << 16 : from;                                   \
    }
    TRANSPOSE_PLACES((j + turn * (V / 4)) % V)
    const char *shared = (const char *)tile;
    const int left = bytes - col * BYTES; /* a step has a column as long as this is above 0 */
#define TRANSPOSE_VECTOR(k)                                                                        \
    __align__(16) Element vector[V];                                                               \
    _Pragma("unroll") for (int j = 0; j < V; j++) vector[j] =                                      \
        *(const Element *)(shared + (place[j / 2] >> j % 2 * 16 & 0xffff) + (k));
    if (start >= 0 && start <= job.rows - V) {
        /* Of 2 bytes: by four it has 40 registers, so 6 blocks per SM instead of 8, which is 5 % faster. */
#pragma unroll(BYTES == 1 ? 1 : BYTES == 2 ? 4 : 2)
        for (int k = 0; k < COLS * BYTES; k += COL_STEP * BYTES, to += COL_STEP * job.out_pitch)
            if (k < left) {
                TRANSPOSE_VECTOR(k)
                *(uint4 *)to = transpose_rotated(*(const uint4 *)vector, turn);
            }
    } else { /* the ends of output rows; for rows that there are not, the nearest */
        TRANSPOSE_PLACES(min(max((j + turn * (V / 4)) % V, -start), job.rows - 1 - start))
#pragma unroll 1
        for (int k = 0; k < COLS * BYTES && k < left;
             k += COL_STEP * BYTES, to += COL_STEP * job.out_pitch) {
            TRANSPOSE_VECTOR(k)
            *(uint4 *)vector = transpose_rotated(*(const uint4 *)vector, turn);
            transpose_put<BYTES>(to, vector, start, job.rows);
        }
    }
#undef TRANSPOSE_VECTOR
#undef TRANSPOSE_PLACES
#undef TRANSPOSE_FROM
#undef TRANSPOSE_PLACE
}

/* ---- registers: pointers, pitches, rows and cols are whole vectors ---- */

/* Transposes a thread's block: in[r] is a piece of row r, out[c] becomes a vector of column c. */
template <int BYTES, int WORDS>
static __device__ __forceinline__ void transpose_block(const uint32_t in[16 / BYTES][WORDS],
                                                       uint32_t out[WORDS * 4 / BYTES][4])
{
    constexpr int WIDE = BYTES < 4 ? 1 : BYTES / 4, SIDE = BYTES < 4 ? 4 / BYTES : 1;
#pragma unroll
    for (int q = 0; q < 4; q++)
#pragma unroll
        for (int w = 0; w < WORDS / WIDE; w++)
            if constexpr (BYTES >= 4) {
                out[w][q] = in[q / WIDE][w * WIDE + q % WIDE];
            } else {
                uint32_t square[SIDE];
#pragma unroll
                for (int k = 0; k < SIDE; k++)
                    square[k] = in[q * SIDE + k][w];
                transpose_square<BYTES>(square);
#pragma unroll
                for (int k = 0; k < SIDE; k++)
                    out[w * SIDE + k][q] = square[k];
            }
}

/*
 * The tile enters shared memory by whole vectors and leaves it by pieces of 4 to 16 bytes of as
 * many rows as a vector has elements; the last step of the transposition is done in registers.
 *
 * Swizzle: the V rows of one block share a pattern and the next V rows have another. Eight lanes
 * that read the same vector column in eight blocks meet all eight groups of four banks. The other
 * lanes of an access take the other pieces of that vector.
 */
template <int BYTES, int ROWS, int COLS, int THREADS, int BLOCKS>
static __global__ void __launch_bounds__(THREADS, TRANSPOSE_BLOCKS(THREADS, BLOCKS))
    transpose_registers(const TransposeJob job)
{
    constexpr int V = 16 / BYTES, WIDTH = COLS / V; /* vectors in a row of the tile */
    constexpr int ROW_STEP = THREADS / WIDTH, LOADS = ROWS / ROW_STEP;
    constexpr int WORDS = BYTES == 1 ? 1 : BYTES == 16 ? 4 : 2; /* of a piece of a row */
    constexpr int PIECE = WORDS * 4 / BYTES;                    /* columns of a piece */
    typedef TransposeElement<WORDS * 4> Piece;
    constexpr int IN_VECTOR = V / PIECE, HIGH = ROWS / V / 8; /* eights of blocks, down the tile */
    constexpr int COL_STEP = THREADS / 8 / HIGH * PIECE;
    static_assert(ROWS % ROW_STEP == 0 && ROWS % (8 * V) == 0 && COLS % COL_STEP == 0,
                  "some elements have no thread");
    __shared__ uint4 tile[ROWS * WIDTH];
#define TRANSPOSE_PLACE(row, vector) (((row)*WIDTH + (vector)) ^ ((row) / V & 7))

    TransposeTile at = transpose_tile(job);
    int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH;
    int in_row = at.row * ROWS + y, in_col = at.col * COLS + x * V;
    const char *from = at.in + (in_row * job.in_pitch + (long long)in_col * BYTES);
    uint4 values[LOADS]; /* all are in flight before the first is stored */
#define TRANSPOSE_LOADS(HINTS)                                                                     \
    _Pragma("unroll") for (int k = 0; k < LOADS; k++)                                              \
    {                                                                                              \
        if (in_row + k * ROW_STEP < job.rows && in_col < job.cols)                                 \
            values[k] = transpose_load<16, HINTS>(from + k * ROW_STEP * job.in_pitch);             \
    }
    if (job.hints == 0) {
        TRANSPOSE_LOADS(0)
    } else if (job.hints == TRANSPOSE_KEEP) {
        TRANSPOSE_LOADS(TRANSPOSE_KEEP)
    } else {
        TRANSPOSE_LOADS((TRANSPOSE_KEEP | TRANSPOSE_LINES))
    }
#undef TRANSPOSE_LOADS

    /* The thread computes where it writes while its loads are in flight. */
    int eight = threadIdx.x / 8;
    int row = (threadIdx.x % 8 + eight / IN_VECTOR % HIGH * 8) * V; /* in the tile */
    int col = (eight % IN_VECTOR + eight / IN_VECTOR / HIGH * IN_VECTOR) * PIECE;
    const int out_row = at.row * ROWS + row;
    char *to = at.out + ((at.col * COLS + col) * job.out_pitch + (long long)out_row * BYTES);
    if (job.stack_step != 0) /* the tile may hold several matrices: see transpose_stacks() */
        to += transpose_divide(out_row, job.by_rows) * job.stack_step;
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        if (in_row + k * ROW_STEP < job.rows && in_col < job.cols)
            tile[TRANSPOSE_PLACE(y + k * ROW_STEP, x)] = values[k];
    __syncthreads();

    if (out_row >= job.rows)
        return;
#pragma unroll 1
    for (; col < COLS && at.col * COLS + col < job.cols;
         col += COL_STEP, to += COL_STEP * job.out_pitch) {
        __align__(16) uint32_t block[V][WORDS], turned[PIECE][4];
#pragma unroll
        for (int r = 0; r < V; r++)
            *(Piece *)block[r] =
                *(const Piece *)((const char *)&tile[TRANSPOSE_PLACE(row + r, col / V)] +
                                 col % V * BYTES);
        transpose_block<BYTES, WORDS>(block, turned);
#pragma unroll
        for (int c = 0; c < PIECE; c++)
            *(uint4 *)(to + c * job.out_pitch) = *(const uint4 *)turned[c];
    }
#undef TRANSPOSE_PLACE
}

#endif
