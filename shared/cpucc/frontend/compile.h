/* The stages of the front end, in the order in which compile.c runs them on the open module (ir.h). */
#ifndef CPUCC_COMPILE_H
#define CPUCC_COMPILE_H

#include <stdbool.h>

/* Marks the functions that LLVM shall inline before add_guards(); false if there are none. */
bool mark_inlined(void);
void add_guards(void);     /* adds checks, and makes undefined behaviour that of nvcc's code */
void merge_accesses(void); /* merges and splits accesses as nvcc does */
void write_marks(void);
void mark_loops(void); /* marks loops for the scheduler and orders blocks */

#endif
