/*
 * Part of merge. nvcc accesses, copies and fills memory in pieces of the alignment that it can prove,
 * and clang in wider ones. A struct of 4 chars takes 4 loads, and so does one of 4 ints. memcpy of a
 * float4 takes 16 loads of a byte, because its arguments are void *. This file splits as nvcc does.
 */
#include "merge.h"

enum {
    LARGEST_COPY = 128, /* bytes; a larger copy or fill stays a call of the run time */
    MOST_PIECES = 16,   /* nvcc makes more pieces in a loop, and then merges no bytes */
    WORD = 4
};

/* Marks memcpy and memset of the source; a struct copy is LLVM's alone, or one of each that LLVM has joined. */
static const char named[] = "cpucc.named";

void name_copies(void)
{
    EACH_FUNCTION(f)
        EACH_INSTRUCTION_IN(i, f) {
            bool fills = is_call_of(i, "memset");
            if (!fills && !is_call_of(i, "memcpy"))
                continue;
            LLVMValueRef to = LLVMGetOperand(i, 0), from = LLVMGetOperand(i, 1);
            LLVMValueRef bytes = LLVMGetOperand(i, 2), call;
            build_before(i);
            if (fills)
                call = LLVMBuildMemSet(ir.builder, to, LLVMBuildTrunc(ir.builder, from, ir.i8, ""),
                                       bytes, 1);
            else
                call = LLVMBuildMemCpy(ir.builder, to, 1, from, 1, bytes);
            set_node(call, named, NULL, 0);
            replace_by(i, to);
        }
}

/* ---- parts ---- */

/* A number of so many bytes; of 16: a vector of words. */
static LLVMTypeRef part_type(long bytes)
{
    return bytes > 8 ? LLVMVectorType(ir.i32, (unsigned)bytes / WORD)
                     : LLVMIntTypeInContext(ir.context, (unsigned)bytes * 8);
}

/* Memory that is accessed in parts of at most `part` bytes, one after the other. */
struct row {
    LLVMValueRef at;
    long align, part;
};

/* Loads a row's bytes from `start` to `end` to part[], or stores them from there. */
static void access_row(const struct row *r, long start, long end, LLVMValueRef *part, bool store,
                       LLVMValueRef place)
{
    for (long at = start, bytes = r->part; at < end; at += bytes, part++) {
        while (bytes > end - at)
            bytes /= 2;
        LLVMValueRef pointer = pointer_to(part_type(bytes), add_bytes_to(r->at, at));
        LLVMValueRef access =
            store ? LLVMBuildStore(ir.builder, *part, pointer)
                  : (*part = LLVMBuildLoad2(ir.builder, part_type(bytes), pointer, ""));
        long align = at ? at & -at : r->align;
        LLVMSetAlignment(access, (unsigned)(align < r->align ? align : r->align));
        copy_place(access, place);
    }
}

static long largest(long a, long b) { return a > b ? a : b; }
static long least(long a, long b) { return a < b ? a : b; }

/* ---- loads and stores ---- */

/* True for a number, a vector of numbers or a pointer, which fill their bytes. */
static bool is_divisible(LLVMTypeRef type)
{
    bool vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef part = vector ? LLVMGetElementType(type) : type;
    LLVMTypeKind kind = LLVMGetTypeKind(part);
    return is_scalar(part) && !(vector && kind == LLVMPointerTypeKind) &&
           (kind != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(part) % 8 == 0);
}

static void split_access(LLVMValueRef i)
{
    LLVMTypeRef type = accessed_type(i);
    struct row r = {.at = accessed(i)};
    long align = LLVMGetAlignment(i), bytes = (long)LLVMStoreSizeOfType(ir.layout, type);
    if (!align || align >= bytes || bytes > 16 || !is_plain(i) || !is_divisible(type))
        return; /* the alignment of NULL is 2^32, which LLVM calls 0 */
    r.align = largest(align, declared_alignment(r.at));
    for (r.part = least(r.align, bytes); bytes % r.part;)
        r.part /= 2;
    if (r.part == bytes) {
        LLVMSetAlignment(i, (unsigned)r.align);
        return;
    }
    LLVMTypeRef parts = LLVMVectorType(part_type(r.part), (unsigned)(bytes / r.part));
    LLVMTypeRef number = LLVMGetTypeKind(type) == LLVMPointerTypeKind ? ir.i64 : type;
    LLVMValueRef part[16], all = LLVMGetUndef(parts);
    build_unplaced(i);
    if (LLVMIsAStoreInst(i)) {
        all = LLVMGetOperand(i, 0);
        if (number != type)
            all = LLVMBuildPtrToInt(ir.builder, all, number, "");
        all = LLVMBuildBitCast(ir.builder, all, parts, "");
        for (int k = 0; k < bytes / r.part; k++)
            part[k] = LLVMBuildExtractElement(ir.builder, all, integer(ir.i32, k), "");
        access_row(&r, 0, bytes, part, true, i);
        LLVMInstructionEraseFromParent(i);
        return;
    }
    access_row(&r, 0, bytes, part, false, i);
    for (int k = 0; k < bytes / r.part; k++)
        all = LLVMBuildInsertElement(ir.builder, all, part[k], integer(ir.i32, k), "");
    all = LLVMBuildBitCast(ir.builder, all, number, "");
    replace_by(i, number != type ? LLVMBuildIntToPtr(ir.builder, all, type, "") : all);
}

/* ---- copies and fills ---- */

long copy_alignment(LLVMValueRef call)
{
    long align[2] = {1, 1}, fills = starts_with(callee_name(call), "llvm.memset.");
    has_attribute(call, 1, "align", &align[0]);
    has_attribute(call, 2, "align", &align[1]);
    return least(least(align[0], align[fills ? 0 : 1]), 16);
}

/* Side k of a copy or fill. Its parts have the alignment that LLVM has proved, for memcpy: of both sides. Unless
 * there are too many of them, nvcc merges parts by the declaration of the variable that they lie in. */
static struct row side_of(LLVMValueRef call, unsigned k, bool is_named, long bytes)
{
    struct row r = {LLVMGetOperand(call, k), 1, 1};
    has_attribute(call, k + 1, "align", &r.align);
    r.align = r.part = is_named ? copy_alignment(call) : least(r.align, 16);
    if (bytes <= MOST_PIECES * r.part)
        r.align = largest(r.part, declared_alignment(r.at));
    if (r.part < WORD)
        r.part = least(r.align, WORD);
    return r;
}

/* The bytes that part[] holds in parts of from->part bytes, in parts of to->part bytes. */
static void cut_anew(const struct row *from, const struct row *to, long bytes, LLVMValueRef *part,
                     LLVMValueRef call)
{
    LLVMValueRef variable = new_local(call, LLVMArrayType(ir.i8, (unsigned)bytes));
    struct row row = {variable, 16, from->part};
    LLVMSetAlignment(variable, 16);
    build_unplaced(call);
    access_row(&row, 0, bytes, part, true, call);
    row.part = to->part;
    access_row(&row, 0, bytes, part, false, call);
}

/* Sets part[] to what a fill stores in the bytes from `start` to `end`. */
static void fill_parts(LLVMValueRef byte, const struct row *to, long start, long end,
                       LLVMValueRef *part)
{
    for (long at = start, bytes = to->part; at < end; at += bytes, part++) {
        while (bytes > end - at)
            bytes /= 2;
        *part = LLVMGetUndef(LLVMVectorType(ir.i8, (unsigned)bytes));
        for (int n = 0; n < bytes; n++)
            *part = LLVMBuildInsertElement(ir.builder, *part, byte, integer(ir.i32, n), "");
        *part = LLVMBuildBitCast(ir.builder, *part, part_type(bytes), "");
    }
}

/* Splits a copy or fill of constant length. Of a large one the run time makes the whole pieces. */
static void split_copy(LLVMValueRef call, bool fills)
{
    long end, is_volatile, piece = copy_alignment(call);
    if (!constant_integer(LLVMGetOperand(call, 2), &end) ||
        !constant_integer(LLVMGetOperand(call, 3), &is_volatile) || is_volatile || end < 1)
        return;
    bool is_named = metadata_of(call, named) != NULL;
    bool large = end > LARGEST_COPY || (is_named && piece < WORD && end > MOST_PIECES * piece);
    long start = large ? end / piece * piece : 0;
    struct row to = side_of(call, 0, is_named, end);
    struct row from = fills ? to : side_of(call, 1, is_named, end);
    LLVMValueRef part[LARGEST_COPY];
    build_unplaced(call);
    if (fills)
        fill_parts(LLVMGetOperand(call, 1), &to, start, end, part);
    else
        access_row(&from, start, end, part, false, call);
    /* nvcc loads some merged bytes twice, and three bytes as four. */
    if (is_named && !fills && from.part >= WORD && (piece < WORD ? end > WORD : end % WORD))
        mark_access(part[0], DIFFERS_BY_NEIGHBOURS);
    if (from.part != to.part)
        cut_anew(&from, &to, end - start, part, call);
    access_row(&to, start, end, part, true, call);
    if (large)
        LLVMSetOperand(call, 2, integer(LLVMTypeOf(LLVMGetOperand(call, 2)), start));
    else
        LLVMInstructionEraseFromParent(call);
}

void split_function(LLVMValueRef function)
{
    EACH_INSTRUCTION_IN(i, function)
        if (accessed(i))
            split_access(i);
        else if (calls_one_of(i, "llvm.memcpy. llvm.memmove. llvm.memset."))
            split_copy(i, starts_with(callee_name(i), "llvm.memset."));
}
