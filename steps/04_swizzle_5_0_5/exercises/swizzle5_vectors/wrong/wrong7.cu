// refused: does not understand the answer
// answer: Swizzle five
