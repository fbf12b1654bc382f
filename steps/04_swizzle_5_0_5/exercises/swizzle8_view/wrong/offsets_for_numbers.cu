// refused: your layout takes 334 to element 1002 of .*, which has elements 0 to 999
// The view itself: offsets where numbers are asked for.
// answer: (17,20):(3,51)
