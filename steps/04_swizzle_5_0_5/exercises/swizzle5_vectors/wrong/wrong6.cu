// refused: your layout has the shape \(32,32\); \(64,32\) is asked for
// answer: Sw<5,0,5> o 0 o (32,32):(32,1)
