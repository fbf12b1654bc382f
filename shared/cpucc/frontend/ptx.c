/*
 * Runs inline PTX: what assembly.c makes of an asm statement calls cpucc_asm, once per CUDA thread.
 * Every instruction does what the CUDA C function of the same purpose does, through the same calls
 * of the run time; the place in the program is the statement's (lane.asm_pc). ptx.h has the table.
 */
#include "ptx.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../internal.h"
#include "../matrix.h"
#include "../numbers.h"

index3 cpucc_thread_index(void);
index3 cpucc_block_index(void);
index3 cpucc_block_dim(void);
index3 cpucc_grid_dim(void);
unsigned cpucc_special(int which);
unsigned cpucc_cluster(int which);
uint64_t cpucc_clock(void);
uint64_t cpucc_timer(void);
void *cpucc_shared_pointer(uint32_t offset);
uint32_t cpucc_shared_offset(const void *pointer);
void *cpucc_map_shared(const void *pointer, unsigned rank);
int cpucc_is_shared(const void *pointer);
void cpucc_prefetch(const void *address);
void cpucc_syncthreads(void);
int cpucc_syncthreads_count(int predicate);
int cpucc_syncthreads_and(int predicate);
int cpucc_syncthreads_or(int predicate);
void cpucc_barrier_sync(int number, int count);
void cpucc_barrier_arrive(int number, int count);
void cpucc_syncwarp(unsigned mask);
unsigned cpucc_activemask(void);
uint64_t cpucc_shuffle(unsigned mask, uint64_t value, int source, int width, int mode, int *valid);
unsigned cpucc_vote(unsigned mask, uint64_t value, int mode);
void cpucc_fence(int scope);
void cpucc_wait_a_while(unsigned nanoseconds);
void cpucc_trap(void);
void cpucc_cluster_arrive(void);
void cpucc_cluster_wait(void);
void cpucc_mbarrier_init(void *barrier, int arrivals);
void cpucc_mbarrier_end(void *barrier);
uint64_t cpucc_mbarrier_arrive(void *barrier, int arrivals, int bytes);
void cpucc_mbarrier_expect(void *barrier, int bytes);
void cpucc_mbarrier_wait(void *barrier, int parity);
void cpucc_mbarrier_wait_phase(void *barrier, uint64_t phase);
int cpucc_mbarrier_try(void *barrier, uint64_t phase, int by_parity);
void cpucc_fence_mbarrier_init(void);
void cpucc_fence_proxy_async(void);
void cpucc_cp_async(void *shared, const void *global, int bytes, int zeros);
void cpucc_cp_async_ca(void *shared, const void *global, int bytes, int zeros);
void cpucc_cp_async_commit(void);
void cpucc_cp_async_wait(int pending);
void cpucc_bulk_load(void *shared, const void *global, int bytes, void *barrier);
void cpucc_bulk_store(void *global, const void *shared, int bytes);
void cpucc_tensor_load(void *shared, const void *map, int rank, int x0, int x1, int x2, int x3,
                       int x4, void *barrier);
void cpucc_tensor_store(const void *map, int rank, int x0, int x1, int x2, int x3, int x4,
                        const void *shared);
void cpucc_bulk_commit(void);
void cpucc_bulk_wait(int pending, int read_only);

/* As assembly.c writes it. sizes: bytes of each operand, outputs first, as digits. */
struct asm_site {
    const char *text, *constraints, *sizes;
    struct asm_program {
        struct ptx_program *ptx;
        int outputs;
        signed char tied[32]; /* the input that an output begins with ("+r"), or -1 */
    } * program;
};

struct state {
    const struct asm_site *site;
    const uint64_t *in;
    uint64_t *out;
    int outputs;
    uint64_t registers[PTX_REGISTERS];
};

/* ---- operands ---- */

static uint64_t low_bits(uint64_t v, int bits)
{
    return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1);
}

static uint64_t special(int which)
{
    unsigned lane = cpucc_special(2);
    switch (which) {
    case PTX_TID_X: return cpucc_thread_index().x;
    case PTX_TID_Y: return cpucc_thread_index().y;
    case PTX_TID_Z: return cpucc_thread_index().z;
    case PTX_NTID_X: return cpucc_block_dim().x;
    case PTX_NTID_Y: return cpucc_block_dim().y;
    case PTX_NTID_Z: return cpucc_block_dim().z;
    case PTX_CTAID_X: return cpucc_block_index().x;
    case PTX_CTAID_Y: return cpucc_block_index().y;
    case PTX_CTAID_Z: return cpucc_block_index().z;
    case PTX_NCTAID_X: return cpucc_grid_dim().x;
    case PTX_NCTAID_Y: return cpucc_grid_dim().y;
    case PTX_NCTAID_Z: return cpucc_grid_dim().z;
    case PTX_LANEID: return lane;
    case PTX_WARPID: return cpucc_special(1);
    case PTX_SMID: return cpucc_special(0);
    case PTX_NSMID: return cpucc_special(3);
    case PTX_CLOCK: return (uint32_t)cpucc_clock();
    case PTX_CLOCK64: return cpucc_clock();
    case PTX_GLOBALTIMER: return cpucc_timer();
    case PTX_GLOBALTIMER_LO: return (uint32_t)cpucc_timer();
    case PTX_LANEMASK_EQ: return 1u << lane;
    case PTX_LANEMASK_LT: return (1u << lane) - 1;
    case PTX_LANEMASK_LE: return (2u << lane) - 1;
    case PTX_LANEMASK_GT: return ~((2u << lane) - 1);
    case PTX_LANEMASK_GE: return ~((1u << lane) - 1);
    case PTX_DYNAMIC_SMEM: return cpucc_special(4);
    case PTX_CLUSTER_RANK: return cpucc_cluster(0);
    default: return cpucc_cluster(1);
    }
}

static uint64_t raw(const struct state *s, const struct ptx_operand *o)
{
    uint64_t v = 0;
    switch (o->kind) {
    case PTX_ARGUMENT: {
        int size = s->site->sizes[o->index] - '0';
        v = o->index < s->outputs ? s->out[o->index] : s->in[o->index - s->outputs];
        v = size > 0 ? low_bits(v, 8 * size) : v;
        break;
    }
    case PTX_REGISTER: v = s->registers[o->index]; break;
    case PTX_NUMBER: v = o->value; break;
    case PTX_SPECIAL: v = special(o->index); break;
    default: break;
    }
    return o->negated ? !v : v;
}

static uint64_t number(const struct state *s, const struct ptx_instruction *n, int k)
{
    return k < n->operands ? raw(s, &n->operand[k]) : 0;
}

static void put(struct state *s, const struct ptx_operand *o, uint64_t v)
{
    if (o->kind == PTX_ARGUMENT)
        s->out[o->index] = v;
    else if (o->kind == PTX_REGISTER)
        s->registers[o->index] = v;
}

static int64_t as_signed(uint64_t v, int bits)
{
    return bits >= 64 ? (int64_t)v : (int64_t)(v << (64 - bits)) >> (64 - bits);
}

static double as_float(const struct ptx_operand *o, uint64_t v, int bits)
{
    float f;
    double d;
    if (o->kind == PTX_NUMBER && o->offset) { /* written as 1.5 */
        memcpy(&d, &v, 8);
        return d;
    }
    if (bits == 64) {
        memcpy(&d, &v, 8);
        return d;
    }
    memcpy(&f, &v, 4);
    return f;
}

static uint64_t float_bits(double d, int bits)
{
    uint64_t v = 0;
    float f = (float)d;
    memcpy(&v, bits == 64 ? (void *)&d : (void *)&f, (size_t)bits / 8);
    return v;
}

/* Whether the instruction's name has this part, ".wide" for example. */
static bool has(const struct ptx_instruction *n, const char *part)
{
    size_t length = strlen(part);
    for (const char *p = n->modifiers; (p = strstr(p, part)); p += length)
        if (p[length] == '.' || p[length] == 0)
            return true;
    return false;
}

static bool mentions(const struct ptx_instruction *n, const char *part)
{
    return strstr(n->modifiers, part) != NULL;
}

/* The address that an operand gives: shared ones are offsets in the block's shared memory. */
static void *address(const struct state *s, const struct ptx_instruction *n, int k, bool shared)
{
    uint64_t v = number(s, n, k) + (uint64_t)(k < n->operands ? n->operand[k].offset : 0);
    return shared ? cpucc_shared_pointer((uint32_t)v) : (void *)(uintptr_t)v;
}

static bool in_shared(const struct ptx_instruction *n) { return mentions(n, ".shared"); }

static void unsupported(const struct ptx_instruction *n)
{
    static const char *const names[] = {
#define X(code, name, who) name,
        PTX_OPCODES(X)
#undef X
    };
    cpucc_fault(cpucc_current, cpucc_current->asm_pc, TRAP,
                "the PTX instruction %s%s with these operands is not supported", names[n->code],
                n->modifiers);
    cpucc_abort(cudaErrorNotSupported);
}

/* ---- arithmetic ---- */

static double float_arithmetic(enum ptx_code code, double a, double b, double c, int bits)
{
    switch (code) {
    case PTX_ADD: return bits == 32 ? (float)a + (float)b : a + b;
    case PTX_SUB: return bits == 32 ? (float)a - (float)b : a - b;
    case PTX_MUL: return bits == 32 ? (float)a * (float)b : a * b;
    case PTX_DIV: return bits == 32 ? (float)a / (float)b : a / b;
    case PTX_FMA:
    case PTX_MAD: return bits == 32 ? fmaf((float)a, (float)b, (float)c) : fma(a, b, c);
    case PTX_MIN: return fmin(a, b);
    case PTX_MAX: return fmax(a, b);
    case PTX_ABS: return fabs(a);
    case PTX_NEG: return -a;
    case PTX_SQRT: return sqrt(a);
    case PTX_RSQRT: return 1 / sqrt(a);
    case PTX_RCP: return 1 / a;
    case PTX_EX2: return exp2(a);
    case PTX_LG2: return log2(a);
    case PTX_SIN: return sin(a);
    case PTX_COS: return cos(a);
    case PTX_TANH: return tanh(a);
    case PTX_COPYSIGN: return copysign(b, a);
    default: return 0;
    }
}

static uint64_t high_half(uint64_t a, uint64_t b, struct ptx_type t)
{
    if (t.bits == 64)
        return t.kind == 's' ? (uint64_t)((__int128)(int64_t)a * (int64_t)b >> 64)
                             : (uint64_t)((unsigned __int128)a * b >> 64);
    if (t.kind == 's')
        return (uint64_t)(as_signed(a, t.bits) * as_signed(b, t.bits) >> t.bits);
    return a * b >> t.bits;
}

static uint64_t multiply(const struct ptx_instruction *n, uint64_t a, uint64_t b, struct ptx_type t)
{
    if (has(n, ".hi"))
        return high_half(a, b, t);
    if (has(n, ".wide") && t.kind == 's')
        return (uint64_t)(as_signed(a, t.bits) * as_signed(b, t.bits));
    return a * b;
}

static uint64_t permute(uint32_t a, uint32_t b, uint32_t selector)
{
    uint64_t both = (uint64_t)b << 32 | a;
    uint32_t r = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t byte = (uint32_t)(both >> (selector >> 4 * i & 7) * 8) & 0xff;
        if (selector >> 4 * i & 8)
            byte = byte & 0x80 ? 0xff : 0;
        r |= byte << 8 * i;
    }
    return r;
}

static uint64_t truth_table(uint64_t a, uint64_t b, uint64_t c, unsigned table)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < 8; i++)
        if (table >> i & 1)
            r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return r;
}

static uint64_t shift(const struct ptx_instruction *n, uint64_t a, uint64_t by, struct ptx_type t)
{
    by = (uint32_t)by;
    if (n->code == PTX_SHL)
        return by >= (uint64_t)t.bits ? 0 : a << by;
    if (t.kind == 's')
        return (uint64_t)(as_signed(a, t.bits) >> (by >= (uint64_t)t.bits ? t.bits - 1 : (int)by));
    return by >= (uint64_t)t.bits ? 0 : a >> by;
}

static uint64_t funnel(const struct ptx_instruction *n, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t both = b << 32 | (uint32_t)a, by = has(n, ".clamp") ? (c > 32 ? 32 : c) : c & 31;
    if (n->code == PTX_SHF_R)
        return (uint32_t)(both >> by);
    return by == 32 ? (uint32_t)a : (uint32_t)(both << by >> 32);
}

static uint64_t extract(uint64_t a, uint64_t from, uint64_t length, struct ptx_type t)
{
    from &= 0xff, length &= 0xff;
    uint64_t bits = (uint64_t)t.bits;
    uint64_t v = from < bits ? a >> from : 0;
    if (length < bits)
        v = low_bits(v, (int)length);
    if (t.kind == 's' && length) {
        uint64_t at = from + length - 1 < bits - 1 ? from + length - 1 : bits - 1;
        uint64_t sign = a >> at & 1;
        if (sign && length < bits)
            v |= ~UINT64_C(0) << (at >= from ? at - from + 1 : 0);
    }
    return v;
}

static uint64_t insert(uint64_t a, uint64_t b, uint64_t at, uint64_t length, int bits)
{
    at &= 0xff, length &= 0xff;
    if (at >= (uint64_t)bits || !length)
        return b;
    uint64_t mask = low_bits(~UINT64_C(0), length > 64 ? 64 : (int)length) << at;
    return (b & ~mask) | (a << at & mask);
}

static float half_value(uint64_t v, struct ptx_type t)
{
    return t.kind == 'h' ? cpucc_half_to_float((uint16_t)v) : cpucc_bf16_to_float((uint16_t)v);
}
static uint64_t half_bits(double v, struct ptx_type t)
{
    float f = (float)v;
    return t.kind == 'h' ? cpucc_float_to_half(f) : cpucc_float_to_bf16(f);
}
static bool is_half(struct ptx_type t) { return t.kind == 'h' || t.kind == 'e'; }

static bool compare(const struct ptx_instruction *n, const struct ptx_operand *oa,
                    const struct ptx_operand *ob, uint64_t a, uint64_t b, struct ptx_type t)
{
    int order; /* -1, 0, 1; 2: one of them is no number */
    if (is_half(t)) {
        double x = half_value(a, t), y = half_value(b, t);
        order = x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
    } else if (t.kind == 'f') {
        double x = as_float(oa, a, t.bits), y = as_float(ob, b, t.bits);
        order = x < y ? -1 : x > y ? 1 : x == y ? 0 : 2;
    } else if (t.kind == 's') {
        int64_t x = as_signed(a, t.bits), y = as_signed(b, t.bits);
        order = x < y ? -1 : x > y;
    } else {
        a = low_bits(a, t.bits), b = low_bits(b, t.bits);
        order = a < b ? -1 : a > b;
    }
    if (order == 2)
        return has(n, ".ne") ? false
                             : mentions(n, "equ") || mentions(n, "neu") || mentions(n, "ltu") ||
                                   mentions(n, "leu") || mentions(n, "gtu") || mentions(n, "geu") ||
                                   has(n, ".nan");
    if (has(n, ".nan"))
        return false;
    if (has(n, ".num"))
        return true;
    if (has(n, ".eq") || has(n, ".equ"))
        return order == 0;
    if (has(n, ".ne") || has(n, ".neu"))
        return order != 0;
    if (has(n, ".lt") || has(n, ".ltu") || has(n, ".lo"))
        return order < 0;
    if (has(n, ".le") || has(n, ".leu") || has(n, ".ls"))
        return order <= 0;
    if (has(n, ".gt") || has(n, ".gtu") || has(n, ".hi"))
        return order > 0;
    return order >= 0;
}

static double rounded(const struct ptx_instruction *n, double v)
{
    if (has(n, ".rzi") || has(n, ".rz"))
        return trunc(v);
    if (has(n, ".rmi") || has(n, ".rm"))
        return floor(v);
    if (has(n, ".rpi") || has(n, ".rp"))
        return ceil(v);
    return nearbyint(v);
}

static uint64_t convert(const struct ptx_instruction *n, uint64_t a)
{
    struct ptx_type to = n->type[0], from = n->type[1];
    const struct ptx_operand *o = &n->operand[1];
    const struct ptx_operand value = {.kind = PTX_ARGUMENT};
    if (is_half(from)) { /* by way of float, which has all their values */
        a = float_bits(half_value(a, from), 32);
        from = (struct ptx_type){'f', 32}, o = &value;
    }
    if (is_half(to) || to.kind == 't') {
        double v = from.kind == 'f'   ? as_float(o, a, from.bits)
                   : from.kind == 's' ? (double)as_signed(a, from.bits)
                                      : (double)low_bits(a, from.bits);
        v = has(n, ".relu") && !(v > 0) ? 0 : v;
        return to.kind == 't' ? float_bits(cpucc_float_to_tf32((float)v), 32) : half_bits(v, to);
    }
    if (from.kind == 'f') {
        double v = as_float(o, a, from.bits);
        if (to.kind == 'f') {
            bool whole = mentions(n, ".rni") || mentions(n, ".rzi") || mentions(n, ".rmi") ||
                         mentions(n, ".rpi");
            v = whole ? rounded(n, v) : v;
            if (has(n, ".sat"))
                v = v > 0 ? (v < 1 ? v : 1) : 0;
            return float_bits(v, to.bits);
        }
        v = rounded(n, v);
        if (v != v)
            return 0;
        double top = ldexp(1, to.kind == 's' ? to.bits - 1 : to.bits);
        double bottom = to.kind == 's' ? -top : 0;
        if (v >= top)
            return to.kind == 's' ? (uint64_t)1 << (to.bits - 1) ^ low_bits(~UINT64_C(0), to.bits)
                                  : low_bits(~UINT64_C(0), to.bits);
        v = v < bottom ? bottom : v;
        return to.kind == 's' ? (uint64_t)(int64_t)v : (uint64_t)v;
    }
    int64_t v = from.kind == 's' ? as_signed(a, from.bits) : (int64_t)low_bits(a, from.bits);
    if (to.kind == 'f') {
        double d = from.kind == 's' ? (double)v : (double)(uint64_t)v;
        if (to.bits == 32) /* one rounding, not two */
            d = from.kind == 's' ? (double)(float)v : (double)(float)(uint64_t)v;
        return float_bits(d, to.bits);
    }
    return (uint64_t)v;
}

/* mov.b64 d, {a, b} packs, mov.b64 {a, b}, d unpacks; otherwise one value. */
static void move(struct state *s, const struct ptx_instruction *n, struct ptx_type t)
{
    int last = n->operands - 1;
    if (n->operands == 2) {
        uint64_t v = raw(s, &n->operand[1]);
        if (t.kind == 'f' && n->operand[1].kind == PTX_NUMBER && n->operand[1].offset)
            v = float_bits(as_float(&n->operand[1], v, t.bits), t.bits);
        put(s, &n->operand[0], v);
    } else if (n->operand[0].group) {
        uint64_t v = raw(s, &n->operand[last]);
        int bits = t.bits / last;
        for (int i = 0; i < last; i++)
            put(s, &n->operand[i], low_bits(v >> i * bits, bits));
    } else {
        uint64_t v = 0;
        int bits = t.bits / last;
        for (int i = 0; i < last; i++)
            v |= low_bits(raw(s, &n->operand[i + 1]), bits) << i * bits;
        put(s, &n->operand[0], v);
    }
}

/* f16 and bf16, alone or in pairs: in double, rounded once. */
static uint64_t half_arithmetic(const struct ptx_instruction *n, struct ptx_type t, uint64_t a,
                                uint64_t b, uint64_t c)
{
    uint64_t r = 0;
    for (int at = 0; at < t.bits; at += 16) {
        double v = float_arithmetic(n->code, half_value(a >> at, t), half_value(b >> at, t),
                                    half_value(c >> at, t), 64);
        if (has(n, ".sat"))
            v = v > 0 ? (v < 1 ? v : 1) : 0;
        if (has(n, ".relu"))
            v = v > 0 ? v : 0;
        r |= half_bits(v, t) << at;
    }
    return r;
}

static void arithmetic(struct state *s, const struct ptx_instruction *n)
{
    struct ptx_type t = n->types ? n->type[0] : (struct ptx_type){'b', 32};
    const struct ptx_operand *o = n->operand;
    uint64_t a = number(s, n, 1), b = number(s, n, 2), c = number(s, n, 3), r = 0;
    if (is_half(t) && n->code != PTX_SETP && n->code != PTX_CVT) {
        put(s, &o[0], half_arithmetic(n, t, a, b, c));
        return;
    }
    if (t.kind == 'f' && n->code >= PTX_ADD && n->code <= PTX_NEG) {
        double d = float_arithmetic(n->code, as_float(&o[1], a, t.bits), as_float(&o[2], b, t.bits),
                                    as_float(&o[3], c, t.bits), t.bits);
        if (has(n, ".sat"))
            d = d > 0 ? (d < 1 ? d : 1) : 0;
        put(s, &o[0], float_bits(d, t.bits));
        return;
    }
    int64_t sa = as_signed(a, t.bits), sb = as_signed(b, t.bits);
    bool is_signed = t.kind == 's';
    if (n->code != PTX_MOV && n->code != PTX_CVT && n->code != PTX_SELP && t.kind != 'p')
        a = low_bits(a, t.bits);
    switch (n->code) {
    case PTX_MOV: move(s, n, t); return;
    case PTX_ADD: r = a + b; break;
    case PTX_SUB: r = a - b; break;
    case PTX_MUL: r = multiply(n, a, low_bits(b, t.bits), t); break;
    case PTX_MUL24: r = low_bits(a, 24) * low_bits(b, 24); break;
    case PTX_MAD: r = multiply(n, a, low_bits(b, t.bits), t) + c; break;
    case PTX_DIV:
    case PTX_REM:
        b = low_bits(b, t.bits);
        if (!b)
            r = ~UINT64_C(0);
        else if (is_signed && sb == -1)
            r = n->code == PTX_DIV ? (uint64_t)0 - (uint64_t)sa : 0;
        else if (is_signed)
            r = (uint64_t)(n->code == PTX_DIV ? sa / sb : sa % sb);
        else
            r = n->code == PTX_DIV ? a / b : a % b;
        break;
    case PTX_MIN:
        r = is_signed ? (uint64_t)(sa < sb ? sa : sb) : a < low_bits(b, t.bits) ? a : b;
        break;
    case PTX_MAX:
        r = is_signed ? (uint64_t)(sa > sb ? sa : sb) : a > low_bits(b, t.bits) ? a : b;
        break;
    case PTX_ABS: r = (uint64_t)(sa < 0 ? -sa : sa); break;
    case PTX_NEG: r = 0 - a; break;
    case PTX_AND: r = a & b; break;
    case PTX_OR: r = a | b; break;
    case PTX_XOR: r = a ^ b; break;
    case PTX_NOT: r = t.kind == 'p' ? !a : ~a; break;
    case PTX_SHL:
    case PTX_SHR: r = shift(n, a, b, t); break;
    case PTX_POPC: r = (uint64_t)__builtin_popcountll(a); break;
    case PTX_CLZ: r = a ? (uint64_t)(__builtin_clzll(a) - (64 - t.bits)) : (uint64_t)t.bits; break;
    case PTX_BREV:
        for (int i = 0; i < t.bits; i++)
            r |= (a >> i & 1) << (t.bits - 1 - i);
        break;
    case PTX_BFE: r = extract(a, b, c, t); break;
    case PTX_BFI: r = insert(a, b, c, number(s, n, 4), t.bits); break;
    case PTX_BFIND:
        a = is_signed && sa < 0 ? low_bits(~a, t.bits) : a;
        r = a ? (uint64_t)(63 - __builtin_clzll(a)) : 0xffffffff;
        break;
    case PTX_PRMT: r = permute((uint32_t)a, (uint32_t)b, (uint32_t)c); break;
    case PTX_LOP3: r = truth_table(a, b, c, (unsigned)number(s, n, 4)); break;
    case PTX_SHF_L:
    case PTX_SHF_R: r = funnel(n, a, b, c); break;
    case PTX_SAD:
        r = c + (is_signed ? (uint64_t)(sa > sb ? sa - sb : sb - sa) : a > b ? a - b : b - a);
        break;
    case PTX_SETP: {
        bool two = n->operands > 1 && o[1].second;
        int first = two ? 2 : 1;
        bool p =
            compare(n, &o[first], &o[first + 1], number(s, n, first), number(s, n, first + 1), t);
        bool q = !p;
        if (n->operands > first + 2) { /* combined with another predicate */
            bool with = number(s, n, first + 2) & 1;
            p = has(n, ".or") ? p || with : has(n, ".xor") ? p != with : p && with;
            q = has(n, ".or") ? q || with : has(n, ".xor") ? q != with : q && with;
        }
        put(s, &o[0], p);
        if (two)
            put(s, &o[1], q);
        return;
    }
    case PTX_SELP: r = c & 1 ? a : b; break;
    case PTX_CVT:
        r = convert(n, a);
        if (is_half(n->type[0]) && n->type[0].bits == 32) /* two floats: the first is the upper */
            r = r << 16 | convert(n, b);
        t = n->type[0];
        break;
    case PTX_CVTA:
        r = in_shared(n) ? (uint64_t)(uintptr_t)cpucc_shared_pointer((uint32_t)a) : a;
        break;
    case PTX_CVTA_TO: r = in_shared(n) ? cpucc_shared_offset((void *)(uintptr_t)a) : a; break;
    case PTX_MAPA:
        if (in_shared(n))
            r = cpucc_shared_offset(
                cpucc_map_shared(cpucc_shared_pointer((uint32_t)a), (unsigned)b));
        else
            r = (uint64_t)(uintptr_t)cpucc_map_shared((void *)(uintptr_t)a, (unsigned)b);
        break;
    case PTX_GETCTARANK:
        r = in_shared(n) ? (uint32_t)a : cpucc_shared_offset((void *)(uintptr_t)a);
        r = r >> CPUCC_RANK_SHIFT ? (r >> CPUCC_RANK_SHIFT) - 1 : cpucc_cluster(0);
        break;
    case PTX_BMSK: /* b ones from bit a on; both end at 32 or wrap there */
        a = has(n, ".clamp") && a > 32 ? 32 : has(n, ".clamp") ? a : a & 31;
        b = has(n, ".clamp") && low_bits(b, 32) > 32 ? 32 : has(n, ".clamp") ? b : b & 31;
        r = low_bits(~UINT64_C(0), (int)b) << a;
        break;
    case PTX_ISSPACEP:
        r = (uint64_t)(cpucc_is_shared((void *)(uintptr_t)number(s, n, 1)) != 0);
        r = in_shared(n) ? r : mentions(n, ".global") ? !r : 0;
        t.bits = 1;
        break;
    default: unsupported(n);
    }
    bool wide = has(n, ".wide") || n->code == PTX_CVT;
    put(s, &o[0], wide ? r : low_bits(r, t.bits));
}

/* ---- memory ---- */

static enum operation kind_of(const struct ptx_instruction *n, bool load)
{
    bool strong = has(n, ".volatile") || has(n, ".acquire") || has(n, ".relaxed") ||
                  has(n, ".release") || has(n, ".mmio");
    return load ? (strong ? VOLATILE_READ : READ) : (strong ? VOLATILE_WRITE : WRITE);
}

/* The order and scope that the instruction names. Without a word on its order an atomic is relaxed;
 * so is a volatile access, which the device's own idioms trust more than a relaxed load. */
static unsigned strength_of(const struct ptx_instruction *n)
{
    unsigned s = has(n, ".acquire")   ? ACQUIRES
                 : has(n, ".release") ? RELEASES
                 : has(n, ".acq_rel") ? ACQUIRES | RELEASES
                 : has(n, ".relaxed") ? EXPLICIT
                                      : 0;
    return s | (has(n, ".cta") ? BLOCK_SCOPE : 0);
}

static uint64_t changed(const struct ptx_instruction *n, struct ptx_type t, uint64_t old,
                        uint64_t v, uint64_t desired)
{
    const struct ptx_operand none = {0};
    int64_t so = as_signed(old, t.bits), sv = as_signed(v, t.bits);
    v = low_bits(v, t.bits);
    if (has(n, ".cas"))
        return old == v ? desired : old;
    if (has(n, ".exch"))
        return v;
    if (has(n, ".add") && t.kind == 'f')
        return float_bits(t.bits == 32
                              ? (float)as_float(&none, old, 32) + (float)as_float(&none, v, 32)
                              : as_float(&none, old, 64) + as_float(&none, v, 64),
                          t.bits);
    if (has(n, ".add"))
        return old + v;
    if (has(n, ".inc"))
        return old >= v ? 0 : old + 1;
    if (has(n, ".dec"))
        return old == 0 || old > v ? v : old - 1;
    if (has(n, ".and"))
        return old & v;
    if (has(n, ".or"))
        return old | v;
    if (has(n, ".xor"))
        return old ^ v;
    if (has(n, ".min"))
        return t.kind == 's' ? (so < sv ? old : v) : old < v ? old : v;
    return t.kind == 's' ? (so > sv ? old : v) : old > v ? old : v;
}

static void atomic(struct state *s, const struct ptx_instruction *n, struct ptx_type t)
{
    int first = n->code == PTX_ATOM; /* red has no result */
    size_t bytes = (size_t)t.bits / 8;
    char *p = address(s, n, first, in_shared(n));
    uint64_t given = number(s, n, first + 1), old = 0;
    bool compares = has(n, ".cas") || has(n, ".min") || has(n, ".max");
    unsigned kind = compares ? COMPARES : has(n, ".exch") ? EXCHANGES : 0;
    cpucc_access((uintptr_t)p, (uint32_t)bytes, ATOMIC, strength_of(n) | kind,
                 has(n, ".cas") ? &given : NULL, cpucc_current->asm_pc);
    memcpy(&old, p, bytes);
    uint64_t v = changed(n, t, old, given, number(s, n, first + 2));
    memcpy(p, &v, bytes);
    if (first)
        put(s, &n->operand[0], old);
}

static void memory(struct state *s, const struct ptx_instruction *n)
{
    struct ptx_type t = n->types ? n->type[0] : (struct ptx_type){'b', 32};
    size_t bytes = (size_t)t.bits / 8;
    uint32_t all = (uint32_t)bytes * (uint32_t)n->vector;
    uintptr_t pc = cpucc_current->asm_pc;
    switch (n->code) {
    case PTX_LD:
    case PTX_LDU: {
        const char *p = address(s, n, n->vector, in_shared(n));
        for (uint32_t at = 0; at<all; at += all> 16 ? 16 : all)
            cpucc_access((uintptr_t)p + at, all > 16 ? 16 : all, kind_of(n, true), strength_of(n),
                         NULL, pc);
        uint64_t value[8] = {0};
        for (int i = 0; i < n->vector; i++) {
            memcpy(&value[i], p + (size_t)i * bytes, bytes);
            if (t.kind == 's')
                value[i] = (uint64_t)as_signed(value[i], t.bits);
        }
        for (int i = 0; i < n->vector; i++)
            put(s, &n->operand[i], value[i]);
        return;
    }
    case PTX_ST: {
        char *p = address(s, n, 0, in_shared(n));
        for (uint32_t at = 0; at<all; at += all> 16 ? 16 : all)
            cpucc_access((uintptr_t)p + at, all > 16 ? 16 : all, kind_of(n, false), strength_of(n),
                         NULL, pc);
        for (int i = 0; i < n->vector; i++) {
            uint64_t v = number(s, n, i + 1);
            memcpy(p + (size_t)i * bytes, &v, bytes);
        }
        return;
    }
    case PTX_ATOM:
    case PTX_RED:
        if (n->vector != 1)
            unsupported(n);
        atomic(s, n, t);
        return;
    default: cpucc_prefetch(address(s, n, 0, in_shared(n)));
    }
}

/* ---- what lanes do together ---- */

static void shuffle(struct state *s, const struct ptx_instruction *n, int mode)
{
    bool with_predicate = n->operand[1].second;
    int first = with_predicate ? 2 : 1, valid = 0;
    uint64_t c = number(s, n, first + 2);
    int width = 32 - (int)(c >> 8 & 31);
    uint64_t v = cpucc_shuffle((unsigned)number(s, n, first + 3), number(s, n, first),
                               (int)number(s, n, first + 1), width, mode, &valid);
    put(s, &n->operand[0], low_bits(v, 32));
    if (with_predicate)
        put(s, &n->operand[1], valid != 0);
}

static void together(struct state *s, const struct ptx_instruction *n)
{
    const struct ptx_operand *o = n->operand;
    switch (n->code) {
    case PTX_BAR_SYNC:
    case PTX_BAR_CTA_SYNC:
    case PTX_BARRIER_SYNC:
    case PTX_BARRIER_CTA_SYNC:
        if (number(s, n, 0) > 15)
            unsupported(n);
        if (n->operands > 1 || number(s, n, 0))
            cpucc_barrier_sync((int)number(s, n, 0), (int)number(s, n, 1));
        else
            cpucc_syncthreads();
        return;
    case PTX_BAR_ARRIVE:
    case PTX_BAR_CTA_ARRIVE:
    case PTX_BARRIER_ARRIVE:
    case PTX_BARRIER_CTA_ARRIVE:
        if (number(s, n, 0) > 15)
            unsupported(n);
        cpucc_barrier_arrive((int)number(s, n, 0), (int)number(s, n, 1));
        return;
    case PTX_BAR_RED:
    case PTX_BAR_CTA_RED:
    case PTX_BARRIER_RED:
    case PTX_BARRIER_CTA_RED: {
        int p = number(s, n, 2) & 1;
        put(s, &o[0],
            (uint64_t)(has(n, ".popc")  ? cpucc_syncthreads_count(p)
                       : has(n, ".and") ? cpucc_syncthreads_and(p)
                                        : cpucc_syncthreads_or(p)));
        return;
    }
    case PTX_BAR_WARP_SYNC: cpucc_syncwarp((unsigned)number(s, n, 0)); return;
    case PTX_MEMBAR:
    case PTX_FENCE: cpucc_fence(has(n, ".cta") ? 0 : has(n, ".sys") ? 2 : 1); return;
    case PTX_FENCE_INIT: cpucc_fence_mbarrier_init(); return;
    case PTX_FENCE_PROXY: cpucc_fence_proxy_async(); return;
    case PTX_ACTIVEMASK: put(s, &o[0], cpucc_activemask()); return;
    case PTX_VOTE_ALL:
    case PTX_VOTE_ALL_OLD:
        put(s, &o[0], !cpucc_vote((unsigned)number(s, n, 2), !(number(s, n, 1) & 1), 0));
        return;
    case PTX_VOTE_ANY:
    case PTX_VOTE_ANY_OLD:
        put(s, &o[0], cpucc_vote((unsigned)number(s, n, 2), number(s, n, 1) & 1, 0) != 0);
        return;
    case PTX_VOTE_BALLOT:
    case PTX_VOTE_BALLOT_OLD:
        put(s, &o[0], cpucc_vote((unsigned)number(s, n, 2), number(s, n, 1) & 1, 0));
        return;
    case PTX_SHFL_IDX: shuffle(s, n, 0); return;
    case PTX_SHFL_UP: shuffle(s, n, 1); return;
    case PTX_SHFL_DOWN: shuffle(s, n, 2); return;
    case PTX_SHFL_BFLY: shuffle(s, n, 3); return;
    case PTX_ELECT: { /* the lowest lane of the mask */
        unsigned mask = (unsigned)number(s, n, 2),
                 leader = (unsigned)__builtin_ctz(mask ? mask : 1);
        cpucc_vote(mask, 1, 0);
        put(s, &o[0], leader);
        put(s, &o[1], cpucc_special(2) == leader);
        return;
    }
    case PTX_EXIT: unsupported(n); return;
    case PTX_NANOSLEEP: cpucc_wait_a_while((unsigned)number(s, n, 0)); return;
    case PTX_CLUSTER_ARRIVE: cpucc_cluster_arrive(); return;
    case PTX_CLUSTER_WAIT: cpucc_cluster_wait(); return;
    default: cpucc_trap();
    }
}

static void matrix(struct state *s, const struct ptx_instruction *n)
{
    uint64_t a[8] = {0}, b[8] = {0}, c[8] = {0}, d[8] = {0};
    int count = has(n, ".x4") ? 4 : has(n, ".x2") ? 2 : 1;
    bool transposed = has(n, ".trans");
    struct mma how;
    switch (n->code) {
    case PTX_LDMATRIX:
        cpucc_ldmatrix(address(s, n, count, in_shared(n)), count, transposed, d);
        for (int i = 0; i < count; i++)
            put(s, &n->operand[i], d[i]);
        return;
    case PTX_STMATRIX:
        for (int i = 0; i < count; i++)
            d[i] = number(s, n, i + 1);
        cpucc_stmatrix(address(s, n, 0, in_shared(n)), count, transposed, d);
        return;
    case PTX_MOVMATRIX: put(s, &n->operand[0], cpucc_movmatrix(number(s, n, 1))); return;
    default: break;
    }
    if (!cpucc_mma_parse(n->modifiers, &how))
        unsupported(n);
    int sums = cpucc_mma_registers(&how, 'd'), at = sums;
    for (int i = 0; i < cpucc_mma_registers(&how, 'a'); i++)
        a[i] = number(s, n, at++);
    for (int i = 0; i < cpucc_mma_registers(&how, 'b'); i++)
        b[i] = number(s, n, at++);
    for (int i = 0; i < sums; i++)
        c[i] = number(s, n, at++);
    cpucc_mma(&how, a, b, c, d);
    for (int i = 0; i < sums; i++)
        put(s, &n->operand[i], d[i]);
}

/* ---- asynchronous copies and mbarriers ---- */

/* The operands are flattened: [a, {x, y}], [b] is a, x, y, b. */
static void tensor(struct state *s, const struct ptx_instruction *n)
{
    int rank = atoi(n->modifiers + 1), at[5] = {0};
    if (rank < 1 || rank > 5)
        unsupported(n);
    bool load = !strncmp(n->modifiers + 3, ".shared", 7);
    for (int i = 0; i < rank; i++)
        at[i] = (int)number(s, n, (load ? 2 : 1) + i);
    if (load)
        cpucc_tensor_load(address(s, n, 0, true), address(s, n, 1, false), rank, at[0], at[1],
                          at[2], at[3], at[4], address(s, n, 2 + rank, true));
    else
        cpucc_tensor_store(address(s, n, 0, false), rank, at[0], at[1], at[2], at[3], at[4],
                           address(s, n, 1 + rank, true));
}

static void copies(struct state *s, const struct ptx_instruction *n)
{
    const struct ptx_operand *o = n->operand;
    bool generic = !in_shared(n); /* an mbarrier's address is generic without .shared */
    switch (n->code) {
    case PTX_CREATEPOLICY: put(s, &o[0], 0); return;
    case PTX_MB_INIT: cpucc_mbarrier_init(address(s, n, 0, !generic), (int)number(s, n, 1)); return;
    case PTX_MB_INVAL: cpucc_mbarrier_end(address(s, n, 0, !generic)); return;
    case PTX_MB_ARRIVE:
        put(s, &o[0],
            cpucc_mbarrier_arrive(address(s, n, 1, !generic),
                                  n->operands > 2 ? (int)number(s, n, 2) : 1, 0));
        return;
    case PTX_MB_ARRIVE_TX:
        put(s, &o[0], cpucc_mbarrier_arrive(address(s, n, 1, !generic), 1, (int)number(s, n, 2)));
        return;
    case PTX_MB_EXPECT_TX:
        cpucc_mbarrier_expect(address(s, n, 0, !generic), (int)number(s, n, 1));
        return;
    case PTX_MB_TRY:
    case PTX_MB_TRY_PARITY:
        if (n->waits) {
            if (n->code == PTX_MB_TRY)
                cpucc_mbarrier_wait_phase(address(s, n, 1, !generic), number(s, n, 2));
            else
                cpucc_mbarrier_wait(address(s, n, 1, !generic), (int)number(s, n, 2) & 1);
            put(s, &o[0], 1);
            return;
        }
        put(s, &o[0],
            (uint64_t)cpucc_mbarrier_try(address(s, n, 1, !generic),
                                         n->code == PTX_MB_TRY ? number(s, n, 2)
                                                               : number(s, n, 2) & 1,
                                         n->code == PTX_MB_TRY_PARITY));
        return;
    case PTX_MB_TEST:
        put(s, &o[0], (uint64_t)cpucc_mbarrier_try(address(s, n, 1, !generic), number(s, n, 2), 0));
        return;
    case PTX_MB_TEST_PARITY:
        put(s, &o[0],
            (uint64_t)cpucc_mbarrier_try(address(s, n, 1, !generic), number(s, n, 2) & 1, 1));
        return;
    case PTX_CP_CA:
    case PTX_CP_CG: {
        int bytes = (int)number(s, n, 2), from = n->operands > 3 ? (int)number(s, n, 3) : bytes;
        if (mentions(n, ".L2::cache_hint"))
            from = n->operands > 4 ? (int)number(s, n, 3) : bytes;
        (n->code == PTX_CP_CA ? cpucc_cp_async_ca : cpucc_cp_async)(
            address(s, n, 0, true), address(s, n, 1, false), bytes, bytes - from);
        return;
    }
    case PTX_CP_COMMIT: cpucc_cp_async_commit(); return;
    case PTX_CP_WAIT: cpucc_cp_async_wait((int)number(s, n, 0)); return;
    case PTX_CP_WAIT_ALL:
        cpucc_cp_async_commit();
        cpucc_cp_async_wait(0);
        return;
    case PTX_CP_ARRIVE: /* the thread's copies are done before it arrives */
        cpucc_cp_async_commit();
        cpucc_cp_async_wait(0);
        if (has(n, ".noinc"))
            cpucc_mbarrier_arrive(address(s, n, 0, !generic), 1, 0);
        return;
    case PTX_BULK_LOAD:
    case PTX_BULK_LOAD_CTA:
        cpucc_bulk_load(address(s, n, 0, true), address(s, n, 1, false), (int)number(s, n, 2),
                        address(s, n, 3, true));
        return;
    case PTX_BULK_STORE:
        cpucc_bulk_store(address(s, n, 0, false), address(s, n, 1, true), (int)number(s, n, 2));
        return;
    case PTX_BULK_COMMIT: cpucc_bulk_commit(); return;
    case PTX_BULK_WAIT: cpucc_bulk_wait((int)number(s, n, 0), has(n, ".read")); return;
    default: tensor(s, n);
    }
}

static void nothing(struct state *s, const struct ptx_instruction *n) { (void)s, (void)n; }

/* ---- statements ---- */

static void (*const runs[])(struct state *, const struct ptx_instruction *) = {
#define X(code, name, who) who,
    PTX_OPCODES(X)
#undef X
};

/* Outputs come first in the constraints; an input "0" is what output 0 begins with. */
static struct asm_program *prepare(const struct asm_site *site)
{
    struct asm_program *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    memset(p->tied, -1, sizeof p->tied);
    p->ptx = ptx_parse(site->text);
    int input = 0;
    for (const char *c = site->constraints; c && *c; c = strchr(c, ','), c = c ? c + 1 : NULL) {
        if (*c == '=') {
            p->outputs++;
        } else if (*c != '~') {
            if (*c >= '0' && *c <= '9' && atoi(c) < 32)
                p->tied[atoi(c)] = (signed char)input;
            input++;
        }
    }
    return p;
}

void cpucc_asm(struct asm_site *site, const uint64_t *in, uint64_t *out)
{
    struct lane *l = cpucc_current;
    if (!l)
        return;
    if (!site->program)
        site->program = prepare(site);
    const struct asm_program *p = site->program;
    struct state s;
    s.site = site, s.in = in, s.out = out, s.outputs = p->outputs;
    memset(s.registers, 0, sizeof *s.registers * (size_t)p->ptx->registers);
    for (int i = 0; i < p->outputs && i < 32; i++)
        out[i] = p->tied[i] >= 0 ? in[p->tied[i]] : 0;
    uintptr_t pc = (uintptr_t)__builtin_return_address(0);
    for (int i = 0; i < p->ptx->count; i++) {
        const struct ptx_instruction *n = &p->ptx->list[i];
        if (n->guard > 0 && !(raw(&s, &n->guard_operand) & 1))
            continue;
        if (n->code == PTX_BRA || n->code == PTX_BRA_UNI) {
            i = n->operand[0].index - 1;
            continue;
        }
        l->asm_pc = pc;
        runs[n->code](&s, n);
        l->asm_pc = 0;
    }
}
