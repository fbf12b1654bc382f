# Another main.
refused 'elements of the output are wrong|no kernel was launched' \
    <<<"$(without_launch ''; echo 'int main(void) { return 0; }')"
