# The program that is to load this one.
refused 'into a section of its own.*[.]interp' <<<"$(exercise | sed '/^#include/a\
__attribute__((section(".interp"), used)) static const char interp[] = "/bin/true";')"
