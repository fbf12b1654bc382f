// refused: your layout leaves bank conflicts
// answer: Sw<3,3,4> o 0 o (64,64):(64,1)
