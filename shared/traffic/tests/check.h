/* Counting checks. A failed one prints its place and an explanation, and the program goes on. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

static int checks_passed, checks_failed;

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (condition) {                                                                           \
            ++checks_passed;                                                                       \
        } else if (++checks_failed <= 20) {                                                        \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition);                                 \
            printf(__VA_ARGS__);                                                                   \
            putchar('\n');                                                                         \
        }                                                                                          \
    } while (0)

/* The last line, and the exit status of main. */
static inline int check_summary(const char *name)
{
    printf("%s: %d passed, %d failed\n", name, checks_passed, checks_failed);
    return checks_failed != 0;
}

#endif
