// refused: your layout leaves bank conflicts
// answer: (64,32):(32,1)
