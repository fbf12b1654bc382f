// refused: which has elements 0 to 255|256 are needed
// answer: ((4,2),(4,8)):((65536,64),(262144,128))
