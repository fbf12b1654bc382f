/*
 * Part of guard. Finds local variables that may be read before they are written; flags.c adds the
 * checks.
 *
 * Copying an uninitialised value is harmless: a shuffle, for example, may hand it to lanes that do
 * not use it. It is a fault if the value decides a branch, an address, or what is stored. So a
 * variable that the control flow may read before it writes it gets a flag, which each write sets.
 * Each value computed from the variable gets a flag too, the AND of its operands' flags, and so
 * does each variable that such a value is stored to. If a value decides something, its flag is
 * checked.
 *
 * A variable is not followed if its address escapes, to a function that is not inlined or into a
 * pointer variable that is stored to more than once.
 */
#include <limits.h>
#include "guard.h"

/* ---- where the addresses of locals go ---- */

static bool is_pointer(const struct local *l)
{
    return LLVMGetTypeKind(l->type) == LLVMPointerTypeKind;
}

static bool of_lifetimes(LLVMValueRef x) { return starts_with(callee_name(x), "llvm.lifetime."); }

/* Notes the local that the result of a cast, a getelementptr or a load of a slot points into. */
static void derive(LLVMValueRef x)
{
    int opcode = opcode_of(x);
    if (opcode != LLVMBitCast && opcode != LLVMGetElementPtr && opcode != LLVMLoad)
        return;
    const struct value *from = into_local(LLVMGetOperand(x, 0));
    if (opcode == LLVMLoad)
        from = slot_value(local_of(from)) ? into_local(slot_value(local_of(from))) : NULL;
    if (!from)
        return;
    struct value *v = new_value(x);
    v->local = from->local;
    if (opcode == LLVMGetElementPtr) {
        v->element = element_type(x);
        v->cast = from->cast || !v->element;
        return;
    }
    v->whole = from->whole;
    v->cast = opcode == LLVMBitCast || from->cast;
    if (opcode == LLVMLoad)
        v->element = from->element;
}

/* True if guard can follow the use of the pointer v as operand number k of x. */
static bool followed(LLVMValueRef x, unsigned k, const struct value *v)
{
    bool load = LLVMIsALoadInst(x), copy;
    if (load || LLVMIsAStoreInst(x)) {
        const struct local *to = local_of(value_of(LLVMGetOperand(x, 1 - load)));
        if (!load && k == 0)
            return to && to->slot && value_of(LLVMGetOperand(x, 1)) != v;
        LLVMTypeRef type = accessed_type(x);
        return is_plain(x) && type_bytes(type) > 0 && (locals[v->local].aggregate || !v->cast) &&
               !(load && starts_with(name_of(x), "bf.")); /* a bit-field */
    }
    return opcode_of(x) == LLVMGetElementPtr || opcode_of(x) == LLVMBitCast || of_lifetimes(x) ||
           is_copy_or_fill(x, &copy);
}

static void look_at_uses(LLVMValueRef x)
{
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(x); k++) {
        const struct value *v = into_local(LLVMGetOperand(x, k));
        if (v && !followed(x, k, v))
            locals[v->local].escapes = true;
    }
}

/* ---- which locals may be read before they are written ---- */

/* Updates `written` (a byte per local) for one block. If `note`, sets `tracked` of locals that are
 * read before they are written. */
static void follow(LLVMBasicBlockRef b, char *written, bool note)
{
    EACH_INSTRUCTION(x, b) {
        const struct value *to = NULL, *from = NULL;
        long bytes = 0;
        bool copy;
        if (LLVMIsALoadInst(x)) {
            from = into_local(LLVMGetOperand(x, 0));
        } else if (LLVMIsAStoreInst(x)) {
            to = into_local(LLVMGetOperand(x, 1));
            bytes = type_bytes(LLVMTypeOf(LLVMGetOperand(x, 0)));
        } else if (starts_with(callee_name(x), "llvm.lifetime.start")) {
            const struct value *v = into_local(LLVMGetOperand(x, argument_count(x) - 1));
            if (v)
                written[v->local] = 0;
        } else if (is_copy_or_fill(x, &copy)) {
            from = copy ? into_local(LLVMGetOperand(x, 1)) : NULL;
            to = into_local(LLVMGetOperand(x, 0));
            bytes = constant_or_0(LLVMGetOperand(x, 2));
        }
        if (from && note && !written[from->local])
            locals[from->local].tracked = true;
        if (to && to->whole && bytes >= type_bytes(locals[to->local].type))
            written[to->local] = 1;
    }
}

/* Sets `tracked` of each local that some path reads before it is written. */
static void flow(LLVMValueRef function)
{
    size_t n = (size_t)local_count, blocks = LLVMCountBasicBlocks(function);
    char *in = allocate(NULL, n * blocks), *now = allocate(NULL, n);
    struct map begins = {0}; /* for each block its part of `in` */
    size_t number = 0;
    memset(in, 1, n * blocks);
    memset(in, 0, n);
    EACH_BLOCK(b, function)
        *map_at(&begins, b) = (long)(in + n * number++);
    for (bool changed = true; changed;) {
        changed = false;
        EACH_BLOCK(b, function) {
            LLVMValueRef last = LLVMGetBasicBlockTerminator(b);
            memcpy(now, (char *)map_get(&begins, b), n);
            follow(b, now, false);
            for (unsigned k = 0; k < LLVMGetNumSuccessors(last); k++) {
                char *to = (char *)map_get(&begins, LLVMGetSuccessor(last, k));
                for (size_t i = 0; i < n; i++)
                    if (to[i] && !now[i])
                        to[i] = 0, changed = true;
            }
        }
    }
    for (int i = 0; i < local_count; i++)
        locals[i].tracked = false;
    EACH_BLOCK(b, function)
        follow(b, (char *)map_get(&begins, b), true);
    free(begins.entries);
    free(in);
    free(now);
}

/* ---- pointers that are only another name for a local variable ---- */

/* Notes stores to pointer variables by x, and uses that are neither stores nor loads. */
static void look_at_pointer(LLVMValueRef x)
{
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(x); k++) {
        struct local *l = local_of(value_of(LLVMGetOperand(x, k)));
        if (!l || l->aggregate)
            continue;
        bool load = LLVMIsALoadInst(x), store = LLVMIsAStoreInst(x) && k == 1,
             address = (load || store) && !LLVMGetVolatile(x);
        if (address && store)
            l->stores++, l->store = x;
        else if (opcode_of(x) == LLVMBitCast)
            new_value(x)->local = (int)(l - locals);
        else if (!address && !of_lifetimes(x))
            l->stores = INT_MIN / 2;
    }
}

/* Sets `slot` of each pointer variable that is stored to by one instruction, before every load of it. */
static void find_slots(LLVMValueRef function)
{
    bool any = false;
    EACH_INSTRUCTION_IN(x, function)
        if (!LLVMIsAAllocaInst(x))
            look_at_pointer(x);
    for (struct local *l = locals; l < locals + local_count; l++) {
        l->slot = !l->parameter && !l->escapes && is_pointer(l) && l->stores == 1 &&
                  !LLVMIsAConstant(LLVMGetOperand(l->store, 0));
        any |= l->slot;
    }
    if (!any)
        return;
    flow(function);
    for (int i = 0; i < local_count; i++)
        locals[i].slot &= !locals[i].tracked;
}

/* ---- variables that get a value that may be uninitialised ---- */

/* The variable that makes the value uninitialised, or NULL. */
static const char *tainted(LLVMValueRef v)
{
    const struct value *known = value_of(v);
    return known ? known->tainted : NULL;
}

static bool may_have_flags(const struct local *l)
{
    return !l->escapes && !l->parameter && !l->slot &&
           !(l->aggregate && type_bytes(l->type) > LARGEST);
}

/* Tracks a local that gets a value of the variable `from`; true if it was not tracked before. */
static bool track(struct local *l, const char *from)
{
    if (!l || l->tracked || !may_have_flags(l) || !from)
        return false;
    l->from = from;
    return l->tracked = true;
}

/* Propagates uninitialised values through one instruction; true if that changed something. */
static bool spread(LLVMValueRef x)
{
    bool copy;
    if (LLVMIsAStoreInst(x))
        return track(local_of(value_of(LLVMGetOperand(x, 1))), tainted(LLVMGetOperand(x, 0)));
    if (is_copy_or_fill(x, &copy)) {
        const struct local *from = copy ? local_of(value_of(LLVMGetOperand(x, 1))) : NULL;
        return from && from->tracked && track(local_of(value_of(LLVMGetOperand(x, 0))), from->from);
    }
    const struct value *v = value_of(x);
    const char *from = NULL;
    if (LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMVoidTypeKind || (v && (v->tainted || v->local >= 0)))
        return false;
    if (LLVMIsALoadInst(x)) {
        const struct local *l = local_of(value_of(LLVMGetOperand(x, 0)));
        from = l && l->tracked ? l->from : NULL;
    } else if (!LLVMIsACallInst(x) || only_computes(x)) {
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(x) && !from; k++)
            from = tainted(LLVMGetOperand(x, k));
    }
    return from && (new_value(x)->tainted = from);
}

void find_uninitialised(LLVMValueRef function)
{
    EACH_INSTRUCTION_IN(x, function)
        if (LLVMIsAAllocaInst(x)) {
            add_local(x, LLVMGetAllocatedType(x));
            new_value(x)->whole = true;
            locals[local_count - 1].escapes = constant_or_0(LLVMGetOperand(x, 0)) != 1;
        }
    if (!local_count)
        return;
    find_slots(function);
    EACH_INSTRUCTION_IN(x, function) {
        derive(x);
        look_at_uses(x);
    }
    flow(function);
    bool any = false;
    for (struct local *l = locals; l < locals + local_count; l++) {
        l->from = name_of(l->is);
        any |= l->tracked = l->tracked && may_have_flags(l);
    }
    for (bool changed = any; changed;) {
        changed = false;
        EACH_INSTRUCTION_IN(x, function)
            changed |= spread(x);
    }
}
