# Counting switched off.
refused 'calls .*cpucc_record.*, which' <<<"$(launching 'cpucc_record(0);' '' | sed '/^#include/a\
extern "C" int cpucc_record(int);')"
