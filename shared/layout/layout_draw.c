/* Prints grids as text and TSV. */
#include "layout_draw.h"
#include "layout_banks.h"

/* Returns the offset at a cell. */
static int64_t cell(const struct grid *grid, int64_t row, int64_t column)
{
    return layout_at(grid->layout, row + column * tile_rows(grid->layout));
}

static int bank(const struct grid *grid, int64_t offset)
{
    return (int)(offset * grid->bytes / 4 % BANK_LANES);
}

/* Prints the number of a cell into `text`, like snprintf. */
static int label(const struct grid *grid, int64_t row, int64_t column, char *text, size_t size)
{
    long long offset = cell(grid, row, column);

    if (grid->what == GRID_BANK)
        return snprintf(text, size, "%d", bank(grid, offset));
    if (grid->what == GRID_THREAD)
        return snprintf(text, size, "%lld:%lld", offset % (long long)grid->threads,
                        offset / (long long)grid->threads);
    return snprintf(text, size, "%lld", offset);
}

void grid_print(const struct grid *grid, FILE *out)
{
    int64_t rows = tile_rows(grid->layout), columns = tile_columns(grid->layout);
    int width = 1, margin;
    char text[48];

    for (int64_t row = 0; row < rows; ++row)
        for (int64_t column = 0; column < columns; ++column) {
            int length = label(grid, row, column, text, sizeof text);
            width = length > width ? length : width;
        }
    margin = snprintf(text, sizeof text, "%lld", (long long)rows - 1);
    for (int64_t n = columns - 1, digits = 1; n >= 10; n /= 10)
        width = ++digits > width ? (int)digits : width;

    fprintf(out, "%*s ", margin, "");
    for (int64_t column = 0; column < columns; ++column)
        fprintf(out, "%s  %*lld", column ? " " : "", width, (long long)column);
    for (int64_t row = 0; row <= rows; ++row) {
        fprintf(out, "\n%*s ", margin, "");
        for (int64_t column = 0; column < columns; ++column) {
            fputc('+', out);
            for (int i = 0; i < width + 2; ++i)
                fputc('-', out);
        }
        fputs("+\n", out);
        if (row == rows)
            break;
        fprintf(out, "%*lld ", margin, (long long)row);
        for (int64_t column = 0; column < columns; ++column) {
            label(grid, row, column, text, sizeof text);
            fprintf(out, "| %*s ", width, text);
        }
        fputc('|', out);
    }
}

void grid_tsv(const struct grid *grid, FILE *out)
{
    static const char *const what[] = {"offset", "bank", "thread"};
    static const char *const columns[] = {"offset", "offset\tbank", "thread\tvalue"};
    char text[LAYOUT_TEXT];

    layout_print(grid->layout, text, sizeof text);
    fprintf(out, "# layout: %s\n# what: %s\nrow\tcol\t%s\n", text, what[grid->what],
            columns[grid->what]);
    for (int64_t row = 0; row < tile_rows(grid->layout); ++row)
        for (int64_t column = 0; column < tile_columns(grid->layout); ++column) {
            long long offset = cell(grid, row, column), threads = grid->threads;
            fprintf(out, "%lld\t%lld", (long long)row, (long long)column);
            if (grid->what == GRID_THREAD)
                fprintf(out, "\t%lld\t%lld\n", offset % threads, offset / threads);
            else if (grid->what == GRID_BANK)
                fprintf(out, "\t%lld\t%d\n", offset, bank(grid, offset));
            else
                fprintf(out, "\t%lld\n", offset);
        }
}
