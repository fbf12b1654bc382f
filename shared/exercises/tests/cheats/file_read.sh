# A file read.
refused 'calls fopen|calls .*fopen.*, which' <<<"$(launching 'FILE *f = fopen("/etc/passwd", "r"); if (f) puts("read");' '')"
