/* Cuts lines of LLVM's textual form into their parts, see text.h. */
#include "text.h"
#include <ctype.h>
#include <string.h>

void add_slice(struct text *to, struct slice s) { add_bytes(to, s.p, s.n); }

char *copy_of(struct slice s)
{
    char *p = allocate(NULL, s.n + 1);
    memcpy(p, s.p, s.n);
    p[s.n] = 0;
    return p;
}

bool slice_is(struct slice s, const char *t) { return s.n == strlen(t) && !memcmp(s.p, t, s.n); }
struct slice slice_of(const char *p) { return (struct slice){p, strlen(p)}; }

struct slice trimmed(struct slice s)
{
    while (s.n && isspace((unsigned char)*s.p))
        s.p++, s.n--;
    while (s.n && isspace((unsigned char)s.p[s.n - 1]))
        s.n--;
    return s;
}

const char *skip_string(const char *p)
{
    for (p++; *p && *p != '"'; p++)
        ; /* a quote inside is written \22 */
    return *p ? p + 1 : p;
}

const char *closing(const char *p)
{
    int depth = 0;
    while (*p) {
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        if (strchr("([{<", *p))
            depth++;
        if (strchr(")]}>", *p) && --depth == 0)
            return p;
        p++;
    }
    return NULL;
}

size_t name_length(const char *p)
{
    size_t n = 0;
    if (*p == '"')
        return (size_t)(skip_string(p) - p);
    while (isalnum((unsigned char)p[n]) || (p[n] && strchr("._$-", p[n])))
        n++;
    return n;
}

size_t type_length(const char *p)
{
    const char *start = p;
    if (strchr("[{<", *p) && *p) {
        const char *end = closing(p);
        p = end ? end + 1 : p + strlen(p);
    } else {
        p += *p == '%';
        p += name_length(p);
    }
    for (;;) {
        const char *q = p;
        while (*q == ' ')
            q++;
        if (*q == '(') { /* a function type: only a pointer to it is the type of a value */
            const char *end = closing(q);
            if (!end || end[1] != '*')
                break;
            p = end + 1;
        } else if (*p == '*') {
            p++;
        } else {
            break;
        }
    }
    return (size_t)(p - start);
}

int split(struct slice s, struct slice *part, int capacity)
{
    int n = 0, depth = 0;
    const char *p = s.p, *end = s.p + s.n, *from = p;
    while (p < end) {
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        depth += strchr("([{<", *p) ? 1 : strchr(")]}>", *p) ? -1 : 0;
        if (*p == ',' && depth == 0) {
            if (n < capacity)
                part[n++] = trimmed((struct slice){from, (size_t)(p - from)});
            from = p + 1;
        }
        p++;
    }
    struct slice last = trimmed((struct slice){from, (size_t)(end - from)});
    if (last.n && n < capacity)
        part[n++] = last;
    return n;
}

const char *find_word(const char *p, const char *word)
{
    while (*p) {
        if (*p == '"') {
            p = skip_string(p);
            continue;
        }
        if (*p == *word && starts_with(p, word))
            return p;
        p++;
    }
    return NULL;
}

const char *find_call(const char *line)
{
    while (*line == ' ')
        line++;
    const char *is = *line == '%' ? strstr(line, " = ") : NULL;
    return strstr(is ? is : line, "call ");
}
