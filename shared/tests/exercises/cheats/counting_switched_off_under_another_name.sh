# Counting switched off under another name.
refused 'does not compile|calls .*cpucc_re.*, which' <<<"$(launching 'off(0);' '' |
    sed '/^#include/a\
extern "C" int off(int) __asm__("cpucc_record");')"
