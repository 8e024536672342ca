// SPDX-License-Identifier: Apache-2.0
#include "crux/fuzz/generate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "crux/fuzz/scope.h"
#include "crux/fuzz/statements.h"
#include "crux/type.h"

namespace belay::crux::fuzz {
namespace {

constexpr std::array kFloats = {DType::kHalf, DType::kBfloat16, DType::kFloat};
constexpr std::array kIntegers = {DType::kInt8, DType::kInt16, DType::kInt32,
                                  DType::kInt64, DType::kUint8};

std::string NamesOf(const std::vector<DType>& dtypes) {
  std::vector<std::string_view> names;
  for (const DType dtype : dtypes) names.push_back(belay::NameOf(dtype));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<DType> Several(Random& random, std::span<const DType> from) {
  std::vector<DType> some;
  for (const DType dtype : from) {
    if (random.Chance(50)) some.push_back(dtype);
  }
  if (some.empty()) some.push_back(random.Pick(from));
  return some;
}

// A parameter binds each variable, or it would not be allowed.
void DeclareVariables(Scope& scope) {
  Random& random = scope.random;
  if (random.Chance(50)) {
    Dtype variable{"T", random.Chance(75) ? Several(random, kFloats)
                                          : Several(random, kIntegers)};
    scope.HeadLine(fmt::format("T = dtype({})", NamesOf(variable.instances)));
    scope.NewInput(variable, {"1"});
    scope.flags.push_back(
        fmt::format("T == {}", belay::NameOf(random.Pick(variable.instances))));
    scope.dtypes.push_back(variable);
    scope.dtypes.push_back(variable);
  } else if (random.Chance(20)) {
    const Dtype first{"T", {DType::kHalf, DType::kHalf, DType::kFloat}};
    const Dtype second{"G", {DType::kHalf, DType::kFloat, DType::kFloat}};
    scope.HeadLine("T, G = dtypes((f16, f16), (f16, f32), (f32, f32))");
    scope.NewInput(first, {"1"});
    scope.NewInput(second, {"1"});
    scope.dtypes.push_back(first);
    scope.dtypes.push_back(second);
  }
}

void DeclareFlags(Scope& scope) {
  Random& random = scope.random;
  if (random.Chance(40)) {
    const bool on = random.Chance(50);
    scope.flags.push_back(
        scope.NewAttribute("bool", on, random.Chance(50) ? "False" : ""));
  }
  if (random.Chance(25)) {
    const std::string word = random.Chance(50) ? "mean" : "sum";
    scope.flags.push_back(scope.NewAttribute("str", word, "\"sum\"") +
                          " == \"mean\"");
  }
  if (random.Chance(25)) {
    const int64_t value = random.Between(-3, 9);
    const std::string fallback = random.Chance(50) ? "2" : "";
    scope.flags.push_back(scope.NewAttribute("int", value, fallback) + " > 2");
  }
}

void DeclareHelper(Scope& scope) {
  if (!scope.random.Chance(25)) return;
  scope.helper = "mixed";
  static constexpr std::array kBodies = {
      "    return t * a + t", "    u = maximum(t, a)\n    return u - t",
      "    u, v = t + a, t - a\n    return where(t > a, u, v)"};
  scope.HeadLine("@inline\ndef mixed(t, a):");
  scope.HeadLine(scope.random.Pick(kBodies));
}

void WriteBody(Scope& scope) {
  Statements statements(scope);
  Random& random = scope.random;
  if (scope.shaping != Shaping::kNamed) return statements.CoresNest();
  const int choice = random.Below(100);
  if (choice < 6) {
    statements.Scratch();
  } else if (choice < 12) {
    statements.Packed();
  } else if (choice < 18) {
    statements.InPlace();
  } else if (choice < 24) {
    statements.DeviceBounds();
  } else if (choice < 30) {
    statements.HostSizes();
  } else if (choice < 38) {
    statements.FitsVariants();
  } else if (choice < 43) {
    statements.AcrossParts();
  } else if (choice < 46) {
    statements.Scatter();
  }
  if (choice >= 46 || random.Chance(30)) statements.CoresNest();
}

GeneratedProgram Generated(Scope& scope) {
  Random& random = scope.random;
  const int shaping = random.Below(10);
  if (shaping == 0) scope.shaping = Shaping::kList;
  if (shaping == 1 || shaping == 2) scope.shaping = Shaping::kPack;
  DeclareVariables(scope);
  for (int i = random.Between(1, 3); i > 0; --i) {
    const DType dtype = random.Pick(AllDtypes());
    scope.dtypes.push_back({std::string(belay::NameOf(dtype)), {dtype}});
  }
  if (random.Chance(80)) scope.dtypes.push_back({"f32", {DType::kFloat}});
  DeclareFlags(scope);
  DeclareHelper(scope);
  if (random.Chance(20)) {
    scope.constant = "HALF";
    scope.HeadLine("HALF = 0.5");
  }
  scope.fast = random.Chance(10);
  scope.nodes_left = random.Between(10, 80);
  WriteBody(scope);
  return scope.Finish();
}

}  // namespace

GeneratedProgram Generate(uint64_t seed) {
  Scope scope(seed);
  return Generated(scope);
}

GeneratedProgram GenerateClamped(uint64_t seed) {
  Scope scope(seed);
  scope.clamps = true;
  return Generated(scope);
}

}  // namespace belay::crux::fuzz
