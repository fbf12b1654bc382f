// refused: which lies at offset|which has elements
// Numbered along the rows.
// answer: (17,20):(3,50)
