// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_PROTOCOLS_H_
#define BELAY_BENCH_PROTOCOLS_H_

// The rules by which other benchmarks accept a result, for comparison with
// their published numbers. They are looser than Belay's: some take NaN or zeros
// for right. Count, shape and dtype are checked here as for Belay's own rule.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "bench/compare.h"

namespace belay::bench {

enum class Protocol {
  kNpuTwofold,        // wrong where |a-g| and |a-g|/(|g|+1e-7) both exceed 1e-3
  kNpuRelative,       // wrong where |a-g| exceeds r·max(1, |g|), r by dtype
  kNpuMatmul,         // the same with r by dtype and depth of the product
  kNpuQuantised,      // a share of 1e-3 of the elements may be off by 1e-3
  kMultiKernelBench,  // wrong where |a-g| exceeds 1e-4 + 1e-4·|g|
};

// "npukernelbench:twofold", "npukernelbench:relative", "npukernelbench:matmul",
// "npukernelbench:quantised", "multikernelbench".
std::string_view NameOf(Protocol protocol);
std::optional<Protocol> ParseProtocol(std::string_view name);

// Thresholds that vary from task to task; the defaults are the usual ones.
struct ProtocolSettings {
  double threshold = 1e-3;                // kNpuTwofold, kNpuQuantised
  std::map<DType, double> by_dtype = {};  // kNpuTwofold: instead of it
  bool finite = true;            // kNpuTwofold: NaN and infinity are wrong
  int64_t depth = 0;             // kNpuMatmul: the length of the sums
  double integer_tolerance = 0;  // kNpuRelative: 1 for the addcmul family
};

// What the protocol says about a candidate. Its outputs say how many elements
// are wrong and which one by most; mean and largest are absolute errors.
Verdict JudgeBy(Protocol protocol, const ProtocolSettings& settings,
                const Truth& truth, const Arguments& candidate);

}  // namespace belay::bench

#endif  // BELAY_BENCH_PROTOCOLS_H_
