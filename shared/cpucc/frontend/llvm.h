/*
 * The functions of LLVM's C API that the front end calls, as libLLVM 14 to 22 exports them. Declared
 * here because libLLVM comes with clang, but its headers are a package of several hundred MB.
 * Within a group the order is alphabetical. llvm-c/NAME.h documents the functions of group NAME.
 */
#ifndef CPUCC_LLVM_H
#define CPUCC_LLVM_H

#include <stddef.h>
#include <stdint.h>

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
typedef struct LLVMOpaqueNamedMDNode *LLVMNamedMDNodeRef;
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
/* clang-format off */
typedef enum { LLVMAtomicOrderingNotAtomic = 0, LLVMAtomicOrderingUnordered = 1,
    LLVMAtomicOrderingMonotonic = 2, LLVMAtomicOrderingAcquire = 4, LLVMAtomicOrderingRelease = 5,
    LLVMAtomicOrderingAcquireRelease = 6, LLVMAtomicOrderingSequentiallyConsistent = 7 }
    LLVMAtomicOrdering;
/* clang-format on */
/* clang-format off */
typedef enum { LLVMAtomicRMWBinOpXchg = 0, LLVMAtomicRMWBinOpAdd = 1, LLVMAtomicRMWBinOpSub = 2,
    LLVMAtomicRMWBinOpAnd = 3, LLVMAtomicRMWBinOpNand = 4, LLVMAtomicRMWBinOpOr = 5,
    LLVMAtomicRMWBinOpXor = 6, LLVMAtomicRMWBinOpMax = 7, LLVMAtomicRMWBinOpMin = 8,
    LLVMAtomicRMWBinOpUMax = 9, LLVMAtomicRMWBinOpUMin = 10, LLVMAtomicRMWBinOpFAdd = 11,
    LLVMAtomicRMWBinOpFSub = 12 } LLVMAtomicRMWBinOp;
/* clang-format on */
typedef enum { LLVMCCallConv = 0 } LLVMCallConv;
typedef enum { LLVMAssemblyFile = 0, LLVMObjectFile = 1 } LLVMCodeGenFileType;
typedef enum { LLVMCodeGenLevelDefault = 2 } LLVMCodeGenOptLevel;
typedef enum { LLVMCodeModelDefault = 0 } LLVMCodeModel;
typedef enum { LLVMDSError = 0 } LLVMDiagnosticSeverity;
/* clang-format off */
typedef enum { LLVMIntEQ = 32, LLVMIntNE = 33, LLVMIntUGT = 34, LLVMIntUGE = 35, LLVMIntULT = 36,
    LLVMIntULE = 37, LLVMIntSGT = 38, LLVMIntSGE = 39, LLVMIntSLT = 40, LLVMIntSLE = 41 }
    LLVMIntPredicate;
/* clang-format on */
/* clang-format off */
typedef enum { LLVMExternalLinkage = 0, LLVMAvailableExternallyLinkage = 1, LLVMLinkOnceAnyLinkage
    = 2, LLVMLinkOnceODRLinkage = 3, LLVMLinkOnceODRAutoHideLinkage = 4, LLVMWeakAnyLinkage = 5,
    LLVMWeakODRLinkage = 6, LLVMAppendingLinkage = 7, LLVMInternalLinkage = 8, LLVMPrivateLinkage =
    9, LLVMDLLImportLinkage = 10, LLVMDLLExportLinkage = 11, LLVMExternalWeakLinkage = 12,
    LLVMGhostLinkage = 13, LLVMCommonLinkage = 14, LLVMLinkerPrivateLinkage = 15,
    LLVMLinkerPrivateWeakLinkage = 16 } LLVMLinkage;
/* clang-format on */
/* clang-format off */
typedef enum { LLVMRet = 1, LLVMBr = 2, LLVMSwitch = 3, LLVMIndirectBr = 4, LLVMInvoke = 5,
    LLVMUnreachable = 7, LLVMCallBr = 67, LLVMFNeg = 66, LLVMAdd = 8, LLVMFAdd = 9, LLVMSub = 10,
    LLVMFSub = 11, LLVMMul = 12, LLVMFMul = 13, LLVMUDiv = 14, LLVMSDiv = 15, LLVMFDiv = 16,
    LLVMURem = 17, LLVMSRem = 18, LLVMFRem = 19, LLVMShl = 20, LLVMLShr = 21, LLVMAShr = 22,
    LLVMAnd = 23, LLVMOr = 24, LLVMXor = 25, LLVMAlloca = 26, LLVMLoad = 27, LLVMStore = 28,
    LLVMGetElementPtr = 29, LLVMTrunc = 30, LLVMZExt = 31, LLVMSExt = 32, LLVMFPToUI = 33,
    LLVMFPToSI = 34, LLVMUIToFP = 35, LLVMSIToFP = 36, LLVMFPTrunc = 37, LLVMFPExt = 38,
    LLVMPtrToInt = 39, LLVMIntToPtr = 40, LLVMBitCast = 41, LLVMAddrSpaceCast = 60, LLVMICmp = 42,
    LLVMFCmp = 43, LLVMPHI = 44, LLVMCall = 45, LLVMSelect = 46, LLVMUserOp1 = 47, LLVMUserOp2 =
    48, LLVMVAArg = 49, LLVMExtractElement = 50, LLVMInsertElement = 51, LLVMShuffleVector = 52,
    LLVMExtractValue = 53, LLVMInsertValue = 54, LLVMFreeze = 68, LLVMFence = 55, LLVMAtomicCmpXchg
    = 56, LLVMAtomicRMW = 57, LLVMResume = 58, LLVMLandingPad = 59, LLVMCleanupRet = 61,
    LLVMCatchRet = 62, LLVMCatchPad = 63, LLVMCleanupPad = 64, LLVMCatchSwitch = 65 } LLVMOpcode;
/* clang-format on */
/* clang-format off */
typedef enum { LLVMRealPredicateFalse = 0, LLVMRealOEQ = 1, LLVMRealOGT = 2, LLVMRealOGE = 3,
    LLVMRealOLT = 4, LLVMRealOLE = 5, LLVMRealONE = 6, LLVMRealORD = 7, LLVMRealUNO = 8,
    LLVMRealUEQ = 9, LLVMRealUGT = 10, LLVMRealUGE = 11, LLVMRealULT = 12, LLVMRealULE = 13,
    LLVMRealUNE = 14, LLVMRealPredicateTrue = 15 } LLVMRealPredicate;
/* clang-format on */
typedef enum { LLVMRelocDefault = 0, LLVMRelocPIC = 2 } LLVMRelocMode;
typedef int LLVMThreadLocalMode;
/* clang-format off */
typedef enum { LLVMVoidTypeKind = 0, LLVMHalfTypeKind = 1, LLVMFloatTypeKind = 2,
    LLVMDoubleTypeKind = 3, LLVMX86_FP80TypeKind = 4, LLVMFP128TypeKind = 5, LLVMPPC_FP128TypeKind
    = 6, LLVMLabelTypeKind = 7, LLVMIntegerTypeKind = 8, LLVMFunctionTypeKind = 9,
    LLVMStructTypeKind = 10, LLVMArrayTypeKind = 11, LLVMPointerTypeKind = 12, LLVMVectorTypeKind =
    13, LLVMMetadataTypeKind = 14, LLVMX86_MMXTypeKind = 15, LLVMTokenTypeKind = 16,
    LLVMScalableVectorTypeKind = 17, LLVMBFloatTypeKind = 18, LLVMX86_AMXTypeKind = 19 }
    LLVMTypeKind;
/* clang-format on */
typedef enum { LLVMNoUnnamedAddr = 0, LLVMGlobalUnnamedAddr = 2 } LLVMUnnamedAddr;
/* clang-format off */
typedef enum { LLVMArgumentValueKind = 0, LLVMBasicBlockValueKind = 1, LLVMFunctionValueKind = 5,
    LLVMGlobalVariableValueKind = 8, LLVMConstantExprValueKind = 10, LLVMConstantArrayValueKind =
    11, LLVMConstantStructValueKind = 12, LLVMConstantVectorValueKind = 13, LLVMUndefValueValueKind
    = 14, LLVMConstantAggregateZeroValueKind = 15, LLVMConstantDataArrayValueKind = 16,
    LLVMConstantDataVectorValueKind = 17, LLVMConstantIntValueKind = 18, LLVMConstantFPValueKind =
    19, LLVMConstantPointerNullValueKind = 20, LLVMMetadataAsValueValueKind = 22,
    LLVMInlineAsmValueKind = 23, LLVMInstructionValueKind = 24, LLVMPoisonValueValueKind = 25 }
    LLVMValueKind;
/* clang-format on */
typedef enum { LLVMPrintMessageAction = 1, LLVMReturnStatusAction = 2 } LLVMVerifierFailureAction;
typedef enum { LLVMDefaultVisibility = 0, LLVMHiddenVisibility = 1 } LLVMVisibility;

enum { LLVMAttributeReturnIndex = 0, LLVMAttributeFunctionIndex = -1 };

/* ---- Core ---- */

void LLVMAddAttributeAtIndex(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef);
void LLVMAddCallSiteAttribute(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef);
LLVMValueRef LLVMAddFunction(LLVMModuleRef, const char *, LLVMTypeRef);
LLVMValueRef LLVMAddGlobal(LLVMModuleRef, LLVMTypeRef, const char *);
LLVMValueRef LLVMAddGlobalInAddressSpace(LLVMModuleRef, LLVMTypeRef, const char *, unsigned);
void LLVMAddIncoming(LLVMValueRef, LLVMValueRef *, LLVMBasicBlockRef *, unsigned);
void LLVMAddNamedMetadataOperand(LLVMModuleRef, const char *, LLVMValueRef);
LLVMBasicBlockRef LLVMAppendBasicBlockInContext(LLVMContextRef, LLVMValueRef, const char *);
void LLVMAppendModuleInlineAsm(LLVMModuleRef, const char *, size_t);
LLVMTypeRef LLVMArrayType(LLVMTypeRef, unsigned);
LLVMValueRef LLVMBasicBlockAsValue(LLVMBasicBlockRef);
LLVMValueRef LLVMBuildAShr(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);
LLVMValueRef LLVMBuildAdd(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);
LLVMValueRef LLVMBuildAddrSpaceCast(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *);
LLVMValueRef LLVMBuildAlloca(LLVMBuilderRef, LLVMTypeRef, const char *);
LLVMValueRef LLVMBuildAnd(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);
LLVMValueRef LLVMBuildAtomicRMW(LLVMBuilderRef, LLVMAtomicRMWBinOp, LLVMValueRef, LLVMValueRef,
                                LLVMAtomicOrdering, LLVMBool);
LLVMValueRef LLVMBuildBinOp(LLVMBuilderRef, LLVMOpcode, LLVMValueRef, LLVMValueRef, const char *);
LLVMValueRef LLVMBuildBitCast(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *);
LLVMValueRef LLVMBuildBr(LLVMBuilderRef, LLVMBasicBlockRef);
LLVMValueRef LLVMBuildCall2(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, LLVMValueRef *, unsigned,
                            const char *);
LLVMValueRef LLVMBuildCast(LLVMBuilderRef, LLVMOpcode, LLVMValueRef, LLVMTypeRef, const char *);
LLVMValueRef LLVMBuildCondBr(LLVMBuilderRef, LLVMValueRef, LLVMBasicBlockRef, LLVMBasicBlockRef);
LLVMValueRef LLVMBuildExtractElement(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);
LLVMValueRef LLVMBuildFCmp(LLVMBuilderRef, LLVMRealPredicate, LLVMValueRef, LLVMValueRef,
                           const char *);
LLVMValueRef LLVMBuildFence(LLVMBuilderRef, LLVMAtomicOrdering, LLVMBool, const char *);
LLVMValueRef LLVMBuildFreeze(LLVMBuilderRef, LLVMValueRef, const char *);
LLVMValueRef LLVMBuildGEP2(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, LLVMValueRef *, unsigned,
                           const char *);
LLVMValueRef LLVMBuildICmp(LLVMBuilderRef, LLVMIntPredicate, LLVMValueRef, LLVMValueRef,
                           const char *);
LLVMValueRef LLVMBuildInBoundsGEP2(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, LLVMValueRef *,
                                   unsigned, const char *);
LLVMValueRef LLVMBuildInsertElement(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, LLVMValueRef,
                                    const char *);
LLVMValueRef LLVMBuildInsertValue(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, unsigned,
                                  const char *);
LLVMValueRef LLVMBuildIntCast2(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, LLVMBool, const char *);
LLVMValueRef LLVMBuildIntToPtr(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *);
LLVMValueRef LLVMBuildLShr(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);
LLVMValueRef LLVMBuildLoad2(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, const char *);
LLVMValueRef LLVMBuildMemCpy(LLVMBuilderRef, LLVMValueRef, unsigned, LLVMValueRef, unsigned,
                             LLVMValueRef);
LLVMValueRef LLVMBuildMemSet(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, LLVMValueRef, unsigned);
LLVMValueRef LLVMBuildMul(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);
LLVMValueRef LLVMBuildNSWAdd(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);
LLVMValueRef LLVMBuildOr(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);
LLVMValueRef LLVMBuildPhi(LLVMBuilderRef, LLVMTypeRef, const char *);
LLVMValueRef LLVMBuildPtrToInt(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *);
LLVMValueRef LLVMBuildRet(LLVMBuilderRef, LLVMValueRef);
LLVMValueRef LLVMBuildRetVoid(LLVMBuilderRef);
LLVMValueRef LLVMBuildSExt(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *);
LLVMValueRef LLVMBuildSelect(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, LLVMValueRef,
                             const char *);
LLVMValueRef LLVMBuildShl(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);
LLVMValueRef LLVMBuildStore(LLVMBuilderRef, LLVMValueRef, LLVMValueRef);
LLVMValueRef LLVMBuildStructGEP2(LLVMBuilderRef, LLVMTypeRef, LLVMValueRef, unsigned, const char *);
LLVMValueRef LLVMBuildSub(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);
LLVMValueRef LLVMBuildTrunc(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *);
LLVMValueRef LLVMBuildUnreachable(LLVMBuilderRef);
LLVMValueRef LLVMBuildXor(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);
LLVMValueRef LLVMBuildZExt(LLVMBuilderRef, LLVMValueRef, LLVMTypeRef, const char *);
LLVMValueRef LLVMConstAddrSpaceCast(LLVMValueRef, LLVMTypeRef);
LLVMValueRef LLVMConstArray(LLVMTypeRef, LLVMValueRef *, unsigned);
LLVMValueRef LLVMConstBitCast(LLVMValueRef, LLVMTypeRef);
LLVMValueRef LLVMConstInBoundsGEP2(LLVMTypeRef, LLVMValueRef, LLVMValueRef *, unsigned);
LLVMValueRef LLVMConstInt(LLVMTypeRef, unsigned long long, LLVMBool);
long long LLVMConstIntGetSExtValue(LLVMValueRef);
unsigned long long LLVMConstIntGetZExtValue(LLVMValueRef);
LLVMValueRef LLVMConstIntToPtr(LLVMValueRef, LLVMTypeRef);
LLVMValueRef LLVMConstNamedStruct(LLVMTypeRef, LLVMValueRef *, unsigned);
LLVMValueRef LLVMConstNull(LLVMTypeRef);
LLVMValueRef LLVMConstPointerNull(LLVMTypeRef);
LLVMValueRef LLVMConstPtrToInt(LLVMValueRef, LLVMTypeRef);
LLVMValueRef LLVMConstShl(LLVMValueRef, LLVMValueRef);
LLVMValueRef LLVMConstStringInContext(LLVMContextRef, const char *, unsigned, LLVMBool);
LLVMValueRef LLVMConstStructInContext(LLVMContextRef, LLVMValueRef *, unsigned, LLVMBool);
LLVMContextRef LLVMContextCreate(void);
void LLVMContextDispose(LLVMContextRef);
void LLVMContextSetDiagnosticHandler(LLVMContextRef, LLVMDiagnosticHandler, void *);
unsigned LLVMCountBasicBlocks(LLVMValueRef);
unsigned LLVMCountIncoming(LLVMValueRef);
unsigned LLVMCountParamTypes(LLVMTypeRef);
unsigned LLVMCountParams(LLVMValueRef);
unsigned LLVMCountStructElementTypes(LLVMTypeRef);
LLVMBuilderRef LLVMCreateBuilderInContext(LLVMContextRef);
LLVMAttributeRef LLVMCreateEnumAttribute(LLVMContextRef, unsigned, uint64_t);
LLVMBool LLVMCreateMemoryBufferWithContentsOfFile(const char *, LLVMMemoryBufferRef *, char **);
LLVMMemoryBufferRef LLVMCreateMemoryBufferWithMemoryRangeCopy(const char *, size_t, const char *);
LLVMBool LLVMCreateMemoryBufferWithSTDIN(LLVMMemoryBufferRef *, char **);
LLVMAttributeRef LLVMCreateStringAttribute(LLVMContextRef, const char *, unsigned, const char *,
                                           unsigned);
void LLVMDeleteFunction(LLVMValueRef);
void LLVMDeleteGlobal(LLVMValueRef);
void LLVMDisposeBuilder(LLVMBuilderRef);
void LLVMDisposeMemoryBuffer(LLVMMemoryBufferRef);
void LLVMDisposeMessage(char *);
void LLVMDisposeModule(LLVMModuleRef);
void LLVMDisposeValueMetadataEntries(LLVMValueMetadataEntry *);
LLVMTypeRef LLVMFunctionType(LLVMTypeRef, LLVMTypeRef *, unsigned, LLVMBool);
unsigned LLVMGetAlignment(LLVMValueRef);
LLVMTypeRef LLVMGetAllocatedType(LLVMValueRef);
unsigned LLVMGetArrayLength(LLVMTypeRef);
const char *LLVMGetAsString(LLVMValueRef, size_t *);
LLVMAtomicRMWBinOp LLVMGetAtomicRMWBinOp(LLVMValueRef);
unsigned LLVMGetAttributeCountAtIndex(LLVMValueRef, LLVMAttributeIndex);
void LLVMGetAttributesAtIndex(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef *);
LLVMValueRef LLVMGetBasicBlockParent(LLVMBasicBlockRef);
LLVMValueRef LLVMGetBasicBlockTerminator(LLVMBasicBlockRef);
unsigned LLVMGetCallSiteAttributeCount(LLVMValueRef, LLVMAttributeIndex);
void LLVMGetCallSiteAttributes(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef *);
LLVMAttributeRef LLVMGetCallSiteEnumAttribute(LLVMValueRef, LLVMAttributeIndex, unsigned);
LLVMTypeRef LLVMGetCalledFunctionType(LLVMValueRef);
LLVMValueRef LLVMGetCalledValue(LLVMValueRef);
LLVMAtomicOrdering LLVMGetCmpXchgFailureOrdering(LLVMValueRef);
LLVMAtomicOrdering LLVMGetCmpXchgSuccessOrdering(LLVMValueRef);
LLVMValueRef LLVMGetCondition(LLVMValueRef);
LLVMOpcode LLVMGetConstOpcode(LLVMValueRef);
const char *LLVMGetDataLayoutStr(LLVMModuleRef);
const char *LLVMGetDebugLocFilename(LLVMValueRef, unsigned *);
unsigned LLVMGetDebugLocLine(LLVMValueRef);
char *LLVMGetDiagInfoDescription(LLVMDiagnosticInfoRef);
LLVMDiagnosticSeverity LLVMGetDiagInfoSeverity(LLVMDiagnosticInfoRef);
LLVMTypeRef LLVMGetElementType(LLVMTypeRef);
LLVMBasicBlockRef LLVMGetEntryBasicBlock(LLVMValueRef);
LLVMAttributeRef LLVMGetEnumAttributeAtIndex(LLVMValueRef, LLVMAttributeIndex, unsigned);
unsigned LLVMGetEnumAttributeKind(LLVMAttributeRef);
unsigned LLVMGetEnumAttributeKindForName(const char *, size_t);
uint64_t LLVMGetEnumAttributeValue(LLVMAttributeRef);
LLVMBasicBlockRef LLVMGetFirstBasicBlock(LLVMValueRef);
LLVMValueRef LLVMGetFirstFunction(LLVMModuleRef);
LLVMValueRef LLVMGetFirstGlobal(LLVMModuleRef);
LLVMValueRef LLVMGetFirstGlobalAlias(LLVMModuleRef);
LLVMValueRef LLVMGetFirstGlobalIFunc(LLVMModuleRef);
LLVMValueRef LLVMGetFirstInstruction(LLVMBasicBlockRef);
LLVMValueRef LLVMGetFirstParam(LLVMValueRef);
LLVMUseRef LLVMGetFirstUse(LLVMValueRef);
unsigned LLVMGetFunctionCallConv(LLVMValueRef);
const char *LLVMGetGC(LLVMValueRef);
LLVMTypeRef LLVMGetGEPSourceElementType(LLVMValueRef);
LLVMContextRef LLVMGetGlobalContext(void);
LLVMIntPredicate LLVMGetICmpPredicate(LLVMValueRef);
LLVMBasicBlockRef LLVMGetIncomingBlock(LLVMValueRef, unsigned);
LLVMValueRef LLVMGetIncomingValue(LLVMValueRef, unsigned);
LLVMValueRef LLVMGetInitializer(LLVMValueRef);
LLVMOpcode LLVMGetInstructionOpcode(LLVMValueRef);
LLVMBasicBlockRef LLVMGetInstructionParent(LLVMValueRef);
unsigned LLVMGetIntTypeWidth(LLVMTypeRef);
LLVMValueRef LLVMGetIntrinsicDeclaration(LLVMModuleRef, unsigned, LLVMTypeRef *, size_t);
unsigned LLVMGetIntrinsicID(LLVMValueRef);
LLVMBasicBlockRef LLVMGetLastBasicBlock(LLVMValueRef);
LLVMValueRef LLVMGetLastFunction(LLVMModuleRef);
LLVMValueRef LLVMGetLastInstruction(LLVMBasicBlockRef);
LLVMLinkage LLVMGetLinkage(LLVMValueRef);
unsigned LLVMGetMDKindIDInContext(LLVMContextRef, const char *, unsigned);
unsigned LLVMGetMDNodeNumOperands(LLVMValueRef);
void LLVMGetMDNodeOperands(LLVMValueRef, LLVMValueRef *);
const char *LLVMGetMDString(LLVMValueRef, unsigned *);
LLVMValueRef LLVMGetMetadata(LLVMValueRef, unsigned);
LLVMContextRef LLVMGetModuleContext(LLVMModuleRef);
const char *LLVMGetModuleInlineAsm(LLVMModuleRef, size_t *);
LLVMValueRef LLVMGetNamedFunction(LLVMModuleRef, const char *);
LLVMValueRef LLVMGetNamedGlobal(LLVMModuleRef, const char *);
unsigned LLVMGetNamedMetadataNumOperands(LLVMModuleRef, const char *);
void LLVMGetNamedMetadataOperands(LLVMModuleRef, const char *, LLVMValueRef *);
LLVMBasicBlockRef LLVMGetNextBasicBlock(LLVMBasicBlockRef);
LLVMValueRef LLVMGetNextFunction(LLVMValueRef);
LLVMValueRef LLVMGetNextGlobal(LLVMValueRef);
LLVMValueRef LLVMGetNextInstruction(LLVMValueRef);
LLVMValueRef LLVMGetNextParam(LLVMValueRef);
LLVMUseRef LLVMGetNextUse(LLVMUseRef);
unsigned LLVMGetNumArgOperands(LLVMValueRef);
unsigned LLVMGetNumIndices(LLVMValueRef);
int LLVMGetNumOperands(LLVMValueRef);
unsigned LLVMGetNumSuccessors(LLVMValueRef);
LLVMValueRef LLVMGetOperand(LLVMValueRef, unsigned);
LLVMUseRef LLVMGetOperandUse(LLVMValueRef, unsigned);
LLVMNamedMDNodeRef LLVMGetOrInsertNamedMetadata(LLVMModuleRef, const char *, size_t);
LLVMAtomicOrdering LLVMGetOrdering(LLVMValueRef);
LLVMValueRef LLVMGetParam(LLVMValueRef, unsigned);
LLVMValueRef LLVMGetParamParent(LLVMValueRef);
void LLVMGetParamTypes(LLVMTypeRef, LLVMTypeRef *);
unsigned LLVMGetPointerAddressSpace(LLVMTypeRef);
LLVMBasicBlockRef LLVMGetPreviousBasicBlock(LLVMBasicBlockRef);
LLVMValueRef LLVMGetPreviousInstruction(LLVMValueRef);
LLVMTypeRef LLVMGetReturnType(LLVMTypeRef);
const char *LLVMGetSection(LLVMValueRef);
LLVMAttributeRef LLVMGetStringAttributeAtIndex(LLVMValueRef, LLVMAttributeIndex, const char *,
                                               unsigned);
const char *LLVMGetStringAttributeKind(LLVMAttributeRef, unsigned *);
const char *LLVMGetStringAttributeValue(LLVMAttributeRef, unsigned *);
void LLVMGetStructElementTypes(LLVMTypeRef, LLVMTypeRef *);
const char *LLVMGetStructName(LLVMTypeRef);
LLVMBasicBlockRef LLVMGetSuccessor(LLVMValueRef, unsigned);
const char *LLVMGetTarget(LLVMModuleRef);
LLVMThreadLocalMode LLVMGetThreadLocalMode(LLVMValueRef);
LLVMTypeRef LLVMGetTypeAttributeValue(LLVMAttributeRef);
LLVMTypeKind LLVMGetTypeKind(LLVMTypeRef);
LLVMValueRef LLVMGetUndef(LLVMTypeRef);
LLVMUnnamedAddr LLVMGetUnnamedAddress(LLVMValueRef);
LLVMValueRef LLVMGetUsedValue(LLVMUseRef);
LLVMValueRef LLVMGetUser(LLVMUseRef);
LLVMValueKind LLVMGetValueKind(LLVMValueRef);
const char *LLVMGetValueName2(LLVMValueRef, size_t *);
unsigned LLVMGetVectorSize(LLVMTypeRef);
LLVMVisibility LLVMGetVisibility(LLVMValueRef);
LLVMBool LLVMGetVolatile(LLVMValueRef);
LLVMTypeRef LLVMGlobalGetValueType(LLVMValueRef);
void LLVMInsertIntoBuilder(LLVMBuilderRef, LLVMValueRef);
LLVMValueRef LLVMInstructionClone(LLVMValueRef);
void LLVMInstructionEraseFromParent(LLVMValueRef);
LLVMValueMetadataEntry *LLVMInstructionGetAllMetadataOtherThanDebugLoc(LLVMValueRef, size_t *);
LLVMTypeRef LLVMInt16TypeInContext(LLVMContextRef);
LLVMTypeRef LLVMInt1TypeInContext(LLVMContextRef);
LLVMTypeRef LLVMInt32TypeInContext(LLVMContextRef);
LLVMTypeRef LLVMInt64TypeInContext(LLVMContextRef);
LLVMTypeRef LLVMInt8TypeInContext(LLVMContextRef);
LLVMTypeRef LLVMIntTypeInContext(LLVMContextRef, unsigned);
const char *LLVMIntrinsicGetName(unsigned, size_t *);
LLVMTypeRef LLVMIntrinsicGetType(LLVMContextRef, unsigned, LLVMTypeRef *, size_t);
LLVMValueRef LLVMIsAAddrSpaceCastInst(LLVMValueRef);
LLVMValueRef LLVMIsAAllocaInst(LLVMValueRef);
LLVMValueRef LLVMIsAArgument(LLVMValueRef);
LLVMValueRef LLVMIsAAtomicCmpXchgInst(LLVMValueRef);
LLVMValueRef LLVMIsAAtomicRMWInst(LLVMValueRef);
LLVMValueRef LLVMIsABinaryOperator(LLVMValueRef);
LLVMValueRef LLVMIsABitCastInst(LLVMValueRef);
LLVMValueRef LLVMIsABranchInst(LLVMValueRef);
LLVMValueRef LLVMIsACallInst(LLVMValueRef);
LLVMValueRef LLVMIsACastInst(LLVMValueRef);
LLVMValueRef LLVMIsAConstant(LLVMValueRef);
LLVMValueRef LLVMIsAConstantArray(LLVMValueRef);
LLVMValueRef LLVMIsAConstantDataSequential(LLVMValueRef);
LLVMValueRef LLVMIsAConstantExpr(LLVMValueRef);
LLVMValueRef LLVMIsAConstantInt(LLVMValueRef);
LLVMValueRef LLVMIsAConstantStruct(LLVMValueRef);
LLVMValueRef LLVMIsAConstantVector(LLVMValueRef);
LLVMValueRef LLVMIsAExtractElementInst(LLVMValueRef);
LLVMValueRef LLVMIsAFenceInst(LLVMValueRef);
LLVMValueRef LLVMIsAFunction(LLVMValueRef);
LLVMValueRef LLVMIsAGetElementPtrInst(LLVMValueRef);
LLVMValueRef LLVMIsAGlobalValue(LLVMValueRef);
LLVMValueRef LLVMIsAGlobalVariable(LLVMValueRef);
LLVMValueRef LLVMIsAICmpInst(LLVMValueRef);
LLVMValueRef LLVMIsAInlineAsm(LLVMValueRef);
LLVMValueRef LLVMIsAInstruction(LLVMValueRef);
LLVMValueRef LLVMIsAIntrinsicInst(LLVMValueRef);
LLVMValueRef LLVMIsAInvokeInst(LLVMValueRef);
LLVMValueRef LLVMIsALandingPadInst(LLVMValueRef);
LLVMValueRef LLVMIsALoadInst(LLVMValueRef);
LLVMValueRef LLVMIsAMDNode(LLVMValueRef);
LLVMValueRef LLVMIsAMemCpyInst(LLVMValueRef);
LLVMValueRef LLVMIsAMemIntrinsic(LLVMValueRef);
LLVMValueRef LLVMIsAMemMoveInst(LLVMValueRef);
LLVMValueRef LLVMIsAMemSetInst(LLVMValueRef);
LLVMValueRef LLVMIsAPHINode(LLVMValueRef);
LLVMValueRef LLVMIsAReturnInst(LLVMValueRef);
LLVMValueRef LLVMIsASExtInst(LLVMValueRef);
LLVMValueRef LLVMIsASelectInst(LLVMValueRef);
LLVMValueRef LLVMIsAStoreInst(LLVMValueRef);
LLVMValueRef LLVMIsASwitchInst(LLVMValueRef);
LLVMValueRef LLVMIsATerminatorInst(LLVMValueRef);
LLVMValueRef LLVMIsAUndefValue(LLVMValueRef);
LLVMBool LLVMIsAtomicSingleThread(LLVMValueRef);
LLVMBool LLVMIsConditional(LLVMValueRef);
LLVMBool LLVMIsConstantString(LLVMValueRef);
LLVMBool LLVMIsDeclaration(LLVMValueRef);
LLVMBool LLVMIsExternallyInitialized(LLVMValueRef);
LLVMBool LLVMIsFunctionVarArg(LLVMTypeRef);
LLVMBool LLVMIsGlobalConstant(LLVMValueRef);
LLVMBool LLVMIsInBounds(LLVMValueRef);
LLVMBool LLVMIsNull(LLVMValueRef);
LLVMBool LLVMIsPackedStruct(LLVMTypeRef);
LLVMBool LLVMIsStringAttribute(LLVMAttributeRef);
LLVMBool LLVMIsUndef(LLVMValueRef);
unsigned LLVMLookupIntrinsicID(const char *, size_t);
LLVMMetadataRef LLVMMDNodeInContext2(LLVMContextRef, LLVMMetadataRef *, size_t);
LLVMMetadataRef LLVMMDStringInContext2(LLVMContextRef, const char *, size_t);
LLVMValueRef LLVMMetadataAsValue(LLVMContextRef, LLVMMetadataRef);
void LLVMMoveBasicBlockAfter(LLVMBasicBlockRef, LLVMBasicBlockRef);
void LLVMMoveBasicBlockBefore(LLVMBasicBlockRef, LLVMBasicBlockRef);
LLVMTypeRef LLVMPointerType(LLVMTypeRef, unsigned);
void LLVMPositionBuilderAtEnd(LLVMBuilderRef, LLVMBasicBlockRef);
void LLVMPositionBuilderBefore(LLVMBuilderRef, LLVMValueRef);
LLVMBool LLVMPrintModuleToFile(LLVMModuleRef, const char *, char **);
char *LLVMPrintModuleToString(LLVMModuleRef);
char *LLVMPrintTypeToString(LLVMTypeRef);
char *LLVMPrintValueToString(LLVMValueRef);
void LLVMRemoveCallSiteEnumAttribute(LLVMValueRef, LLVMAttributeIndex, unsigned);
void LLVMRemoveCallSiteStringAttribute(LLVMValueRef, LLVMAttributeIndex, const char *, unsigned);
void LLVMRemoveEnumAttributeAtIndex(LLVMValueRef, LLVMAttributeIndex, unsigned);
void LLVMRemoveStringAttributeAtIndex(LLVMValueRef, LLVMAttributeIndex, const char *, unsigned);
void LLVMReplaceAllUsesWith(LLVMValueRef, LLVMValueRef);
void LLVMSetAlignment(LLVMValueRef, unsigned);
void LLVMSetCurrentDebugLocation2(LLVMBuilderRef, LLVMMetadataRef);
void LLVMSetDataLayout(LLVMModuleRef, const char *);
void LLVMSetExternallyInitialized(LLVMValueRef, LLVMBool);
void LLVMSetFunctionCallConv(LLVMValueRef, unsigned);
void LLVMSetGlobalConstant(LLVMValueRef, LLVMBool);
void LLVMSetInitializer(LLVMValueRef, LLVMValueRef);
void LLVMSetInstructionCallConv(LLVMValueRef, unsigned);
void LLVMSetLinkage(LLVMValueRef, LLVMLinkage);
void LLVMSetMetadata(LLVMValueRef, unsigned, LLVMValueRef);
void LLVMSetModuleInlineAsm2(LLVMModuleRef, const char *, size_t);
void LLVMSetOperand(LLVMValueRef, unsigned, LLVMValueRef);
void LLVMSetSection(LLVMValueRef, const char *);
void LLVMSetSuccessor(LLVMValueRef, unsigned, LLVMBasicBlockRef);
void LLVMSetTailCall(LLVMValueRef, LLVMBool);
void LLVMSetTarget(LLVMModuleRef, const char *);
void LLVMSetThreadLocal(LLVMValueRef, LLVMBool);
void LLVMSetUnnamedAddress(LLVMValueRef, LLVMUnnamedAddr);
void LLVMSetValueName2(LLVMValueRef, const char *, size_t);
void LLVMSetVisibility(LLVMValueRef, LLVMVisibility);
LLVMValueRef LLVMSizeOf(LLVMTypeRef);
LLVMTypeRef LLVMStructGetTypeAtIndex(LLVMTypeRef, unsigned);
LLVMTypeRef LLVMStructTypeInContext(LLVMContextRef, LLVMTypeRef *, unsigned, LLVMBool);
LLVMTypeRef LLVMTypeOf(LLVMValueRef);
LLVMMetadataRef LLVMValueAsMetadata(LLVMValueRef);
unsigned LLVMValueMetadataEntriesGetKind(LLVMValueMetadataEntry *, unsigned);
LLVMTypeRef LLVMVectorType(LLVMTypeRef, unsigned);
LLVMTypeRef LLVMVoidTypeInContext(LLVMContextRef);

/* ---- Comdat ---- */

LLVMComdatRef LLVMGetComdat(LLVMValueRef);
void LLVMSetComdat(LLVMValueRef, LLVMComdatRef);

/* ---- Analysis ---- */

LLVMBool LLVMVerifyModule(LLVMModuleRef, LLVMVerifierFailureAction, char **);

/* ---- BitWriter ---- */

int LLVMWriteBitcodeToFile(LLVMModuleRef, const char *);

/* ---- DebugInfo ---- */

LLVMMetadataRef LLVMDIBuilderCreateDebugLocation(LLVMContextRef, unsigned, unsigned,
                                                 LLVMMetadataRef, LLVMMetadataRef);
const char *LLVMDIFileGetDirectory(LLVMMetadataRef, unsigned *);
const char *LLVMDIFileGetFilename(LLVMMetadataRef, unsigned *);
LLVMMetadataRef LLVMDILocationGetInlinedAt(LLVMMetadataRef);
unsigned LLVMDILocationGetLine(LLVMMetadataRef);
LLVMMetadataRef LLVMDILocationGetScope(LLVMMetadataRef);
LLVMMetadataRef LLVMDIScopeGetFile(LLVMMetadataRef);
unsigned LLVMDISubprogramGetLine(LLVMMetadataRef);
LLVMMetadataKind LLVMGetMetadataKind(LLVMMetadataRef);
LLVMMetadataRef LLVMGetSubprogram(LLVMValueRef);
LLVMMetadataRef LLVMInstructionGetDebugLoc(LLVMValueRef);
void LLVMInstructionSetDebugLoc(LLVMValueRef, LLVMMetadataRef);
void LLVMMetadataReplaceAllUsesWith(LLVMMetadataRef, LLVMMetadataRef);
LLVMMetadataRef LLVMTemporaryMDNode(LLVMContextRef, LLVMMetadataRef *, size_t);

/* ---- Error ---- */

char *LLVMGetErrorMessage(LLVMErrorRef);

/* ---- IRReader ---- */

LLVMBool LLVMParseIRInContext(LLVMContextRef, LLVMMemoryBufferRef, LLVMModuleRef *, char **);

/* ---- Support ---- */

void LLVMParseCommandLineOptions(int, const char *const *, const char *);

/* ---- Target ---- */

unsigned long long LLVMABISizeOfType(LLVMTargetDataRef, LLVMTypeRef);
char *LLVMCopyStringRepOfTargetData(LLVMTargetDataRef);
LLVMTargetDataRef LLVMGetModuleDataLayout(LLVMModuleRef);
void LLVMInitializeAllAsmPrinters(void);
void LLVMInitializeAllTargetInfos(void);
void LLVMInitializeAllTargetMCs(void);
void LLVMInitializeAllTargets(void);
unsigned long long LLVMOffsetOfElement(LLVMTargetDataRef, LLVMTypeRef, unsigned);
void LLVMSetModuleDataLayout(LLVMModuleRef, LLVMTargetDataRef);
unsigned long long LLVMStoreSizeOfType(LLVMTargetDataRef, LLVMTypeRef);

/* ---- TargetMachine ---- */

LLVMTargetDataRef LLVMCreateTargetDataLayout(LLVMTargetMachineRef);
LLVMTargetMachineRef LLVMCreateTargetMachine(LLVMTargetRef, const char *, const char *,
                                             const char *, LLVMCodeGenOptLevel, LLVMRelocMode,
                                             LLVMCodeModel);
void LLVMDisposeTargetMachine(LLVMTargetMachineRef);
char *LLVMGetDefaultTargetTriple(void);
LLVMBool LLVMGetTargetFromTriple(const char *, LLVMTargetRef *, char **);
LLVMBool LLVMTargetMachineEmitToFile(LLVMTargetMachineRef, LLVMModuleRef, char *,
                                     LLVMCodeGenFileType, char **);

/* ---- Transforms/PassBuilder ---- */

LLVMPassBuilderOptionsRef LLVMCreatePassBuilderOptions(void);
void LLVMDisposePassBuilderOptions(LLVMPassBuilderOptionsRef);
void LLVMPassBuilderOptionsSetCallGraphProfile(LLVMPassBuilderOptionsRef, LLVMBool);
void LLVMPassBuilderOptionsSetLoopInterleaving(LLVMPassBuilderOptionsRef, LLVMBool);
void LLVMPassBuilderOptionsSetLoopUnrolling(LLVMPassBuilderOptionsRef, LLVMBool);
void LLVMPassBuilderOptionsSetLoopVectorization(LLVMPassBuilderOptionsRef, LLVMBool);
void LLVMPassBuilderOptionsSetSLPVectorization(LLVMPassBuilderOptionsRef, LLVMBool);
LLVMErrorRef LLVMRunPasses(LLVMModuleRef, const char *, LLVMTargetMachineRef,
                           LLVMPassBuilderOptionsRef);

/* ---- ? ---- */

void LLVMInitializeAArch64AsmPrinter(void);
void LLVMInitializeAArch64Target(void);
void LLVMInitializeAArch64TargetInfo(void);
void LLVMInitializeAArch64TargetMC(void);
void LLVMInitializeNVPTXTarget(void);
void LLVMInitializeNVPTXTargetInfo(void);
void LLVMInitializeNVPTXTargetMC(void);
void LLVMInitializePowerPCAsmPrinter(void);
void LLVMInitializePowerPCTarget(void);
void LLVMInitializePowerPCTargetInfo(void);
void LLVMInitializePowerPCTargetMC(void);
void LLVMInitializeRISCVAsmPrinter(void);
void LLVMInitializeRISCVTarget(void);
void LLVMInitializeRISCVTargetInfo(void);
void LLVMInitializeRISCVTargetMC(void);
void LLVMInitializeX86AsmParser(void);
void LLVMInitializeX86AsmPrinter(void);
void LLVMInitializeX86Target(void);
void LLVMInitializeX86TargetInfo(void);
void LLVMInitializeX86TargetMC(void);

#endif
