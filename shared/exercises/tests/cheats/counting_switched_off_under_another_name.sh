# Counting switched off under another name.
refused 'inline assembly|calls .*cpucc_re.*, which' <<<"$(launching 'off(0);' '' |
    sed '/^#include/a\
extern "C" int off(int) __asm__("cpucc_record");')"
