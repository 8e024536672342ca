// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_COMPILE_CACHE_H_
#define BELAY_TOOLCHAIN_COMPILE_CACHE_H_

// Remembers compiled programs, so that one that did not change is not compiled
// again.
//
// A folder of files, shared by any number of processes: each file is written
// aside and renamed, so a reader sees all of it or nothing. A key names what
// the caller asked for (options, paths, text of the sources, this build of
// Belay and of Clang). Under it lies a manifest: what each compilation saw of
// the file system (see InputFiles), and the hash of what came out, which is
// the name of that file. A hit needs every file the compilation read to be as
// it was, and every file it looked for in vain to be missing still.

#include <cstdint>
#include <optional>
#include <string>

#include "toolchain/compile.h"

namespace belay::toolchain {

struct CompileCache {
  std::string directory;
  // Beyond this, what was used least recently goes.
  uint64_t limit_bytes = uint64_t{1} << 30;
};

// What the environment says: BELAY_CACHE_DIR, or belay in XDG_CACHE_HOME, or
// ~/.cache/belay; nothing when BELAY_CACHE is "off" or there is no such place.
std::optional<CompileCache> DefaultCompileCache();

// Like Compile, with the same diagnostics. Only successes are kept, and none
// that asks for date or time. A cache that cannot be read or written is as if
// it were empty. Options with `is_provided` are compiled each time.
CompileResult CompileCached(const CompileOptions& options,
                            const CompileCache& cache);

// Removes the files used least recently until three quarters of the limit
// are left, if they exceed it. Called now and then while storing.
void EvictOldest(const CompileCache& cache);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_COMPILE_CACHE_H_
