/*
 * Finds the source line of a place. Sites of device code name theirs; for a program counter of the host
 * it runs binutils' addr2line, which reads the program's line tables.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core.h"

enum { AT_ONCE = 256 }; /* program counters per run of addr2line */

struct known {
    uintptr_t pc;
    char *line;   /* file:line, or NULL */
    bool library; /* the line belongs to a library */
};
static struct table known;

extern const struct cpucc_site __start_cpucc_sites[] __attribute__((weak)),
    __stop_cpucc_sites[] __attribute__((weak));

/* Returns the site that a place lies in, or NULL. A copy's reads lie one byte before its site. */
static const struct cpucc_site *site_at(uintptr_t pc)
{
    uintptr_t start = (uintptr_t)__start_cpucc_sites,
              n = (pc + 1 - start) / sizeof(struct cpucc_site);
    return pc + 1 >= start && pc < (uintptr_t)__stop_cpucc_sites ? __start_cpucc_sites + n : NULL;
}

static struct known *find(uintptr_t pc) { return cpucc_find(&known, sizeof(struct known), pc); }

/* Returns a copy of the line, its path relative to the current directory if it lies below that. */
static char *shown(const char *line)
{
    static char here[4096]; /* static: fibers' stacks are small */
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    if (length && !strncmp(line, here, length) && line[length] == '/')
        line += length + 1;
    return strdup(*line ? line : "?");
}

/* Returns the site's line, allocated. */
static char *line_of(const struct cpucc_site *site)
{
    static char text[4096 + 16]; /* static: fibers' stacks are small */
    snprintf(text, sizeof text, site->line ? "%s:%u" : "%s", site->file, site->line);
    return shown(text);
}

/* Whether a line belongs to a wrapper: cpucc's own headers, clang's for CUDA, and ptx.h's functions
 * of one instruction. An access inlined from a wrapper belongs to the calling line. */
static bool is_wrapper(const char *line)
{
    return strstr(line, "/cpucc/include/") || strstr(line, "/cpucc/harness/") ||
           strstr(line, "/harness/ptx.h") || strstr(line, "/include/cuda_wrappers/") ||
           line[0] == '?';
}

/* Whether a line belongs to the C++ library or a toolkit. An access inlined from there belongs to
 * the calling line of the program, if there is one. */
static bool is_library(const char *line)
{
    return strstr(line, "/include/c++/") || strstr(line, "/include/cccl/") ||
           !strncmp(line, "/usr/include/", 13);
}

FILE *(*cpucc_open_lines)(const char *addresses);

static FILE *open_addr2line(const char *addresses)
{
    static char command[128 + 20 * AT_ONCE];
    snprintf(command, sizeof command, "addr2line -a -i -e /proc/%d/exe%s 2>/dev/null",
             (int)getpid(), addresses);
    return popen(command, "r");
}

/* Runs addr2line for n program counters and fills in their entries. */
static void ask(const uintptr_t *pc, size_t n)
{
    static char addresses[20 * AT_ONCE + 1], text[4096];
    /* A position-independent program is linked at address 0. */
    uintptr_t start = (uintptr_t)__executable_start + 1;
    int used = 0;
    for (size_t i = 0; i < n; i++)
        used += snprintf(addresses + used, sizeof addresses - (size_t)used, " 0x%zx",
                         (size_t)(pc[i] - start));
    struct known *k = NULL;
    FILE *f = (cpucc_open_lines ? cpucc_open_lines : open_addr2line)(addresses);
    while (f && fgets(text, sizeof text, f)) {
        text[strcspn(text, "\n")] = 0;
        char *note = strstr(text, " (discriminator"); /* " (discriminator 2)" */
        if (note)
            *note = 0;
        if (!strncmp(text, "0x", 2))
            k = find((uintptr_t)strtoull(text, NULL, 16) + start);
        else if (k && (!k->line || k->library) && !is_wrapper(text)) {
            bool library = is_library(text);
            if (!k->line || !library)
                k->line = shown(text), k->library = library;
        }
    }
    if (f && cpucc_open_lines)
        fclose(f);
    else if (f)
        pclose(f);
}

void cpucc_find_lines(const uintptr_t *pc, size_t n)
{
    static uintptr_t asked[AT_ONCE]; /* static: fibers' stacks are small */
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (!find(pc[i])) {
            const struct cpucc_site *site = site_at(pc[i]);
            struct known *k = cpucc_find_or_add(&known, sizeof *k, pc[i]);
            if (site)
                k->line = line_of(site);
            else
                asked[count++] = pc[i];
        }
        if (count == AT_ONCE || (count && i == n - 1)) {
            ask(asked, count);
            count = 0;
        }
    }
}

unsigned cpucc_line_may_differ(uintptr_t pc)
{
    const struct cpucc_site *site = site_at(pc);
    return site ? site->may_differ : 0;
}

const char *cpucc_line(uintptr_t pc)
{
    cpucc_find_lines(&pc, 1);
    const struct known *k = find(pc);
    return k && k->line ? k->line : "?";
}

int cpucc_line_parts(const char *place, const char **line)
{
    const char *colon = strrchr(place, ':');
    *line = colon ? colon + 1 : "nan";
    return colon ? (int)(colon - place) : (int)strlen(place);
}
