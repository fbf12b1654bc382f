/* Declares functions that cut lines of LLVM's textual form into their parts. */
#ifndef CPUCC_TEXT_H
#define CPUCC_TEXT_H

#include "text_buffer.h"

/* A part of a string that it does not own. */
struct slice {
    const char *p;
    size_t n;
};

void add_slice(struct text *to, struct slice s);
char *copy_of(struct slice s); /* a new string */

bool slice_is(struct slice s, const char *text); /* true if they are equal */
struct slice slice_of(const char *p);            /* the whole string */
struct slice trimmed(struct slice s);            /* without white space at its ends */

/* The end of the string literal that begins at p: the character behind its closing quote. */
const char *skip_string(const char *p);
/* The bracket that closes the bracket ( [ { or < at p, or NULL. */
const char *closing(const char *p);
/* Length of the name behind a @ or %: letters, digits, . _ $ - or a quoted string. */
size_t name_length(const char *p);
/* Length of the type at p: "i32", "[4 x float]", "%struct.S*", "void (i8*)*". */
size_t type_length(const char *p);
/* Cuts s at commas outside brackets and strings; returns the number of parts, up to `capacity`. */
int split(struct slice s, struct slice *part, int capacity);
/* The word "call " of an instruction, behind the name of its result; NULL if it is no call. */
const char *find_call(const char *line);
/* The first occurrence of `word` outside strings, or NULL. */
const char *find_word(const char *p, const char *word);

#endif
