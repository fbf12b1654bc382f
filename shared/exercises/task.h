/*
 * Defines an exercise's operation, its input and its expected output. Plain C, for the checker and for
 * an exercise that is built alone (judge.h). The operation comes from the lines at the top of task.cu
 * (see README.md).
 */
#ifndef TASK_H
#define TASK_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { OP_COPY, OP_TRANSPOSE, OP_BATCH, OP_IN_PLACE, OP_CONVERT, OPS } Op;

typedef struct {
    Op op;
    int bytes;                /* per input element */
    int out_bytes;            /* per output element */
    int multiple;             /* rows and cols are multiples of this number */
    int rows, cols;           /* the size at which traffic is counted */
    int count;                /* matrices of a batch, else 1 */
    int capability;           /* least compute capability, as in Variant */
    uint32_t altered_words;   /* in the run that alters shared memory: as in protocol.h */
    uint32_t altered_numbers; /* in the run that alters integers there */
    uint32_t exchanges_free;  /* shuffles and votes may move the matrix: TMA alone reaches it */
} Task;

enum { POISON_BYTE = 0xc5 };

/* Reads one line: "// operation: NAME [elements=BYTES] [count=N]", "// multiple: N", "// counted:
 * ROWS x COLS" or "// capability: N". Returns 1 if it names an operation. */
static inline int read_task_line(const char *line, Task *task)
{
    static const char *const names[OPS] = {"copy", "transpose", "batch", "in_place", "convert"};
    const char *elements = strstr(line, "elements="), *count = strstr(line, "count=");
    char name[32];
    int known = 0;
    if (sscanf(line, "// operation: %31s", name) == 1) {
        for (int op = 0; op < OPS; op++)
            if (!strcmp(name, names[op])) {
                task->op = (Op)op;
                known = 1;
            }
        task->bytes = elements ? atoi(elements + 9) : task->op == OP_CONVERT ? 1 : 4;
        task->out_bytes = task->op == OP_CONVERT ? 4 : task->bytes;
        task->count = count ? atoi(count + 6) : task->op == OP_BATCH ? 3 : 1;
    }
    if (sscanf(line, "// multiple: %d", &task->multiple) != 1 &&
        sscanf(line, "// counted: %d x %d", &task->rows, &task->cols) != 2)
        (void)!sscanf(line, "// capability: %d", &task->capability);
    return known;
}

static inline Task default_task(void)
{
    Task task = {OP_COPY, 4, 4, 1, 256, 256, 1, 0, 0, 1, 0};
    return task;
}

/* Reads the task's lines from a file; 0 if it cannot be read or names no operation. */
static inline int read_task(const char *path, Task *task)
{
    char line[512];
    int known = 0;
    FILE *file = fopen(path, "r");
    *task = default_task();
    while (file && fgets(line, sizeof line, file))
        known |= read_task_line(line, task);
    if (file)
        fclose(file);
    return known;
}

/* Returns a pseudo-random number computed from a position and a seed. */
static inline uint64_t task_hash(uint64_t place, uint64_t seed)
{
    uint64_t h = (place + seed) * 0x9e3779b97f4a7c15ull;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93ull;
    return h ^ h >> 32;
}

/* Fills `in` with the input's elements number first to first + elements - 1, computed from the seed.
 * Elements of 4 bytes are positive normal floats; others have random bits. */
static inline void fill_elements(int bytes, unsigned char *in, size_t first, size_t elements,
                                 uint64_t seed)
{
    for (size_t i = 0; i < elements; i++)
        for (int b = 0; b < bytes; b += 8) {
            uint64_t h = task_hash(2 * (first + i) + b / 8, seed);
            if (bytes == 4)
                h = 0x30000000u | (uint32_t)(h >> 35);
            memcpy(in + i * bytes + b, &h, bytes < 8 ? bytes : 8);
        }
}

/* Fills `in` with the whole input. */
static inline void fill_task(const Task *task, unsigned char *in, size_t elements, uint64_t seed)
{
    fill_elements(task->bytes, in, 0, elements, seed);
}

/* Returns the index of the input element that output element i must hold. */
static inline size_t source_of(const Task *task, int rows, int cols, size_t i)
{
    size_t area = (size_t)rows * cols, within = i % area;
    return task->op == OP_COPY ? i : i / area * area + within % rows * cols + within / rows;
}

/* Converts an element of the input to the output's type. */
static inline void output_element(const Task *task, const unsigned char *from,
                                  unsigned char *element)
{
    if (task->op == OP_CONVERT) {
        float value = *from;
        memcpy(element, &value, 4);
    } else {
        memcpy(element, from, task->bytes);
    }
}

/* Computes the expected bytes of output element i. */
static inline void expect_element(const Task *task, int rows, int cols, const unsigned char *in,
                                  size_t i, unsigned char *element)
{
    output_element(task, in + source_of(task, rows, cols, i) * task->bytes, element);
}

/* The result of a comparison. Rows and columns are the output's. */
typedef struct {
    uint64_t wrong, elements;  /* elements that differ; all elements */
    uint64_t matrix, row, col; /* position of the first element that differs */
    int untouched;             /* that element still holds poison */
    int holds;                 /* it holds the input element at found_row, found_col */
    uint64_t found_row, found_col;
    int input_changed, outside; /* outside: a guard band was written */
} Finding;

/* Returns 1 and sets *place to the index if the input has an element with these bytes; else 0. */
static inline int find_source(const Task *task, const unsigned char *in, size_t elements,
                              const unsigned char *actual, uint64_t *place)
{
    if (task->bytes < 4)
        return 0; /* small elements: too many input elements have equal bytes */
    for (size_t i = 0; i < elements; i++)
        if (!memcmp(in + i * task->bytes, actual, task->bytes)) {
            *place = i;
            return 1;
        }
    return 0;
}

/* Compares every element of the output with the expected output for a rows x cols input. */
static inline Finding compare_output(const Task *task, int rows, int cols, const unsigned char *in,
                                     const unsigned char *out)
{
    size_t area = (size_t)rows * cols, elements = area * task->count;
    Finding f = {elements - elements, elements, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    unsigned char element[16];
    for (size_t i = 0; i < elements; i++) {
        const unsigned char *actual = out + i * task->out_bytes;
        expect_element(task, rows, cols, in, i, element);
        if (!memcmp(element, actual, task->out_bytes) || f.wrong++)
            continue;
        size_t width = task->op == OP_COPY ? cols : rows;
        uint64_t place;
        f.matrix = i / area;
        f.row = i % area / width;
        f.col = i % area % width;
        f.untouched = task->op != OP_IN_PLACE;
        for (int b = 0; b < task->out_bytes; b++)
            f.untouched &= actual[b] == POISON_BYTE;
        if (!f.untouched && task->op != OP_CONVERT &&
            find_source(task, in, elements, actual, &place)) {
            f.holds = 1;
            f.found_row = place % area / cols;
            f.found_col = place % area % cols;
        }
    }
    return f;
}

/* Sets *rows and *cols to ragged size number `number`, rounded up to the task's multiple; square for a
 * transpose in place. If exactly one side of the counted matrix is below NARROW, the last two sizes have that
 * side and 1001 on the other, and the counted sides exchanged. Returns 0 if there is no such number. */
static inline int ragged_size(const Task *task, int number, int *rows, int *cols)
{
    const int sizes[7][2] = {
        {33, 65}, {100, 70}, {7, 300}, {1030, 5}, {1, 1}, {1001, 1001}, {task->cols, task->rows}};
    enum { NARROW = 16 };
    int few_rows = task->rows < NARROW, few_cols = task->cols < NARROW;
    if (number >= (few_rows != few_cols ? 7 : 5))
        return 0;
    *rows = (sizes[number][0] + task->multiple - 1) / task->multiple * task->multiple;
    *cols = (sizes[number][1] + task->multiple - 1) / task->multiple * task->multiple;
    if (number == 5 && few_rows)
        *rows = task->rows;
    else if (number == 5)
        *cols = task->cols;
    if (task->op == OP_IN_PLACE)
        *rows = *cols;
    return 1;
}

/* Sets *rows and *cols to a size of any shape that `random` decides: sides from 1 to about 200, or if `large`
 * more columns than a block has threads and rows that leave up to 2^18 elements (in place: a side of about 500). */
static inline void drawn_size(const Task *task, uint64_t random, int large, int *rows, int *cols)
{
    int m = task->multiple, across = 1024 + (int)(random % 600);
    int most = large ? 250000 / task->count / across : 200;
    if (!large)
        across = (int)(random % 200);
    else if (task->op == OP_IN_PLACE)
        across = 400 + (int)(random % 150);
    *cols = (across + m) / m * m;
    *rows = task->op == OP_IN_PLACE ? *cols : ((int)(random / 2000 % (uint64_t)most) + m) / m * m;
}

/* Sets *rows and *cols to a size that `random` decides, at which traffic costs per element what it
 * costs at the counted size: sides from 32 on differ from the counted ones by a multiple of 32, and sides
 * above 65535 are twice as long. If `odd`, sides differ by other numbers, and it costs up to twice as much:
 * rows begin within sectors, tiles end early, but 16 bytes and four elements stay together, except in a copy. */
static inline void similar_size(const Task *task, uint64_t random, int odd, int *rows, int *cols)
{
    int *const side[2] = {rows, cols};
    int together = task->op == OP_COPY ? 1 : task->bytes < 4 ? 16 / task->bytes : 4;
    int unit = task->multiple > together ? task->multiple : together;
    *rows = task->rows, *cols = task->cols;
    for (int k = 0; k < 2 && !odd; k++) /* past twice a grid's limit */
        if (*side[k] > 65535)
            *side[k] *= 2;
    for (int k = 0; k < 2; k++, random /= 8) {
        int step = 32 * (1 + (int)(random % 3));
        if (*side[k] > 32)
            *side[k] += *side[k] > step + 32 && random % 2 ? -step : step;
        else if (task->rows <= 32 && task->cols <= 32)
            *side[k] += (int)(random % 2 + 1) * task->multiple;
        if (odd && *side[k] > 32 && unit < 32)
            *side[k] += unit * (1 + (int)(random / 64 % (31 / (uint64_t)unit)));
    }
    if (odd && task->op == OP_COPY && task->multiple == 1) /* another remainder of vectors */
        for (int k = 0; *rows * *cols % 4 == task->rows * task->cols % 4; k ^= 1)
            ++*side[k];
    if (task->op == OP_IN_PLACE)
        *cols = *rows;
}

/* Sets *rows, *cols and *count to large size number `number`, at which offsets need 64 bits: one
 * matrix of 1.5 * 2^32 elements; for a batch also two of more than 2^31, and four of fewer than
 * 2^31; the last two lie after element 2^32. Returns 0 if there is no such number. */
enum { LARGE_ELEMENT_BYTES = 4 };
static inline int large_size(const Task *task, int number, int *rows, int *cols, int *count)
{
    static const int sizes[3][3] = {{80000, 80112, 1}, {57000, 56112, 2}, {40000, 40060, 4}};
    if (number >= (task->op == OP_BATCH ? 3 : 1))
        return 0;
    *rows = (sizes[number][0] + task->multiple - 1) / task->multiple * task->multiple;
    *cols = (sizes[number][1] + task->multiple - 1) / task->multiple * task->multiple;
    if (task->op == OP_IN_PLACE)
        *rows = *cols;
    *count = sizes[number][2];
    return 1;
}

#endif
