// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_RAW_ATTRIBUTES_H_
#define BELAY_TOOLCHAIN_RAW_ATTRIBUTES_H_

// `[aicore]` and `[host, aicore]` in front of a declaration: the device
// compiler's own spelling of __aicore__, which no C++ compiler parses.

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>

namespace belay::toolchain {

// The text with each of them replaced by the macro `_aicore_` (see
// belay/launch.h) and spaces, so that every other character keeps its place.
// Nothing when there is none: an index `a[aicore]` and a lambda's capture list
// are left alone, and so are comments and strings. Lexes the text only if the
// word occurs.
std::optional<std::string> ReplaceRawAttributes(llvm::StringRef text);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_RAW_ATTRIBUTES_H_
