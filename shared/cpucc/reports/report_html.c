/*
 * Writes the HTML report, one self-contained file: the page in page/ with its data as JSON. The
 * data are trace.c's record, the counts and the sources; page/page.js describes their types.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "report_html.h"

/* Defines cpucc_NAME, the text of files in page/. */
#define TEXT(name, files)                                                                          \
    __asm__(".section .rodata\n.global cpucc_" #name "\ncpucc_" #name ":\n" files                  \
            ".byte 0\n.previous\n");                                                               \
    extern const char cpucc_##name[] __attribute__((visibility("hidden")))
#define OF(file) ".incbin \"" file "\"\n"
TEXT(page_html, OF("page.html"));
TEXT(page_style, OF("colours.css") OF("page.css"));
TEXT(page_script, OF("data.js") OF("picture.js") OF("player.js") OF("memory.js") OF("view.js")
                      OF("source.js") OF("page.js"));

static void put_faults(FILE *to)
{
    int count;
    const struct fault *f = cpucc_kept_faults(&count);
    for (int i = 0; i < count; i++, f++) {
        const struct kind_text *kind = &cpucc_kind_texts[f->kind];
        int line, file = cpucc_file_of(cpucc_line(f->pc), &line);
        fprintf(to,
                "%s\n{\"level\":\"%s\",\"kind\":\"%s\",\"text\":\"%s\",\"file\":%d,\"line\":%d,",
                i ? "," : "", cpucc_level_word(f), kind->word, kind->text, file, line);
        cpucc_put_after(to, "\"kernel\":", f->kernel);
        if (f->of_thread)
            fprintf(to, ",\"block\":[%u,%u,%u],\"thread\":[%u,%u,%u]", f->block.x, f->block.y,
                    f->block.z, f->thread.x, f->thread.y, f->thread.z);
        fprintf(to, ",\"times\":%llu", (unsigned long long)f->times);
        cpucc_put_after(to, ",\"message\":", f->message);
        putc('}', to);
    }
}

static void put_data(FILE *to)
{
    int count;
    struct kernel_record *const *k = cpucc_kernels(&count);
    long left = PAGE_BYTES - SOURCE_BYTES;
    cpucc_put_after(to, "{\"version\":1,\"program\":", program_invocation_short_name);
    fprintf(to, ",\"metrics\":{");
    for (int c = 0; c < cpucc_counters(); c++) {
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
        cpucc_put_kernel(to, k[i], left / (count - i));
        left -= ftell(to) - before;
    }
    fprintf(to, "],\n\"regions\":[");
    cpucc_put_regions(to);
    fprintf(to, "],\n\"files\":[");
    cpucc_put_files(to);
    fprintf(to, "]}");
}

/* ---- the page ---- */

/* Writes the text that replaces a @WORD@ of page.html. */
static void put_word(FILE *to, const char *word)
{
    char *text = NULL;
    size_t size = 0;
    if (!strncmp(word, "@TITLE@", 7)) {
        cpucc_put_html(to, program_invocation_short_name);
    } else if (!strncmp(word, "@STYLE@", 7)) {
        fputs(cpucc_page_style, to);
    } else if (!strncmp(word, "@SCRIPT@", 8)) {
        fputs(cpucc_page_script, to);
    } else {
        FILE *memory = cpucc_nonnull(open_memstream(&text, &size));
        if (!strncmp(word, "@DATA@", 6))
            put_data(memory);
        else
            cpucc_print_table(memory);
        fclose(memory);
        if (!strncmp(word, "@DATA@", 6))
            fwrite(text, 1, size, to);
        else
            cpucc_put_html(to, text);
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
