/*
 * Checks the includes, calls and sections of an answer, to explain early what an exercise cannot have.
 * The confinement of ../sandbox depends on one of these checks only: this file refuses names and
 * sections that the linker or the loader would obey.
 */
#include "checker.h"

/* True for a header in the compiler's own folder. */
static bool is_of_compiler(const char *path)
{
    static char *folder;
    if (!folder) {
        char *ask[] = {"sh", "-c", "$(\"$0\") -print-resource-dir",
                       format("%s/cpucc/find_clang.sh", settings.shared), NULL};
        Outcome o = run_tool("/", ask);
        const char *said = text_of(&o.output);
        char *line = next_line(&said), *real = line ? realpath(line, NULL) : NULL;
        folder = format("%s/", real ? real : "no folder");
    }
    char *real = realpath(path, NULL);
    return real && starts_with(real, folder);
}

bool is_header_of_system(const char *path)
{
    bool ours = starts_with(path, format("%s/", settings.root)); /* wherever the workbook lies */
    return !ours && !matches(path, "[.]cu$") &&
           (starts_with(path, "/usr/") || starts_with(path, "/opt/") ||
            starts_with(path, "/lib/") || is_of_compiler(path));
}

/* ---- includes ---- */

/* Replaces `folder`, as clang writes it in a make rule, by the byte `mark`. Otherwise the name of a
 * folder with a backslash (which clang writes as a slash) or a line break could not be read back. */
static char *marked(char *rule, const char *folder, char mark)
{
    char *spelt = allocate(NULL, 2 * strlen(folder) + 2), *to = spelt;
    for (const char *p = folder; *p; p++) {
        if (*p == ' ' || *p == '#')
            *to++ = '\\';
        else if (*p == '$')
            *to++ = '$';
        *to++ = *p == '\\' ? '/' : *p;
    }
    *to++ = '/', *to = 0;
    size_t n = strlen(spelt);
    for (char *p = rule; (p = strstr(p, spelt)); p++) {
        *p = mark;
        memmove(p + 1, p + n, strlen(p + n) + 1);
    }
    free(spelt);
    return rule;
}

/* True for exercise.h, what it includes, and cpucc's headers. Others hold kernels that solve exercises. */
static bool is_of_exercises(const char *path_in_shared)
{
    return matches(path_in_shared,
                   "^exercises/exercise[.]h$|^cpucc/include/|"
                   "^harness/(grid|ptx|swizzle|tensor_map|device|options|cuda_check|variant)[.]h$");
}

/* True for cpucc's stand-in for a header that it lacks. clang names it if a header of the system asks
 * whether it is there; to include it is an error. */
static bool is_stand_in(const char *path)
{
    char *text = strstr(path, "/absent/") ? read_file(path) : NULL;
    bool yes = text && starts_with(text, "#error \"cpucc: <");
    free(text);
    return yes;
}

/* Checks the files that clang's make rules name. The rules write a blank as "\ " and $ as "$$". */
static bool includes_are_ours(const char *work, const char *source, Verdict *v)
{
    static const char *const lists[] = {"host.d", "device.d"};
    for (int i = 0; i < 2; i++) {
        char *path = format("%s/%s", work, lists[i]), *all = read_file(path), used[4096];
        char *p = all ? strstr(all, ": ") : NULL;
        if (!p) {
            decide(v, ENVIRONMENT, "environment", "the compiler has not said what it read");
            return false;
        }
        for (p = marked(marked(p + 2, settings.shared, 1), work, 2); *p;) {
            size_t n = 0;
            while (*p == ' ' || *p == '\n' || (*p == '\\' && p[1] == '\n'))
                p += *p == '\\' ? 2 : 1;
            while (*p && *p != ' ' && *p != '\n' && n < sizeof used - 1) {
                if ((*p == '\\' && (p[1] == ' ' || p[1] == '#')) || (*p == '$' && p[1] == '$'))
                    p++;
                used[n++] = *p++;
            }
            used[n] = 0;
            if (!n)
                continue;
            char *ours = format("%s/", settings.shared);
            char *absolute = *used == 1     ? format("%s%s", ours, used + 1)
                             : *used == 2   ? format("%s/%s", work, used + 1)
                             : *used == '/' ? format("%s", used)
                                            : format("%s/%s", work, used);
            char *real = realpath(absolute, NULL);
            bool good =
                real && ((starts_with(real, ours) && is_of_exercises(real + strlen(ours))) ||
                         is_header_of_system(real) || is_stand_in(real) || !strcmp(real, source));
            if (!good) {
                const char *base =
                    strrchr(absolute, '/') + 1; /* the folder is the grader's affair */
                decide(v, UNSOLVED, "include", include_refused, base);
                return false;
            }
        }
    }
    return true;
}

/* ---- calls ---- */

static bool is_allowed(const char *call, const char *patterns, const char *names)
{
    static const char *const never[] = {"cpucc_record",
                                        "cpucc_reset",
                                        "cpucc_read",
                                        "cpucc_faults",
                                        "cpucc_default_report",
                                        "cpucc_seal",
                                        "cpucc_symbol",
                                        "cpucc_run",
                                        NULL};
    static const char *const beginnings[] = {"cudaMalloc",
                                             "cudaMemcpy",
                                             "cudaMemset",
                                             "cudaFree",
                                             "cudaHost",
                                             "cudaMemPrefetch",
                                             "cudaDeviceReset",
                                             "cudaLaunchHostFunc",
                                             "cuMem",
                                             "cudaGraph",
                                             "cudaStreamBeginCapture",
                                             NULL};
    char *line;
    for (const char *p = patterns; (line = next_line(&p)); free(line))
        if (*line && matches(call, format("^(%s)$", line)))
            return true;
    for (int i = 0; never[i]; i++)
        if (starts_with(call, never[i]))
            return false;
    for (int i = 0; beginnings[i]; i++)
        if (starts_with(call, beginnings[i]))
            return false;
    if (!starts_with(call, "cpucc_") && !starts_with(call, "cu") && !starts_with(call, "__"))
        return false;
    char *word = format("\n%s\n", call);
    bool known = strstr(names, word) != NULL;
    free(word);
    return known;
}

/* Adds a call that is not allowed to a list, by the name that the file has for it. */
static void list_call(struct text *calls, const char *function)
{
    bool of_symbols = starts_with(function, "cpucc_symbol");
    const char *name = of_symbols ? "a function for symbols, as cudaMemcpyToSymbol" : function;
    if (!of_symbols || !strstr(text_of(calls), name))
        addf(calls, "%s%s", calls->n ? ", " : "", name);
}

/* A line of `readelf -sW`: "Num: Value Size Type Bind Vis Ndx Name". */
typedef struct {
    char type[32], bind[32], section[32], name[1024];
} Symbol;

static bool read_symbol(const char *line, Symbol *s)
{
    int used = 0;
    if (sscanf(line, " %*d: %*s %*s %31s %31s %*s %n", s->type, s->bind, &used) != 2 || !used)
        return false;
    if (line[used] == '[') /* readelf adds flags such as [VARIANT_PCS] */
        used += (int)strcspn(line + used, "]") + 1;
    return sscanf(line + used, " %31s %1023s", s->section, s->name) == 2;
}

/* True if the host code calls only allowed functions, which launch kernels and print; else names the
 * call in *v. (readelf starts faster than nm.) */
static bool calls_are_allowed(const char *work, const char *name, Verdict *v)
{
    char *list[] = {"readelf", "-sW", "host.o", NULL}, *line;
    Outcome o = run_tool(work, list);
    char *patterns = read_file(format("%s/exercises/allowed_calls", settings.shared));
    char *names = read_file(format("%s/device_names", settings.tools));
    if (o.how != ENDED || o.code)
        return tool_failed(work, "readelf", name, &o, v);
    if (!patterns || !names)
        stop(1, "a part of the checker is missing: %s", settings.tools);
    char *all_names = format("\n%s", names);
    bool has_launch = false;
    int told = 0;
    struct text forbidden = {NULL, 0, 0};
    for (const char *p = text_of(&o.output); (line = next_line(&p)); free(line)) {
        Symbol s;
        if (!read_symbol(line, &s))
            continue;
        const char *symbol = s.name;
        bool absent = !strcmp(s.section, "UND");
        has_launch |= !strcmp(symbol, "exercise_launch") && !absent && !strcmp(s.type, "FUNC") &&
                      !strcmp(s.bind, "GLOBAL");
        if (strcmp(s.type, "NOTYPE") && strcmp(s.type, "OBJECT") && strcmp(s.type, "FUNC") &&
            strcmp(s.type, "SECTION") && strcmp(s.type, "FILE") && strcmp(s.type, "TLS")) {
            /* IFUNC: the loader would call the submission's resolver */
            decide(v, UNSOLVED, "forbidden",
                   "the file has a function that is chosen when it is loaded (ifunc): %.200s",
                   symbol);
            return false;
        }
        if (!absent || !*symbol || told > 3 || is_allowed(symbol, patterns, all_names))
            continue;
        if (told++ == 3) {
            add(&forbidden, " and others");
            continue;
        }
        char *filter[] = {"c++filt", "-p", s.name, NULL}; /* without parameters */
        Outcome readable = run_tool(work, filter);
        const char *q = text_of(&readable.output);
        char *shown_as = next_line(&q);
        list_call(&forbidden, shown_as ? shown_as : symbol);
    }
    free(names);
    free(patterns);
    if (!has_launch)
        decide(v, UNSOLVED, "no_launch",
               "the file launches nothing: its last line must be EXERCISE(name of your launch "
               "function)");
    else if (forbidden.n)
        decide(v, UNSOLVED, "forbidden_call",
               "the file calls %s, which an exercise cannot use: it is kernels and how they are "
               "launched.\nThe matrices are there already, and kernels move the data.%s",
               forbidden.p,
               strstr(forbidden.p, "std::")
                   ? " C++'s containers and streams are not linked; printf and arrays are there."
                   : "");
    return has_launch && !forbidden.n;
}

/* True for sections that compilers make of C++. Other sections, such as .init, .interp, .dynamic or
 * .deplibs, could command the linker or the loader, which act before the process is confined. */
static bool is_usual_section(const char *name)
{
    return !starts_with(name, ".init_array.") &&
           matches(
               name,
               "^[.](text|rodata|data|bss|tdata|tbss|debug|note|group|rela?)($|[ ._])|"
               "^[.](comment|eh_frame|gcc_except_table|nv_fatbin|nvFatBinSegment|"
               "llvm_addrsig)|^cpucc_(text|device|readonly|constant|parts|sites|functions|run)($| "
               ")|"
               "^[.](init_array|fini_array|ctors|dtors|preinit_array)"); /* objcopy removes these */
}

static bool sections_are_usual(const char *work, const char *name, Verdict *v)
{
    char *size[] = {"size", "-A", "host.o", "device.o", NULL}, *line;
    Outcome o = run_tool(work, size);
    double bytes = 0;
    char *unusual = NULL;
    if (o.how != ENDED || o.code)
        return tool_failed(work, "size", name, &o, v);
    for (const char *p = text_of(&o.output); (line = next_line(&p)); free(line)) {
        char rest[8];
        double n, address;
        size_t name_end = strcspn(line, " ");
        /* "NAME SIZE ADDRESS"; names with blanks are refused. */
        if (!*line || matches(line, "^[^ ]*[.]o +:$") || matches(line, "^(section +size|Total) "))
            continue;
        if (sscanf(line + name_end, "%lf %lf %7s", &n, &address, rest) != 2 ||
            !is_usual_section(line))
            unusual = format("%s", line);
        else if (!starts_with(line, ".debug"))
            bytes += n;
    }
    if (unusual)
        decide(v, UNSOLVED, "forbidden",
               "the file puts something into a section of its own, which no exercise needs: %.*s%s",
               (int)strcspn(unusual, " "), unusual,
               starts_with(unusual, ".init_array.") ? " (an initialiser with a priority)" : "");
    else if (bytes > 64 << 20)
        decide(v, UNSOLVED, "memory",
               "the file declares %.0f bytes of static memory; no exercise needs much of it",
               bytes);
    return !unusual && bytes <= 64 << 20;
}

bool inspect_objects(const char *work, const char *name, Verdict *v)
{
    return calls_are_allowed(work, name, v) && sections_are_usual(work, name, v);
}

bool inspect_answer(const char *work, const char *source, const char *name, Verdict *v)
{
    return includes_are_ours(work, source, v) && inspect_objects(work, name, v);
}
