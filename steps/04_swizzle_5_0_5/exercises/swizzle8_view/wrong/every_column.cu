// refused: which lies at offset
// answer: (17,20):(20,1)
