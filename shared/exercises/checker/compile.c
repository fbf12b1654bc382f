/*
 * Compiles an answer as untrusted code (cpucc --sealed) and links its kernels with the device and its
 * host code with the launcher. This file explains errors; protection is the task of ../sandbox.
 */
#include "checker.h"
#include <errno.h>
#include <signal.h>
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
        getenv("PATH") ? format("PATH=%s", getenv("PATH")) : "PATH=/usr/local/bin:/usr/bin:/bin";
    list[n++] = "LC_ALL=C";
    list[n++] = format("TMPDIR=%s", work);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (getenv(kept[i]))
            list[n++] = format("%s=%s", kept[i], getenv(kept[i]));
    list[n] = NULL;
    return list;
}

Outcome run_tool(const char *work, char *const arguments[])
{
    return run_limited(arguments, environment_of_compiler(work), work, COMPILE_SECONDS,
                       COMPILE_MEGABYTES, COMPILE_TEXT);
}

/* ---- failures of the machine ---- */

static bool is_full(const char *folder)
{
    struct statvfs s;
    return !statvfs(folder, &s) && (uint64_t)s.f_bavail * s.f_frsize < 1 << 20;
}

Outcome compile_source(const char *work, const char *source)
{
    char *driver = format("%s/cpucc/cpucc", settings.shared),
         *include = format("-I%s", settings.shared);
    char *arguments[] = {driver,  "--sealed",     ".", "-DEXERCISE_CHECKED",
                         include, (char *)source, NULL};
    return run_tool(work, arguments);
}

/* True if this machine can compile a correct kernel now. */
static bool can_compile(const char *work)
{
    static const char control[] = "#include \"exercises/exercise.h\"\n"
                                  "__global__ void k(float *p) { p[threadIdx.x] = 1; }\n"
                                  "static void launch(float *p, int) { k<<<1, 32>>>(p); }\n"
                                  "EXERCISE(launch)\n";
    char *folder = format("%s/control", work), *file = format("%s/control.cu", folder);
    bool good = make_folders(folder) && write_file(file, control, sizeof control - 1);
    if (good) {
        Outcome o = compile_source(folder, "control.cu");
        good = o.how == ENDED && o.code == 0;
    }
    remove_tree(folder);
    return good;
}

/* ---- errors of the compiler ---- */

const char include_refused[] =
    "the file includes %s; only exercises/exercise.h and headers of the system are allowed";

/* If the notes behind an error say that a header of the workbook has the name already, adds which. */
static void add_header(struct text *to, const char *error, const char *notes)
{
    const char *other = strstr(error, " conflicts with ") ? " declared here" : "note: previous ";
    char *line, where[512];
    int number;
    while ((line = next_line(&notes)) && !strstr(line, "error:"))
        if (strstr(line, other) && starts_with(line, settings.shared) &&
            sscanf(line + strlen(settings.shared), "/%511[^:]:%d", where, &number) == 2) {
            const char *path = strstr(where, "../") ? strstr(where, "../") + 3 : where;
            addf(to, "(line %d of shared/%s has that name already: choose another)\n", number,
                 path);
            return;
        }
}

/* Returns what a learner calls the uses of a function of cpucc's; NULL if the source has its name. */
static const char *words_for(const char *function)
{
    static const char *const words[][2] = {
        {"cpucc_managed", "a __managed__ variable"},
        {"cpucc_barrier_exchange", "a reduction, vote or shuffle of a tile of several warps"},
        {"cpucc_texture", "a texture"},
        {"cpucc_surface", "a surface"},
        {"cpucc_wmma", "a matrix operation of nvcuda::wmma"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (starts_with(function, words[i][0]))
            return words[i][1];
    return NULL;
}

/* Adds the compiler's first error to *v; true if the error names a line of a file. */
static bool report_error(const char *said, const char *name, Verdict *v)
{
    char *line, *file = format("%s.cu", name), *last = NULL;
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
            const char *used = words_for(what);
            decide(v, UNSOLVED, "forbidden_call",
                   "a kernel %s %s, which an exercise cannot use: kernels compute, and move data "
                   "by loads and stores.",
                   used ? "uses" : "calls", used ? used : what);
            return true;
        }
        if (starts_with(line, "cpucc: sealed: ")) {
            what = line + strlen("cpucc: sealed: ");
            const char *end = strstr(what, ":   "); /* before an instruction of LLVM */
            decide(v, UNSOLVED, "forbidden",
                   "the file has something that an exercise cannot have: %.*s",
                   end ? (int)(end - what) : (int)strlen(what), what);
            return true;
        }
        if (starts_with(line, "error: /")) /* as the assembler writes it */
            line += strlen("error: ");
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
                !starts_with(where, settings.shared) && !starts_with(where, settings.scratch)) {
                decide(v, UNSOLVED, "include", include_refused,
                       base); /* the error may quote the included file: do not repeat it */
                return true;
            }
            if (!strcmp(base, file))
                addf(&v->said, "it does not compile: line %d: %s\n", number, what);
            else
                addf(&v->said, "it does not compile: %s, line %d: %s\n", base, number, what);
            add_header(&v->said, what, p);
            if (strstr(what, "'exercise_call'"))
                add(&v->said, "(EXERCISE takes void f(const T *, T *, int, int[, int count]))\n");
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

/* True if the machine failed: it ended a process, its disk is full, or it cannot start a process.
 * Decides by how the tool ended and by what the machine can do now, never by what was printed, which
 * the submission may choose. */
static bool is_environment_failure(const char *work, const Outcome *o)
{
    int signal = o->how == SIGNALLED ? o->code : o->how == ENDED ? o->code - 128 : 0;
    return o->how == STARVED || o->how == NO_CHILD || signal == SIGKILL || signal == SIGTERM ||
           is_full(work) || !can_compile(work);
}

static bool report_environment(const char *what, const Outcome *o, Verdict *v)
{
    decide(v, ENVIRONMENT, "environment", "this machine cannot %s just now%s%s", what,
           o->how == STARVED ? ": it was too busy"
           : o->output.n     ? ": "
                             : "",
           text_of(&o->output));
    return false;
}

bool tool_failed(const char *work, const char *tool, const char *name, const Outcome *o, Verdict *v)
{
    if (is_environment_failure(work, o) || (o->how == ENDED && (o->code == 126 || o->code == 127)))
        return report_environment(format("run %s", tool), o, v);
    static const char lacks[] = "undefined reference to `cpucc_";
    const char *called = strstr(text_of(&o->output), lacks);
    if (called)
        decide(
            v, UNSOLVED, "forbidden_call",
            "a kernel calls %.*s, which an exercise cannot use: the CPU run has no such function",
            (int)strcspn(called + sizeof lacks - 1, "'"), called + sizeof lacks - 1);
    else if (o->how == ENDED)
        decide(v, UNSOLVED, "link", "%s.cu could not be linked: %.300s", name, text_of(&o->output));
    else
        decide(v, UNSOLVED, "link", "%s.cu is too much for %s", name, tool);
    return false;
}

/* Sets *v to the cause of the compiler's failure. Returns false. */
static bool failed_to_compile(const char *work, const Outcome *o, const char *name, Verdict *v)
{
    if (o->how == TIME)
        decide(v, UNSOLVED, "compile_time", "compiling took more than a minute and was stopped");
    else if (o->how == ASLEEP)
        decide(v, UNSOLVED, "compile_time",
               "compiling took more than a minute of waiting and was stopped: does the file "
               "include a pipe "
               "or a terminal?");
    else if (o->how == MEMORY)
        decide(v, UNSOLVED, "compile_memory",
               "compiling took more than 3 GB of memory and was stopped");
    else if (o->how == OUTPUT)
        decide(v, UNSOLVED, "compile", "it does not compile: more errors than can be shown");
    else if (!report_error(text_of(&o->output), name, v) && is_environment_failure(work, o))
        report_environment("compile", o, v);
    return false;
}

/* ---- linking ---- */

bool tool_works(const char *work, char *const arguments[], const char *name, Verdict *v)
{
    Outcome o = run_tool(work, arguments);
    if (o.how == ENDED && o.code == 0)
        return true;
    return tool_failed(work, arguments[0], name, &o, v);
}

/* Links with the linker's command that ../check.sh has recorded, which is faster than through the
 * compiler. False if that fails. */
static bool links_directly(const char *work, char *const objects[], const char *program)
{
    char *words = read_file(format("%s/link", settings.tools)), *word, *arguments[96];
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

/* Links objects into a program; NULL ends their list. */
static bool link_program(const char *work, char *const objects[], const char *program,
                         const char *name, Verdict *v)
{
    char *arguments[16] = {format("%s/cpucc/cpucc", settings.shared), "-o", (char *)program};
    for (int i = 0; objects[i] && i < 12; i++)
        arguments[3 + i] = objects[i];
    return links_directly(work, objects, program) || tool_works(work, arguments, name, v);
}

static bool link_answer(const char *work, const char *name, Verdict *v)
{
    /* The launcher calls the file's initialisers once it is confined. The flags make their section one
     * of data: some linkers let the loader run a section of initialisers under any name. All names of
     * the submission but two become local. */
    char *bare[] = {"objcopy",
                    "--rename-section=.init_array=exercise_inits,alloc,load,data,contents",
                    "--wildcard",
                    "--remove-section=.init_array.*",
                    "--remove-section=.fini_array*",
                    "--remove-section=.ctors*",
                    "--remove-section=.dtors*",
                    "--remove-section=.preinit_array",
                    "--keep-global-symbol=exercise_launch",
                    "--keep-global-symbol=exercise_elements",
                    "host.o",
                    NULL};
    char *confine = format("%s/confine.o", settings.tools);
    char *protocol = format("%s/protocol.o", settings.tools);
    char *large = format("%s/large_matrix.o", settings.tools);
    char *device[] = {
        format("%s/device.o", settings.tools), large, confine, protocol, "device.o", NULL};
    char *launcher[] = {format("%s/launcher.o", settings.tools), confine, protocol, "host.o",
                        "-Wl,--allow-multiple-definition",       NULL};
    return tool_works(work, bare, name, v) && link_program(work, device, "device", name, v) &&
           link_program(work, launcher, "launcher", name, v);
}

bool compile_answer(const char *work, const char *source, const char *name, Verdict *v)
{
    if (is_compiled())
        return take_compiled(work, name, v) && inspect_objects(work, name, v) &&
               link_answer(work, name, v);
    Outcome o = compile_source(work, source);
    /* The machine may have caused an error that names no line of the file: try again. */
    if (o.how == SIGNALLED ||
        (o.how == ENDED && o.code && !report_error(text_of(&o.output), name, v)))
        o = compile_source(work, source);
    if (o.how != ENDED || o.code)
        return failed_to_compile(work, &o, name, v);
    char *path = format("%s/%s", work, source), *real = realpath(path, NULL);
    return inspect_answer(work, real ? real : path, name, v) && link_answer(work, name, v);
}
