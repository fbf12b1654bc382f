# Accesses that are not instrumented, by an attribute.
refused "touch 32 sectors" \
    <<<"$(exercise | sed 's/^__global__ void/__attribute__((no_sanitize("thread"))) __global__ void/')"
