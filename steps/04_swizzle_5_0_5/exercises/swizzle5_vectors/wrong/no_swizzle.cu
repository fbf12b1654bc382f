// refused: your layout leaves bank conflicts
// answer: (64,64):(64,1)
