// SPDX-License-Identifier: Apache-2.0
// Bugs planted in the compiler one at a time: fuzzed programs must find every
// one of them.

#include <gtest/gtest.h>

#include <cstdio>
#include <optional>

#include "compiled_case.h"
#include "crux/check.h"
#include "crux/fuzz/generate.h"
#include "crux/ir/refusal.h"
#include "fuzz_case.h"
#include "planted_bugs.h"

namespace belay::testing::test_planted_bugs {
namespace {

namespace ir = crux::ir;
using crux::interpret::HostCall;
using crux::run::Prepared;

// Answers as the call does, fits() as the right kernel did.
class SameAnswers : public crux::HostOracle {
 public:
  SameAnswers(HostCall& call, const crux::CompiledVariant& right)
      : call_(call),
        fits_(right.fits.begin(), right.fits.end()),
        on_lanes_(right.tiles->rows_on_lanes || right.tiles->columns_on_lanes) {
  }

  bool Decide(const crux::typed::Expr& condition) override {
    return call_.Integer(condition) != 0;
  }
  bool Fits(const crux::typed::Statement& statement) override {
    return fits_.at(&statement);
  }
  bool Prefer(const crux::typed::Expr*) override { return on_lanes_; }

 private:
  HostCall& call_;
  std::map<const crux::typed::Statement*, bool> fits_;
  bool on_lanes_;
};

class Planter : public crux::PassObserver {
 public:
  explicit Planter(const PlantedBug& bug) : bug_(bug) {}

  void After(std::string_view pass, ir::Kernel& kernel) override {
    if (bug_.in_tiles && pass == bug_.after) planted_ = bug_.in_tiles(kernel);
  }
  void After(std::string_view pass, crux::code::Kernel& kernel) override {
    if (bug_.in_code && pass == bug_.after) planted_ = bug_.in_code(kernel);
  }
  bool planted() const { return planted_; }

 private:
  const PlantedBug& bug_;
  bool planted_ = false;
};

// The kernel compiled with the bug; nothing where it changes nothing.
std::optional<Prepared> CompileWith(const PlantedBug& bug, HostCall& call,
                                    const crux::CompiledVariant& right,
                                    const npu::ChipSpec& chip) {
  SameAnswers oracle(call, right);
  Planter planter(bug);
  Prepared prepared;
  prepared.variant = crux::CompileLowered(
      crux::Lower(call.kernel(), right.dtypes, oracle), planter);
  if (!planter.planted()) return std::nullopt;
  prepared.variant.fits = right.fits;
  prepared.plan = crux::run::PlanCall(*prepared.variant.code, call, chip);
  prepared.program = std::make_shared<const crux::run::Program>(
      crux::run::Load(*prepared.variant.code));
  return prepared;
}

struct Hunted {
  PlantedBug bug;
  int tried = 0;  // programs it changed
  std::string found;
};

// What shows the bug in this program; empty: nothing does.
std::string Symptom(crux::run::Runner& runner, Hunted& hunted, HostCall& call,
                    const crux::interpret::Arguments& arguments,
                    const Prepared& right, const Wanted& wanted) {
  try {
    const std::optional<Prepared> wrong =
        CompileWith(hunted.bug, call, right.variant, runner.chip());
    if (!wrong) return "";
    ++hunted.tried;
    Compared compared;
    const bool same_pieces =
        wrong->plan.host.integers == right.plan.host.integers;
    return DifferencesOf(runner, *wrong, call, arguments,
                         same_pieces ? wanted : Wanted(*wrong, arguments),
                         compared, 1);
  } catch (const ir::Refusal&) {
    return "";  // not seen at run time: other programs must show it
  } catch (const std::exception& bug) {
    return bug.what();
  }
}

TEST(PlantedBugs, AreFoundByFuzzedPrograms) {
  constexpr uint64_t kMostPrograms = 2000;
  std::vector<Hunted> hunted;
  for (const PlantedBug& bug : BugsInTiles()) hunted.push_back({bug, 0, ""});
  for (const PlantedBug& bug : BugsInCode()) hunted.push_back({bug, 0, ""});
  ASSERT_GE(hunted.size(), 30u);
  crux::run::Runner runner(CheckedDevice());
  size_t left = hunted.size();
  for (uint64_t i = 0; i < kMostPrograms && left > 0; ++i) {
    const uint64_t seed = FirstSeed() + i;
    const crux::fuzz::GeneratedProgram program = crux::fuzz::Generate(seed);
    const crux::Checked checked = crux::Check("generated", program.text);
    ASSERT_TRUE(checked.ok()) << "seed " << seed;
    HostCall call(*checked.program->FindKernel(program.kernel),
                  program.arguments, "generated");
    Prepared right;
    try {
      right = crux::run::Prepare(call, runner.chip());
    } catch (const ir::Refusal&) {
      continue;
    }
    const Wanted wanted(right, program.arguments);
    Compared compared;
    const std::string unplanted =
        DifferencesOf(runner, right, call, program.arguments, wanted, compared);
    if (!unplanted.empty()) continue;  // CompiledFuzz tells of it
    for (Hunted& one : hunted) {
      if (!one.found.empty()) continue;
      const std::string symptom =
          Symptom(runner, one, call, program.arguments, right, wanted);
      if (symptom.empty()) continue;
      one.found = symptom.substr(0, symptom.find('\n'));
      --left;
      std::printf("%s, after %s: seed %llu, %d programs\n    %s\n",
                  one.bug.name.c_str(), one.bug.after.c_str(),
                  static_cast<unsigned long long>(seed), one.tried,
                  one.found.c_str());
    }
  }
  for (const Hunted& one : hunted) {
    EXPECT_NE(one.found, "") << one.bug.name << ", after " << one.bug.after
                             << ": changed " << one.tried << " programs";
  }
}

}  // namespace
}  // namespace belay::testing::test_planted_bugs
