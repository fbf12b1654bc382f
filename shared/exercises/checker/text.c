/* Reads and writes lines and files. */
#include "checker.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../../cpucc/reports/escape.h"

bool matches(const char *p, const char *expression)
{
    regex_t r;
    if (regcomp(&r, expression, REG_EXTENDED | REG_NOSUB))
        stop(1, "not a regular expression: %s", expression);
    bool yes = regexec(&r, p, 0, NULL, 0) == 0;
    regfree(&r);
    return yes;
}

/* ---- files ---- */

/* Returns the rest of an open file; stops soon after `most` bytes. */
static char *read_descriptor(int file, size_t most, size_t *bytes)
{
    struct text t = {NULL, 0, 0};
    char buffer[1 << 16];
    ssize_t n;
    add(&t, "");
    while (t.n <= most && (n = read(file, buffer, sizeof buffer)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return NULL;
        add_bytes(&t, buffer, (size_t)n);
    }
    *bytes = t.n;
    return t.p;
}

char *read_regular(const char *path, size_t most, size_t *bytes, const char **why)
{
    struct stat s;
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    *why = file >= 0                             ? NULL
           : errno == ENOENT || errno == ENOTDIR ? "missing"
           : errno == ELOOP                      ? "not_a_file"
                                                 : "unreadable";
    char *p = NULL;
    if (file >= 0 && (fstat(file, &s) || !S_ISREG(s.st_mode)))
        *why = "not_a_file";
    else if (file >= 0 && (uint64_t)s.st_size > most)
        *why = "too_large";
    else if (file >= 0 && !(p = read_descriptor(file, most, bytes)))
        *why = "unreadable";
    else if (p && *bytes > most)
        *why = "too_large", p = NULL;
    if (file >= 0)
        close(file);
    return p;
}

bool write_file(const char *path, const char *p, size_t n)
{
    char *part = format("%s.%d.part", path, (int)getpid());
    int file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = file >= 0;
    while (good && n) {
        ssize_t done = write(file, p, n);
        good = done > 0 || (done < 0 && errno == EINTR);
        if (done > 0)
            p += done, n -= (size_t)done;
    }
    if (file >= 0 && close(file))
        good = false;
    if (!good || rename(part, path)) {
        unlink(part);
        good = false;
    }
    free(part);
    return good;
}

bool copy_file(const char *from, const char *to)
{
    size_t bytes = 0;
    int file = open(from, O_RDONLY | O_CLOEXEC);
    char *p = file >= 0 ? read_descriptor(file, (size_t)1 << 30, &bytes) : NULL;
    if (file >= 0)
        close(file);
    bool good = p && write_file(to, p, bytes);
    free(p);
    return good;
}

bool is_file(const char *path)
{
    struct stat s;
    return !stat(path, &s) && S_ISREG(s.st_mode);
}

bool is_folder(const char *path)
{
    struct stat s;
    return !stat(path, &s) && S_ISDIR(s.st_mode);
}

bool make_folders(const char *path)
{
    char *copy = format("%s", path);
    for (char *p = strchr(copy + 1, '/'); p; p = strchr(p + 1, '/')) {
        *p = 0;
        mkdir(copy, 0777);
        *p = '/';
    }
    mkdir(copy, 0777);
    free(copy);
    return is_folder(path);
}

void remove_tree(const char *path)
{
    DIR *folder = opendir(path);
    struct dirent *entry;
    while (folder && (entry = readdir(folder))) {
        struct stat s;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        char *inner = format("%s/%s", path, entry->d_name);
        if (!lstat(inner, &s) && S_ISDIR(s.st_mode))
            remove_tree(inner);
        else
            unlink(inner);
        free(inner);
    }
    if (folder)
        closedir(folder);
    rmdir(path);
}

uint64_t hash_bytes(uint64_t h, const void *p, size_t n)
{
    const unsigned char *b = p;
    for (size_t i = 0; i < n; i++)
        h = (h ^ b[i]) * 0x100000001b3ull;
    return (h ^ h >> 29) * 0x9e3779b97f4a7c15ull;
}

char *without_controls(char *text, char by, char kept)
{
    unsigned char *c = (unsigned char *)text;
    for (size_t left = strlen(text), n; left; c += n, left -= n) {
        int valid = cpucc_character(c, left);
        n = valid ? (size_t)valid : 1;
        bool control = n == 1 ? (*c < ' ' && *c != kept) || *c == 127 : *c == 0xc2 && c[1] < 0xa0;
        if (!valid || control)
            memset(c, by, n);
    }
    return text;
}
