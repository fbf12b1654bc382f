/* The parts of LLVM's C API that the front end uses, of LLVM 14 to 22. */
#ifndef CPUCC_LLVM_H
#define CPUCC_LLVM_H

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>

#endif
