/* A library that is not there. */
#include <cub/cub.cuh> /* REFUSED: cub */
int main() {}
