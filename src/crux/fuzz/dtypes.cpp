// SPDX-License-Identifier: Apache-2.0
#include "crux/fuzz/dtypes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "crux/fuzz/random.h"
#include "crux/fuzz/random_array.h"

namespace belay::crux::fuzz {
namespace {

constexpr std::array<std::pair<std::string_view, DType>, 11> kDtypesOfAllKinds =
    {{{"f16", DType::kHalf},
      {"bf16", DType::kBfloat16},
      {"f32", DType::kFloat},
      {"i8", DType::kInt8},
      {"u8", DType::kUint8},
      {"i16", DType::kInt16},
      {"u16", DType::kUint16},
      {"i32", DType::kInt32},
      {"u32", DType::kUint32},
      {"i64", DType::kInt64},
      {"u64", DType::kUint64}}};

class Dtypes {
 public:
  Dtypes(uint64_t seed, int call)
      : random_(seed), call_(seed * 1000 + static_cast<uint64_t>(call)) {}

  GeneratedProgram Make() {
    ChooseDtypes();
    rows_ = random_.Chance(30);
    const int across = random_.Chance(35) ? random_.Between(1, 3) : 0;
    if (random_.Chance(40)) Given();
    const int steps = random_.Between(1, 4);
    for (int i = 0; i < steps; ++i) Step();
    const int results = random_.Between(0, 3);
    for (int i = 0; i < results; ++i) Result(i);
    for (int i = 0; i < across; ++i) Across(i);
    GeneratedProgram program;
    program.kernel = "generated";
    std::vector<std::string_view> names;
    for (const auto& [name, dtype] : chosen_) names.push_back(name);
    const char* const shape = rows_ ? "T[A, C]" : "T[A, B, C]";
    const std::string x = Place(20);
    const std::string z = Place(20);
    const std::string y = Place(0);
    program.text = fmt::format(
        "T = dtype({})\n\n@kernel\n"
        "def generated(x: {}, z: {}, i: i32[A], w: optional(T[C]), "
        "y: out({}){}):\n"
        "{}"
        "    for a in cores(A):\n"
        "        t = load(x[{}])\n"
        "        u = load(z[{}])\n"
        "{}"
        "        store(y[{}], t)\n{}",
        fmt::join(names, ", "), shape, shape, shape, parameters_, before_, x, z,
        body_, y, after_);
    Call(program.arguments);
    return program;
  }

 private:
  // Two dtypes at least, so that texts meet.
  void ChooseDtypes() {
    chosen_.assign(kDtypesOfAllKinds.begin(), kDtypesOfAllKinds.end());
    for (size_t i = chosen_.size(); i > 1; --i) {
      std::swap(chosen_[i - 1], chosen_[static_cast<size_t>(random_.Below(i))]);
    }
    chosen_.resize(static_cast<size_t>(random_.Between(2, 4)));
  }

  // Where a tile lies, now and then from the last one on, or where a tensor
  // says, so often in a hundred.
  std::string Place(int loaded) {
    const bool back = random_.Chance(20);
    return fmt::format("{}, :{}",
                       random_.Chance(loaded) ? "load(i[a])"
                       : back                 ? "A - 1 - a"
                                              : "a",
                       rows_ ? "" : ", :");
  }

  void Line(std::string_view text) {
    body_ += fmt::format("        {}\n", text);
  }

  // An axis of a tile.
  std::string Axis() {
    return rows_ ? "" : fmt::format(", axis={}", random_.Below(2));
  }

  void Step() {
    static constexpr std::array<std::string_view, 9> kSteps = {
        "t = t + u",
        "t = u - t",
        "t = t * u",
        "t = maximum(t, u)",
        "t = minimum(t, u)",
        "t = where(t > u, t, u)",
        "t = where(t == u, u, t - u)",
        "t = abs(t)",
        "t = t - max(t, keepdims=True)"};
    static constexpr std::array<std::string_view, 3> kScans = {
        "cumsum", "cumprod", "cummax"};
    if (random_.Chance(25)) {
      return Line(fmt::format("t = {}(t{}{}{})", random_.Pick(kScans), Axis(),
                              random_.Chance(30) ? ", reverse=True" : "",
                              random_.Chance(20) ? ", exclusive=True" : ""));
    }
    if (random_.Chance(20)) {
      return Line(fmt::format("t = t.to({}).to(T)",
                              random_.Pick(kDtypesOfAllKinds).first));
    }
    Line(random_.Pick(kSteps));
  }

  // What a tensor that may be missing adds.
  void Given() {
    Line("if present(w):");
    Line("    t = maximum(t, load(w[:]))");
  }

  // A value of all cores.
  void Across(int number) {
    static constexpr std::array<std::array<std::string_view, 2>, 3> kCombine = {
        {{"max", "c{0} = maximum(c{0}, {1})"},
         {"min", "c{0} = minimum(c{0}, {1})"},
         {"sum", "c{0} += {1}"}}};
    const auto& [combine, update] = random_.Pick(kCombine);
    const bool number_only = random_.Chance(40);
    before_ += fmt::format("    c{} = across_cores({}, {})\n", number, combine,
                           number_only ? "T" : "T[C]");
    const std::string part = number_only ? fmt::format("{}(t)", combine)
                             : rows_     ? "t"
                                     : fmt::format("{}(t, axis=0)", combine);
    Line(fmt::format(fmt::runtime(update), number, part));
    parameters_ +=
        fmt::format(", o{}: out(T[{}])", number, number_only ? "1" : "C");
    after_ += fmt::format("    store(o{0}[{1}], c{0})\n", number,
                          number_only ? "0" : ":");
  }

  // Another result, of t as it is at the end.
  void Result(int number) {
    static constexpr std::array<std::string_view, 6> kReductions = {
        "sum", "max", "min", "prod", "argmax", "argmin"};
    const std::string name = fmt::format("r{}", number);
    if (random_.Chance(50)) {
      std::string value = "t";
      const std::string_view last = random_.Pick(kDtypesOfAllKinds).first;
      if (random_.Chance(30)) {
        value += fmt::format(".to({})", random_.Pick(kDtypesOfAllKinds).first);
      }
      parameters_ +=
          fmt::format(", {}: out({}[A, {}C])", name, last, rows_ ? "" : "B, ");
      return Line(fmt::format("store({}[a, {}:], {}.to({}))", name,
                              rows_ ? "" : ":, ", value, last));
    }
    const std::string_view function = random_.Pick(kReductions);
    const bool index = function.starts_with("arg");
    if (rows_) {
      parameters_ += fmt::format(", {}: out({}[A])", name, index ? "i32" : "T");
      return Line(fmt::format("store({}[a], {}(t))", name, function));
    }
    const int axis = random_.Below(2);
    parameters_ += fmt::format(", {}: out({}[A, {}])", name,
                               index ? "i32" : "T", axis == 0 ? "C" : "B");
    Line(fmt::format("store({}[a, :], {}(t, axis={}))", name, function, axis));
  }

  void Call(interpret::Arguments& arguments) {
    static constexpr std::array kCounts = {1, 3, 40, 100, 130};
    static constexpr std::array kSizes = {1, 2, 3, 8, 17};
    static constexpr std::array kColumns = {1, 4, 7, 16, 31, 65, 100};
    const DType dtype = call_.Pick(chosen_).second;
    Shape shape = {call_.Pick(kCounts), call_.Pick(kSizes),
                   call_.Pick(kColumns)};
    if (rows_) shape.erase(shape.begin() + 1);
    const auto give = [&](const char* name, const Shape& of) {
      arguments.tensors[name].arrays.push_back(RandomArray(call_, dtype, of));
    };
    give("x", shape);
    give("z", shape);
    arguments.tensors["i"].arrays.push_back(RandomIndices(
        call_, DType::kInt32, {shape[0]}, static_cast<int>(shape[0])));
    if (call_.Chance(50)) give("w", {shape.back()});
  }

  Random random_;  // of the program
  Random call_;
  std::vector<std::pair<std::string_view, DType>> chosen_;
  bool rows_ = false;  // of one axis, rather than tiles of two
  std::string before_;
  std::string body_;
  std::string after_;
  std::string parameters_;
};

}  // namespace

GeneratedProgram GenerateDtypes(uint64_t seed, int call) {
  return Dtypes(seed, call).Make();
}

}  // namespace belay::crux::fuzz
