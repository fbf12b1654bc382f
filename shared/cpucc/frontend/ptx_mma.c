/*
 * Reads the names of mma instructions and knows the shapes and types that matrix.c supports (PTX
 * ISA, "Matrix multiply-accumulate operation using mma instruction"). The compiler's tools refuse
 * others.
 */
#include <stdio.h>
#include <string.h>
#include "../libraries/matrix.h"

/* The type that stands in known()'s table for the type: operands a and b may mix these two. */
static enum matrix_type signed_type(enum matrix_type t)
{
    return t == M_U8 || t == M_U4 || t == M_E5M2 ? t - 1 : t;
}

static bool known(const struct mma *h)
{
    static const struct {
        enum matrix_type a;
        int m, n, k;
    } shapes[] = {{M_F16, 16, 8, 8},   {M_F16, 16, 8, 16}, {M_BF16, 16, 8, 8}, {M_BF16, 16, 8, 16},
                  {M_TF32, 16, 8, 4},  {M_TF32, 16, 8, 8}, {M_F64, 8, 8, 4},   {M_F64, 16, 8, 4},
                  {M_F64, 16, 8, 8},   {M_F64, 16, 8, 16}, {M_S8, 8, 8, 16},   {M_S8, 16, 8, 16},
                  {M_S8, 16, 8, 32},   {M_S4, 8, 8, 32},   {M_S4, 16, 8, 32},  {M_S4, 16, 8, 64},
                  {M_E4M3, 16, 8, 16}, {M_E4M3, 16, 8, 32}};
    enum matrix_type a = signed_type(h->a), b = signed_type(h->b);
    enum matrix_type d = a == M_S8 || a == M_S4 ? M_S32 : a == M_F64 ? M_F64 : M_F32;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].a == a && a == b && shapes[i].m == h->m && shapes[i].n == h->n &&
            shapes[i].k == h->k)
            return h->d == d || ((a == M_F16 || a == M_E4M3) && h->d == M_F16);
    return false;
}

static enum matrix_type type_named(const char *name)
{
    static const char *const names[] = {"f16", "bf16", "tf32", "f32", "f64",  "s8",
                                        "u8",  "s32",  "s4",   "u4",  "e4m3", "e5m2"};
    for (int i = 0; i < M_NONE; i++)
        if (!strcmp(name, names[i]))
            return (enum matrix_type)i;
    return M_NONE;
}

/* Reads the name behind mma.sync.aligned, ".m16n8k16.row.col.f32.f16.f16.f32"; false if
 * unsupported. */
bool cpucc_mma_parse(const char *modifiers, struct mma *how)
{
    char copy[128], *types[8] = {0};
    int n = 0;
    *how = (struct mma){0};
    if (sscanf(modifiers, ".m%dn%dk%d", &how->m, &how->n, &how->k) != 3 ||
        !strstr(modifiers, ".row.col."))
        return false;
    how->saturate = strstr(modifiers, ".satfinite") != NULL;
    snprintf(copy, sizeof copy, "%s", strstr(modifiers, ".row.col.") + strlen(".row.col."));
    for (char *p = strtok(copy, "."); p && n < 8; p = strtok(NULL, "."))
        if (strcmp(p, "satfinite"))
            types[n++] = p;
    if (n != 4)
        return false;
    how->d = type_named(types[0]), how->a = type_named(types[1]), how->b = type_named(types[2]);
    return how->d == type_named(types[3]) && known(how);
}
