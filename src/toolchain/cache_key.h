// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_CACHE_KEY_H_
#define BELAY_TOOLCHAIN_CACHE_KEY_H_

// What a compilation was asked for, as one word, and the small file operations
// the cache is made of.

#include <map>
#include <optional>
#include <string>

#include "toolchain/compile.h"

namespace belay::toolchain {

// Nothing when the file cannot be read.
std::optional<std::string> ReadWhole(const std::string& path);

// Writes aside and renames; false when it cannot.
bool WriteAtomically(const std::string& path, const std::string& bytes);

// Nothing when there is no such file.
std::optional<FileStamp> StampOf(const std::string& path);

struct CacheKey {
  std::string text;                            // a hash
  std::map<std::string, std::string> sources;  // path to hash of its text
};

// Covers everything but the files the sources include. Nothing when a source
// cannot be read.
std::optional<CacheKey> KeyOf(const CompileOptions& options);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_CACHE_KEY_H_
