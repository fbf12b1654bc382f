/*
 * Tries other legal schedules, for CPUCC_SCHEDULE. Wherever CUDA leaves a choice, the scheduler
 * calls cpucc_choose: which block starts, which warp goes next and how far, when a copy completes.
 * The default answer is 0.
 *
 *   CPUCC_SCHEDULE=seed:S      seed S changes some answers
 *   CPUCC_SCHEDULE=seed:S:K    seed S changes some of the first K answers only
 *   CPUCC_SCHEDULE=lanes:S     the same as seed:S, and lanes of a warp go one before another
 *   CPUCC_SCHEDULE=search:N    runs the program with S = 1 to N until it fails. Then runs the
 *                              least K that fails, and prints the changed answers
 *
 * A run fails if its status is not 0. The trial runs of a search print nothing and read nothing.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "execution.h"

enum { TOLD = 50 }; /* changed answers that are printed */

static uint64_t seed, limit, none, *made = &none; /* S, K; made: answers so far */
static bool tells;
static int told;

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

uint32_t cpucc_choose(const char *what, uint32_t n)
{
    if (!seed || n < 2 || *made >= limit)
        return 0;
    uint64_t x = mix(seed * 0x9e3779b97f4a7c15u + ++*made);
    uint32_t often = (uint32_t)(seed % 3); /* every 2nd, 4th or 16th answer */
    uint64_t rarely = often == 1 ? 1 : often == 2 ? 3 : 15;
    uint32_t answer = x & rarely ? 0 : 1 + (uint32_t)((x >> 4) % (n - 1));
    if (answer && tells && told++ < TOLD)
        fprintf(stderr, "cpucc: order, choice %llu: %s: %u of 0 to %u%s\n",
                (unsigned long long)*made, what, answer, n - 1, told == TOLD ? "; ..." : "");
    return answer;
}

bool cpucc_lanes_apart;

uint32_t cpucc_draw_lanes(void)
{
    return (uint32_t)(mix(seed * 0x9e3779b97f4a7c15u + ++*made) >> 8);
}

void cpucc_set_schedule(uint64_t s, bool apart)
{
    seed = s, limit = UINT64_MAX, cpucc_lanes_apart = apart;
}

/* Forks. In the child, sets seed s and limit k and returns -1: the caller returns into the program.
 * In the parent, waits and returns the child's exit status, 256 if a signal ended it. Sets *answers
 * to the number of choices that the child made. */
static int try_order(uint64_t s, uint64_t k, uint64_t *answers)
{
    *made = 0;
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) {
        perror("cpucc: CPUCC_SCHEDULE: fork");
        exit(3);
    }
    if (!child) {
        int null = open("/dev/null", O_RDWR);
        for (int i = 0; i < 3; i++)
            dup2(null, i);
        setenv("CPUCC_REPORT", "off", 1);
        unsetenv("CPUCC_REPORT_FILE");
        unsetenv("CPUCC_FAULTS_FILE");
        seed = s, limit = k;
        return -1;
    }
    int status = 256;
    waitpid(child, &status, 0);
    *answers = *made;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256;
}

/* Tries seeds 1 to `orders`. Returns in each trial's child, and in the parent for the last run. */
static void search(uint64_t orders)
{
    uint64_t answers, s, low = 0, high, unused;
    made = mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED) {
        perror("cpucc: CPUCC_SCHEDULE");
        exit(3);
    }
    int status = try_order(0, 0, &answers);
    if (status < 0)
        return;
    if (status) {
        fprintf(stderr, "cpucc: the default order fails already\n");
        return;
    }
    for (s = 1; s <= orders; s++) {
        status = try_order(s, UINT64_MAX, &answers);
        if (status < 0)
            return;
        if (status)
            break;
    }
    *made = 0;
    if (s > orders) {
        fprintf(stderr, "cpucc: %llu orders tried, none fails; running the default order\n",
                (unsigned long long)orders);
        return;
    }
    for (high = answers;
         low + 1 < high;) { /* the first `low` answers pass, the first `high` fail */
        uint64_t middle = low + (high - low) / 2;
        status = try_order(s, middle, &unused);
        if (status < 0)
            return;
        *(status ? &high : &low) = middle;
    }
    fprintf(stderr,
            "cpucc: order %llu fails, even with its first %llu choices alone; running "
            "CPUCC_SCHEDULE=seed:%llu:%llu\n",
            (unsigned long long)s, (unsigned long long)high, (unsigned long long)s,
            (unsigned long long)high);
    *made = 0;
    seed = s, limit = high, tells = true;
}

__attribute__((constructor)) static void read_schedule(void)
{
    const char *text = getenv("CPUCC_SCHEDULE");
    char *end;
    if (!text || !*text)
        return;
    bool searches = !strncmp(text, "search:", 7), seeded = !strncmp(text, "seed:", 5);
    cpucc_lanes_apart = !strncmp(text, "lanes:", 6);
    uint64_t number =
        searches || seeded || cpucc_lanes_apart ? strtoull(strchr(text, ':') + 1, &end, 10) : 0;
    uint64_t first = UINT64_MAX;
    if (number && seeded && *end == ':')
        first = strtoull(end + 1, &end, 10);
    if (!number || *end || strchr(text, '-')) {
        fprintf(stderr,
                "CPUCC_SCHEDULE=%s: must be seed:S, seed:S:K, lanes:S or search:N, with numbers "
                "from 1\n",
                text);
        exit(2);
    }
    if (searches) {
        search(number);
    } else {
        seed = number, limit = first;
        tells = first != UINT64_MAX;
    }
}
