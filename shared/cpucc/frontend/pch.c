/*
 * pch: makes precompiled headers of CUDA faster to use.
 *
 *     pch FILE...
 *     pch <HEADER >DECLARATIONS
 *
 * Without a file it copies a preprocessed header, but replaces the bodies of static functions by a semicolon:
 * programs get these functions from shared.o (header.c).
 *
 * clang lists in a precompiled header all functions that it may have to check for errors deferred to the end of
 * a program, such as device code that calls a host function. It reads each of them in each program, which
 * takes half of its time. It checks functions that the program calls anyway, so this program gives the list a
 * number by which no clang knows it.
 *
 * The file is a bitstream (LLVM Bitcode File Format): a tree of blocks of records, in numbers of any width. A
 * file of another form stays as it is.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include "text_buffer.h"

enum {
    AST_BLOCK = 8,
    DEFERRED_CHECKS = 64,
    UNKNOWN = 1000
}; /* of clang's ASTBitCodes.h; both take two pieces */
enum { END, ENTER_BLOCK, DEFINE_FORM, WITHOUT_FORM, FIRST_FORM };
enum kind { LITERAL, FIXED, VARIABLE, ARRAY, CHARACTER, BLOB };

static unsigned char *bytes;
static size_t end, at; /* in bits */

static void set_bits(size_t from, unsigned n, unsigned value)
{
    for (unsigned k = 0; k < n; k++, from++)
        bytes[from / 8] =
            (unsigned char)((bytes[from / 8] & ~(1 << from % 8)) | (value >> k & 1) << from % 8);
}

static uint64_t get(unsigned width)
{
    uint64_t n = 0;
    for (unsigned k = 0; k < width && at < end; k++, at++)
        n |= (uint64_t)(bytes[at / 8] >> at % 8 & 1) << k;
    return n;
}

/* A number in pieces. The highest bit of a piece says whether another follows. */
static uint64_t get_pieces(unsigned width)
{
    uint64_t n = 0, piece, more = 1ull << (width - 1);
    unsigned shift = 0;
    do {
        piece = get(width);
        n |= shift < 64 ? (piece & (more - 1)) << shift : 0;
        shift += width - 1;
    } while (piece & more && at < end);
    return n;
}

static void align(void) { at = (at + 31) / 32 * 32; }

struct form { /* of records */
    int count;
    struct part {
        enum kind kind;
        unsigned width;
    } part[16];
};

/* False if the form has too many parts. */
static bool read_form(struct form *f)
{
    f->count = (int)get_pieces(5);
    if (f->count > 16)
        return false;
    for (int k = 0; k < f->count; k++) {
        f->part[k].kind = get(1) ? LITERAL : (enum kind)get(3);
        if (f->part[k].kind <= VARIABLE)
            f->part[k].width = (unsigned)get_pieces(f->part[k].kind == LITERAL ? 8 : 5);
    }
    return true;
}

static void skip_part(struct part p)
{
    if (p.kind == FIXED)
        at += p.width;
    else if (p.kind == VARIABLE && p.width)
        get_pieces(p.width);
    else if (p.kind == CHARACTER)
        at += 6;
}

static void skip_record(const struct form *f)
{
    for (int k = 0; k < f->count; k++)
        if (f->part[k].kind == ARRAY) { /* of the last part */
            for (uint64_t n = get_pieces(6); n && at < end; n--)
                skip_part(f->part[f->count - 1]);
            return;
        } else if (f->part[k].kind == BLOB) {
            uint64_t n = get_pieces(6);
            align();
            at += 8 * n;
            align();
        } else {
            skip_part(f->part[k]);
        }
}

/* Renumbers the list in a block whose records' forms have numbers of `width` bits; true if it was there. */
static bool renumber(unsigned width, bool inside)
{
    struct form form[64];
    int forms = 0;
    while (at + width < end) {
        unsigned id = (unsigned)get(width);
        if (id == END)
            return false;
        if (id == ENTER_BLOCK) {
            bool ast = get_pieces(8) == AST_BLOCK;
            unsigned inner = (unsigned)get_pieces(4);
            align();
            size_t words = get(32);
            if (ast)
                return renumber(inner, true);
            at += 32 * words;
        } else if (id == DEFINE_FORM) {
            if (forms == 64 || !read_form(&form[forms++]))
                return false;
        } else if (id == WITHOUT_FORM) {
            size_t start = at;
            if (get_pieces(6) == DEFERRED_CHECKS && inside) {
                set_bits(start, 12, (UNKNOWN & 31) | 32 | UNKNOWN >> 5 << 6);
                return true;
            }
            for (uint64_t n = get_pieces(6); n && at < end; n--)
                get_pieces(6);
        } else if (id - FIRST_FORM < (unsigned)forms) {
            skip_record(&form[id - FIRST_FORM]);
        } else {
            return false;
        }
    }
    return false;
}

/* ---- bodies ---- */

/* The character behind a string or character constant that begins at p. */
static const char *behind_quoted(const char *p)
{
    const char quote = *p++;
    while (*p && *p != quote)
        p += *p == '\\' && p[1] ? 2 : 1;
    return *p ? p + 1 : p;
}

/* True if the text, up to a brace, declares a function whose body no program needs in order to use it. */
static bool is_static_function(const char *text, size_t n)
{
    static const char *const never[] = {"template", "constexpr", "auto", "operator", "="};
    char *is = format("%.*s", (int)n, text);
    size_t blank = strspn(is, " \n\t");
    while (n && isspace((unsigned char)is[n - 1]))
        n--;
    bool yes = starts_with(is + blank, "static ") && is[n - 1] == ')';
    for (size_t k = 0; k < sizeof never / sizeof *never; k++)
        yes &= !strstr(is, never[k]);
    free(is);
    return yes;
}

/* Copies the text without the functions' bodies, but with all lines that they have. */
static void copy_declarations(const char *p)
{
    const char *declaration = p; /* where it begins */
    int depth = 0;
    bool cut = false, line_start = true;
    while (*p) {
        const char *next = p + 1;
        if (*p == '#' && line_start) { /* a directive */
            next = strchrnul(p, '\n');
            fwrite(p, 1, (size_t)(next - p), stdout);
            declaration = depth ? declaration : next;
            p = next;
            continue;
        }
        if (*p == '"' || *p == '\'')
            next = behind_quoted(p);
        if (*p == '{' && !depth++ &&
            (cut = is_static_function(declaration, (size_t)(p - declaration))))
            putchar(';');
        if (!cut || *p == '\n')
            fwrite(p, 1, (size_t)(next - p), stdout);
        if (*p == '}' && !--depth)
            cut = false;
        if ((*p == '}' || *p == ';') && !depth)
            declaration = next;
        line_start = *p == '\n';
        p = next;
    }
}

/* Copies the header's own part, which clang puts behind the precompiled headers. The first line names the header,
 * and does so again where that part begins. */
static void copy_own_part(const char *all)
{
    static const char *const words[] = {"host",   "device",   "global",
                                        "shared", "constant", "managed"};
    const int count = sizeof words / sizeof *words;
    int first = (int)strcspn(all, "\n");
    char *begins = format("\n%.*s 2\n", first, all);
    const char *own = strstr(all, begins);
    /* __host__ has become __attribute__((__host__)), in which it shall stand for itself. */
    for (int k = 0; k < count; k++)
        printf("#pragma push_macro(\"__%s__\")\n#undef __%s__\n", words[k], words[k]);
    printf("%.*s\n", first, all);
    if (own)
        copy_declarations(own + strlen(begins));
    for (int k = 0; k < count; k++)
        printf("\n#pragma pop_macro(\"__%s__\")\n", words[k]);
    free(begins);
}

int main(int count, char **path)
{
    if (count == 1)
        copy_own_part(read_file(NULL));
    static const char magic[] = "CPCH";
    for (int k = 1; k < count; k++) {
        FILE *f = fopen(path[k], "r+be");
        size_t n = f && !fseek(f, 0, SEEK_END) ? (size_t)ftell(f) : 0;
        bytes = allocate(NULL, n);
        end = 8 * n, at = 8 * (sizeof magic - 1);
        if (f && !fseek(f, 0, SEEK_SET) && fread(bytes, 1, n, f) == n && n > 8 &&
            !memcmp(bytes, magic, sizeof magic - 1) && renumber(2, false) && !fseek(f, 0, SEEK_SET))
            fwrite(bytes, 1, n, f);
        if (f)
            fclose(f);
        free(bytes);
    }
    return 0;
}
