# A file taken in by the assembler: it stays the host's, which has no use for it.
# shellcheck disable=SC2154 # exercises.sh sets home
refused 'touch 32 sectors|does not compile|assembly outside' <<<"$(exercise)
asm(\".section .rodata\\n.globl stolen\\nstolen: .incbin \\\"$home/solution.cu\\\"\\n.text\");"
