/*
 * Declares what retarget's files share.
 *
 *   retarget.c   reads the module, translates its lines and writes them
 *   globals.c    translates variables and reads annotations
 *   shared.c     turns __shared__ variables into calls of the run time
 *   assembly.c   turns inline PTX into calls of the interpreter
 *   kernels.c    registers kernels and variables under the name of their translation unit
 *   lines.c      finds source lines in the debug metadata
 */
#ifndef CPUCC_MODULE_H
#define CPUCC_MODULE_H

#include "text.h"

struct target { /* the CPU, as clang describes it */
    char *data_layout, *triple;
    bool opaque; /* pointers are `ptr` (LLVM 15 and newer), not `i8*` */
};
extern struct target target;
extern const char *pointer; /* "ptr" or "i8*" */
extern const char *unit;    /* name of the translation unit in the program */
extern int failures;        /* number of refused constructs */

/* The type of a pointer to `type`. */
char *pointer_to(const char *type);
/* An operand "i8* getelementptr (...)" or "ptr @name" for the text constant @name of n bytes. */
char *text_operand(const char *name, size_t n);
/* Defines a constant with this text (LLVM's escapes kept) in `to`; returns its operand. */
char *text_constant(struct text *to, const char *text);
char *without_quotes(const char *text); /* a copy with ' for ", as text_constant needs it */

extern char **module_line; /* lines of the module */
extern int module_lines;

/* ---- globals.c ---- */
struct global {
    char *name, *type, *value; /* value NULL: declared only */
    int space;                 /* address space */
    bool constant;
    char align[16];
};
bool read_global(const char *p, struct global *g);
void add_without_spaces(struct text *to, const char *p); /* copies without address spaces */
struct slice global_name(const char *p);                 /* the first @name in p */
void read_annotations(const char *p); /* reads the line "@llvm.global.annotations = ..." */
void read_kernel_note(const char *p); /* reads a line "!3 = !{ptr @kernel, !"kernel", i32 1}" */
bool take_word(const char **p, const char *word);          /* steps over the word if it is next */
void refuse_undefined(const char *what, const char *name); /* reports a name of another file */
void add_global(struct text *to, const char *p);

/* ---- lines.c ---- */
void note_metadata(const char *line);       /* notes a line "!12 = ..." */
const char *metadata(int number);           /* the line that defines !number, or NULL */
char *source_line(const char *instruction); /* "file.cu:12", from its !dbg; or the unit */
int scope_of(const char *define);           /* number behind !dbg, or -1 */
/* The instruction; if it has line 0 (merged from several), with the location *last_location. */
char *with_a_line(char *instruction, int *last_location);
int new_location(int line, int scope); /* number of a new !DILocation */
void write_locations(struct text *to);
char *subprogram_name(const char *define); /* "transpose<32, 8>", or NULL */

/* ---- shared.c ---- */
void note_shared(const char *name, const char *type, const char *align, bool dynamic);
void note_shared_line(const char *name, int line);
void note_managed_use(const char *name, const char *type);
void begin_function(void);
/* Adds the line to `body`, each __shared__ variable in it replaced by a value. Instructions that
 * compute the value go in front of the line, or for a phi to the function's entry. */
void add_shared_uses(struct text *body, const char *line);
void add_entry(struct text *to, const char *define); /* calls that fetch the variables' addresses */
void write_shared(struct text *to);
char *source_name(const char *name);   /* a variable's name in the source */
char *variable_name(const char *name); /* the same, with namespaces */

/* ---- assembly.c ---- */
bool is_assembly(const char *line); /* true for a call of an asm statement */
void add_assembly(struct text *to, const char *line);
void write_assembly(struct text *to);

/* ---- kernels.c ---- */
void note_kernel(const char *name);
void note_cluster(const char *kernel, const char *dimensions);
void note_definition(const char *name, const char *define, struct slice parameters);
void note_managed(const char *name);
void note_variable(const char *name, const char *type);
/* Adds a gap, which no access may touch, behind the variable noted last, in its section. */
void write_gap(struct text *to, const char *section);
void write_registration(struct text *to);

#endif
