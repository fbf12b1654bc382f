/*
 * Checks that an answer's offsets are right on matrices that need 64-bit offsets. Some of its blocks
 * run on matrices of more than 2^32 elements (../sandbox/large_matrix.h), where an offset computed in
 * 32 bits leads outside the matrix or to another element. A kernel whose blocks loop over the whole
 * matrix touches too many pages; it does not pass.
 */
#include "checker.h"
#include "../sandbox/large_matrix.h"
#include <math.h>

void compare_page(const Task *task, int rows, int cols, uint64_t seed, const struct page *page,
                  const unsigned char *bytes, Finding *f, uint64_t *written)
{
    size_t area = (size_t)rows * (size_t)cols;
    size_t size = (size_t)(page->of_input ? task->bytes : task->out_bytes);
    size_t first = page->offset / size, count = page->bytes / size;
    size_t width = (size_t)(task->op == OP_COPY ? cols : rows);
    unsigned char before[16], from[16], after[16];
    memset(before, POISON_BYTE, sizeof before);
    for (size_t k = 0; k < count; k++) {
        size_t i = first + k;
        const unsigned char *now_there = bytes + k * size;
        if (page->of_input || task->op == OP_IN_PLACE)
            fill_elements(task->bytes, before, i, 1, seed);
        bool same = !memcmp(now_there, before, size);
        if (page->of_input) {
            f->input_changed |= !same;
            continue;
        }
        fill_elements(task->bytes, from, source_of(task, rows, cols, i), 1, seed);
        output_element(task, from, after);
        bool good = !memcmp(now_there, after, size);
        *written += good;
        if (same || good || f->wrong++)
            continue;
        f->matrix = i / area;
        f->row = i % area / width;
        f->col = i % area % width;
    }
}

static const char words[] = "\n(offsets there need more than 32 bits, and so do the products "
                            "that they are made of: compute them in size_t)";

/* Explains in *v why a large run failed; false if it did not. */
static bool found_wrong(const Run *run, const char *name, const char *at, Verdict *v)
{
    const Finding *f = &run->size[0].found;
    if (starts_with(run->ended, "broken ") || starts_with(run->ended, "refused ")) {
        decide(v, ENVIRONMENT, "environment", "it could not be run %s: %s", at,
               strchr(run->ended, ' ') + 1);
        return true;
    }
    char *line, *what;
    if (first_fault(run, name, &line, &what))
        decide(v, UNSOLVED, "offsets", "%s, line %s goes to a place that is not its own (%s)%s", at,
               line, what, words);
    else if (f->wrong)
        decide(v, UNSOLVED, "offsets",
               "%s, where some of the blocks were run, elements of the output are wrong; the first "
               "is in matrix %llu, row %llu, column %llu%s",
               at, (unsigned long long)f->matrix, (unsigned long long)f->row,
               (unsigned long long)f->col, words);
    else if (f->input_changed)
        decide(v, UNSOLVED, "offsets", "%s, the input matrix was overwritten%s", at, words);
    else if (!strcmp(run->ended, "time") || !strcmp(run->ended, "asleep"))
        decide(v, UNSOLVED, "offsets", "%s, some of its blocks come to no end%s", at, words);
    else if (!strcmp(run->ended, format("device exit %d", TOO_MANY_PAGES)))
        decide(
            v, UNSOLVED, "offsets",
            "%s, a few of the blocks go over so much of the matrices that their offsets cannot be "
            "checked: a block for each tile is asked for",
            at);
    else if (*run->ended)
        decide(v, UNSOLVED, "offsets", "%s, where some of the blocks were run, it failed (%s)%s",
               at, run->ended, words);
    else if (*run->error)
        decide(v, UNSOLVED, "offsets", "CUDA refused it %s: %s", at, run->error);
    else if (!run->counts.launches)
        decide(v, UNSOLVED, "offsets", "%s, no kernel was launched", at);
    else
        return false;
    return true;
}

/* True if the blocks that ran wrote their share of `elements`. Idle blocks and launches cannot make that share
 * small: there are no more launches than at the counted size, and of blocks as many per element count as there. A
 * grid's last block may have little to write, and in a transpose in place half of the blocks have nothing. */
static bool all_is_written(const Run *run, const Task *task, const struct counts *counted,
                           double elements)
{
    double ran = (double)run->counts.blocks_run, launches = (double)run->counts.launches;
    double ratio = elements / ((double)task->rows * task->cols * task->count);
    double blocks = fmin((double)run->counts.blocks, 1.05 * ratio * (double)counted->blocks);
    return run->counts.launches <= counted->launches && ran >= 2 * launches &&
           (double)run->size[0].written >=
               elements * (task->op == OP_IN_PLACE ? ran / 16 : .99 * (ran - launches)) / blocks;
}

bool check_offsets(const char *work, const Task *task, const char *name, Verdict *v)
{
    int rows, cols, count;
    for (int n = 0; large_size(task, n, &rows, &cols, &count); n++) {
        enum { TURNS = 3 }; /* blocks at the matrix's edge may have been drawn */
        char *at = format("at %d x %d", rows, cols);
        if (count > 1)
            at = format("with %d matrices of %d x %d", count, rows, cols);
        for (int turn = 0; turn < TURNS; turn++) {
            Run run = run_answer(work, task, LARGE + n);
            if (found_wrong(&run, name, at, v))
                return false;
            if (all_is_written(&run, task, &v->counts, (double)rows * cols * count))
                break;
            if (turn + 1 < TURNS)
                continue;
            decide(v, UNSOLVED, "offsets",
                   "%s, its blocks do not write what they do at other sizes%s", at, words);
            return false;
        }
    }
    return true;
}
