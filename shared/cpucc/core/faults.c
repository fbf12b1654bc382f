/*
 * Keeps faults and remarks, one per kind and pc; prints them after the launch, and writes them as
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

enum { KEPT = 32 }; /* further faults are only counted */
static struct fault faults[KEPT];
static int kept, printed;
static uint64_t fault_count; /* without remarks */

uint64_t cpucc_faults(void) { return fault_count; }

const struct fault *cpucc_kept_faults(int *count)
{
    *count = kept;
    return faults;
}

void cpucc_fault(struct lane *l, uintptr_t pc, enum cpucc_kind kind, const char *how, ...)
{
    if (cpucc_level(kind) == OFF)
        return;
    fault_count += cpucc_level(kind) == FAULT;
    for (int i = 0; i < kept; i++)
        if (faults[i].pc == pc && faults[i].kind == kind) {
            if (l)
                CPUCC_TELL(fault, l, pc, i);
            faults[i].times++;
            return;
        }
    if (kept == KEPT)
        return;
    va_list list;
    struct fault *f = &faults[kept++];
    *f = (struct fault){
        .pc = pc, .kind = kind, .times = 1, .of_thread = l != NULL, .device = cpucc_active_device};
    va_start(list, how);
    if (vasprintf(&f->message, how, list) < 0)
        f->message = NULL;
    va_end(list);
    if (l)
        f->block = l->warp->block->index, f->thread = l->tid;
    if (l)
        CPUCC_TELL(fault, l, pc, kept - 1);
    f->kernel = strdup(cpucc_the_launch ? cpucc_the_launch->config.name : "");
}

static const char *level_word(const struct fault *f)
{
    return cpucc_level(f->kind) == FAULT ? "fault" : "remark";
}

static void print_fault(const struct fault *f)
{
    index3 b = f->block, t = f->thread;
    fprintf(stderr, "%s: %s: %s: %s\n    in %s%s", cpucc_line(f->pc), level_word(f),
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
        fprintf(to, "%s\t%s\t%.*s\t%s\t%s\t", level_word(f), cpucc_kind_texts[f->kind].word, length,
                place, line, f->kernel);
        if (f->of_thread)
            fprintf(to, "%u,%u,%u\t%u,%u,%u\t", b.x, b.y, b.z, t.x, t.y, t.z);
        else
            fprintf(to, "nan\tnan\t");
        fprintf(to, "%llu\t", (unsigned long long)f->times);
        print_field(to, f->message ? f->message : "");
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
