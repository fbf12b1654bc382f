/* --watch: checks the next exercise again whenever its answer is saved; on a terminal, obeys keys. */
#include "checker.h"
#include <poll.h>
#include <termios.h>
#include <unistd.h>

static struct termios before;
static bool has_keys;

static void restore(void)
{
    if (has_keys)
        tcsetattr(0, TCSANOW, &before);
}

/* If the input is a terminal, makes it deliver single keys from now on. */
static void take_keys(void)
{
    if (!isatty(0) || tcgetattr(0, &before))
        return;
    struct termios raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    has_keys = true;
    atexit(restore);
    tcsetattr(0, TCSANOW, &raw);
}

/* Returns the key pressed within this time, or 0. */
static int key(int milliseconds)
{
    struct pollfd in = {0, POLLIN, 0};
    char c;
    if (!has_keys) {
        pause_ms(milliseconds);
        return 0;
    }
    int n = poll(&in, 1, milliseconds);
    pause_ms(0);
    return n > 0 && read(0, &c, 1) == 1 ? c : 0;
}

/* Returns a hash of the file. */
static uint64_t state_of(const char *path)
{
    char *all = read_file(path);
    uint64_t h = all ? hash_bytes(1, all, strlen(all)) : 0;
    free(all);
    return h;
}

/* Checks exercises in order. Returns the first that is neither solved nor skipped and sets *v to its
 * verdict; NULL if there is none. */
static const Exercise *next_of(const Exercises *exercises, const Exercises *skipped, Verdict *v)
{
    for (int i = 0; i < exercises->count; i++) {
        bool skip = false;
        for (int k = 0; k < skipped->count; k++)
            skip |= !strcmp(skipped->item[k].name, exercises->item[i].name);
        if (skip)
            continue;
        check_one(&exercises->item[i], v);
        if (v->status != SOLVED)
            return &exercises->item[i];
    }
    return NULL;
}

int watch(const Exercises *exercises, const Exercises *all)
{
    Exercises skipped = {calloc((size_t)exercises->count + 1, sizeof *skipped.item), 0};
    const Exercise *e;
    Verdict v;
    take_keys();
    make_answer(&exercises->item[0]);
    while ((e = next_of(exercises, &skipped, &v))) {
        char *answer = file_in(e, "answer.cu");
        uint64_t then = state_of(answer);
        bool shown_it = false, leave = false;
        while (!leave) {
            if (!shown_it) {
                say_next(all, e, &v);
                printf(has_keys ? "  (watching the file; h hint, n next, r reset, q quit)\n"
                                : "  (watching the file; Ctrl-C ends this)\n");
                fflush(stdout);
                shown_it = true;
            }
            switch (key(300)) {
            case 'h': show_hint(e); break;
            case 'n':
                skipped.item[skipped.count++] = *e;
                leave = true;
                break;
            case 'r': reset(e); break;
            case 'q': return 0;
            default: break;
            }
            fflush(stdout);
            uint64_t now_it_is = state_of(answer);
            if (leave || now_it_is == then)
                continue;
            pause_ms(100); /* an editor may write a file in several parts */
            then = state_of(answer);
            check_one(e, &v);
            shown_it = false;
            if (v.status == SOLVED) {
                show_newly_solved();
                leave = true;
            }
            fflush(stdout);
        }
    }
    printf(skipped.count ? "no more here; %d skipped.\n" : "all %d solved.\n",
           skipped.count ? skipped.count : exercises->count);
    return 0;
}
