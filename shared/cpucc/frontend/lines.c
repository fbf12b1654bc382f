/* Part of retarget. Finds source lines in LLVM's debug metadata and adds locations. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "module.h"

static const char **lines; /* lines[n] defines metadata !n, or is NULL */
static int capacity, next;
static struct text locations;

void note_metadata(const char *line)
{
    int n = atoi(line + 1);
    if (n < 0)
        return;
    if (n >= capacity) {
        int larger = 2 * n + 256;
        lines = allocate(lines, sizeof *lines * (size_t)larger);
        memset(lines + capacity, 0, sizeof *lines * (size_t)(larger - capacity));
        capacity = larger;
    }
    lines[n] = line;
    if (n >= next)
        next = n + 1;
}

const char *metadata(int n) { return n >= 0 && n < capacity ? lines[n] : NULL; }

/* The number behind `key` (such as "scope: !") in a line, or -1. */
static int number_behind(const char *line, const char *key)
{
    const char *p = line ? strstr(line, key) : NULL;
    return p ? atoi(p + strlen(key)) : -1;
}

char *source_line(const char *instruction)
{
    const char *at = metadata(number_behind(instruction, "!dbg !"));
    int line = number_behind(at, "line: ");
    for (int steps = 0; at && !strstr(at, "file: !") && steps < 100; steps++)
        at = metadata(number_behind(at, "scope: !"));
    const char *file = metadata(number_behind(at, "file: !"));
    const char *name = file ? strstr(file, "filename: \"") : NULL;
    if (!name)
        return format("%s", unit);
    name += strlen("filename: \"");
    return format("%.*s:%d", (int)strcspn(name, "\""), name, line);
}

char *with_a_line(char *instruction, int *last)
{
    char *at = strstr(instruction, ", !dbg !");
    if (!at)
        return instruction;
    at += strlen(", !dbg !");
    const char *location = metadata(atoi(at));
    if (!location || !strstr(location, "(line: 0, ")) {
        *last = atoi(at);
        return instruction;
    }
    return *last ? format("%.*s%d%s", (int)(at - instruction), instruction, *last,
                          at + strspn(at, "0123456789"))
                 : instruction;
}

int scope_of(const char *define) { return number_behind(define, "!dbg !"); }

int new_location(int line, int scope)
{
    addf(&locations, "!%d = !DILocation(line: %d, scope: !%d)\n", next, line, scope);
    return next++;
}

void write_locations(struct text *to)
{
    if (locations.n)
        add(to, locations.p);
}

char *subprogram_name(const char *define)
{
    const char *line = metadata(scope_of(define));
    const char *name = line ? strstr(line, "(name: \"") : NULL;
    if (!name)
        return NULL;
    name += strlen("(name: \"");
    return copy_of((struct slice){name, strcspn(name, "\"")});
}
