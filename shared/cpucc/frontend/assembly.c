/*
 * Part of retarget. Translates inline PTX: an asm statement becomes
 *
 *     operands to an array, cpucc_asm(site, array), results from the array
 *
 * where the array has 8 bytes for each, results first. A result that is also an operand ("+r") begins with its
 * value, others begin with 0. The interpreter is ptx.c. Equal statements have one site. An instruction that the
 * interpreter does not support is refused with the statement's line.
 */
#include "module.h"
#include <ctype.h>
#include "ptx.h"

enum { MOST = 126 }; /* operands and results of a statement */

static struct statement {
    char *text;
    unsigned results;
    bool decides; /* a branch depends on a result */
    LLVMValueRef site;
} * statements;
static int statement_count;

/* Replaces %= (in LLVM ${:uid}, a number that makes labels unique) by 0: here each statement has
 * its own labels. */
static void replace_unique_numbers(char *text)
{
    static const char unique[] = "${:uid}";
    for (char *p = text; (p = strstr(p, unique));) {
        *p++ = '0';
        memmove(p, p + sizeof unique - 2, strlen(p + sizeof unique - 2) + 1);
    }
}

/* The first string literal in *p, without LLVM's escapes (\0A, \22); *p becomes what follows. */
static char *literal(const char **p)
{
    struct text t = {0};
    const char *q = strchr(*p, '"');
    add(&t, "");
    for (q = q ? q + 1 : *p + strlen(*p); *q && *q != '"'; q++) {
        char c = *q;
        if (c == '\\' && q[1] == '\\') {
            q++;
        } else if (c == '\\' && q[1] && q[2]) {
            char hex[3] = {q[1], q[2], 0};
            c = (char)strtol(hex, NULL, 16);
            q += 2;
        }
        add_bytes(&t, &c, 1);
    }
    *p = *q ? q + 1 : q;
    return t.p;
}

/* The run time's cpucc_run_matrix, as i8*. */
static LLVMValueRef matrix_function(void)
{
    const char *name = "cpucc_run_matrix";
    LLVMValueRef f = LLVMGetNamedFunction(ir.module, name);
    if (!f)
        f = LLVMAddFunction(ir.module, name, LLVMFunctionType(ir.nothing, NULL, 0, 0));
    return LLVMConstBitCast(f, byte_pointer(0));
}

/* Refuses a statement that is no PTX, or has an instruction that the interpreter does not support. Returns the
 * function that runs its matrix instructions, or null if it has none. */
static LLVMValueRef check_statement(LLVMValueRef call, const char *text, unsigned outputs)
{
    char why[128];
    LLVMValueRef matrix = null_pointer();
    struct ptx_program *p = ptx_parse(text);
    if (p->wrong[0])
        reject(source_line(call), format("%s", p->wrong));
    for (int i = 0; i < p->count && !p->wrong[0]; i++) {
        if (p->list[i].code >= PTX_MMA && p->list[i].code <= PTX_MOVMATRIX)
            matrix = matrix_function();
        if (ptx_wrong(&p->list[i], (int)outputs, why, sizeof why))
            reject(source_line(call), format("the PTX instruction '%s': %s", p->list[i].name, why));
    }
    ptx_free(p);
    return matrix;
}

/* The site of a statement. A new one is checked. */
static LLVMValueRef site_of(LLVMValueRef call, char *text, unsigned results)
{
    replace_unique_numbers(text);
    bool decides = decides_branch(call, 0);
    for (int k = 0; k < statement_count; k++)
        if (!strcmp(statements[k].text, text) && statements[k].results == results &&
            statements[k].decides == decides) {
            free(text);
            return statements[k].site;
        }
    LLVMValueRef part[4] = {text_constant(text), check_statement(call, text, results),
                            integer(ir.i64, decides), null_pointer()};
    LLVMValueRef fields = LLVMConstStructInContext(ir.context, part, 4, 0);
    LLVMValueRef site = generic(new_global("cpucc.asm.site", fields));
    *APPEND(statements, statement_count) = (struct statement){text, results, decides, site};
    return site;
}

/* The address of element k of an array of operands, as a pointer to the type. */
static LLVMValueRef slot(LLVMValueRef array, unsigned k, LLVMTypeRef type)
{
    LLVMValueRef index[2] = {integer(ir.i64, 0), integer(ir.i64, k)};
    if (k)
        array = LLVMBuildGEP2(ir.builder, LLVMGetAllocatedType(array), array, index, 2, "");
    return pointer_to(type, array);
}

static void store_at(LLVMValueRef array, unsigned k, LLVMValueRef v)
{
    LLVMBuildStore(ir.builder, v, slot(array, k, LLVMTypeOf(v)));
}

void replace_assembly(LLVMValueRef call)
{
    LLVMTypeRef type = LLVMTypeOf(call), result[MOST] = {type};
    bool several = LLVMGetTypeKind(type) == LLVMStructTypeKind;
    unsigned operands = argument_count(call),
             results = several ? LLVMCountStructElementTypes(type) : type != ir.nothing;
    if (operands + results > MOST) {
        reject(source_line(call), format("this asm has too many operands"));
        return;
    }
    /* LLVM 14's API gives an asm statement's text only as a part of the printed value. */
    char *printed = LLVMPrintValueToString(LLVMGetCalledValue(call));
    const char *p = strstr(printed, "asm ");
    char *text = literal(&p), *constraints = literal(&p), *c = constraints;
    LLVMDisposeMessage(printed);
    if (several)
        LLVMGetStructElementTypes(type, result);
    /* One element more: the last operand may have 16 bytes. The interpreter takes 8. */
    LLVMValueRef array = new_local(call, LLVMArrayType(ir.i64, results + operands + 1)), v[MOST];
    build_before(call);
    for (unsigned k = 0; k < results + operands; k++)
        store_at(array, k, integer(ir.i64, 0));
    for (unsigned k = 0; k < results; k++)
        c += strcspn(c, ",") + 1;
    for (unsigned k = 0; k < operands; k++, c += strcspn(c, ",") + 1) {
        v[k] = LLVMGetOperand(call, k);
        store_at(array, results + k, v[k]);
        if (isdigit((unsigned char)*c)) /* of "+r": the result begins with this operand's value */
            store_at(array, (unsigned)atoi(c), v[k]);
    }
    free(constraints);
    CALL("cpucc_asm", ir.nothing, site_of(call, text, results), as_bytes(array));
    for (unsigned k = 0; k < results; k++)
        v[k] = LLVMBuildLoad2(ir.builder, result[k], slot(array, k, result[k]), "");
    LLVMValueRef whole = several ? LLVMGetUndef(type) : v[0];
    for (unsigned k = 0; several && k < results; k++)
        whole = LLVMBuildInsertValue(ir.builder, whole, v[k], k, "");
    if (results)
        LLVMReplaceAllUsesWith(call, whole);
    LLVMInstructionEraseFromParent(call);
}
