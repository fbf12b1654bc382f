// refused: which lies at offset
// Neighbouring columns, not thirds of the matrix.
// answer: (3,(32,8)):(32,(1,96))
