/*
 * Confines the calling process: afterwards it may compute, use memory, use its open descriptors, and
 * end. It can reach no files, no network and no other processes.
 *
 * Seccomp and resource limits need no privileges. Namespaces and Landlock are added where the system
 * offers them.
 */
#ifndef CONFINE_H
#define CONFINE_H

/* Returns NULL, or what the system refused; then the process is not confined and must end. */
const char *confine(void);

#endif
