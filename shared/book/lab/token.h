/* The tokens of a source, one at a time. */
#ifndef LAB_TOKEN_H
#define LAB_TOKEN_H

#include "lab.h"

/* The current token, the line that it stands on, and where the source goes on. */
struct token {
    char text[48];
    enum { END, NAME, NUMBER, SIGN } sort;
    int64_t number;
    int line;
    const char *at;
};
extern struct token tok;

/* Goes on to the next token. */
void next(void);

/* True if the current token is this text. */
bool is(const char *text);

/* If the current token is this text, goes on and returns true. */
bool take(const char *text);

/* Goes on after a token that must be this text, or stops. */
void need(const char *text);

#endif
