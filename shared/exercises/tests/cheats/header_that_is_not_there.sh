# A header that is not there.
export EXERCISE_SECONDS=1
refused "it does not compile: line 1: 'nothing.h' file not found" <<<'#include "nothing.h"'
