// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_COMPILE_H_
#define BELAY_TOOLCHAIN_COMPILE_H_

// AscendC text to a shared object this process can load. Everything happens
// in process and on one thread; call it in a child when the text is not yours,
// because a crash of the compiler leaves memory and locks behind.

#include <functional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "toolchain/input_files.h"

namespace belay::toolchain {

// Which half of an AI core the kernels are compiled for.
enum class CoreType { kVector /*AIV*/, kCube /*AIC*/ };

// The name of the text in front of every source.
inline constexpr char kPreludeFile[] = "/belay_prelude.h";

struct CompileOptions {
  // Files that hold kernels, host code, or both.
  std::vector<std::string> sources;
  // The user's -I and -D; a definition is "NAME" or "NAME=VALUE".
  std::vector<std::string> include_dirs;
  std::vector<std::string> defines;
  // Belay's own include directory.
  std::string headers;
  // Made by BuildPrecompiledHeader, or empty. One that does not fit (other
  // options, changed headers, missing) is not used; the result is the same.
  std::string precompiled_header;
  // The same for cube cores.
  std::string cube_precompiled_header;
  // C++ text that stands in front of every source; messages call it
  // kPreludeFile. Nothing when empty.
  std::string prelude;
  // The shared object to write.
  std::string output;
  // kVector: kernel code of programs with kernels that run on cube cores is
  // compiled a second time, for these. kCube: everything for cube cores, once.
  CoreType core = CoreType::kVector;
  // Plain C++, without kernels and launches: a precompiled header then costs
  // about 25 ms a file less, because only what is used of it is read.
  bool host_only = false;
  // The text is not to be trusted: it may compute, and nothing else. Kernels
  // alone stay of it, without host code and static initialisers; what would
  // reach past them (assembly, names of the runtime, forged calls, jumps and
  // symbols) is refused (C108). For kernels only: host code needs a cage.
  bool untrusted = false;
  // 0 or 1.
  int optimization = 1;
  // Whether the process that loads the object will provide this symbol. When
  // empty: whether this process has it now.
  std::function<bool(const std::string& symbol)> is_provided;
};

// Wall-clock milliseconds, added up over all sources.
struct PhaseTimes {
  double front_end = 0;
  double passes = 0;
  double code_generation = 0;
  double link = 0;
};

struct CompileResult {
  // Without an error; `output` exists then and only then.
  bool ok = false;
  std::vector<Diagnostic> diagnostics;
  PhaseTimes milliseconds;
  // Whether the precompiled header served every source.
  bool used_precompiled_header = false;
  // What the front end looked at; empty when nothing was compiled.
  InputFiles inputs;
  // Taken from a cache (compile_cache.h): no time was spent.
  bool from_cache = false;
};

// Writes `options.output`. Kernels become `<mangled name>.belay_entry(ptr)`
// functions that unpack their arguments (`.belay_cube_entry` for cube cores),
// listed in `belay_kernel_table` (belay/guest_abi.h); main becomes
// `belay_guest_main`.
// Throws UserError for a source that cannot be read.
CompileResult Compile(const CompileOptions& options);

// The front end alone: parses and checks, writes nothing.
CompileResult CheckSyntax(const CompileOptions& options);

// Precompiles `header` into the file `output` for later compilations with the
// same options; their `defines` may add to these ones.
CompileResult BuildPrecompiledHeader(const CompileOptions& options,
                                     const std::string& header,
                                     const std::string& output);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_COMPILE_H_
