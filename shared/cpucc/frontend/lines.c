/* Part of retarget. Finds source lines and names in LLVM's debug metadata. */
#include "module.h"

char *source_line(LLVMValueRef instruction)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
    LLVMMetadataRef file = at ? LLVMDIScopeGetFile(LLVMDILocationGetScope(at)) : NULL;
    unsigned n = 0;
    const char *name = file ? LLVMDIFileGetFilename(file, &n) : NULL;
    return name ? format("%.*s:%u", (int)n, name, LLVMDILocationGetLine(at)) : format("%s", unit);
}

char *subprogram_name(LLVMValueRef f)
{
    enum { NAME = 2 }; /* operands of a DISubprogram: file, scope, name ... */
    unsigned n = 0;
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f),
                    name = subprogram ? operand_of(subprogram, NAME) : NULL;
    const char *text = name ? LLVMGetMDString(LLVMMetadataAsValue(ir.context, name), &n) : NULL;
    return text ? format("%.*s", (int)n, text) : NULL;
}
