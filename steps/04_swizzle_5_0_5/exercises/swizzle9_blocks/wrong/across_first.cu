// refused: which lies at offset
// Threads numbered along the rows.
// answer: ((8,8),(4,2)):((64,4),(1,32))
