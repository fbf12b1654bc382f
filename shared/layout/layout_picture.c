/* Draws grids as pictures with gnuplot, in a process of its own; in WebAssembly, which has no
 * processes, this is an error. */
#define _POSIX_C_SOURCE 200809L
#include "layout_draw.h"

#ifdef __wasi__

bool grid_picture(const struct grid *grid, const char *file, bool svg)
{
    (void)grid;
    (void)svg;
    fprintf(stderr, "layout: cannot draw %s here: there is no gnuplot in a page\n", file);
    return false;
}

#else

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static bool complain(const char *what, const char *name)
{
    fprintf(stderr, "layout: %s %s\n", what, name);
    return false;
}

/* Sets `path` to LAYOUT_GP, or else to plots/layout.gp two folders above the program's; false after
 * a message. */
static bool find_script(char *path, size_t size)
{
    const char *named = getenv("LAYOUT_GP");
    ssize_t length;

    if (named) {
        if ((size_t)snprintf(path, size, "%s", named) >= size)
            return complain("LAYOUT_GP is too long:", named);
    } else {
        static const char below[] = "/../../plots/layout.gp";
        char *slash;
        length = readlink("/proc/self/exe", path, size - sizeof below);
        path[length > 0 ? length : 0] = '\0';
        slash = strrchr(path, '/');
        if (!slash)
            return complain("cannot tell where this program lies;",
                            "set LAYOUT_GP to the path of plots/layout.gp");
        strcpy(slash, below);
    }
    if (access(path, R_OK) != 0) {
        fprintf(stderr,
                "layout: cannot read the gnuplot script %s (%s): set LAYOUT_GP to its "
                "path\n",
                path, strerror(errno));
        return false;
    }
    return true;
}

/* Writes a gnuplot string: in single quotes, with those in the text doubled. */
static void put_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text; ++text) {
        if (*text == '\'')
            fputc('\'', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

/* Runs gnuplot on a script. */
static bool run_gnuplot(const char *file)
{
    int status;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child < 0)
        return complain("cannot start a process:", strerror(errno));
    if (child == 0) {
        execlp("gnuplot", "gnuplot", file, (char *)NULL);
        _exit(errno == ENOENT ? 127 : 126);
    }
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return complain("cannot wait for gnuplot:", strerror(errno));
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return true;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return complain("gnuplot was not found:", "install gnuplot, or take the TSV of --tsv");
    return complain("gnuplot failed;", "what it said is above");
}

bool grid_picture(const struct grid *grid, const char *file, bool svg)
{
    const char *folder = getenv("TMPDIR");
    char script[4096], name[4096], caption[LAYOUT_TEXT];
    FILE *out;
    int handle;
    bool ok;

    if (!find_script(script, sizeof script))
        return false;
    out = fopen(file, "wb"); /* fail here: gnuplot's own message is hard to read */
    if (!out)
        return fprintf(stderr, "layout: cannot write %s: %s\n", file, strerror(errno)), false;
    fclose(out);
    if ((size_t)snprintf(name, sizeof name, "%s/layout-XXXXXX", folder ? folder : "/tmp") >=
        sizeof name)
        return complain("TMPDIR is too long:", folder);
    handle = mkstemp(name);
    out = handle < 0 ? NULL : fdopen(handle, "w");
    if (!out)
        return complain("cannot write a temporary file:", strerror(errno));
    layout_print(grid->layout, caption, sizeof caption);
    /* The script sets the variables of layout.gp and the grid as a data block, and loads layout.gp. */
    fprintf(out, "format = '%s'\noutput_file = ", svg ? "svg" : "png");
    put_quoted(out, file);
    fprintf(out, "\ncaption = '%s'\nbytes = %d\n$grid << END_OF_GRID\n", caption, grid->bytes);
    grid_tsv(grid, out);
    fputs("END_OF_GRID\ninput = '$grid'\nload ", out);
    put_quoted(out, script);
    fputs("\n", out);
    ok = !ferror(out);
    ok = fclose(out) == 0 && ok;
    if (!ok)
        complain("cannot write a temporary file:", name);
    ok = ok && run_gnuplot(name);
    remove(name);
    if (!ok)
        remove(file);
    return ok;
}

#endif
