// refused: your layout puts its elements into 32 different places below 2048
// All rows in one place.
// answer: (64,32):(0,1)
