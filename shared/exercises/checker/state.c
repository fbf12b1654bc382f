/*
 * Keeps state from call to call, in files under settings.out:
 *
 *   now/NAME              the last verdict on the learner's answer
 *   kept/STATE/NAME-HASH  cached verdicts, each beside the file (.cu) that it judges; STATE is a hash
 *                         of the checker
 *   hints/NAME            how many hints the learner has seen
 *   given_up/NAME         exists if the learner asked for the solution
 *
 * A verdict file: "status<TAB>reason<TAB>medal", then lines of "word<TAB>text": said, printed, gpu,
 * conflict, count; the last is "end<TAB>".
 */
#include "checker.h"
#include <unistd.h>

/* The last line of a verdict file. A file without it was cut short, for example by a power failure. */
static const char end_mark[] = "end\t\n";

const char *const status_words[] = {"solved", "unsolved", "environment"};

static void add_lines(struct text *to, const char *word, const struct text *from)
{
    char *line;
    for (const char *p = text_of(from); (line = next_line(&p)); free(line)) {
        addf(to, "%s\t%s\n", word, without_controls(line, '?', '\t'));
    }
}

void write_verdict(const char *path, const Verdict *v)
{
    struct text t = {0};
    addf(&t, "%s\t%s\t%s\n", status_words[v->status], v->reason, v->medal);
    add_lines(&t, "said", &v->said);
    add_lines(&t, "printed", &v->printed);
    add_lines(&t, "gpu", &v->gpu);
    add_lines(&t, "conflict", &v->conflict);
    for (int i = 0; v->counted && i < COUNTERS; i++)
        addf(&t, "count\t%s\t%llu\t%llu\t%llu\n", counter_names[i],
             (unsigned long long)v->counts.counter[i].requests,
             (unsigned long long)v->counts.counter[i].work,
             (unsigned long long)v->counts.counter[i].ideal_work);
    if (v->counted)
        addf(&t, "count\tshared_bytes\t%llu\t0\t0\n", (unsigned long long)v->counts.shared_bytes);
    add(&t, end_mark);
    if (!write_file(path, t.p, t.n))
        fprintf(stderr, "exercises: cannot write %s\n", path);
    free(t.p);
}

static void read_count(Verdict *v, char *rest)
{
    char *field[4];
    if (tsv_split(rest, field, 4) != 4)
        return;
    v->counted = true;
    if (!strcmp(field[0], "shared_bytes"))
        v->counts.shared_bytes = strtoull(field[1], NULL, 10);
    for (int i = 0; i < COUNTERS; i++)
        if (!strcmp(field[0], counter_names[i])) {
            v->counts.counter[i].requests = strtoull(field[1], NULL, 10);
            v->counts.counter[i].work = strtoull(field[2], NULL, 10);
            v->counts.counter[i].ideal_work = strtoull(field[3], NULL, 10);
        }
}

bool read_verdict(const char *path, Verdict *v)
{
    char *all = read_file(path), *line, *field[3];
    const char *p = all;
    size_t n = all ? strlen(all) : 0;
    memset(v, 0, sizeof *v);
    if (n < sizeof end_mark - 1 || strcmp(all + n - (sizeof end_mark - 1), end_mark) != 0)
        return false;
    if (!(line = next_line(&p)) || tsv_split(line, field, 3) != 3)
        return false;
    v->status = !strcmp(field[0], "solved")     ? SOLVED
                : !strcmp(field[0], "unsolved") ? UNSOLVED
                                                : ENVIRONMENT;
    snprintf(v->reason, sizeof v->reason, "%.31s", field[1]);
    snprintf(v->medal, sizeof v->medal, "%.7s", field[2]);
    for (; (line = next_line(&p)); free(line)) {
        char *rest = strchr(line, '\t');
        if (!rest)
            continue;
        *rest++ = 0;
        if (!strcmp(line, "end"))
            break;
        if (!strcmp(line, "count"))
            read_count(v, rest);
        else
            addf(!strcmp(line, "said")       ? &v->said
                 : !strcmp(line, "printed")  ? &v->printed
                 : !strcmp(line, "conflict") ? &v->conflict
                                             : &v->gpu,
                 "%s\n", rest);
    }
    free(all);
    return true;
}

/* ---- cached verdicts ---- */

static char *cache_path(const Exercise *e, const char *answer, size_t bytes)
{
    const char *state = strrchr(settings.tools, '/') + 1;
    char *task = read_file(file_in(e, "task.cu"));
    uint64_t h =
        hash_bytes(hash_bytes(1, task ? task : "", task ? strlen(task) : 0), answer, bytes);
    free(task);
    char *folder = format("%s/kept/%s", settings.out, state);
    make_folders(folder);
    return format("%s/%s-%016llx", folder, e->name, (unsigned long long)h);
}

bool find_cached_verdict(const Exercise *e, const char *answer, size_t bytes, Verdict *v)
{
    const char *why;
    size_t kept_bytes = 0;
    char *path = cache_path(e, answer, bytes), *file = format("%s.cu", path);
    char *kept = read_regular(file, (size_t)1 << 24, &kept_bytes, &why);
    bool same =
        kept && kept_bytes == bytes && !memcmp(kept, answer, bytes) && read_verdict(path, v);
    free(kept);
    free(path);
    free(file);
    return same;
}

/* Caches a verdict, unless the machine may have caused it: its tools, its load or its memory. */
void cache_verdict(const Exercise *e, const char *answer, size_t bytes, const Verdict *v)
{
    static const char uncertain[] =
        " time asleep compile_time compile_memory memory link gpu environment ";
    if (strstr(uncertain, format(" %s ", v->reason)))
        return;
    char *path = cache_path(e, answer, bytes), *file = format("%s.cu", path);
    if (write_file(file, answer, bytes))
        write_verdict(path, v);
    free(path);
    free(file);
}

/* ---- the learner's progress ---- */

static char *path_in(const char *folder, const Exercise *e)
{
    char *path = format("%s/%s", settings.out, folder);
    make_folders(path);
    return format("%s/%s", path, e->name);
}

char *verdict_path(const Exercise *e) { return path_in("now", e); }

bool is_solved(const Exercise *e)
{
    Verdict v;
    return read_verdict(verdict_path(e), &v) && v.status == SOLVED;
}

bool is_given_up(const Exercise *e) { return is_file(path_in("given_up", e)); }
void give_up(const Exercise *e) { write_file(path_in("given_up", e), "", 0); }

int hints_seen(const Exercise *e)
{
    char *seen = read_file(path_in("hints", e));
    return seen ? atoi(seen) : 0;
}

void set_hints_seen(const Exercise *e, int seen)
{
    char *n = format("%d\n", seen);
    write_file(path_in("hints", e), n, strlen(n));
}
