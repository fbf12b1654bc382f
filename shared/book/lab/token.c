/* Splits the source of an exercise into tokens. */
#include "token.h"
#include <stdlib.h>
#include <string.h>

struct token tok;

static bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool digit(char c) { return c >= '0' && c <= '9'; }

static void skip_space(void)
{
    for (;; ++tok.at) {
        if (*tok.at == '\n')
            ++tok.line;
        if (tok.at[0] == '/' && tok.at[1] == '/')
            tok.at += strcspn(tok.at, "\n") - 1;
        else if (tok.at[0] == '/' && tok.at[1] == '*') {
            for (tok.at += 2; *tok.at && !(tok.at[0] == '*' && tok.at[1] == '/'); ++tok.at)
                tok.line += *tok.at == '\n';
            if (!*tok.at)
                return;
            ++tok.at;
        } else if (*tok.at == '#')
            tok.at += strcspn(tok.at, "\n") - 1;
        else if (!*tok.at || !strchr(" \t\r\n", *tok.at))
            return;
    }
}

void next(void)
{
    static const char signs[][4] = {
        "<<<", ">>>", "<<=", ">>=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
        "++",  "--",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "->", "::"};
    size_t length = 0;
    skip_space();
    if (letter(*tok.at)) {
        tok.sort = NAME;
        while (letter(tok.at[length]) || digit(tok.at[length]))
            ++length;
    } else if (digit(*tok.at)) {
        char *end;
        tok.sort = NUMBER;
        tok.number = (int64_t)strtoull(tok.at, &end, 0);
        if (*end == '.')
            tok.number = (int64_t)strtod(tok.at, &end);
        while (letter(*end))
            ++end;
        length = (size_t)(end - tok.at);
    } else {
        tok.sort = *tok.at ? SIGN : END;
        length = *tok.at ? 1 : 0;
        for (size_t i = 0; i < sizeof signs / sizeof signs[0]; ++i)
            if (strncmp(tok.at, signs[i], strlen(signs[i])) == 0) {
                length = strlen(signs[i]);
                break;
            }
    }
    if (length >= sizeof tok.text)
        lab_stop(tok.line, "the name is too long");
    memcpy(tok.text, tok.at, length);
    tok.text[length] = '\0';
    tok.at += length;
}

bool is(const char *text) { return tok.sort != END && strcmp(tok.text, text) == 0; }

bool take(const char *text)
{
    if (!is(text))
        return false;
    next();
    return true;
}

void need(const char *text)
{
    if (!take(text))
        lab_stop(tok.line, "'%s' is expected before '%s'", text,
                 tok.sort == END ? "the end" : tok.text);
}
