/*
 * mark_loops: inserts calls that tell the run time of a program's loops (LLVM's textual form).
 *
 *     mark_loops < program.ll > marked.ll
 *
 * Lanes of a warp at the same instruction form one request only if they are in the same iteration
 * of every loop around it. The hardware makes lanes meet again at the end of a branch inside a
 * loop, before the next iteration. This program finds the natural loops of every function (a branch
 * back to a block that dominates it). Behind a block's phi instructions it inserts
 *
 *   call void @cpucc_loop(i32 id, i32 depth)    if the block is a loop's head; depth: outer loops
 *   call void @cpucc_unloop(i32 depth)          if a branch to the block leaves a loop
 *
 * Loops without a call stay as they are, because a lane cannot stop in them. Before calls of the
 * run time that involve other lanes it inserts
 *
 *   call void @cpucc_flush_deferred()           checks and counts the lane's deferred accesses
 *
 * It also orders the blocks: those of a loop stand together, before the code that follows the loop.
 * The run time takes the lane at the lower address to be behind the others, and clang may put a
 * loop's end before its body.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block {
    int first, last; /* indices into `line` */
    char *name;
    int *successor, successors;
    int *predecessor, predecessors;
    int order;  /* in reverse postorder, -1 if unreachable */
    int parent; /* immediate dominator */
    int loop;   /* innermost, or -1 */
    int calls;  /* whether it calls a function that may stop the lane */
};

struct loop {
    int head, parent, depth, size, calls, id; /* parent: index of the loop around it, or -1 */
    char *member;                             /* by block: 1 if the block is in the loop */
};

static char **line;
static int lines, capacity;
static bool unnamed_types; /* "%0 = type ..." makes %0 a type, not a value */
static char **before;      /* by line: text to print before it, or NULL */
static struct block *block;
static int blocks;
static struct loop *loop;
static int loops, next_id;

static void *allocate(void *p, size_t bytes)
{
    p = realloc(p, bytes + 1);
    if (!p) {
        fprintf(stderr, "cpucc: out of memory\n");
        exit(1);
    }
    return p;
}

static void read_lines(void)
{
    char *text = NULL;
    size_t size = 0;
    ssize_t n;
    while ((n = getline(&text, &size, stdin)) > 0) {
        if (lines == capacity)
            line =
                allocate(line, sizeof *line * (size_t)(capacity = capacity ? 2 * capacity : 4096));
        line[lines++] = strdup(text);
    }
    free(text);
    before = calloc((size_t)lines + 1, sizeof *before);
}

/* Returns the name that a line `name:` begins with, allocated; NULL for any other line. */
static char *label_of(const char *text)
{
    size_t n = 0;
    if (text[0] == '"') {
        n = strcspn(text + 1, "\"") + 2;
    } else {
        while (
            text[n] &&
            strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-$", text[n]))
            n++;
    }
    return n && text[n] == ':' ? strndup(text, n) : NULL;
}

static int find_block(const char *name, size_t n)
{
    for (int b = 0; b < blocks; b++)
        if (block[b].name && strlen(block[b].name) == n && !strncmp(block[b].name, name, n))
            return b;
    return -1;
}

static void split_blocks(int first, int last)
{
    blocks = 0;
    for (int i = first; i < last; i++) {
        char *name = label_of(line[i]);
        if (name || i == first) {
            block = allocate(block, sizeof *block * (size_t)(blocks + 1));
            block[blocks++] = (struct block){
                .first = name ? i + 1 : i, .name = name, .order = -1, .parent = -1, .loop = -1};
        }
        block[blocks - 1].last = i;
    }
    for (int b = 0; b < blocks; b++)
        for (int i = block[b].first; i <= block[b].last; i++) {
            block[b].calls |= (strstr(line[i], "call ") && !strstr(line[i], "@llvm.") &&
                               !strstr(line[i], "@cpucc_guard_")) ||
                              strstr(line[i], "invoke ") != NULL;
            for (const char *p = line[i]; (p = strstr(p, "label %"));) {
                p += 7;
                size_t n = *p == '"' ? strcspn(p + 1, "\"") + 2 : strcspn(p, ", ]\n");
                int to = find_block(p, n);
                if (to < 0)
                    continue;
                block[b].successor =
                    allocate(block[b].successor, sizeof(int) * (size_t)(block[b].successors + 1));
                block[b].successor[block[b].successors++] = to;
                block[to].predecessor = allocate(
                    block[to].predecessor, sizeof(int) * (size_t)(block[to].predecessors + 1));
                block[to].predecessor[block[to].predecessors++] = b;
            }
        }
}

/* ---- dominators: Cooper, Harvey and Kennedy's iteration over reverse postorder ---- */

static int *sequence, reached; /* the reachable blocks in reverse postorder, and their number */

static void find_dominators(void)
{
    int *stack = allocate(NULL, sizeof(int) * (size_t)blocks),
        *at = calloc((size_t)blocks, sizeof *at);
    char *seen = calloc((size_t)blocks, 1);
    sequence = allocate(sequence, sizeof(int) * (size_t)blocks);
    int depth = 0, n = blocks;
    stack[depth++] = 0;
    seen[0] = 1;
    while (depth) { /* depth first; a block gets its number after all its successors */
        int b = stack[depth - 1];
        if (at[b] < block[b].successors) {
            int to = block[b].successor[at[b]++];
            if (!seen[to]) {
                seen[to] = 1;
                stack[depth++] = to;
            }
        } else {
            sequence[--n] = b;
            depth--;
        }
    }
    reached = blocks - n;
    memmove(sequence, sequence + n, sizeof(int) * (size_t)reached);
    for (int i = 0; i < reached; i++)
        block[sequence[i]].order = i;
    block[0].parent = 0;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int i = 1; i < reached; i++) {
            struct block *b = &block[sequence[i]];
            int dominator = -1;
            for (int p = 0; p < b->predecessors; p++) {
                int x = b->predecessor[p], y = dominator;
                if (block[x].order < 0 || block[x].parent < 0)
                    continue;
                while (y >= 0 && x != y) {
                    while (block[x].order > block[y].order)
                        x = block[x].parent;
                    while (block[y].order > block[x].order)
                        y = block[y].parent;
                }
                dominator = x;
            }
            changed |= dominator != b->parent;
            b->parent = dominator;
        }
    }
    free(stack);
    free(at);
    free(seen);
}

static int dominates(int a, int b)
{
    while (block[b].order > block[a].order)
        b = block[b].parent;
    return a == b;
}

/* ---- loops ---- */

static void add_member(struct loop *l, int b)
{
    if (l->member[b])
        return;
    l->member[b] = 1;
    l->size++;
    l->calls |= block[b].calls;
    for (int p = 0; p < block[b].predecessors; p++)
        if (block[block[b].predecessor[p]].order >= 0)
            add_member(l, block[b].predecessor[p]);
}

static void find_loops(void)
{
    for (int i = 0; i < loops; i++)
        free(loop[i].member);
    loops = 0;
    for (int i = 0; i < reached; i++) { /* outer loops come before the loops inside them */
        int head = sequence[i];
        struct loop l = {.head = head, .parent = -1};
        for (int p = 0; p < block[head].predecessors; p++) {
            int from = block[head].predecessor[p];
            if (block[from].order < 0 || !dominates(head, from))
                continue;
            if (!l.member) {
                l.member = calloc((size_t)blocks, 1);
                l.member[head] = 1;
                l.size = 1;
                l.calls = block[head].calls;
            }
            add_member(&l, from);
        }
        if (!l.member)
            continue;
        if (!l.calls) {
            free(l.member);
            continue;
        }
        l.parent = block[head].loop;
        l.depth = l.parent < 0 ? 0 : loop[l.parent].depth + 1;
        l.id = ++next_id;
        loop = allocate(loop, sizeof *loop * (size_t)(loops + 1));
        loop[loops] = l;
        for (int b = 0; b < blocks; b++)
            if (l.member[b])
                block[b].loop = loops;
        loops++;
    }
}

static void insert(int b, const char *how, int x, int y)
{
    int i = block[b].first;
    while (i < block[b].last && strstr(line[i], " = phi "))
        i++;
    if (strstr(line[i], " = landingpad "))
        return;
    char text[96];
    snprintf(text, sizeof text, how, x, y);
    before[i] = strdup(text);
}

/* ---- the order of the blocks ---- */

/* Whether all predecessors of b, except for branches back to it, have been placed. */
static bool is_ready(int b, const char *placed)
{
    for (int p = 0; p < block[b].predecessors; p++) {
        int from = block[b].predecessor[p];
        if (block[from].order >= 0 && !placed[from] && !dominates(b, from))
            return false;
    }
    return true;
}

/* Returns the block to place after `last`: the first ready block of the innermost loop around
 * `last` that has a ready block; -1 if all blocks are placed. */
static int next_block(int last, const char *placed)
{
    for (int l = block[last].loop;; l = loop[l].parent) {
        for (int b = 0; b < blocks; b++)
            if (!placed[b] && block[b].order >= 0 && (l < 0 || loop[l].member[b]) &&
                is_ready(b, placed))
                return b;
        if (l < 0)
            break;
    }
    for (int b = 0; b < blocks; b++) /* a loop with several entries, or unreachable blocks */
        if (!placed[b])
            return b;
    return -1;
}

/* Returns the line with %12 renamed to %u12: LLVM wants numbered values in the order of lines. */
static char *with_names(const char *text)
{
    char *named = allocate(NULL, 2 * strlen(text) + 4), *to = named;
    if (isdigit((unsigned char)text[0])) /* a label */
        *to++ = 'u';
    for (; *text; text++) {
        *to++ = *text;
        if (*text == '%' && isdigit((unsigned char)text[1]))
            *to++ = 'u';
    }
    *to = 0;
    return named;
}

/* Orders the blocks of a function, whose lines first..last-1 follow its "define". */
static void order_blocks(int first, int last)
{
    int *order = allocate(NULL, sizeof *order * (size_t)blocks), at = 1;
    char *placed = calloc((size_t)blocks, 1), **text = NULL, **marks = NULL;
    bool same = true;
    order[0] = 0, placed[0] = 1;
    for (int b; at < blocks && (b = next_block(order[at - 1], placed)) >= 0; at++) {
        order[at] = b, placed[b] = 1;
        same &= b == at;
    }
    if (!same && !unnamed_types && block[0].name) {
        text = allocate(NULL, sizeof *text * (size_t)(last - first));
        marks = allocate(NULL, sizeof *marks * (size_t)(last - first));
        int n = 0;
        for (int i = 0; i < blocks; i++) {
            const struct block *b = &block[order[i]];
            for (int k = b->name ? b->first - 1 : b->first; k <= b->last; k++, n++)
                text[n] = with_names(line[k]), marks[n] = before[k];
        }
        for (int k = 0; k < n; k++) {
            free(line[first + k]);
            line[first + k] = text[k], before[first + k] = marks[k];
        }
        char *head = with_names(line[first - 1]);
        free(line[first - 1]);
        line[first - 1] = head;
    }
    free(order);
    free(placed);
    free(text);
    free(marks);
}

/* Marks the loops of the function with the lines first..last-1, and orders its blocks. */
static void mark_function(int first, int last)
{
    split_blocks(first, last);
    find_dominators();
    find_loops();
    for (int b = 0; b < blocks && loops; b++) {
        int in = block[b].loop, leaves = 0;
        if (block[b].order < 0)
            continue;
        for (int p = 0; p < block[b].predecessors; p++) {
            int from = block[block[b].predecessor[p]].loop;
            leaves |= from >= 0 && !loop[from].member[b];
        }
        if (in >= 0 && loop[in].head == b)
            insert(b, "  call void @cpucc_loop(i32 %d, i32 %d)\n", loop[in].id, loop[in].depth);
        else if (leaves)
            insert(b, "  call void @cpucc_unloop(i32 %d)\n", in < 0 ? 0 : loop[in].depth + 1, 0);
    }
    order_blocks(first, last);
    for (int b = 0; b < blocks; b++) {
        free(block[b].name);
        free(block[b].successor);
        free(block[b].predecessor);
    }
}

/* Whether deferred accesses must be flushed before the line: it calls a function that neither
 * flushes them itself nor only computes. */
static bool must_flush(const char *text)
{
    static const char *const need_not[] = {"llvm.",
                                           "__tsan_",
                                           "cpucc_nvvm_read_ptx_sreg_",
                                           "cpucc_guard_",
                                           "cpucc_shared(",
                                           "cpucc_flush_deferred(",
                                           "cpucc_unloop(",
                                           "cpucc_loop(",
                                           "cpucc_syncthreads",
                                           NULL};
    const char *call = text[0] == ' ' ? strstr(text, "call ") : NULL;
    const char *name = call ? strchr(call, '@') : NULL;
    for (int i = 0; name && need_not[i]; i++)
        if (!strncmp(name + 1, need_not[i], strlen(need_not[i])))
            return false;
    return call != NULL;
}

/* Whether the line defines a check of the harness, which is neither instrumented nor noinline. Its
 * accesses are not recorded, so its lanes need no lockstep. The functions of cpucc_device.h that
 * are noinline need it. */
static bool is_unwatched(const char *define)
{
    const char *group = strstr(define, " #");
    char start[40];
    if (!group)
        return false;
    snprintf(start, sizeof start, "attributes #%.*s = {", (int)strspn(group + 2, "0123456789"),
             group + 2);
    for (int i = lines - 1; i >= 0; i--)
        if (!strncmp(line[i], start, strlen(start)))
            return strstr(line[i], " disable_sanitizer_instrumentation ") &&
                   !strstr(line[i], " noinline ");
    return false;
}

int main(void)
{
    read_lines();
    for (int i = 0; i < lines; i++)
        unnamed_types |= line[i][0] == '%' && isdigit((unsigned char)line[i][1]);
    for (int i = 0; i < lines; i++)
        if (!strncmp(line[i], "define ", 7)) {
            int end = i + 1;
            while (end < lines && strcmp(line[end], "}\n"))
                end++;
            if (!is_unwatched(line[i]))
                mark_function(i + 1, end);
            i = end;
        }
    for (int i = 0; i < lines; i++) {
        if (before[i])
            fputs(before[i], stdout);
        if (must_flush(line[i]))
            puts("  call void @cpucc_flush_deferred()");
        fputs(line[i], stdout);
    }
    printf("declare void @cpucc_loop(i32, i32)\ndeclare void @cpucc_unloop(i32)\n"
           "declare void @cpucc_flush_deferred()\n");
    return fflush(stdout) || ferror(stdout);
}
