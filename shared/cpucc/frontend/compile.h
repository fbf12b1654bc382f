/* The stages of the front end, in the order in which compile.c runs them on the open module (ir.h). */
#ifndef CPUCC_COMPILE_H
#define CPUCC_COMPILE_H

#include <stdbool.h>

void merge_accesses(void); /* merges and splits accesses as nvcc does */
void write_marks(void);
/* Translates the module for the CPU; false if something was refused. UNIT names it in the program. */
bool retarget(const char *layout, const char *triple, const char *unit);
bool seal_names(void); /* false if untrusted code has something that seal refuses */
bool seal(void);       /* confines untrusted code; false if it cannot */
void mark_loops(void); /* marks loops for the scheduler and orders blocks */
void add_sites(void);  /* gives each call its place in the program */

#endif
