/*
 * What seal's files share.
 */
#ifndef CPUCC_SEAL_H
#define CPUCC_SEAL_H

#include "text.h"

extern int number;  /* names what is added */
extern bool opaque; /* pointers are `ptr` */
void refuse(const char *what, const char *text);

/* seal_names.c */
void check_line_of_module(const char *p, bool is_final);

/* seal_accesses.c: each adds the instruction at p, and before it what guards it. */
void add_load(struct text *to, const char *p, const char *what);
void add_store(struct text *to, const char *p, const char *what);
void add_alloca(struct text *to, const char *p, const char *what);
void add_call(struct text *to, const char *p);
char *size_of(const char *type, size_t n);
char *without_byval(const char *p);

#endif
