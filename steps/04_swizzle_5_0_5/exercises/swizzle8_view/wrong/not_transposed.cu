// refused: has the shape
// answer: (20,17):(1,60)
