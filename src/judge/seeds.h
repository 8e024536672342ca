// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_SEEDS_H_
#define BELAY_JUDGE_SEEDS_H_

// The two seeds under which every case is judged: a public one, the same for
// everybody, and one that nobody can know before the candidate is written.

#include <cstdint>
#include <string>
#include <string_view>

#include "bench/case.h"

namespace belay::judge {

struct Seeds {
  uint64_t public_seed = 0;  // 0: the cases' own
  std::string secret;        // any bytes; never in a result
};

// 32 random bytes from the system.
std::string MakeSecret();

// HMAC-SHA256, 32 bytes.
std::string Hmac(std::string_view key, std::string_view text);

// The case with the seed it is judged under: the public seed mixed into its
// own, or HMAC(secret, candidate's hash) mixed into it.
bench::Case WithPublicSeed(bench::Case one_case, const Seeds& seeds);
bench::Case WithSecretSeed(bench::Case one_case, const Seeds& seeds,
                           std::string_view candidate_hash);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_SEEDS_H_
