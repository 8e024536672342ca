// SPDX-License-Identifier: Apache-2.0
#include "crux/fuzz/columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "crux/fuzz/random.h"
#include "crux/fuzz/random_array.h"

namespace belay::crux::fuzz {
namespace {

constexpr std::array kColumnDtypes = {DType::kHalf, DType::kBfloat16,
                                      DType::kFloat};
// The interpreter computes each element several times over.
constexpr int kElementsOfColumns = 12000;

class SingleColumns {
 public:
  explicit SingleColumns(uint64_t seed) : random_(seed) {
    dtype_ = random_.Pick(kColumnDtypes);
    const int length =
        random_.Chance(80) ? random_.Between(1, 90) : random_.Between(90, 3000);
    const int most = std::max(1, kElementsOfColumns / length);
    const int beside = random_.Chance(50) ? random_.Between(1, 100) : most;
    const int before = random_.Between(1, std::max(1, most / beside));
    shape_ = {std::min(before, 5), length, beside};
  }

  GeneratedProgram Make() {
    const std::string_view name = belay::NameOf(dtype_);
    Add("x", fmt::format("x: {}[M, N, A]", name), dtype_, shape_);
    if (random_.Chance(40)) {
      Add("w", "w: f32[N]", DType::kFloat, {shape_[1]});
      columns_.push_back("(t * load(w[:]))");
    }
    if (random_.Chance(40)) {
      Add("b", "b: f32[A]", DType::kFloat, {shape_[2]});
      numbers_.push_back("load(b[i])");
    }
    parameters_.push_back(fmt::format("y: out({}[M, N, A])", name));
    parameters_.push_back("z: out(f32[M, A])");
    body_ = "    for r in cores(M):\n        for i in cores(A):\n";
    Line("t = load(x[r, :, i]).to(f32)");
    for (int i = random_.Between(2, 7); i > 0; --i) Compute();
    Line(fmt::format("store(y[r, :, i], ({}).to({}))", Column(), name));
    Line(
        fmt::format("store(z[r, i], {} + zeros(f32))", random_.Pick(numbers_)));
    program_.kernel = "generated";
    program_.text = fmt::format("@kernel\ndef generated({}):\n{}",
                                fmt::join(parameters_, ", "), body_);
    return std::move(program_);
  }

 private:
  void Add(const std::string& name, const std::string& parameter, DType dtype,
           const Shape& shape) {
    parameters_.push_back(parameter);
    program_.arguments.tensors[name].arrays.push_back(
        RandomArray(random_, dtype, shape));
  }

  void Line(const std::string& text) { body_ += "            " + text + "\n"; }

  // {0} and {1} are columns, {2} is a number.
  std::string Filled(std::string_view form) {
    return fmt::format(fmt::runtime(form), random_.Pick(columns_),
                       random_.Pick(columns_), random_.Pick(numbers_));
  }

  std::string Column() {
    static constexpr std::array kForms = {"{0} - {2}",
                                          "{0} * {1} + {2}",
                                          "exp(minimum({0}, 1.0))",
                                          "where({0} > {2}, {0}, {1})",
                                          "{0} / (abs({1}) + 1.0)",
                                          "cumsum({0} * 0.125)",
                                          "{0} * where({1} > 0.0, {1}, {2})",
                                          "where(arange(N) < i, {0}, {1})"};
    return Filled(random_.Pick(kForms));
  }

  std::string Number() {
    static constexpr std::array kForms = {"max({0})",
                                          "sum({0})",
                                          "min({0} * {1})",
                                          "sum({0} * {0})",
                                          "{2} * 0.25",
                                          "sum({0}[0:1])",
                                          "argmax({0}).to(f32)",
                                          "rsqrt({2} * {2} + 1.0)"};
    return Filled(random_.Pick(kForms));
  }

  void Compute() {
    const bool column = random_.Chance(50);
    const std::string value = column ? Column() : Number();
    const std::string name = fmt::format("v{}", names_++);
    Line(fmt::format("{} = {}", name, value));
    (column ? columns_ : numbers_).push_back(name);
  }

  Random random_;
  DType dtype_ = DType::kFloat;
  Shape shape_;
  std::vector<std::string> parameters_;
  std::vector<std::string> columns_ = {"t"};
  std::vector<std::string> numbers_ = {"0.5"};
  std::string body_;
  int names_ = 0;
  GeneratedProgram program_;
};

}  // namespace

GeneratedProgram GenerateColumns(uint64_t seed) {
  return SingleColumns(seed).Make();
}

}  // namespace belay::crux::fuzz
