/*
 * Keeps faults and remarks, one per kind and source line; prints them after the launch, and writes them as
 * TSV to CPUCC_FAULTS_FILE (README.md describes its columns).
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "core.h"

const struct kind_text cpucc_kind_texts[CPUCC_KIND_COUNT] = {
#define ENTRY(name, level, word, text, checker) {level, word, text, #checker},
    CPUCC_KINDS(ENTRY)
#undef ENTRY
};

static struct {
    bool set;
    enum cpucc_level level;
} levels[CPUCC_KIND_COUNT]; /* that CPUCC_CHECKS gives a kind */

bool cpucc_strict;

enum cpucc_level cpucc_level(enum cpucc_kind kind)
{
    enum cpucc_level level = levels[kind].set ? levels[kind].level : cpucc_kind_texts[kind].level;
    if (level == DOUBT)
        return cpucc_strict ? FAULT : REMARK;
    return level == ENDS ? FAULT : level;
}

void cpucc_set_level(enum cpucc_kind kind, enum cpucc_level level)
{
    levels[kind].set = true, levels[kind].level = level;
}

enum { KEPT = 32, PLACES = 256 }; /* further faults are only counted */
static struct fault faults[KEPT];
static int kept, printed;
static uint64_t fault_count; /* without remarks */

/* Where faults were found, and the kept fault that stands for each place; -1: none was kept. */
static struct {
    uintptr_t pc;
    enum cpucc_kind kind;
    int fault;
} places[PLACES];
static int place_count;

uint64_t cpucc_faults(void) { return fault_count; }

const struct fault *cpucc_kept_faults(int *count)
{
    *count = kept;
    return faults;
}

/* Whether two messages differ in numbers alone, line numbers (":12") excepted. */
static bool same_words(const char *a, const char *b)
{
    while (*a == *b && *a) {
        bool line = *a == ':';
        a++, b++;
        if (line)
            continue;
        a += strspn(a, "0123456789"), b += strspn(b, "0123456789");
    }
    return !*a && !*b;
}

/* Returns the kept fault of the same line: an instance of a template, or an unrolled round, repeats it. */
static int fault_on_line(uintptr_t pc, enum cpucc_kind kind, const char *message)
{
    const char *line = cpucc_line(pc);
    for (int i = 0; i < kept; i++)
        if (faults[i].kind == kind && !strcmp(cpucc_line(faults[i].pc), line) &&
            same_words(faults[i].message, message))
            return i;
    return -1;
}

static int keep_fault(struct lane *l, uintptr_t pc, enum cpucc_kind kind, char *message)
{
    struct fault *f = &faults[kept];
    *f = (struct fault){.pc = pc,
                        .kind = kind,
                        .message = message,
                        .of_thread = l != NULL,
                        .device = cpucc_active_device};
    if (l)
        f->block = l->warp->block->index, f->thread = l->tid;
    f->kernel = cpucc_nonnull(strdup(cpucc_the_launch ? cpucc_the_launch->config.name : ""));
    return kept++;
}

void cpucc_fault(struct lane *l, uintptr_t pc, enum cpucc_kind kind, const char *how, ...)
{
    int at = 0, fault;
    if (cpucc_level(kind) == OFF)
        return;
    fault_count += cpucc_level(kind) == FAULT;
    while (at < place_count && (places[at].pc != pc || places[at].kind != kind))
        at++;
    if (at < place_count) {
        fault = places[at].fault;
    } else {
        va_list list;
        char *message;
        va_start(list, how);
        if (vasprintf(&message, how, list) < 0)
            message = cpucc_nonnull(strdup(""));
        va_end(list);
        fault = fault_on_line(pc, kind, message);
        if (fault < 0 && kept < KEPT)
            fault = keep_fault(l, pc, kind, message);
        else
            free(message);
        if (place_count < PLACES)
            places[place_count].pc = pc, places[place_count].kind = kind,
            places[place_count++].fault = fault;
    }
    if (fault < 0)
        return;
    faults[fault].times++;
    if (l)
        CPUCC_TELL(fault, l, pc, fault);
}

const char *cpucc_level_word(const struct fault *f)
{
    return cpucc_level(f->kind) == FAULT ? "fault" : "remark";
}

static void print_fault(const struct fault *f)
{
    index3 b = f->block, t = f->thread;
    fprintf(stderr, "%s: %s: %s: %s\n    in %s%s", cpucc_line(f->pc), cpucc_level_word(f),
            cpucc_kind_texts[f->kind].text, f->message, *f->kernel ? "kernel " : "the host's code",
            f->kernel);
    if (f->of_thread && cpucc_device_count > 1)
        fprintf(stderr, " on device %d", f->device);
    if (f->of_thread)
        fprintf(stderr, ", block (%u,%u,%u), thread (%u,%u,%u)", b.x, b.y, b.z, t.x, t.y, t.z);
    if (f->times > 1)
        fprintf(stderr, ", and %llu times more", (unsigned long long)f->times - 1);
    fprintf(stderr, "\n");
}

static void print_field(FILE *to, const char *text)
{
    for (; *text; text++)
        putc(*text == '\t' || *text == '\n' ? ' ' : *text, to);
}

bool cpucc_write_faults(void)
{
    const char *path = getenv("CPUCC_FAULTS_FILE");
    if (!path || !*path)
        return true;
    FILE *to = fopen(path, "w");
    if (!to) {
        fprintf(stderr, "cpucc: cannot write %s (CPUCC_FAULTS_FILE)\n", path);
        return false;
    }
    fprintf(to, "level\tkind\tfile\tline\tkernel\tblock\tthread\ttimes\tmessage\n");
    for (int i = 0; i < kept; i++) {
        const struct fault *f = &faults[i];
        const char *line, *place = cpucc_line(f->pc);
        int length = cpucc_line_parts(place, &line);
        index3 b = f->block, t = f->thread;
        fprintf(to, "%s\t%s\t%.*s\t%s\t%s\t", cpucc_level_word(f), cpucc_kind_texts[f->kind].word,
                length, place, line, f->kernel);
        if (f->of_thread)
            fprintf(to, "%u,%u,%u\t%u,%u,%u\t", b.x, b.y, b.z, t.x, t.y, t.z);
        else
            fprintf(to, "nan\tnan\t");
        fprintf(to, "%llu\t", (unsigned long long)f->times);
        print_field(to, f->message);
        putc('\n', to);
    }
    return fclose(to) == 0;
}

void cpucc_write_fault_summary(void)
{
    fprintf(stderr, "cpucc: %llu fault%s\n", (unsigned long long)cpucc_faults(),
            cpucc_faults() == 1 ? "" : "s");
}

void cpucc_print_faults(void)
{
    fflush(stdout);
    if (printed == kept)
        return;
    for (; printed < kept; printed++)
        print_fault(&faults[printed]);
    cpucc_write_faults(); /* now, because the program may crash before its end */
}
