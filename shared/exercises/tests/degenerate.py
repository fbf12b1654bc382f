"""Writes programs that produce an exercise's output without what the exercise teaches. Its goals must
refuse all of them but those that its answers.txt names under `meets:`."""
import re

TYPES = {1: "uint8_t", 2: "uint16_t", 4: "float", 8: "double", 16: "int4"}

# Input element i of all matrices goes to place(i); TURNED: i counts the output's elements.
KERNEL = """
__device__ __forceinline__ size_t place(size_t i, int width, int height)
{
    size_t area = (size_t)width * height;
    return i / area * area + (IS_COPY ? i % area : i % area % width * height + i % area / width);
}
template <int TURNED, int TOKEN>
__global__ void degenerate(const In *in, Out *out, int rows, int cols, size_t first, size_t last)
{
    size_t i = first + blockIdx.x * (size_t)256 + threadIdx.x;
    if (TOKEN && blockIdx.x == 0) {
        __shared__ float token[256];
        token[threadIdx.x] = 1;
        __syncthreads();
        if (token[255 - threadIdx.x] == 2)
            return;
    }
    if (i >= last)
        return;
    if (IN_PLACE) {
        size_t to = place(i, cols, rows);
        Out held = out[i];
        if (i < to)
            out[i] = out[to], out[to] = held;
    } else if (TURNED)
        out[i] = in[place(i, rows, cols)];
    else
        out[place(i, cols, rows)] = in[i];
}
template <int TURNED, int TOKEN>
static void run(const In *in, Out *out, int rows, int cols, int count, int launches)
{
    size_t all = (size_t)rows * cols * count, part = (all + launches - 1) / launches;
    for (size_t at = 0; at < all; at += part) {
        size_t end = at + part < all ? at + part : all;
        degenerate<TURNED, TOKEN><<<(end - at + 255) / 256, 256>>>(in, out, rows, cols, at, end);
    }
}
"""

ROW = """
__global__ void row(const In *in, Out *out, int rows, int cols)
{
    size_t i = (size_t)blockIdx.x * cols + threadIdx.x, to = place(i, cols, rows);
    Out held = out[i];
    if (!IN_PLACE)
        out[to] = in[i];
    else if (i < to)
        out[i] = out[to], out[to] = held;
}
"""

ASYNC = """
__global__ void copied(const In *in, Out *out, int rows, int cols)
{
    __shared__ In tile[32][32];
    size_t matrix = (size_t)blockIdx.z * rows * cols;
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, col = blockIdx.x * 32;
    if (row + y < rows && col + x < cols)
        __pipeline_memcpy_async(&tile[x][y], &in[matrix + (size_t)(row + y) * cols + col + x], sizeof(In));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    if (IS_COPY && row + y < rows && col + x < cols)
        out[matrix + (size_t)(row + y) * cols + col + x] = tile[x][y];
    if (!IS_COPY && col + y < cols && row + x < rows)
        out[matrix + (size_t)(col + y) * rows + row + x] = tile[y][x];
}
"""

# The kernel of the lessons, with 32 x 32 tiles: padded or swizzled, 1024 or 128 threads. Blocks may loop over tiles.
LESSON = """
template <int PAD>
__global__ void lesson(const In *in, Out *out, int rows, int cols, int count)
{
    __shared__ In tile[32][32 + PAD];
    int x = threadIdx.x, across = tiles(cols, 32), down = tiles(rows, 32);
    for (int t = blockIdx.x; t < count * down * across; t += gridDim.x) {
        size_t matrix = (size_t)(t / across / down) * rows * cols;
        int row = t / across % down * 32, col = t % across * 32;
        for (int y = threadIdx.y; y < 32; y += blockDim.y)
            if (row + y < rows && col + x < cols)
                tile[y][PAD ? x : x ^ y] = in[matrix + (size_t)(row + y) * cols + col + x];
        __syncthreads();
        for (int y = threadIdx.y; y < 32; y += blockDim.y)
            if (IS_COPY && row + y < rows && col + x < cols)
                out[matrix + (size_t)(row + y) * cols + col + x] = tile[y][PAD ? x : x ^ y];
            else if (!IS_COPY && col + y < cols && row + x < rows)
                out[matrix + (size_t)(col + y) * rows + row + x] = tile[x][PAD ? y : y ^ x];
        __syncthreads();
    }
}
"""

# The lesson's square tile where tiles have another shape: the matrix is cut into stripes of 32 columns, laid one below
# the other; a block takes 32 rows of that (of doubles: 16, which take as much memory).
STRIPES = """
constexpr int TALL = sizeof(In) == 4 ? 32 : 16;
template <int PAD>
__global__ void striped(const In *in, Out *out, int rows, int cols, int per)
{
    __shared__ In tile[3][TALL][32 + PAD];
    size_t all = (size_t)tiles(cols, 32) * rows, start = (size_t)blockIdx.x * per * TALL;
    int x = threadIdx.x;
    for (int i = threadIdx.y; i < per * TALL; i += blockDim.y) {
        size_t v = start + i;
        int col = (int)(v / rows) * 32 + x, y = i % TALL;
        if (v < all && col < cols)
            tile[i / TALL][y][PAD ? x : x ^ y] = in[v % rows * cols + col];
    }
    __syncthreads();
    for (int i = threadIdx.y * 32 + x; i < per * TALL * 32; i += blockDim.y * 32) {
        size_t v = start + i / (TALL * 32) * TALL + i % TALL;
        int y = i / TALL % 32, col = (int)(v / rows) * 32 + y;
        if (v < all && col < cols)
            out[(size_t)col * rows + v % rows] = tile[i / (TALL * 32)][i % TALL][PAD ? y : y ^ i % TALL];
    }
}
"""

# A padded tile wanders through the memory of a block, so that each word is used by some of the tiles.
WANDERER = """
constexpr int DOWN = sizeof(In) == 2 ? 16 : 8, ACROSS = sizeof(In) == 2 ? 64 : 32;
constexpr int PITCH = sizeof(In) == 2 ? 66 : sizeof(In) == 4 ? 36 : 33, LAST = RING - (DOWN - 1) * PITCH - ACROSS;
__global__ void wanderer(const In *in, Out *out, int rows, int cols)
{
    __shared__ In ring[RING];
    int across = tiles(cols, ACROSS), at = 0;
    for (int t = 0; t < across * tiles(rows, DOWN); t++, at = at == LAST ? 0 : min(at + 13, LAST)) {
        int row = t / across * DOWN, col = t % across * ACROSS;
        for (int i = threadIdx.x; i < DOWN * ACROSS; i += blockDim.x)
            if (row + i / ACROSS < rows && col + i % ACROSS < cols)
                ring[at + i / ACROSS * PITCH + i % ACROSS] = in[(size_t)(row + i / ACROSS) * cols + col + i % ACROSS];
        __syncthreads();
        for (int i = threadIdx.x; i < DOWN * ACROSS; i += blockDim.x)
            if (col + i / DOWN < cols && row + i % DOWN < rows)
                out[(size_t)(col + i / DOWN) * rows + row + i % DOWN] = ring[at + i % DOWN * PITCH + i / DOWN];
        __syncthreads();
    }
}
"""

# A warp has a tile for itself, and needs no barrier.
ONE_WARP = """
__global__ void one_warp(const In *in, Out *out, int rows, int cols)
{
    __shared__ In tile[32][33];
    int x = threadIdx.x, row = blockIdx.y * 32, col = blockIdx.x * 32;
    for (int y = 0; y < 32; y++)
        if (row + y < rows && col + x < cols)
            tile[y][IS_COPY ? x ^ 1 : x] = in[(size_t)(row + y) * cols + col + x];
    __syncwarp();
    for (int y = 0; y < 32; y++)
        if (IS_COPY && row + y < rows && col + x < cols)
            out[(size_t)(row + y) * cols + col + x] = tile[y][x ^ 1];
        else if (!IS_COPY && col + y < cols && row + x < rows)
            out[(size_t)(col + y) * rows + row + x] = tile[x][y];
}
"""

# A thread turns 4 x 4 elements in registers, and swaps them with its neighbour's, so that no bank matters.
MAILBOX = """
template <int DOWN, int ACROSS>
__global__ void mailbox(const In *in, Out *out, int rows, int cols)
{
    constexpr int THREADS = DOWN * ACROSS / 16;
    __shared__ In box[16][THREADS];
    int first_row = blockIdx.y * DOWN, first_col = blockIdx.x * ACROSS;
    if (first_col >= cols) { /* an idle block passes a few words from two requests to one */
        In *word = box[0];
        if (threadIdx.x < 64)
            word[threadIdx.x] = 1;
        __syncthreads();
        if (threadIdx.x / 32 == 1 && word[threadIdx.x - 16] == 2)
            out[0] = 2;
        return;
    }
    for (int load = 1; load >= 0; load--) {
        int t = threadIdx.x ^ !load, row = first_row + t % (DOWN / 4) * 4, col = first_col + t / (DOWN / 4) * 4;
        float a[4][4];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                if (load)
                    a[i][j] = 0;
                else
                    a[i][j] = box[4 * i + j][t];
        for (int i = 0; i < 4; i++) {
            bool whole = (load ? cols : rows) % 4 == 0 && (load ? col : row) + 3 < (load ? cols : rows);
            int line = load ? row + i : col + i, at = load ? col : row, width = load ? cols : rows;
            for (int j = 0; line < (load ? rows : cols) && !whole && j < 4 && at + j < width; j++)
                if (load)
                    a[i][j] = in[(size_t)line * width + at + j];
                else
                    out[(size_t)line * width + at + j] = a[j][i];
            if (load && whole && line < rows)
                *(float4 *)a[i] = *(const float4 *)&in[(size_t)line * width + at];
            else if (!load && whole && line < cols)
                *(float4 *)&out[(size_t)line * width + at] = make_float4(a[0][i], a[1][i], a[2][i], a[3][i]);
        }
        for (int k = 0; load && k < 16; k++)
            box[k][t] = a[k / 4][k % 4];
        __syncthreads();
    }
}
"""

TMA = """
__global__ void engine(const __grid_constant__ CUtensorMap map, Out *out, int rows, int cols)
{
    __shared__ __align__(1024) In tile[32][32];
    __shared__ uint64_t full;
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 32, col = blockIdx.x * 32;
    if (x + y == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect(&full, sizeof tile);
        tensor_load(tile, &map, col, row, &full);
    }
    __syncthreads();
    mbarrier_wait(&full, 0);
    if (IS_COPY && row + y < rows && col + x < cols)
        out[(size_t)(row + y) * cols + col + x] = tile[y][x];
    if (!IS_COPY && col + y < cols && row + x < rows)
        out[(size_t)(col + y) * rows + row + x] = tile[x][y];
}
"""

# A warp transposes 32 x 32 elements in registers; a tile gets and gives them all, to no use: each lane
# loads its own element, or shuffles that of its neighbour back.
RELAY = """
__global__ void relay(const In *in, Out *out, int rows, int cols)
{
    __shared__ In tile[32][32];
    size_t matrix = (size_t)blockIdx.z * rows * cols;
    int lane = threadIdx.x, row = blockIdx.y * 32, col = blockIdx.x * 32;
    In a[32];
    for (int i = 0; i < 32; i++) {
        a[i] = row + i < rows && col + lane < cols ? in[matrix + (size_t)(row + i) * cols + col + lane] : 0;
        ((volatile In *)tile[i])[lane] = a[i];
        __syncwarp();
        a[i] = SHUFFLED ? __shfl_xor_sync(~0u, tile[i][lane ^ 1], 1) : tile[i][lane];
    }
    for (int s = 1; !IS_COPY && s < 32; s *= 2)
        for (int i = 0; i < 32; i++)
            if (!(i & s)) {
                In low = a[i], high = a[i | s], other = __shfl_xor_sync(~0u, lane & s ? low : high, s);
                a[i] = lane & s ? other : low;
                a[i | s] = lane & s ? high : other;
            }
    for (int i = 0; i < 32; i++)
        if (IS_COPY && row + i < rows && col + lane < cols)
            out[matrix + (size_t)(row + i) * cols + col + lane] = a[i];
        else if (!IS_COPY && col + i < cols && row + lane < rows)
            out[matrix + (size_t)(col + i) * rows + row + lane] = a[i];
}
"""


def programs(task, solution):
    """Yields the name and the text of each degenerate program for a task."""
    operation = re.search(r"^// operation: (\w+)(.*)", task, re.M)
    if operation[1] == "layout" or "// predict:" in task:
        return
    size = int((re.search(r"elements=(\d+)", operation[2]) or [0, 1 if operation[1] == "convert" else 4])[1])
    multiple = int((re.search(r"^// multiple: (\d+)", task, re.M) or [0, 1])[1])
    rows, cols = re.search(r"^// counted: (\d+) x (\d+)", task + "\n// counted: 256 x 256", re.M).groups()
    in_place, batch = operation[1] == "in_place", operation[1] == "batch"
    taken = f"(const In *in, Out *out, int rows, int cols{', int count' if batch else ''})"
    if in_place:
        taken = "(Out *out, int rows)"
    types = f"using In = {TYPES[size]};\nusing Out = {'float' if operation[1] == 'convert' else 'In'};\n"
    types += f"constexpr bool IS_COPY = {int(operation[1] == 'copy')}, IN_PLACE = {int(in_place)};\n"
    arguments = "out, out, rows, rows, 1" if in_place else f"in, out, rows, cols, {'count' if batch else '1'}"

    def program(body, kernels="", start='#include "exercises/exercise.h"\n'):
        return f"{start}{types}{KERNEL}{kernels}static void degenerate_launch{taken}\n{{\n{body}\n}}\nEXERCISE(degenerate_launch)\n"

    yield "host_copy", program("for (int i = 0; i < rows; i++) ((volatile Out *)out)[i] = out[i + 1];")
    yield "block_per_row", program(f"row<<<rows{' * count' if batch else ''}, {'rows' if in_place else 'cols'}>>>"
                                   f"({arguments[:arguments.rindex(',')]});", ROW)
    if not re.search("^// goal: (?!verified)", task, re.M):
        return
    shapes = {"rows": 0} if in_place or operation[1] == "copy" else {"rows": 0, "columns": 1}
    for name, turned in shapes.items():
        yield f"direct_{name}", program(f"run<{turned}, 0>({arguments}, 1);")
        yield f"token_{name}", program(f"run<{turned}, 1>({arguments}, 1);")
    yield "many_launches", program(f"run<0, 0>({arguments}, 5);")
    blocks = f"dim3((cols + 31) / 32, (rows + 31) / 32, {'count' if batch else '1'})"
    if size in (4, 8) and not in_place:
        yield "cp_async", program(f"copied<<<{blocks}, dim3(32, 32)>>>(in, out, rows, cols);", ASYNC)
        for name, shuffled in {"own_words": "false", "shuffled_words": "true"}.items():
            yield name, program(f"relay<<<{blocks}, 32>>>(in, out, rows, cols);", RELAY.replace("SHUFFLED", shuffled))
        number = "count" if batch else "1"
        tiles = f"blocks_for(rows, cols, 32, 32) * {number}"
        lesson = {"padded_tile": f"<1><<<{tiles}, dim3(32, 32)>>>", "swizzled_tile": f"<0><<<{tiles}, dim3(32, 4)>>>"}
        wanted = re.search(r"^// goal: blocks >= (\d+)", task, re.M)
        if wanted:
            lesson["looping_tile"] = f"<0><<<min((int)({tiles}), {wanted[1]}), dim3(32, 4)>>>"
        for name, call in lesson.items():
            yield name, program(f"lesson{call}(in, out, rows, cols, {number});", LESSON)
    if "// goal: tile_rows" in task:
        tall, per = 32 if size == 4 else 16, 3 if "tile_rows == 64" in task else 1
        for name, pad in {"striped_padded": 1, "striped_swizzled": 0}.items():
            yield name, program(f"striped<{pad}><<<tiles(tiles(cols, 32) * rows, {per * tall}), dim3(32, 8)>>>"
                                f"(in, out, rows, cols, {per});", STRIPES)
    filled = re.search(r"^// g\w+: shared_bytes [>=]= (\d+)", task, re.M)
    if filled and "conflict_degree" in task and size != 8:
        yield "wanderer", program("wanderer<<<1, 256>>>(in, out, rows, cols);",
                                  WANDERER.replace("RING", str(int(filled[1]) // size)))
    if "// goal: across_warps" in task:
        yield "one_warp", program(f"one_warp<<<{blocks}, 32>>>(in, out, rows, cols);", ONE_WARP)
    if "// goal: stores_per_load" in task and size == 4:
        down = int((re.search("// goal: tile_rows == (\\d+)", task) or [0, 32])[1])
        across = 48 if down == 64 else 1024 // down
        idle = {"mailbox": ""} if "// goal: blocks" in task else {"mailbox": "", "idle_mailbox": " * 2 + 1"}
        for name, more in idle.items():
            yield name, program(f"mailbox<{down}, {across}><<<dim3(tiles(cols, {across}){more}, tiles(rows, {down})), "
                                f"{down * across // 16}>>>(in, out, rows, cols);", MAILBOX)
    if size == 4 and multiple % 4 == 0 and not in_place:
        yield "tma", program(f"engine<<<{blocks}, dim3(32, 32)>>>(tensor_map(in, 4, rows, cols, 32, 32, SWIZZLE_NONE), "
                             "out, rows, cols);", TMA)
    launch = re.search(r"^EXERCISE\((\w+)\)\n", solution, re.M)
    given = "out, rows" if in_place else f"in, out, rows, cols{', count' if batch else ''}"
    fits = " && ".join(f"{side} % 32 == {int(n) % 32}" for side, n in {"rows": rows, "cols": cols}.items())
    yield "fixed_sizes", program(f"if ({'rows % 32 == 0' if in_place else fits}) {launch[1]}({given});\n"
                                f"else run<0, 0>({arguments}, 1);", start=solution.replace(launch[0], ""))
