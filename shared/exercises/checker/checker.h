/*
 * The checker of the exercises: what its files share. Who does what:
 *
 *   main.c       the command line
 *   book.c       where the exercises are, and what a task asks for
 *   check.c      one answer of one exercise: a verdict
 *   compile.c    builds an answer as code of strangers
 *   session.c    runs it in processes of its own (../sandbox), compares its output
 *   explain.c    what went wrong in a run, in words
 *   vast.c       whether its offsets hold where they need 64 bits
 *   goals.c      goals and predictions against counts
 *   layout.c     answers that are layouts
 *   jobs.c       several checks at a time; signals
 *   state.c      verdicts that are kept, the learner's progress
 *   learner.c    what the learner sees
 *   explanation.c what is said when an exercise is solved
 *   watch.c      checks again on every save
 *   grade.c      a stack of submissions
 *   results.c    results as TSV, CSV, JUnit and JSON
 *   child.c      other programs, with limits
 *   text.c       growing text, files
 *
 * All text is bytes; nothing depends on the locale. Memory is not given back, but for what a loop
 * would pile up: the program is short-lived.
 */
#ifndef CHECKER_H
#define CHECKER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "../sandbox/protocol.h"
#include "../task.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ---- text.c ---- */

typedef struct {
    char *p; /* ends with 0; NULL while nothing was added */
    size_t n, room;
} Text;

void add_bytes(Text *to, const char *p, size_t n);
void add(Text *to, const char *p);
void addf(Text *to, const char *how, ...) __attribute__((format(printf, 2, 3)));
const char *text_of(const Text *t); /* "" where nothing was added */
char *text(const char *how, ...) __attribute__((format(printf, 1, 2)));
bool starts_with(const char *p, const char *with);
bool matches(const char *p, const char *expression); /* POSIX extended */
/* The next line of *p as a new string without its end; NULL at the end. */
char *next_line(const char **p);
/* Splits a line at tabs, in place; returns how many fields, at most `room`. */
int split_tabs(char *line, char **field, int room);

/* A regular file of at most `most` bytes, ended by a 0 that does not count; NULL and *why if it is
 * not one: "missing", "not_a_file", "too_large" or "unreadable". No link is followed. */
char *read_regular(const char *path, size_t most, size_t *bytes, const char **why);
char *read_all(const char *path); /* any file; NULL if it cannot be read */
bool write_file(const char *path, const char *p, size_t n); /* whole or not at all */
bool copy_file(const char *from, const char *to);
bool is_file(const char *path);
bool is_folder(const char *path);
bool make_folders(const char *path);
void remove_tree(const char *path);
uint64_t hash_bytes(uint64_t h, const void *p, size_t n);

/* ---- book.c ---- */

typedef struct {
    char *step, *name, *folder; /* folder: absolute */
} Exercise;

typedef struct {
    Exercise *list;
    int count;
} Book;

typedef struct {
    char *text; /* task.cu */
    Text goals; /* its lines "// operation:" and so on */
    Task task;  /* unless it is a layout */
    bool is_layout, is_predictions;
    bool asks_offsets; /* goal: offsets 64 */
} Asked;

typedef struct {
    const char *root, *shared, *tools, *out, *scratch; /* folders */
    const char *caller;                                /* where run_all.sh was called */
    double seconds;  /* of the processor's time that a run may take */
    double patience; /* seconds by the clock, then this machine is too busy */
    int jobs;
} Places;
extern Places places;

Book find_book(void);
Book selected(const Book *all, const char *step);                 /* NULL: all */
const Exercise *find_exercise(const Book *all, const char *name); /* or its beginning; or NULL */
char *file_in(const Exercise *e, const char *name);
char *shown(const char *path); /* from the workbook's folder */
bool read_asked(const Exercise *e, Asked *asked);
bool is_goal_line(const char *line);
char *title_of(const Exercise *e);
bool is_untouched(const Exercise *e, const char *answer);

/* ---- verdicts ---- */

typedef enum { SOLVED, UNSOLVED, ENVIRONMENT } Status;

typedef struct {
    Status status;
    char reason[32]; /* one word */
    Text said;       /* what the learner is told, lines */
    Text printed;    /* what the submission printed */
    Text gpu;        /* what the GPU said of it, one line */
    Text pile;       /* a picture of the worst request's bank conflict */
    char medal[8];   /* "silver", "gold" or "" */
    bool counted;    /* counts are there, of the counted size */
    struct counts counts;
} Verdict;

void decide(Verdict *v, Status status, const char *reason, const char *how, ...)
    __attribute__((format(printf, 4, 5)));
extern const char *const counter_names[COUNTERS];

/* ---- child.c ---- */

typedef struct {
    enum { ENDED, SIGNALLED, TIME, MEMORY, OUTPUT, STARVED, NO_CHILD } how;
    int code; /* exit status, or signal */
    Text output;
} Outcome;

/* Runs a program with a bare environment; it and all that it starts may take `seconds` of processor
 * time and `megabytes` of memory in use; what it prints is kept up to `bytes`. STARVED: the machine
 * did not give it that time within ten times as long. */
Outcome run_limited(char *const arguments[], const char *const environment[], const char *folder,
                    double seconds, double megabytes, size_t bytes);
double now(void);
double megabytes_of(pid_t pid);

/* ---- check.c and what it is made of ---- */

/* Checks the answer in `file` (a copy of it: the original is not looked at again). */
void check_answer(const Exercise *e, const char *file, Verdict *v);

/* Compiles work/NAME.cu: work/device and work/launcher are there afterwards. False: *v says why. */
bool compile_answer(const char *work, const char *source, const char *name, Verdict *v);
/* What the compiler says of work/SOURCE: host.o and device.o are there afterwards. */
Outcome compile_source(const char *work, const char *source);
/* Whether one of binutils did its work; *v says why not. */
bool tool_works(const char *work, char *const arguments[], const char *name, Verdict *v);

/* ---- together.c ---- */

/* Compiles answers of one exercise in one go; false if not all of them compile. */
bool compile_together(const char *folder, const char *name, char **answers, int count);
void use_compiled(int i); /* the next compile_answer takes number i */
bool is_compiled(void);   /* whether answers were compiled together */
bool take_compiled(const char *work, const char *name, Verdict *v); /* its objects, to work */

typedef struct {
    int size_count;
    struct {
        int rows, cols;
        Finding found;
        uint64_t written,
            expected; /* of a vast run: elements that are right; that its blocks should */
    } size[8];
    struct counts counts;
    char ended[256];      /* how it ended, if not well: see session.c */
    char error[256];      /* what the launch left behind: CUDA's words */
    int element_bytes[2]; /* of the launch function's parameters, 0: unknown */
    Text printed, faults, lines, piles;
} Run;

/* Runs the answer in work at the counted size, at the ragged ones, or some of its blocks at a vast
 * one, VAST or VAST + 1. */
enum { COUNTED, RAGGED, VAST };
Run run_answer(const char *work, const Task *task, int sizes);

/* False, after telling why, unless the run verified everything without a fault. */
bool explain_run(const Run *run, const Task *task, const char *name, bool ragged, Verdict *v);
bool first_fault(const Run *run, const char *name, char **line, char **what);

/* False, after telling why, if offsets of 32 bits can be seen. */
bool check_offsets(const char *work, const Task *task, const char *name, Verdict *v);
/* What a kernel has done to a page of a matrix of a vast run. */
void compare_page(const Task *task, int rows, int cols, uint64_t seed, const struct page *page,
                  const unsigned char *bytes, Finding *f, uint64_t *written);

/* False, after telling which, unless the counts meet the goals. Also the medal. */
bool check_goals(const Asked *asked, const Run *run, Verdict *v);

typedef struct {
    char *what, *value;
    int line;
} Prediction;
/* The predictions that the task asks for, as the answer has them; -1 if one is missing. */
int read_predictions(const Asked *asked, const char *answer, const char *name,
                     Prediction **predictions, Verdict *v);
bool check_predictions(const Prediction *p, int count, const Run *run, Verdict *v);

void check_layout(const Asked *asked, const char *answer, const char *name, const char *work,
                  Verdict *v);

/* ---- state.c ---- */

void write_verdict(const char *path, const Verdict *v);
bool read_verdict(const char *path, Verdict *v);
/* A verdict about the same file by the same checker; false if there is none. */
bool find_kept(const Exercise *e, const char *answer, size_t bytes, Verdict *v);
void keep(const Exercise *e, const char *answer, size_t bytes, const Verdict *v);
char *now_path(const Exercise *e);
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

void start_scratch(void); /* places.scratch, which goes with the program */
/* Checks them; a learner's also on the GPU, where there is one. A verdict that is kept is used. */
void run_jobs(const Job *jobs, int count, bool learner);
void check_on_gpu(const Exercise *e, const char *file, Verdict *v);
bool has_gpu(void);

void pause_ms(int milliseconds);

/* ---- explanation.c ---- */

/* What is said of an exercise when it is solved, or given up. */
void explain_exercise(const Exercise *e, const Verdict *v);

/* ---- learner.c, watch.c, grade.c, results.c ---- */

int show_list(const Book *book, const Book *all);
int show_next(const Book *book, const Book *all);
int watch(const Book *book, const Book *all);
int show_hint(const Exercise *e);
int reset(const Exercise *e);
int show_solution(const Exercise *e);
int show_given_up(const Exercise *e);
int show_summary(const Book *book);
int new_exercise(const Book *all, const char *step, const char *name);
void check_book(const Book *book);
void check_one(const Exercise *e, Verdict *v);
char *command(const char *action, const char *name); /* as one types it where one stands */
char *where(const char *path);                       /* a path as one types it there */
void show_printed(const Verdict *v);
void tell_news(void); /* what is said of exercises that were just solved */
void say_next(const Book *all, const Exercise *e, const Verdict *v);
bool begin(const Exercise *e); /* makes answer.cu, if it is not there */

typedef struct {
    const char *submission;
    const Exercise *exercise;
    Verdict verdict;
} Result;

typedef struct {
    const char *junit, *csv, *gradescope; /* files to write, or NULL */
} Outputs;
int grade(const Book *book, char **folders, int count, const Outputs *outputs);
bool write_outputs(const Outputs *outputs, const Result *results, int count);
bool write_junit(const char *path, const Result *results, int count);
bool write_csv(const char *path, const Result *results, int count);
bool write_tsv(const char *path, const Result *results, int count);
bool write_gradescope(const char *path, const Result *results, int count);

void stop(int status, const char *how, ...) __attribute__((format(printf, 2, 3), noreturn));

#endif
