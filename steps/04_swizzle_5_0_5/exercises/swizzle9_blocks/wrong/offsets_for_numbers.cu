// refused: which lies at offset
// Where they lie in a row-major tile: offsets, not numbers.
// answer: ((8,8),(4,2)):((64,2),(16,1))
