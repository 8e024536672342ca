// SPDX-License-Identifier: Apache-2.0
#include "global_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace belay::sweep {

GlobalBench::GlobalBench()
    : global_(reinterpret_cast<uint8_t*>(
          bench_.device().chip().global().Allocate(kGlobalBytes))) {
  Renew();
}

GlobalBench::~GlobalBench() {
  bench_.device().chip().global().Free(reinterpret_cast<uint64_t>(global_));
}

void GlobalBench::Renew() {
  for (uint64_t at = 0; at < kGlobalBytes; at += 8) {
    const uint64_t word = bench_.draw.Word();
    std::memcpy(global_ + at, &word, 8);
  }
  expected_global_.assign(global_, global_ + kGlobalBytes);
  expected_ub_.assign(ub(), ub() + npu::kUbBytes);
}

void GlobalBench::Check(const Cell& cell, const Kernel& kernel) {
  const Outcome& outcome = bench_.Run(kernel);
  std::string what;
  if (!outcome.code.empty()) {
    what = outcome.code + ": " + outcome.message;
  } else {
    const auto compare = [&](const std::vector<uint8_t>& expected,
                             const uint8_t* actual, const char* memory) {
      const auto [wrong, at] =
          std::mismatch(expected.begin(), expected.end(), actual);
      if (wrong == expected.end()) return;
      what += fmt::format("byte {} of {} should be {:#04x}, is {:#04x}; ",
                          wrong - expected.begin(), memory, *wrong, *at);
    };
    compare(expected_global_, global_, "the buffer in GM");
    compare(expected_ub_, bench_.ub_after(), "UB");
  }
  bench_.Note(cell, what.empty(), what);
  Renew();
}

}  // namespace belay::sweep
