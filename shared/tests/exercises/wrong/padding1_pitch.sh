untouched 'line 26 still has a blank to fill in: __shared__ float tile'
wrong 'take 32 wavefronts a request; 1 is possible \(in the worst, bank 0 serves lanes 0 1 2' <<<"$(solution | sed 's/TILE + 1/TILE/')"
wrong 'take 2 wavefronts a request; 1 is possible' <<<"$(solution | sed 's/TILE + 1/TILE + 2/')"
wrong 'a block takes 4480 bytes of shared memory; the goal is at most 4224' <<<"$(solution | sed 's/TILE + 1/TILE + 3/')"
wrong 'elements of the output are wrong|another thread' <<<"$(solution | sed 's/TILE + 1/TILE - 1/')"
