// refused: different places below 2048; 2048 are needed
// A pad.
// answer: (64,32):(33,1)
