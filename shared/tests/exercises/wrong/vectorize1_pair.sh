untouched 'line 38 still has a blank to fill in'
# Two loads of a float each.
wrong 'the kernel makes 2048 requests for loads' \
    <<<"$(exercise | sed 's/___/make_float2(in[(size_t)row * cols + col], in[(size_t)row * cols + col + 1])/')"
# The index counts vectors, but col does not.
wrong 'reaches outside an array|elements of the output are wrong' \
    <<<"$(exercise | sed 's/___/((const float2 *)in)[(size_t)row * cols + col]/')"
# A float for a float2.
wrong 'it does not compile: line 38|elements of the output are wrong' <<<"$(exercise | sed 's/___/in[(size_t)row * cols + col]/')"
