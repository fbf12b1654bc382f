# Results printed.
refused 'nobody wrote|no kernel was launched' <<<"$(without_launch \
    'printf("0\\tcount\\tglobal_store\\t1\\t1\\t1\\n0\\tend\\n"); fprintf(stderr, "all verified\\n");')"
