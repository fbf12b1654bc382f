/* Declares what seal's files share. */
#ifndef CPUCC_SEAL_H
#define CPUCC_SEAL_H

#include "text.h"

extern int number;                               /* next number for the name of an added value */
extern bool opaque;                              /* pointers are written `ptr` */
void refuse(const char *what, const char *text); /* reports a refusal with its line */

/* seal_names.c: refuses names that the line may not define or declare. */
void check_line_of_module(const char *p, bool is_final);

/* seal_accesses.c: each add_ function adds the instruction on line p behind its guard. */
void add_load(struct text *to, const char *p, const char *what);
void add_store(struct text *to, const char *p, const char *what);
void add_alloca(struct text *to, const char *p, const char *what);
void add_call(struct text *to, const char *p);
char *size_of(const char *type, size_t n); /* constant expression for the type's bytes */
char *without_byval(const char *p);        /* the line without "byval(T) align N" */

#endif
