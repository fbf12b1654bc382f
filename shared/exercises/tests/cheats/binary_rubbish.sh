# Binary rubbish.
export EXERCISE_SECONDS=1
refused 'it does not compile|launches nothing' < <(head -c 5000 /dev/urandom)
