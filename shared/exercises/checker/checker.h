/*
 * The checker of the exercises: what its files share.
 *
 *   main.c         the command line
 *   exercises.c    finds the exercises, reads what a task asks for
 *   check.c        checks one answer and decides the verdict
 *   compile.c      compiles and links an answer, which is untrusted code
 *   inspect.c      refuses includes, calls and sections that an exercise cannot have
 *   session.c      runs an answer at each size and compares its output
 *   children.c     the two processes of a run (../sandbox), their limits and messages
 *   explain.c      what went wrong in a run, in words
 *   offsets.c      whether an answer's offsets hold where they need 64 bits
 *   goals.c        compares counts with goals and predictions
 *   layout.c       exercises whose answer is a layout
 *   jobs.c         runs several checks at a time; signals; the GPU
 *   state.c        cached verdicts, the learner's progress
 *   learner.c      what the learner sees
 *   explanation.c  what a solved exercise shows
 *   watch.c        checks again on every save
 *   grade.c        grades submissions
 *   results.c      results as TSV, CSV, JUnit and JSON
 *   child.c        runs another program within limits
 *   text.c         lines and files
 *
 * All text is bytes; nothing depends on the locale. Only loops free memory, since the program is
 * short-lived.
 */
#ifndef CHECKER_H
#define CHECKER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../../cpucc/frontend/text_buffer.h"
#include "../../traffic/tsv.h"
#include "../sandbox/protocol.h"
#include "../task.h"
#include <stdint.h>
#include <sys/types.h>

/* ---- text.c ---- */

/* Whether the text matches a POSIX extended regular expression. */
bool matches(const char *p, const char *expression);
/* The next line of *p as a new string without its end; NULL at the end. *p moves on. */
char *next_line(const char **p);

/* The bytes of a regular file of at most `most` bytes, with a 0 behind them; no link is followed.
 * NULL and *why if it is none: "missing", "not_a_file", "too_large" or "unreadable". */
char *read_regular(const char *path, size_t most, size_t *bytes, const char **why);
/* Writes a file whole or not at all. */
bool write_file(const char *path, const char *p, size_t n);
bool copy_file(const char *from, const char *to);
bool is_file(const char *path);
bool is_folder(const char *path);
bool make_folders(const char *path);
void remove_tree(const char *path);
uint64_t hash_bytes(uint64_t h, const void *p, size_t n);

/* ---- exercises.c ---- */

typedef struct {
    char *step, *name, *folder; /* folder: absolute */
} Exercise;

typedef struct {
    Exercise *item;
    int count;
} Exercises;

/* What a task asks for. */
typedef struct {
    char *text;        /* of task.cu */
    struct text goals; /* its lines "// operation:", "// goal:" and so on */
    Task task;         /* unless the answer is a layout */
    bool is_layout, is_predictions;
    bool checks_offsets; /* goal: offsets 64 */
} Assignment;

typedef struct {
    const char *root, *shared, *tools, *out, *scratch; /* folders */
    const char *caller;  /* the folder in which run_all.sh was called */
    double cpu_seconds;  /* processor time that a run may take */
    double wall_seconds; /* after which a run that used less is blamed on a busy machine */
    int jobs;            /* checks at a time */
} Settings;
extern Settings settings;

/* All exercises, by step and name. */
Exercises find_exercises(void);
/* Those of a step, or the one of that name; all of them for NULL. */
Exercises selected(const Exercises *all, const char *step);
/* The exercise with this name, or the only one whose name begins with it; or NULL. */
const Exercise *find_exercise(const Exercises *all, const char *name);
/* The path of a file in the exercise's folder. */
char *file_in(const Exercise *e, const char *name);
/* The path from the workbook's folder, if it lies below. */
char *relative_path(const char *path);
/* False if task.cu cannot be read or names no operation. */
bool read_assignment(const Exercise *e, Assignment *assignment);
bool is_goal_line(const char *line);
char *title_of(const Exercise *e);
/* Whether the answer is the task as it was handed out. */
bool is_untouched(const Exercise *e, const char *answer);

/* ---- verdicts ---- */

typedef enum { SOLVED, UNSOLVED, ENVIRONMENT } Status;
extern const char *const status_words[];

typedef struct {
    Status status;
    char reason[32];      /* one word */
    struct text said;     /* lines for the learner */
    struct text printed;  /* what the submission printed */
    struct text gpu;      /* the result on the GPU, one line */
    struct text conflict; /* a picture of the worst request's bank conflict */
    char medal[8];        /* "silver", "gold" or "" */
    bool counted;         /* `counts` holds the counts of the counted size */
    struct counts counts;
} Verdict;

/* Sets status and reason, and replaces what is said by one line. */
void decide(Verdict *v, Status status, const char *reason, const char *how, ...)
    __attribute__((format(printf, 4, 5)));
extern const char *const counter_names[COUNTERS];

/* ---- child.c ---- */

typedef struct {
    enum { ENDED, SIGNALLED, TIME, MEMORY, OUTPUT, STARVED, NO_CHILD } how;
    int code; /* exit status, or signal */
    struct text output;
} Outcome;

/* Runs a program. It and all that it starts may take `seconds` of processor time and `megabytes` of
 * memory in use, and print `bytes` bytes. STARVED: the machine did not give it that time within ten
 * times as long. */
Outcome run_limited(char *const arguments[], const char *const environment[], const char *folder,
                    double seconds, double megabytes, size_t bytes);
/* Seconds of a clock that never goes back. */
double now(void);
/* The memory in use by a process. */
double megabytes_of(pid_t pid);

/* ---- one check ---- */

/* Checks the answer in `file`, which is read once. */
void check_answer(const Exercise *e, const char *file, Verdict *v);

/* Compiles work/SOURCE into the programs work/device and work/launcher. False: *v says why not. */
bool compile_answer(const char *work, const char *source, const char *name, Verdict *v);
/* Runs a compiler's tool with its limits. */
Outcome run_tool(const char *work, char *const arguments[]);
/* Says in *v why a tool failed; returns false. */
bool tool_failed(const char *work, const char *tool, const char *name, const Outcome *o,
                 Verdict *v);
/* The message about an include that is not allowed; %s is its path. */
extern const char include_refused[];
bool is_header_of_system(const char *path);
/* False, after saying why, if the answer includes, calls or declares what an exercise cannot have. */
bool inspect_answer(const char *work, const char *source, const char *name, Verdict *v);
/* The same without the includes. */
bool inspect_objects(const char *work, const char *name, Verdict *v);
/* Compiles work/SOURCE into work/host.o and work/device.o. */
Outcome compile_source(const char *work, const char *source);
/* True if a tool ran without error; *v says why not. */
bool tool_works(const char *work, char *const arguments[], const char *name, Verdict *v);

/* ---- together.c: several answers of one exercise, for tests ---- */

/* Prints the verdict on each file. Returns the exit status: 1 if a single file is not solved. */
int judge_files(const Exercise *e, char **files, int count);
/* True if answers were compiled together. */
bool is_compiled(void);
/* Copies the objects of the answer that is judged now to work. */
bool take_compiled(const char *work, const char *name, Verdict *v);

typedef struct {
    int size_count;
    struct {
        int rows, cols;
        Finding found;
        uint64_t written, expected; /* of a large run: elements written right, and to be written */
    } size[8];
    struct counts counts;
    char ended[256];      /* how it ended, if not well: see children.h */
    char error[256];      /* the CUDA error that the launch left behind, in words */
    int element_bytes[2]; /* of the launch function's parameters, 0: unknown */
    struct text printed, faults, lines, conflicts;
} Run;

/* Runs the answer in work at the counted size, at the ragged ones, or some of its blocks at large
 * size number N: LARGE + N. */
enum { COUNTED, RAGGED, LARGE };
Run run_answer(const char *work, const Task *task, int sizes);

/* False, after saying why, unless the run verified everything without a fault. */
bool explain_run(const Run *run, const Task *task, const char *name, bool ragged, Verdict *v);
/* The line and the message of the run's first fault; false if it has none. */
bool first_fault(const Run *run, const char *name, char **line, char **what);

/* False, after saying why, if the answer computes offsets in 32 bits. */
bool check_offsets(const char *work, const Task *task, const char *name, Verdict *v);
/* Adds to *f and *written what a kernel did to a page of a large matrix. */
void compare_page(const Task *task, int rows, int cols, uint64_t seed, const struct page *page,
                  const unsigned char *bytes, Finding *f, uint64_t *written);

/* False, after saying which one fails, unless the counts meet the goals. Sets the medal. */
bool check_goals(const Assignment *assignment, const Run *run, Verdict *v);

typedef struct {
    char *what, *value;
    int line;
} Prediction;
/* Reads the predictions that the task asks for from the answer; their number, or -1 if one is
 * missing. */
int read_predictions(const Assignment *assignment, const char *answer, const char *name,
                     Prediction **predictions, Verdict *v);
bool check_predictions(const Prediction *p, int count, const Run *run, Verdict *v);

void check_layout(const Assignment *assignment, const char *answer, const char *name,
                  const char *work, Verdict *v);

/* ---- state.c ---- */

void write_verdict(const char *path, const Verdict *v);
bool read_verdict(const char *path, Verdict *v);
/* The verdict of the same checker about the same file; false if none is cached. */
bool find_cached_verdict(const Exercise *e, const char *answer, size_t bytes, Verdict *v);
void cache_verdict(const Exercise *e, const char *answer, size_t bytes, const Verdict *v);
/* The file of the verdict on the learner's answer. */
char *verdict_path(const Exercise *e);
bool is_solved(const Exercise *e);
bool is_given_up(const Exercise *e);
void give_up(const Exercise *e);
int hints_seen(const Exercise *e);
void set_hints_seen(const Exercise *e, int seen);

/* ---- jobs.c ---- */

typedef struct {
    const Exercise *exercise;
    char *file, *verdict; /* paths: the answer; where its verdict goes */
} Job;

/* Makes settings.scratch, which is removed when the program ends. */
void start_scratch(void);
/* Runs checks, or takes their cached verdicts; those of a learner also on the GPU, if there is one. */
void run_jobs(const Job *jobs, int count, bool learner);
/* Sleeps; a signal ends the program. */
void pause_ms(int milliseconds);
/* Ends the program with a message. */
void stop(int status, const char *how, ...) __attribute__((format(printf, 2, 3), noreturn));

/* ---- explanation.c ---- */

/* Shows why the solution works, the counts, the recorded times. */
void explain_exercise(const Exercise *e, const Verdict *v);

/* ---- learner.c, watch.c ---- */

/* These return the exit status. */
int show_list(const Exercises *exercises, const Exercises *all);
int show_next(const Exercises *exercises, const Exercises *all);
int watch(const Exercises *exercises, const Exercises *all);
int show_hint(const Exercise *e);
int reset(const Exercise *e);
int show_solution(const Exercise *e);
int show_given_up(const Exercise *e);
int show_summary(const Exercises *exercises);
int new_exercise(const Exercises *all, const char *step, const char *name);

/* Checks every answer that was begun, and the first exercise that was not. */
void check_all(const Exercises *exercises);
/* Checks one answer. */
void check_one(const Exercise *e, Verdict *v);
/* A command as the learner types it in the folder of the call, and a path. */
char *command_line(const char *action, const char *name);
char *path_for_user(const char *path);
/* Shows the exercises that the last check found newly solved. */
void show_newly_solved(void);
/* Shows what the next exercise still lacks, and the commands for it. */
void say_next(const Exercises *all, const Exercise *e, const Verdict *v);
/* Copies the task to answer.cu, unless that exists. */
void make_answer(const Exercise *e);

/* ---- grade.c, results.c ---- */

typedef struct {
    const char *submission;
    const Exercise *exercise;
    Verdict verdict;
} Result;

typedef struct {
    const char *junit, *csv, *gradescope; /* files to write, or NULL */
} Outputs;
/* Grades the submissions in these folders; returns the exit status. */
int grade(const Exercises *exercises, char **folders, int count, const Outputs *outputs);
/* These are false after a message if a file cannot be written. */
bool write_outputs(const Outputs *outputs, const Result *results, int count);
bool write_tsv(const char *path, const Result *results, int count);

#endif
