// refused: no access is possible.*|not adjacent
// The swizzle for single elements of 2 bytes breaks the pieces.
// answer: Sw<5,1,5> o 0 o (64,64):(64,1)
