# A handler that takes the place of ours.
refused 'calls signal, which|calls sigaction' <<<"$(launching 'signal(11, SIG_IGN); *(volatile float *)out = 1;' '' | sed '/^#include/a\
#include <signal.h>')"
