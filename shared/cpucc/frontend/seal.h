/* Declares what seal's files share. All of them work on ir.h's module. */
#ifndef CPUCC_SEAL_H
#define CPUCC_SEAL_H

#include "ir.h"

void refuse(const char *what, LLVMValueRef v); /* reports an instruction or a named value */
/* True for a cast, instruction or constant, from or to a segment of the machine. */
bool casts_segment(LLVMValueRef v);

/* seal_names.c: refuses names, functions and constants that a sealed module may not have. is_final:
 * the calls that cpucc's own steps add are there. */
void check_module(bool is_final);

/* seal_pointers.c: replaces calls through pointers by calls of functions by name. Those that remain, with
 * structs by value, are refused. */
void name_callees(void);

/* seal_accesses.c: each puts the instruction behind its guard or replaces it. */
void seal_access(LLVMValueRef access); /* a load, a store or an atomic */
void seal_alloca(LLVMValueRef alloca);
void seal_vector(LLVMValueRef element); /* a vector's element, maybe at an index that varies */
void seal_call(LLVMValueRef call);
/* Gives a parameter that is passed by value a copy in the function's own local memory. */
void copy_parameter(LLVMValueRef function, unsigned k, LLVMValueRef before);
void clear_call(LLVMValueRef call); /* removes what could make the call another kind of call */
void clear_function(LLVMValueRef function); /* removes attributes that could change machine code */

#endif
