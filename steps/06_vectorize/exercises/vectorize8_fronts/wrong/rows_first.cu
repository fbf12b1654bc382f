// refused: which lies at offset
// answer: (3,(32,8)):(256,(8,1))
