// refused: which lies at offset
// Each thread every eighth row: dealt out like cards, no blocks.
// answer: ((8,8),(4,2)):((1,32),(8,256))
