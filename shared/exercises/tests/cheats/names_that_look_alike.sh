# Letters of other scripts, spliced lines, digraphs and universal names, to write what is refused
# otherwise.
refused 'a kernel calls cpucc_asm, which an exercise cannot use' <<<"$(exercise | sed '/^#include/a\
extern "C" __device__ void cpucc_\\\
asm(const void *, void *, void *);' | sed 's/^    if (row < rows/    cpucc_a\\\nsm(in, out, out);\n&/')"
refused 'only headers of the workbook|does not compile' <<<"%:include \"/etc/passwd\"
$(solution)"
# Of the launch function's name one letter is Cyrillic: nothing is launched.
refused 'the file launches nothing|does not compile' <<<"$(solution | sed '/^EXERCISE/d'; echo 'extern "C" void exercise_l\u0430unch(const Call *) { }')"
# The same by a name of letters that look like cpucc's.
refused 'touch 32 sectors' <<<"$(exercise | sed '/^#include/a\
extern "C" __device__ __attribute__((used)) void cpucc_\\u0430ccess(unsigned long, unsigned, int) { }')"
