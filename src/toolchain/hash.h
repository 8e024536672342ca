// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_HASH_H_
#define BELAY_TOOLCHAIN_HASH_H_

// A fast hash that names contents; not one that resists an attacker.

#include <string>
#include <string_view>

namespace belay::toolchain {

// XXH3 of the bytes, 128 bits as 32 hexadecimal digits.
std::string HashOf(std::string_view bytes);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_HASH_H_
