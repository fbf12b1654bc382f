# Memcpy on the host.
refused 'the host code touches the matrices' <<<"$(without_launch 'memcpy(out, in, 4);')"
