/*
 * What a run tells its user: counts per launch and per source line, faults, traces of requests.
 *
 *   CPUCC_REPORT=table|tsv|lines|off   counts at exit; default table, a step program's own table
 *                                      instead. tsv has a row for each launch and counter, lines
 *                                      one for each kernel, source line and counter.
 *   CPUCC_REPORT_FILE=path             where to, default standard error
 */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "internal.h"

static const char *const names[CPUCC_COUNTERS] = {
    "global_load",       "global_store",      "shared_load", "shared_store",
    "async_copy_global", "async_copy_shared", "tma_load",    "tma_store"};

static struct kernel_record **kernels;
static int kernel_count;
static struct cpucc_totals totals;
static uint64_t fault_count;
static const char *default_kind = "table";
static struct cpucc_request first_requests[CPUCC_COUNTERS];

const char *cpucc_counter_name(int counter) { return names[counter]; }

void cpucc_reset(void)
{
    totals = (struct cpucc_totals){0};
    memset(first_requests, 0, sizeof first_requests);
}

int cpucc_first_request(int counter, struct cpucc_request *to)
{
    *to = first_requests[counter];
    return to->lanes != 0;
}

uint64_t cpucc_faults(void) { return fault_count; }

void cpucc_default_report(const char *kind) { default_kind = kind; }

void cpucc_read(struct cpucc_totals *to)
{
    *to = totals;
    to->faults = fault_count;
}

static void *grow(void *p, size_t bytes)
{
    p = realloc(p, bytes);
    if (!p) {
        fprintf(stderr, "cpucc: out of memory\n");
        exit(3);
    }
    return p;
}

/* ---- source lines ---- */

/* Ask binutils' addr2line, which comes with the linker; the program was built with line tables. An
 * access inlined from cpucc's own headers belongs to the line that called it. */
static char *find_line(uintptr_t pc)
{
    static char command[128], name[4096], best[4096]; /* fibers' stacks are small */
    best[0] = 0;
    /* A position-independent program is linked at address 0. */
    snprintf(command, sizeof command, "addr2line -i -e /proc/%d/exe 0x%zx 2>/dev/null",
             (int)getpid(), (size_t)(pc - 1 - (uintptr_t)__executable_start));
    FILE *f = popen(command, "r");
    while (f && fgets(name, sizeof name, f)) {
        name[strcspn(name, "\n")] = 0;
        char *more = strstr(name, " (discriminator"); /* " (discriminator 2)" */
        if (more)
            *more = 0;
        /* Wrappers of one instruction belong to the line that calls them. */
        if (!strstr(name, "/cpucc/include/") && !strstr(name, "/cpucc/harness/") &&
            !strstr(name, "/harness/ptx.h") && name[0] != '?') {
            strcpy(best, name);
            break;
        }
    }
    if (f)
        pclose(f);
    /* Paths are as given to the driver; below the current directory they are shown from there. */
    static char here[4096];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    char *shown =
        length && !strncmp(best, here, length) && best[length] == '/' ? best + length + 1 : best;
    return strdup(*shown ? shown : "?");
}

const char *cpucc_line(uintptr_t pc)
{
    static struct {
        uintptr_t pc;
        char *line;
    } cache[1024];
    static int used;
    for (int i = 0; i < used; i++)
        if (cache[i].pc == pc)
            return cache[i].line;
    if (used == 1024)
        return "?";
    cache[used].pc = pc;
    cache[used].line = find_line(pc);
    return cache[used++].line;
}

/* ---- counts ---- */

struct kernel_record *cpucc_begin_record(struct launch *L)
{
    struct kernel_record *r = NULL;
    for (int i = 0; i < kernel_count; i++)
        if (!strcmp(kernels[i]->name, L->config.name))
            r = kernels[i];
    if (!r) {
        kernels = grow(kernels, sizeof *kernels * (size_t)(kernel_count + 1));
        r = kernels[kernel_count++] = calloc(1, sizeof *r);
        r->name = strdup(L->config.name);
    }
    if (r->launch_count == r->launch_room) {
        r->launch_room = r->launch_room ? 2 * r->launch_room : 4;
        r->launches = grow(r->launches, sizeof *r->launches * (size_t)r->launch_room);
    }
    r->launches[r->launch_count] = (struct launch_record){
        .number = r->launch_count + 1, .grid = L->config.grid, .block = L->config.block};
    r->launch_count++;
    return r;
}

void cpucc_end_record(struct launch *L)
{
    struct launch_record *r = &L->record->launches[L->record->launch_count - 1];
    r->shared_bytes = L->static_bytes + L->config.shared;
    if (r->shared_bytes > totals.shared_bytes)
        totals.shared_bytes = r->shared_bytes;
    totals.launches++;
}

void cpucc_count(uintptr_t pc, int counter, uint64_t work, uint64_t ideal)
{
    struct kernel_record *k = cpucc_the_launch->record;
    struct cpucc_count *c[2] = {&k->launches[k->launch_count - 1].counter[counter],
                                &totals.counter[counter]};
    for (int i = 0; i < 2; i++) {
        c[i]->requests++;
        c[i]->work += work;
        c[i]->ideal_work += ideal;
    }
    (void)pc;
}

struct site_count *cpucc_site(struct kernel_record *k, uintptr_t pc)
{
    if (k->site_count * 2 >= k->site_room) {
        struct site_count *old = k->sites;
        int old_room = k->site_room;
        k->site_room = old_room ? 2 * old_room : 64;
        k->sites = calloc((size_t)k->site_room, sizeof *k->sites);
        k->site_count = 0;
        for (int i = 0; i < old_room; i++)
            if (old[i].pc)
                *cpucc_site(k, old[i].pc) = old[i];
        free(old);
    }
    unsigned mask = (unsigned)k->site_room - 1, h = (unsigned)(pc * 2654435761u >> 8) & mask;
    while (k->sites[h].pc && k->sites[h].pc != pc)
        h = (h + 1) & mask;
    if (!k->sites[h].pc) {
        k->sites[h].pc = pc;
        k->site_count++;
    }
    return &k->sites[h];
}

/* Keeps the first request of each kind that the first warp makes, for pictures of it. */
void cpucc_note_request(struct warp *w, uint32_t group, int counter, uint32_t bytes)
{
    struct cpucc_request *r = &first_requests[counter];
    if (r->lanes || w->number || w->block->number)
        return;
    r->lanes = group;
    r->bytes = bytes;
    for (uint32_t m = group; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        r->offset[i] =
            (uint32_t)((w->lane[i].address - (uintptr_t)cpucc_slots) % SLOT_BYTES) - SHARED_START;
    }
}

/* ---- faults ---- */

static const struct {
    enum cpucc_level level;
    const char *word, *text;
} kinds[CPUCC_KIND_COUNT] = {
#define ENTRY(name, level, word, text) {level, word, text},
    CPUCC_KINDS(ENTRY)
#undef ENTRY
};

enum { KEPT = 32 };
static struct fault {
    uintptr_t pc;
    enum cpucc_kind kind;
    char *text, *where;
    uint64_t times;
} faults[KEPT];
static int kept, printed;

void cpucc_fault(struct lane *l, uintptr_t pc, enum cpucc_kind kind, const char *how, ...)
{
    fault_count += kinds[kind].level == FAULT;
    for (int i = 0; i < kept; i++)
        if (faults[i].pc == pc && faults[i].kind == kind) {
            faults[i].times++;
            return;
        }
    if (kept == KEPT)
        return;
    va_list list;
    struct fault *f = &faults[kept++];
    *f = (struct fault){.pc = pc, .kind = kind, .times = 1};
    va_start(list, how);
    if (vasprintf(&f->text, how, list) < 0)
        f->text = NULL;
    va_end(list);
    index3 b = l ? l->warp->block->index : (index3){0, 0, 0}, t = l ? l->tid : (index3){0, 0, 0};
    if (asprintf(&f->where, "kernel %s, block (%u,%u,%u), thread (%u,%u,%u)",
                 cpucc_the_launch ? cpucc_the_launch->config.name : "?", b.x, b.y, b.z, t.x, t.y,
                 t.z) < 0)
        f->where = NULL;
}

void cpucc_print_faults(void)
{
    fflush(stdout);
    for (; printed < kept; printed++) {
        const struct fault *f = &faults[printed];
        fprintf(stderr, "%s: %s: %s: %s\n    in %s", cpucc_line(f->pc),
                kinds[f->kind].level == FAULT ? "fault" : "remark", kinds[f->kind].text, f->text,
                f->where);
        if (f->times > 1)
            fprintf(stderr, ", and %llu times more", (unsigned long long)f->times - 1);
        fprintf(stderr, "\n");
    }
}

/* ---- the report at exit ---- */

static void print_tsv(FILE *to)
{
    fprintf(to, "kernel\tlaunch\tgrid\tblock\tcounter\trequests\twork\tideal_work\n");
    for (int k = 0; k < kernel_count; k++)
        for (int i = 0; i < kernels[k]->launch_count; i++) {
            const struct launch_record *r = &kernels[k]->launches[i];
            for (int c = 0; c < CPUCC_COUNTERS; c++)
                if (r->counter[c].requests)
                    fprintf(to, "%s\t%d\t%u,%u,%u\t%u,%u,%u\t%s\t%llu\t%llu\t%llu\n",
                            kernels[k]->name, r->number, r->grid.x, r->grid.y, r->grid.z,
                            r->block.x, r->block.y, r->block.z, names[c],
                            (unsigned long long)r->counter[c].requests,
                            (unsigned long long)r->counter[c].work,
                            (unsigned long long)r->counter[c].ideal_work);
        }
}

static double ratio(uint64_t a, uint64_t b) { return b ? (double)a / (double)b : 1; }

static void print_row(FILE *to, const char *first, const char *counter, const struct cpucc_count *c)
{
    fprintf(to, "  %-28s %-18s %12llu %12llu %9.2f %9.2f\n", first, counter,
            (unsigned long long)c->requests, (unsigned long long)c->work,
            ratio(c->work, c->requests), ratio(c->work, c->ideal_work));
}

/* Of the worst request of a line, to shared memory: the bank that serves most words to lanes that
 * are served together, and these lanes as a mask. Returns -1 if no bank serves two words. */
static int worst_bank(const struct site_count *s, uint32_t *lanes)
{
    struct traffic_wavefront wave[TRAFFIC_MAX_WAVEFRONTS];
    int waves = traffic_wavefronts(&s->worst, wave), most = 1, bank = -1;
    for (int first = 0, end; first < waves; first = end) {
        for (end = first; end < waves && wave[end].group == wave[first].group;)
            end++;
        for (int b = 0; b < TRAFFIC_BANKS; b++) {
            uint32_t wanting = 0;
            int words = 0;
            for (int i = first; i < end; i++)
                wanting |= wave[i].lanes[b], words += wave[i].lanes[b] != 0;
            if (words > most)
                most = words, bank = b, *lanes = wanting;
        }
    }
    return bank;
}

static bool worst_is_global(const struct site_count *s)
{
    return s->worst.kind == TRAFFIC_GLOBAL_LOAD || s->worst.kind == TRAFFIC_GLOBAL_STORE;
}

/* The worst request of a line: which lanes meet in which bank. */
static void print_worst(FILE *to, const struct site_count *s)
{
    if (s->worst_work <= s->worst_ideal)
        return;
    fprintf(to, "    worst: %llu where %llu would do, block %u warp %u;",
            (unsigned long long)s->worst_work, (unsigned long long)s->worst_ideal, s->worst_block,
            s->worst_warp);
    if (worst_is_global(s)) {
        fprintf(to, " %d bytes each, %d lanes from address 0x%llx\n", s->worst.bytes,
                __builtin_popcount(s->worst.lanes),
                (unsigned long long)s->worst.address[__builtin_ctz(s->worst.lanes)]);
        return;
    }
    uint32_t lanes = 0;
    int bank = worst_bank(s, &lanes), shown = 0;
    if (bank < 0) {
        fprintf(to, " no bank conflict, but lanes that are not served together\n");
        return;
    }
    fprintf(to, " bank %d serves lanes", bank);
    for (uint32_t m = lanes; m; m &= m - 1)
        if (shown++ < 8)
            fprintf(to, " %d", __builtin_ctz(m));
    fprintf(to, "%s\n", shown > 8 ? " ..." : "");
}

/* One counter of one line as TSV. The bank and the lanes are those of the worst request, where that
 * is one of this counter, to shared memory, and has a conflict; else they are nan. */
static void print_line_row(FILE *to, const char *kernel, const char *line,
                           const struct site_count *s, int counter)
{
    const struct cpucc_count *c = &s->counter[counter];
    const char *colon = strrchr(line, ':');
    uint32_t lanes = 0;
    int length = colon ? (int)(colon - line) : (int)strlen(line), bank = -1;
    fprintf(to, "%s\t%.*s\t%s\t%s\t%llu\t%llu\t%llu\t", kernel, length, line,
            colon ? colon + 1 : "nan", names[counter], (unsigned long long)c->requests,
            (unsigned long long)c->work, (unsigned long long)c->ideal_work);
    if (s->worst_counter == counter && s->worst_work > s->worst_ideal && !worst_is_global(s))
        bank = worst_bank(s, &lanes);
    if (bank < 0) {
        fprintf(to, "nan\tnan\n");
        return;
    }
    fprintf(to, "%d\t%d", bank, __builtin_ctz(lanes));
    for (uint32_t m = lanes & (lanes - 1); m; m &= m - 1)
        fprintf(to, " %d", __builtin_ctz(m));
    putc('\n', to);
}

static int by_pc(const void *a, const void *b)
{
    uintptr_t x = ((const struct site_count *)a)->pc, y = ((const struct site_count *)b)->pc;
    return x < y ? -1 : x > y;
}

/* Accesses of one source line are one row, however often the compiler copied the line. */
static void print_lines(FILE *to, struct kernel_record *k, bool tsv)
{
    int n = 0;
    struct site_count *list = calloc((size_t)k->site_count + 1, sizeof *list);
    for (int i = 0; i < k->site_room; i++)
        if (k->sites[i].pc)
            list[n++] = k->sites[i];
    qsort(list, (size_t)n, sizeof *list, by_pc);
    for (int i = 0; i < n; i++) {
        const char *line = cpucc_line(list[i].pc);
        bool seen = false;
        for (int j = 0; j < i; j++)
            seen |= !strcmp(cpucc_line(list[j].pc), line);
        if (seen)
            continue;
        struct site_count sum = list[i];
        for (int j = i + 1; j < n; j++)
            if (!strcmp(cpucc_line(list[j].pc), line)) {
                for (int c = 0; c < CPUCC_COUNTERS; c++) {
                    sum.counter[c].requests += list[j].counter[c].requests;
                    sum.counter[c].work += list[j].counter[c].work;
                    sum.counter[c].ideal_work += list[j].counter[c].ideal_work;
                }
                if (list[j].worst_work * (sum.worst_ideal ? sum.worst_ideal : 1) >
                    sum.worst_work * (list[j].worst_ideal ? list[j].worst_ideal : 1)) {
                    struct site_count keep = list[j];
                    memcpy(keep.counter, sum.counter, sizeof keep.counter);
                    sum = keep;
                }
            }
        const char *shown = strrchr(line, '/') ? strrchr(line, '/') + 1 : line;
        for (int c = 0; c < CPUCC_COUNTERS; c++)
            if (sum.counter[c].requests && tsv)
                print_line_row(to, k->name, shown, &sum, c);
            else if (sum.counter[c].requests)
                print_row(to, shown, names[c], &sum.counter[c]);
        if (!tsv)
            print_worst(to, &sum);
    }
    free(list);
}

static void print_table(FILE *to)
{
    for (int k = 0; k < kernel_count; k++) {
        const struct launch_record *r = &kernels[k]->launches[kernels[k]->launch_count - 1];
        struct launch_record sum = *r;
        for (int i = 0; i < kernels[k]->launch_count - 1; i++)
            for (int c = 0; c < CPUCC_COUNTERS; c++) {
                sum.counter[c].requests += kernels[k]->launches[i].counter[c].requests;
                sum.counter[c].work += kernels[k]->launches[i].counter[c].work;
                sum.counter[c].ideal_work += kernels[k]->launches[i].counter[c].ideal_work;
            }
        fprintf(to,
                "%s, %d launch%s, last: grid %u,%u,%u block %u,%u,%u, %llu bytes of shared memory "
                "per block\n",
                kernels[k]->name, kernels[k]->launch_count,
                kernels[k]->launch_count == 1 ? "" : "es", r->grid.x, r->grid.y, r->grid.z,
                r->block.x, r->block.y, r->block.z, (unsigned long long)r->shared_bytes);
        fprintf(to, "  %-28s %-18s %12s %12s %9s %9s\n", "", "counter", "requests", "work",
                "work/req", "conflict");
        for (int c = 0; c < CPUCC_COUNTERS; c++)
            if (sum.counter[c].requests)
                print_row(to, "all lines", names[c], &sum.counter[c]);
        print_lines(to, kernels[k], false);
    }
}

static void print_line_tsv(FILE *to)
{
    fprintf(to,
            "kernel\tsource\tline\tcounter\trequests\twork\tideal_work\tworst_bank\tworst_lanes\n");
    for (int k = 0; k < kernel_count; k++)
        print_lines(to, kernels[k], true);
}

static void at_exit_report(int status, void *unused)
{
    (void)unused;
    const char *kind = getenv("CPUCC_REPORT"), *path = getenv("CPUCC_REPORT_FILE");
    if (!kind || !*kind)
        kind = path && *path && !strcmp(default_kind, "off") ? "table" : default_kind;
    if (strcmp(kind, "off") && strcmp(kind, "tsv") && strcmp(kind, "lines") &&
        strcmp(kind, "table"))
        fprintf(stderr, "CPUCC_REPORT=%s: table, tsv, lines or off is meant; this is table\n",
                kind);
    fflush(stdout);
    if (strcmp(kind, "off")) {
        FILE *to = path && *path ? fopen(path, "w") : stderr;
        if (!to) {
            fprintf(stderr, "cpucc: cannot write %s\n", path);
            _exit(2);
        }
        if (!strcmp(kind, "tsv"))
            print_tsv(to);
        else if (!strcmp(kind, "lines"))
            print_line_tsv(to);
        else
            print_table(to);
        if (to != stderr)
            fclose(to);
    }
    if (fault_count) {
        fprintf(stderr, "cpucc: %llu fault%s\n", (unsigned long long)fault_count,
                fault_count == 1 ? "" : "s");
        fflush(NULL);
        if (status == 0)
            _exit(1);
    }
}

void cpucc_report_start(void) { on_exit(at_exit_report, NULL); }
