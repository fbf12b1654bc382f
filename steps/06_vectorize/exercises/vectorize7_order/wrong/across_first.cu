// refused: has the shape
// answer: ((2,4),(4,8)):((16,1),(4,32))
