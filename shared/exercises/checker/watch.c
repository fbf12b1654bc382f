/* --watch: checks the next exercise again whenever its answer is saved; keys on a terminal. */
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

/* The key that was pressed within so many milliseconds, or 0. */
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

static uint64_t state_of(const char *path)
{
    char *all = read_all(path);
    uint64_t h = all ? hash_bytes(1, all, strlen(all)) : 0;
    free(all);
    return h;
}

static const Exercise *next_of(const Book *book, const Book *skipped, Verdict *v)
{
    for (int i = 0; i < book->count; i++) {
        bool skip = false;
        for (int k = 0; k < skipped->count; k++)
            skip |= !strcmp(skipped->list[k].name, book->list[i].name);
        if (skip)
            continue;
        check_one(&book->list[i], v);
        if (v->status != SOLVED)
            return &book->list[i];
    }
    return NULL;
}

int watch(const Book *book, const Book *all)
{
    Book skipped = {calloc((size_t)book->count + 1, sizeof *skipped.list), 0};
    const Exercise *e;
    Verdict v;
    take_keys();
    while (begin(&book->list[0]) && (e = next_of(book, &skipped, &v))) {
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
                skipped.list[skipped.count++] = *e;
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
            pause_ms(100); /* an editor may write in parts */
            then = state_of(answer);
            check_one(e, &v);
            shown_it = false;
            if (v.status == SOLVED) {
                tell_news();
                leave = true;
            }
            fflush(stdout);
        }
    }
    printf(skipped.count ? "no more here; %d skipped.\n" : "all %d solved.\n",
           skipped.count ? skipped.count : book->count);
    return 0;
}
