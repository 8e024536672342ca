// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_FRONT_END_H_
#define BELAY_TOOLCHAIN_FRONT_END_H_

// Runs Clang over one file.

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "toolchain/compile.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace belay::toolchain {

// What a run of the front end appends to.
struct FrontEndReport {
  std::vector<Diagnostic> diagnostics;
  bool used_precompiled_header = true;
  InputFiles inputs;
};

// Parses `source`; null after errors. Launches are still plain calls.
std::unique_ptr<llvm::Module> ParseToModule(const CompileOptions& options,
                                            const std::string& source,
                                            llvm::LLVMContext& context,
                                            FrontEndReport& report);

// Whether `source` has no errors.
bool ParseOnly(const CompileOptions& options, const std::string& source,
               FrontEndReport& report);

// Whether the file `output` could be made.
bool Precompile(const CompileOptions& options, const std::string& header,
                const std::string& output, FrontEndReport& report);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_FRONT_END_H_
