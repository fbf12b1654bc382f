# No C at all.
export EXERCISE_SECONDS=1
refused 'it does not compile: line 1: ' <<<'hello'
