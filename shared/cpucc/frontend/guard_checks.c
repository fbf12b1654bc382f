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
    LLVMValueRef name = source_name_of(local_of(value_of(LLVMGetOperand(x, 0))));
    int indices = LLVMGetNumOperands(x) - 1;
    LLVMValueRef part[2] = {integer(ir.i64, 0)};
    part[indices - 1] =
        CALL("cpucc.guard.index", ir.i64, number, integer(ir.i64, count), index, before, name);
    LLVMValueRef r = LLVMBuildGEP2(ir.builder, LLVMGetGEPSourceElementType(x), LLVMGetOperand(x, 0),
                                   part, (unsigned)indices, "");
    copy_place(part[indices - 1], x);
    copy_place(r, x);
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
    copy_place(CALL("cpucc_guard_local", ir.nothing, integer(ir.i64, offset),
                    integer(ir.i64, bytes), integer(ir.i64, size), source_name_of(l)),
               x);
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
            LLVMSetOperand(x, address_operand(x), replacement(x, type));
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

/* Adds attributes to a function that guard calls, separated by spaces, under the names of LLVM 14. */
static void add_attributes(LLVMValueRef f, LLVMAttributeIndex index, const char *words)
{
    for (char *word = strtok(format("%s", words), " "); word; word = strtok(NULL, " ")) {
        unsigned kind = attribute_kind(word), value = 0;
        if (!kind) { /* memory(), since LLVM 16: 3 << (2 * kind of memory) for reads and writes */
            value = !strcmp(word, "inaccessiblememonly")             ? 3 << 2
                    : !strcmp(word, "inaccessiblemem_or_argmemonly") ? 3 << 2 | 3
                                                                     : 0;
            kind = attribute_kind(value ? "memory" : "captures"); /* nocapture before LLVM 21 */
        }
        LLVMAddAttributeAtIndex(f, index, LLVMCreateEnumAttribute(ir.context, kind, value));
    }
}

/* Gives a function of the run time its attributes. It only reads what its parameter number `pointer`, from 1, points
 * to; 0: it has none such. */
static void describe(const char *name, const char *attributes, unsigned pointer)
{
    LLVMValueRef f = LLVMGetNamedFunction(ir.module, name);
    if (f)
        add_attributes(f, ON_FUNCTION, attributes);
    if (f && pointer)
        add_attributes(f, pointer, "nocapture readonly");
}

/* The function that is being defined. It goes from `entry` to `bad` if its check fails, and to `end`. */
static LLVMValueRef checker;
static LLVMBasicBlockRef entry, bad, end;

static LLVMValueRef parameter(unsigned k) { return LLVMGetParam(checker, k); }

/* Begins the function, if it is called; the code that follows is its entry. */
static bool begin_check(const char *name)
{
    checker = LLVMGetNamedFunction(ir.module, name);
    if (!checker)
        return false;
    add_attributes(checker, ON_FUNCTION, "alwaysinline nounwind");
    LLVMSetLinkage(checker, LLVMInternalLinkage);
    entry = LLVMAppendBasicBlockInContext(ir.context, checker, "entry");
    bad = LLVMAppendBasicBlockInContext(ir.context, checker, "bad");
    end = LLVMAppendBasicBlockInContext(ir.context, checker, "end");
    LLVMPositionBuilderAtEnd(ir.builder, entry);
    LLVMSetCurrentDebugLocation2(ir.builder, NULL);
    return true;
}

/* Ends the entry; the code that follows is run if the check fails. */
static void end_entry(LLVMValueRef fine)
{
    LLVMBuildCondBr(ir.builder, fine, end, bad);
    LLVMPositionBuilderAtEnd(ir.builder, bad);
}

/* Ends the function, which returns if_fine or if_bad; nothing if they are NULL. */
static void end_check(LLVMValueRef if_fine, LLVMValueRef if_bad)
{
    LLVMBuildBr(ir.builder, end);
    LLVMPositionBuilderAtEnd(ir.builder, end);
    if (!if_fine) {
        LLVMBuildRetVoid(ir.builder);
        return;
    }
    LLVMValueRef r = LLVMBuildPhi(ir.builder, LLVMTypeOf(if_fine), "");
    LLVMAddIncoming(r, &if_fine, &entry, 1);
    LLVMAddIncoming(r, &if_bad, &bad, 1);
    LLVMBuildRet(ir.builder, r);
}

void define_checks(void)
{
    static const char quiet[] = "inaccessiblememonly nounwind willreturn",
                      cold[] = "inaccessiblememonly nounwind willreturn cold";
    LLVMValueRef zero = integer(ir.i64, 0);
    if (begin_check("cpucc.guard.index")) { /* number, count, index, before, name */
        end_entry(COMPARE(LLVMIntULT, parameter(0), parameter(1)));
        CALL("cpucc_guard_index", ir.nothing, parameter(0), parameter(1), parameter(4));
        end_check(parameter(2), LLVMBuildSub(ir.builder, zero, parameter(3), ""));
    }
    if (begin_check("cpucc.guard.aligned")) { /* pointer, alignment - 1 */
        LLVMValueRef address = LLVMBuildPtrToInt(ir.builder, parameter(0), ir.i64, ""),
                     low = LLVMBuildAnd(ir.builder, address, parameter(1), "");
        end_entry(COMPARE(LLVMIntEQ, low, zero));
        CALL("cpucc_guard_aligned", ir.nothing, address, parameter(1));
        end_check(NULL, NULL);
    }
    if (begin_check("cpucc.guard.defined")) { /* flag, what it decides and its name, address */
        end_entry(parameter(0));
        CALL("cpucc_guard_undefined", ir.nothing, parameter(1), parameter(2));
        end_check(NULL, NULL);
    }
    if (begin_check("cpucc.guard.walked")) { /* offset, last one, size, pointer, start, name */
        LLVMValueRef at = parameter(0), most = parameter(1), size = parameter(2);
        end_entry(COMPARE(LLVMIntULE, at, most));
        LLVMValueRef number = LLVMBuildBinOp(ir.builder, LLVMSDiv, at, size, ""),
                     all = LLVMBuildAdd(ir.builder, most, size, ""),
                     count = LLVMBuildBinOp(ir.builder, LLVMUDiv, all, size, "");
        CALL("cpucc_guard_index", ir.nothing, number, count, parameter(5));
        end_check(parameter(3), parameter(4));
    }
    describe("cpucc_guard_index", cold, 0);
    describe("cpucc_guard_local", cold, 0);
    describe("cpucc_guard_aligned", cold, 0);
    describe("cpucc_guard_undefined", cold, 0);
    describe("cpucc_guard_struct", quiet, 1);
    describe("cpucc_grid_constant", quiet, 1);
    describe("cpucc_guard_copied", "inaccessiblemem_or_argmemonly nounwind willreturn", 2);
    describe("cpucc_shuffle_unused", "nounwind willreturn", 0);
}
