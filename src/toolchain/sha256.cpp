// SPDX-License-Identifier: Apache-2.0
#include "toolchain/sha256.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/SHA256.h>

#include <array>

namespace belay::toolchain {

std::string Sha256(std::string_view bytes) {
  llvm::SHA256 hash;
  hash.update(llvm::StringRef(bytes.data(), bytes.size()));
  const std::array<uint8_t, 32> digest = hash.final();
  return {digest.begin(), digest.end()};
}

}  // namespace belay::toolchain
