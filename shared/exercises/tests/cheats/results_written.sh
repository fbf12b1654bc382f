# Results written.
refused 'calls .*(write|dprintf).*, which an exercise cannot use' <<<"$(without_launch 'dprintf(3, "end\\n"); write(3, "end\\n", 4);')"
