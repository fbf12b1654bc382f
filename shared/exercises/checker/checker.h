/*
 * Declares the functions and types that the files of the exercises' checker share; ../README.md lists
 * the files.
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

/* Replaces control characters, which a terminal would obey, except `kept`, and bytes that are not UTF-8 by `by`;
 * returns the text. */
char *without_controls(char *text, char by, char kept);
/* True if the text matches a POSIX extended regular expression. */
bool matches(const char *p, const char *expression);

/* Returns the bytes of a regular file of at most `most` bytes and a terminating 0; follows no link.
 * On failure returns NULL and sets *why: "missing", "not_a_file", "too_large" or "unreadable". */
char *read_regular(const char *path, size_t most, size_t *bytes, const char **why);
/* Writes a file atomically; false if that fails. */
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

/* The operation and the goals of a task. */
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
    double wall_seconds; /* after which a run below its limits is a failure of the busy machine */
    int jobs;            /* checks at a time */
} Settings;
extern Settings settings;

/* Returns all exercises, sorted by step and name. */
Exercises find_exercises(void);
/* Returns the exercises of a step, or the exercise of that name; all exercises for NULL. */
Exercises selected(const Exercises *all, const char *step);
/* Returns the exercise with this name, or the only one whose name begins so; else NULL. */
const Exercise *find_exercise(const Exercises *all, const char *name);
/* Returns the path of a file in the exercise's folder. */
char *file_in(const Exercise *e, const char *name);
/* Returns the path relative to the workbook's folder, or `path` if it lies elsewhere. */
char *relative_path(const char *path);
/* Reads task.cu; false if it cannot be read or names no operation. */
bool read_assignment(const Exercise *e, Assignment *assignment);
char *title_of(const Exercise *e);
/* True if the answer is still the task as it was handed out. */
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

extern const char *const counter_names[COUNTERS];

/* ---- assignment.c ---- */

/* Returns the next line of *p as a new string without its newline and moves *p behind it; NULL at the
 * end of the text. */
char *next_line(const char **p);
/* Reads the text of a task.cu; false if it names no operation. */
bool parse_assignment(const char *text, Assignment *assignment);
/* True for a line such as "// goal: ..." or "// operation: ...". */
bool is_goal_line(const char *line);
/* Sets status and reason, and replaces the lines for the learner by one line. */
void decide(Verdict *v, Status status, const char *reason, const char *how, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- child.c ---- */

typedef struct {
    enum { ENDED, SIGNALLED, TIME, MEMORY, OUTPUT, ASLEEP, STARVED, NO_CHILD } how;
    int code; /* exit status, or signal */
    struct text output;
} Outcome;

/* Runs a program. Together with all its descendants it may take `seconds` of processor time and
 * `megabytes` of memory in use, and print `bytes` bytes. ASLEEP: all of
 * them slept for `seconds`. STARVED: it reached no limit within ten times
 * `seconds` by the clock. */
Outcome run_limited(char *const arguments[], const char *const environment[], const char *folder,
                    double seconds, double megabytes, size_t bytes);
/* Returns seconds of a clock that never goes back. */
double now(void);
bool is_asleep(pid_t pid);
/* Returns the memory that a process uses, in megabytes. */
double megabytes_of(pid_t pid);

/* ---- one check ---- */

/* Checks the answer in `file`, which is read once. */
void check_answer(const Exercise *e, const char *file, Verdict *v);

/* Compiles work/SOURCE into the programs work/device and work/launcher. On failure returns false and
 * gives the cause in *v. */
bool compile_answer(const char *work, const char *source, const char *name, Verdict *v);
/* Runs a tool (a compiler, objcopy) in folder `work`, with the limits of a compilation. */
Outcome run_tool(const char *work, char *const arguments[]);
/* Sets *v to the cause of a tool's failure; returns false. */
bool tool_failed(const char *work, const char *tool, const char *name, const Outcome *o,
                 Verdict *v);
/* The message about an include that is not allowed; %s is its path. */
extern const char include_refused[];
bool is_header_of_system(const char *path);
/* Returns false and sets *v if the answer includes a file, calls a function or declares a section that
 * an exercise cannot have. */
bool inspect_answer(const char *work, const char *source, const char *name, Verdict *v);
/* Checks calls and sections as inspect_answer() does, but not the includes. */
bool inspect_objects(const char *work, const char *name, Verdict *v);
/* Compiles work/SOURCE into work/host.o and work/device.o. */
Outcome compile_source(const char *work, const char *source);
/* Runs a tool; returns false and sets *v if it fails. */
bool tool_works(const char *work, char *const arguments[], const char *name, Verdict *v);

/* ---- together.c: several answers of one exercise, for tests ---- */

/* Prints the verdict on each file. Returns the exit status: 1 if there is one file and it is not
 * solved. */
int judge_files(const Exercise *e, char **files, int count);
/* True if answers were compiled together. */
bool is_compiled(void);
/* Copies the objects of the answer under judgement to the folder `work`. */
bool take_compiled(const char *work, const char *name, Verdict *v);

typedef struct {
    int size_count;
    struct {
        int rows, cols, count;
        Finding found;
        uint64_t written; /* large run: correct elements */
        struct counts counts;
    } size[12];
    struct counts counts; /* of all sizes together */
    char ended[256];      /* "" or how the run failed: see children.h */
    char error[256];      /* the text of cudaGetLastError() after the launch, or "" */
    int element_bytes[2]; /* of the launch function's parameters, 0: unknown */
    struct text printed, faults, lines, conflicts;
} Run;

/* Runs the answer in the folder `work`. `sizes` is COUNTED (the counted size), ALTERED (the counted
 * size, where loads from shared memory give other values), NUMBERS (the same, but integers of 16 bits
 * alone change), RAGGED (all ragged sizes and four drawn at random, the last two by similar_size()),
 * or LARGE + N (some of its blocks at large size number N). */
enum { COUNTED, ALTERED, NUMBERS, RAGGED, LARGE };
Run run_answer(const char *work, const Task *task, int sizes);
/* In an altered run, shuffles and votes per word of 4 bytes, or per smaller element. One gives 7 bits of a word, or 1
 * of a smaller unit: three give 21 of 32. An eighth may come by local arrays, together less than goals.c asks for. */
enum { EXCHANGES = 3 };

/* Returns the run's n-th size as text, with the number of matrices if it is not the task's. */
char *size_text(const Run *run, int n, const Task *task);
/* True if the run ended well, without faults and with the right output; else sets *v. */
bool explain_run(const Run *run, const Task *task, const char *name, bool ragged, Verdict *v);
/* True, and sets *v, if atomics or local arrays move what loads and stores must move. */
bool uses_uncounted(const Run *run, const Task *task, bool ragged, Verdict *v);
/* Sets *line and *what (the message) of the run's first fault; false if it has none. */
bool first_fault(const Run *run, const char *name, char **line, char **what);

/* Runs the answer at the large sizes; returns false and sets *v if its offsets need more bits. */
bool check_offsets(const char *work, const Task *task, const char *name, Verdict *v);
/* Compares a page of a large matrix with the expected bytes. Adds differences to *f and the number of
 * correct elements to *written. */
void compare_page(const Task *task, int rows, int cols, uint64_t seed, const struct page *page,
                  const unsigned char *bytes, Finding *f, uint64_t *written);

/* The quantity that a goal or a prediction names: of a counter, or of the launch (a figure). */
typedef struct {
    int counter; /* -1 for a figure */
    enum { REQUESTS, WORK, EXTRA, WORK_PER_REQUEST, CONFLICT_DEGREE, IDEAL } quantity;
    enum {
        SHARED_BYTES,
        LAUNCHES,
        BLOCKS,
        THREADS,
        TILE_ROWS,
        VARIABLES,
        PHASES,
        THROUGH,
        OTHERS,
        WARPS,
        STORES_PER_LOAD,
        OTHER_BLOCKS,
        INTS,
        INTS_ACROSS,
        LATER,
        FLIGHT,
        FIGURES
    } figure;
} What;
extern const char *const figures[FIGURES][2]; /* name, and a sentence with %s for the value */
/* Other ways of loading and storing that goals count too: cp.async loads from global memory and stores
 * to shared memory, ldmatrix and stmatrix load from and store to shared memory. Numbers of counts;
 * 0 ends a list. */
extern const int also[COUNTERS][3];
/* Reads a quantity; false if there is none of these words. `quantity` is "" for a figure. */
bool read_what(const char *counter, const char *quantity, What *w);
double value_of(const What *w, const struct counts *c);

/* True if the counts meet the goals, and sets the medal; else names the failing goals in *v. `altered`
 * and `ragged` are the runs with those sizes; the latter meets the goals as far as it can. */
bool check_goals(const Assignment *assignment, const Run *run, const Run *altered,
                 const Run *ragged, Verdict *v);
bool asks_for_shared(const Assignment *assignment); /* true if the run `altered` is needed */
/* Adds to the task's goals, for each way through memory that they limit, that the matrix goes that
 * way. */
void add_least_work(Assignment *assignment);

typedef struct {
    char *what, *value;
    int line;
} Prediction;
/* Reads from the answer the predictions that the task asks for. Returns their number, or -1 if one is
 * missing. */
int read_predictions(const Assignment *assignment, const char *answer, const char *name,
                     Prediction **predictions, Verdict *v);
bool check_predictions(const Prediction *p, int count, const Run *run, Verdict *v);

void check_layout(const Assignment *assignment, const char *answer, const char *name,
                  const char *work, Verdict *v);

/* ---- state.c ---- */

void write_verdict(const char *path, const Verdict *v);
bool read_verdict(const char *path, Verdict *v);
/* Reads the verdict that this version of the checker gave an equal answer; false if none is cached. */
bool find_cached_verdict(const Exercise *e, const char *answer, size_t bytes, Verdict *v);
void cache_verdict(const Exercise *e, const char *answer, size_t bytes, const Verdict *v);
/* Returns the path of the file with the verdict on the learner's answer. */
char *verdict_path(const Exercise *e);
bool is_solved(const Exercise *e);
bool is_given_up(const Exercise *e);
void give_up(const Exercise *e);
int hints_seen(const Exercise *e);
void set_hints_seen(const Exercise *e, int seen);

/* ---- jobs.c ---- */

typedef struct {
    const Exercise *exercise;
    char *file, *verdict; /* paths of the answer and of the file for its verdict */
} Job;

/* Makes settings.scratch, which is removed when the program ends. */
void start_scratch(void);
/* Writes the verdict of each job, checked now or cached. If `learner` is true and there is a GPU, also
 * verifies and measures the answers that pass on it. */
void run_jobs(const Job *jobs, int count, bool learner);
/* Sleeps; a signal ends the program. */
void pause_ms(int milliseconds);
/* Ends the program with a message. */
void stop(int status, const char *how, ...) __attribute__((format(printf, 2, 3), noreturn));

/* ---- explanation.c ---- */

/* Shows why the solution works, its counts and the recorded times. */
void explain_exercise(const Exercise *e, const Verdict *v);

/* ---- learner.c, watch.c ---- */

/* One function per option; each returns the exit status. */
int show_list(const Exercises *exercises, const Exercises *all);
int show_next(const Exercises *exercises, const Exercises *all);
int watch(const Exercises *exercises, const Exercises *all);
int show_hint(const Exercise *e);
int reset(const Exercise *e);
int show_solution(const Exercise *e);
int show_given_up(const Exercise *e);
int show_summary(const Exercises *exercises);
int new_exercise(const Exercises *all, const char *step, const char *name);

/* Checks every answer that the learner has begun, and the first exercise without one. */
void check_all(const Exercises *exercises);
/* Checks the learner's answer to an exercise. */
void check_one(const Exercise *e, Verdict *v);
/* Returns the command for an action as the learner types it in the folder of the call. */
char *command_line(const char *action, const char *name);
/* Returns the path as the user can type it: relative if the file is below the folder of the call. */
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
/* Writes the results to the files that were asked for; false after a message if one cannot be
 * written. */
bool write_outputs(const Outputs *outputs, const Result *results, int count);
/* Writes the results as TSV; false after a message if the file cannot be written. */
bool write_tsv(const char *path, const Result *results, int count);

#endif
