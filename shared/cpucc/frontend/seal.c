/*
 * seal: confines sealed, i.e. untrusted, device code to the memory and functions that the run time
 * gives it. `cpucc --sealed` compiles a program that runs such code.
 *
 *     seal names < gpu.ll              refuses names that no kernel may declare or define
 *     seal < marked.ll > sealed.ll     rewrites the module, as the last step before machine code
 *
 * The first form reads the module that clang made for the GPU. It refuses declarations of functions
 * that do not belong to CUDA, since a kernel could call the run time's internals. The second form
 * rewrites the instrumented module for the CPU, whatever its attributes and pragmas say:
 *
 *   loads, stores    are each preceded by cpucc_seal_guard(address, bytes, write), which admits
 *                    local variables, constants, and what cpucc_access has just allowed and counted
 *   alloca           takes memory apart from the machine's stack with its return addresses
 *   byval            a struct passed by value is copied to such memory too
 *   memcpy etc.      become the run time's functions, which count
 *   unreachable      ends the launch, so that execution cannot run on into the next function
 *   calls            may go to functions of the module or of a list, never through pointers
 *
 * Unknown constructs are refused. sealed.c is the run time's part. Exit status: 0; 1 if something
 * was refused, with a message for each refusal.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "seal.h"

static char **line;
static int lines, refusals;
int number;
bool opaque;

void refuse(const char *what, const char *text)
{
    size_t n = strcspn(text, "\n");
    fprintf(stderr, "cpucc: sealed: %s: %.*s\n", what, (int)(n < 200 ? n : 200), text);
    refusals++;
}

static void read_lines(void)
{
    char *text = read_file(NULL);
    int capacity = 0;
    for (char *p = text; p && *p;) {
        if (lines == capacity)
            line =
                allocate(line, sizeof *line * (size_t)(capacity = capacity ? 2 * capacity : 4096));
        line[lines++] = p;
        p += strcspn(p, "\n");
        if (*p)
            *p++ = 0;
    }
}
/* ---- functions ---- */

struct by_value { /* a parameter passed by value, and the copy that replaces it in the body */
    char *name, *copy;
};

/* The line p with every parameter passed by value replaced by its copy; the caller frees it. */
static char *with_copies(const char *p, const struct by_value *values, int count)
{
    struct text t = {0};
    add(&t, "");
    while (*p) {
        const char *at = strchr(p, '%');
        if (!at)
            break;
        size_t n = name_length(at + 1);
        add_bytes(&t, p, (size_t)(at - p));
        const char *replaced = NULL;
        for (int i = 0; i < count && !replaced; i++)
            if (strlen(values[i].name) == n && !strncmp(values[i].name, at + 1, n))
                replaced = values[i].copy;
        if (replaced)
            add(&t, replaced);
        else
            add_bytes(&t, at, n + 1);
        p = at + 1 + n;
    }
    add(&t, p);
    return t.p;
}

static void add_instruction(struct text *to, const char *p, bool has_mark)
{
    static const char *const known[] = {"br ",
                                        "switch ",
                                        "phi ",
                                        "select ",
                                        "freeze ",
                                        "icmp ",
                                        "fcmp ",
                                        "add ",
                                        "sub ",
                                        "mul ",
                                        "udiv ",
                                        "sdiv ",
                                        "urem ",
                                        "srem ",
                                        "shl ",
                                        "lshr ",
                                        "ashr ",
                                        "and ",
                                        "or ",
                                        "xor ",
                                        "fadd ",
                                        "fsub ",
                                        "fmul ",
                                        "fdiv ",
                                        "frem ",
                                        "fneg ",
                                        "trunc ",
                                        "zext ",
                                        "sext ",
                                        "fptrunc ",
                                        "fpext ",
                                        "fptoui ",
                                        "fptosi ",
                                        "uitofp ",
                                        "sitofp ",
                                        "ptrtoint ",
                                        "inttoptr ",
                                        "bitcast ",
                                        "fence ",
                                        "getelementptr ",
                                        "extractelement ",
                                        "insertelement ",
                                        "shufflevector ",
                                        "extractvalue ",
                                        "insertvalue ",
                                        NULL};
    const char *what = p + strspn(p, " ");
    if (*what == '%') {
        what += 1 + name_length(what + 1);
        if (!starts_with(what, " = ")) {
            refuse("an instruction", p);
            return;
        }
        what += 3;
    }
    if (starts_with(what, "ret ")) {
        if (has_mark)
            add(to, "  call void @cpucc_seal_release(i64 %seal.mark)\n");
        addf(to, "%s\n", p);
    } else if (starts_with(what, "unreachable")) {
        add(to, "  call void @cpucc_seal_stop()\n  unreachable\n");
    } else if (starts_with(what, "load ")) {
        add_load(to, p, what);
    } else if (starts_with(what, "store ")) {
        add_store(to, p, what);
    } else if (starts_with(what, "alloca ")) {
        add_alloca(to, p, what);
    } else if (starts_with(what, "call ") || starts_with(what, "tail call ") ||
               starts_with(what, "notail call ") || starts_with(what, "musttail call ")) {
        add_call(to, p);
    } else {
        for (int i = 0; known[i]; i++)
            if (starts_with(what, known[i])) {
                addf(to, "%s\n", p);
                return;
            }
        refuse("an instruction", p);
    }
}

/* True if a line of a function is an instruction, not a label, a comment or a case of a switch. */
static bool is_instruction(const char *p)
{
    const char *q = p + strspn(p, " ");
    if (p == q || !*q || *q == ';' || *q == ']')
        return false;
    if (*q == 'i' && isdigit((unsigned char)q[1])) /* "    i32 1, label %62" */
        return false;
    return true;
}

static int add_function(struct text *to, int first)
{
    int last = first;
    bool has_mark = false, trusted = strstr(line[first], "@cpucc.call.") != NULL;
    while (strcmp(line[last], "}")) {
        has_mark |= strstr(line[last], " alloca ") != NULL;
        last++;
    }
    has_mark |= strstr(line[first], " byval") != NULL;
    char *head = without_byval(line[first]);
    addf(to, "%s\n", head);
    free(head);
    int i = first + 1;
    if (trusted) { /* retarget wrote it: it loads a kernel's arguments and calls the kernel */
        for (; i <= last; i++) {
            char *plain = without_byval(line[i]);
            addf(to, "%s\n", plain);
            free(plain);
        }
        return last;
    }
    if (line[i][0] && line[i][0] != ' ') /* the first block's label */
        addf(to, "%s\n", line[i++]);
    struct by_value values[64];
    int count = 0;
    if (has_mark)
        add(to, "  %seal.mark = call i64 @cpucc_seal_mark()\n");
    const char *open = strchr(strchr(line[first], '@'), '('), *end = closing(open);
    struct slice parameter[128];
    int parameters = split((struct slice){open + 1, (size_t)(end - open - 1)}, parameter, 128);
    for (int k = 0; k < parameters; k++) {
        char *text = copy_of(parameter[k]), *by_value = strstr(text, "byval("),
             *name = strrchr(text, '%');
        if (by_value && count < 64) {
            const char *inner = by_value + strlen("byval("), *align = strstr(text, " align ");
            size_t n = (size_t)(closing(inner - 1) - inner);
            char *bytes = size_of(inner, n);
            const char *at = opaque ? "ptr" : "i8*";
            addf(to, "  %%seal.%d = bitcast %.*s %s to %s\n", number, (int)type_length(text), text,
                 name, at);
            addf(to, "  %%seal.%d = call %s @cpucc_seal_copy(%s %%seal.%d, i64 %s, i64 %d)\n",
                 number + 1, at, at, number, bytes, align ? atoi(align + 7) : 16);
            addf(to, "  %%seal.%d = bitcast %s %%seal.%d to %.*s\n", number + 2, at, number + 1,
                 (int)type_length(text), text);
            values[count].name = format("%s", name + 1);
            values[count++].copy = format("%%seal.%d", number + 2);
            number += 3;
            free(bytes);
        }
        free(text);
    }
    for (; i < last; i++) {
        char *p = count ? with_copies(line[i], values, count) : line[i];
        if (is_instruction(p))
            add_instruction(to, p, has_mark);
        else
            addf(to, "%s\n", p);
        if (count)
            free(p);
    }
    addf(to, "}\n");
    return last;
}

/* Adds stack probes to a group of attributes: a large frame is touched page by page, so that it
 * cannot skip the guard page below the stack. */
static void add_attributes(struct text *to, const char *p)
{
    if (find_word(p, " naked") || find_word(p, " returns_twice"))
        refuse("a function of this kind", p);
    const char *open = strchr(p, '{');
    add_bytes(to, p, (size_t)(open - p) + 1);
    addf(to, " \"probe-stack\"=\"inline-asm\"%s\n", open + 1);
}

static void add_declarations(struct text *to)
{
    const char *at = opaque ? "ptr" : "i8*";
    addf(to,
         "declare void @cpucc_seal_guard(i64, i64, i32)\n"
         "declare %s @cpucc_seal_local(i64, i64)\n"
         "declare %s @cpucc_seal_copy(%s, i64, i64)\n"
         "declare i64 @cpucc_seal_mark()\n"
         "declare void @cpucc_seal_release(i64)\n"
         "declare void @cpucc_seal_stop() noreturn\n",
         at, at, at);
    static const char *const kinds[] = {"memcpy", "memmove", "memset"};
    for (int k = 0; k < 3; k++) {
        bool there = false;
        char *name = format("@cpucc_%s(", kinds[k]);
        for (int i = 0; i < lines; i++)
            there |= starts_with(line[i], "declare ") && strstr(line[i], name);
        if (!there)
            addf(to, "declare %s %s%s, %s, i64)\n", at, name, at, k == 2 ? "i32" : at);
        free(name);
    }
}

int main(int argc, char **argv)
{
    read_lines();
    bool only_names = argc > 1 && !strcmp(argv[1], "names");
    struct text out = {0};
    for (int i = 0; i < lines; i++)
        opaque |= strstr(line[i], "(ptr ") || strstr(line[i], " ptr,") || strstr(line[i], "ptr @");
    for (int i = 0; i < lines; i++) {
        check_line_of_module(line[i], !only_names);
        if (only_names)
            continue;
        if (starts_with(line[i], "define ") && !strstr(line[i], "@tsan.module_ctor"))
            i = add_function(&out, i);
        else if (starts_with(line[i], "define "))
            while (strcmp(line[i], "}"))
                i++;
        else if (starts_with(line[i], "@llvm.global_ctors"))
            continue;
        else if (starts_with(line[i], "@llvm.used") && strstr(line[i], "@tsan.module_ctor")) {
            const char *drop = strstr(line[i], ", i8* bitcast (void ()* @tsan.module_ctor to i8*)");
            drop = drop ? drop : strstr(line[i], ", ptr @tsan.module_ctor");
            const char *count = strchr(line[i], '[');
            if (drop) {
                addf(&out, "%.*s[%d%.*s", (int)(count - line[i]), line[i], atoi(count + 1) - 1,
                     (int)(drop - count - 1 - (long)strspn(count + 1, "0123456789")),
                     count + 1 + strspn(count + 1, "0123456789"));
                addf(&out, "], section \"llvm.metadata\"\n");
            }
        } else if (starts_with(line[i], "attributes "))
            add_attributes(&out, line[i]);
        else
            addf(&out, "%s\n", line[i]);
    }
    if (!only_names) {
        add_declarations(&out);
        fputs(out.p, stdout);
    }
    return refusals || fflush(stdout) || ferror(stdout) ? 1 : 0;
}
