// SPDX-License-Identifier: Apache-2.0
// initcheck against the naive model: after every step of random programs the
// same bits are undefined and stale, and the same findings are there.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "check/init_checker.h"
#include "init_programs.h"
#include "naive_init.h"
#include "support.h"

namespace belay::check::test_init_property {
namespace {

constexpr uint64_t kCheckedUb = 32 << 10;

// The first byte of UB or global memory on which the two differ, in words.
std::string Difference(const InitChecker& fast, const NaiveInit& naive,
                       uint64_t ub, uint64_t global, int slot) {
  const auto compare = [&](const char* what, uint64_t at, uint8_t is,
                           uint8_t expected) {
    return is == expected ? std::string()
                          : std::string(what) + " at " + std::to_string(at) +
                                ": " + std::to_string(is) + ", expected " +
                                std::to_string(expected);
  };
  std::string found;
  for (uint64_t at = 0; at < kCheckedUb && found.empty(); ++at) {
    found = compare("UB undefined", at, fast.UndefinedBits(ub + at),
                    naive.undefined().ub[at]);
    if (found.empty()) {
      found = compare("UB stale", at, fast.StaleBits(ub + at),
                      naive.stale().ub[at]);
    }
  }
  for (uint64_t at = 0; at < naive.undefined().gm.size() && found.empty();
       ++at) {
    found = compare("GM undefined", at, fast.UndefinedBits(global + at),
                    naive.undefined().gm[at]);
  }
  for (uint32_t bit = 0; bit < 128 && found.empty(); ++bit) {
    found = compare("register", bit,
                    fast.UndefinedCompareBits(slot)[bit / 64] >> bit % 64 & 1,
                    naive.undefined().register_bits[bit]);
  }
  return found;
}

using Places = std::vector<std::pair<std::string, uint64_t>>;

Places PlacesOf(const Findings& findings) {
  Places places;
  for (const Findings::Entry& entry : findings.entries()) {
    // The model does not tell why bytes are stale, nor a result from a tail.
    std::string code = entry.fault.diagnostic.code;
    if (code == "BLY-I109") code = "BLY-I108";
    if (code == "BLY-I110") code = "BLY-I101";
    places.emplace_back(code, entry.fault.pc);
  }
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  return places;
}

TEST(InitProperty, AgreesWithTheNaiveModelOnRandomPrograms) {
  constexpr int kPrograms = 40;
  constexpr int kSteps = 150;
  uint64_t seed = SeedOr(910);
  std::printf("BELAY_SEED=%llu\n", static_cast<unsigned long long>(seed));
  std::map<std::string, int> codes;
  int done = 0;
  for (int program = 0; program < kPrograms; ++program, ++seed) {
    npu::Chip chip(npu::LoadChip(npu::kDefaultChip));
    npu::Core& core = chip.VectorCore(2);
    chip.on_chip().Poison(core.slot);
    const uint64_t ub = chip.on_chip().Base(core.slot, abi::Memory::kUb);
    const uint64_t global = chip.global().Allocate(InitProgram::kGlobalBytes);
    Findings findings(100000);
    InitChecker fast(chip, findings);
    NaiveInit naive(chip, core, global, chip.global().Find(global)->capacity);
    chip.AddObserver(&fast);
    chip.AddObserver(&naive);
    InitProgram random(chip, core, global, seed);
    for (int step = 0; step < kSteps; ++step) {
      done += random.Step();
      const std::string difference =
          Difference(fast, naive, ub, global, core.slot);
      ASSERT_EQ(difference, "")
          << "BELAY_SEED=" << seed << " step " << step << ": " << random.last();
      Places expected = naive.found();
      std::sort(expected.begin(), expected.end());
      ASSERT_EQ(PlacesOf(findings), expected)
          << "BELAY_SEED=" << seed << " step " << step << ": " << random.last();
    }
    for (const auto& [code, pc] : naive.found()) ++codes[code];
  }
  // The programs did something, and every rule was met.
  EXPECT_GT(done, kPrograms * kSteps / 2);
  for (const char* code : {"BLY-I101", "BLY-I102", "BLY-I103", "BLY-I104",
                           "BLY-I105", "BLY-I106", "BLY-I107", "BLY-I108"}) {
    EXPECT_GT(codes[code], 0) << code;
    std::printf("%s: %d\n", code, codes[code]);
  }
}

}  // namespace
}  // namespace belay::check::test_init_property
