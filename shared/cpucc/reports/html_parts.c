/* Writes the source files and the regions of memory that the HTML report refers to. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "report_html.h"

enum { AROUND = 40 /* in a long file, lines shown before and after each used line */ };

/* ---- files, and places in them ---- */

static struct file {
    char *path;
    unsigned char *used; /* per line: 1 if the report refers to it */
    int capacity;
} * files;
static int file_count;

int cpucc_file_of(const char *place, int *line)
{
    const char *number;
    int length = cpucc_line_parts(place, &number), i = 0;
    *line = strspn(number, "0123456789") == strlen(number) ? atoi(number) : 0;
    while (i < file_count &&
           (strncmp(files[i].path, place, (size_t)length) || files[i].path[length]))
        i++;
    if (i == file_count)
        *ADD_TO(files, file_count) =
            (struct file){.path = cpucc_nonnull(strndup(place, (size_t)length))};
    struct file *f = &files[i];
    if (*line >= f->capacity) {
        int capacity = *line + 256;
        f->used = cpucc_nonnull(realloc(f->used, (size_t)capacity));
        memset(f->used + f->capacity, 0, (size_t)(capacity - f->capacity));
        f->capacity = capacity;
    }
    f->used[*line] = 1;
    return i;
}

/* Returns the name shown for a file: its base name, or the path if another file has that name. */
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
        if (i > 0 && i < f->capacity && f->used[i])
            return true;
    return false;
}

/* Writes the file in parts, each with the number of its first line: [[1, "text", ...], ...]. */
static void put_source(FILE *to, const struct file *f)
{
    FILE *from = fopen(f->path, "r");
    char *text = NULL;
    size_t capacity = 0, written = 0;
    ssize_t length;
    bool whole = true, open = false;
    int line = 0;
    putc('[', to);
    if (from && !fseek(from, 0, SEEK_END) && ftell(from) > SOURCE_BYTES / 4)
        whole = false;
    if (from)
        rewind(from);
    const char *comma = "";
    while (from && (length = getline(&text, &capacity, from)) >= 0) {
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
        cpucc_put_text(to, text, (size_t)length);
        written += (size_t)length;
    }
    fprintf(to, open ? "]]" : "]");
    free(text);
    if (from)
        fclose(from);
}

void cpucc_put_files(FILE *to)
{
    for (int i = 0; i < file_count; i++) {
        cpucc_put_after(to, i ? ",\n{\"name\":" : "\n{\"name\":", short_name(i));
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

/* Returns the number of the region, which is added if it is new. */
static int add_region(struct region r)
{
    for (int i = 0; i < region_count; i++)
        if (regions[i].start == r.start)
            return i;
    *ADD_TO(regions, region_count) = r;
    return region_count - 1;
}

/* Writes "region,offset". Regions from 0 on are allocations and variables. -1 is the block's shared
 * memory, -3 - r that of the block with rank r; -2 is none, and the offset is the address. */
void cpucc_put_place(FILE *to, uint64_t at)
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

void cpucc_put_regions(FILE *to)
{
    for (int i = 0; i < region_count; i++) {
        fprintf(to, "%s{\"bytes\":%zu", i ? "," : "", regions[i].bytes);
        if (regions[i].name)
            cpucc_put_after(to, ",\"name\":", regions[i].name);
        if (regions[i].type)
            cpucc_put_after(to, ",\"type\":", regions[i].type);
        if (regions[i].where)
            cpucc_put_after(to, ",\"where\":", regions[i].where);
        putc('}', to);
    }
}
