/*
 * Fills the table of checkers (core/hooks.h) before the program begins, as CPUCC_CHECKS asks:
 *
 *   CPUCC_CHECKS=KIND:LEVEL,...   LEVEL is fault, remark or off. KIND is a kind's word, or a checker's
 *                                 name for all its kinds (kinds.h)
 *   CPUCC_CHECKS=bounds           counts and bounds alone: all other checkers are off
 *   CPUCC_STRICT=1                a DOUBT is a fault
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "order.h"

static _Noreturn void refuse(const char *all, const char *item, const char *why)
{
    fprintf(stderr, "CPUCC_CHECKS=%s: '%.*s' %s\n", all, (int)strcspn(item, ","), item, why);
    _exit(2);
}

/* Reads the KIND:LEVEL at the beginning of item, and sets the level of the kind, or of all kinds of the checker. */
static void read_item(const char *all, const char *item)
{
    static const char *const words[] = {[FAULT] = ":fault", [REMARK] = ":remark", [OFF] = ":off"};
    size_t length = strcspn(item, ":,"), rest = strcspn(item + length, ",");
    int level = FAULT;
    bool found = false;
    while (level <= OFF &&
           (strlen(words[level]) != rest || strncmp(words[level], item + length, rest)))
        level++;
    if (level > OFF)
        refuse(all, item, "must be KIND:fault, KIND:remark or KIND:off, or bounds alone");
    char *name = cpucc_nonnull(strndup(item, length));
    for (int k = 0; k < CPUCC_KIND_COUNT; k++) {
        const struct kind_text *kind = &cpucc_kind_texts[k];
        if (strcmp(kind->word, name) && strcmp(kind->checker, name))
            continue;
        if (level == OFF && kind->level == ENDS)
            refuse(all, item, "cannot be off: the launch cannot go on after it");
        cpucc_set_level((enum cpucc_kind)k, (enum cpucc_level)level);
        found = true;
    }
    if (!found)
        refuse(all, item, "is no kind of fault and no checker (kinds.h lists both)");
    free(name);
}

static void read_levels(const char *all)
{
    if (!strcmp(all, "bounds")) {
        for (int k = 0; k < CPUCC_KIND_COUNT; k++)
            if (strcmp(cpucc_kind_texts[k].checker, "bounds") &&
                strcmp(cpucc_kind_texts[k].checker, "launch"))
                cpucc_set_level((enum cpucc_kind)k, OFF);
        return;
    }
    for (const char *p = all; p; p = strchr(p, ',') ? strchr(p, ',') + 1 : NULL)
        read_item(all, p);
}

/* Whether some kind of the checker is not off. */
static bool wanted(const char *checker)
{
    for (int k = 0; k < CPUCC_KIND_COUNT; k++)
        if (!strcmp(cpucc_kind_texts[k].checker, checker) && cpucc_level((enum cpucc_kind)k) != OFF)
            return true;
    return false;
}

/* The order in which checkers react: it decides which of two faults of one access comes first. */
__attribute__((constructor)) void cpucc_start_checks(void)
{
    if (cpucc_check_lanes)
        return;
    const char *levels = getenv("CPUCC_CHECKS"), *strict = getenv("CPUCC_STRICT");
    cpucc_strict = strict && *strict && strcmp(strict, "0") != 0;
    if (levels && *levels)
        read_levels(levels);
    bool initialised = wanted("initialised"), async = wanted("async"), host = wanted("host");
    bool races = wanted("races") || async || host; /* both need its records */
    cpucc_keeps_records = races || initialised;
    cpucc_check_lanes = races         ? cpucc_check_lanes_order
                        : initialised ? cpucc_check_lanes_written
                                      : cpucc_check_lanes_bounds;
    cpucc_add_checker(&cpucc_bounds);
    if (races)
        cpucc_add_checker(&cpucc_streams);
    if (initialised)
        cpucc_add_checker(&cpucc_initialised);
    if (async)
        cpucc_add_checker(&cpucc_async);
    if (races)
        cpucc_add_checker(&cpucc_races);
    if (host)
        cpucc_add_checker(&cpucc_host);
}
