/* The few things that must be known of LLVM's textual form to cut a line into its parts. */
#ifndef CPUCC_TEXT_H
#define CPUCC_TEXT_H

#include "text_buffer.h"

enum { CONSTANT_SPACE = 6 }; /* address space of __constant__ between guard and retarget */

/* A part of somebody else's string. */
struct slice {
    const char *p;
    size_t n;
};

void add_slice(struct text *to, struct slice s);
char *copy_of(struct slice s);

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
/* Cuts s at the commas outside brackets and strings; returns how many parts, at most `capacity`. */
int split(struct slice s, struct slice *part, int capacity);
/* Where an instruction says "call ", behind the name of its result; NULL if it does not. */
const char *find_call(const char *line);
/* The first place where `word` stands outside of strings, or NULL. */
const char *find_word(const char *p, const char *word);

#endif
