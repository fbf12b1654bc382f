// refused: which lies at offset|256 are needed
// answer: ((4,2),(4,8)):((1,16),(32,4))
