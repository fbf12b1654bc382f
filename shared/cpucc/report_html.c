/*
 * The page of a run: what trace.c has kept, the counts and the sources as JSON in one HTML file that
 * needs nothing else. The page itself is page/; this file writes its data, which page/page.js
 * describes as types.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "async.h"
#include "report.h"
#include "trace.h"

enum {
    PAGE_BYTES = 900000, /* of what is not the template, as far as it can be left out */
    SOURCE_BYTES = 200000,
    AROUND = 40 /* lines shown beside one that counts, in a long file */
};

#define INCLUDE(name, file)                                                                        \
    __asm__(".section .rodata\n.global cpucc_" #name "\ncpucc_" #name ": .incbin \"" file          \
            "\"\n.byte 0\n.previous\n");                                                           \
    extern const char cpucc_##name[] __attribute__((visibility("hidden")))
INCLUDE(page_html, "page.html");
INCLUDE(page_css, "page.css");
INCLUDE(page_colours, "colours.css");
INCLUDE(page_data, "data.js");
INCLUDE(page_picture, "picture.js");
INCLUDE(page_player, "player.js");
INCLUDE(page_memory, "memory.js");
INCLUDE(page_view, "view.js");
INCLUDE(page_main, "page.js");

static void *must(void *p)
{
    if (!p) {
        fprintf(stderr, "cpucc: out of memory\n");
        exit(3);
    }
    return p;
}

/* ---- text that may be anything ---- */

/* Bytes of the UTF-8 character at p, 0 if it is none. */
static int character(const unsigned char *p, size_t left)
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

/* A JSON string that may stand in a script element: what HTML or JavaScript could take for its own
 * is escaped. */
static void put_text(FILE *to, const char *text, size_t length)
{
    putc('"', to);
    for (size_t i = 0; i < length;) {
        const unsigned char *c = (const unsigned char *)text + i;
        int n = character(c, length - i);
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

static void put_string(FILE *to, const char *text) { put_text(to, text, strlen(text)); }

static void put_html(FILE *to, const char *text)
{
    for (size_t left = strlen(text); left;) {
        int n = character((const unsigned char *)text, left);
        if (!n ||
            (n == 1 && (strchr("<>&\"'", *text) || ((unsigned char)*text < 32 && *text != '\n'))))
            fprintf(to, n ? "&#%d;" : "&#65533;", (unsigned char)*text);
        else
            fwrite(text, 1, (size_t)n, to);
        text += n ? n : 1, left -= n ? (size_t)n : 1;
    }
}

/* ---- files, and places in them ---- */

static struct file {
    char *path;
    unsigned char *used; /* by line: the page speaks of it */
    int room;
} * files;
static int file_count;

/* The file and the line of "file:line", the line 0 where it is unknown. */
static int file_of(const char *place, int *line)
{
    const char *number;
    int length = cpucc_line_parts(place, &number), i = 0;
    *line = strspn(number, "0123456789") == strlen(number) ? atoi(number) : 0;
    while (i < file_count &&
           (strncmp(files[i].path, place, (size_t)length) || files[i].path[length]))
        i++;
    if (i == file_count) {
        files = must(realloc(files, sizeof *files * (size_t)(file_count + 1)));
        files[file_count++] = (struct file){.path = must(strndup(place, (size_t)length))};
    }
    struct file *f = &files[i];
    if (*line >= f->room) {
        int room = *line + 256;
        f->used = must(realloc(f->used, (size_t)room));
        memset(f->used + f->room, 0, (size_t)(room - f->room));
        f->room = room;
    }
    f->used[*line] = 1;
    return i;
}

/* What the reader knows the file by: its name, or the path if another file is called so. */
static const char *short_name(int file)
{
    const char *slash = strrchr(files[file].path, '/'),
               *name = slash ? slash + 1 : files[file].path;
    for (int i = 0; i < file_count; i++) {
        const char *s = strrchr(files[i].path, '/');
        if (i != file && !strcmp(s ? s + 1 : files[i].path, name))
            return files[file].path;
    }
    return name;
}

static bool near_used(const struct file *f, int line)
{
    for (int i = line - AROUND; i <= line + AROUND; i++)
        if (i > 0 && i < f->room && f->used[i])
            return true;
    return false;
}

/* The text in parts: [[first line, "line", ...], ...]. */
static void put_source(FILE *to, const struct file *f)
{
    FILE *from = fopen(f->path, "r");
    char *text = NULL;
    size_t room = 0, written = 0;
    ssize_t length;
    bool whole = true, open = false;
    int line = 0;
    putc('[', to);
    if (from && !fseek(from, 0, SEEK_END) && ftell(from) > SOURCE_BYTES / 4)
        whole = false;
    if (from)
        rewind(from);
    const char *comma = "";
    while (from && (length = getline(&text, &room, from)) >= 0) {
        line++;
        if ((!whole && !near_used(f, line)) || written > SOURCE_BYTES) {
            if (open)
                putc(']', to);
            open = false;
            continue;
        }
        while (length && strchr("\r\n", text[length - 1]))
            length--;
        if (length > 1000)
            length = 1000;
        if (!open)
            fprintf(to, "%s[%d", comma, line);
        open = true, comma = ",";
        putc(',', to);
        put_text(to, text, (size_t)length);
        written += (size_t)length;
    }
    fprintf(to, open ? "]]" : "]");
    free(text);
    if (from)
        fclose(from);
}

static void put_files(FILE *to)
{
    for (int i = 0; i < file_count; i++) {
        fprintf(to, "%s\n{\"name\":", i ? "," : "");
        put_string(to, short_name(i));
        fprintf(to, ",\"text\":");
        put_source(to, &files[i]);
        putc('}', to);
    }
}

/* ---- memory ---- */

static struct region {
    uintptr_t start;
    size_t bytes;
    char *name, *type, *where;
} * regions;
static int region_count;

static int add_region(struct region r)
{
    for (int i = 0; i < region_count; i++)
        if (regions[i].start == r.start)
            return i;
    regions = must(realloc(regions, sizeof *regions * (size_t)(region_count + 1)));
    regions[region_count] = r;
    return region_count++;
}

/* [region, offset]: an allocation or variable; region -1 the block's shared memory, -2 no region
 * and the address itself, -3 - r that of the block with rank r. */
static void put_place(FILE *to, uint64_t at)
{
    if (at & TRACE_SHARED) {
        int rank = (int)(at >> TRACE_RANK_SHIFT & 0xffff);
        fprintf(to, "%d,%d", rank ? -2 - rank : -1, (int)(uint32_t)at);
        return;
    }
    const struct allocation *a = cpucc_allocation_near(at);
    long offset;
    const struct device_part *v = a ? NULL : cpucc_variable_near(at, &offset);
    if (a)
        fprintf(to, "%d,%lld",
                add_region((struct region){(uintptr_t)a->start, a->bytes, NULL, NULL,
                                           a->pc ? strdup(cpucc_line(a->pc)) : NULL}),
                (long long)(at - (uintptr_t)a->start));
    else if (v)
        fprintf(to, "%d,%ld",
                add_region((struct region){(uintptr_t)v->address, v->bytes, strdup(v->source),
                                           v->type ? strdup(v->type) : NULL, NULL}),
                offset);
    else
        fprintf(to, "-2,%llu", (unsigned long long)at);
}

static void put_regions(FILE *to)
{
    for (int i = 0; i < region_count; i++) {
        fprintf(to, "%s{\"bytes\":%zu", i ? "," : "", regions[i].bytes);
        if (regions[i].name) {
            fprintf(to, ",\"name\":");
            put_string(to, regions[i].name);
        }
        if (regions[i].type) {
            fprintf(to, ",\"type\":");
            put_string(to, regions[i].type);
        }
        if (regions[i].where) {
            fprintf(to, ",\"where\":");
            put_string(to, regions[i].where);
        }
        putc('}', to);
    }
}

/* ---- one kernel ---- */

/* The kernel's patterns and boxes, as far as something speaks of them: their text is written when
 * they get their numbers. */
static struct numbering {
    int *of, *list, count, room; /* the page's number + 1 of one of ours, and back */
    FILE *to;
    char *text;
    size_t size;
} pattern_numbers, box_numbers;
static const char **place_list;

static void put_pattern(FILE *to, const struct trace_pattern *p);
static void put_box(FILE *to, const struct trace_box *b);

static int numbered(struct numbering *n, int i)
{
    if (i < 0)
        return -1;
    if (i >= n->room) {
        int room = 2 * i + 64;
        n->of = must(realloc(n->of, sizeof *n->of * (size_t)room));
        n->list = must(realloc(n->list, sizeof *n->list * (size_t)room));
        memset(n->of + n->room, 0, sizeof *n->of * (size_t)(room - n->room));
        n->room = room;
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

static void start_numbers(struct numbering *n)
{
    for (int i = 0; i < n->count; i++)
        n->of[n->list[i]] = 0;
    n->count = 0;
    n->to = must(open_memstream(&n->text, &n->size));
}

static void put_numbered(FILE *to, const char *name, struct numbering *n)
{
    fclose(n->to);
    fprintf(to, ",\n\"%s\":[%s]", name, n->text);
    free(n->text);
}

static int place_count;
static int place_of(uintptr_t pc)
{
    const char *place = pc ? cpucc_line(pc) : "?";
    int i = 0;
    while (i < place_count && strcmp(place_list[i], place))
        i++;
    if (i == place_count) {
        place_list = must(realloc(place_list, sizeof *place_list * (size_t)(place_count + 1)));
        place_list[place_count++] = place;
    }
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

/* Offsets of the active lanes: the first, then steps and how often each comes. */
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

/* Which wavefront serves each word of each active lane, a digit in base 36 for each; and which lanes
 * belong together. Nothing if the model has no wavefronts for the request. */
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
    put_place(to, s->at);
    if (tma || s->other) {
        putc(',', to);
        put_place(to, s->other);
    }
    putc(']', to);
}

/* The first and the worst request of one line and counter, of all places that the compiler made of
 * that line. */
static void put_samples(FILE *to, const struct trace_kernel *t, const char *place, int counter)
{
    const struct trace_site *first = NULL, *worst = NULL;
    bool tma = counter == CPUCC_TMA_LOAD || counter == CPUCC_TMA_STORE;
    for (int i = 0; i < t->site_room; i++) {
        const struct trace_site *s = &t->sites[i];
        if (!s->pc || s->counter != counter || strcmp(cpucc_line(s->pc), place))
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
        fprintf(to, ",\"advice\":");
        put_string(to, advice);
    }
    putc('}', to);
}

static void put_lines(FILE *to, const struct kernel_record *k, const struct trace_kernel *t)
{
    int count;
    struct line_count *line = cpucc_lines(k, &count);
    fprintf(to, ",\n\"lines\":[");
    for (int i = 0; i < count; i++) {
        int number, file = file_of(line[i].place, &number);
        const char *comma = "";
        fprintf(to, "%s\n{\"file\":%d,\"line\":%d,", i ? "," : "", file, number);
        put_counters(to, line[i].sum.counter);
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

static void put_event(FILE *to, const struct trace_event *e)
{
    int place = place_of(e->pc);
    switch (e->kind) {
    case TRACE_REQUEST:
    case TRACE_ATOMIC:
    case TRACE_COPY:
        fprintf(to, "[%d,%d,%d,%d,", e->kind, e->warp, place,
                numbered(&pattern_numbers, e->pattern));
        put_place(to, e->at);
        if (e->kind == TRACE_COPY) {
            putc(',', to);
            put_place(to, e->other);
        }
        break;
    case TRACE_TMA:
        fprintf(to, "[%d,%d,%d,%d,", e->kind, e->warp, place, numbered(&box_numbers, e->pattern));
        put_place(to, e->at);
        putc(',', to);
        put_place(to, e->other);
        for (int i = 0; i < 5; i++)
            fprintf(to, ",%d", e->value[i]);
        fprintf(to, ",%d", e->load);
        break;
    case TRACE_FAULT:
        fprintf(to, "[%d,%d,%d,%d,", e->kind, e->warp, place, (int)e->lanes);
        put_place(to, e->at);
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

/* As many events as fit into so many bytes. */
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
        fprintf(to, "%s{\"name\":", i ? "," : "");
        put_string(to, v->name);
        fprintf(to, ",\"type\":");
        put_string(to, v->type ? v->type : "");
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
    const char *name = t->parameters ? t->parameters : "";
    fprintf(to, ",\"parameters\":[");
    for (int i = 0; i < t->parameter_count; i++) {
        const struct trace_parameter *p = &t->parameter[i];
        size_t length = strcspn(name, ",");
        fprintf(to, "%s{\"name\":", i ? "," : "");
        put_text(to, length ? name + 1 : "?", length ? length - 1 : 1);
        if (*name == 'p' && p->bytes == 8) {
            fprintf(to, ",\"at\":[");
            put_place(to, p->value);
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

static void put_kernel(FILE *to, const struct kernel_record *k, long bytes)
{
    const struct trace_kernel *t = cpucc_traced(k);
    const struct launch_record *r = &k->launches[k->launch_count - 1];
    struct cpucc_count sum[CPUCC_COUNTERS] = {0};
    long start = ftell(to);
    start_numbers(&pattern_numbers);
    start_numbers(&box_numbers);
    place_count = 0;
    for (int i = 0; i < k->launch_count; i++)
        for (int c = 0; c < CPUCC_COUNTERS; c++) {
            sum[c].requests += k->launches[i].counter[c].requests;
            sum[c].work += k->launches[i].counter[c].work;
            sum[c].ideal_work += k->launches[i].counter[c].ideal_work;
        }
    fprintf(to, "{\"name\":");
    put_string(to, k->name);
    fprintf(to, ",\"launches\":%d,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared\":%llu,",
            k->launch_count, r->grid.x, r->grid.y, r->grid.z, r->block.x, r->block.y, r->block.z,
            (unsigned long long)r->shared_bytes);
    put_counters(to, sum);
    if (t)
        put_parameters(to, t);
    put_lines(to, k, t);
    bytes -= ftell(to) - start + numbers_bytes();
    if (t && t->faulty && t->faulty != t->block)
        put_block(to, "faulty", t->faulty, bytes / 2);
    if (t && t->block)
        put_block(to, "trace", t->block, t->faulty && t->faulty != t->block ? bytes / 2 : bytes);
    fprintf(to, ",\n\"places\":[");
    for (int i = 0; i < place_count; i++) {
        int line, file = file_of(place_list[i], &line);
        fprintf(to, "%s[%d,%d]", i ? "," : "", file, line);
    }
    putc(']', to);
    put_numbered(to, "patterns", &pattern_numbers);
    put_numbered(to, "boxes", &box_numbers);
    putc('}', to);
}

static void put_faults(FILE *to)
{
    int count;
    const struct fault *f = cpucc_kept_faults(&count);
    for (int i = 0; i < count; i++, f++) {
        const struct kind_text *kind = &cpucc_kind_texts[f->kind];
        int line, file = file_of(cpucc_line(f->pc), &line);
        fprintf(to,
                "%s\n{\"level\":\"%s\",\"kind\":\"%s\",\"text\":\"%s\",\"file\":%d,\"line\":%d,",
                i ? "," : "", kind->level == FAULT ? "fault" : "remark", kind->word, kind->text,
                file, line);
        fprintf(to, "\"kernel\":");
        put_string(to, f->kernel);
        if (f->of_thread)
            fprintf(to, ",\"block\":[%u,%u,%u],\"thread\":[%u,%u,%u]", f->block.x, f->block.y,
                    f->block.z, f->thread.x, f->thread.y, f->thread.z);
        fprintf(to, ",\"times\":%llu,\"message\":", (unsigned long long)f->times);
        put_string(to, f->message ? f->message : "");
        putc('}', to);
    }
}

static void put_data(FILE *to)
{
    int count;
    struct kernel_record *const *k = cpucc_kernels(&count);
    long left = PAGE_BYTES - SOURCE_BYTES;
    fprintf(to, "{\"version\":1,\"program\":");
    put_string(to, program_invocation_short_name);
    fprintf(to, ",\"metrics\":{");
    for (int c = 0; c < CPUCC_COUNTERS; c++) {
        struct cpucc_metrics m = cpucc_counter_metrics(c);
        fprintf(to, "%s\"%s\":[\"%s\",\"%s\"]", c ? "," : "", cpucc_counter_name(c), m.requests,
                m.work);
    }
    fprintf(to, "},\n\"faultCount\":%llu,\"faults\":[", (unsigned long long)cpucc_faults());
    put_faults(to);
    fprintf(to, "],\n\"kernels\":[");
    for (int i = 0; i < count; i++) {
        fputs(i ? ",\n" : "", to);
        long before = ftell(to);
        put_kernel(to, k[i], left / (count - i));
        left -= ftell(to) - before;
    }
    fprintf(to, "],\n\"regions\":[");
    put_regions(to);
    fprintf(to, "],\n\"files\":[");
    put_files(to);
    fprintf(to, "]}");
}

/* ---- the page ---- */

/* What stands for each @WORD@ of the template. */
static void put_word(FILE *to, const char *word)
{
    char *text = NULL;
    size_t size = 0;
    if (!strncmp(word, "@TITLE@", 7)) {
        put_html(to, program_invocation_short_name);
    } else if (!strncmp(word, "@STYLE@", 7)) {
        fputs(cpucc_page_colours, to);
        fputs(cpucc_page_css, to);
    } else if (!strncmp(word, "@SCRIPT@", 8)) {
        fprintf(to, "%s%s%s%s%s%s", cpucc_page_data, cpucc_page_picture, cpucc_page_player,
                cpucc_page_memory, cpucc_page_view, cpucc_page_main);
    } else {
        FILE *memory = must(open_memstream(&text, &size));
        if (!strncmp(word, "@DATA@", 6))
            put_data(memory);
        else
            cpucc_print_table(memory);
        fclose(memory);
        if (!strncmp(word, "@DATA@", 6))
            fwrite(text, 1, size, to);
        else
            put_html(to, text);
        free(text);
    }
}

void cpucc_print_html(FILE *to)
{
    static const char *const words[] = {"@TITLE@", "@STYLE@", "@SCRIPT@", "@DATA@", "@TABLE@"};
    for (const char *p = cpucc_page_html; *p;) {
        size_t length = 0;
        for (unsigned i = 0; i < sizeof words / sizeof *words && !length; i++)
            if (!strncmp(p, words[i], strlen(words[i])))
                length = strlen(words[i]);
        if (length)
            put_word(to, p);
        else
            putc(*p, to);
        p += length ? length : 1;
    }
}
