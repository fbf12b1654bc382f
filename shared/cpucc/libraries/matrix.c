/*
 * Executes a warp's matrix operations: mma, ldmatrix, stmatrix, movmatrix, and nvcuda::wmma on its
 * fragments. Sums are in double precision, rounded once to the result's type; the hardware adds in
 * another order and rounds in between.
 *
 * No counter includes these loads and stores (the hardware counts ldmatrix and stmatrix apart from
 * other loads and stores). Bounds, initialisation and races are checked as for any access.
 */
#include "matrix.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../execution/execution.h"
#include "../core/float_formats.h"

enum { MATRIX_EXCHANGES = 64 }; /* values that a lane gets of others, at most */

/* ---- mma: PTX ISA, "Matrix Fragments for mma" ---- */

/* Returns element e of a register of type t as a double, which represents it exactly. */
static double element(uint64_t r, int e, enum matrix_type t)
{
    uint32_t u = (uint32_t)r;
    float f;
    double d;
    switch (t) {
    case M_F16: return cpucc_half_to_float((uint16_t)(u >> 16 * e));
    case M_BF16: return cpucc_bf16_to_float((uint16_t)(u >> 16 * e));
    case M_TF32: /* the hardware ignores the lower 13 bits */
        u &= ~UINT32_C(0x1fff);
        memcpy(&f, &u, 4);
        return f;
    case M_F32: memcpy(&f, &u, 4); return f;
    case M_F64: memcpy(&d, &r, 8); return d;
    case M_S8: return (int8_t)(u >> 8 * e);
    case M_U8: return (uint8_t)(u >> 8 * e);
    case M_S4: return (int8_t)(u >> 4 * e << 4) >> 4;
    case M_U4: return u >> 4 * e & 15;
    case M_E5M2: return cpucc_half_to_float((uint16_t)(u >> 8 * e << 8));
    case M_E4M3: /* as a half its exponent is 8 too small */
        u = u >> 8 * e & 255;
        return (u & 127) == 127
                   ? NAN
                   : 256 * cpucc_half_to_float((uint16_t)((u & 128) << 8 | (u & 127) << 7));
    default: return (int32_t)u;
    }
}

/* Returns v rounded to type t, as bits; `saturate` clamps v to the range of M_S32. */
static uint64_t encoded(double v, enum matrix_type t, bool saturate)
{
    uint64_t r = 0;
    float f = (float)v;
    switch (t) {
    case M_F16: return cpucc_float_to_half(f);
    case M_F64: memcpy(&r, &v, 8); return r;
    case M_S32:
        if (saturate)
            v = v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
        return (uint32_t)(int64_t)v;
    default: memcpy(&r, &f, 4); return r;
    }
}

struct mma_work {
    struct warp_work work;
    const struct mma *how;
    const uint64_t *a, *b, *c;
    uint64_t *d;
};

struct place {
    int lane, reg, part; /* part: the element's index in the register */
};
/* Returns the place of element (row, col) of operand 'a', 'b' or 'c'; d lies as c does. */
static struct place place_of(const struct mma *h, char operand, int row, int col)
{
    int per = 32 / cpucc_matrix_bits(h->a) > 0 ? 32 / cpucc_matrix_bits(h->a) : 1;
    if (operand == 'c') {
        int i = (col & 1) + 2 * (row / 8), wide = h->d == M_F16 ? 2 : 1;
        return (struct place){row % 8 * 4 + col / 2, i / wide, i % wide};
    }
    int outer = operand == 'a' ? row : col, k = operand == 'a' ? col : row;
    int step = k / (4 * per), rows = operand == 'a' ? h->m / 8 : 1;
    return (struct place){outer % 8 * 4 + k / per % 4, outer / 8 + rows * step, k % per};
}

/* Adds the product of a, m x k, and b, k x n, to d. */
static void multiply(double *d, const double *a, const double *b, int m, int n, int k)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < k; l++)
                d[i * n + j] += a[i * k + l] * b[l * n + j];
}

static void run_mma(struct warp_work *of[WARP])
{
    struct mma_work *w[WARP];
    for (int i = 0; i < WARP; i++)
        w[i] = (struct mma_work *)of[i];
    const struct mma *h = w[0]->how;
    double a[16 * 64], b[64 * 8], d[16 * 8];
    for (int i = 0; i < h->m * h->k; i++) {
        struct place p = place_of(h, 'a', i / h->k, i % h->k);
        a[i] = element(w[p.lane]->a[p.reg], p.part, h->a);
    }
    for (int i = 0; i < h->k * h->n; i++) {
        struct place p = place_of(h, 'b', i / h->n, i % h->n);
        b[i] = element(w[p.lane]->b[p.reg], p.part, h->b);
    }
    for (int i = 0; i < h->m * h->n; i++) {
        struct place p = place_of(h, 'c', i / h->n, i % h->n);
        d[i] = element(w[p.lane]->c[p.reg], p.part, h->d);
    }
    multiply(d, a, b, h->m, h->n, h->k);
    for (int lane = 0; lane < WARP; lane++)
        memset(w[lane]->d, 0, sizeof(uint64_t) * (size_t)cpucc_mma_registers(h, 'd'));
    for (int i = 0; i < h->m * h->n; i++) {
        struct place p = place_of(h, 'c', i / h->n, i % h->n);
        w[p.lane]->d[p.reg] |= encoded(d[i], h->d, h->saturate) << 16 * p.part;
    }
}

void cpucc_mma(const struct mma *how, const uint64_t *a, const uint64_t *b, const uint64_t *c,
               uint64_t *d)
{
    struct mma_work w = {{run_mma, NULL, 0}, how, a, b, c, d};
    cpucc_exchanges += MATRIX_EXCHANGES;
    cpucc_warp_work(&w.work);
}

/* ---- matrices of 8 x 8 elements of 16 bits ---- */

/* Checks an access that no counter includes, of shared memory if `shared`. Returns false if a fault has ended the launch. */
static bool check(struct lane *l, const void *p, uint32_t bytes, enum operation op, bool shared)
{
    if (!cpucc_the_launch->recorded) {
        if (op == WRITE)
            cpucc_mark_written((uintptr_t)p, bytes);
        return true;
    }
    cpucc_settle(l);
    if (shared && !cpucc_is_shared_pointer(p))
        END_LAUNCH(cudaErrorIllegalAddress, l, DEVICE_CALL_PC, OUT_OF_BOUNDS,
                   "matrices in shared memory, here %s", cpucc_describe_address((uintptr_t)p));
    l->address = (uintptr_t)p, l->bytes = bytes, l->operation = op;
    if (!cpucc_check_access(l, (uintptr_t)p, bytes, op, cpucc_space(l, (uintptr_t)p)))
        return false;
    if (l->race_address)
        memcpy(l->race_old, (const void *)l->race_address, l->race_bytes);
    return true;
}

struct rows_work {
    struct warp_work work;
    char *row; /* the address that this lane gives */
    int count; /* of 8 x 8 matrices */
    bool transposed, store;
    uint64_t *registers;
};

/* Returns where element `e` of the lane's register `m` lies. */
static char *element_in_row(struct rows_work *const w[WARP], int lane, int m, int e)
{
    int row = lane / 4, col = 2 * (lane % 4) + e;
    return w[0]->transposed ? w[8 * m + col]->row + 2 * row : w[8 * m + row]->row + 2 * col;
}

static void run_rows(struct warp_work *of[WARP])
{
    struct rows_work *w[WARP];
    for (int i = 0; i < WARP; i++)
        w[i] = (struct rows_work *)of[i];
    int count = w[0]->count;
    bool store = w[0]->store;
    for (int i = 0; i < 8 * count; i++)
        if (!check(w[i]->work.lane, w[i]->row, 16, store ? WRITE : READ, true))
            return;
    struct traffic_request request = {
        store ? TRAFFIC_SHARED_STORE : TRAFFIC_SHARED_LOAD, 16, 0, {0}};
    for (int i = 0; i < 8 * count; i++) {
        request.lanes |= 1u << i;
        request.address[i] = (uintptr_t)w[i]->row;
    }
    cpucc_count_matrices(&request);
    for (int i = 0; i < 2 * WARP * count && cpucc_altered; i++)
        cpucc_alter(w[i / 2 % WARP]->work.lane,
                    cpucc_request_of(w[i / 2 % WARP]->work.lane, w[i / 2 % WARP]->work.lane->pc),
                    (uintptr_t)element_in_row(w, i / 2 % WARP, i / 2 / WARP, i % 2), 2, !store);
    for (int lane = 0; lane < WARP; lane++)
        for (int m = 0; m < count; m++)
            for (int e = 0; e < 2; e++) {
                char *p = element_in_row(w, lane, m, e);
                uint16_t bits = (uint16_t)(w[lane]->registers[m] >> 16 * e);
                if (store) {
                    memcpy(p, &bits, 2);
                    continue;
                }
                memcpy(&bits, p, 2);
                uint64_t old = e ? w[lane]->registers[m] : 0;
                w[lane]->registers[m] = old | (uint64_t)bits << 16 * e;
            }
}

/* Loads or stores `count` matrices between memory and the lanes' registers. */
static void rows(void *row, int count, bool transposed, bool store, uint64_t *registers)
{
    struct rows_work w = {{run_rows, NULL, 0}, row, count, transposed, store, registers};
    cpucc_warp_work(&w.work);
}
void cpucc_ldmatrix(const void *row, int count, bool transposed, uint64_t *registers)
{
    rows((void *)row, count, transposed, false, registers);
}
void cpucc_stmatrix(void *row, int count, bool transposed, const uint64_t *registers)
{
    rows(row, count, transposed, true, (uint64_t *)registers);
}

struct move_work {
    struct warp_work work;
    uint32_t given, result;
};

static void run_move(struct warp_work *of[WARP])
{
    uint16_t m[8][8];
    for (int i = 0; i < WARP; i++)
        for (int e = 0; e < 2; e++)
            m[i / 4][2 * (i % 4) + e] = (uint16_t)(((struct move_work *)of[i])->given >> 16 * e);
    for (int i = 0; i < WARP; i++)
        ((struct move_work *)of[i])->result =
            (uint32_t)m[2 * (i % 4) + 1][i / 4] << 16 | m[2 * (i % 4)][i / 4];
}

uint64_t cpucc_movmatrix(uint64_t value)
{
    struct move_work w = {{run_move, NULL, 0}, (uint32_t)value, 0};
    cpucc_exchanges += cpucc_exchanges_free ? 0 : MATRIX_EXCHANGES;
    cpucc_warp_work(&w.work);
    return w.result;
}

/* ---- nvcuda::wmma: lane l's fragment element e is matrix element 32 * e + l in row order ---- */

/* Returns element i of a fragment. */
static double value(const void *p, int i, enum matrix_type t)
{
    uint64_t r = 0;
    size_t size = (size_t)cpucc_matrix_bits(t) / 8;
    memcpy(&r, (const char *)p + (size_t)i * size, size);
    return element(r, 0, t);
}

/* Copies the lane's elements of a rows x cols matrix between memory and its fragment. `ld`:
 * elements from a row to the next (or column, if by_column). `store`: to memory. */
void cpucc_wmma_move(void *elements, void *memory, int rows, int cols, unsigned ld, int by_column,
                     int type, int store)
{
    struct lane *l = cpucc_current;
    if (!l)
        return;
    size_t size = (size_t)cpucc_matrix_bits((enum matrix_type)type) / 8;
    l->pc = DEVICE_CALL_PC;
    for (int i = l->index, e = 0; i < rows * cols; i += WARP, e++) {
        size_t row = (size_t)(i / cols), col = (size_t)(i % cols);
        char *p = (char *)memory + (by_column ? col * ld + row : row * ld + col) * size;
        if (!check(l, p, (uint32_t)size, store ? WRITE : READ, false))
            cpucc_abort(cudaErrorIllegalAddress);
        if (cpucc_altered)
            cpucc_alter(l, cpucc_request_of(l, l->pc), (uintptr_t)p, size, !store);
        char *x = (char *)elements + (size_t)e * size;
        memcpy(store ? p : x, store ? x : p, size);
    }
    cpucc_settle(l);
}

struct wmma_work {
    struct warp_work work;
    int m, n, k;
    enum matrix_type type, sum; /* of a and b; of c and d */
    const void *a, *b, *c;
    void *d;
};

static void run_wmma(struct warp_work *of[WARP])
{
    struct wmma_work *w[WARP];
    for (int i = 0; i < WARP; i++)
        w[i] = (struct wmma_work *)of[i];
    int m = w[0]->m, n = w[0]->n, k = w[0]->k;
    enum matrix_type type = w[0]->type, sum = w[0]->sum;
    static double a[32 * 32], b[32 * 32], d[32 * 32];
    for (int i = 0; i < m * k; i++)
        a[i] = value(w[i % WARP]->a, i / WARP, type);
    for (int i = 0; i < k * n; i++)
        b[i] = value(w[i % WARP]->b, i / WARP, type);
    for (int i = 0; i < m * n; i++)
        d[i] = value(w[i % WARP]->c, i / WARP, sum);
    multiply(d, a, b, m, n, k);
    size_t size = (size_t)cpucc_matrix_bits(sum) / 8;
    for (int i = 0; i < m * n; i++) {
        uint64_t r = encoded(d[i], sum, false);
        memcpy((char *)w[i % WARP]->d + (size_t)(i / WARP) * size, &r, size);
    }
}

void cpucc_wmma(int m, int n, int k, int type, int sum, const void *a, const void *b, const void *c,
                void *d)
{
    struct wmma_work w = {{run_wmma, NULL, DEVICE_CALL_PC},
                          m,
                          n,
                          k,
                          (enum matrix_type)type,
                          (enum matrix_type)sum,
                          a,
                          b,
                          c,
                          d};
    cpucc_exchanges += MATRIX_EXCHANGES;
    cpucc_warp_work(&w.work);
}
