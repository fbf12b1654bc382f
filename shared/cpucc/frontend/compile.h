/* The stages of the front end, in the order in which compile.c runs them on the open module (ir.h). */
#ifndef CPUCC_COMPILE_H
#define CPUCC_COMPILE_H

#include <stdbool.h>

/* Marks the functions that LLVM shall inline before add_guards(); false if there are none. */
bool mark_inlined(void);
void add_guards(void); /* adds checks, and makes undefined behaviour that of nvcc's code */
/* Makes direct calls of memcpy and memset LLVM's own, of unknown alignment: the optimiser sees through them. */
void name_copies(void);
void mark_reads(void); /* marks the source's reads, before the optimiser */
void check_speculated(
    void); /* inserts checks for loads that the source makes only under a condition */
/* NO_UNROLLING: no loop is marked. UNROLL_AGAIN: call unroll_loops once more behind the optimiser, since
 * loops inside unrolled ones may then have a known trip count. */
enum unrolling { NO_UNROLLING, UNROLL, UNROLL_AGAIN };
enum unrolling unroll_loops(void); /* marks loops for the optimiser to unroll as nvcc does */
void let_kernels_rest(bool rest);  /* whether the optimiser skips kernels without marked loops */
void merge_accesses(void);         /* merges and splits accesses as nvcc does */
/* Translates the module for the CPU; false if something was refused. UNIT names it in the program. */
bool retarget(const char *layout, const char *triple, const char *unit);
void instrument_accesses(void); /* inserts calls of the run time before accesses */
void mark_loops(bool sealed);   /* marks loops for the scheduler and orders blocks */
void add_sites(void);           /* gives each call its place in the program */
bool seal_names(void);          /* false if untrusted code has something that seal refuses */
bool seal(void);                /* confines untrusted code; false if it cannot */

/* True if the host half has three nested loops whose innermost loop only computes: it can run long. */
bool has_long_loops(void);
/* True if assembly in the host half may have directives, which begin with a dot: some read files. */
bool has_directives(void);
/* Makes loads of the host half call cpucc_host_load, except in loops of products, which compute what the
 * device's results are compared with; false if there are none to watch. */
bool watch_loads(void);

/* Exports a header's functions and variables, and writes their and its kernels' names to a file, a name per line;
 * false if programs cannot share them. */
bool share_functions(const char *path);
bool has_variables(void); /* true if the device half has a variable that kernels can change */
/* Declares what the file lists instead of defining it; removes the kernels that it lists. */
void use_shared(const char *path);
void use_shared_kernels(const char *path);

#endif
