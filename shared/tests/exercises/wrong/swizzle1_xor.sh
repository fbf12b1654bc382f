untouched 'line 27 still has a blank to fill in'
right <<<"$(exercise | sed 's/___/(col + row) % TILE/')"
wrong 'take 32 wavefronts a request' <<<"$(exercise | sed 's/___/col/')"
# Only some bits of the row.
wrong 'take 4 wavefronts a request; 1 is possible' <<<"$(exercise | sed 's/___/col ^ (row \& 7)/')"
# Or, not exclusive or: two elements in one place.
wrong 'another thread writes|elements of the output are wrong' <<<"$(exercise | sed 's/___/col | row/')"
