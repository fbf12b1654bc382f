// refused: which lies at offset
// One front, in three parts.
// answer: (3,(32,8)):(1,(3,96))
