/* Part of the PTX interpreter (ptx.c). Runs arithmetic, comparisons, conversions and moves. */
#include <math.h>
#include "../core/float_formats.h"
#include "ptx_run.h"

uint32_t cpucc_shared_offset(const void *pointer);
void *cpucc_map_shared(const void *pointer, unsigned rank);

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

/* The result, between 0 and 1 for .sat. */
static double saturated(const struct ptx_instruction *n, double v)
{
    return !has(n, ".sat") ? v : v > 0 ? (v < 1 ? v : 1) : 0;
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

/* Which of two numbers is larger; NONE: at least one is NaN. */
enum { LESS = 1, EQUAL = 2, MORE = 4, NONE = 8 };

static const struct {
    const char *name;
    int holds; /* for these orders */
} relations[] = {
    {".eq", EQUAL},         {".ne", LESS | MORE},
    {".lt", LESS},          {".le", LESS | EQUAL},
    {".gt", MORE},          {".ge", MORE | EQUAL},
    {".lo", LESS},          {".ls", LESS | EQUAL},
    {".hi", MORE},          {".hs", MORE | EQUAL},
    {".equ", EQUAL | NONE}, {".neu", LESS | MORE | NONE},
    {".ltu", LESS | NONE},  {".leu", LESS | EQUAL | NONE},
    {".gtu", MORE | NONE},  {".geu", MORE | EQUAL | NONE},
    {".nan", NONE},         {".num", LESS | EQUAL | MORE},
};

static int order_of(double x, double y)
{
    return x < y ? LESS : x > y ? MORE : x == y ? EQUAL : NONE;
}

/* Whether the relation that a setp names holds. */
static bool compare(const struct ptx_instruction *n, const struct ptx_operand *oa,
                    const struct ptx_operand *ob, uint64_t a, uint64_t b, struct ptx_type t)
{
    int order;
    if (is_half(t)) {
        order = order_of(half_value(a, t), half_value(b, t));
    } else if (t.kind == 'f') {
        order = order_of(as_float(oa, a, t.bits), as_float(ob, b, t.bits));
    } else if (t.kind == 's') {
        int64_t x = as_signed(a, t.bits), y = as_signed(b, t.bits);
        order = x < y ? LESS : x > y ? MORE : EQUAL;
    } else {
        a = low_bits(a, t.bits), b = low_bits(b, t.bits);
        order = a < b ? LESS : a > b ? MORE : EQUAL;
    }
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        if (has(n, relations[i].name))
            return relations[i].holds & order;
    return false;
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
    if (is_half(from)) { /* through float, which represents all their values */
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
            bool whole = has(n, ".rni") || has(n, ".rzi") || has(n, ".rmi") || has(n, ".rpi");
            return float_bits(saturated(n, whole ? rounded(n, v) : v), to.bits);
        }
        v = rounded(n, v);
        if (v != v)
            return 0;
        double top = ldexp(1, to.kind == 's' ? to.bits - 1 : to.bits);
        double bottom = to.kind == 's' ? -top : 0;
        if (v >= top)
            return low_bits(~UINT64_C(0), to.kind == 's' ? to.bits - 1 : to.bits);
        v = v < bottom ? bottom : v;
        return to.kind == 's' ? (uint64_t)(int64_t)v : (uint64_t)v;
    }
    int64_t v = from.kind == 's' ? as_signed(a, from.bits) : (int64_t)low_bits(a, from.bits);
    if (to.kind == 'f') {
        double d = from.kind == 's' ? (double)v : (double)(uint64_t)v;
        if (to.bits == 32) /* rounds once: through double it would round twice */
            d = from.kind == 's' ? (double)(float)v : (double)(float)(uint64_t)v;
        return float_bits(d, to.bits);
    }
    return (uint64_t)v;
}

/* Runs mov: "mov.b64 d, {a, b}" packs, "mov.b64 {a, b}, d" unpacks, others copy one value. */
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

/* The result for f16 and bf16, alone or in pairs: computed in double, then rounded once. */
static uint64_t half_arithmetic(const struct ptx_instruction *n, struct ptx_type t, uint64_t a,
                                uint64_t b, uint64_t c)
{
    uint64_t r = 0;
    for (int at = 0; at < t.bits; at += 16) {
        double v = float_arithmetic(n->code, half_value(a >> at, t), half_value(b >> at, t),
                                    half_value(c >> at, t), 64);
        v = saturated(n, v);
        if (has(n, ".relu"))
            v = v > 0 ? v : 0;
        r |= half_bits(v, t) << at;
    }
    return r;
}

/* c plus the products of a's bytes (dp2a: of its halves) and b's bytes. */
static uint64_t dot_product(const struct ptx_instruction *n, uint64_t a, uint64_t b, uint64_t c)
{
    int bits = n->code == PTX_DP2A ? 16 : 8;
    b >>= n->code == PTX_DP2A && has(n, ".hi") ? 16 : 0;
    for (int i = 0; i < 32 / bits; i++) {
        uint64_t x = low_bits(a >> i * bits, bits), y = low_bits(b >> i * 8, 8);
        x = n->type[0].kind == 's' ? (uint64_t)as_signed(x, bits) : x;
        c += x * (n->type[1].kind == 's' ? (uint64_t)as_signed(y, 8) : y);
    }
    return c;
}

void cpucc_ptx_arithmetic(struct state *s, const struct ptx_instruction *n)
{
    struct ptx_type t = n->types ? n->type[0] : (struct ptx_type){'b', 32};
    const struct ptx_operand *o = n->operand;
    uint64_t a = number(s, n, 1), b = number(s, n, 2), c = number(s, n, 3), r = 0;
    if (is_half(t) && n->code != PTX_SETP && n->code != PTX_CVT) {
        put(s, &o[0], half_arithmetic(n, t, a, b, c));
        return;
    }
    if (t.kind == 'f' && ((n->code >= PTX_ADD && n->code <= PTX_NEG) ||
                          (n->code >= PTX_SQRT && n->code <= PTX_COPYSIGN))) {
        double d = float_arithmetic(n->code, as_float(&o[1], a, t.bits), as_float(&o[2], b, t.bits),
                                    as_float(&o[3], c, t.bits), t.bits);
        put(s, &o[0], float_bits(saturated(n, d), t.bits));
        return;
    }
    int64_t sa = as_signed(a, t.bits), sb = as_signed(b, t.bits);
    bool is_signed = t.kind == 's';
    if (n->code != PTX_MOV && n->code != PTX_CVT && n->code != PTX_SELP && t.kind != 'p')
        a = low_bits(a, t.bits);
    uint64_t low_b = low_bits(b, t.bits);
    bool less = is_signed ? sa < sb : a < low_b;
    switch (n->code) {
    case PTX_MOV: move(s, n, t); return;
    case PTX_ADD: r = a + b; break;
    case PTX_SUB: r = a - b; break;
    case PTX_MUL: r = multiply(n, a, low_b, t); break;
    case PTX_MUL24: r = low_bits(a, 24) * low_bits(b, 24); break;
    case PTX_MAD: r = multiply(n, a, low_b, t) + c; break;
    case PTX_DIV:
    case PTX_REM:
        if (!low_b)
            r = ~UINT64_C(0);
        else if (is_signed && sb == -1)
            r = n->code == PTX_DIV ? (uint64_t)0 - (uint64_t)sa : 0;
        else if (is_signed)
            r = (uint64_t)(n->code == PTX_DIV ? sa / sb : sa % sb);
        else
            r = n->code == PTX_DIV ? a / low_b : a % low_b;
        break;
    case PTX_MIN: r = less ? a : low_b; break;
    case PTX_MAX: r = less ? low_b : a; break;
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
    case PTX_SAD: r = c + (less ? low_b - a : a - low_b); break;
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
        if (is_half(n->type[0]) && n->type[0].bits == 32) /* of two floats: the first goes on top */
            r = r << 16 | convert(n, b);
        t = n->type[0];
        break;
    case PTX_CVTA:
        r = n->shared ? (uint64_t)(uintptr_t)cpucc_shared_pointer((uint32_t)a) : a;
        break;
    case PTX_CVTA_TO: r = n->shared ? cpucc_shared_offset((void *)(uintptr_t)a) : a; break;
    case PTX_MAPA:
        if (n->shared)
            r = cpucc_shared_offset(
                cpucc_map_shared(cpucc_shared_pointer((uint32_t)a), (unsigned)b));
        else
            r = (uint64_t)(uintptr_t)cpucc_map_shared((void *)(uintptr_t)a, (unsigned)b);
        break;
    case PTX_GETCTARANK:
        r = n->shared ? (uint32_t)a : cpucc_shared_offset((void *)(uintptr_t)a);
        r = r >> CPUCC_RANK_SHIFT ? (r >> CPUCC_RANK_SHIFT) - 1 : cpucc_cluster(0);
        break;
    case PTX_BMSK: /* b ones from bit a on; .clamp limits a and b to 32, .wrap takes them mod 32 */
        a = has(n, ".clamp") && a > 32 ? 32 : has(n, ".clamp") ? a : a & 31;
        b = has(n, ".clamp") && low_bits(b, 32) > 32 ? 32 : has(n, ".clamp") ? b : b & 31;
        r = low_bits(~UINT64_C(0), (int)b) << a;
        break;
    case PTX_DP4A:
    case PTX_DP2A: r = dot_product(n, a, b, c); break;
    case PTX_ISSPACEP:
        r = (uint64_t)(cpucc_is_shared((void *)(uintptr_t)number(s, n, 1)) != 0);
        r = n->shared ? r : has(n, ".global") ? !r : 0;
        t.bits = 1;
        break;
    default: cpucc_ptx_unsupported(n);
    }
    bool wide = has(n, ".wide") || n->code == PTX_CVT;
    put(s, &o[0], wide ? r : low_bits(r, t.bits));
}
