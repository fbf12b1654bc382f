/*
 * Text for the front end's tools: growing buffers, and the few things that must be known of LLVM's
 * textual form to cut a line into its parts. Everything ends the program when memory runs out.
 */
#ifndef CPUCC_TEXT_H
#define CPUCC_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

enum { CONSTANT_SPACE = 6 }; /* address space of __constant__ between guard and retarget */

/* A growing string; p is NULL while nothing was added, otherwise it ends with 0. */
struct text {
    char *p;
    size_t n, room;
};

/* A part of somebody else's string. */
struct slice {
    const char *p;
    size_t n;
};

void *allocate(void *old, size_t bytes); /* realloc that does not return NULL */
void add_bytes(struct text *to, const char *p, size_t n);
void add(struct text *to, const char *p);
void addf(struct text *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void add_slice(struct text *to, struct slice s);
void clear(struct text *t);
char *format(const char *how, ...) __attribute__((format(printf, 1, 2)));
char *copy_of(struct slice s);

/* The whole of standard input, or of a file; NULL if it cannot be read. */
char *read_file(const char *path);

bool starts_with(const char *p, const char *with);
bool slice_is(struct slice s, const char *text);
struct slice slice_of(const char *p);
struct slice trimmed(struct slice s);

/* Behind the string literal that begins at p. */
const char *skip_string(const char *p);
/* The bracket that closes the one at p: ( [ { or <; NULL if none does. */
const char *closing(const char *p);
/* Length of the name behind a @ or %: letters, digits, . _ $ - or a quoted string. */
size_t name_length(const char *p);
/* Length of the type at p: "i32", "[4 x float]", "%struct.S*", "void (i8*)*". */
size_t type_length(const char *p);
/* Cuts s at the commas outside brackets and strings; returns how many parts, at most `room`. */
int split(struct slice s, struct slice *part, int room);
/* Where an instruction says "call ", behind the name of its result; NULL if it does not. */
const char *find_call(const char *line);
/* The first place where `word` stands outside of strings, or NULL. */
const char *find_word(const char *p, const char *word);

#endif
