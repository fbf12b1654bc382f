/*
 * merge: merges neighbouring accesses into one if nvcc's compiler does so.
 * It works on each basic block of the optimised module for the GPU. Two rules were derived from nvcc
 * 13.0's code for small programs (shared/cpucc/tests/merging.cu):
 *
 *   by declared alignment   Parts of an object that is aligned as a whole, such as the members of a
 *                           float4, become one access of 8 or 16 bytes, in global or shared memory.
 *   by place                Words of shared memory whose addresses differ by constants become pairs
 *                           at multiples of 8 bytes or fours at multiples of 16. The alignment
 *                           follows from the index and the variable's place, which assumes that
 *                           variables lie in the order of their declarations.
 *
 * The merged load stands at the group's first load, the merged store at its last store; nothing
 * between them may touch the accessed memory. Under the second rule nothing between them may write
 * any shared memory (nor read it, for stores), as in nvcc's code. nvcc loads three of four words as
 * four; here they stay three loads, since the fourth word may be uninitialised or out of bounds.
 */
#include "merge.h"

enum { PENDING = 512 }; /* most accesses of a block that are considered together */

bool in_kernel;

/* ---- accesses of a block ---- */

static struct access {
    LLVMValueRef at;
    bool store, done;
    LLVMTypeRef type; /* of the number that is loaded or stored */
    long bytes;       /* its size; 0 if it is no number */
    long declared;    /* the instruction's alignment, in bytes */
    struct address address;
} pending[PENDING];
static int pending_count;

/* The size of a type that merge considers, else 0. Four bytes are a number on its way into a float2 or another of
 * CUDA's vectors. */
static long size_of_number(LLVMTypeRef type)
{
    bool number = type == ir.i8 || type == ir.i16 || type == ir.i32 || type == ir.i64;
    switch (LLVMGetTypeKind(type)) {
    case LLVMVectorTypeKind:
        return LLVMGetElementType(type) == ir.i8 && LLVMGetVectorSize(type) == 4 ? 4 : 0;
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: return bytes_of(type);
    default: return number ? bytes_of(type) : 0;
    }
}

/* Reads a load or store; false if the instruction is neither, or volatile or atomic. */
static bool read_access(LLVMValueRef i, struct access *x)
{
    LLVMValueRef pointer = accessed(i);
    if (!pointer || !is_plain(i))
        return false;
    bool store = LLVMIsAStoreInst(i) != NULL;
    LLVMTypeRef type = accessed_type(i);
    *x = (struct access){
        i, store, false, type, size_of_number(type), LLVMGetAlignment(i), address_of(pointer)};
    return true;
}

bool is_alone(LLVMValueRef v)
{
    LLVMValueRef function = LLVMIsAArgument(v) ? LLVMGetParamParent(v) : NULL;
    LLVMAttributeIndex k = 0;
    while (function && LLVMGetParam(function, k) != v)
        k++;
    return function && attribute_at(function, k + 1, "noalias");
}

/* True if the accesses certainly touch different bytes. */
static bool apart(const struct access *a, const struct access *b)
{
    const struct address *x = &a->address, *y = &b->address;
    if (!x->known || !y->known)
        return false;
    if (same_base(x, y))
        return a->bytes && b->bytes &&
               (x->offset + a->bytes <= y->offset || y->offset + b->bytes <= x->offset);
    if ((x->shared && y->elsewhere) || (y->shared && x->elsewhere))
        return true;
    return x->base != y->base && in_kernel && (is_alone(x->base) || is_alone(y->base));
}

/* True if access i can move to the place of access k. */
static bool movable(int i, int k, bool by_place)
{
    const struct access *moved = &pending[i];
    int step = i < k ? 1 : -1;
    for (int m = i + step; m != k; m += step) {
        const struct access *x = &pending[m];
        bool fine = !x->store && !moved->store;
        if (by_place)
            fine |= x->address.elsewhere || (x->store && moved->store && apart(x, moved) &&
                                             same_base(&x->address, &moved->address));
        else
            fine |= apart(x, moved);
        if (!fine)
            return false;
    }
    return true;
}

static int by_offset(const void *a, const void *b)
{
    int i = *(const int *)a, k = *(const int *)b;
    long x = pending[i].address.offset, y = pending[k].address.offset;
    return x != y ? (x < y ? -1 : 1) : i - k;
}

/* ---- replacements ---- */

/* Instructions that are replaced or, if `by` is NULL, erased at the end of the function: addresses
 * that are taken apart until then refer to the instructions as they were. */
static struct replacement {
    LLVMValueRef old, by;
} * replacements;
static int replacement_count;

static void replace_later(LLVMValueRef old, LLVMValueRef by)
{
    *APPEND(replacements, replacement_count) = (struct replacement){old, by};
}

static void replace_now(void)
{
    for (int i = 0; i < replacement_count; i++) {
        if (replacements[i].by)
            LLVMReplaceAllUsesWith(replacements[i].old, replacements[i].by);
        LLVMInstructionEraseFromParent(replacements[i].old);
    }
    replacement_count = 0;
}

/* ---- merging ---- */

/* The group's access at which the merged access stands: its first load or last store. */
static int place_of(const int *group, int n)
{
    int here = group[0];
    for (int i = 1; i < n; i++)
        if (pending[here].store == (group[i] > here))
            here = group[i];
    return here;
}

/* Makes one vector load of the accesses group[0..n-1], and takes each one's value from it. */
static void load_together(const int *group, int n, LLVMTypeRef vector, LLVMValueRef pointer,
                          const struct access *here)
{
    LLVMValueRef all = LLVMBuildLoad2(ir.builder, vector, pointer, "merged");
    LLVMSetAlignment(all, (unsigned)(n * here->bytes));
    copy_place(all, here->at);
    unsigned read_only = metadata_kind("nontemporal"); /* __ldg */
    LLVMSetMetadata(all, read_only, LLVMGetMetadata(here->at, read_only));
    for (int i = 0; i < n; i++) {
        const struct access *x = &pending[group[i]];
        build_unplaced(x->at);
        LLVMValueRef one = LLVMBuildExtractElement(ir.builder, all, integer(ir.i32, i), "");
        replace_later(x->at, LLVMBuildBitCast(ir.builder, one, x->type, ""));
    }
}

/* Makes one vector store of the accesses group[0..n-1]. */
static void store_together(const int *group, int n, LLVMTypeRef vector, LLVMValueRef pointer,
                           const struct access *here)
{
    LLVMValueRef all = LLVMGetUndef(vector);
    for (int i = 0; i < n; i++) {
        const struct access *x = &pending[group[i]];
        LLVMValueRef one =
            LLVMBuildBitCast(ir.builder, LLVMGetOperand(x->at, 0), LLVMGetElementType(vector), "");
        all = LLVMBuildInsertElement(ir.builder, all, one, integer(ir.i32, i), "");
        replace_later(x->at, NULL);
    }
    LLVMValueRef store = LLVMBuildStore(ir.builder, all, pointer);
    LLVMSetAlignment(store, (unsigned)(n * here->bytes));
    copy_place(store, here->at);
}

/* The place in the source of an instruction, or of the call that brought it into its function: line and column. */
static long outer_place(LLVMValueRef i)
{
    LLVMMetadataRef l = LLVMInstructionGetDebugLoc(i), outer = l;
    for (; l; l = LLVMDILocationGetInlinedAt(l))
        outer = l;
    return outer ? (long)LLVMDILocationGetLine(outer) << 16 | LLVMDILocationGetColumn(outer) : 0;
}

/* Merges the accesses group[0..n-1], which are in the order of their addresses. */
static void make_one(const int *group, int n, bool by_place)
{
    const struct access *low = &pending[group[0]], *here = &pending[place_of(group, n)];
    LLVMTypeRef bits = LLVMIntTypeInContext(ir.context, (unsigned)low->bytes * 8);
    LLVMTypeRef vector = LLVMVectorType(bits, (unsigned)n);
    build_unplaced(here->at);
    LLVMValueRef pointer =
        add_bytes_to(accessed(here->at), low->address.offset - here->address.offset);
    pointer = pointer_to(vector, pointer);
    for (int i = 0; i < n; i++)
        pending[group[i]].done = true;
    (here->store ? store_together : load_together)(group, n, vector, pointer, here);
    if (by_place || outer_place(low->at) != outer_place(pending[group[n - 1]].at))
        mark_access(here->at, MERGED);
}

/* True if group[0..n-1] can move to the group's first load or last store. */
static bool can_be_one(const int *group, int n, bool by_place)
{
    int here = place_of(group, n);
    for (int i = 0; i < n; i++)
        if (group[i] != here && !movable(group[i], here, by_place))
            return false;
    return true;
}

/* Merges accesses within a row: those of one base, kind and size, in the order of addresses. */
static void merge_row(const int *row, int n, bool by_place)
{
    const struct access *first = &pending[row[0]];
    long base = by_place ? alignment(&first->address) : 0;
    for (int i = 0; i < n; i++) {
        const struct access *x = &pending[row[i]];
        long at = x->address.offset;
        for (long bytes = 16; bytes > x->bytes; bytes /= 2) {
            int group[16], count = 0, want = (int)(bytes / x->bytes);
            bool aligned =
                by_place ? x->bytes >= 4 && base >= bytes && at % bytes == 0 : x->declared >= bytes;
            for (int k = i; aligned && k < n && count < want; k++) {
                const struct access *y = &pending[row[k]];
                if (!y->done && y->address.offset == at + count * x->bytes)
                    group[count++] = row[k];
            }
            /* nvcc loads three of four words as four. */
            for (int k = 0; k < count && want == 4 && count == 3 && !x->store; k++)
                mark_access(pending[group[k]].at, DIFFERS_BY_NEIGHBOURS);
            if (!x->done && aligned && count == want && can_be_one(group, count, by_place)) {
                make_one(group, count, by_place);
                break;
            }
        }
    }
}

/* Replaces a load by an earlier one's value if nothing between them may change the memory. */
static void drop_repeats(void)
{
    for (int i = 1; i < pending_count; i++) {
        struct access *x = &pending[i];
        for (int k = 0; k < i && !x->store && !x->done && x->bytes && x->address.known; k++) {
            const struct access *y = &pending[k];
            if (y->store || y->done || !y->address.known || y->type != x->type ||
                y->address.offset != x->address.offset || !same_base(&x->address, &y->address) ||
                !movable(i, k, false))
                continue;
            replace_later(x->at, y->at);
            x->done = true;
        }
    }
}

/* True if the rule takes the access: by place, no vectors, as it was derived for words. */
static bool is_for(const struct access *x, bool by_place)
{
    return x->bytes && x->address.known && !x->done &&
           !(by_place && LLVMGetTypeKind(x->type) == LLVMVectorTypeKind);
}

/* Merges the pending accesses, which have no call or branch between them, by the first rule or by both. */
static void merge_pending(int rules)
{
    drop_repeats();
    for (int by_place = 0; by_place < rules; by_place++)
        for (int i = 0; i < pending_count; i++) {
            const struct access *x = &pending[i];
            int row[PENDING], n = 0;
            if (!is_for(x, by_place) || (by_place && !x->address.shared))
                continue;
            bool begins = true;
            for (int k = 0; k < pending_count; k++) {
                const struct access *y = &pending[k];
                if (!is_for(y, by_place) || y->store != x->store || y->bytes != x->bytes ||
                    !same_base(&x->address, &y->address))
                    continue;
                begins &= k >= i;
                row[n++] = k;
            }
            if (!begins || n < 2)
                continue;
            qsort(row, (size_t)n, sizeof *row, by_offset);
            merge_row(row, n, by_place);
        }
    pending_count = 0;
}

/* ---- blocks ---- */

/* True for calls that touch no memory and order nothing. */
static bool is_harmless(LLVMValueRef call)
{
    return calls_one_of(
        call, "llvm.nvvm.read. llvm.fma llvm.fmuladd llvm.sqrt llvm.fabs llvm.umin llvm.umax "
              "llvm.smin llvm.smax llvm.minnum llvm.maxnum llvm.dbg. cpucc_guard_ "
              "cpucc_shuffle");
}

/* True for instructions that no access moves across. */
static bool separates(LLVMValueRef i)
{
    return LLVMIsATerminatorInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
           LLVMIsAFenceInst(i) || accessed(i) || (LLVMIsACallInst(i) && !is_harmless(i));
}

/* If the block ends with a check of guard (a branch around calls that report a fault), the block
 * with these calls, which the block behind the check follows; else NULL. */
static LLVMBasicBlockRef check_behind(LLVMBasicBlockRef b)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(b);
    LLVMBasicBlockRef bad = LLVMGetNextBasicBlock(b);
    LLVMBasicBlockRef fine = bad ? LLVMGetNextBasicBlock(bad) : NULL;
    if (!fine || !LLVMIsABranchInst(branch) || LLVMGetNumSuccessors(branch) != 2 ||
        LLVMGetSuccessor(branch, 0) != fine || LLVMGetSuccessor(branch, 1) != bad)
        return NULL;
    LLVMValueRef i = LLVMGetFirstInstruction(bad);
    while (starts_with(callee_name(i), "cpucc_guard_"))
        i = LLVMGetNextInstruction(i);
    bool ends = LLVMIsABranchInst(i) && LLVMGetNumSuccessors(i) == 1;
    return ends && predecessor_count(fine) == 2 ? bad : NULL;
}

static void merge_function(LLVMValueRef function, int rules)
{
    in_kernel = is_kernel(function);
    place_variables(function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        EACH_INSTRUCTION(i, b)
            if (read_access(i, &pending[pending_count])) {
                if (++pending_count == PENDING)
                    merge_pending(rules);
            } else if (LLVMIsATerminatorInst(i) && check_behind(b)) {
                b = check_behind(b);
                break;
            } else if (separates(i)) {
                merge_pending(rules);
            }
    }
    replace_now();
}

void merge_accesses(void)
{
    /* As in nvcc, the first part's alignment is enough: the others' may be unproven, and is split otherwise. */
    EACH_FUNCTION(f)
        merge_function(f, 1);
    EACH_FUNCTION(f)
        split_function(f);
    EACH_FUNCTION(f)
        narrow_function(f);
    EACH_FUNCTION(f)
        merge_function(f, 2);
    attach_marks();
}
