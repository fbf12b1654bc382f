/* Texture references. */
texture<float, 2> image; /* REFUSED: texture */
int main() {}
