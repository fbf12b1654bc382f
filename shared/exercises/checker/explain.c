/* Explains to the learner why a run failed. */
#include "checker.h"
#include "../../cpucc/core/kinds.h"
#include <stdarg.h>

/* ---- faults ---- */

static const char *const words[CPUCC_KIND_COUNT] = {
#define WORD(name, level, word, text, checker) word,
    CPUCC_KINDS(WORD)
#undef WORD
};

/* Returns the kind of fault with this word; CPUCC_KIND_COUNT if there is none. */
static enum cpucc_kind kind_of(const char *word)
{
    int k = 0;
    while (k < CPUCC_KIND_COUNT && strcmp(words[k], word))
        k++;
    return (enum cpucc_kind)k;
}

/* Returns an explanation for learners; NULL if the fault's name explains itself. */
static const char *plain_words(enum cpucc_kind kind)
{
    switch (kind) {
    case OUT_OF_BOUNDS:
        return "reaches outside an array: check the index, and the bounds check in front of it";
    case MISALIGNED:
        return "is not aligned: an access of 8 or 16 bytes needs an address that is a multiple of "
               "8 or 16";
    case UNINITIALISED:
        return "reads memory that nobody has written: was every element stored first, in the same "
               "place, also at the edge of the matrix?";
    case RACE_READ_WRITE: return "reads what another thread writes, with no barrier in between";
    case RACE_WRITE_WRITE:
        return "writes what another thread writes too, with no barrier in between";
    case RACE_WRITE_READ:
        return "overwrites what another thread may still have to read, with no barrier in between";
    case BARRIER_DIVERGENCE: return "waits at a barrier that not all threads of the block reach";
    case ENDLESS_WAIT: return "waits for something that never happens";
    case COPY_NOT_WAITED:
        return "touches memory while an asynchronous copy into or out of it is still under way: "
               "wait for the copy first (a wait for a phase that is over returns at once)";
    case PROXY_FENCE:
        return "hands the TMA engine memory that threads wrote, without a fence_proxy_async() in "
               "between";
    case MBARRIER_MISUSE: return "uses an mbarrier wrongly";
    case COPY_REFUSED: return "starts a copy that the hardware refuses";
    case SHARED_SIZE: return "asks for more shared memory than a block can have";
    case LANE_MASK:
        return "makes a warp-wide call with the wrong lanes: in the mask, or at the call";
    case READ_ONLY:
        return "reads by the read-only cache (__ldg, ld.global.nc) what the kernel writes";
    case CONSTANT_WRITE: return "writes constant memory, which kernels can only read";
    default: return NULL;
    }
}

static const char of_a_warp[] = " (__syncwarp would order them)";

/* True if another thread later writes the word that the message reports as unwritten. */
static bool is_written_later(const Run *run, const char *message)
{
    bool found = false;
    char *line, *field[8];
    size_t n = strcspn(message, " "); /* "tile[1][0] (shared memory, bank 0)" */
    for (const char *p = text_of(&run->faults); (line = next_line(&p)); free(line))
        found |= tsv_split(line, field, 8) >= 6 && !strcmp(field[0], "fault") &&
                 kind_of(field[1]) == RACE_WRITE_READ && !strncmp(field[5], message, n + 1);
    return found;
}

/* Returns the rank of a fault. Lower ranks are likelier causes and are reported first. A race or an
 * unwritten word often follows from another fault. A race between warps comes before a race within a
 * warp, because __syncthreads() cures both. If an unwritten word is written later, the race is the
 * cause. */
enum { RANKS = 6 };
static int rank_of(const Run *run, enum cpucc_kind kind, const char *message)
{
    switch (kind) {
    case RACE_READ_WRITE:
    case RACE_WRITE_READ:
    case RACE_WRITE_WRITE: return strstr(message, of_a_warp) ? 4 : 3;
    case UNINITIALISED: return is_written_later(run, message) ? 5 : 2;
    case ENDLESS_WAIT: return 1;
    default: return 0;
    }
}

/* Returns cpucc's message about a fault, with lines instead of paths and without the sandbox's file. */
static char *detail(const char *p, const char *name)
{
    char *work = format("%s/", settings.scratch), *file = format("/%s.cu:", name);
    static const char ours[] = " allocated at device.c:?";
    struct text t = {NULL, 0, 0};
    add(&t, "");
    while (*p) {
        size_t folder = starts_with(p, work) ? strcspn(p, " \n") : 0;
        const char *own = folder ? strstr(p, file) : NULL;
        if (own && own < p + folder) {
            add(&t, "line ");
            p = own + strlen(file);
        } else if (starts_with(p, settings.shared)) {
            add(&t, "shared");
            p += strlen(settings.shared);
        } else if (starts_with(p, ours)) {
            add(&t, " of the matrix");
            p += strlen(ours);
        } else {
            add_bytes(&t, p++, 1);
        }
    }
    return t.p;
}

bool first_fault(const Run *run, const char *name, char **line, char **what)
{
    const char *p = text_of(&run->faults);
    for (char *of, *field[8]; (of = next_line(&p));)
        if (tsv_split(of, field, 8) >= 6 && !strcmp(field[0], "fault")) {
            *line = field[4];
            *what = detail(field[5], name);
            return true;
        }
    return false;
}

/* True if both accesses of a race are at one line. */
static bool of_one_line(const char *message, const char *line)
{
    const char *at = strstr(message, "not ordered with");
    at = at ? strstr(at, " at ") : NULL;
    at = at ? strpbrk(at, ":") : NULL;
    return at && (size_t)strtol(at + 1, NULL, 10) == (size_t)strtol(line, NULL, 10);
}

/* Reports up to three faults; false if there are none. */
static bool report_faults(const Run *run, const char *name, const char *found, Verdict *v)
{
    enum { MOST = 3 };
    char *file = format("%s.cu", name), *line, *before[MOST];
    int told = 0;
    bool block_wide = strstr(text_of(&run->faults), "(__syncthreads would order them)") != NULL;
    for (int rank = 0; rank < RANKS; rank++)
        for (const char *p = text_of(&run->faults); told < MOST && (line = next_line(&p));) {
            char *field[8];
            if (tsv_split(line, field, 8) < 6 || strcmp(field[0], "fault") ||
                rank_of(run, kind_of(field[1]), field[5]) != rank)
                continue;
            char *key =
                format("%s %s %s", field[1], field[3], field[4]); /* report a kind once per line */
            bool known = false;
            for (int i = 0; i < told; i++)
                known |= !strcmp(before[i], key);
            if (known)
                continue;
            before[told] = key;
            char *advice = strstr(field[5], of_a_warp);
            if (advice && block_wide) /* __syncwarp would order only some of the races */
                *advice = 0;
            const char *base = strrchr(field[3], '/') ? strrchr(field[3], '/') + 1 : field[3];
            const char *plain = plain_words(kind_of(field[1]));
            if (strcmp(base, file))
                addf(&v->said, "%s, ", base);
            const char *barrier = plain ? strstr(plain, ", with no barrier") : NULL;
            if (kind_of(field[1]) == RACE_WRITE_WRITE && of_one_line(field[5], field[4]))
                addf(&v->said,
                     "line %s writes what another thread writes too, at this same line: has each "
                     "element a place of its own?\n",
                     field[4]);
            else if (barrier && strstr(field[5], " of block "))
                addf(&v->said, "line %s %.*s, with nothing that orders the two blocks\n", field[4],
                     (int)(barrier - plain), plain);
            else
                addf(&v->said, "line %s %s%s\n", field[4],
                     plain ? plain : "does something illegal: ", plain ? "" : field[2]);
            addf(&v->said, "    (%s: %s)\n", field[2], detail(field[5], name));
            if (!told++ && *found)
                addf(&v->said, "    found %s\n", found);
        }
    return told > 0;
}

/* ---- how the run ended ---- */

/* Returns the printed line in which cpucc says why a CUDA call failed; or NULL. */
static char *refusal(const Run *run)
{
    char *line, *last = NULL;
    for (const char *p = text_of(&run->printed); (line = next_line(&p));) {
        const char *mark = strstr(line, "cpucc: ");
        const char *call = strstr(line, "cudaGetLastError(): ");
        if (mark && !last)
            last = format("%s", mark + strlen("cpucc: "));
        else if (call && !last)
            last = format("%s", call + strlen("cudaGetLastError(): "));
        else if (strstr(line, "cuTensorMapEncodeTiled"))
            last = last ? format("%s (%s)", line, last) : format("%s", line);
    }
    return last;
}

/* Explains a run that did not end well; false if it did. */
static bool ended_badly(const Run *run, const char *name, const char *at, const char *place,
                        Verdict *v)
{
    const char *how = run->ended;
    char *said;
    int number = 0;
    if (!*how && !*run->error)
        return false;
    if (starts_with(how, "refused ")) {
        decide(v, ENVIRONMENT, "environment",
               "this machine cannot confine a program, so no submission is run: %s", how + 8);
        return true;
    }
    if (!strcmp(how, "message")) {
        decide(v, UNSOLVED, "sandbox", "its processes do not say what they should%s", at);
        return true;
    }
    if (starts_with(how, "broken ")) {
        decide(v, ENVIRONMENT, "environment", "it could not be run: %s", how + 7);
        return true;
    }
    decide(v, UNSOLVED, "fault", "%s", "");
    if (!strcmp(how, "host_access"))
        decide(v, UNSOLVED, "host_access",
               "the host code touches the matrices%s: they are the GPU's, where this would crash; "
               "only kernels can read and write them",
               at);
    else if (!strcmp(how, "memory"))
        decide(v, UNSOLVED, "memory", "it took more than 1 GB of memory%s and was stopped", at);
    else if (!strcmp(how, "output"))
        decide(v, UNSOLVED, "output", "it printed more than 60000 characters%s and was stopped",
               at);
    else if (report_faults(run, name, place, v))
        ;
    else if (!strcmp(how, "time"))
        decide(v, UNSOLVED, "time",
               "it was still running after %g seconds%s and was stopped: does a loop never end?",
               settings.cpu_seconds, at);
    else if (!strcmp(how, "asleep"))
        decide(v, UNSOLVED, "asleep", "it waited for %g seconds%s, doing nothing, and was stopped",
               settings.cpu_seconds / 2, at);
    else if (sscanf(how, "%*s signal %d", &number) == 1 && number == 31)
        decide(v, UNSOLVED, "sandbox",
               "it asked the system for something%s that no exercise needs, and was stopped", at);
    else if (number)
        decide(
            v, UNSOLVED, "crash",
            "it crashed%s (signal %d): an invalid pointer or endless recursion, in the host code "
            "or on a thread's stack",
            at, number);
    else if (!strcmp(how, format("launcher exit %d", LAUNCHER_ABORTED))) {
        said = refusal(run);
        decide(v, UNSOLVED, "ended", "the host code called abort()%s%s%s", at, said ? ": " : "",
               said ? said : "");
    } else if ((said = refusal(run)) || *run->error)
        decide(v, UNSOLVED, "cuda_error", "CUDA refused it%s: %s%s", at, run->error,
               said ? format("%sit printed: %s", *run->error ? "; " : "", said) : "");
    else
        decide(v, UNSOLVED, "ended",
               "it ended before the checker was done%s: the launch function must return, not exit",
               at);
    return true;
}

/* ---- the output ---- */

/* Explains wrong elements and an overwritten input; false if there are none. */
static bool wrong_output(const Run *run, const Task *task, Verdict *v)
{
    for (int i = 0; i < run->size_count; i++) {
        const Finding *f = &run->size[i].found;
        char *place = format("at %s", size_text(run, i, task));
        if (f->wrong) {
            decide(v, UNSOLVED, "wrong", "%s", "");
            addf(&v->said, "%s, %llu of %llu elements of the output are wrong; the first is ",
                 place, (unsigned long long)f->wrong, (unsigned long long)f->elements);
            if (f->matrix)
                addf(&v->said, "in matrix %llu, ", (unsigned long long)f->matrix);
            addf(&v->said, "row %llu, column %llu", (unsigned long long)f->row,
                 (unsigned long long)f->col);
            if (f->untouched)
                add(&v->said, ", which nobody wrote");
            else if (f->holds)
                addf(&v->said, ", which holds the input's row %llu, column %llu",
                     (unsigned long long)f->found_row, (unsigned long long)f->found_col);
            add(&v->said, "\n");
            if (run->element_bytes[0] && run->element_bytes[0] != task->bytes &&
                run->element_bytes[0] < task->bytes)
                addf(&v->said,
                     "the matrix has elements of %d bytes, and the launch function takes them to "
                     "have %d\n",
                     task->bytes, run->element_bytes[0]);
        }
        if (f->input_changed && !f->wrong)
            decide(v, UNSOLVED, "input",
                   "%s, the input matrix was overwritten: it is only to be read", place);
        if (f->wrong || f->input_changed)
            return true;
    }
    return false;
}

/* True if the counted requests moved fewer bytes than the matrices have. */
static bool too_little_was_counted(const Run *run, const Task *task)
{
    size_t elements = (size_t)task->rows * task->cols * task->count;
    if (task->op == OP_IN_PLACE)
        elements -= (size_t)task->rows; /* the diagonal need not move */
    uint64_t read = 32 * (run->counts.counter[0].work + run->counts.counter[4].work) +
                    run->counts.counter[6].work;
    uint64_t written = 32 * run->counts.counter[1].work + run->counts.counter[7].work;
    return read < elements * (size_t)task->bytes || written < elements * (size_t)task->out_bytes;
}

bool uses_uncounted(const Run *run, const Task *task, bool ragged, Verdict *v)
{
    /* A few atomic operations (a counter, say) are allowed, but not to move the matrix. */
    uint64_t few = ragged ? UINT64_MAX
                          : (uint64_t)task->rows * (uint64_t)task->cols *
                                (uint64_t)(task->count * task->bytes) / 8;
    if (run->counts.atomics)
        decide(v, UNSOLVED, "uncounted",
               "atomic operations reach the matrices, which are not counted: kernels must read the "
               "input and write the output themselves, by plain loads and stores");
    else if (run->counts.atomic_bytes > few)
        decide(
            v, UNSOLVED, "uncounted",
            "atomic operations and bulk copies move %llu bytes through shared memory or variables, "
            "which are not counted: use plain loads and stores (to wait for a flag, too: volatile "
            "ones)",
            (unsigned long long)run->counts.atomic_bytes);
    else if (run->counts.local_bytes > few)
        decide(
            v, UNSOLVED, "uncounted",
            "local arrays move %llu bytes at indices of more than 8 values among the threads of a "
            "warp: they lie in memory, not in registers, and are not counted (to choose between "
            "elements, choose between their values: #pragma unroll before the loops helps)",
            (unsigned long long)run->counts.local_bytes);
    return run->counts.atomics || run->counts.atomic_bytes > few || run->counts.local_bytes > few;
}

bool explain_run(const Run *run, const Task *task, const char *name, bool ragged, Verdict *v)
{
    const char *at = "", *found = "", *place = "";
    if (run->size_count) {
        int last = run->size_count - 1, of_fault = last;
        place = format("at %s", size_text(run, last, task));
        at = format(" (%s)", place);
        for (int n = run->size_count; n--;)
            if (run->size[n].counts.faults)
                of_fault = n;
        found =
            ragged ? format("at other sizes and in another order of warps and lanes, such as at %s",
                            size_text(run, of_fault, task))
                   : "";
    }
    if (ended_badly(run, name, at, place, v))
        return false;
    decide(v, UNSOLVED, "fault", "%s", "");
    if (!run->counts.launches) {
        decide(v, UNSOLVED, "no_launch", "no kernel was launched");
        return false;
    }
    if (report_faults(run, name, found, v))
        return false;
    if (run->counts.faults) {
        decide(v, UNSOLVED, "fault", "the run had faults");
        return false;
    }
    if (wrong_output(run, task, v))
        return false;
    if (uses_uncounted(run, task, ragged, v))
        return false;
    if (!ragged && too_little_was_counted(run, task)) {
        decide(v, UNSOLVED, "uncounted",
               "the output is right, but too little traffic was counted for it: kernels must read "
               "the input and write the output themselves, by plain loads and stores (atomics are "
               "not counted)");
        return false;
    }
    return true;
}
