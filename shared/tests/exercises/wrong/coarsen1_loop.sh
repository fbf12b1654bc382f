untouched 'line 31 still has a blank'
# One turn for each element of a thread: rows overlap.
wrong 'line 33 reaches outside an array' <<<"$(exercise | sed 's/___/ELEMENTS/')"
wrong 'line 33 reaches outside an array' <<<"$(exercise | sed 's/___/1/')"
wrong 'nobody wrote|memory that nobody has written' <<<"$(exercise | sed 's/___/TILE/')"
