/*
 * Part of guard. Adds flags beside local variables and values that may be uninitialised (found by
 * uninitialised.c), and checks of these flags.
 *
 * A variable of a simple type has one flag, an i1. An array or struct has a second variable of the
 * same type as its flags: a byte that was written has all bits set there.
 */
#include "guard.h"

enum {
    DEFINED = 512
}; /* bytes of the largest array or struct that is zeroed, so that no clang exploits undef */

/* A flag, and the variable that it comes from. `is` is NULL if the value is always initialised. */
struct flag {
    LLVMValueRef is;
    const char *variable;
};

static struct local *tracked(const struct value *v)
{
    struct local *l = local_of(v);
    return l && l->tracked ? l : NULL;
}

/* The AND of the flag and that of a value. */
static struct flag with(struct flag f, LLVMValueRef v)
{
    const struct value *known = value_of(v);
    if (!known || !known->flag || known->flag == f.is)
        return f;
    return (struct flag){f.is ? LLVMBuildAnd(ir.builder, f.is, known->flag, "") : known->flag,
                         known->variable};
}

static struct flag flag_of(LLVMValueRef v) { return with((struct flag){NULL, NULL}, v); }

/* The AND of the flags of all operands but the last `without`. */
static struct flag flag_of_operands(LLVMValueRef x, int without)
{
    struct flag f = {NULL, NULL};
    for (int i = 0; i < LLVMGetNumOperands(x) - without; i++)
        f = with(f, LLVMGetOperand(x, (unsigned)i));
    return f;
}

static void set_flag(LLVMValueRef v, struct flag f)
{
    if (f.is && !LLVMIsAConstant(v))
        new_value(v)->flag = f.is, new_value(v)->variable = f.variable;
}

/* Adds a check of the flag, if there is one. `decides` says what the value is used for: 'b' a
 * branch, 'a' an address, else a store of that many bytes at `at`. */
static void check(struct flag f, long decides, LLVMValueRef at, LLVMValueRef x)
{
    if (!f.is)
        return;
    char kind = decides > 16 ? (char)decides : (char)('0' + (decides ? decides : 1));
    LLVMValueRef text = text_constant(format("%c%s", kind, plain_name(f.variable)));
    copy_place(CALL("cpucc.guard.defined", ir.nothing, f.is, text,
                    at ? at : LLVMConstPointerNull(byte_pointer(0))),
               x);
}

void add_flags_before(LLVMValueRef x)
{
    int opcode = opcode_of(x);
    if ((opcode == LLVMBr && LLVMIsConditional(x)) || opcode == LLVMSwitch)
        check(flag_of(LLVMGetOperand(x, 0)), 'b', NULL, x); /* the condition */
    else if (accessed(x))
        check(flag_of(accessed(x)), 'a', NULL, x);
    else if (opcode == LLVMCall && strstr(callee_name(x), "atomic"))
        check(flag_of_operands(x, 1), 4, NULL, x);
}

static void fill(LLVMTypeRef type, LLVMValueRef at, long value)
{
    LLVMBuildMemSet(ir.builder, as_bytes(at), integer(ir.i8, value), LLVMSizeOf(type), 0);
}

static void set_all(const struct local *l, bool value)
{
    if (l->aggregate)
        fill(l->type, l->flags, -value);
    else
        LLVMBuildStore(ir.builder, integer(ir.i1, value), l->flags);
}

/* Adds the flags of a local variable, which x makes. */
static void add_variable(LLVMValueRef x, struct local *l)
{
    l->flags = LLVMBuildAlloca(ir.builder, l->aggregate ? l->type : ir.i1, "");
    if (l->aggregate) {
        LLVMSetAlignment(l->flags, 16);
        new_value(x)->mirror = l->flags;
        if (type_bytes(l->type) <= DEFINED)
            fill(l->type, x, 0);
    } else { /* zeroed, so that the optimiser sees no undefined value */
        LLVMBuildStore(ir.builder, LLVMConstNull(l->type), x);
    }
    set_all(l, false);
}

/* A copy of x, which computes from `base` in place of its operand 0. */
static LLVMValueRef repeat(LLVMValueRef x, LLVMValueRef base)
{
    LLVMValueRef copy = LLVMInstructionClone(x);
    LLVMInsertIntoBuilder(ir.builder, copy);
    LLVMInstructionSetDebugLoc(copy, NULL);
    LLVMSetOperand(copy, 0, base);
    return copy;
}

/* Repeats an address computation into a local, x or what replaces it, on the local's flags. */
static void add_mirror(LLVMValueRef x, LLVMValueRef by)
{
    struct value *v = value_of(x);
    const struct local *l = tracked(v);
    const struct value *base = into_local(LLVMGetOperand(x, 0));
    if (l && l->aggregate && base && base->local == v->local && base->mirror)
        v->mirror = repeat(by, base->mirror);
}

/* A load of the flags of a value of that type, or a store of `value` there. */
static LLVMValueRef access_flags(LLVMTypeRef type, LLVMValueRef mirror, LLVMValueRef value)
{
    LLVMValueRef at = pointer_to(type, mirror), x = value
                                                        ? LLVMBuildStore(ir.builder, value, at)
                                                        : LLVMBuildLoad2(ir.builder, type, at, "");
    LLVMSetAlignment(x, 1);
    return x;
}

/* The integer that has the flags of a value of that type. */
static LLVMTypeRef flags_type(LLVMTypeRef type)
{
    return LLVMIntTypeInContext(ir.context, (unsigned)(8 * type_bytes(type)));
}

/* Sets the flags for a store of `what` at v, in the local l. */
static void set_one(const struct value *v, const struct local *l, LLVMValueRef what)
{
    struct flag f = flag_of(what);
    LLVMTypeRef type = LLVMTypeOf(what), bits;
    const struct value *copied = value_of(what);
    if (!l->aggregate) {
        LLVMBuildStore(ir.builder, f.is ? f.is : integer(ir.i1, true), l->flags);
    } else if (!v->mirror) {
        return;
    } else if (!is_compound(type)) {
        bits = flags_type(type);
        access_flags(bits, v->mirror,
                     f.is ? LLVMBuildSExt(ir.builder, f.is, bits, "") : integer(bits, -1));
    } else if (copied && copied->copy) {
        access_flags(type, v->mirror, copied->copy);
    } else {
        fill(type, v->mirror, -1);
    }
}

static LLVMValueRef all_set(LLVMValueRef bits)
{
    return LLVMBuildICmp(ir.builder, LLVMIntEQ, bits, integer(LLVMTypeOf(bits), -1), "");
}

/* Gives x, which was loaded from v in the local l, its flag or its copy of the flags. */
static void load_flag(LLVMValueRef x, const struct value *v, const struct local *l)
{
    LLVMTypeRef type = LLVMTypeOf(x);
    if (!l->aggregate) {
        set_flag(x, (struct flag){LLVMBuildLoad2(ir.builder, ir.i1, l->flags, ""), l->from});
    } else if (!v->mirror) {
        return;
    } else if (is_compound(type)) {
        new_value(x)->copy = access_flags(type, v->mirror, NULL);
        new_value(x)->variable = l->from;
    } else {
        LLVMValueRef bits = access_flags(flags_type(type), v->mirror, NULL);
        set_flag(x, (struct flag){all_set(bits), l->from});
    }
}

/* Gives a struct's member (extractvalue) its flags; false if there are none. */
static bool add_member(LLVMValueRef x)
{
    const struct value *whole = value_of(LLVMGetOperand(x, 0));
    if (!whole || !whole->copy || !type_bytes(LLVMTypeOf(x)))
        return false;
    LLVMTypeRef bits = flags_type(LLVMTypeOf(x));
    LLVMValueRef member = repeat(x, whole->copy);
    if (is_compound(LLVMTypeOf(x))) {
        new_value(x)->copy = member;
        return true;
    }
    member = LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMPointerTypeKind
                 ? LLVMBuildPtrToInt(ir.builder, member, bits, "")
                 : LLVMBuildBitCast(ir.builder, member, bits, "");
    set_flag(x, (struct flag){all_set(member), whole->variable});
    return true;
}

/* Gives a select's result its flag. */
static void add_choice(LLVMValueRef x)
{
    struct flag condition = flag_of(LLVMGetOperand(x, 0)), yes = flag_of(LLVMGetOperand(x, 1)),
                no = flag_of(LLVMGetOperand(x, 2)), f = condition;
    if (no.is || yes.is) {
        f.variable = no.is ? no.variable : yes.variable;
        f.is = LLVMBuildSelect(ir.builder, LLVMGetOperand(x, 0),
                               yes.is ? yes.is : integer(ir.i1, true),
                               no.is ? no.is : integer(ir.i1, true), "");
        if (condition.is)
            f.is = LLVMBuildAnd(ir.builder, condition.is, f.is, "");
    }
    set_flag(x, f);
}

static void add_phi(LLVMValueRef x)
{
    const char *variable = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(x); i++)
        if (flag_of(LLVMGetIncomingValue(x, i)).is)
            variable = flag_of(LLVMGetIncomingValue(x, i)).variable;
    if (!variable)
        return;
    LLVMValueRef phi = LLVMBuildPhi(ir.builder, ir.i1, "");
    for (unsigned i = 0; i < LLVMCountIncoming(x); i++) {
        LLVMValueRef flag = flag_of(LLVMGetIncomingValue(x, i)).is;
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(x, i);
        LLVMAddIncoming(phi, (LLVMValueRef[]){flag ? flag : integer(ir.i1, true)}, &from, 1);
    }
    set_flag(x, (struct flag){phi, variable});
}

/* Sets the flags of what a memcpy or memset writes. */
static void add_copy(LLVMValueRef x, bool copy)
{
    LLVMValueRef to = LLVMGetOperand(x, 0), bytes = LLVMGetOperand(x, 2);
    const struct value *v = into_local(to), *from = copy ? into_local(LLVMGetOperand(x, 1)) : NULL;
    const struct local *l = tracked(v);
    if (!tracked(from) || !from->mirror)
        from = NULL;
    if (!v && from && !space_of(to))
        copy_place(CALL("cpucc_guard_copied", ir.nothing,
                        LLVMBuildPtrToInt(ir.builder, to, ir.i64, ""), as_bytes(from->mirror),
                        bytes),
                   x);
    if (!l)
        return;
    if (!l->aggregate || !v->mirror)
        set_all(l, true);
    else if (from)
        LLVMBuildMemCpy(ir.builder, v->mirror, 0, from->mirror, 0, bytes);
    else
        LLVMBuildMemSet(ir.builder, v->mirror, integer(ir.i8, -1), bytes, 0);
}

static void add_store(LLVMValueRef x)
{
    LLVMValueRef what = LLVMGetOperand(x, 0), to = LLVMGetOperand(x, 1);
    const struct value *v = into_local(to);
    if (v && tracked(v))
        set_one(v, tracked(v), what);
    else if (!v && flag_of(what).is) /* the run time marks the stored bytes as uninitialised */
        check(flag_of(what), type_bytes(LLVMTypeOf(what)),
              LLVMIsAConstant(to) ? NULL : as_bytes(to), x);
}

static void add_load(LLVMValueRef x)
{
    const struct value *v = into_local(LLVMGetOperand(x, 0));
    LLVMValueRef stored = slot_value(local_of(v));
    if (stored) {
        const struct value *known = into_local(stored);
        if (known)
            new_value(x)->mirror = known->mirror, new_value(x)->count = known->count;
    } else if (tracked(v)) {
        load_flag(x, v, tracked(v));
    }
}

void add_flags_after(LLVMValueRef x, LLVMValueRef by)
{
    int opcode = opcode_of(x);
    bool copy;
    if (opcode == LLVMAlloca) {
        if (tracked(value_of(x)))
            add_variable(x, tracked(value_of(x)));
    } else if (opcode == LLVMStore) {
        add_store(x);
    } else if (opcode == LLVMLoad) {
        add_load(x);
    } else if (opcode == LLVMPHI) {
        add_phi(x);
    } else if (opcode == LLVMSelect) {
        add_choice(x);
    } else if (opcode == LLVMCall) {
        if (starts_with(callee_name(x), "llvm.lifetime.start")) {
            const struct local *l = tracked(into_local(LLVMGetOperand(x, argument_count(x) - 1)));
            if (l)
                set_all(l, false);
        } else if (is_copy_or_fill(x, &copy)) {
            add_copy(x, copy);
        } else if (LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMVoidTypeKind && only_computes(x)) {
            set_flag(x, flag_of_operands(x, 1));
        }
    } else if (opcode != LLVMInvoke && opcode != LLVMAtomicRMW && opcode != LLVMAtomicCmpXchg &&
               LLVMGetTypeKind(LLVMTypeOf(x)) != LLVMVoidTypeKind) {
        if (opcode == LLVMGetElementPtr || opcode == LLVMBitCast)
            add_mirror(x, by);
        if (opcode != LLVMExtractValue || !add_member(x))
            set_flag(x, flag_of_operands(x, 0));
    }
}
