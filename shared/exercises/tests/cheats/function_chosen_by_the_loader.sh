# A function that the loader calls, to choose among others.
refused 'chosen when it is loaded|does not compile' <<<"$(exercise)
asm(\".text; .type early, @gnu_indirect_function; early: ud2; .data; .quad early; .text\");"
