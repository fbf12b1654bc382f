untouched 'the kernel makes 2048 requests for loads .*the goal is at most 512'
# Wide loads only.
wrong 'the kernel makes [0-9]* requests for stores' <<<"$(solution | awk '/\*\(uchar4 \*\)&out/ {
    for (i = 0; i < 4; i++) print "        out[(size_t)out_row * rows + out_col + " i "] = values." substr("xyzw", i + 1, 1) ";"; next} {print}')"
# The four bytes in the wrong order.
wrong 'elements of the output are wrong' <<<"$(solution | sed 's/values.x = tile/values.Q = tile/; s/values.y = tile/values.x = tile/; s/values.Q = tile/values.y = tile/')"
wrong 'the kernel makes 1024 requests for loads|does not compile' <<<"$(solution | sed 's/uchar4/uchar2/g; /values.[zw]/d; s/WIDTH = 4/WIDTH = 2/')"
