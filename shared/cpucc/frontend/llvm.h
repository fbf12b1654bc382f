/*
 * The functions of LLVM's C API that the front end calls, as libLLVM 14 to 22 exports them. Declared
 * here because libLLVM comes with clang, but its headers are a package of several hundred MB.
 * A group has the functions of llvm-c/NAME.h, by their results' types.
 */
#ifndef CPUCC_LLVM_H
#define CPUCC_LLVM_H

#include <stddef.h>
#include <stdint.h>

/* clang-format off */

typedef unsigned LLVMAttributeIndex;
typedef struct LLVMOpaqueAttributeRef *LLVMAttributeRef;
typedef struct LLVMOpaqueBasicBlock *LLVMBasicBlockRef;
typedef int LLVMBool;
typedef struct LLVMOpaqueBuilder *LLVMBuilderRef;
typedef struct LLVMComdat *LLVMComdatRef;
typedef struct LLVMOpaqueContext *LLVMContextRef;
typedef struct LLVMOpaqueDiagnosticInfo *LLVMDiagnosticInfoRef;
typedef struct LLVMOpaqueError *LLVMErrorRef;
typedef struct LLVMOpaqueMemoryBuffer *LLVMMemoryBufferRef;
typedef unsigned LLVMMetadataKind;
typedef struct LLVMOpaqueMetadata *LLVMMetadataRef;
typedef struct LLVMOpaqueModule *LLVMModuleRef;
typedef struct LLVMOpaquePassBuilderOptions *LLVMPassBuilderOptionsRef;
typedef struct LLVMOpaqueTargetData *LLVMTargetDataRef;
typedef struct LLVMOpaqueTargetMachine *LLVMTargetMachineRef;
typedef struct LLVMTarget *LLVMTargetRef;
typedef struct LLVMOpaqueType *LLVMTypeRef;
typedef struct LLVMOpaqueUse *LLVMUseRef;
typedef struct LLVMOpaqueValueMetadataEntry LLVMValueMetadataEntry;
typedef struct LLVMOpaqueValue *LLVMValueRef;
typedef void (*LLVMDiagnosticHandler)(LLVMDiagnosticInfoRef, void *);

enum { LLVMMDTupleMetadataKind = 4, LLVMDISubprogramMetadataKind = 17 };
typedef enum { LLVMAtomicOrderingNotAtomic = 0, LLVMAtomicOrderingAcquire = 4,
    LLVMAtomicOrderingRelease = 5 } LLVMAtomicOrdering;
typedef enum { LLVMAtomicRMWBinOpXchg = 0 } LLVMAtomicRMWBinOp;
typedef enum { LLVMCCallConv = 0 } LLVMCallConv;
typedef enum { LLVMObjectFile = 1 } LLVMCodeGenFileType;
typedef enum { LLVMCodeGenLevelNone = 0, LLVMCodeGenLevelLess = 1, LLVMCodeGenLevelDefault = 2
    } LLVMCodeGenOptLevel;
typedef enum { LLVMCodeModelDefault = 0 } LLVMCodeModel;
typedef enum { LLVMDSError = 0 } LLVMDiagnosticSeverity;
typedef enum { LLVMIntEQ = 32, LLVMIntNE = 33, LLVMIntUGT = 34, LLVMIntULT = 36, LLVMIntULE = 37,
    LLVMIntSGT = 38, LLVMIntSLT = 40, LLVMIntSLE = 41 } LLVMIntPredicate;
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

/* ---- Core ---- */

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
    LLVMGetVolatile(LLVMValueRef), LLVMIsConditional(LLVMValueRef),
    LLVMIsConstantString(LLVMValueRef), LLVMIsDeclaration(LLVMValueRef),
    LLVMIsExternallyInitialized(LLVMValueRef), LLVMIsFunctionVarArg(LLVMTypeRef),
    LLVMIsGlobalConstant(LLVMValueRef),
    LLVMIsInBounds(LLVMValueRef), LLVMIsNull(LLVMValueRef), LLVMIsPackedStruct(LLVMTypeRef),
    LLVMIsStringAttribute(LLVMAttributeRef), LLVMIsUndef(LLVMValueRef),
    LLVMPrintModuleToFile(LLVMModuleRef, const char *, char **);
LLVMBuilderRef LLVMCreateBuilderInContext(LLVMContextRef);
LLVMContextRef LLVMGetGlobalContext(void), LLVMGetModuleContext(LLVMModuleRef);
LLVMDiagnosticSeverity LLVMGetDiagInfoSeverity(LLVMDiagnosticInfoRef);
LLVMIntPredicate LLVMGetICmpPredicate(LLVMValueRef);
LLVMLinkage LLVMGetLinkage(LLVMValueRef);
LLVMMetadataRef LLVMMDNodeInContext2(LLVMContextRef, LLVMMetadataRef *, size_t),
    LLVMMDStringInContext2(LLVMContextRef, const char *, size_t),
    LLVMValueAsMetadata(LLVMValueRef);
LLVMOpcode LLVMGetConstOpcode(LLVMValueRef), LLVMGetInstructionOpcode(LLVMValueRef);
LLVMTypeKind LLVMGetTypeKind(LLVMTypeRef);
LLVMTypeRef LLVMArrayType(LLVMTypeRef, unsigned),
    LLVMFunctionType(LLVMTypeRef, LLVMTypeRef *, unsigned, LLVMBool),
    LLVMGetAllocatedType(LLVMValueRef), LLVMGetCalledFunctionType(LLVMValueRef),
    LLVMGetElementType(LLVMTypeRef), LLVMGetGEPSourceElementType(LLVMValueRef),
    LLVMGetReturnType(LLVMTypeRef), LLVMGetTypeAttributeValue(LLVMAttributeRef),
    LLVMGlobalGetValueType(LLVMValueRef), LLVMInt16TypeInContext(LLVMContextRef),
    LLVMInt1TypeInContext(LLVMContextRef), LLVMInt32TypeInContext(LLVMContextRef),
    LLVMInt64TypeInContext(LLVMContextRef), LLVMInt8TypeInContext(LLVMContextRef),
    LLVMIntTypeInContext(LLVMContextRef, unsigned),
    LLVMIntrinsicGetType(LLVMContextRef, unsigned, LLVMTypeRef *, size_t),
    LLVMPointerType(LLVMTypeRef, unsigned), LLVMStructGetTypeAtIndex(LLVMTypeRef, unsigned),
    LLVMStructTypeInContext(LLVMContextRef, LLVMTypeRef *, unsigned, LLVMBool),
    LLVMTypeOf(LLVMValueRef), LLVMVectorType(LLVMTypeRef, unsigned),
    LLVMVoidTypeInContext(LLVMContextRef);
LLVMUnnamedAddr LLVMGetUnnamedAddress(LLVMValueRef);
LLVMUseRef LLVMGetFirstUse(LLVMValueRef), LLVMGetNextUse(LLVMUseRef);
LLVMValueKind LLVMGetValueKind(LLVMValueRef);
LLVMValueMetadataEntry *LLVMInstructionGetAllMetadataOtherThanDebugLoc(LLVMValueRef, size_t *);
LLVMValueRef LLVMAddFunction(LLVMModuleRef, const char *, LLVMTypeRef),
    LLVMAddGlobal(LLVMModuleRef, LLVMTypeRef, const char *),
    LLVMAddGlobalInAddressSpace(LLVMModuleRef, LLVMTypeRef, const char *, unsigned),
    LLVMBasicBlockAsValue(LLVMBasicBlockRef),
    LLVMBuildAdd(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildAddrSpaceCast(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *),
    LLVMBuildAlloca(LLVMBuilderRef, LLVMTypeRef, const char *),
    LLVMBuildAnd(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildBinOp(LLVMBuilderRef, LLVMOpcode, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildBitCast(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *),
    LLVMBuildBr(LLVMBuilderRef, LLVMBasicBlockRef),
    LLVMBuildCall2(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, LLVMValueRef *, unsigned, const char *),
    LLVMBuildCast(LLVMBuilderRef, LLVMOpcode, LLVMValueRef, LLVMTypeRef, const char *),
    LLVMBuildCondBr(LLVMBuilderRef, LLVMValueRef, LLVMBasicBlockRef, LLVMBasicBlockRef),
    LLVMBuildExtractElement(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildFCmp(LLVMBuilderRef, LLVMRealPredicate, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildFreeze(LLVMBuilderRef, LLVMValueRef, const char *),
    LLVMBuildGEP2(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, LLVMValueRef *, unsigned, const char *),
    LLVMBuildICmp(LLVMBuilderRef, LLVMIntPredicate, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildInBoundsGEP2(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, LLVMValueRef *, unsigned, const char *),
    LLVMBuildInsertElement(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildInsertValue(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, unsigned, const char *),
    LLVMBuildIntCast2(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, LLVMBool, const char *),
    LLVMBuildIntToPtr(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *),
    LLVMBuildLShr(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildLoad2(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, const char *),
    LLVMBuildMemCpy(LLVMBuilderRef, LLVMValueRef, unsigned, LLVMValueRef, unsigned, LLVMValueRef),
    LLVMBuildMemSet(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, LLVMValueRef, unsigned),
    LLVMBuildMul(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildNSWAdd(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildOr(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildPhi(LLVMBuilderRef, LLVMTypeRef, const char *),
    LLVMBuildPtrToInt(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *),
    LLVMBuildRet(LLVMBuilderRef, LLVMValueRef), LLVMBuildRetVoid(LLVMBuilderRef),
    LLVMBuildUnreachable(LLVMBuilderRef),
    LLVMBuildSExt(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *),
    LLVMBuildSelect(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildShl(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildStore(LLVMBuilderRef, LLVMValueRef, LLVMValueRef),
    LLVMBuildSub(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *),
    LLVMBuildTrunc(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *),
    LLVMBuildZExt(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *),
    LLVMConstAddrSpaceCast(LLVMValueRef, LLVMTypeRef),
    LLVMConstArray(LLVMTypeRef, LLVMValueRef *, unsigned),
    LLVMConstBitCast(LLVMValueRef, LLVMTypeRef),
    LLVMConstInBoundsGEP2(LLVMTypeRef, LLVMValueRef, LLVMValueRef *, unsigned),
    LLVMConstInt(LLVMTypeRef, unsigned long long, LLVMBool), LLVMConstNull(LLVMTypeRef),
    LLVMConstPointerNull(LLVMTypeRef),
    LLVMConstStringInContext(LLVMContextRef, const char *, unsigned, LLVMBool),
    LLVMConstStructInContext(LLVMContextRef, LLVMValueRef *, unsigned, LLVMBool),
    LLVMGetBasicBlockParent(LLVMBasicBlockRef), LLVMGetBasicBlockTerminator(LLVMBasicBlockRef),
    LLVMGetCalledValue(LLVMValueRef), LLVMGetCondition(LLVMValueRef),
    LLVMGetFirstFunction(LLVMModuleRef), LLVMGetFirstGlobal(LLVMModuleRef),
    LLVMGetFirstGlobalAlias(LLVMModuleRef), LLVMGetFirstGlobalIFunc(LLVMModuleRef),
    LLVMGetFirstInstruction(LLVMBasicBlockRef), LLVMGetIncomingValue(LLVMValueRef, unsigned),
    LLVMGetInitializer(LLVMValueRef),
    LLVMGetIntrinsicDeclaration(LLVMModuleRef, unsigned, LLVMTypeRef *, size_t),
    LLVMGetLastFunction(LLVMModuleRef), LLVMGetLastInstruction(LLVMBasicBlockRef),
    LLVMGetMetadata(LLVMValueRef, unsigned), LLVMGetNamedFunction(LLVMModuleRef, const char *),
    LLVMGetNamedGlobal(LLVMModuleRef, const char *), LLVMGetNextFunction(LLVMValueRef),
    LLVMGetNextGlobal(LLVMValueRef), LLVMGetNextInstruction(LLVMValueRef),
    LLVMGetOperand(LLVMValueRef, unsigned), LLVMGetParam(LLVMValueRef, unsigned),
    LLVMGetParamParent(LLVMValueRef), LLVMGetPreviousInstruction(LLVMValueRef),
    LLVMGetUndef(LLVMTypeRef), LLVMGetUser(LLVMUseRef), LLVMInstructionClone(LLVMValueRef),
    LLVMIsAAddrSpaceCastInst(LLVMValueRef), LLVMIsAAllocaInst(LLVMValueRef),
    LLVMIsAArgument(LLVMValueRef), LLVMIsAAtomicCmpXchgInst(LLVMValueRef),
    LLVMIsAAtomicRMWInst(LLVMValueRef), LLVMIsABinaryOperator(LLVMValueRef),
    LLVMIsABranchInst(LLVMValueRef), LLVMIsACallInst(LLVMValueRef), LLVMIsACastInst(LLVMValueRef),
    LLVMIsAConstant(LLVMValueRef), LLVMIsAConstantArray(LLVMValueRef),
    LLVMIsAConstantDataSequential(LLVMValueRef), LLVMIsAConstantExpr(LLVMValueRef),
    LLVMIsAConstantInt(LLVMValueRef), LLVMIsAConstantStruct(LLVMValueRef),
    LLVMIsAConstantVector(LLVMValueRef), LLVMIsAExtractElementInst(LLVMValueRef),
    LLVMIsAFenceInst(LLVMValueRef), LLVMIsAFunction(LLVMValueRef),
    LLVMIsAGetElementPtrInst(LLVMValueRef), LLVMIsAGlobalValue(LLVMValueRef),
    LLVMIsAGlobalVariable(LLVMValueRef), LLVMIsAICmpInst(LLVMValueRef),
    LLVMIsAInlineAsm(LLVMValueRef), LLVMIsAInstruction(LLVMValueRef),
    LLVMIsAInvokeInst(LLVMValueRef), LLVMIsALandingPadInst(LLVMValueRef),
    LLVMIsALoadInst(LLVMValueRef), LLVMIsAPHINode(LLVMValueRef), LLVMIsAReturnInst(LLVMValueRef),
    LLVMIsASExtInst(LLVMValueRef), LLVMIsAStoreInst(LLVMValueRef), LLVMIsASwitchInst(LLVMValueRef),
    LLVMIsATerminatorInst(LLVMValueRef), LLVMMetadataAsValue(LLVMContextRef, LLVMMetadataRef),
    LLVMSizeOf(LLVMTypeRef);
LLVMVisibility LLVMGetVisibility(LLVMValueRef);
char *LLVMGetDiagInfoDescription(LLVMDiagnosticInfoRef), *LLVMPrintTypeToString(LLVMTypeRef),
    *LLVMPrintValueToString(LLVMValueRef);
const char *LLVMGetAsString(LLVMValueRef, size_t *), *LLVMGetDataLayoutStr(LLVMModuleRef),
    *LLVMGetGC(LLVMValueRef), *LLVMGetMDString(LLVMValueRef, unsigned *),
    *LLVMGetModuleInlineAsm(LLVMModuleRef, size_t *), *LLVMGetSection(LLVMValueRef),
    *LLVMGetStringAttributeKind(LLVMAttributeRef, unsigned *),
    *LLVMGetStringAttributeValue(LLVMAttributeRef, unsigned *), *LLVMGetStructName(LLVMTypeRef),
    *LLVMGetTarget(LLVMModuleRef), *LLVMGetValueName2(LLVMValueRef, size_t *);
int LLVMGetNumOperands(LLVMValueRef);
long long LLVMConstIntGetSExtValue(LLVMValueRef);
uint64_t LLVMGetEnumAttributeValue(LLVMAttributeRef);
unsigned LLVMCountBasicBlocks(LLVMValueRef), LLVMCountIncoming(LLVMValueRef),
    LLVMCountParamTypes(LLVMTypeRef), LLVMCountParams(LLVMValueRef), LLVMCountStructElementTypes(LLVMTypeRef),
    LLVMGetAlignment(LLVMValueRef), LLVMGetArrayLength(LLVMTypeRef),
    LLVMGetAttributeCountAtIndex(LLVMValueRef, LLVMAttributeIndex),
    LLVMGetCallSiteAttributeCount(LLVMValueRef, LLVMAttributeIndex),
    LLVMGetEnumAttributeKind(LLVMAttributeRef),
    LLVMGetEnumAttributeKindForName(const char *, size_t), LLVMGetFunctionCallConv(LLVMValueRef),
    LLVMGetIntTypeWidth(LLVMTypeRef),
    LLVMGetMDKindIDInContext(LLVMContextRef, const char *, unsigned),
    LLVMGetMDNodeNumOperands(LLVMValueRef),
    LLVMGetNamedMetadataNumOperands(LLVMModuleRef, const char *),
    LLVMGetNumArgOperands(LLVMValueRef), LLVMGetNumSuccessors(LLVMValueRef),
    LLVMGetPointerAddressSpace(LLVMTypeRef), LLVMGetVectorSize(LLVMTypeRef),
    LLVMLookupIntrinsicID(const char *, size_t),
    LLVMValueMetadataEntriesGetKind(LLVMValueMetadataEntry *, unsigned);
unsigned long long LLVMConstIntGetZExtValue(LLVMValueRef);
void LLVMGetParamTypes(LLVMTypeRef, LLVMTypeRef *), LLVMGetParams(LLVMValueRef, LLVMValueRef *);
void LLVMAddAttributeAtIndex(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef),
    LLVMAddCallSiteAttribute(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef),
    LLVMAddIncoming(LLVMValueRef, LLVMValueRef *, LLVMBasicBlockRef *, unsigned),
    LLVMContextSetDiagnosticHandler(LLVMContextRef, LLVMDiagnosticHandler, void *),
    LLVMDeleteFunction(LLVMValueRef), LLVMDeleteGlobal(LLVMValueRef),
    LLVMDisposeBuilder(LLVMBuilderRef), LLVMDisposeMessage(char *),
    LLVMDisposeValueMetadataEntries(LLVMValueMetadataEntry *),
    LLVMGetAttributesAtIndex(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef *),
    LLVMGetCallSiteAttributes(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef *),
    LLVMGetMDNodeOperands(LLVMValueRef, LLVMValueRef *),
    LLVMGetNamedMetadataOperands(LLVMModuleRef, const char *, LLVMValueRef *),
    LLVMGetStructElementTypes(LLVMTypeRef, LLVMTypeRef *),
    LLVMInsertIntoBuilder(LLVMBuilderRef, LLVMValueRef),
    LLVMInstructionEraseFromParent(LLVMValueRef),
    LLVMMoveBasicBlockAfter(LLVMBasicBlockRef, LLVMBasicBlockRef),
    LLVMPositionBuilderAtEnd(LLVMBuilderRef, LLVMBasicBlockRef),
    LLVMPositionBuilderBefore(LLVMBuilderRef, LLVMValueRef),
    LLVMRemoveCallSiteEnumAttribute(LLVMValueRef, LLVMAttributeIndex, unsigned),
    LLVMRemoveCallSiteStringAttribute(LLVMValueRef, LLVMAttributeIndex, const char *, unsigned),
    LLVMRemoveEnumAttributeAtIndex(LLVMValueRef, LLVMAttributeIndex, unsigned),
    LLVMRemoveStringAttributeAtIndex(LLVMValueRef, LLVMAttributeIndex, const char *, unsigned),
    LLVMReplaceAllUsesWith(LLVMValueRef, LLVMValueRef), LLVMSetAlignment(LLVMValueRef, unsigned),
    LLVMSetCurrentDebugLocation2(LLVMBuilderRef, LLVMMetadataRef),
    LLVMSetDataLayout(LLVMModuleRef, const char *),
    LLVMSetExternallyInitialized(LLVMValueRef, LLVMBool),
    LLVMSetFunctionCallConv(LLVMValueRef, unsigned), LLVMSetGlobalConstant(LLVMValueRef, LLVMBool),
    LLVMSetInitializer(LLVMValueRef, LLVMValueRef),
    LLVMSetInstructionCallConv(LLVMValueRef, unsigned), LLVMSetLinkage(LLVMValueRef, LLVMLinkage),
    LLVMSetMetadata(LLVMValueRef, unsigned, LLVMValueRef),
    LLVMSetOperand(LLVMValueRef, unsigned, LLVMValueRef),
    LLVMSetSection(LLVMValueRef, const char *), LLVMSetTailCall(LLVMValueRef, LLVMBool),
    LLVMSetTarget(LLVMModuleRef, const char *), LLVMSetThreadLocal(LLVMValueRef, LLVMBool),
    LLVMSetUnnamedAddress(LLVMValueRef, LLVMUnnamedAddr),
    LLVMSetValueName2(LLVMValueRef, const char *, size_t),
    LLVMSetVisibility(LLVMValueRef, LLVMVisibility);

/* ---- Comdat ---- */

LLVMComdatRef LLVMGetComdat(LLVMValueRef);
void LLVMSetComdat(LLVMValueRef, LLVMComdatRef);

/* ---- Analysis ---- */

LLVMBool LLVMVerifyModule(LLVMModuleRef, LLVMVerifierFailureAction, char **);

/* ---- DebugInfo ---- */

LLVMBool LLVMStripModuleDebugInfo(LLVMModuleRef);
LLVMMetadataKind LLVMGetMetadataKind(LLVMMetadataRef);
LLVMMetadataRef
    LLVMDIBuilderCreateDebugLocation(LLVMContextRef, unsigned, unsigned, LLVMMetadataRef, LLVMMetadataRef),
    LLVMDILocationGetInlinedAt(LLVMMetadataRef), LLVMDILocationGetScope(LLVMMetadataRef),
    LLVMDIScopeGetFile(LLVMMetadataRef), LLVMGetSubprogram(LLVMValueRef),
    LLVMInstructionGetDebugLoc(LLVMValueRef),
    LLVMTemporaryMDNode(LLVMContextRef, LLVMMetadataRef *, size_t);
const char *LLVMDIFileGetDirectory(LLVMMetadataRef, unsigned *),
    *LLVMDIFileGetFilename(LLVMMetadataRef, unsigned *);
unsigned LLVMDILocationGetLine(LLVMMetadataRef), LLVMDILocationGetColumn(LLVMMetadataRef);
void LLVMInstructionSetDebugLoc(LLVMValueRef, LLVMMetadataRef),
    LLVMMetadataReplaceAllUsesWith(LLVMMetadataRef, LLVMMetadataRef);

/* ---- Error ---- */

char *LLVMGetErrorMessage(LLVMErrorRef);

/* ---- IRReader ---- */

LLVMBool LLVMParseIRInContext(LLVMContextRef, LLVMMemoryBufferRef, LLVMModuleRef *, char **);

/* ---- Support ---- */

void LLVMParseCommandLineOptions(int, const char *const *, const char *);

/* ---- Target ---- */

LLVMTargetDataRef LLVMGetModuleDataLayout(LLVMModuleRef);
unsigned long long LLVMABISizeOfType(LLVMTargetDataRef, LLVMTypeRef),
    LLVMOffsetOfElement(LLVMTargetDataRef, LLVMTypeRef, unsigned),
    LLVMStoreSizeOfType(LLVMTargetDataRef, LLVMTypeRef);

/* ---- TargetMachine ---- */

LLVMBool LLVMGetTargetFromTriple(const char *, LLVMTargetRef *, char **),
    LLVMTargetMachineEmitToFile(LLVMTargetMachineRef, LLVMModuleRef, char *, LLVMCodeGenFileType, char **);
LLVMTargetMachineRef
    LLVMCreateTargetMachine(LLVMTargetRef, const char *, const char *, const char *, LLVMCodeGenOptLevel, LLVMRelocMode, LLVMCodeModel);

/* ---- Transforms/PassBuilder ---- */

LLVMErrorRef
    LLVMRunPasses(LLVMModuleRef, const char *, LLVMTargetMachineRef, LLVMPassBuilderOptionsRef);
LLVMPassBuilderOptionsRef LLVMCreatePassBuilderOptions(void);
void LLVMDisposePassBuilderOptions(LLVMPassBuilderOptionsRef),
    LLVMPassBuilderOptionsSetLoopInterleaving(LLVMPassBuilderOptionsRef, LLVMBool),
    LLVMPassBuilderOptionsSetLoopUnrolling(LLVMPassBuilderOptionsRef, LLVMBool);

/* ---- Target ---- */

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
