/* Helpers over LLVM's C API for the front end's tools, see ir.h. */
#include "ir.h"

struct ir ir;

void open_module(LLVMModuleRef m)
{
    LLVMContextRef c = LLVMGetModuleContext(m);
    ir = (struct ir){
        .module = m,
        .context = c,
        .builder = LLVMCreateBuilderInContext(c),
        .layout = LLVMGetModuleDataLayout(m),
        .i1 = LLVMInt1TypeInContext(c),
        .i8 = LLVMInt8TypeInContext(c),
        .i16 = LLVMInt16TypeInContext(c),
        .i32 = LLVMInt32TypeInContext(c),
        .i64 = LLVMInt64TypeInContext(c),
        .nothing = LLVMVoidTypeInContext(c),
    };
}

/* ---- walking ---- */

LLVMValueRef function_of(LLVMValueRef instruction)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

LLVMValueRef first_after_phis(LLVMBasicBlockRef b)
{
    LLVMValueRef i = LLVMGetFirstInstruction(b);
    while (LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

unsigned predecessor_count(LLVMBasicBlockRef b)
{
    unsigned n = 0;
    EACH_USE(u, LLVMBasicBlockAsValue(b))
        n += LLVMIsATerminatorInst(LLVMGetUser(u)) != NULL;
    return n;
}

bool is_kernel(LLVMValueRef function)
{
    static struct map named; /* the functions that the module's annotations call kernels */
    static bool read;
    unsigned n = LLVMGetNamedMetadataNumOperands(ir.module, "nvvm.annotations");
    LLVMValueRef *note = read ? NULL : allocate(NULL, n * sizeof *note);
    if (note)
        LLVMGetNamedMetadataOperands(ir.module, "nvvm.annotations", note);
    for (unsigned k = 0; k < n && note; k++) {
        LLVMMetadataRef m = LLVMValueAsMetadata(note[k]), f = operand_of(m, 0);
        if (f && !strcmp(string_of(operand_of(m, 1)), "kernel"))
            *map_at(&named, f) = 1;
    }
    read = true;
    return LLVMGetFunctionCallConv(function) == PTX_KERNEL ||
           map_get(&named, LLVMValueAsMetadata(function));
}

bool is_plain(LLVMValueRef access)
{
    return !LLVMGetVolatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

bool is_scalar(LLVMTypeRef type)
{
    return 1 << LLVMGetTypeKind(type) &
           (1 << LLVMIntegerTypeKind | 1 << LLVMHalfTypeKind | 1 << LLVMBFloatTypeKind |
            1 << LLVMFloatTypeKind | 1 << LLVMDoubleTypeKind | 1 << LLVMPointerTypeKind);
}

LLVMValueRef accessed(LLVMValueRef instruction)
{
    return LLVMIsALoadInst(instruction)    ? LLVMGetOperand(instruction, 0)
           : LLVMIsAStoreInst(instruction) ? LLVMGetOperand(instruction, 1)
                                           : NULL;
}

unsigned address_operand(LLVMValueRef access) { return LLVMIsAStoreInst(access) ? 1 : 0; }

LLVMTypeRef accessed_type(LLVMValueRef access)
{
    return LLVMTypeOf(LLVMIsALoadInst(access) ? access
                                              : LLVMGetOperand(access, !address_operand(access)));
}

/* ---- values ---- */

const char *name_of(LLVMValueRef v)
{
    size_t n;
    return v ? LLVMGetValueName2(v, &n) : "";
}

void set_name(LLVMValueRef v, const char *name) { LLVMSetValueName2(v, name, strlen(name)); }

int opcode_of(LLVMValueRef v)
{
    return !v                       ? 0
           : LLVMIsABranchInst(v)   ? LLVMBr /* LLVM 23 has two other opcodes */
           : LLVMIsAInstruction(v)  ? (int)LLVMGetInstructionOpcode(v)
           : LLVMIsAConstantExpr(v) ? (int)LLVMGetConstOpcode(v)
                                    : 0;
}

LLVMValueRef global_in(LLVMValueRef c)
{
    while (LLVMIsAConstantExpr(c))
        c = LLVMGetOperand(c, 0);
    return LLVMIsAGlobalValue(c) ? c : NULL;
}

const char *callee_name(LLVMValueRef instruction)
{
    if (!instruction || (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction)))
        return "";
    LLVMValueRef callee = LLVMGetCalledValue(instruction);
    while (opcode_of(callee) == LLVMBitCast || opcode_of(callee) == LLVMAddrSpaceCast)
        callee = LLVMGetOperand(callee, 0);
    return LLVMIsAFunction(callee) ? name_of(callee) : "";
}

bool decides_branch(LLVMValueRef value, int depth)
{
    EACH_USE(u, value) {
        LLVMValueRef user = LLVMGetUser(u);
        LLVMOpcode what = opcode_of(user);
        if (what == LLVMICmp || what == LLVMFCmp || what == LLVMBr || what == LLVMSwitch ||
            (what == LLVMAtomicCmpXchg && LLVMGetOperand(user, 0) != value) ||
            (what == LLVMCall && strstr(callee_name(user), "cpucc_cas")))
            return true;
        bool passes_on = LLVMIsACastInst(user) || LLVMIsABinaryOperator(user) || what == LLVMPHI ||
                         what == LLVMSelect || what == LLVMExtractValue;
        if (passes_on && depth < 8 && decides_branch(user, depth + 1))
            return true;
    }
    return false;
}

bool is_call_of(LLVMValueRef instruction, const char *name)
{
    return !strcmp(callee_name(instruction), name);
}

bool calls_one_of(LLVMValueRef instruction, const char *prefixes)
{
    const char *name = callee_name(instruction);
    for (size_t n; *prefixes; prefixes += n + (prefixes[n] == ' ')) {
        n = strcspn(prefixes, " ");
        if (!strncmp(name, prefixes, n))
            return true;
    }
    return false;
}

unsigned argument_count(LLVMValueRef call) { return LLVMGetNumArgOperands(call); }

bool constant_integer(LLVMValueRef v, long *n)
{
    if (!v || !LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
        return false;
    *n = (long)LLVMConstIntGetSExtValue(v);
    return true;
}

unsigned attribute_kind(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

LLVMAttributeRef attribute_at(LLVMValueRef of, LLVMAttributeIndex index, const char *name)
{
    return (LLVMIsAFunction(of) ? LLVMGetEnumAttributeAtIndex
                                : LLVMGetCallSiteEnumAttribute)(of, index, attribute_kind(name));
}

LLVMTypeRef by_value_type(LLVMValueRef of, unsigned k)
{
    LLVMAttributeRef a = attribute_at(of, k + 1, "byval");
    return a ? LLVMGetTypeAttributeValue(a) : NULL;
}

bool has_attribute(LLVMValueRef of, LLVMAttributeIndex index, const char *name, long *n)
{
    LLVMAttributeRef a = attribute_at(of, index, name);
    if (a)
        *n = (long)LLVMGetEnumAttributeValue(a);
    return a != NULL;
}

void set_attribute(LLVMValueRef function, const char *name, bool on)
{
    if (on)
        LLVMAddAttributeAtIndex(function, ON_FUNCTION,
                                LLVMCreateEnumAttribute(ir.context, attribute_kind(name), 0));
    else
        LLVMRemoveEnumAttributeAtIndex(function, ON_FUNCTION, attribute_kind(name));
}

const char *text_attribute(LLVMValueRef function, const char *name)
{
    unsigned n;
    LLVMAttributeRef a =
        LLVMGetStringAttributeAtIndex(function, ON_FUNCTION, name, (unsigned)strlen(name));
    return a ? LLVMGetStringAttributeValue(a, &n) : NULL;
}

void set_text_attribute(LLVMValueRef function, const char *name, const char *value)
{
    unsigned n = (unsigned)strlen(name), m = value ? (unsigned)strlen(value) : 0;
    if (value)
        LLVMAddAttributeAtIndex(function, ON_FUNCTION,
                                LLVMCreateStringAttribute(ir.context, name, n, value, m));
    else
        LLVMRemoveStringAttributeAtIndex(function, ON_FUNCTION, name, n);
}

int printed_lines(LLVMValueRef function)
{
    int lines = *name_of(LLVMBasicBlockAsValue(LLVMGetEntryBasicBlock(function))) ? -1 : -2;
    EACH_BLOCK(b, function) {
        lines += 2; /* an empty line and the label */
        EACH_INSTRUCTION(i, b)
            lines += LLVMIsASwitchInst(i) ? 1 + (int)LLVMGetNumSuccessors(i) : 1;
    }
    return lines;
}

/* ---- addresses ---- */

unsigned space_of(LLVMValueRef pointer) { return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)); }

long bytes_of(LLVMTypeRef type) { return (long)LLVMABISizeOfType(ir.layout, type); }

struct index index_of(LLVMValueRef gep, unsigned k, LLVMTypeRef *type)
{
    LLVMValueRef of = LLVMGetOperand(gep, k + 1);
    struct index x = {of, 0, 0};
    long n = 0;
    bool constant = constant_integer(of, &n);
    if (!*type) {
        *type = LLVMGetGEPSourceElementType(gep);
    } else if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        x.of = NULL;
        x.offset = (long)LLVMOffsetOfElement(ir.layout, *type, (unsigned)n);
        *type = LLVMStructGetTypeAtIndex(*type, (unsigned)n);
        return x;
    } else {
        *type = LLVMGetElementType(*type);
    }
    x.stride = bytes_of(*type);
    if (constant)
        x.of = NULL, x.offset = n * x.stride;
    return x;
}

/* The sum of a getelementptr's indices in bytes; false if one is no constant. */
static bool constant_offset(LLVMValueRef gep, long *offset)
{
    LLVMTypeRef type = NULL;
    *offset = 0;
    for (int k = 0; k < LLVMGetNumOperands(gep) - 1; k++) {
        struct index x = index_of(gep, (unsigned)k, &type);
        if (x.of)
            return false;
        *offset += x.offset;
    }
    return true;
}

bool is_derived(LLVMValueRef v)
{
    int opcode = opcode_of(v);
    return opcode == LLVMGetElementPtr || opcode == LLVMBitCast || opcode == LLVMAddrSpaceCast;
}

LLVMValueRef strip_offsets(LLVMValueRef pointer, long *offset)
{
    for (long by; is_derived(pointer); pointer = LLVMGetOperand(pointer, 0)) {
        bool steps = opcode_of(pointer) == LLVMGetElementPtr;
        if (steps && !constant_offset(pointer, &by))
            break;
        *offset += steps ? by : 0;
    }
    return pointer;
}

LLVMValueRef base_of(LLVMValueRef pointer)
{
    while (is_derived(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

/* ---- building ---- */

LLVMValueRef integer(LLVMTypeRef type, long n)
{
    return LLVMConstInt(type, (unsigned long long)n, 1);
}

LLVMValueRef new_local(LLVMValueRef instruction, LLVMTypeRef type)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function_of(instruction)));
    build_unplaced(first);
    return LLVMBuildAlloca(ir.builder, type, "");
}

LLVMValueRef generic(LLVMValueRef global) { return LLVMConstBitCast(global, byte_pointer(0)); }

LLVMValueRef new_global(const char *name, LLVMValueRef value)
{
    LLVMValueRef g = LLVMAddGlobal(ir.module, LLVMTypeOf(value), name);
    LLVMSetInitializer(g, value);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    return g;
}

LLVMValueRef text_constant(const char *text)
{
    LLVMValueRef g = new_global(
        "cpucc.text", LLVMConstStringInContext(ir.context, text, (unsigned)strlen(text), 0));
    LLVMSetGlobalConstant(g, 1);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    return generic(g);
}

LLVMTypeRef byte_pointer(unsigned space) { return LLVMPointerType(ir.i8, space); }

void build_before(LLVMValueRef instruction)
{
    LLVMPositionBuilderBefore(ir.builder, instruction);
    LLVMSetCurrentDebugLocation2(ir.builder, LLVMInstructionGetDebugLoc(instruction));
}

void build_unplaced(LLVMValueRef instruction)
{
    LLVMPositionBuilderBefore(ir.builder, instruction);
    LLVMSetCurrentDebugLocation2(ir.builder, NULL);
}

void copy_place(LLVMValueRef to, LLVMValueRef from)
{
    unsigned kind = metadata_kind(SPECULATED);
    LLVMInstructionSetDebugLoc(to, LLVMInstructionGetDebugLoc(from));
    LLVMSetMetadata(to, kind, LLVMGetMetadata(from, kind));
}

LLVMValueRef pointer_to(LLVMTypeRef type, LLVMValueRef pointer)
{
    return LLVMBuildBitCast(ir.builder, pointer, LLVMPointerType(type, space_of(pointer)), "");
}

LLVMValueRef as_bytes(LLVMValueRef pointer) { return pointer_to(ir.i8, pointer); }

LLVMValueRef add_bytes_to(LLVMValueRef pointer, long offset)
{
    LLVMValueRef by = integer(ir.i64, offset);
    pointer = as_bytes(pointer);
    return offset ? LLVMBuildGEP2(ir.builder, ir.i8, pointer, &by, 1, "") : pointer;
}

LLVMValueRef call_named(const char *name, LLVMTypeRef result, LLVMValueRef *argument,
                        unsigned count)
{
    LLVMValueRef f = LLVMGetNamedFunction(ir.module, name);
    if (!f) {
        LLVMTypeRef type[16];
        for (unsigned k = 0; k < count; k++)
            type[k] = LLVMTypeOf(argument[k]);
        f = LLVMAddFunction(ir.module, name, LLVMFunctionType(result, type, count, 0));
    }
    return LLVMBuildCall2(ir.builder, LLVMGlobalGetValueType(f), f, argument, count, "");
}

void replace_by(LLVMValueRef instruction, LLVMValueRef by)
{
    LLVMReplaceAllUsesWith(instruction, by);
    LLVMInstructionEraseFromParent(instruction);
}

void replace_global(LLVMValueRef global, LLVMValueRef by)
{
    char *name = format("%s", name_of(global));
    LLVMReplaceAllUsesWith(global, LLVMConstAddrSpaceCast(by, LLVMTypeOf(global)));
    LLVMDeleteGlobal(global);
    set_name(by, name);
}

/* ---- metadata ---- */

unsigned metadata_kind(const char *name)
{
    return LLVMGetMDKindIDInContext(ir.context, name, (unsigned)strlen(name));
}

LLVMMetadataRef metadata_of(LLVMValueRef instruction, const char *kind)
{
    LLVMValueRef v = LLVMGetMetadata(instruction, metadata_kind(kind));
    return v ? LLVMValueAsMetadata(v) : NULL;
}

unsigned operand_count(LLVMMetadataRef node)
{
    return LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(ir.context, node));
}

LLVMMetadataRef operand_of(LLVMMetadataRef node, unsigned k)
{
    LLVMValueRef *all = allocate(NULL, operand_count(node) * sizeof *all);
    LLVMGetMDNodeOperands(LLVMMetadataAsValue(ir.context, node), all);
    return all[k] ? LLVMValueAsMetadata(all[k]) : NULL;
}

const char *string_of(LLVMMetadataRef m)
{
    unsigned n;
    const char *s = m ? LLVMGetMDString(LLVMMetadataAsValue(ir.context, m), &n) : NULL;
    return s ? s : "";
}

const char *file_of(LLVMMetadataRef scope)
{
    unsigned n;
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    const char *name = file ? LLVMDIFileGetFilename(file, &n) : "";
    const char *folder = file ? LLVMDIFileGetDirectory(file, &n) : NULL;
    return *name == '/' || !folder || !*folder ? name : format("%s/%s", folder, name);
}

void set_node(LLVMValueRef instruction, const char *kind, LLVMMetadataRef *part, unsigned count)
{
    LLVMMetadataRef node = LLVMMDNodeInContext2(ir.context, part, count);
    LLVMSetMetadata(instruction, metadata_kind(kind), LLVMMetadataAsValue(ir.context, node));
}
