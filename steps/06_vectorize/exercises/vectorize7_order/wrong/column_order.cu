// refused: which lies at offset|has the shape
// Down the columns.
// answer: ((4,2),(4,8)):((1,4),(8,32))
