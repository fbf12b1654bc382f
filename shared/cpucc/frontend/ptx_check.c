/*
 * Checks the instructions of an asm statement: the words of their names, and the number and kind of
 * their operands (PTX ISA, chapter "Instruction Set"). The parser and the interpreter trust them.
 */
#include <stdio.h>
#include <string.h>
#include "../libraries/matrix.h"
#include "ptx.h"

#define TYPES                                                                                      \
    " pred b8 b16 b32 b64 b128 u8 u16 u32 u64 s8 s16 s32 s64 f16 f16x2 bf16 bf16x2 tf32 f32 f64 "
#define PLACES " global local const shared shared::cta shared::cluster generic "
#define CACHES                                                                                     \
    " L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate "        \
    "L2::evict_normal L2::evict_unchanged L2::evict_first L2::evict_last L2::64B L2::128B "        \
    "L2::256B L2::cache_hint "
#define ORDERS " weak volatile relaxed acquire release acq_rel sc mmio cta cluster gpu sys gl "

/* The words that the names of a function's instructions may have behind the opcode; NULL: any. */
static const char arithmetic[] = TYPES PLACES
    " rn rz rm rp rna rni rzi rmi rpi sat satfinite ftz approx full relu hi lo wide clamp wrap NaN "
    "xorsign abs and or xor eq ne lt le gt ge lo ls hs equ neu ltu leu gtu geu num nan to noftz ";
static const char memory[] =
    TYPES PLACES CACHES ORDERS " nc ca cg cs cv lu wb wt unified v2 v4 v8 add min max and or xor "
                               "exch cas inc dec noftz L1 L2 ";
static const char together[] = TYPES PLACES ORDERS
    " sync aligned popc and or xor add min max abs NaN proxy async alias unified ";
static const char matrix[] = " m8n8 x1 x2 x4 trans shared shared::cta b16 ";
static const char copies[] =
    TYPES PLACES CACHES ORDERS " noinc noComplete mbarrier::complete_tx::bytes bulk_group "
                               "multicast::cluster 1d 2d 3d 4d 5d tile "
                               "parity read fractional range add min max inc dec and or xor noftz ";
static const char *const nothing = NULL;

/* Returns what the interpreter lacks for the instruction, or NULL. */
static const char *unsupported(const struct ptx_instruction *n)
{
    enum { FLOATS = 5 }; /* the first 5 of the list are allowed if the form has an h */
    static const char *const refused[] = {".f16",    ".f16x2", ".bf16",       ".bf16x2", ".tf32",
                                          ".s16x2",  ".u16x2", ".e4m3x2",     ".e5m2x2", ".b128",
                                          ".im2col", ".cc",    ".noComplete", ".param",  ".const",
                                          ".remote", NULL};
    struct mma how;
    for (int i = strchr(n->form, 'h') ? FLOATS : 0; refused[i]; i++)
        if (ptx_has(n->modifiers, refused[i]))
            return refused[i];
    if (n->code == PTX_BAR_RED &&
        (n->operands != 3 || n->operand[1].kind != PTX_NUMBER || n->operand[1].value))
        return "of a barrier other than 0, or with a count of threads";
    if (n->code == PTX_SETP && n->types && strchr("he", n->type[0].kind) && n->type[0].bits == 32)
        return "of pairs";
    if (n->code == PTX_MMA &&
        (!cpucc_mma_parse(n->modifiers, &how) || n->results != cpucc_mma_registers(&how, 'd') ||
         n->operands !=
             cpucc_mma_registers(&how, 'a') + cpucc_mma_registers(&how, 'b') + 2 * n->results))
        return "of this shape and these operands";
    if ((n->code == PTX_LDMATRIX || n->code == PTX_STMATRIX) &&
        (!ptx_has(n->modifiers, ".m8n8") || !ptx_has(n->modifiers, ".b16")))
        return "of other elements than m8n8 .b16";
    return NULL;
}

/* Returns the first word of the name that its function does not know, or NULL. */
static const char *bad_word(const struct ptx_instruction *n, char *word, size_t capacity)
{
    static const char *const known[PTX_CODES] = {
#define X(code, names, who, ...) who,
        PTX_OPCODES(X)
#undef X
    };
    const char *words = known[n->code];
    char wanted[80];
    for (const char *p = n->modifiers; n->code != PTX_MMA && words && *p;) {
        size_t length = strcspn(p + (*p == '.'), ".");
        snprintf(word, capacity, "%.*s", (int)length, p + (*p == '.'));
        snprintf(wanted, sizeof wanted, " %.70s ", word);
        if (!length || !strstr(words, wanted))
            return word;
        p += length + (*p == '.');
    }
    return NULL;
}

static bool needs_type(const struct ptx_instruction *n)
{
    return n->code <= PTX_RED && n->code != PTX_ISSPACEP;
}

bool ptx_wrong(const struct ptx_instruction *n, int outputs, char *why, size_t capacity)
{
    const char *lacks = unsupported(n);
    bool any = strchr(n->form, '~'), has_address = false;
    int given = n->operands + n->has_second;
    char word[64];
    if (lacks)
        return snprintf(why, capacity, "%s is not supported", lacks), true;
    if (bad_word(n, word, sizeof word))
        return snprintf(why, capacity, "there is no '.%s' for this instruction", word), true;
    if (n->has_second && !strpbrk(n->form, "|&"))
        return snprintf(why, capacity, "it has no second result"), true;
    if (!any && (given < n->least || given > n->most))
        return snprintf(why, capacity, "it has %d operands instead of %d", given,
                        given < n->least ? n->least : n->most),
               true;
    if (needs_type(n) && n->types < (n->code == PTX_CVT ? 2 : 1))
        return snprintf(why, capacity, "its name lacks a type"), true;
    for (int k = -1; k < n->operands; k++) {
        const struct ptx_operand *o = k < 0 ? &n->second : &n->operand[k];
        has_address |= o->address;
        if (k < n->results && (o->kind == PTX_NUMBER || o->kind == PTX_SPECIAL))
            return snprintf(why, capacity, "it writes to a number or a special register"), true;
        if (k < n->results && o->kind == PTX_ARGUMENT && o->index >= outputs)
            return snprintf(why, capacity, "it writes to operand %%%d, which is an input",
                            o->index),
                   true;
    }
    if (!any && n->takes_address != has_address)
        return snprintf(why, capacity, "%s",
                        n->takes_address ? "it lacks an address [...]"
                                         : "it takes no address [...]"),
               true;
    return false;
}
