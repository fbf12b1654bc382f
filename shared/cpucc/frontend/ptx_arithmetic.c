/* Part of the PTX interpreter (ptx.c). Runs arithmetic, comparisons, conversions and moves. */
#include <math.h>
#include "../core/float_formats.h"
#include "ptx_run.h"

uint32_t cpucc_shared_offset(const void *pointer);
void *cpucc_map_shared(const void *pointer, unsigned rank);

/* ---- values: an integer of any type, or a double, which represents all floats and halves ---- */

typedef __int128 integer;

static integer integer_of(struct ptx_type t, uint64_t v)
{
    return t.kind == 's' ? (integer)as_signed(v, t.bits) : (integer)low_bits(v, t.bits);
}

static bool is_half(struct ptx_type t) { return t.kind == 'h' || t.kind == 'e'; }
static bool is_real(struct ptx_type t) { return t.kind == 'f' || is_half(t); }

static double real_of(struct ptx_type t, uint64_t v)
{
    float f;
    double d;
    if (is_half(t))
        return t.kind == 'h' ? cpucc_half_to_float((uint16_t)v) : cpucc_bf16_to_float((uint16_t)v);
    memcpy(&d, &v, 8);
    memcpy(&f, &v, 4);
    return t.bits == 64 ? d : f;
}

static uint64_t real_bits(struct ptx_type t, double d)
{
    uint64_t v = 0;
    float f = t.kind == 't' ? cpucc_float_to_tf32((float)d) : (float)d;
    if (is_half(t))
        return t.kind == 'h' ? cpucc_float_to_half(f) : cpucc_float_to_bf16(f);
    memcpy(&v, t.bits == 64 ? (void *)&d : (void *)&f, (size_t)t.bits / 8);
    return v;
}

/* The result, between 0 and 1 for .sat, at least 0 for .relu. */
static double saturated(const struct ptx_instruction *n, double v)
{
    bool cut = has(n, ".sat");
    return !cut && !has(n, ".relu") ? v : v > 0 ? (v < 1 || !cut ? v : 1) : 0;
}

/* ---- what PTX_NUMBERS and PTX_BITS use ---- */

#define LACKING (cpucc_ptx_unsupported(n), 0)

static integer product(const struct ptx_instruction *n, integer a, integer b)
{
    return (integer)((unsigned __int128)a * (unsigned __int128)b >>
                     (has(n, ".hi") ? n->type[0].bits : 0));
}

static double fused(struct ptx_type t, double x, double y, double z)
{
    return t.kind == 'f' && t.bits == 32 ? fmaf((float)x, (float)y, (float)z) : fma(x, y, z);
}

static integer low_24(struct ptx_type t, uint64_t v)
{
    return integer_of((struct ptx_type){t.kind, 24}, v);
}

static uint64_t reversed(uint64_t a, int bits)
{
    uint64_t r = 0;
    for (int i = 0; i < bits; i++)
        r |= (a >> i & 1) << (bits - 1 - i);
    return r;
}

/* The number of the highest bit that is set. */
static uint64_t highest(uint64_t a) { return a ? (uint64_t)(63 - __builtin_clzll(a)) : 0xffffffff; }

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

/* A number of bits up to 32: larger ones are cut (.clamp) or taken modulo 32 (.wrap). */
static int limited(const struct ptx_instruction *n, uint32_t by)
{
    return (int)(!has(n, ".clamp") ? by & 31 : by < 32 ? by : 32);
}

static uint64_t extract(struct ptx_type t, integer a, unsigned from, unsigned length)
{
    int bits = length < 64 ? (int)length : 64;
    uint64_t v = (uint64_t)(a >> (from < 64 ? from : 64));
    return !bits ? 0 : (uint64_t)integer_of((struct ptx_type){t.kind, bits}, v);
}

static uint64_t insert(struct ptx_type t, uint64_t a, uint64_t b, unsigned at, unsigned length)
{
    if (at >= (unsigned)t.bits)
        return b;
    uint64_t mask = low_bits(~UINT64_C(0), length < 64 ? (int)length : 64) << at;
    return (b & ~mask) | (a << at & mask);
}

/* The sum of the products of a's parts, of `bits` bits, and b's bytes. */
static uint64_t dot_product(const struct ptx_instruction *n, uint64_t a, uint64_t b, int bits)
{
    integer sum = 0;
    for (int i = 0; i < 32 / bits; i++)
        sum += integer_of((struct ptx_type){n->type[0].kind, bits}, a >> i * bits) *
               integer_of((struct ptx_type){n->type[1].kind, 8}, b >> i * 8);
    return (uint64_t)sum;
}

/* Which of two numbers is larger; NONE: at least one is NaN. */
enum { LESS = 1, EQUAL = 2, MORE = 4, NONE = 8 };
#define ORDER(a, b) ((a) < (b) ? LESS : (a) > (b) ? MORE : (a) == (b) ? EQUAL : NONE)

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

/* Runs setp: whether the relation that it names holds, and the opposite, each combined with another predicate. */
static bool compare(const struct ptx_instruction *n, const uint64_t *v, uint64_t *r)
{
    struct ptx_type t = type_of(n);
    int order = is_real(t) ? ORDER(real_of(t, V(1)), real_of(t, V(2)))
                           : ORDER(integer_of(t, V(1)), integer_of(t, V(2)));
    bool p = false, with = V(3) & 1;
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        if (has(n, relations[i].name)) {
            p = relations[i].holds & order;
            break;
        }
    bool q = !p;
    if (n->operands > 3) {
        p = has(n, ".or") ? p || with : has(n, ".xor") ? p != with : p && with;
        q = has(n, ".or") ? q || with : has(n, ".xor") ? q != with : q && with;
    }
    r[SECOND] = q;
    return p;
}

/* The integer of the type that is nearest. */
static integer clamped(struct ptx_type t, integer v)
{
    integer top = (integer)1 << (t.bits - (t.kind == 's')), bottom = t.kind == 's' ? -top : 0;
    return v < bottom ? bottom : v < top ? v : top - 1;
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

static uint64_t convert(const struct ptx_instruction *n, uint64_t v)
{
    struct ptx_type to = n->type[0], from = n->type[1];
    if (is_real(from)) {
        double d = real_of(from, v);
        if (!is_real(to) && to.kind != 't') {
            d = fmin(fmax(rounded(n, d), -0x1p100), 0x1p100);
            return real_of(from, v) != real_of(from, v) ? 0 : (uint64_t)clamped(to, (integer)d);
        }
        bool whole = has(n, ".rni") || has(n, ".rzi") || has(n, ".rmi") || has(n, ".rpi");
        return real_bits(to, saturated(n, whole ? rounded(n, d) : d));
    }
    integer i = integer_of(from, v);
    if (is_real(to)) /* rounds once: through double it would round twice */
        return real_bits(to, to.kind == 'f' && to.bits == 32 ? (float)i : (double)i);
    return (uint64_t)integer_of(to, (uint64_t)(has(n, ".sat") ? clamped(to, i) : i));
}

/* Runs cvt. A pair of halves comes from two floats; the first goes on top. */
static uint64_t convert_all(const struct ptx_instruction *n, const uint64_t *v)
{
    bool pair = is_half(n->type[0]) && n->type[0].bits == 32;
    return pair ? convert(n, V(1)) << 16 | convert(n, V(2)) : convert(n, V(1));
}

/* Runs mov: "mov.b64 d, {a, b}" packs, "mov.b64 {a, b}, d" unpacks, others copy one value. */
static uint64_t move(const struct ptx_instruction *n, struct ptx_type t, const uint64_t *v,
                     uint64_t *r)
{
    int inputs = n->operands - n->results;
    for (int i = 0; i < n->results; i++)
        r[i] = low_bits(V(n->results) >> i * t.bits / n->results, t.bits / n->results);
    for (int i = 1; i < inputs; i++)
        r[0] = low_bits(r[0], i * t.bits / inputs) | V(1 + i) << i * t.bits / inputs;
    return r[0];
}

/* ---- addresses ---- */

static uint64_t map(const struct ptx_instruction *n, uint64_t a, unsigned rank)
{
    if (n->shared)
        return cpucc_shared_offset(cpucc_map_shared(cpucc_shared_pointer((uint32_t)a), rank));
    return (uintptr_t)cpucc_map_shared((void *)(uintptr_t)a, rank);
}

static uint64_t rank_of(const struct ptx_instruction *n, uint64_t a)
{
    uint32_t at = n->shared ? (uint32_t)a : cpucc_shared_offset((void *)(uintptr_t)a);
    return at >> CPUCC_RANK_SHIFT ? (at >> CPUCC_RANK_SHIFT) - 1 : cpucc_cluster(0);
}

static bool is_in_space(const struct ptx_instruction *n, const void *p)
{
    bool shared = cpucc_is_shared(p);
    return n->shared ? shared : has(n, ".global") && !shared;
}

/* ---- instructions ---- */

/* Runs one of PTX_NUMBERS for a floating-point type; a pair of halves is computed one by one, in double. */
static uint64_t real_arithmetic(const struct ptx_instruction *n, struct ptx_type t,
                                const uint64_t *v)
{
    uint64_t r = 0;
    for (int at = 0; at < t.bits; at += is_half(t) ? 16 : t.bits) {
        double x = real_of(t, V(1) >> at), y = real_of(t, V(2) >> at), z = real_of(t, V(3) >> at);
        switch (n->code) {
#define X(code, names, who, operands, whole, real)                                                 \
    case PTX_##code: x = real; break;
            PTX_NUMBERS(X)
#undef X
        default: break;
        }
        r |= real_bits(t, saturated(n, x)) << at;
    }
    return r;
}

void cpucc_ptx_arithmetic(const struct ptx_instruction *n, const uint64_t *v, uint64_t *r)
{
    struct ptx_type t = type_of(n);
    integer a = integer_of(t, V(1)), b = integer_of(t, V(2));
    if (is_real(t) && n->code <= PTX_COPYSIGN) {
        r[0] = real_arithmetic(n, t, v);
        return;
    }
    switch (n->code) {
#define X(code, names, who, operands, whole, ...)                                                  \
    case PTX_##code: r[0] = (uint64_t)(whole); break;
        PTX_NUMBERS(X)
        PTX_BITS(X)
#undef X
    default: break;
    }
    if (n->code != PTX_CVT && !has(n, ".wide"))
        r[0] = low_bits(r[0], t.bits);
}
