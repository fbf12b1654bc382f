/*
 * Part of merge. Takes addresses apart into a base, terms and an offset, computes their alignment,
 * and places shared variables.
 */
#include "merge.h"

enum { DEEP = 24 }; /* most instructions that an address is followed through */

/* ---- shared variables ---- */

static struct map
    placed; /* of the shared variables that the current function uses: their alignment */

static bool is_shared(LLVMValueRef v)
{
    return LLVMIsAGlobalVariable(v) && space_of(v) == SPACE_SHARED;
}

bool is_single(LLVMValueRef v)
{
    return is_shared(v) && !LLVMIsDeclaration(v) && is_scalar(LLVMGlobalGetValueType(v));
}

/* Notes that a function uses the shared variables in a constant. */
static void note_use(LLVMValueRef v)
{
    if (is_shared(v))
        *map_at(&placed, v) = 1;
    else if (LLVMIsAConstant(v) && !LLVMIsAGlobalValue(v))
        for (int k = 0; k < LLVMGetNumOperands(v); k++)
            note_use(LLVMGetOperand(v, (unsigned)k));
}

/* Places the variables that the function uses one behind the other, in the order of declaration. */
void place_variables(LLVMValueRef function)
{
    long at = 0;
    clear_map(&placed);
    EACH_INSTRUCTION_IN(i, function)
        for (int k = 0; k < LLVMGetNumOperands(i); k++)
            note_use(LLVMGetOperand(i, (unsigned)k));
    EACH_GLOBAL(v) {
        long least = LLVMGetAlignment(v) ? LLVMGetAlignment(v) : 1;
        if (!map_get(&placed, v))
            continue;
        least = least > 16 ? 16 : least;
        at = (at + least - 1) / least * least;
        long align = LLVMIsDeclaration(v) || !at ? 16 : at & -at;
        *map_at(&placed, v) = align > 16 ? 16 : align;
        at += bytes_of(LLVMGlobalGetValueType(v));
    }
}

/* ---- values ---- */

/* How many of the value's lowest bits are certainly 0, up to 16. */
static int zeros(LLVMValueRef v, int depth)
{
    long n;
    if (constant_integer(v, &n))
        return n ? __builtin_ctzl((unsigned long)n) : 16;
    if (!LLVMIsAInstruction(v) || depth > DEEP)
        return 0;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMSExt || op == LLVMZExt || op == LLVMTrunc)
        return zeros(LLVMGetOperand(v, 0), depth + 1);
    if (op == LLVMPHI) { /* a loop's variable: the minimum of its start and its step */
        int least = 16;
        for (unsigned k = 0; k < LLVMCountIncoming(v) && least; k++) {
            LLVMValueRef in = LLVMGetIncomingValue(v, k);
            bool grows = opcode_of(in) == LLVMAdd && LLVMGetOperand(in, 0) == v;
            int z = grows ? zeros(LLVMGetOperand(in, 1), depth + 1) : zeros(in, depth + DEEP / 3);
            least = z < least ? z : least;
        }
        return least;
    }
    if (!LLVMIsABinaryOperator(v))
        return 0;
    int x = zeros(LLVMGetOperand(v, 0), depth + 1), y = zeros(LLVMGetOperand(v, 1), depth + 1);
    switch (op) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
    case LLVMXor: return x < y ? x : y;
    case LLVMMul: return x + y < 16 ? x + y : 16;
    case LLVMAnd: return x > y ? x : y;
    case LLVMShl:
        if (constant_integer(LLVMGetOperand(v, 1), &n) && n >= 0)
            return x + n < 16 ? x + (int)n : 16;
        return 0;
    default: return 0;
    }
}

static int zeros_of_term(const struct term *t)
{
    int z = zeros(t->of, t->how != 0);
    if (!t->how)
        return z;
    int low = __builtin_ctzl((unsigned long)t->with);
    return t->how == '|' ? z < low ? z : low : z > low ? z : low < 16 ? low : 16;
}

/* True if the mask clears only x's lowest bits; *mask is then extended to all upper bits. The given
 * mask may lack upper bits that x cannot have: shared addresses have 24, threads' numbers 11. */
static bool without_low_bits(LLVMValueRef x, long *mask)
{
    long low = *mask & -*mask;
    long bits = starts_with(callee_name(x), "llvm.nvvm.read.ptx.sreg.tid.") ? 9 : 24;
    if (*mask >= 0 && (*mask < 1L << bits || ((*mask + low) & *mask) != 0))
        return false;
    if (*mask < 0 && low != -*mask)
        return false;
    *mask = -low;
    return true;
}

/* ---- addresses ---- */

static bool same_term(const struct term *a, const struct term *b)
{
    return a->of == b->of && a->how == b->how && a->with == b->with;
}

static void add_term(struct address *a, struct term t)
{
    int i = 0;
    while (i < a->terms && !same_term(&a->term[i], &t))
        i++;
    if (i == TERMS) {
        a->known = false;
        return;
    }
    if (i == a->terms) {
        a->term[a->terms++] = t;
        a->term[i].times = 0;
    }
    a->term[i].times += t.times;
    if (!a->term[i].times)
        a->term[i] = a->term[--a->terms];
}

static void add_index(struct address *a, LLVMValueRef value, long times, int depth);

/* Adds (x | n) * times to the address. */
static void add_or(struct address *a, LLVMValueRef x, long n, long times, int depth)
{
    long low = n & ((1L << zeros(x, 0)) - 1); /* bits that x certainly lacks */
    long shift = 0;
    if (opcode_of(x) == LLVMShl &&
        (!constant_integer(LLVMGetOperand(x, 1), &shift) || shift < 0 || shift > 16))
        shift = 0;
    long above = n >> shift;
    if (low != n && (above & (above + 1)) == 0) { /* all low bits are set */
        a->offset += n * times;
        add_term(
            a, (struct term){shift ? LLVMGetOperand(x, 0) : x, '&', ~above, times * (1L << shift)});
        return;
    }
    a->offset += low * times;
    if (n == low)
        add_index(a, x, times, depth + 1);
    else
        add_term(a, (struct term){x, '|', n - low, times});
}

/* Adds value * times to the address. In shared memory the value's definition is expanded: shared
 * addresses have 32 bits, so sign extensions do not matter and all arithmetic is linear. */
static void add_index(struct address *a, LLVMValueRef value, long times, int depth)
{
    long n = 0;
    if (constant_integer(value, &n)) {
        a->offset += n * times;
        return;
    }
    LLVMOpcode op = LLVMIsAInstruction(value) && a->shared && depth < DEEP
                        ? LLVMGetInstructionOpcode(value)
                        : LLVMRet;
    LLVMValueRef x = op == LLVMRet ? NULL : LLVMGetOperand(value, 0);
    LLVMValueRef y = x && LLVMIsABinaryOperator(value) ? LLVMGetOperand(value, 1) : NULL;
    bool fixed = y && constant_integer(y, &n);
    if (op == LLVMSExt || op == LLVMZExt || op == LLVMTrunc) {
        add_index(a, x, times, depth + 1);
    } else if (op == LLVMAnd && fixed && without_low_bits(x, &n)) {
        add_term(a, (struct term){x, '&', n, times});
    } else if (op == LLVMOr && fixed && n > 0) {
        add_or(a, x, n, times, depth);
    } else if (op == LLVMAdd || op == LLVMSub) {
        add_index(a, x, times, depth + 1);
        add_index(a, y, op == LLVMSub ? -times : times, depth + 1);
    } else if (op == LLVMMul && fixed) {
        add_index(a, x, times * n, depth + 1);
    } else if (op == LLVMShl && fixed && n >= 0 && n < 32) {
        add_index(a, x, times * (1L << n), depth + 1);
    } else {
        add_term(a, (struct term){value, 0, 0, times});
    }
}

static void follow(struct address *a, LLVMValueRef pointer, int depth)
{
    int op = opcode_of(pointer);
    if (depth > DEEP) {
        a->known = false;
    } else if (op == LLVMBitCast || op == LLVMAddrSpaceCast) {
        follow(a, LLVMGetOperand(pointer, 0), depth + 1);
    } else if (op == LLVMGetElementPtr) {
        LLVMTypeRef type = NULL;
        follow(a, LLVMGetOperand(pointer, 0), depth + 1);
        for (int k = 0; k < LLVMGetNumOperands(pointer) - 1 && a->known; k++) {
            if (type && LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
                a->known = false;
                return;
            }
            struct index x = index_of(pointer, (unsigned)k, &type);
            a->offset += x.offset;
            if (x.of)
                add_index(a, x.of, x.stride, 0);
        }
    } else if (op && !LLVMIsAInstruction(pointer)) { /* another constant expression */
        a->known = false;
    } else {
        a->base = pointer;
        a->shared = is_shared(pointer);
        a->elsewhere = LLVMIsAGlobalValue(pointer)   ? !a->shared
                       : LLVMIsAInstruction(pointer) ? LLVMIsAAllocaInst(pointer) != NULL
                                                     : LLVMIsAArgument(pointer) && in_kernel;
    }
}

struct address address_of(LLVMValueRef pointer)
{
    struct address a = {.known = true};
    follow(&a, pointer, 0);
    return a;
}

bool same_base(const struct address *a, const struct address *b)
{
    if (a->base != b->base || a->terms != b->terms)
        return false;
    for (int i = 0; i < a->terms; i++) {
        int k = 0;
        while (k < b->terms &&
               (!same_term(&a->term[i], &b->term[k]) || a->term[i].times != b->term[k].times))
            k++;
        if (k == b->terms)
            return false;
    }
    return true;
}

/* The largest power of two up to `align` that certainly divides the address without its offset, if it
 * divides the base. At most 8 if the address has other terms besides a partly unrolled loop's variable
 * that steps by 16 bytes: nvcc's pointer then stands in the middle of a round's four words. */
static long common_alignment(const struct address *a, long align)
{
    for (int i = 0; i < a->terms; i++) {
        const struct term *t = &a->term[i];
        int z = zeros_of_term(t) + __builtin_ctzl((unsigned long)t->times);
        z -= a->terms > 1 && z == 4 && !t->how && LLVMIsAPHINode(t->of);
        align = z < 4 && 1L << z < align ? 1L << z : align;
    }
    return align;
}

long alignment(const struct address *a)
{
    return is_shared(a->base) ? common_alignment(a, map_get(&placed, a->base)) : 1;
}

long declared_alignment(LLVMValueRef pointer)
{
    struct address a = address_of(pointer);
    long align = 1, low = a.offset & -a.offset;
    if (a.known && opcode_of(a.base) == LLVMSelect) {
        long other = declared_alignment(LLVMGetOperand(a.base, 2));
        align = declared_alignment(LLVMGetOperand(a.base, 1));
        align = other < align ? other : align;
    } else if (a.known && LLVMIsAGlobalVariable(a.base)) {
        align = is_shared(a.base) && LLVMIsDeclaration(a.base) ? 16 : LLVMGetAlignment(a.base);
    }
    align = common_alignment(&a, align < 1 ? 1 : align > 16 ? 16 : align);
    return low && low < align ? low : align;
}
