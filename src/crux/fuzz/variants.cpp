// SPDX-License-Identifier: Apache-2.0
#include "crux/fuzz/variants.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crux/fuzz/random.h"
#include "crux/fuzz/random_array.h"

namespace belay::crux::fuzz {
namespace {

// Of T, which x and y have, and of G, which b has.
struct DtypeChoices {
  std::string_view lines;
  std::vector<std::pair<DType, DType>> all;
};

const std::vector<DtypeChoices>& Choices() {
  constexpr DType kF16 = DType::kHalf;
  constexpr DType kBf16 = DType::kBfloat16;
  constexpr DType kF32 = DType::kFloat;
  static const std::vector<DtypeChoices> choices = {
      {"T = dtype(f16, f32)\nG = dtype(f32)\n", {{kF16, kF32}, {kF32, kF32}}},
      {"T = dtype(f16, bf16, f32)\nG = dtype(f16)\n",
       {{kF16, kF16}, {kBf16, kF16}, {kF32, kF16}}},
      {"T, G = dtypes((f16, f16), (f16, f32), (bf16, f32), (f32, f32))\n",
       {{kF16, kF16}, {kF16, kF32}, {kBf16, kF32}, {kF32, kF32}}},
      {"T = dtype(f32)\nG = dtype(f32)\n", {{kF32, kF32}}},
  };
  return choices;
}

class Variants {
 public:
  Variants(uint64_t seed, int call)
      : random_(seed), call_(seed * 1000 + static_cast<uint64_t>(call)) {}

  GeneratedProgram Make() {
    const DtypeChoices& dtypes = random_.Pick(Choices());
    for (const std::string_view condition : kConditions) {
      if (random_.Chance(40)) conditions_.push_back(condition);
    }
    if (conditions_.empty()) conditions_.push_back(kConditions[0]);
    Steps(2, random_.Between(2, 4));
    const bool sums = random_.Chance(40);  // of rows are a result, too
    GeneratedProgram program;
    program.kernel = "generated";
    program.text = fmt::format(
        "{}\n@kernel\n"
        "def generated(x: T[M, N], b: optional(G[N]), w: optional(f32[M]), "
        "k: optional(bool[M, N]), y: out(T[M, N]), {}"
        "m: int = 0, mode: str = \"a\", flag: bool = False):\n"
        "    for r in cores(M):\n"
        "        t = load(x[r, :]).to(f32)\n{}"
        "        store(y[r, :], t.to(T))\n",
        dtypes.lines, sums ? "s: optional(out(f32[M])), " : "", body_);
    if (sums) {
      if (call_.Chance(50)) program.arguments.wanted.insert("s");
      program.text +=
          "        if present(s):\n            store(s[r], sum(t))\n";
    }
    Call(dtypes, program.arguments);
    return program;
  }

 private:
  static constexpr std::array<std::string_view, 12> kConditions = {
      "flag",       "m == 1",        "m > 0",           "mode == \"a\"",
      "present(b)", "N > 16",        "N % 2 == 0",      "M > N",
      "N <= 64",    "mode == \"b\"", "flag and m == 1", "present(w)"};
  static constexpr std::array<std::string_view, 10> kSteps = {
      "t = t - max(t)",
      "t = t + sum(t)",
      "t = t * 0.5 + 0.25",
      "t = abs(t)",
      "t = maximum(t, 0.125)",
      "t = t / (1.0 + max(abs(t)))",
      "t = t * t",
      "t = t - t[0]",
      "t = exp(minimum(t - max(t), 0.0))",
      "t = where(arange(N) > r, t, 0.0)"};

  void Line(int depth, std::string_view text) {
    body_ += std::string(static_cast<size_t>(4 * depth), ' ');
    body_ += text;
    body_ += '\n';
  }

  void Steps(int depth, int count) {
    for (int i = 0; i < count; ++i) {
      if (depth < 5 && random_.Chance(45)) {
        Branch(depth);
      } else if (random_.Chance(25)) {
        Given(depth);
      } else {
        Line(depth, random_.Pick(kSteps));
      }
    }
  }

  void Branch(int depth) {
    Line(depth, fmt::format("if {}:", random_.Pick(conditions_)));
    Steps(depth + 1, 1);
    if (random_.Chance(40)) {
      Line(depth, fmt::format("elif {}:", random_.Pick(conditions_)));
      Steps(depth + 1, 1);
    }
    if (random_.Chance(50)) {
      Line(depth, "else:");
      Steps(depth + 1, 1);
    }
  }

  // What a tensor that may be missing adds.
  void Given(int depth) {
    static constexpr std::array<std::array<std::string_view, 2>, 3> kTensors = {
        {{"b", "t = t + load(b[:]).to(f32)"},
         {"w", "t = t - load(w[r])"},
         {"k", "t = where(load(k[r, :]), t, 0.0)"}}};
    const auto& [name, step] = random_.Pick(kTensors);
    Line(depth, fmt::format("if present({}):", name));
    Line(depth + 1, step);
  }

  void Call(const DtypeChoices& dtypes, interpret::Arguments& arguments) {
    static constexpr std::array kRows = {1, 3, 20, 70};
    static constexpr std::array kColumns = {1, 10, 17, 40, 64, 100, 300};
    const int64_t rows = call_.Pick(kRows);
    const int64_t columns = call_.Pick(kColumns);
    const auto& [of_x, of_b] = call_.Pick(dtypes.all);
    const auto give = [&](const char* name, DType dtype, Shape shape) {
      arguments.tensors[name].arrays.push_back(
          RandomArray(call_, dtype, std::move(shape)));
    };
    give("x", of_x, {rows, columns});
    if (call_.Chance(50)) give("b", of_b, {columns});
    if (call_.Chance(50)) give("w", DType::kFloat, {rows});
    if (call_.Chance(50)) give("k", DType::kBool, {rows, columns});
    arguments.attributes["m"] = static_cast<int64_t>(call_.Below(3));
    arguments.attributes["flag"] = call_.Chance(50);
    arguments.attributes["mode"] =
        std::string(1, static_cast<char>('a' + call_.Below(3)));
  }

  Random random_;  // of the program
  Random call_;
  std::vector<std::string_view> conditions_;
  std::string body_;
};

}  // namespace

GeneratedProgram GenerateVariants(uint64_t seed, int call) {
  return Variants(seed, call).Make();
}

}  // namespace belay::crux::fuzz
