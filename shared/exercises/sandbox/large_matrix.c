/* Demand paging of large matrices: see large_matrix.h. */
#define _GNU_SOURCE
#include "large_matrix.h"
#include "../../cpucc/api/api.h"
#include "../task.h"
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_PAGES = 16000 };

static struct matrices m;
static struct touched {
    uintptr_t page;
    bool of_input;
} touched[MOST_PAGES];
static int count;
static struct sigaction before;
uint32_t large_blocks_run;

/* ---- pages ---- */

/* Returns how many bytes of the page at `page` belong to the matrix, and sets *offset to the offset
 * of the first of them in the matrix. */
static size_t part_of(uintptr_t page, bool of_input, size_t *offset)
{
    uintptr_t start = of_input ? m.in : m.out, end = start + (of_input ? m.in_bytes : m.out_bytes),
              stop = page + PAGE_BYTES;
    uintptr_t from = page < start ? start : page, to = stop < end ? stop : end;
    *offset = from - start;
    return from < to ? to - from : 0;
}

/* Makes a page of a matrix accessible and fills it; false if the matrix has no byte in it. */
static bool make_page(uintptr_t page, bool of_input)
{
    size_t offset, bytes = part_of(page, of_input, &offset);
    int element = (int)m.large_element_bytes;
    if (!bytes)
        return false;
    if (count == MOST_PAGES || mprotect((void *)page, PAGE_BYTES, PROT_READ | PROT_WRITE))
        _exit(TOO_MANY_PAGES);
    unsigned char *p = (unsigned char *)(of_input ? m.in : m.out) + offset;
    if (of_input || m.in_place)
        fill_elements(element, p, offset / (size_t)element, bytes / (size_t)element, m.seed);
    else
        memset(p, POISON_BYTE, bytes);
    touched[count++] = (struct touched){page, of_input};
    return true;
}

static void on_touch(int number, siginfo_t *info, void *context)
{
    uintptr_t page = (uintptr_t)info->si_addr / PAGE_BYTES * PAGE_BYTES;
    if (info->si_code == SEGV_ACCERR &&
        (make_page(page, false) || (!m.in_place && make_page(page, true))))
        return;
    before.sa_sigaction(number, info, context);
}

/* Reserves address space whose pages cannot be accessed yet; false if the system has none. */
static bool reserve_space(uint64_t *address, uint64_t bytes, bool written)
{
    void *p = NULL;
    if (cpucc_allocate_space(&p, bytes, written) || !p)
        return false;
    uintptr_t first = (uintptr_t)p / PAGE_BYTES * PAGE_BYTES;
    *address = (uintptr_t)p;
    return !mprotect((void *)first, (uintptr_t)p + bytes - first, PROT_NONE);
}

/* ---- blocks ---- */

/* Chooses the blocks that run: the last block and random blocks, two of three from the grid's second
 * half. Returns their number; 0 means all blocks. */
static uint32_t sample(uint32_t blocks, uint32_t chosen[SAMPLE])
{
    uint32_t n = 0;
    if (blocks <= SAMPLE)
        return 0;
    chosen[n++] = blocks - 1;
    for (uint64_t turn = 0; n < SAMPLE; turn++) {
        uint64_t h = task_hash(turn, m.seed) >> 16;
        uint32_t half = blocks / 2;
        uint32_t block = turn % 3 ? half + (uint32_t)(h % (blocks - half)) : (uint32_t)(h % blocks);
        bool known = false;
        for (uint32_t i = 0; i < n; i++)
            known |= chosen[i] == block;
        if (!known)
            chosen[n++] = block;
    }
    return large_blocks_run = n;
}

/* ---- the judge ---- */

bool large_start(struct matrices *given)
{
    m = *given;
    if (!reserve_space(&m.out, m.out_bytes, m.in_place) ||
        (!m.in_place && !reserve_space(&m.in, m.in_bytes, true)))
        return false;
    if (m.in_place)
        m.in = m.out;
    struct sigaction action = {.sa_sigaction = on_touch,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaction(SIGSEGV, &action, &before);
    cpucc_sample = sample;
    *given = m;
    return true;
}

void large_send_pages(int to)
{
    struct page page = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        size_t offset, bytes = part_of(touched[i].page, touched[i].of_input, &offset);
        page = (struct page){offset, (uint32_t)bytes, touched[i].of_input};
        send_all(to, &page, sizeof page);
        send_all(to, (const char *)(touched[i].of_input ? m.in : m.out) + offset, bytes);
    }
    page = (struct page){0, 0, 0};
    send_all(to, &page, sizeof page);
}
