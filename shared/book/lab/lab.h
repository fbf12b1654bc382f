/*
 * The lab: runs kernels of a small part of CUDA C for a page of exercises, counts their traffic by shared/traffic and
 * compares the output with what the exercise asks for.
 *
 * It knows integers, one matrix of elements in and one out, arrays in shared memory and per thread, functions that it can
 * call, if, for, while, return and launches. All threads of a block execute each statement together, so a barrier has no
 * effect and the lab finds no race. What it does not know stops it with a line and a reason.
 */
#ifndef LAB_H
#define LAB_H

#include "exercises/checker/checker.h"
#include <stdbool.h>
#include <stdint.h>

enum {
    LAB_THREADS = 1024, /* of a block */
    LAB_NODES = 8192,
    LAB_SYMBOLS = 256,
};

enum lab_kind {
    LAB_NUMBER,
    LAB_NAME,
    LAB_BUILTIN, /* threadIdx.x and the like: op is the number of the builtin */
    LAB_INDEX,   /* a: the array or pointer, b: the list of subscripts */
    LAB_CALL,    /* a: the list of arguments */
    LAB_UNARY,
    LAB_BINARY,
    LAB_ASSIGN, /* op 0 for =, else the operator before it */
    LAB_STEP,   /* ++ or --: value is 1 or -1; op 1: the value is that before the step */
    LAB_CHOICE, /* a ? b : c */
    LAB_DECLARE,
    LAB_IF,
    LAB_FOR, /* a: begin, b: condition, c: step, d: body */
    LAB_RETURN,
    LAB_BLOCK,  /* a: the list of statements */
    LAB_LAUNCH, /* a: blocks, b: threads, c: the list of arguments */
    LAB_EMPTY
};

struct lab_symbol {
    char name[48];
    bool hidden; /* it is out of scope */
    enum { LAB_LOCAL, LAB_SHARED, LAB_CONSTANT, LAB_GRID, LAB_FUNCTION, LAB_KERNEL } sort;
    int bytes; /* of an element, or of what a pointer points to */
    int rank;  /* of an array: 0 to 3 subscripts */
    struct lab_node *size[3];
    int extent[3];
    int slot; /* of a local: its first number per thread; of shared memory: its object */
    struct lab_node *body, *value;
    struct lab_symbol *parameter[8];
    int parameters;
    int launch; /* of shared memory: the launch that gave it its place */
};

struct lab_node {
    enum lab_kind kind;
    int line, op;
    int64_t value;
    struct lab_node *a, *b, *c, *d, *next;
    struct lab_symbol *symbol;
};

/* Prints a line and a reason, and ends the program. */
_Noreturn void lab_stop(int line, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Parses a source. Returns the function that EXERCISE names, or stops. */
struct lab_symbol *lab_parse(const char *source);

/* Computes an operator of two numbers. Stops at a division by zero. */
int64_t lab_operate(int line, int op, int64_t a, int64_t b);

/* A new symbol; one that a page's source declares later hides one of the same name. */
struct lab_symbol *lab_symbol(const char *name);

/* Runs a source at one size of the task. Returns its counts; *wrong is NULL, or says what is wrong with the output. */
struct counts lab_run(const char *source, const Task *task, int rows, int cols, char **wrong);

/* Adds the accesses of the last run as rows of cpucc's report of lines, and prints each with its worst request. */
void lab_put_sites(struct text *lines);

#endif
