// refused: different places below 4096; 4096 are needed
// A pad of one piece.
// answer: (64,64):(72,1)
