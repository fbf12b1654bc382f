/* Declares what the files of retarget share. All of them work on ir.h's module. */
#ifndef CPUCC_MODULE_H
#define CPUCC_MODULE_H

#include "ir.h"

extern const char *unit; /* name of the translation unit in the program */

/* Reports at `where` an error, which fails retarget(). */
void reject(char *where, char *what);
LLVMValueRef null_pointer(void);          /* i8* */
bool is_aggregate(LLVMValueRef constant); /* true for a constant that has constants as parts */

/* ---- globals.c ---- */
void read_annotations(void);    /* reads and deletes llvm.global.annotations */
void translate_variables(void); /* translates all variables but the shared ones */
void refuse_undefined(const char *what, LLVMValueRef v); /* reports a name of another file */
char *type_text(LLVMTypeRef type);                       /* as in LLVM's text, with ' for " */
/* A variable's name in the source: "tile", or "names::table" outside of functions. */
char *variable_name(const char *name);

/* ---- debug metadata ---- */
char *source_line(LLVMValueRef instruction); /* "file.cu:12", or the unit if it has none */
char *subprogram_name(LLVMValueRef f);       /* "transpose<32, 8>", or NULL */

/* ---- shared.c ---- */
void note_shared_line(LLVMValueRef v, long line); /* the line that declares the variable */
/* Notes the module's shared variables. Dynamic ones lie behind the others, so they are noted last. */
void note_shared(bool dynamic);
void note_given(LLVMValueRef v); /* another variable whose address the run time gives */
/* Replaces the variables' addresses by values, and pointers of other address spaces. */
void replace_shared(LLVMValueRef function);
void delete_shared(void);

/* ---- assembly.c ---- */
void replace_assembly(LLVMValueRef call); /* replaces the call, which is an asm statement */

/* ---- kernels.c ---- */
void note_kernels(void);
void note_cluster(LLVMValueRef kernel, const char *dimensions);
void note_threads(LLVMValueRef kernel, long most); /* of __launch_bounds__ */
void note_managed(LLVMValueRef v);
bool is_managed(LLVMValueRef v);
void note_variable(LLVMValueRef v, bool managed, LLVMValueRef gap); /* gap: what lies behind it */
void write_registration(void);

#endif
