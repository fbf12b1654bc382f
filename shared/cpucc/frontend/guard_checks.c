/*
 * Part of guard. Replaces arithmetic that C++ leaves undefined by what nvcc's code does, and adds
 * checks of indices of local arrays. Defines the functions that check.
 */
#include "guard.h"

/* ---- arithmetic ---- */

#define COMPARE(how, a, b) LLVMBuildICmp(ir.builder, how, a, b, "")
#define CHOOSE(condition, a, b) LLVMBuildSelect(ir.builder, condition, a, b, "")

/* The operation of x with another right operand, at x's line. */
static LLVMValueRef with_operand(LLVMValueRef x, LLVMValueRef b)
{
    LLVMValueRef r =
        LLVMBuildBinOp(ir.builder, LLVMGetInstructionOpcode(x), LLVMGetOperand(x, 0), b, "");
    if (LLVMIsAInstruction(r))
        copy_place(r, x);
    return r;
}

static LLVMValueRef add_shift(LLVMValueRef x)
{
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMValueRef by = LLVMGetOperand(x, 1);
    long width = LLVMGetIntTypeWidth(type), n;
    bool sign = opcode_of(x) == LLVMAShr;
    if (constant_integer(by, &n) && n >= 0 && n < width)
        return x;
    LLVMValueRef fine = COMPARE(LLVMIntULT, by, integer(type, width)),
                 safe = CHOOSE(fine, by, integer(type, sign ? width - 1 : 0)),
                 r = with_operand(x, safe);
    if (sign)
        return r;
    LLVMInstructionSetDebugLoc(r, NULL);
    return CHOOSE(fine, r, integer(type, 0));
}

static LLVMValueRef add_division(LLVMValueRef x)
{
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMValueRef a = LLVMGetOperand(x, 0), by = LLVMGetOperand(x, 1), one = integer(type, 1);
    int opcode = opcode_of(x);
    long n;
    if (constant_integer(by, &n) && n != 0 && n != -1)
        return x;
    LLVMValueRef zero = COMPARE(LLVMIntEQ, by, integer(type, 0)), safe = CHOOSE(zero, one, by);
    if (opcode == LLVMSDiv ||
        opcode == LLVMSRem) { /* INT_MIN / -1 overflows: divide by 1 instead */
        LLVMValueRef least = LLVMBuildShl(ir.builder, one,
                                          integer(type, LLVMGetIntTypeWidth(type) - 1), ""),
                     minus = COMPARE(LLVMIntEQ, safe, integer(type, -1)),
                     overflows = LLVMBuildAnd(ir.builder, minus, COMPARE(LLVMIntEQ, a, least), "");
        safe = CHOOSE(overflows, one, safe);
    }
    LLVMValueRef r = with_operand(x, safe);
    return CHOOSE(zero, opcode == LLVMSRem || opcode == LLVMURem ? a : integer(type, -1), r);
}

static LLVMValueRef add_conversion(LLVMValueRef x)
{
    LLVMValueRef v = LLVMGetOperand(x, 0);
    LLVMTypeKind from = LLVMGetTypeKind(LLVMTypeOf(v));
    bool is_signed = opcode_of(x) == LLVMFPToSI;
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(x));
    if ((from != LLVMHalfTypeKind && from != LLVMFloatTypeKind && from != LLVMDoubleTypeKind) ||
        (width != 1 && width != 8 && width != 16 && width != 32 && width != 64))
        return x;
    LLVMTypeRef wide = width > 32 ? ir.i64 : ir.i32, types[] = {wide, LLVMTypeOf(v)};
    const char *name = is_signed ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    LLVMValueRef converted =
        LLVMBuildCall2(ir.builder, LLVMIntrinsicGetType(ir.context, id, types, 2),
                       LLVMGetIntrinsicDeclaration(ir.module, id, types, 2), &v, 1, "");
    copy_place(converted, x);
    /* NaN gives 0, or the smallest signed number. */
    LLVMValueRef of_nan = width > 32                   ? integer(wide, INT64_MIN)
                          : from == LLVMDoubleTypeKind ? integer(wide, INT32_MIN)
                                                       : integer(wide, 0),
                 r = CHOOSE(LLVMBuildFCmp(ir.builder, LLVMRealUNO, v, v, ""), of_nan, converted);
    return width < 32 ? LLVMBuildTrunc(ir.builder, r, LLVMTypeOf(x), "") : r;
}

LLVMValueRef add_arithmetic(LLVMValueRef x)
{
    int opcode = opcode_of(x);
    if (LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMIntegerTypeKind)
        return x;
    switch (opcode) {
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr: return add_shift(x);
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem: return add_division(x);
    case LLVMFPToSI:
    case LLVMFPToUI: return add_conversion(x);
    default: return x;
    }
}

/* ---- local arrays ---- */

/* True if the pointer is used only as the address of loads, stores and further getelementptrs. */
static bool only_accessed(LLVMValueRef pointer)
{
    EACH_USE(u, pointer) {
        LLVMValueRef user = LLVMGetUser(u);
        int opcode = opcode_of(user);
        if (opcode != LLVMLoad && opcode != LLVMGetElementPtr &&
            (opcode != LLVMStore || LLVMGetOperand(user, 0) == pointer))
            return false;
    }
    return true;
}

/* The getelementptr x with another last index, which a check gives: it reports a `number` that is
 * not below count and otherwise gives `index`; then it gives -before. */
static LLVMValueRef checked(LLVMValueRef x, LLVMValueRef number, long count, LLVMValueRef index,
                            LLVMValueRef before)
{
    char *name = plain_name(name_of(local_of(value_of(LLVMGetOperand(x, 0)))->is));
    int indices = LLVMGetNumOperands(x) - 1;
    LLVMValueRef part[2] = {integer(ir.i64, 0)};
    part[indices - 1] = ADD_CALL("cpucc.guard.index", ir.i64, x, number, integer(ir.i64, count),
                                 index, before, text_constant(name));
    LLVMValueRef r = LLVMBuildGEP2(ir.builder, LLVMGetGEPSourceElementType(x), LLVMGetOperand(x, 0),
                                   part, (unsigned)indices, "");
    copy_place(r, x);
    free(name);
    return r;
}

/* Replaces "getelementptr inbounds [8 x float], ptr %a, i64 0, i64 %i" into a local array by one
 * whose index is checked: the check reports an index outside the array and then uses element 0. */
LLVMValueRef add_index(LLVMValueRef x)
{
    const struct value *base = into_local(LLVMGetOperand(x, 0));
    int indices = LLVMGetNumOperands(x) - 1;
    if (!base)
        return x;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(x);
    LLVMValueRef index = LLVMGetOperand(x, (unsigned)indices), zero = integer(ir.i64, 0);
    bool constant = LLVMIsAConstantInt(index);
    long at = constant_or_0(index), count;
    struct value *v = new_value(x);
    v->local = base->local;
    v->cast = base->cast;
    v->element = element_type(x);
    v->outer = NULL;
    v->count = 0;
    if (!constant || LLVMGetIntTypeWidth(LLVMTypeOf(index)) < 64)
        index = LLVMBuildIntCast2(ir.builder, index, ir.i64, true, "");
    /* An index behind the first element. With opaque pointers a cast is invisible, so the types of
     * the elements must agree. */
    if (indices == 1 && base->count && type == base->element && !constant && only_accessed(x))
        return checked(x, index, base->count, index, zero);
    if (indices != 2 || LLVMGetTypeKind(type) != LLVMArrayTypeKind ||
        !LLVMIsAConstantInt(LLVMGetOperand(x, 1)) || constant_or_0(LLVMGetOperand(x, 1)))
        return x;
    count = LLVMGetArrayLength(type);
    bool row = v->element && LLVMGetTypeKind(v->element) == LLVMArrayTypeKind;
    LLVMValueRef line = index, before = zero;
    if (!row && !base->outer && constant && at == 0)
        v->count = count;
    if (base->outer) { /* the element's index in the whole two-dimensional array */
        before = LLVMBuildMul(ir.builder, base->outer, integer(ir.i64, count), "");
        line = LLVMBuildAdd(ir.builder, before, index, "");
        count *= base->rows;
    }
    if (row) {
        v->outer = line, v->rows = count;
        return x;
    }
    if ((!base->outer && constant && at >= 0 && at < count) || !only_accessed(x) || count == 0)
        return x;
    return checked(x, line, count, index, before);
}

/* ---- local variables ---- */

/* The local variable that a pointer lies a known number of bytes behind the start of, or NULL; *offset becomes that
 * number. Looks through pointer variables that are stored once. */
static const struct local *beyond_start_of(LLVMValueRef pointer, long *offset)
{
    *offset = 0;
    for (;;) {
        LLVMValueRef base = strip_offsets(pointer, offset);
        const struct local *l = local_of(value_of(base));
        if (l && l->is == base)
            return l;
        pointer =
            LLVMIsALoadInst(base) ? slot_value(local_of(value_of(LLVMGetOperand(base, 0)))) : NULL;
        if (!pointer)
            return NULL;
    }
}

/* True if the pointer's `bytes` bytes are not all in the local variable that it points to; then adds a report
 * before x. */
static bool leaves_local(LLVMValueRef x, LLVMValueRef pointer, long bytes)
{
    long offset, n;
    const struct local *l = beyond_start_of(pointer, &offset);
    if (!l ||
        (LLVMIsAAllocaInst(l->is) && (!constant_integer(LLVMGetOperand(l->is, 0), &n) || n != 1)))
        return false;
    long size = bytes_of(l->type);
    if (offset >= 0 && offset + bytes <= size)
        return false;
    char *name = plain_name(name_of(l->is));
    ADD_CALL("cpucc_guard_local", ir.nothing, x, integer(ir.i64, offset), integer(ir.i64, bytes),
             integer(ir.i64, size), text_constant(name));
    free(name);
    return true;
}

/* A new local variable of zeros, which x uses instead of memory that it may not use. */
static LLVMValueRef replacement(LLVMValueRef x, LLVMTypeRef type)
{
    LLVMValueRef variable = new_local(x, type);
    LLVMSetAlignment(variable, 16);
    build_unplaced(x);
    LLVMBuildStore(ir.builder, LLVMConstNull(type), variable);
    return variable;
}

/* The same for the arguments of a call that must point to a known number of bytes: references and `this`. */
static void add_bounds_of_arguments(LLVMValueRef x)
{
    long n;
    for (unsigned k = 0; k < argument_count(x); k++) {
        LLVMValueRef argument = LLVMGetOperand(x, k);
        bool known = has_attribute(x, k + 1, "dereferenceable", &n) ||
                     has_attribute(x, k + 1, "dereferenceable_or_null", &n);
        if (known && leaves_local(x, argument, n))
            LLVMSetOperand(x, k,
                           LLVMBuildBitCast(ir.builder,
                                            replacement(x, LLVMArrayType(ir.i8, (unsigned)n)),
                                            LLVMTypeOf(argument), ""));
    }
}

void add_bounds(LLVMValueRef x)
{
    bool copy;
    LLVMValueRef pointer = accessed(x);
    if (pointer) {
        LLVMTypeRef type = accessed_type(x);
        if (leaves_local(x, pointer, (long)LLVMStoreSizeOfType(ir.layout, type)))
            LLVMSetOperand(x, LLVMIsAStoreInst(x) ? 1 : 0, replacement(x, type));
    } else if (is_copy_or_fill(x, &copy)) {
        long bytes = constant_or_0(LLVMGetOperand(x, 2));
        if (bytes && (leaves_local(x, LLVMGetOperand(x, 0), bytes) ||
                      (copy && leaves_local(x, LLVMGetOperand(x, 1), bytes))))
            LLVMSetOperand(x, 2, integer(LLVMTypeOf(LLVMGetOperand(x, 2)), 0));
    } else if (LLVMIsACallInst(x)) {
        add_bounds_of_arguments(x);
    }
}

/* ---- the functions that check ---- */

/* Adds attributes to a function, separated by spaces. "hidden" and "hidden_or_argument" stand for
 * memory effects: it touches no memory of the module, or only what its arguments point to. */
static void add_attributes(LLVMValueRef f, LLVMAttributeIndex index, const char *words)
{
    for (size_t n; *words; words += n + (words[n] == ' ')) {
        char word[64];
        n = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)n, words);
        uint64_t value = 0;
        if (starts_with(word, "hidden")) {
            bool argument = word[6];
            strcpy(word, argument ? "inaccessiblemem_or_argmemonly" : "inaccessiblememonly");
            if (!attribute_kind(word)) { /* LLVM 16 and newer */
                strcpy(word, "memory");
                value = argument ? 15 : 12; /* reads and writes: 3 << (2 * kind of memory) */
            }
        } else if (!attribute_kind(word)) {
            strcpy(word, "captures"); /* nocapture in LLVM 21 and newer: captures(none) */
        }
        unsigned kind = attribute_kind(word);
        LLVMAddAttributeAtIndex(f, index, LLVMCreateEnumAttribute(ir.context, kind, value));
    }
}

static LLVMValueRef declare(const char *name, LLVMTypeRef result, const char *attributes,
                            LLVMTypeRef *type, unsigned count)
{
    LLVMValueRef f = LLVMAddFunction(ir.module, name, LLVMFunctionType(result, type, count, 0));
    add_attributes(f, ON_FUNCTION, attributes);
    return f;
}
#define DECLARE(name, result, attributes, ...)                                                     \
    declare(name, result, attributes, (LLVMTypeRef[]){__VA_ARGS__},                                \
            sizeof((LLVMTypeRef[]){__VA_ARGS__}) / sizeof(LLVMTypeRef))

/* A function that checks. It goes from `entry` to `bad` if the check fails and to `end`. */
struct check {
    LLVMValueRef f;
    LLVMBasicBlockRef entry, bad, end;
};

static LLVMValueRef parameter(const struct check *c, unsigned i) { return LLVMGetParam(c->f, i); }

/* Begins the declared function; the code that follows is its entry. */
static struct check begin_check(const char *name)
{
    LLVMValueRef f = LLVMGetNamedFunction(ir.module, name);
    struct check c = {f, LLVMAppendBasicBlockInContext(ir.context, f, "entry"),
                      LLVMAppendBasicBlockInContext(ir.context, f, "bad"),
                      LLVMAppendBasicBlockInContext(ir.context, f, "end")};
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMPositionBuilderAtEnd(ir.builder, c.entry);
    LLVMSetCurrentDebugLocation2(ir.builder, NULL);
    return c;
}

/* Ends the entry; the code that follows is run if the check fails. */
static void end_entry(const struct check *c, LLVMValueRef fine)
{
    LLVMBuildCondBr(ir.builder, fine, c->end, c->bad);
    LLVMPositionBuilderAtEnd(ir.builder, c->bad);
}

/* Ends the function, which returns `fine` or `bad`; nothing if they are NULL. */
static void end_check(const struct check *c, LLVMValueRef fine, LLVMValueRef bad)
{
    LLVMBuildBr(ir.builder, c->end);
    LLVMPositionBuilderAtEnd(ir.builder, c->end);
    if (!fine) {
        LLVMBuildRetVoid(ir.builder);
        return;
    }
    LLVMValueRef r = LLVMBuildPhi(ir.builder, LLVMTypeOf(fine), "");
    LLVMBasicBlockRef from[] = {c->entry, c->bad};
    LLVMAddIncoming(r, (LLVMValueRef[]){fine, bad}, from, 2);
    LLVMBuildRet(ir.builder, r);
}

static void declare_all(void)
{
    static const char inlined[] = "alwaysinline nounwind", quiet[] = "hidden nounwind willreturn",
                      cold[] = "hidden nounwind willreturn cold", reads[] = "nocapture readonly";
    LLVMTypeRef p = byte_pointer(0), i = ir.i64, nothing = ir.nothing;
    DECLARE("cpucc.guard.index", i, inlined, i, i, i, i, p);
    DECLARE("cpucc.guard.aligned", nothing, inlined, p, i);
    DECLARE("cpucc.guard.defined", nothing, inlined, ir.i1, p, p);
    DECLARE("cpucc.guard.walked", p, inlined, i, i, i, p, p, p);
    DECLARE("cpucc_shuffle_unused", nothing, "nounwind willreturn", ir.i32);
    DECLARE("cpucc_guard_index", nothing, cold, i, i, p);
    DECLARE("cpucc_guard_local", nothing, cold, i, i, i, p);
    DECLARE("cpucc_guard_aligned", nothing, cold, i, i);
    DECLARE("cpucc_guard_undefined", nothing, cold, p, p);
    DECLARE("cpucc_keep", nothing, "", p);
    add_attributes(DECLARE("cpucc_guard_struct", nothing, quiet, p, i), 1, reads);
    add_attributes(DECLARE("cpucc_grid_constant", nothing, quiet, p, i), 1, reads);
    LLVMValueRef copied =
        DECLARE("cpucc_guard_copied", nothing, "hidden_or_argument nounwind willreturn", i, p, i);
    add_attributes(copied, 2, reads);
}

void define_checks(void)
{
    LLVMValueRef zero = integer(ir.i64, 0);
    declare_all();

    struct check c = begin_check("cpucc.guard.index"); /* number, count, index, before, name */
    end_entry(&c, COMPARE(LLVMIntULT, parameter(&c, 0), parameter(&c, 1)));
    CALL("cpucc_guard_index", ir.nothing, parameter(&c, 0), parameter(&c, 1), parameter(&c, 4));
    LLVMValueRef first = LLVMBuildSub(ir.builder, zero, parameter(&c, 3), "");
    end_check(&c, parameter(&c, 2), first);

    c = begin_check("cpucc.guard.aligned"); /* pointer, alignment - 1 */
    LLVMValueRef address = LLVMBuildPtrToInt(ir.builder, parameter(&c, 0), ir.i64, ""),
                 low = LLVMBuildAnd(ir.builder, address, parameter(&c, 1), "");
    end_entry(&c, COMPARE(LLVMIntEQ, low, zero));
    CALL("cpucc_guard_aligned", ir.nothing, address, parameter(&c, 1));
    end_check(&c, NULL, NULL);

    c = begin_check("cpucc.guard.defined"); /* flag, what it decides and its name, address */
    end_entry(&c, parameter(&c, 0));
    CALL("cpucc_guard_undefined", ir.nothing, parameter(&c, 1), parameter(&c, 2));
    end_check(&c, NULL, NULL);

    c = begin_check("cpucc.guard.walked"); /* offset, last one, size, pointer, start, name */
    LLVMValueRef at = parameter(&c, 0), most = parameter(&c, 1), size = parameter(&c, 2);
    end_entry(&c, COMPARE(LLVMIntULE, at, most));
    LLVMValueRef number = LLVMBuildBinOp(ir.builder, LLVMSDiv, at, size, ""),
                 all = LLVMBuildAdd(ir.builder, most, size, ""),
                 count = LLVMBuildBinOp(ir.builder, LLVMUDiv, all, size, "");
    CALL("cpucc_guard_index", ir.nothing, number, count, parameter(&c, 5));
    end_check(&c, parameter(&c, 3), parameter(&c, 4));
}
