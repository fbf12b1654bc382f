/* Confines a process with seccomp, resource limits, namespaces and Landlock: see confine.h. */
#define _GNU_SOURCE
#include "confine.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* System calls that are allowed: memory, time, open descriptors, signals to itself, exit. */
static const int allowed[] = {
    SYS_read,           SYS_write,        SYS_readv,      SYS_writev,          SYS_mmap,
    SYS_munmap,         SYS_mprotect,     SYS_madvise,    SYS_mremap,          SYS_brk,
    SYS_futex,          SYS_exit,         SYS_exit_group, SYS_rt_sigreturn,    SYS_rt_sigaction,
    SYS_rt_sigprocmask, SYS_sigaltstack,  SYS_setitimer,  SYS_clock_gettime,   SYS_clock_nanosleep,
    SYS_nanosleep,      SYS_gettimeofday, SYS_ppoll,      SYS_restart_syscall, SYS_getrandom,
    SYS_sched_yield,    SYS_close,        SYS_getpid,     SYS_gettid,          SYS_msync,
#ifdef SYS_poll
    SYS_poll,
#endif
};

/* System calls that fail with EPERM, which the C library handles. Any call on neither list ends the
 * process. */
static const int failing[] = {
    SYS_fstat,      SYS_newfstatat, SYS_lseek,  SYS_ioctl,    SYS_getcwd, SYS_openat,
    SYS_readlinkat, SYS_prlimit64,  SYS_tgkill, SYS_sysinfo,  SYS_uname,  SYS_sched_getaffinity,
#ifdef SYS_open
    SYS_open,       SYS_stat,       SYS_access, SYS_readlink,
#endif
};

enum { ALLOWED = sizeof allowed / sizeof *allowed, FAILING = sizeof failing / sizeof *failing };

/* Installs the seccomp filter. Returns NULL, or what the system refused. */
static const char *filter_calls(void)
{
#ifndef ARCHITECTURE
    return "seccomp on this kind of processor";
#else
    static struct sock_filter code[8 + 2 * (ALLOWED + FAILING)];
    unsigned n = 0;
    code[n++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    code[n++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < ALLOWED; i++) {
        code[n++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)allowed[i], 0, 1);
        code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    }
    for (int i = 0; i < FAILING; i++) {
        code[n++] =
            (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)failing[i], 0, 1);
        code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
    }
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    struct sock_fprog program = {(unsigned short)n, code};
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
        return "seccomp";
    return NULL;
#endif
}

static int limit(int what, rlim_t value)
{
    struct rlimit l = {value, value};
    return setrlimit(what, &l);
}

const char *confine(void)
{
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
        return "no_new_privs";
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    if (limit(RLIMIT_CORE, 0) || limit(RLIMIT_FSIZE, 0) || limit(RLIMIT_NOFILE, 8))
        return "resource limits";
    /* Failure is no error: not every system offers namespaces. */
    if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS))
        unshare(CLONE_NEWNET | CLONE_NEWIPC);
#ifdef SYS_landlock_create_ruleset
    struct {
        uint64_t handled_access_fs;
    } all = {(1ull << 13) - 1}; /* all accesses of Landlock's first version */
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
    if (ruleset >= 0) {
        syscall(SYS_landlock_restrict_self, ruleset, 0);
        close(ruleset);
    }
#endif
    return filter_calls();
}
