/* Part of guard. Keeps facts about a function's values, sizes types, and adds calls and constants. */
#include "guard.h"

/* ---- values ---- */

struct local *locals;
int local_count;
static struct map values; /* of a value: its struct value */

void forget_values(void)
{
    local_count = 0;
    clear_map(&values);
}

struct value *value_of(LLVMValueRef v) { return (struct value *)map_get(&values, v); }

struct value *new_value(LLVMValueRef v)
{
    struct value *known = value_of(v);
    if (!known) {
        known = allocate(NULL, sizeof *known);
        *known = (struct value){.local = -1, .walks = -2};
        *map_at(&values, v) = (long)known;
    }
    return known;
}

struct value *into_local(LLVMValueRef v)
{
    struct value *known = value_of(v);
    return known && known->local >= 0 ? known : NULL;
}

struct local *local_of(const struct value *v)
{
    return v && v->local >= 0 ? &locals[v->local] : NULL;
}

LLVMValueRef slot_value(const struct local *l)
{
    return l && l->slot ? LLVMGetOperand(l->store, 0) : NULL;
}

void add_local(LLVMValueRef is, LLVMTypeRef type)
{
    struct value *v = new_value(is);
    v->local = local_count;
    *APPEND(locals, local_count) =
        (struct local){.is = is, .type = type, .aggregate = is_compound(type)};
    v->element = type;
    v->count = !is_compound(type);
}

/* ---- types ---- */

bool is_compound(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ||
           LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

bool is_packed(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMGetStructName(type) &&
           LLVMIsPackedStruct(type);
}

LLVMTypeRef element_type(LLVMValueRef gep)
{
    LLVMTypeRef type = NULL;
    for (int k = 0; k < LLVMGetNumOperands(gep) - 1; k++)
        index_of(gep, (unsigned)k, &type);
    return type;
}

long type_bytes(LLVMTypeRef type)
{
    long bytes = 0;
    switch (LLVMGetTypeKind(type)) {
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            bytes += type_bytes(LLVMStructGetTypeAtIndex(type, i));
        return bytes;
    case LLVMArrayTypeKind: return LLVMGetArrayLength(type) * type_bytes(LLVMGetElementType(type));
    case LLVMVectorTypeKind: return LLVMGetVectorSize(type) * type_bytes(LLVMGetElementType(type));
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind: return bytes_of(type);
    case LLVMIntegerTypeKind: /* a bit-field's unit may have another width */
        bytes = LLVMGetIntTypeWidth(type);
        return bytes == 1 ? 1 : bytes % 8 || (bytes & (bytes - 1)) ? 0 : bytes / 8;
    default: return 0;
    }
}

/* ---- instructions ---- */

bool is_copy_or_fill(LLVMValueRef x, bool *copy)
{
    const char *name = callee_name(x);
    *copy = starts_with(name, "llvm.memcpy.");
    return *copy || starts_with(name, "llvm.memset.");
}

long constant_or_0(LLVMValueRef v)
{
    long n;
    return constant_integer(v, &n) ? n : 0;
}

char *plain_name(const char *name)
{
    char *plain = format("%s", name);
    for (size_t n = strlen(plain); n > 1; n = strlen(plain)) {
        size_t digits = n;
        while (digits > 1 && strchr("0123456789", plain[digits - 1]))
            digits--;
        if (digits > 2 && !strncmp(plain + digits - 2, ".i", 2))
            plain[digits - 2] = 0;
        else if (n > 5 && !strcmp(plain + n - 5, ".addr"))
            plain[n - 5] = 0;
        else
            break;
    }
    return plain;
}

LLVMValueRef source_name_of(const struct local *l)
{
    return text_constant(plain_name(name_of(l->is)));
}
