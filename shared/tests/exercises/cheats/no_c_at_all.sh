# No C at all.
EXERCISE_SECONDS=3
refused 'it does not compile: line 1: ' <<<'hello'
