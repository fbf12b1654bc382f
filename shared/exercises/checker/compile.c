/*
 * Builds an answer as code of strangers (cpucc --sealed): its kernels with the device, its host code
 * with the launcher. What the compiler says, and which calls are none of an exercise's business, is
 * told in words; that nothing can be reached but what is given does not depend on this file.
 */
#include "checker.h"
#include <errno.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

enum { COMPILE_SECONDS = 60, COMPILE_MEGABYTES = 3000, COMPILE_TEXT = 400000 };

static const char *const *environment_of_compiler(const char *work)
{
    static const char *const kept[] = {"HOME", "CPUCC_CACHE", "XDG_CACHE_HOME", "CLANGXX", "CC"};
    static const char *list[16];
    int n = 0;
    list[n++] =
        getenv("PATH") ? text("PATH=%s", getenv("PATH")) : "PATH=/usr/local/bin:/usr/bin:/bin";
    list[n++] = "LC_ALL=C";
    list[n++] = text("TMPDIR=%s", work);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (getenv(kept[i]))
            list[n++] = text("%s=%s", kept[i], getenv(kept[i]));
    list[n] = NULL;
    return list;
}

static Outcome run_tool(const char *work, char *const arguments[])
{
    return run_limited(arguments, environment_of_compiler(work), work, COMPILE_SECONDS,
                       COMPILE_MEGABYTES, COMPILE_TEXT);
}

/* ---- whose fault it is ---- */

static bool is_full(const char *folder)
{
    struct statvfs s;
    return !statvfs(folder, &s) && (uint64_t)s.f_bavail * s.f_frsize < 1 << 20;
}

Outcome compile_source(const char *work, const char *source)
{
    char *driver = text("%s/cpucc/cpucc", places.shared), *include = text("-I%s", places.shared);
    char *header = text("%s/exercises/exercise.h", places.shared);
    char *arguments[] = {driver,  "--sealed",     ".", "--precompile", header, "-DEXERCISE_CHECKED",
                         include, (char *)source, NULL};
    return run_tool(work, arguments);
}

/* Whether this machine can compile anything here and now: a kernel that is right. */
static bool can_compile(const char *work)
{
    static const char control[] = "#include \"exercises/exercise.h\"\n"
                                  "__global__ void k(float *p) { p[threadIdx.x] = 1; }\n"
                                  "static void launch(float *p, int) { k<<<1, 32>>>(p); }\n"
                                  "EXERCISE(launch)\n";
    char *folder = text("%s/control", work), *file = text("%s/control.cu", folder);
    bool good = make_folders(folder) && write_file(file, control, sizeof control - 1);
    if (good) {
        Outcome o = compile_source(folder, "control.cu");
        good = o.how == ENDED && o.code == 0;
    }
    remove_tree(folder);
    return good;
}

/* ---- what the compiler says ---- */

static const char not_ours[] =
    "the file includes %s; only headers of the workbook and of the system are allowed";

static bool is_header_of_system(const char *path)
{
    return starts_with(path, "/usr/") || starts_with(path, "/opt/") || starts_with(path, "/lib/") ||
           strstr(path, "/lib/clang/");
}

/* The first error, in one or two lines. */
static bool tell_error(const char *said, const char *name, Verdict *v)
{
    char *line, *file = text("%s.cu", name), *last = NULL;
    int errors = 0;
    bool told = false, located = false;
    decide(v, UNSOLVED, "compile", "%s", "");
    for (const char *p = said; (line = next_line(&p));) {
        errors += strstr(line, "error:") != NULL;
        if (*line)
            last = line;
        if (told || (!strstr(line, "error:") && !starts_with(line, "cpucc: sealed:") &&
                     !strstr(line, "not supported") && !strstr(line, "undefined reference")))
            continue;
        char where[512] = "", rest[2048] = "";
        int number = 0;
        const char *what;
        if (starts_with(line, "cpucc: sealed: a kernel cannot call: ")) {
            what = line + strlen("cpucc: sealed: a kernel cannot call: ");
            decide(
                v, UNSOLVED, "forbidden_call",
                "a kernel calls %s, which an exercise cannot use: kernels compute, and move data "
                "by loads and stores.",
                what);
            return true;
        }
        if (starts_with(line, "cpucc: sealed: ")) {
            what = line + strlen("cpucc: sealed: ");
            const char *end =
                strstr(what, ":   "); /* an instruction, which says nothing to people */
            decide(v, UNSOLVED, "forbidden",
                   "the file has something that device code of an exercise cannot have: %.*s",
                   end ? (int)(end - what) : (int)strlen(what), what);
            return true;
        }
        if (sscanf(line, "%511[^:]:%d:%2047[^\n]", where, &number, rest) == 3) {
            what = rest;
            int column, used = 0;
            if (sscanf(what, "%d:%n", &column, &used) == 1 && used)
                what += used;
            what += strspn(what, " ");
            if (starts_with(what, "fatal "))
                what += strlen("fatal ");
            if (starts_with(what, "error: "))
                what += strlen("error: ");
            const char *base = strrchr(where, '/') ? strrchr(where, '/') + 1 : where;
            located = true;
            if (strcmp(base, file) && *where == '/' && !is_header_of_system(where) &&
                !starts_with(where, places.shared) && !starts_with(where, places.scratch)) {
                decide(v, UNSOLVED, "include", not_ours, where); /* and nothing of what is in it */
                return true;
            }
            if (!strcmp(base, file))
                addf(&v->said, "it does not compile: line %d: %s\n", number, what);
            else
                addf(&v->said, "it does not compile: %s, line %d: %s\n", base, number, what);
        } else {
            addf(&v->said, "it does not compile: %s\n", line);
        }
        told = true;
    }
    if (!told)
        addf(&v->said, "it does not compile%s%s\n", last ? ": " : "", last ? last : "");
    else if (errors > 1)
        addf(&v->said, "(%d errors in all; fix the first one first)\n", errors);
    return located;
}

/* What a machine does and no file can: it ends a process, has no room, starts none. */
static bool is_machines(const char *work, const Outcome *o)
{
    return o->how == STARVED || o->how == NO_CHILD || o->how == SIGNALLED || is_full(work) ||
           matches(text_of(&o->output), "(^|[ :])Killed|No space left|Resource temporarily "
                                        "unavailable|Cannot allocate memory|Too many open files");
}

static bool machines_fault(const char *what, const Outcome *o, Verdict *v)
{
    decide(v, ENVIRONMENT, "environment", "this machine cannot %s just now%s%s", what,
           o->how == STARVED ? ": it was too busy"
           : o->output.n     ? ": "
                             : "",
           text_of(&o->output));
    return false;
}

/* One of binutils could not do its part. */
static bool tool_failed(const char *work, const char *tool, const char *name, const Outcome *o,
                        Verdict *v)
{
    if (is_machines(work, o) || (o->how == ENDED && (o->code == 126 || o->code == 127)))
        return machines_fault(text("run %s", tool), o, v);
    if (o->how == ENDED)
        decide(v, UNSOLVED, "link", "%s.cu could not be linked: %.300s", name, text_of(&o->output));
    else
        decide(v, UNSOLVED, "link", "%s.cu is too much for %s", name, tool);
    return false;
}

static bool failed_to_compile(const char *work, const Outcome *o, const char *name, Verdict *v)
{
    if (o->how == TIME)
        decide(v, UNSOLVED, "compile_time", "compiling took more than a minute and was stopped");
    else if (o->how == MEMORY)
        decide(v, UNSOLVED, "compile_memory",
               "compiling took more than 3 GB of memory and was stopped");
    else if (o->how == OUTPUT)
        decide(v, UNSOLVED, "compile", "it does not compile: more errors than can be shown");
    else if (!tell_error(text_of(&o->output), name, v) &&
             (is_machines(work, o) || !can_compile(work)))
        machines_fault("compile", o, v);
    return false;
}

/* ---- what was read ---- */

/* A rule of make in which `folder`, as clang writes it there, has become the byte `mark`: names with
 * a backslash (written as a slash) or a line break (written as it is) cannot be read back. */
static char *marked(char *rule, const char *folder, char mark)
{
    char *spelt = malloc(2 * strlen(folder) + 2), *to = spelt;
    if (!spelt)
        abort();
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

/* The files that a make rule names; blanks in names are written as "\ ", $ as "$$". */
static bool includes_are_ours(const char *work, const char *source, Verdict *v)
{
    static const char *const lists[] = {"host.d", "device.d"};
    for (int i = 0; i < 2; i++) {
        char *path = text("%s/%s", work, lists[i]), *all = read_all(path), used[4096];
        char *p = all ? strstr(all, ": ") : NULL;
        if (!p) {
            decide(v, ENVIRONMENT, "environment", "the compiler has not said what it read");
            return false;
        }
        for (p = marked(marked(p + 2, places.shared, 1), work, 2); *p;) {
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
            char *ours = text("%s/", places.shared);
            char *absolute = *used == 1     ? text("%s%s", ours, used + 1)
                             : *used == 2   ? text("%s/%s", work, used + 1)
                             : *used == '/' ? text("%s", used)
                                            : text("%s/%s", work, used);
            char *real = realpath(absolute, NULL);
            bool good = real && (starts_with(real, ours) || is_header_of_system(real) ||
                                 !strcmp(real, source));
            size_t length = real ? strlen(real) : 0;
            if (good && starts_with(real, ours) &&
                !(length > 2 && !strcmp(real + length - 2, ".h")))
                good = strstr(real, "/cpucc/include/") != NULL;
            if (!good) {
                decide(v, UNSOLVED, "include", not_ours, absolute);
                return false;
            }
        }
    }
    return true;
}

/* ---- what it calls ---- */

static bool is_allowed(const char *call, const char *patterns, const char *names)
{
    static const char *const never[] = {"cpucc_record",
                                        "cpucc_reset",
                                        "cpucc_read",
                                        "cpucc_faults",
                                        "cpucc_default_report",
                                        "cpucc_seal",
                                        "cpucc_symbol_copy",
                                        "cpucc_run",
                                        NULL};
    static const char *const beginnings[] = {
        "cudaMalloc",      "cudaMemcpy",      "cudaMemset",         "cudaFree", "cudaHost",
        "cudaMemPrefetch", "cudaDeviceReset", "cudaLaunchHostFunc", "cuMem",    NULL};
    char *line;
    for (const char *p = patterns; (line = next_line(&p)); free(line))
        if (*line && matches(call, text("^(%s)$", line)))
            return true;
    for (int i = 0; never[i]; i++)
        if (starts_with(call, never[i]))
            return false;
    for (int i = 0; beginnings[i]; i++)
        if (starts_with(call, beginnings[i]))
            return false;
    if (!starts_with(call, "cpucc_") && !starts_with(call, "cu") && !starts_with(call, "__"))
        return false;
    char *word = text("\n%s\n", call);
    bool known = strstr(names, word) != NULL;
    free(word);
    return known;
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
    if (line[used] == '[') /* more about visibility */
        used += (int)strcspn(line + used, "]") + 1;
    return sscanf(line + used, " %31s %1023s", s->section, s->name) == 2;
}

/* A submission's host code may call what launches kernels, and print. It is confined in any case;
 * this is to say which call it was. (nm would do, but loads a compiler's library for it.) */
static bool calls_are_allowed(const char *work, const char *name, Verdict *v)
{
    char *list[] = {"readelf", "-sW", "host.o", NULL}, *line;
    Outcome o = run_tool(work, list);
    char *patterns = read_all(text("%s/exercises/allowed_calls", places.shared));
    char *names = read_all(text("%s/device_names", places.tools));
    if (o.how != ENDED || o.code)
        return tool_failed(work, "readelf", name, &o, v);
    if (!patterns || !names)
        stop(1, "a part of the checker is missing: %s", places.tools);
    char *all_names = text("\n%s", names);
    bool has_launch = false;
    Text forbidden = {NULL, 0, 0};
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
            /* IFUNC: the loader calls what chooses among them */
            decide(v, UNSOLVED, "forbidden",
                   "the file has a function that is chosen when it is loaded (ifunc): %.200s",
                   symbol);
            return false;
        }
        if (!absent || !*symbol || is_allowed(symbol, patterns, all_names))
            continue;
        char *filter[] = {"c++filt", s.name, NULL};
        Outcome readable = run_tool(work, filter);
        const char *q = text_of(&readable.output);
        char *shown_as = next_line(&q);
        addf(&forbidden, "%s%s", forbidden.n ? ", " : "", shown_as ? shown_as : symbol);
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
               "launched.\nThe matrices are there already, and kernels move the data.",
               forbidden.p);
    return has_launch && !forbidden.n;
}

/* What compilers make of C++. A section of another name could mean something to the linker or to the
 * loader, which act before anything is confined: .init, .interp, .dynamic, .deplibs. */
static bool is_usual_section(const char *name)
{
    return matches(name, "^[.](text|rodata|data|bss|tdata|tbss|debug|note|group|rela?)($|[._])|"
                         "^[.](comment|eh_frame|gcc_except_table|nv_fatbin|nvFatBinSegment|"
                         "llvm_addrsig)|^cpucc_(text|device|readonly|constant|parts|run)$|"
                         "^[.](init_array|fini_array|ctors|dtors|preinit_array)"); /* taken out */
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
        char section[256], rest[8];
        double n, address;
        /* "NAME SIZE ADDRESS"; a name with blanks in it is none that anybody needs. */
        if (!*line || matches(line, "^[^ ]*[.]o +:$") || matches(line, "^(section +size|Total) "))
            continue;
        if (sscanf(line, "%255s %lf %lf %7s", section, &n, &address, rest) != 3 ||
            !is_usual_section(section))
            unusual = text("%s", line);
        else if (!starts_with(section, ".debug"))
            bytes += n;
    }
    if (unusual)
        decide(v, UNSOLVED, "forbidden",
               "the file puts something into a section of its own, which no exercise needs: %.*s",
               (int)strcspn(unusual, " "), unusual);
    else if (bytes > 64 << 20)
        decide(v, UNSOLVED, "memory",
               "the file declares %.0f bytes of static memory; no exercise needs much of it",
               bytes);
    return !unusual && bytes <= 64 << 20;
}

/* ---- linking ---- */

bool tool_works(const char *work, char *const arguments[], const char *name, Verdict *v)
{
    Outcome o = run_tool(work, arguments);
    if (o.how == ENDED && o.code == 0)
        return true;
    return tool_failed(work, arguments[0], name, &o, v);
}

/* Links as cpucc would, without the compiler that it has the linker called by (../check.sh). False if
 * that does not work, for whatever reason. */
static bool links_quickly(const char *work, char *const objects[], const char *program)
{
    char *words = read_all(text("%s/link", places.tools)), *word, *arguments[96];
    bool has_objects = false, has_program = false;
    int n = 0;
    for (const char *p = words ? words : ""; n < 80 && (word = next_line(&p));) {
        bool is_program = !strcmp(word, "program");
        if (!strcmp(word, "objects.o")) {
            for (int i = 0; objects[i] && n < 80; i++)
                arguments[n++] = objects[i] + (starts_with(objects[i], "-Wl,") ? 4 : 0);
            has_objects = true;
        } else {
            arguments[n++] = is_program ? (char *)program : word;
            has_program |= is_program;
        }
    }
    arguments[n] = NULL;
    if (!has_objects || !has_program)
        return false;
    Outcome o = run_tool(work, arguments);
    return o.how == ENDED && o.code == 0;
}

/* A program of these objects, which NULL ends. */
static bool link_program(const char *work, char *const objects[], const char *program,
                         const char *name, Verdict *v)
{
    char *arguments[16] = {text("%s/cpucc/cpucc", places.shared), "-o", (char *)program};
    for (int i = 0; objects[i] && i < 12; i++)
        arguments[3 + i] = objects[i];
    return links_quickly(work, objects, program) || tool_works(work, arguments, name, v);
}

static bool link_answer(const char *work, const char *name, Verdict *v)
{
    /* Start-up code of the submission is not run; what clang writes to announce the kernels is
     * called by name. No other name of it is to meet ours. */
    char *announce[] = {"objcopy",
                        "--redefine-sym",
                        "__cuda_module_ctor=announce_kernels",
                        "--globalize-symbol=announce_kernels",
                        "host.o",
                        NULL};
    char *bare[] = {"objcopy",
                    "--wildcard",
                    "--remove-section",
                    ".init_array*",
                    "--remove-section",
                    ".fini_array*",
                    "--remove-section",
                    ".ctors*",
                    "--remove-section",
                    ".dtors*",
                    "--remove-section",
                    ".preinit_array",
                    "--keep-global-symbol=announce_kernels",
                    "--keep-global-symbol=exercise_launch",
                    "--keep-global-symbol=exercise_elements",
                    "host.o",
                    NULL};
    char *confine = text("%s/confine.o", places.tools);
    char *protocol = text("%s/protocol.o", places.tools);
    char *vast = text("%s/vast.o", places.tools);
    char *device[] = {text("%s/device.o", places.tools), vast, confine, protocol, "device.o", NULL};
    char *launcher[] = {text("%s/launcher.o", places.tools), confine, protocol, "host.o",
                        "-Wl,--allow-multiple-definition",   NULL};
    return tool_works(work, announce, name, v) && tool_works(work, bare, name, v) &&
           link_program(work, device, "device", name, v) &&
           link_program(work, launcher, "launcher", name, v);
}

/* Links host.o and device.o, if they have nothing that an answer may not have. */
static bool links(const char *work, const char *name, Verdict *v)
{
    return calls_are_allowed(work, name, v) && sections_are_usual(work, name, v) &&
           link_answer(work, name, v);
}

bool compile_answer(const char *work, const char *source, const char *name, Verdict *v)
{
    if (is_compiled())
        return take_compiled(work, name, v) && links(work, name, v);
    Outcome o = compile_source(work, source);
    /* What names no line of the file may be the machine's; then it goes better the second time. */
    if (o.how == SIGNALLED ||
        (o.how == ENDED && o.code && !tell_error(text_of(&o.output), name, v)))
        o = compile_source(work, source);
    if (o.how != ENDED || o.code)
        return failed_to_compile(work, &o, name, v);
    char *path = text("%s/%s", work, source), *real = realpath(path, NULL);
    return includes_are_ours(work, real ? real : path, v) && links(work, name, v);
}
