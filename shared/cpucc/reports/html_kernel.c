/* Writes one kernel of the HTML report: its lines, the recorded requests, and the events of a
 * block, which the page plays step by step. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../execution/async.h"
#include "report_html.h"

/* Numbers the patterns and boxes of the kernel that the report refers to. Assigning a number also
 * writes the pattern or box to `to`. */
static struct numbering {
    int *of, *list, count, capacity; /* of[trace.c's number]: the report's + 1; list: the reverse */
    FILE *to;
    char *text;
    size_t size;
} pattern_numbers, box_numbers;
static const char **place_list;

static void put_pattern(FILE *to, const struct trace_pattern *p);
static void put_box(FILE *to, const struct trace_box *b);

/* Returns the report's number of trace.c's number i. */
static int numbered(struct numbering *n, int i)
{
    if (i < 0)
        return -1;
    if (i >= n->capacity) {
        int capacity = 2 * i + 64;
        n->of = cpucc_nonnull(realloc(n->of, sizeof *n->of * (size_t)capacity));
        n->list = cpucc_nonnull(realloc(n->list, sizeof *n->list * (size_t)capacity));
        memset(n->of + n->capacity, 0, sizeof *n->of * (size_t)(capacity - n->capacity));
        n->capacity = capacity;
    }
    if (!n->of[i]) {
        n->list[n->count] = i;
        n->of[i] = ++n->count;
        fputs(n->count > 1 ? ",\n" : "", n->to);
        if (n == &pattern_numbers)
            put_pattern(n->to, cpucc_trace_pattern(i));
        else
            put_box(n->to, cpucc_trace_box(i));
    }
    return n->of[i] - 1;
}

/* Prepares the numbering for another kernel. */
static void start_numbers(struct numbering *n)
{
    for (int i = 0; i < n->count; i++)
        n->of[n->list[i]] = 0;
    n->count = 0;
    n->to = cpucc_nonnull(open_memstream(&n->text, &n->size));
}

/* Writes the patterns or boxes that have numbers. */
static void put_numbered(FILE *to, const char *name, struct numbering *n)
{
    fclose(n->to);
    fprintf(to, ",\n\"%s\":[%s]", name, n->text);
    free(n->text);
}

static int place_count;
/* Returns the report's number of the pc's "file:line". */
static int place_of(uintptr_t pc)
{
    const char *place = pc ? cpucc_line(pc) : "?";
    int i = 0;
    while (i < place_count && strcmp(place_list[i], place))
        i++;
    if (i == place_count)
        *ADD_TO(place_list, place_count) = place;
    return i;
}

static void put_counters(FILE *to, const struct cpucc_count *counter)
{
    const char *comma = "";
    fprintf(to, "\"counters\":{");
    for (int c = 0; c < CPUCC_COUNTERS; c++)
        if (counter[c].requests) {
            fprintf(to, "%s\"%s\":[%llu,%llu,%llu]", comma, cpucc_counter_name(c),
                    (unsigned long long)counter[c].requests, (unsigned long long)counter[c].work,
                    (unsigned long long)counter[c].ideal_work);
            comma = ",";
        }
    putc('}', to);
}

/* Writes the offsets of the active lanes: the first, then pairs of a step and its repetitions. */
static void put_offsets(FILE *to, const struct trace_pattern *p, int side)
{
    int64_t last = 0, step = 0;
    int times = 0;
    const char *open = "[";
    for (uint32_t m = p->lanes; m; m &= m - 1) {
        int64_t now = p->offset[side][__builtin_ctz(m)];
        if (*open == '[') {
            fprintf(to, "[%lld", (long long)now);
            open = "";
        } else if (times && now - last == step) {
            times++;
        } else {
            if (times)
                fprintf(to, ",%lld,%d", (long long)step, times);
            step = now - last, times = 1;
        }
        last = now;
    }
    if (times)
        fprintf(to, ",%lld,%d", (long long)step, times);
    fprintf(to, *open ? "[]" : "]");
}

/* Writes the wavefront that serves each word of each active lane, as a base-36 digit, and the group
 * of lanes that each wavefront serves. Writes nothing if the model has no wavefronts here. */
static void put_wavefronts(FILE *to, const struct trace_pattern *p, int side, bool store)
{
    static struct traffic_wavefront wave[TRAFFIC_MAX_WAVEFRONTS];
    struct traffic_request r = {
        store ? TRAFFIC_SHARED_STORE : TRAFFIC_SHARED_LOAD, p->bytes, p->lanes, {0}};
    for (int i = 0; i < WARP; i++)
        r.address[i] = (uint64_t)p->offset[side][i];
    int waves = traffic_wavefronts(&r, wave);
    if (waves != p->work[side])
        return;
    fprintf(to, ",\"v\":\"");
    for (uint32_t m = p->lanes; m; m &= m - 1)
        for (int lane = __builtin_ctz(m), b = 0; b < p->bytes; b += 4) {
            uint64_t word = (r.address[lane] + (unsigned)b) / 4;
            int w = 0;
            while (w < waves - 1 &&
                   !(wave[w].lanes[word % 32] >> lane & 1 && wave[w].word[word % 32] == word))
                w++;
            putc("0123456789abcdefghijklmnopqrstuvwxyz"[w], to);
        }
    fprintf(to, "\",\"g\":[");
    for (int w = 0; w < waves; w++)
        fprintf(to, "%s%d", w ? "," : "", wave[w].group);
    putc(']', to);
}

static void put_pattern(FILE *to, const struct trace_pattern *p)
{
    int c = p->counter;
    fprintf(to, "{\"c\":\"%s\",\"b\":%d,\"m\":%d,\"w\":%d,\"i\":%d,\"o\":",
            c < 0 ? "atomic" : cpucc_counter_name(c), p->bytes, (int)p->lanes, p->work[0],
            p->ideal[0]);
    put_offsets(to, p, 0);
    if (c == CPUCC_SHARED_LOAD || c == CPUCC_SHARED_STORE)
        put_wavefronts(to, p, 0, c == CPUCC_SHARED_STORE);
    if (c == CPUCC_ASYNC_COPY_GLOBAL) {
        fprintf(to, ",\"z\":%d,\"w2\":%d,\"i2\":%d,\"o2\":", p->zeros, p->work[1], p->ideal[1]);
        put_offsets(to, p, 1);
        put_wavefronts(to, p, 1, true);
    }
    putc('}', to);
}

static void put_box(FILE *to, const struct trace_box *b)
{
    fprintf(to, "{\"bytes\":%u,\"inside\":%u,\"element\":%d,\"swizzle\":%d,\"box\":[", b->bytes,
            b->inside, b->element_bytes, b->swizzle ? 16 << b->swizzle : 0);
    for (int i = 0; i < b->rank; i++)
        fprintf(to, "%s%d", i ? "," : "", b->box[i]);
    fprintf(to, "],\"dim\":[");
    for (int i = 0; i < b->rank; i++)
        fprintf(to, "%s%llu", i ? "," : "", (unsigned long long)b->dim[i]);
    fprintf(to, "],\"pieces\":[");
    for (int i = 0; i < b->count; i++)
        fprintf(to, "%s%d,%d", i ? "," : "", b->pieces[i].shared,
                b->pieces[i].inside ? b->pieces[i].bytes : -(int)b->pieces[i].bytes);
    fprintf(to, "]}");
}

static void put_sample(FILE *to, const struct trace_sample *s, bool tma)
{
    int number = tma ? numbered(&box_numbers, s->box)
                     : numbered(&pattern_numbers, cpucc_trace_number(&s->pattern));
    fprintf(to, "[%d,%u,%u,", number, s->block, s->warp);
    cpucc_put_place(to, s->at);
    if (tma || s->other) {
        putc(',', to);
        cpucc_put_place(to, s->other);
    }
    putc(']', to);
}

/* Writes the first and the worst request of one line and counter, over all pcs of the line. */
static void put_samples(FILE *to, const struct trace_kernel *t, const char *place, int counter)
{
    const struct trace_site *first = NULL, *worst = NULL;
    bool tma = counter == CPUCC_TMA_LOAD || counter == CPUCC_TMA_STORE;
    EACH_RECORD(const struct trace_site, s, t->sites) {
        if (s->counter != counter || strcmp(cpucc_line(s->pc), place))
            continue;
        if (!first || s->first.order < first->first.order)
            first = s;
        uint64_t a = worst ? s->work * (worst->ideal ? worst->ideal : 1) : 1,
                 b = worst ? worst->work * (s->ideal ? s->ideal : 1) : 0;
        if (a > b || (a == b && s->worst.order < worst->worst.order))
            worst = s;
    }
    if (!first)
        return;
    fprintf(to, "{\"first\":");
    put_sample(to, &first->first, tma);
    fprintf(to, ",\"worst\":");
    put_sample(to, &worst->worst, tma);
    if (!tma) {
        static char advice[800];
        cpucc_advise(counter, &worst->worst.pattern, counter == CPUCC_ASYNC_COPY_SHARED, advice,
                     sizeof advice);
        cpucc_put_after(to, ",\"advice\":", advice);
    }
    putc('}', to);
}

/* Writes [counter, word, text] for each reason why counts may differ from the hardware's. */
static void put_may_differ(FILE *to, const unsigned *may_differ)
{
    const char *comma = "";
    fprintf(to, ",\"doubts\":[");
    for (int c = 0; c < CPUCC_COUNTERS; c++)
        for (int i = 0; i < MAY_DIFFER_COUNT; i++)
            if (may_differ[c] >> i & 1) {
                fprintf(to, "%s[\"%s\",\"%s\",", comma, cpucc_counter_name(c),
                        cpucc_may_differ_word(i));
                cpucc_put_string(to, cpucc_may_differ_text(i));
                putc(']', to);
                comma = ",";
            }
    putc(']', to);
}

/* Writes the counts of each array of the line, per counter that has several, and the bytes of merged accesses. */
static void put_arrays(FILE *to, const struct line_count *line)
{
    const char *comma = "";
    fprintf(to, ",\"arrays\":[");
    for (int i = 0; i < line->array_count; i++)
        for (int c = 0; c < CPUCC_COUNTERS; c++) {
            const struct cpucc_count *n = &line->array[i].counter[c];
            if (!n->requests || cpucc_arrays_with(line, c) < 2)
                continue;
            fprintf(to, "%s[\"%s\",", comma, cpucc_counter_name(c));
            cpucc_put_string(to, line->array[i].name ? line->array[i].name : "?");
            fprintf(to, ",%llu,%llu,%llu]", (unsigned long long)n->requests,
                    (unsigned long long)n->work, (unsigned long long)n->ideal_work);
            comma = ",";
        }
    fprintf(to, "],\"merged\":[");
    comma = "";
    for (int c = 0; c < CPUCC_COUNTERS; c++)
        if (line->merged[c]) {
            fprintf(to, "%s[\"%s\",%d]", comma, cpucc_counter_name(c), line->merged[c]);
            comma = ",";
        }
    putc(']', to);
}

static void put_lines(FILE *to, const struct kernel_record *k, const struct trace_kernel *t)
{
    int count;
    struct line_count *line = cpucc_lines(k, &count);
    fprintf(to, ",\n\"lines\":[");
    for (int i = 0; i < count; i++) {
        int number, file = cpucc_file_of(line[i].place, &number);
        const char *comma = "";
        fprintf(to, "%s\n{\"file\":%d,\"line\":%d,", i ? "," : "", file, number);
        put_counters(to, line[i].sum.counter);
        put_arrays(to, &line[i]);
        put_may_differ(to, line[i].may_differ);
        fprintf(to, ",\"samples\":{");
        for (int c = 0; t && c < CPUCC_COUNTERS; c++)
            if (line[i].sum.counter[c].requests) {
                fprintf(to, "%s\"%s\":", comma, cpucc_counter_name(c));
                long before = ftell(to);
                put_samples(to, t, line[i].place, c);
                if (ftell(to) == before)
                    fputs("null", to);
                comma = ",";
            }
        fprintf(to, "}}");
    }
    putc(']', to);
    free(line);
}

/* Writes an event as a list that begins with kind, warp and place. */
static void put_event(FILE *to, const struct trace_event *e)
{
    int place = place_of(e->pc);
    switch (e->kind) {
    case TRACE_REQUEST:
    case TRACE_ATOMIC:
    case TRACE_COPY:
        fprintf(to, "[%d,%d,%d,%d,", e->kind, e->warp, place,
                numbered(&pattern_numbers, e->pattern));
        cpucc_put_place(to, e->at);
        if (e->kind == TRACE_COPY) {
            putc(',', to);
            cpucc_put_place(to, e->other);
        }
        break;
    case TRACE_TMA:
        fprintf(to, "[%d,%d,%d,%d,", e->kind, e->warp, place, numbered(&box_numbers, e->pattern));
        cpucc_put_place(to, e->at);
        putc(',', to);
        cpucc_put_place(to, e->other);
        for (int i = 0; i < 5; i++)
            fprintf(to, ",%d", e->value[i]);
        fprintf(to, ",%d", e->load);
        break;
    case TRACE_FAULT:
        fprintf(to, "[%d,%d,%d,%d,", e->kind, e->warp, place, (int)e->lanes);
        cpucc_put_place(to, e->at);
        fprintf(to, ",%d", e->value[0]);
        break;
    case TRACE_MBARRIER:
        fprintf(to, "[%d,%d,%d,%d,", e->kind, e->warp, place, (int)e->lanes);
        if (e->at & TRACE_SHARED)
            fprintf(to, "%d", (int)(uint32_t)e->at);
        else
            fprintf(to, "%d", -1 - (int)(e->at - CPUCC_NAMED_BARRIERS));
        for (int i = 0; i < 5; i++)
            fprintf(to, ",%d", e->value[i]);
        break;
    default:
        fprintf(to, "[%d,%d,%d,%d,%d,%d", e->kind, e->warp, place, (int)e->lanes, e->value[0],
                e->value[1]);
    }
    putc(']', to);
}

static long numbers_bytes(void) { return ftell(pattern_numbers.to) + ftell(box_numbers.to); }

/* Writes as many events of a block as fit into `bytes` bytes. */
static void put_block(FILE *to, const char *name, const struct trace_block *b, long bytes)
{
    int shown = 0;
    long start = ftell(to) + numbers_bytes();
    fprintf(to,
            ",\n\"%s\":{\"number\":%u,\"index\":[%u,%u,%u],\"launch\":%d,\"dynamic\":%u,"
            "\"variables\":[",
            name, b->number, b->index.x, b->index.y, b->index.z, b->launch, b->dynamic_bytes);
    for (int i = 0; i < b->variable_count; i++) {
        const struct trace_variable *v = &b->variables[i];
        cpucc_put_after(to, i ? ",{\"name\":" : "{\"name\":", v->name);
        cpucc_put_after(to, ",\"type\":", v->type ? v->type : "");
        fprintf(to, ",\"offset\":%u,\"bytes\":%u}", v->offset, v->bytes);
    }
    fprintf(to, "],\n\"events\":[");
    for (; shown < b->count && ftell(to) - start + numbers_bytes() < bytes; shown++) {
        if (shown)
            putc(',', to);
        put_event(to, &b->events[shown]);
    }
    fprintf(to, "],\"left\":%d}", b->count - shown + b->left_out);
}

static void put_parameters(FILE *to, const struct trace_kernel *t)
{
    const char *name = t->arguments.names ? t->arguments.names : "";
    fprintf(to, ",\"parameters\":[");
    for (int i = 0; i < t->arguments.count; i++) {
        const struct argument *p = &t->arguments.argument[i];
        size_t length = strcspn(name, ",");
        fprintf(to, "%s{\"name\":", i ? "," : "");
        if (length > 1 && name[1] != '?')
            cpucc_put_text(to, name + 1, length - 1);
        else
            fprintf(to, "\"argument %d\"", i + 1);
        if (*name == 'p' && p->bytes == 8) {
            fprintf(to, ",\"at\":[");
            cpucc_put_place(to, p->value);
            putc(']', to);
        } else if (*name == 'i' && p->bytes) {
            fprintf(to, ",\"value\":%lld",
                    p->bytes == 4 ? (long long)(int32_t)p->value : (long long)p->value);
        }
        putc('}', to);
        name += length + (name[length] == ',');
    }
    putc(']', to);
}

void cpucc_put_kernel(FILE *to, const struct kernel_record *k, long bytes)
{
    const struct trace_kernel *t = cpucc_traced(k);
    const struct launch_record *r = &k->launches[k->launch_count - 1];
    struct cpucc_count sum[CPUCC_COUNTERS];
    unsigned may_differ[CPUCC_COUNTERS] = {0};
    long start = ftell(to);
    start_numbers(&pattern_numbers);
    start_numbers(&box_numbers);
    place_count = 0;
    cpucc_sum_launches(k, sum, may_differ);
    cpucc_put_after(to, "{\"name\":", k->name);
    fprintf(to, ",\"launches\":%d,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared\":%llu,",
            k->launch_count, r->grid.x, r->grid.y, r->grid.z, r->block.x, r->block.y, r->block.z,
            (unsigned long long)r->shared_bytes);
    put_counters(to, sum);
    put_may_differ(to, may_differ);
    fprintf(to, ",\n\"called\":[");
    for (int n = 0; n < CALLED && k->called[n]; n++) {
        fputs(n ? "," : "", to);
        cpucc_put_string(to, k->called[n]);
    }
    fprintf(to, "],\"first\":%d", k->first);
    if (t) {
        put_parameters(to, t);
        cpucc_put_trials(to, t);
        cpucc_put_exchange(to, t);
    }
    put_lines(to, k, t);
    bytes -= ftell(to) - start + numbers_bytes();
    if (t && t->faulty && t->faulty != t->block)
        put_block(to, "faulty", t->faulty, bytes / 2);
    if (t && t->block)
        put_block(to, "trace", t->block, t->faulty && t->faulty != t->block ? bytes / 2 : bytes);
    fprintf(to, ",\n\"places\":[");
    for (int i = 0; i < place_count; i++) {
        int line, file = cpucc_file_of(place_list[i], &line);
        fprintf(to, "%s[%d,%d]", i ? "," : "", file, line);
    }
    putc(']', to);
    put_numbered(to, "patterns", &pattern_numbers);
    put_numbered(to, "boxes", &box_numbers);
    putc('}', to);
}
