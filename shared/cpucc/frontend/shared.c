/*
 * Part of retarget. Translates __shared__ variables. In the device's module they are globals in
 * address space 3. On the CPU each block has its own copy, so a function asks the run time for
 * their addresses when it is entered:
 *
 *     %1 = call ptr @cpucc_shared(ptr @cpucc.site, i64 4224, i64 4)
 *
 * Constant expressions with the global's address become instructions. __managed__ variables are
 * translated in the same way: the run time gives their address in the host's half.
 */
#include "module.h"

static struct variable {
    LLVMValueRef global, site;
    LLVMValueRef address; /* in the current function: the call; NULL if it does not use it */
} * variables;
static int count;
static struct map lines; /* of their declarations, by variable */

/* The current function, its first original instruction, and where code is added now. */
static LLVMValueRef function, first, here;

static struct variable *find(LLVMValueRef v)
{
    if (!LLVMIsAGlobalVariable(v))
        return NULL;
    for (int k = 0; k < count; k++)
        if (variables[k].global == v)
            return &variables[k];
    return NULL;
}

void note_given(LLVMValueRef v) { *APPEND(variables, count) = (struct variable){.global = v}; }

void note_shared(bool dynamic)
{
    EACH_GLOBAL(v)
        if (space_of(v) == SPACE_SHARED && !LLVMGetInitializer(v) == dynamic)
            note_given(v);
}

void note_shared_line(LLVMValueRef v, long line) { *map_at(&lines, v) = line; }

/* ---- addresses ---- */

/* What the run time knows of a static variable: its name and type, and what it finds out. */
static LLVMValueRef new_site(LLVMValueRef v)
{
    LLVMValueRef name = text_constant(variable_name(name_of(v))),
                 type = text_constant(type_text(LLVMGlobalGetValueType(v))),
                 part[6] = {name, integer(ir.i32, -1), integer(ir.i32, 0),
                            type, null_pointer(),      integer(ir.i64, 0)};
    return generic(new_global("cpucc.site", LLVMConstStructInContext(ir.context, part, 6, 0)));
}

/* Adds the call that gives the variable's address to the function's entry. The calls are in the
 * order of the variables, dynamic ones last: those lie behind the others. */
static void add_call(struct variable *x)
{
    LLVMValueRef before = first;
    for (struct variable *later = variables + count - 1; later > x; later--)
        if (later->address)
            before = later->address;
    LLVMMetadataRef scope = LLVMGetSubprogram(function);
    unsigned line = (unsigned)map_get(&lines, x->global);
    build_unplaced(before);
    if (line && scope)
        LLVMSetCurrentDebugLocation2(
            ir.builder, LLVMDIBuilderCreateDebugLocation(ir.context, line, 0, scope, NULL));
    LLVMTypeRef pointer = byte_pointer(0);
    long given = LLVMGetAlignment(x->global);
    LLVMValueRef align = integer(ir.i64, given ? given : 8);
    if (space_of(x->global) != SPACE_SHARED) {
        x->address = CALL("cpucc_managed", pointer, generic(x->global));
    } else if (!LLVMGetInitializer(x->global)) { /* extern __shared__ T x[] */
        x->address = CALL("cpucc_dynamic_shared", pointer, align);
    } else {
        if (!x->site)
            x->site = new_site(x->global);
        x->address = CALL("cpucc_shared", pointer, x->site,
                          integer(ir.i64, bytes_of(LLVMGlobalGetValueType(x->global))), align);
    }
}

/* ---- constants ---- */

bool is_aggregate(LLVMValueRef c)
{
    return LLVMIsAConstantStruct(c) || LLVMIsAConstantArray(c) || LLVMIsAConstantVector(c);
}

/* The constant c as an instruction, with these operands. */
static LLVMValueRef unfold(LLVMValueRef c, LLVMValueRef *part, unsigned n)
{
    LLVMBuilderRef b = ir.builder;
    LLVMTypeRef type = LLVMTypeOf(c);
    if (is_aggregate(c)) {
        LLVMValueRef whole = LLVMGetUndef(type);
        for (unsigned k = 0; k < n; k++)
            whole = LLVMIsAConstantVector(c)
                        ? LLVMBuildInsertElement(b, whole, part[k], integer(ir.i32, k), "")
                        : LLVMBuildInsertValue(b, whole, part[k], k, "");
        return whole;
    }
    LLVMOpcode op = (LLVMOpcode)opcode_of(c);
    switch (op) {
    case LLVMGetElementPtr: {
        LLVMTypeRef source = LLVMGetGEPSourceElementType(c);
        return LLVMIsInBounds(c) ? LLVMBuildInBoundsGEP2(b, source, part[0], part + 1, n - 1, "")
                                 : LLVMBuildGEP2(b, source, part[0], part + 1, n - 1, "");
    }
    case LLVMICmp: return LLVMBuildICmp(b, LLVMGetICmpPredicate(c), part[0], part[1], "");
    case LLVMSelect: return LLVMBuildSelect(b, part[0], part[1], part[2], "");
    case LLVMExtractElement: return LLVMBuildExtractElement(b, part[0], part[1], "");
    case LLVMInsertElement: return LLVMBuildInsertElement(b, part[0], part[1], part[2], "");
    default:
        return n == 1 ? LLVMBuildCast(b, op, part[0], type, "")
                      : LLVMBuildBinOp(b, op, part[0], part[1], "");
    }
}

static bool has_other_space(LLVMValueRef v) /* a pointer of another address space than 0 */
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind && space_of(v);
}

static LLVMValueRef value_of(LLVMValueRef c);

/* The address of p, a pointer of another address space, in address space 0; of any element type. */
static LLVMValueRef plain(LLVMValueRef p)
{
    LLVMValueRef made;
    struct variable *x = find(p);
    if (x) {
        if (!x->address) {
            add_call(x);
            build_before(here);
        }
        return x->address;
    }
    switch (opcode_of(p)) {
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
        p = LLVMGetOperand(p, 0);
        if (has_other_space(p))
            return plain(p);
        made = LLVMIsAConstant(p) ? value_of(p) : NULL;
        return made ? made : p;
    case LLVMGetElementPtr: {
        unsigned n = (unsigned)LLVMGetNumOperands(p);
        LLVMTypeRef type = LLVMGetGEPSourceElementType(p);
        LLVMValueRef *part = allocate(NULL, n * sizeof *part);
        for (unsigned k = 0; k < n; k++)
            part[k] = LLVMGetOperand(p, k);
        part[0] = pointer_to(type, plain(part[0]));
        return unfold(p, part, n);
    }
    default:
        p = LLVMBuildPtrToInt(ir.builder, p, ir.i64, "");
        return LLVMBuildIntToPtr(ir.builder, p, byte_pointer(0), "");
    }
}

/* The value of a constant without addresses of variables here and without casts of pointers to
 * address space 0; NULL if it has none of these. */
static LLVMValueRef value_of(LLVMValueRef c)
{
    struct variable *x = find(c);
    if (has_other_space(c) && (x || LLVMIsAConstantExpr(c)))
        return LLVMBuildAddrSpaceCast(ir.builder, plain(c), LLVMTypeOf(c), "");
    if (x || (opcode_of(c) == LLVMAddrSpaceCast && has_other_space(LLVMGetOperand(c, 0))))
        return LLVMBuildBitCast(ir.builder, plain(x ? c : LLVMGetOperand(c, 0)), LLVMTypeOf(c), "");
    if (!LLVMIsAConstantExpr(c) && !is_aggregate(c))
        return NULL;
    unsigned n = (unsigned)LLVMGetNumOperands(c);
    LLVMValueRef *part = allocate(NULL, n * sizeof *part);
    bool any = false;
    for (unsigned k = 0; k < n; k++) {
        LLVMValueRef operand = LLVMGetOperand(c, k), value = value_of(operand);
        any |= value != NULL;
        part[k] = value ? value : operand;
    }
    return any ? unfold(c, part, n) : NULL;
}

/* ---- instructions ---- */

/* Replaces the constants in an instruction by their values. */
static void replace_constants(LLVMValueRef i)
{
    LLVMValueRef phi = LLVMIsAPHINode(i);
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, k), value = NULL;
        if (!LLVMIsAConstant(operand))
            continue;
        for (unsigned j = 0; phi && j < k && !value; j++) /* one block, one value */
            if (LLVMGetIncomingBlock(i, j) == LLVMGetIncomingBlock(i, k))
                value = LLVMGetOperand(i, j);
        build_before(here = phi ? first : i);
        value = value ? value : value_of(operand);
        if (value)
            LLVMSetOperand(i, k, value);
    }
}

/* Replaces a pointer that the instruction makes by one of address space 0. */
static void replace_pointer(LLVMValueRef i)
{
    build_before(here = i);
    LLVMValueRef p = plain(LLVMIsAAddrSpaceCastInst(i) ? LLVMGetOperand(i, 0) : i);
    if (i == first)
        first = LLVMGetNextInstruction(i);
    replace_by(i, (has_other_space(i) ? LLVMBuildAddrSpaceCast
                                      : LLVMBuildBitCast)(ir.builder, p, LLVMTypeOf(i), ""));
}

static void translate_pointers(LLVMValueRef i)
{
    replace_constants(i);
    unsigned k = address_operand(i);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        if (!has_other_space(LLVMGetOperand(i, k)))
            break;
        build_before(here = i);
        LLVMSetOperand(i, k, pointer_to(accessed_type(i), plain(LLVMGetOperand(i, k))));
        break;
    case LLVMGetElementPtr:
        if (has_other_space(i))
            replace_pointer(i);
        break;
    case LLVMAddrSpaceCast:
        if (has_other_space(LLVMGetOperand(i, 0)))
            replace_pointer(i);
        break;
    default: break;
    }
}

void replace_shared(LLVMValueRef f)
{
    function = f;
    first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    EACH_BLOCK(b, f)
        for (LLVMValueRef i = b == LLVMGetEntryBasicBlock(f) ? first : LLVMGetFirstInstruction(b),
                          next;
             i; i = next) {
            next = LLVMGetNextInstruction(i);
            translate_pointers(i);
        }
    for (int k = 0; k < count; k++)
        variables[k].address = NULL;
    EACH_INSTRUCTION_IN(i, f)
        if (LLVMIsAAddrSpaceCastInst(i) && !LLVMGetFirstUse(i))
            LLVMInstructionEraseFromParent(i);
}

void delete_shared(void)
{
    for (int k = 0; k < count; k++) {
        LLVMValueRef v = variables[k].global;
        if (space_of(v) != SPACE_SHARED)
            continue;
        LLVMReplaceAllUsesWith(v, LLVMGetUndef(LLVMTypeOf(v)));
        LLVMDeleteGlobal(v);
    }
}
