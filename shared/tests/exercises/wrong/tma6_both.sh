untouched 'shared memory of line [0-9]* take 4 wavefronts a request; 1 is possible'
# Eight neighbouring rows: the loads are fine, the stores not.
wrong 'the stores to shared memory of line [0-9]* take 2 wavefronts a request; 1 is possible' <<<"$(solution |
    sed 's/4 \* ((patch % 4) ^ (half ? 5 : 0)) + lane \/ 4 % 4/8 * (patch % 4) + lane \/ 4/')"
# Only bit 2: the other way round.
wrong 'the loads from shared memory of line [0-9]* take 2 wavefronts' <<<"$(solution | sed 's/(patch % 4) ^ (half ? 5 : 0)/(patch % 4) ^ (half ? 4 : 0)/')"
# Other pairs of chunks do as well.
right <<<"$(solution | sed 's/(patch % 4) ^ (half/(patch % 4 * 2) ^ (half/')"
# A pairing that leaves rows out.
wrong 'without a fence|nobody has written|another thread|elements of the output are wrong' <<<"$(solution | sed 's/(patch % 4) ^ (half/(patch % 2) ^ (half/')"
