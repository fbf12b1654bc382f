/*
 * Splits rows of a TSV file and finds columns by name, for all C programs. (The file lies here because
 * every component may use shared/traffic. The reader for Python is plots/results.py.)
 */
#ifndef TSV_H
#define TSV_H

#include <string.h>

enum { TSV_FIELDS = 32 };

/* Cuts a line at its tabs and its newline, in place; returns the number of fields, at most `most`. */
static inline int tsv_split(char *line, char **field, int most)
{
    int n = 0;

    line[strcspn(line, "\r\n")] = 0;
    for (; line && n < most; n++) {
        field[n] = line;
        if ((line = strchr(line, '\t')))
            *line++ = 0;
    }
    return n;
}

/* Returns the index of the column `name` in the fields of the header row; -1 if there is none. */
static inline int tsv_column(char *const *header, int columns, const char *name)
{
    for (int i = 0; i < columns; i++)
        if (!strcmp(header[i], name))
            return i;
    return -1;
}

#endif
