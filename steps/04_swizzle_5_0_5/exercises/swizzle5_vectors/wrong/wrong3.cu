// refused: your layout leaves bank conflicts
// answer: Sw<3,0,5> o 0 o (64,32):(32,1)
