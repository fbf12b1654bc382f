untouched 'hands the TMA engine memory that threads wrote, without a fence_proxy_async\(\) in between'
# After the barrier, by the thread that starts the store: the writes come before it too.
right <<<"$(exercise | sed 's/^        tensor_store/        fence_proxy_async();\n&/')"
# Before the writes.
wrong 'without a fence_proxy_async' <<<"$(exercise | sed 's/^    for (int i = threadIdx.x/    fence_proxy_async();\n&/')"
# By one of the writers only.
wrong 'without a fence_proxy_async' <<<"$(solution | sed 's/^    fence_proxy_async();/    if (threadIdx.x == 0)\n        fence_proxy_async();/')"
# Another fence.
wrong 'without a fence_proxy_async' <<<"$(solution | sed 's/^    fence_proxy_async();/    __threadfence_block();/')"
# The fence without the barrier.
wrong 'another thread|without a fence_proxy_async|nobody has written' <<<"$(solution | awk '/^    fence_proxy_async/ {print; getline; next} {print}')"
