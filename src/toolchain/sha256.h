// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_SHA256_H_
#define BELAY_TOOLCHAIN_SHA256_H_

// A hash that resists an attacker.

#include <string>
#include <string_view>

namespace belay::toolchain {

// SHA-256 of the bytes: 32 bytes.
std::string Sha256(std::string_view bytes);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_SHA256_H_
