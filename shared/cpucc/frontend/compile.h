/* The stages of the front end, in the order in which compile.c runs them on the open module (ir.h). */
#ifndef CPUCC_COMPILE_H
#define CPUCC_COMPILE_H

void merge_accesses(void); /* merges and splits accesses as nvcc does */
void write_marks(void);
void mark_loops(void); /* marks loops for the scheduler and orders blocks */
void add_sites(void);  /* gives each call its place in the program */

#endif
