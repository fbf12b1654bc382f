# Accesses that are not instrumented, by an attribute.
refused "switches the compiler's instrumentation off" \
    <<<"$(exercise | sed 's/^__global__ void/__attribute__((no_sanitize("thread"))) __global__ void/')"
