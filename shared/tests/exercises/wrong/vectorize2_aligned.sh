untouched 'line 41 is not aligned: an access of 8 or 16 bytes needs an address that is a multiple'
right <<<"$(exercise | sed 's/PITCH = TILE + 1/PITCH = TILE + 4/')"
# A pad of two is not enough for 16 bytes.
wrong 'line 41 is not aligned' <<<"$(exercise | sed 's/PITCH = TILE + 1/PITCH = TILE + 2/')"
# Single floats everywhere.
wrong 'the kernel makes 2048 requests for loads' <<<"$(solution_of padding1_pitch | sed '1,/^#include/d' | cat <(exercise | sed '/^#include/q') -)"
# Three of the four.
wrong 'memory that nobody has written|elements of the output are wrong' <<<"$(solution | sed '/y\]\[x + 3\] = values/d')"
