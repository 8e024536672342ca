// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_COMPILED_H_
#define BELAY_CRUX_PRINT_COMPILED_H_

// A kernel in all its variants, as the printers take it.

#include <string>
#include <vector>

#include "crux/compile.h"
#include "crux/source.h"
#include "crux/typed.h"

namespace belay::crux::print {

struct Compiled {
  const typed::Kernel* kernel = nullptr;
  const Source* source = nullptr;  // may be null: comments name no lines
  // As CompileAll gives them: of one choice of dtypes, the first whose
  // conditions hold and which fits is the one to run. A twin comes with the
  // variant that it is the twin of.
  std::vector<CompiledVariant> variants;
};

// A file of an operator project.
struct File {
  std::string path;  // relative
  std::string text;
};

// One .asc: kernels, tiling, and a main that reads and writes files
// (docs/crux_compiler.md says how it is called).
std::string PrintSource(const Compiled& compiled);

// op_host and op_kernel; paths are relative to the project's folder.
std::vector<File> PrintProject(Compiled compiled);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_COMPILED_H_
