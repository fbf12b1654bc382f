/* The lab for a page: the page writes a source, runs it, and reads the report. A fault traps. */
#include "internal.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

static char source[LAB_TEXT];

void lab_end(void) { __builtin_trap(); }

char *EXPORT(source_text)(void) { return source; }
const char *EXPORT(report_text)(void) { return lab_report(); }

/* operation: a letter: t transpose, c copy, b batch, i in place. */
void EXPORT(run)(int operation, int bytes, int rows, int cols, int count)
{
    lab_run(source,
            operation == 'c'   ? "copy"
            : operation == 'i' ? "in_place"
            : operation == 'b' ? "batch"
                               : "transpose",
            bytes, rows, cols, count);
}
