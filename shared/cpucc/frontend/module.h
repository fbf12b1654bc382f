/*
 * What retarget's files share about the module they translate.
 *
 *   retarget.c   reads the module, translates its lines, writes it
 *   globals.c    its variables, and what annotations say
 *   shared.c     __shared__ variables become calls of the run time
 *   assembly.c   inline PTX becomes calls of the interpreter
 *   kernels.c    kernels and variables are registered under the name of their translation unit
 *   lines.c      where in the source something stands
 */
#ifndef CPUCC_MODULE_H
#define CPUCC_MODULE_H

#include "text.h"

struct target { /* of the CPU, as clang writes it */
    char *data_layout, *triple;
    bool opaque; /* pointers are `ptr` (LLVM 15 and newer), not `i8*` */
};
extern struct target target;
extern const char *pointer; /* "ptr" or "i8*" */
extern const char *unit;    /* name of the translation unit in the program */
extern int failures;        /* things that were refused */

/* The type of a pointer to `type`. */
char *pointer_to(const char *type);
/* An operand "i8* getelementptr (...)" or "ptr @name" for the text constant @name of n bytes. */
char *text_operand(const char *name, size_t n);
/* Defines a constant with this text (LLVM's escapes kept) in `to`; its operand. */
char *text_constant(struct text *to, const char *text);
char *without_quotes(const char *text); /* a copy that text_constant takes */

extern char **module_line; /* the module */
extern int module_lines;

/* ---- globals.c ---- */
struct global {
    char *name, *type, *value; /* value NULL: declared only */
    int space;
    bool constant;
    char align[16];
};
bool read_global(const char *p, struct global *g);
void add_without_spaces(struct text *to, const char *p); /* in names of template instances */
struct slice global_name(const char *p);                 /* the first @name in p */
void read_annotations(const char *p);
void read_kernel_note(const char *p);
bool take_word(const char **p, const char *word);          /* steps over the word, if it is there */
void refuse_undefined(const char *what, const char *name); /* another file defines it */
void add_global(struct text *to, const char *p);

/* ---- lines.c ---- */
void note_metadata(const char *line);       /* a line "!12 = ..." */
const char *metadata(int number);           /* the line, or NULL */
char *source_line(const char *instruction); /* "file.cu:12", from its !dbg; or the unit */
int scope_of(const char *define);           /* number behind !dbg, or -1 */
/* An instruction that the optimiser made of several has none, and gets the line of the one before. */
char *with_a_line(char *instruction, int *last_location);
int new_location(int line, int scope); /* number of a new !DILocation */
void write_locations(struct text *to);
char *subprogram_name(const char *define); /* "transpose<32, 8>", or NULL */

/* ---- shared.c ---- */
void note_shared(const char *name, const char *type, const char *align, bool dynamic);
void note_shared_line(const char *name, int line);
void note_managed_use(const char *name, const char *type);
void begin_function(void);
/* Adds the line to `body` with every __shared__ variable in it replaced by a value; instructions
 * that compute it go in front of it, or for a phi to the function's entry. */
void add_shared_uses(struct text *body, const char *line);
void add_entry(struct text *to, const char *define); /* the calls for the variables used */
void write_shared(struct text *to);
char *source_name(const char *name);   /* of a variable, as the source has it */
char *variable_name(const char *name); /* with its namespaces */

/* ---- assembly.c ---- */
bool is_assembly(const char *line);
void add_assembly(struct text *to, const char *line);
void write_assembly(struct text *to);

/* ---- kernels.c ---- */
void note_kernel(const char *name);
void note_cluster(const char *kernel, const char *dimensions);
void note_definition(const char *name, const char *define, struct slice parameters);
void note_managed(const char *name);
void note_variable(const char *name, const char *type);
/* Bytes in the same section behind the variable noted last, which nobody may touch. */
void write_gap(struct text *to, const char *section);
void write_registration(struct text *to);

#endif
