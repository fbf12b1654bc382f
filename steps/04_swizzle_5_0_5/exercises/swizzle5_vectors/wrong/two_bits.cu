// refused: your layout leaves bank conflicts
// answer: Sw<2,3,3> o 0 o (64,64):(64,1)
