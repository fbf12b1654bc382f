untouched 'at 256 x 256, 65280 of 65536 elements of the output are wrong; the first is row 0, column 1'
# Rows of the output taken to be cols long: right for squares only.
wrong 'at 33 x 65, .* elements of the output are wrong|line .* reaches outside an array' \
    <<<"$(solution | sed 's/col \* rows + row/col * cols + row/')"
# Both sides exchanged: a transpose of the wrong shape.
wrong 'reads? memory|reaches outside|elements of the output are wrong' \
    <<<"$(exercise | sed 's/= in\[(size_t)row \* cols + col\]/= in[(size_t)col * cols + row]/')"
