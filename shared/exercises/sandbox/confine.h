/*
 * Takes from the calling process all that a submission does not need: it may compute, use memory,
 * read and write the descriptors that it has, and end. No files, no network, no other processes.
 *
 * The base needs no privileges: seccomp and resource limits. Where the machine offers them,
 * namespaces of its own and Landlock come on top.
 */
#ifndef CONFINE_H
#define CONFINE_H

/* NULL, or what the system refused: then the process is not confined and must end. */
const char *confine(void);

#endif
