untouched 'at 33 x 65, 1 of 2145 elements of the output are wrong; the first is row 32, column 64, which nobody wrote'
# One more vector, which reaches past the end.
wrong 'line 24 reaches outside an array' <<<"$(exercise | sed 's|i < count / 4|i < (count + 3) / 4|')"
# The rest, from a wrong start.
wrong 'elements of the output are wrong|nobody wrote' \
    <<<"$(solution | sed 's|out\[count / 4 \* 4 + i\] = in\[count / 4 \* 4 + i\]|out[count / 4 + i] = in[count / 4 + i]|')"
# Right everywhere, and no vector left.
wrong 'the kernel makes 2048 requests for loads .*the goal is at most 512' <<<"$(exercise |
    sed 's|i < count / 4|i < count|; s|((float4 \*)out)\[i\] = .*|out[i] = in[i];|; s|(4 \* 256)|256|')"
