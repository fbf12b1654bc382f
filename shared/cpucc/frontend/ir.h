/*
 * Helpers over LLVM's C API for the front end's tools. They hold for typed pointers (LLVM 14) and
 * opaque ones. All work on the module that open_module was given. Texts and arrays are not freed,
 * since a process compiles one module.
 */
#ifndef CPUCC_IR_H
#define CPUCC_IR_H

#include "llvm.h"
#include "text_buffer.h"

extern struct ir {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMTargetDataRef layout;
    LLVMTypeRef i1, i8, i16, i32, i64, nothing;
} ir;

void open_module(LLVMModuleRef m); /* called once, before all other functions */

/* ---- walking; the body may erase the function, block or instruction it is given ---- */

#define EACH_GLOBAL(g)                                                                             \
    for (LLVMValueRef g = LLVMGetFirstGlobal(ir.module), g##_next;                                 \
         g && (g##_next = LLVMGetNextGlobal(g), true); g = g##_next)
#define EACH_FUNCTION(f)                                                                           \
    for (LLVMValueRef f = LLVMGetFirstFunction(ir.module), f##_next;                               \
         f && (f##_next = LLVMGetNextFunction(f), true); f = f##_next)
#define EACH_BLOCK(b, f)                                                                           \
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f), b##_next;                                \
         b && (b##_next = LLVMGetNextBasicBlock(b), true); b = b##_next)
#define EACH_INSTRUCTION(i, b)                                                                     \
    for (LLVMValueRef i = LLVMGetFirstInstruction(b), i##_next;                                    \
         i && (i##_next = LLVMGetNextInstruction(i), true); i = i##_next)
#define EACH_INSTRUCTION_IN(i, f) /* of all blocks of a function */                                \
    EACH_BLOCK(i##_block, f)                                                                       \
        EACH_INSTRUCTION(i, i##_block)
#define EACH_USE(u, v)                                                                             \
    for (LLVMUseRef u = LLVMGetFirstUse(v), u##_next; u && (u##_next = LLVMGetNextUse(u), true);   \
         u = u##_next)

LLVMValueRef function_of(LLVMValueRef instruction);
LLVMValueRef first_after_phis(LLVMBasicBlockRef b);
unsigned predecessor_count(LLVMBasicBlockRef b); /* counts a predecessor once per edge */
enum { PTX_KERNEL = 71 }; /* the calling convention of kernels since LLVM 20 */
bool is_kernel(LLVMValueRef function);
/* True if a load or store is neither volatile nor atomic. */
bool is_plain(LLVMValueRef access);
/* The pointer that a load or store accesses; NULL for other instructions. */
LLVMValueRef accessed(LLVMValueRef instruction);
/* The operand that is the address of a load, store or atomic; the type of what it accesses. */
unsigned address_operand(LLVMValueRef access);
LLVMTypeRef accessed_type(LLVMValueRef access);
bool is_scalar(LLVMTypeRef type); /* true for a number or a pointer */

/* ---- values ---- */

const char *name_of(LLVMValueRef v); /* without % or @; "" for NULL and for values without one */
void set_name(LLVMValueRef v, const char *name);
/* The opcode of an instruction or a constant expression; 0 for other values and NULL. */
int opcode_of(LLVMValueRef v);
LLVMValueRef global_in(LLVMValueRef constant); /* the global that a constant points into, or NULL */
/* The name of the function that an instruction calls; "" if it is no call or the callee has no name. */
const char *callee_name(LLVMValueRef instruction);
bool is_call_of(LLVMValueRef instruction, const char *name);
/* True if an instruction calls a function whose name begins with one of the prefixes, which blanks separate. */
bool calls_one_of(LLVMValueRef instruction, const char *prefixes);
/* True if a comparison, and so a branch or a select, or a compare-and-swap depends on the value; depth: 0. */
bool decides_branch(LLVMValueRef value, int depth);
/* Arguments of a call; they do not count the callee or bundles. */
unsigned argument_count(LLVMValueRef call);
/* True if v is an integer constant of up to 64 bits; *n is its value, sign-extended. */
bool constant_integer(LLVMValueRef v, long *n);
/* True if the function or call has the attribute at the index (ON_FUNCTION, 1 for the
 * first parameter); *n becomes the attribute's number. */
bool has_attribute(LLVMValueRef function, LLVMAttributeIndex index, const char *name, long *n);
#define ON_FUNCTION ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)
unsigned attribute_kind(const char *name);
/* The type of the struct that parameter or argument k, from 0, passes by value; NULL if it is none. */
LLVMTypeRef by_value_type(LLVMValueRef of, unsigned k);
/* The attribute of a function or call at the index, or NULL. */
LLVMAttributeRef attribute_at(LLVMValueRef of, LLVMAttributeIndex index, const char *name);
/* The value of a function's attribute that is a text, or NULL; gives it one, or takes it away for NULL. */
const char *text_attribute(LLVMValueRef function, const char *name);
void set_text_attribute(LLVMValueRef function, const char *name, const char *value);
/* Gives the function an attribute without a number, or takes it away. */
void set_attribute(LLVMValueRef function, const char *name, bool on);

/* The number of lines that LLVM prints for the function's body. */
int printed_lines(LLVMValueRef function);

/* ---- addresses ---- */

enum {
    SPACE_GLOBAL = 1,
    SPACE_SHARED = 3,
    SPACE_CONSTANT = 4,
    SPACE_LOCAL = 5,
    SPACE_KEPT_CONSTANT = 6              /* of __constant__ behind guard.c */
};                                       /* the GPU's address spaces */
unsigned space_of(LLVMValueRef pointer); /* its address space */
long bytes_of(LLVMTypeRef type);         /* what an array's element takes */

/* What one index of a getelementptr adds to the address: of * stride + offset bytes. `of` is NULL if
 * the index is a constant. */
struct index {
    LLVMValueRef of;
    long stride, offset;
};
/* The part that index number k (0 for the first) of a getelementptr, or of such a constant
 * expression, adds. *type is the type it steps through: NULL before the first call. */
struct index index_of(LLVMValueRef gep, unsigned k, LLVMTypeRef *type);
/* True for a getelementptr or a cast of a pointer, also between address spaces, instruction or constant. */
bool is_derived(LLVMValueRef v);
/* The pointer that remains without casts (also between address spaces) and constant offsets, whose
 * sum is added to *offset. */
LLVMValueRef strip_offsets(LLVMValueRef pointer, long *offset);
/* The variable that a pointer is derived from by casts and any offsets, or another value. */
LLVMValueRef base_of(LLVMValueRef pointer);

/* ---- building ---- */

LLVMValueRef integer(LLVMTypeRef type, long n);
/* A new local variable in the entry of the instruction's function. Code that follows goes behind it. */
LLVMValueRef new_local(LLVMValueRef instruction, LLVMTypeRef type);
LLVMTypeRef byte_pointer(unsigned space);  /* i8*, or ptr */
LLVMValueRef generic(LLVMValueRef global); /* a global's address, as i8* of address space 0 */
/* A new internal variable with the value. */
LLVMValueRef new_global(const char *name, LLVMValueRef value);
/* The address of a new constant, the text with a final 0, as i8*. */
LLVMValueRef text_constant(const char *text);
/* Code that follows goes before the instruction and has its line. */
void build_before(LLVMValueRef instruction);
/* Code that follows goes before the instruction and has no line of its own. */
void build_unplaced(LLVMValueRef instruction);
/* Gives it the other's line, and SPECULATED if the other has that. */
void copy_place(LLVMValueRef to, LLVMValueRef from);
LLVMValueRef as_bytes(LLVMValueRef pointer);                  /* as i8* of the same address space */
LLVMValueRef add_bytes_to(LLVMValueRef pointer, long offset); /* the same, so many bytes on */
/* The pointer, as a pointer to the type, in the same address space. */
LLVMValueRef pointer_to(LLVMTypeRef type, LLVMValueRef pointer);
/* Calls the function of that name. Declares it with the arguments' types if the module has none. */
LLVMValueRef call_named(const char *name, LLVMTypeRef result, LLVMValueRef *argument,
                        unsigned count);
#define CALL(name, result, ...)                                                                    \
    call_named(name, result, (LLVMValueRef[]){__VA_ARGS__},                                        \
               sizeof((LLVMValueRef[]){__VA_ARGS__}) / sizeof(LLVMValueRef))
/* Replaces all uses of the instruction and erases it. */
void replace_by(LLVMValueRef instruction, LLVMValueRef by);
/* Replaces the variable by one that may be in another address space, and that gets its name. */
void replace_global(LLVMValueRef global, LLVMValueRef by);

/* ---- metadata ---- */

unsigned metadata_kind(const char *name);
LLVMMetadataRef metadata_of(LLVMValueRef instruction, const char *kind); /* or NULL */
unsigned operand_count(LLVMMetadataRef node);
LLVMMetadataRef operand_of(LLVMMetadataRef node, unsigned k); /* NULL if it is null */
/* The text of a metadata string, which LLVM ends with 0; "" for NULL and other metadata. */
const char *string_of(LLVMMetadataRef m);
/* The path of the file of a scope, such as a subprogram; "" if it has none. */
const char *file_of(LLVMMetadataRef scope);
/* The kind that marks loads of check_speculated. */
#define SPECULATED "cpucc.speculated"
/* Gives the instruction metadata of the kind: a node of these parts. */
void set_node(LLVMValueRef instruction, const char *kind, LLVMMetadataRef *part, unsigned count);

/* ---- numbers of values, blocks and metadata (map.c) ---- */

struct map {
    struct entry {
        const void *key;
        long value;
    } * entries;
    size_t capacity, count;
};
long *map_at(struct map *m, const void *key);       /* the key's number, which is 0 at first */
long map_get(const struct map *m, const void *key); /* the same, but adds no key */
void clear_map(struct map *m);
/* Adds to the map the function's instructions that compute from an instruction for which `begins` holds, by way of
 * instructions for which `ends` does not hold; with the number 1. */
void add_dependents(struct map *m, LLVMValueRef function, bool (*begins)(LLVMValueRef),
                    bool (*ends)(LLVMValueRef));

/* ---- merge_split.c ---- */
/* The alignment in bytes, up to 16, that both sides of LLVM's memcpy or memmove have, or memset's side. */
long copy_alignment(LLVMValueRef call);

/* ---- kernels.c ---- */
bool is_caller(LLVMValueRef f); /* true if retarget has made the function, to call a kernel */
/* True if a pointer may have the function's address: it is used otherwise than to be called. */
bool has_pointers(LLVMValueRef f);

#endif
