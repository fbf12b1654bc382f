# Another main under the macro.
refused 'launches nothing' <<<"$(solution | sed 's/^EXERCISE.*/int main(void) { return 0; }/')"
