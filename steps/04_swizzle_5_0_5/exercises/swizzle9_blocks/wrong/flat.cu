// refused: has the shape
// answer: (64,8):(4,1)
