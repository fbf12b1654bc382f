// refused: which has elements 0 to 767|768 are needed
// answer: (3,(32,8)):(512,(98304,64))
