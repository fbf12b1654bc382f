# An endless include.
export EXERCISE_SECONDS=1
refused 'it does not compile|compiling took' <<<"$(echo '#include __FILE__'; solution)"
