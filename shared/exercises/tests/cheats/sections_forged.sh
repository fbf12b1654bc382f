# A variable or a function in the section where the run time finds its kernels, or its own code.
for section in cpucc_parts cpucc_run cpucc_text .init_array .preinit_array; do
    refused 'touch 32 sectors|cannot have|into a section of its own|does not compile|could not be linked' <<<"$(exercise | sed "/^#include/a\\
__device__ __attribute__((used, section(\"$section\"))) const void *forged[16] = {(const void *)1};\\
__attribute__((used, section(\"$section\"))) const void *const forged_on_the_host[16] = {(const void *)1};")"
done
