untouched 'line 43 still has a blank to fill in'
# Elements instead of bytes.
wrong 'mbarrier wrongly|waits for something|still under way|elements of the output' <<<"$(exercise | sed 's/___/TILE * TILE/')"
wrong 'waits for something that never happens' <<<"$(exercise | sed 's/___/2 * sizeof tile/')"
# A row instead of a box.
wrong 'mbarrier wrongly|waits for something|still under way|elements of the output' <<<"$(exercise | sed 's/___/TILE * sizeof(float)/')"
