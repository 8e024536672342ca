// SPDX-License-Identifier: Apache-2.0
#include "judge/seeds.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "bench/hash.h"
#include "toolchain/sha256.h"

namespace belay::judge {
namespace {

constexpr size_t kBlockBytes = 64;

std::string Padded(const std::string& key, uint8_t with) {
  std::string block = key;
  for (char& byte : block) byte = static_cast<char>(byte ^ with);
  return block;
}

}  // namespace

std::string MakeSecret() {
  std::string secret(32, '\0');
  if (getrandom(secret.data(), secret.size(), 0) !=
      static_cast<ssize_t>(secret.size())) {
    throw InternalError(
        fmt::format("[seeds] no random bytes: {}", std::strerror(errno)));
  }
  return secret;
}

std::string Hmac(std::string_view key, std::string_view text) {
  std::string block(key.size() > kBlockBytes ? toolchain::Sha256(key)
                                             : std::string(key));
  block.resize(kBlockBytes, '\0');
  const std::string inner =
      toolchain::Sha256(Padded(block, 0x36) + std::string(text));
  return toolchain::Sha256(Padded(block, 0x5c) + inner);
}

bench::Case WithPublicSeed(bench::Case one_case, const Seeds& seeds) {
  if (seeds.public_seed != 0) {
    one_case.seed = bench::SeedOf("public", one_case.seed ^ seeds.public_seed);
  }
  return one_case;
}

bench::Case WithSecretSeed(bench::Case one_case, const Seeds& seeds,
                           std::string_view candidate_hash) {
  one_case.seed =
      bench::SeedOf(Hmac(seeds.secret, candidate_hash), one_case.seed);
  return one_case;
}

}  // namespace belay::judge
