/* Writes text escaped for JSON, HTML and XML. */
#include <stdbool.h>
#include <string.h>
#include "escape.h"

int cpucc_character(const unsigned char *p, size_t left)
{
    int n = *p < 0x80                 ? 1
            : *p >= 0xc2 && *p < 0xe0 ? 2
            : *p >= 0xe0 && *p < 0xf0 ? 3
            : *p >= 0xf0 && *p < 0xf5 ? 4
                                      : 0;
    if ((size_t)n > left)
        return 0;
    for (int i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool wrong = n == 3 && ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f));
    wrong |= n == 4 && ((p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f));
    return wrong ? 0 : n;
}

void cpucc_put_text(FILE *to, const char *text, size_t length)
{
    putc('"', to);
    for (size_t i = 0; i < length;) {
        const unsigned char *c = (const unsigned char *)text + i;
        int n = cpucc_character(c, length - i);
        if (!n)
            fputs("\\ufffd", to);
        else if (n == 1 && (*c < 32 || strchr("<>&'", *c) || *c == 127))
            fprintf(to, "\\u%04x", *c);
        else if (n == 3 && c[0] == 0xe2 && c[1] == 0x80 && (c[2] == 0xa8 || c[2] == 0xa9))
            fprintf(to, "\\u20%02x", c[2] - 0x80);
        else
            fprintf(to, *c == '"' || *c == '\\' ? "\\%.*s" : "%.*s", n, (const char *)c);
        i += n ? (size_t)n : 1;
    }
    putc('"', to);
}

void cpucc_put_string(FILE *to, const char *text) { cpucc_put_text(to, text, strlen(text)); }

void cpucc_put_after(FILE *to, const char *before, const char *text)
{
    fputs(before, to);
    cpucc_put_string(to, text);
}

void cpucc_put_html(FILE *to, const char *text)
{
    for (size_t left = strlen(text); left;) {
        int n = cpucc_character((const unsigned char *)text, left);
        if (n == 1 && (*text == '\t' || strchr("<>&\"'", *text)))
            fprintf(to, "&#%d;", *text);
        else if (!n || (n == 1 && (unsigned char)*text < 32 && *text != '\n') ||
                 (n == 2 && *text == '\xc2' && (unsigned char)text[1] < 0xa0) ||
                 (n == 3 && !memcmp(text, "\xef\xbf", 2) && (unsigned char)text[2] > 0xbd))
            fputs("&#65533;",
                  to); /* XML allows no other control characters, no U+FFFE and U+FFFF */
        else
            fwrite(text, 1, (size_t)n, to);
        text += n ? n : 1, left -= n ? (size_t)n : 1;
    }
}
