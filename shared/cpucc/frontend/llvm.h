/*
 * The functions of LLVM's C API that the front end calls, as libLLVM 14 to 22 exports them. Declared
 * here because libLLVM comes with clang, but its headers are a package of several hundred MB.
 */
#ifndef CPUCC_LLVM_H
#define CPUCC_LLVM_H

#include <stddef.h>
#include <stdint.h>

/* clang-format off */

#define REFERENCE(name) typedef struct LLVMOpaque##name *LLVM##name##Ref
REFERENCE(Attribute); REFERENCE(BasicBlock); REFERENCE(Builder); REFERENCE(Comdat); REFERENCE(Context);
REFERENCE(DiagnosticInfo); REFERENCE(Error); REFERENCE(MemoryBuffer); REFERENCE(Metadata); REFERENCE(Module);
REFERENCE(PassBuilderOptions); REFERENCE(Target); REFERENCE(TargetData); REFERENCE(TargetMachine); REFERENCE(Type);
REFERENCE(Use); REFERENCE(Value);
#undef REFERENCE
typedef struct LLVMOpaqueValueMetadataEntry LLVMValueMetadataEntry;
typedef unsigned LLVMAttributeIndex, LLVMMetadataKind;
typedef int LLVMBool;
typedef void (*LLVMDiagnosticHandler)(LLVMDiagnosticInfoRef, void *);

enum { LLVMMDTupleMetadataKind = 4, LLVMDISubprogramMetadataKind = 17 };
typedef enum { LLVMAtomicOrderingNotAtomic = 0, LLVMAtomicOrderingAcquire = 4,
    LLVMAtomicOrderingRelease = 5 } LLVMAtomicOrdering;
typedef enum { LLVMAtomicRMWBinOpXchg = 0 } LLVMAtomicRMWBinOp;
enum { LLVMCCallConv = 0 };
typedef enum { LLVMObjectFile = 1 } LLVMCodeGenFileType;
typedef enum { LLVMCodeGenLevelNone = 0, LLVMCodeGenLevelLess = 1, LLVMCodeGenLevelDefault = 2
    } LLVMCodeGenOptLevel;
typedef enum { LLVMCodeModelDefault = 0 } LLVMCodeModel;
typedef enum { LLVMDSError = 0 } LLVMDiagnosticSeverity;
typedef enum { LLVMIntEQ = 32, LLVMIntULT = 36, LLVMIntULE = 37, LLVMIntSGT = 38 } LLVMIntPredicate;
typedef enum { LLVMExternalLinkage = 0, LLVMAppendingLinkage = 7, LLVMInternalLinkage = 8, LLVMPrivateLinkage = 9
    } LLVMLinkage;
typedef enum { LLVMRet = 1, LLVMBr = 2, LLVMSwitch = 3, LLVMInvoke = 5, LLVMUnreachable = 7,
    LLVMFNeg = 66, LLVMAdd = 8, LLVMFAdd = 9, LLVMSub = 10, LLVMFSub = 11, LLVMMul = 12,
    LLVMFMul = 13, LLVMUDiv = 14, LLVMSDiv = 15, LLVMFDiv = 16, LLVMURem = 17, LLVMSRem = 18,
    LLVMFRem = 19, LLVMShl = 20, LLVMLShr = 21, LLVMAShr = 22, LLVMAnd = 23, LLVMOr = 24,
    LLVMXor = 25, LLVMAlloca = 26, LLVMLoad = 27, LLVMStore = 28, LLVMGetElementPtr = 29,
    LLVMTrunc = 30, LLVMZExt = 31, LLVMSExt = 32, LLVMFPToUI = 33, LLVMFPToSI = 34, LLVMUIToFP = 35,
    LLVMSIToFP = 36, LLVMFPTrunc = 37, LLVMFPExt = 38, LLVMPtrToInt = 39, LLVMIntToPtr = 40,
    LLVMBitCast = 41, LLVMAddrSpaceCast = 60, LLVMICmp = 42, LLVMFCmp = 43, LLVMPHI = 44,
    LLVMCall = 45, LLVMSelect = 46, LLVMExtractElement = 50, LLVMInsertElement = 51,
    LLVMShuffleVector = 52, LLVMExtractValue = 53, LLVMInsertValue = 54, LLVMFreeze = 68,
    LLVMFence = 55, LLVMAtomicCmpXchg = 56, LLVMAtomicRMW = 57 } LLVMOpcode;
typedef enum { LLVMRealUNO = 8 } LLVMRealPredicate;
typedef enum { LLVMRelocPIC = 2 } LLVMRelocMode;
typedef enum { LLVMVoidTypeKind = 0, LLVMHalfTypeKind = 1, LLVMFloatTypeKind = 2,
    LLVMDoubleTypeKind = 3, LLVMIntegerTypeKind = 8, LLVMStructTypeKind = 10,
    LLVMArrayTypeKind = 11, LLVMPointerTypeKind = 12, LLVMVectorTypeKind = 13,
    LLVMBFloatTypeKind = 18 } LLVMTypeKind;
typedef enum { LLVMNoUnnamedAddr = 0 } LLVMUnnamedAddr;
typedef enum { LLVMArgumentValueKind = 0, LLVMBasicBlockValueKind = 1, LLVMFunctionValueKind = 5,
    LLVMGlobalVariableValueKind = 8, LLVMConstantExprValueKind = 10,
    LLVMConstantArrayValueKind = 11, LLVMConstantStructValueKind = 12,
    LLVMConstantVectorValueKind = 13, LLVMUndefValueValueKind = 14,
    LLVMConstantAggregateZeroValueKind = 15, LLVMConstantDataArrayValueKind = 16,
    LLVMConstantDataVectorValueKind = 17, LLVMConstantIntValueKind = 18,
    LLVMConstantFPValueKind = 19, LLVMConstantPointerNullValueKind = 20,
    LLVMMetadataAsValueValueKind = 22, LLVMInlineAsmValueKind = 23, LLVMInstructionValueKind = 24,
    LLVMPoisonValueValueKind = 25 } LLVMValueKind;
typedef enum { LLVMReturnStatusAction = 2 } LLVMVerifierFailureAction;
typedef enum { LLVMHiddenVisibility = 1 } LLVMVisibility;

enum { LLVMAttributeReturnIndex = 0, LLVMAttributeFunctionIndex = -1 };

/* Functions of one type are declared by its name: LLVMValueOfValue is LLVMValueRef (LLVMValueRef). */
typedef LLVMBool LLVMBoolOfValue(LLVMValueRef);
LLVMBoolOfValue LLVMGetVolatile, LLVMIsConditional, LLVMIsConstantString, LLVMIsDeclaration,
    LLVMIsExternallyInitialized, LLVMIsGlobalConstant, LLVMIsInBounds, LLVMIsNull, LLVMIsUndef;
typedef LLVMTypeRef LLVMTypeOfContext(LLVMContextRef);
LLVMTypeOfContext LLVMInt16TypeInContext, LLVMInt1TypeInContext, LLVMInt32TypeInContext, LLVMInt64TypeInContext,
    LLVMInt8TypeInContext, LLVMVoidTypeInContext;
typedef LLVMTypeRef LLVMTypeOfTypeUnsigned(LLVMTypeRef, unsigned);
LLVMTypeOfTypeUnsigned LLVMArrayType, LLVMPointerType, LLVMStructGetTypeAtIndex, LLVMVectorType;
typedef LLVMTypeRef LLVMTypeOfValue(LLVMValueRef);
LLVMTypeOfValue LLVMGetAllocatedType, LLVMGetCalledFunctionType, LLVMGetGEPSourceElementType, LLVMGlobalGetValueType,
    LLVMTypeOf;
typedef LLVMValueRef LLVMValueOfBlock(LLVMBasicBlockRef);
LLVMValueOfBlock LLVMBasicBlockAsValue, LLVMGetBasicBlockParent, LLVMGetBasicBlockTerminator, LLVMGetFirstInstruction,
    LLVMGetLastInstruction;
typedef LLVMValueRef LLVMValueOfBuilderValueTypeText(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *);
LLVMValueOfBuilderValueTypeText LLVMBuildAddrSpaceCast, LLVMBuildBitCast, LLVMBuildIntToPtr, LLVMBuildPtrToInt,
    LLVMBuildSExt, LLVMBuildTrunc, LLVMBuildZExt;
typedef LLVMValueRef LLVMValueOfBuilderValueValueText(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);
LLVMValueOfBuilderValueValueText LLVMBuildAdd, LLVMBuildAnd, LLVMBuildExtractElement, LLVMBuildMul, LLVMBuildNSWAdd,
    LLVMBuildShl, LLVMBuildSub;
typedef LLVMValueRef LLVMValueOfModule(LLVMModuleRef);
LLVMValueOfModule LLVMGetFirstFunction, LLVMGetFirstGlobal, LLVMGetFirstGlobalAlias, LLVMGetFirstGlobalIFunc,
    LLVMGetLastFunction;
typedef LLVMValueRef LLVMValueOfType(LLVMTypeRef);
LLVMValueOfType LLVMConstNull, LLVMConstPointerNull, LLVMGetUndef, LLVMSizeOf;
typedef LLVMValueRef LLVMValueOfValue(LLVMValueRef);
LLVMValueOfValue LLVMGetCalledValue, LLVMGetCondition, LLVMGetInitializer, LLVMGetNextFunction, LLVMGetNextGlobal,
    LLVMGetNextInstruction, LLVMGetParamParent, LLVMGetPreviousInstruction, LLVMInstructionClone,
    LLVMIsAAddrSpaceCastInst, LLVMIsAAllocaInst, LLVMIsAArgument, LLVMIsAAtomicCmpXchgInst, LLVMIsAAtomicRMWInst,
    LLVMIsABinaryOperator, LLVMIsABranchInst, LLVMIsACallInst, LLVMIsACastInst, LLVMIsAConstant, LLVMIsAConstantArray,
    LLVMIsAConstantDataSequential, LLVMIsAConstantExpr, LLVMIsAConstantInt, LLVMIsAConstantStruct,
    LLVMIsAConstantVector, LLVMIsAExtractElementInst, LLVMIsAFenceInst, LLVMIsAFunction, LLVMIsAGetElementPtrInst,
    LLVMIsAGlobalValue, LLVMIsAGlobalVariable, LLVMIsAICmpInst, LLVMIsAInlineAsm, LLVMIsAInstruction,
    LLVMIsAInvokeInst, LLVMIsALandingPadInst, LLVMIsALoadInst, LLVMIsAPHINode, LLVMIsAReturnInst, LLVMIsASExtInst,
    LLVMIsAStoreInst, LLVMIsASwitchInst, LLVMIsATerminatorInst;
typedef LLVMValueRef LLVMValueOfValueUnsigned(LLVMValueRef, unsigned);
LLVMValueOfValueUnsigned LLVMGetIncomingValue, LLVMGetMetadata, LLVMGetOperand, LLVMGetParam;
typedef unsigned LLVMUnsignedOfType(LLVMTypeRef);
LLVMUnsignedOfType LLVMCountParamTypes, LLVMCountStructElementTypes, LLVMGetArrayLength, LLVMGetIntTypeWidth,
    LLVMGetPointerAddressSpace, LLVMGetVectorSize;
typedef unsigned LLVMUnsignedOfValue(LLVMValueRef);
LLVMUnsignedOfValue LLVMCountBasicBlocks, LLVMCountIncoming, LLVMCountParams, LLVMGetAlignment,
    LLVMGetFunctionCallConv, LLVMGetMDNodeNumOperands, LLVMGetNumArgOperands, LLVMGetNumSuccessors;
typedef void LLVMVoidOfValueBool(LLVMValueRef, LLVMBool);
LLVMVoidOfValueBool LLVMSetExternallyInitialized, LLVMSetGlobalConstant, LLVMSetTailCall, LLVMSetThreadLocal;

LLVMAtomicOrdering LLVMGetCmpXchgSuccessOrdering(LLVMValueRef), LLVMGetOrdering(LLVMValueRef);
LLVMAtomicRMWBinOp LLVMGetAtomicRMWBinOp(LLVMValueRef);
LLVMAttributeRef LLVMCreateEnumAttribute(LLVMContextRef, unsigned, uint64_t),
    LLVMCreateStringAttribute(LLVMContextRef, const char *, unsigned, const char *, unsigned),
    LLVMGetCallSiteEnumAttribute(LLVMValueRef, LLVMAttributeIndex, unsigned),
    LLVMGetEnumAttributeAtIndex(LLVMValueRef, LLVMAttributeIndex, unsigned),
    LLVMGetStringAttributeAtIndex(LLVMValueRef, LLVMAttributeIndex, const char *, unsigned);
LLVMBasicBlockRef LLVMAppendBasicBlockInContext(LLVMContextRef, LLVMValueRef, const char *),
    LLVMGetEntryBasicBlock(LLVMValueRef), LLVMGetFirstBasicBlock(LLVMValueRef),
    LLVMGetIncomingBlock(LLVMValueRef, unsigned), LLVMGetInstructionParent(LLVMValueRef),
    LLVMGetNextBasicBlock(LLVMBasicBlockRef), LLVMGetPreviousBasicBlock(LLVMBasicBlockRef),
    LLVMGetSuccessor(LLVMValueRef, unsigned);
LLVMBool LLVMCreateMemoryBufferWithContentsOfFile(const char *, LLVMMemoryBufferRef *, char **),
    LLVMGetTargetFromTriple(const char *, LLVMTargetRef *, char **), LLVMIsFunctionVarArg(LLVMTypeRef),
    LLVMIsPackedStruct(LLVMTypeRef), LLVMIsStringAttribute(LLVMAttributeRef),
    LLVMParseIRInContext(LLVMContextRef, LLVMMemoryBufferRef, LLVMModuleRef *, char **),
    LLVMPrintModuleToFile(LLVMModuleRef, const char *, char **), LLVMStripModuleDebugInfo(LLVMModuleRef),
    LLVMTargetMachineEmitToFile(LLVMTargetMachineRef, LLVMModuleRef, char *, LLVMCodeGenFileType, char **),
    LLVMVerifyModule(LLVMModuleRef, LLVMVerifierFailureAction, char **);
LLVMBuilderRef LLVMCreateBuilderInContext(LLVMContextRef);
LLVMComdatRef LLVMGetComdat(LLVMValueRef);
LLVMContextRef LLVMGetGlobalContext(void), LLVMGetModuleContext(LLVMModuleRef);
LLVMDiagnosticSeverity LLVMGetDiagInfoSeverity(LLVMDiagnosticInfoRef);
LLVMErrorRef LLVMRunPasses(LLVMModuleRef, const char *, LLVMTargetMachineRef, LLVMPassBuilderOptionsRef);
LLVMIntPredicate LLVMGetICmpPredicate(LLVMValueRef);
LLVMLinkage LLVMGetLinkage(LLVMValueRef);
LLVMMetadataKind LLVMGetMetadataKind(LLVMMetadataRef);
LLVMMetadataRef
    LLVMDIBuilderCreateDebugLocation(LLVMContextRef, unsigned, unsigned, LLVMMetadataRef, LLVMMetadataRef),
    LLVMDILocationGetInlinedAt(LLVMMetadataRef), LLVMDILocationGetScope(LLVMMetadataRef),
    LLVMDIScopeGetFile(LLVMMetadataRef), LLVMGetSubprogram(LLVMValueRef), LLVMInstructionGetDebugLoc(LLVMValueRef),
    LLVMMDNodeInContext2(LLVMContextRef, LLVMMetadataRef *, size_t),
    LLVMMDStringInContext2(LLVMContextRef, const char *, size_t),
    LLVMTemporaryMDNode(LLVMContextRef, LLVMMetadataRef *, size_t), LLVMValueAsMetadata(LLVMValueRef);
LLVMOpcode LLVMGetConstOpcode(LLVMValueRef), LLVMGetInstructionOpcode(LLVMValueRef);
LLVMPassBuilderOptionsRef LLVMCreatePassBuilderOptions(void);
LLVMTargetDataRef LLVMGetModuleDataLayout(LLVMModuleRef);
LLVMTargetMachineRef
    LLVMCreateTargetMachine(LLVMTargetRef, const char *, const char *, const char *, LLVMCodeGenOptLevel, LLVMRelocMode, LLVMCodeModel);
LLVMTypeKind LLVMGetTypeKind(LLVMTypeRef);
LLVMTypeRef LLVMFunctionType(LLVMTypeRef, LLVMTypeRef *, unsigned, LLVMBool), LLVMGetElementType(LLVMTypeRef),
    LLVMGetReturnType(LLVMTypeRef), LLVMGetTypeAttributeValue(LLVMAttributeRef),
    LLVMIntTypeInContext(LLVMContextRef, unsigned),
    LLVMIntrinsicGetType(LLVMContextRef, unsigned, LLVMTypeRef *, size_t),
    LLVMStructTypeInContext(LLVMContextRef, LLVMTypeRef *, unsigned, LLVMBool);
LLVMUnnamedAddr LLVMGetUnnamedAddress(LLVMValueRef);
LLVMUseRef LLVMGetFirstUse(LLVMValueRef), LLVMGetNextUse(LLVMUseRef);
LLVMValueKind LLVMGetValueKind(LLVMValueRef);
LLVMValueMetadataEntry *LLVMInstructionGetAllMetadataOtherThanDebugLoc(LLVMValueRef, size_t *);
LLVMValueRef LLVMAddFunction(LLVMModuleRef, const char *, LLVMTypeRef),
    LLVMAddGlobal(LLVMModuleRef, LLVMTypeRef, const char *),
    LLVMAddGlobalInAddressSpace(LLVMModuleRef, LLVMTypeRef, const char *, unsigned),
    LLVMBuildAlloca(LLVMBuilderRef, LLVMTypeRef, const char *),
    LLVMBuildBinOp(LLVMBuilderRef, LLVMOpcode, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildBr(LLVMBuilderRef, LLVMBasicBlockRef),
    LLVMBuildCall2(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, LLVMValueRef *, unsigned, const char *),
    LLVMBuildCast(LLVMBuilderRef, LLVMOpcode, LLVMValueRef, LLVMTypeRef, const char *),
    LLVMBuildCondBr(LLVMBuilderRef, LLVMValueRef, LLVMBasicBlockRef, LLVMBasicBlockRef),
    LLVMBuildFCmp(LLVMBuilderRef, LLVMRealPredicate, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildFreeze(LLVMBuilderRef, LLVMValueRef, const char *),
    LLVMBuildGEP2(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, LLVMValueRef *, unsigned, const char *),
    LLVMBuildICmp(LLVMBuilderRef, LLVMIntPredicate, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildInBoundsGEP2(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, LLVMValueRef *, unsigned, const char *),
    LLVMBuildInsertElement(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildInsertValue(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, unsigned, const char *),
    LLVMBuildIntCast2(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, LLVMBool, const char *),
    LLVMBuildLoad2(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, const char *),
    LLVMBuildMemCpy(LLVMBuilderRef, LLVMValueRef, unsigned, LLVMValueRef, unsigned, LLVMValueRef),
    LLVMBuildMemSet(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, LLVMValueRef, unsigned),
    LLVMBuildPhi(LLVMBuilderRef, LLVMTypeRef, const char *), LLVMBuildRet(LLVMBuilderRef, LLVMValueRef),
    LLVMBuildRetVoid(LLVMBuilderRef),
    LLVMBuildSelect(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildStore(LLVMBuilderRef, LLVMValueRef, LLVMValueRef), LLVMBuildUnreachable(LLVMBuilderRef),
    LLVMConstAddrSpaceCast(LLVMValueRef, LLVMTypeRef), LLVMConstArray(LLVMTypeRef, LLVMValueRef *, unsigned),
    LLVMConstBitCast(LLVMValueRef, LLVMTypeRef),
    LLVMConstInBoundsGEP2(LLVMTypeRef, LLVMValueRef, LLVMValueRef *, unsigned),
    LLVMConstInt(LLVMTypeRef, unsigned long long, LLVMBool),
    LLVMConstStringInContext(LLVMContextRef, const char *, unsigned, LLVMBool),
    LLVMConstStructInContext(LLVMContextRef, LLVMValueRef *, unsigned, LLVMBool),
    LLVMGetIntrinsicDeclaration(LLVMModuleRef, unsigned, LLVMTypeRef *, size_t),
    LLVMGetNamedFunction(LLVMModuleRef, const char *), LLVMGetNamedGlobal(LLVMModuleRef, const char *),
    LLVMGetUser(LLVMUseRef), LLVMMetadataAsValue(LLVMContextRef, LLVMMetadataRef);
LLVMVisibility LLVMGetVisibility(LLVMValueRef);
char *LLVMGetDiagInfoDescription(LLVMDiagnosticInfoRef), *LLVMGetErrorMessage(LLVMErrorRef),
    *LLVMPrintTypeToString(LLVMTypeRef), *LLVMPrintValueToString(LLVMValueRef);
const char *LLVMDIFileGetDirectory(LLVMMetadataRef, unsigned *), *LLVMDIFileGetFilename(LLVMMetadataRef, unsigned *),
    *LLVMGetAsString(LLVMValueRef, size_t *), *LLVMGetDataLayoutStr(LLVMModuleRef), *LLVMGetGC(LLVMValueRef),
    *LLVMGetMDString(LLVMValueRef, unsigned *), *LLVMGetModuleInlineAsm(LLVMModuleRef, size_t *),
    *LLVMGetSection(LLVMValueRef), *LLVMGetStringAttributeKind(LLVMAttributeRef, unsigned *),
    *LLVMGetStringAttributeValue(LLVMAttributeRef, unsigned *), *LLVMGetStructName(LLVMTypeRef),
    *LLVMGetTarget(LLVMModuleRef), *LLVMGetValueName2(LLVMValueRef, size_t *);
int LLVMGetNumOperands(LLVMValueRef);
long long LLVMConstIntGetSExtValue(LLVMValueRef);
uint64_t LLVMGetEnumAttributeValue(LLVMAttributeRef);
unsigned LLVMDILocationGetColumn(LLVMMetadataRef), LLVMDILocationGetLine(LLVMMetadataRef),
    LLVMGetAttributeCountAtIndex(LLVMValueRef, LLVMAttributeIndex),
    LLVMGetCallSiteAttributeCount(LLVMValueRef, LLVMAttributeIndex), LLVMGetEnumAttributeKind(LLVMAttributeRef),
    LLVMGetEnumAttributeKindForName(const char *, size_t),
    LLVMGetMDKindIDInContext(LLVMContextRef, const char *, unsigned),
    LLVMGetNamedMetadataNumOperands(LLVMModuleRef, const char *), LLVMLookupIntrinsicID(const char *, size_t),
    LLVMValueMetadataEntriesGetKind(LLVMValueMetadataEntry *, unsigned);
unsigned long long LLVMABISizeOfType(LLVMTargetDataRef, LLVMTypeRef), LLVMConstIntGetZExtValue(LLVMValueRef),
    LLVMOffsetOfElement(LLVMTargetDataRef, LLVMTypeRef, unsigned),
    LLVMStoreSizeOfType(LLVMTargetDataRef, LLVMTypeRef);
void LLVMAddAttributeAtIndex(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef),
    LLVMAddCallSiteAttribute(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef),
    LLVMAddIncoming(LLVMValueRef, LLVMValueRef *, LLVMBasicBlockRef *, unsigned),
    LLVMContextSetDiagnosticHandler(LLVMContextRef, LLVMDiagnosticHandler, void *), LLVMDeleteFunction(LLVMValueRef),
    LLVMDeleteGlobal(LLVMValueRef), LLVMDisposeMessage(char *),
    LLVMDisposePassBuilderOptions(LLVMPassBuilderOptionsRef),
    LLVMDisposeValueMetadataEntries(LLVMValueMetadataEntry *),
    LLVMGetAttributesAtIndex(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef *),
    LLVMGetCallSiteAttributes(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef *),
    LLVMGetMDNodeOperands(LLVMValueRef, LLVMValueRef *),
    LLVMGetNamedMetadataOperands(LLVMModuleRef, const char *, LLVMValueRef *),
    LLVMGetParamTypes(LLVMTypeRef, LLVMTypeRef *),
    LLVMGetStructElementTypes(LLVMTypeRef, LLVMTypeRef *), LLVMInsertIntoBuilder(LLVMBuilderRef, LLVMValueRef),
    LLVMInstructionEraseFromParent(LLVMValueRef), LLVMInstructionSetDebugLoc(LLVMValueRef, LLVMMetadataRef),
    LLVMMetadataReplaceAllUsesWith(LLVMMetadataRef, LLVMMetadataRef),
    LLVMMoveBasicBlockAfter(LLVMBasicBlockRef, LLVMBasicBlockRef),
    LLVMParseCommandLineOptions(int, const char *const *, const char *),
    LLVMPassBuilderOptionsSetLoopInterleaving(LLVMPassBuilderOptionsRef, LLVMBool),
    LLVMPassBuilderOptionsSetLoopUnrolling(LLVMPassBuilderOptionsRef, LLVMBool),
    LLVMPositionBuilderAtEnd(LLVMBuilderRef, LLVMBasicBlockRef),
    LLVMPositionBuilderBefore(LLVMBuilderRef, LLVMValueRef),
    LLVMRemoveCallSiteEnumAttribute(LLVMValueRef, LLVMAttributeIndex, unsigned),
    LLVMRemoveCallSiteStringAttribute(LLVMValueRef, LLVMAttributeIndex, const char *, unsigned),
    LLVMRemoveEnumAttributeAtIndex(LLVMValueRef, LLVMAttributeIndex, unsigned),
    LLVMRemoveStringAttributeAtIndex(LLVMValueRef, LLVMAttributeIndex, const char *, unsigned),
    LLVMReplaceAllUsesWith(LLVMValueRef, LLVMValueRef), LLVMSetAlignment(LLVMValueRef, unsigned),
    LLVMSetComdat(LLVMValueRef, LLVMComdatRef), LLVMSetCurrentDebugLocation2(LLVMBuilderRef, LLVMMetadataRef),
    LLVMSetDataLayout(LLVMModuleRef, const char *), LLVMSetFunctionCallConv(LLVMValueRef, unsigned),
    LLVMSetInitializer(LLVMValueRef, LLVMValueRef), LLVMSetInstructionCallConv(LLVMValueRef, unsigned),
    LLVMSetLinkage(LLVMValueRef, LLVMLinkage), LLVMSetMetadata(LLVMValueRef, unsigned, LLVMValueRef),
    LLVMSetOperand(LLVMValueRef, unsigned, LLVMValueRef), LLVMSetSection(LLVMValueRef, const char *),
    LLVMSetTarget(LLVMModuleRef, const char *), LLVMSetUnnamedAddress(LLVMValueRef, LLVMUnnamedAddr),
    LLVMSetValueName2(LLVMValueRef, const char *, size_t), LLVMSetVisibility(LLVMValueRef, LLVMVisibility);

#define TARGET(name)                                                                               \
    void LLVMInitialize##name##TargetInfo(void), LLVMInitialize##name##Target(void),               \
        LLVMInitialize##name##TargetMC(void), LLVMInitialize##name##AsmParser(void),               \
        LLVMInitialize##name##AsmPrinter(void)
TARGET(AArch64);
TARGET(NVPTX);
TARGET(PowerPC);
TARGET(RISCV);
TARGET(X86);
#undef TARGET

/* clang-format on */
#endif
