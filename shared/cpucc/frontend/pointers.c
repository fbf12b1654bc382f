/*
 * Part of guard. Checks accesses through pointers that walk through a local array: `char *p = text;
 * *p++ = c;`. (guard_checks.c checks indices of the array itself.)
 *
 * A pointer variable is followed if every pointer stored there points into the same local variable
 * and its own address does not escape. guard adds a second variable beside it, which holds the
 * pointer's offset in bytes from the array's start. Each pointer derived from it has such an offset
 * too, and each access checks that the offset lies inside the array. Forming a pointer outside is
 * no fault.
 */
#include "guard.h"

enum { NONE = -2, NOT_YET = -1 };

/* The pointer variable that the operand is, or NULL. */
static struct local *variable(LLVMValueRef v)
{
    struct local *l = local_of(value_of(v));
    return l && l->may_walk && l->is == v ? l : NULL;
}

/* The local that a pointer points into, by its index in `locals`; or NONE or NOT_YET. */
static int root_of(LLVMValueRef pointer)
{
    const struct value *v = value_of(pointer);
    const struct local *l = local_of(v);
    return l ? (l->may_walk ? NONE : v->local) : v ? v->walks : NONE;
}

static bool join(struct local *l, int root)
{
    int now = l->walks == NOT_YET ? root : root == NOT_YET || root == l->walks ? l->walks : NONE;
    bool changed = now != l->walks;
    l->walks = now;
    return changed;
}

/* Propagates where pointers point through one instruction; true if that changed something. */
static bool spread_pointer(LLVMValueRef x)
{
    struct local *l = accessed(x) ? variable(accessed(x)) : NULL;
    if (LLVMIsAStoreInst(x))
        return l && join(l, root_of(LLVMGetOperand(x, 0)));
    int root = l ? l->walks : is_derived(x) ? root_of(LLVMGetOperand(x, 0)) : NONE;
    if (root == NONE)
        return false;
    struct value *v = new_value(x);
    bool changed = v->walks != root;
    v->walks = root;
    return changed;
}

void find_walking(LLVMValueRef function)
{
    bool changed = false;
    for (struct local *l = locals; l < locals + local_count; l++) {
        l->walks = NOT_YET;
        l->may_walk = !l->parameter && !l->escapes && !l->slot &&
                      LLVMGetTypeKind(l->type) == LLVMPointerTypeKind;
        changed |= l->may_walk;
    }
    while (changed) {
        changed = false;
        EACH_INSTRUCTION_IN(x, function)
            changed |= spread_pointer(x);
    }
    for (int i = 0; i < local_count; i++)
        if (locals[i].may_walk && locals[i].walks >= 0)
            locals[locals[i].walks].walked = true;
}

static LLVMValueRef offset_of(LLVMValueRef pointer)
{
    const struct value *v = value_of(pointer);
    return v && v->offset ? v->offset : integer(ir.i64, 0);
}

/* Adds the offset of a pointer that x derives from another one. */
static void add_step(LLVMValueRef x)
{
    LLVMValueRef base = LLVMGetOperand(x, 0), index[16];
    const struct value *known = value_of(base);
    struct value *v = new_value(x);
    unsigned count = (unsigned)LLVMGetNumOperands(x) - 1;
    v->through = known->through || (known->local < 0 && known->walks >= 0);
    v->offset = offset_of(base);
    if (opcode_of(x) != LLVMGetElementPtr || count > 16)
        return;
    for (unsigned i = 0; i < count; i++)
        index[i] = LLVMGetOperand(x, i + 1);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(x);
    LLVMValueRef start = LLVMConstPointerNull(LLVMPointerType(type, 0)),
                 at = LLVMBuildGEP2(ir.builder, type, start, index, count, "");
    v->offset =
        LLVMBuildAdd(ir.builder, v->offset, LLVMBuildPtrToInt(ir.builder, at, ir.i64, ""), "");
}

/* Adds the check before a load or store through such a pointer, and gives it the checked pointer. */
void add_walk_check(LLVMValueRef x)
{
    LLVMValueRef pointer = accessed(x);
    const struct value *v = pointer ? value_of(pointer) : NULL;
    LLVMTypeRef type = pointer ? accessed_type(x) : NULL;
    long bytes = pointer ? type_bytes(type) : 0;
    if (!bytes || !v || !v->through || !v->offset || v->walks < 0 || LLVMGetVolatile(x))
        return;
    const struct local *array = &locals[v->walks];
    LLVMValueRef checked =
        CALL("cpucc.guard.walked", byte_pointer(0), v->offset,
             LLVMBuildSub(ir.builder, LLVMSizeOf(array->type), integer(ir.i64, bytes), ""),
             integer(ir.i64, bytes), as_bytes(pointer), as_bytes(array->is), source_name_of(array));
    copy_place(checked, x);
    LLVMSetOperand(x, address_operand(x), pointer_to(type, checked));
}

void add_walk_step(LLVMValueRef x)
{
    if (LLVMIsAAllocaInst(x)) {
        struct local *l = local_of(value_of(x));
        if (l && l->may_walk && l->walks >= 0)
            l->offset = LLVMBuildAlloca(ir.builder, ir.i64, "");
    } else if (accessed(x)) {
        const struct local *l = variable(accessed(x));
        LLVMValueRef stored = slot_value(local_of(value_of(accessed(x))));
        if (l && l->walks >= 0) {
            if (LLVMIsAStoreInst(x)) {
                LLVMBuildStore(ir.builder, offset_of(LLVMGetOperand(x, 0)), l->offset);
            } else {
                new_value(x)->offset = LLVMBuildLoad2(ir.builder, ir.i64, l->offset, "");
                new_value(x)->through = true;
            }
        } else if (LLVMIsALoadInst(x) && stored && value_of(stored) && value_of(stored)->offset) {
            new_value(x)->offset = value_of(stored)->offset;
        }
    } else if (is_derived(x)) {
        int root = root_of(LLVMGetOperand(x, 0));
        if (root >= 0 && locals[root].walked)
            add_step(x);
    }
}
