/*
 * Starts the two processes of a run, the device and the launcher (../sandbox/protocol.h), enforces
 * their limits and exchanges messages with them.
 *
 * Run.ended says how a run ended: "" (well), "time", "asleep", "memory", "output", "host_access",
 * "launcher exit N", "launcher signal N", "device exit N", "device signal N", "message" (an unexpected
 * message came), "refused WHAT" (the machine cannot confine a process), "broken WHAT" (the machine
 * failed in another way). Only the first cause is kept.
 */
#ifndef CHILDREN_H
#define CHILDREN_H

#include "checker.h"

struct child {
    pid_t pid;
    int socket;
    bool ended;
    int status;
};

typedef struct {
    struct child device, launcher;
    int printed;           /* the pipe that both children print to */
    double deadline;       /* by now() */
    double looked, asleep; /* when limits were checked last; seconds in which both children slept */
    bool ready;            /* both are confined; from now on they run the submission's code */
    bool large;            /* a run of some blocks on large matrices */
    const char *work;      /* folder of the programs */
    Run *run;
} Session;

/* Starts both processes; false if the system refuses. */
bool start_children(Session *s);
/* Kills both processes and reads the rest of their output. */
void end_children(Session *s);
/* Sets Run.ended to `how`, unless it is set already. */
void set_ended(Session *s, const char *how);
/* Records a child's exit status and the cause in Run.ended, if the child has ended. */
void note_exit(Session *s, struct child *c);

/* These functions return false once the run has ended. A message is a header and `bytes` bytes. */
bool receive(Session *s, const struct child *from, void *p, size_t bytes);
bool send_bytes(Session *s, const struct child *to, const void *p, size_t bytes);
bool send_to(Session *s, const struct child *to, enum message_kind kind, const void *p,
             size_t bytes);
/* Waits for the header of a message of this kind and answers the device's questions meanwhile. */
bool wait_for_message(Session *s, const struct child *from, enum message_kind kind,
                      uint32_t *bytes);
/* Waits for a message of this kind that holds `bytes` bytes. */
bool receive_message(Session *s, const struct child *from, enum message_kind kind, void *p,
                     size_t bytes);

#endif
