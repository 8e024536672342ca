// SPDX-License-Identifier: Apache-2.0
#include "crux/fuzz/short_rows.h"

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

constexpr std::array kRowDtypes = {DType::kHalf, DType::kBfloat16,
                                   DType::kFloat};
// The interpreter sorts them one by one.
constexpr int kMostElements = 30000;
constexpr int kLongestPaired = 40;  // row of which all elements meet all

class ShortRows {
 public:
  explicit ShortRows(uint64_t seed) : random_(seed) {
    dtype_ = random_.Pick(kRowDtypes);
    length_ =
        random_.Chance(40) ? random_.Between(1, 40) : random_.Between(41, 330);
    const int most = std::min(kMostElements / length_, 1200);
    rows_ =
        random_.Chance(30) ? random_.Between(1, 20) : random_.Between(1, most);
    says_length_ = random_.Chance(50);
  }

  GeneratedProgram Make() {
    Input("x", dtype_, {rows_, length_}, fmt::format("M, {}", Length()));
    Line("t0 = load(x[r, :])" + Widened());
    tiles_.push_back({"t0", length_, Length()});
    for (int i = random_.Between(1, 4); i > 0; --i) Step();
    const Row last = random_.Pick(tiles_);
    Store(fmt::format("{} - {}", last.name, Number(last)), last);
    if (last.length <= kLongestPaired && random_.Chance(40)) MeetItself(last);
    program_.kernel = "generated";
    program_.text =
        fmt::format("@kernel\ndef generated({}):\n    for r in cores(M):\n{}",
                    fmt::join(parameters_, ", "), body_);
    return std::move(program_);
  }

 private:
  struct Row {
    std::string name;
    int length;
    std::string size;  // of the length, as it is written
  };

  std::string Length() const {
    return says_length_ ? std::to_string(length_) : "N";
  }

  std::string_view Computed() const {
    return wide_ ? "f32" : belay::NameOf(dtype_);
  }

  // Some rows are computed in f32.
  std::string Widened() {
    wide_ = random_.Chance(60);
    return wide_ ? ".to(f32)" : "";
  }

  void Line(const std::string& text) { body_ += "        " + text + "\n"; }

  std::string NewName(char stem) { return fmt::format("{}{}", stem, ++names_); }

  void Input(std::string_view name, DType dtype, Shape shape,
             std::string_view sizes) {
    parameters_.push_back(
        fmt::format("{}: {}[{}]", name, belay::NameOf(dtype), sizes));
    program_.arguments.tensors[std::string(name)].arrays.push_back(
        RandomArray(random_, dtype, std::move(shape)));
  }

  std::string Output(std::string_view dtype, std::string_view sizes) {
    const std::string name = NewName('y');
    parameters_.push_back(fmt::format("{}: out({}[{}])", name, dtype, sizes));
    return name;
  }

  void Store(const std::string& value, const Row& like) {
    const std::string y = Output(Computed(), "M, " + like.size);
    Line(fmt::format("store({}[r, :], {})", y, value));
  }

  void StoreNumber(std::string_view dtype, const std::string& value) {
    const std::string y = Output(dtype, "M");
    Line(fmt::format("store({}[r], {})", y, value));
  }

  // A number that the row meets.
  std::string Number(const Row& row) {
    static constexpr std::array kForms = {"max({})", "min({})", "sum({})",
                                          "last({})"};
    return fmt::format(fmt::runtime(random_.Pick(kForms)), row.name);
  }

  // Of the row, and a position of each that the tensor may not hold.
  std::string Taken(const Row& row) {
    const std::string at = NewName('p');
    parameters_.push_back(at + ": i32[M]");
    program_.arguments.tensors[at].arrays.push_back(
        RandomIndices(random_, DType::kInt32, {rows_}, row.length + 3));
    const std::string name = NewName('a');
    Line(fmt::format("{} = clamp(load({}[r]) - {}, 0, {} - 1)", name, at,
                     random_.Below(3), row.size));
    return fmt::format("take({}, {})", row.name, name);
  }

  void Step() {
    const Row row = random_.Pick(tiles_);
    switch (random_.Below(6)) {
      case 0:
        return Sorted(row);
      case 1:
        return Best(row);
      case 2:
        return Slice(row);
      case 3:
        return Meet(row);
      case 4:
        return Loss(row);
      default:
        return StoreNumber(Computed(), Taken(row));
    }
  }

  void Sorted(const Row& row) {
    const std::string_view order =
        random_.Chance(50) ? "" : ", descending=True";
    if (random_.Chance(30)) {
      const std::string y = Output("i32", "M, " + row.size);
      return Line(
          fmt::format("store({}[r, :], argsort({}{}))", y, row.name, order));
    }
    tiles_.push_back({NewName('t'), row.length, row.size});
    Line(fmt::format("{} = sort({}{})", tiles_.back().name, row.name, order));
  }

  void Best(const Row& row) {
    const int k = random_.Between(1, std::min(row.length, 40));
    const std::string at = NewName('k');
    const Row best{NewName('t'), k, std::to_string(k)};
    Line(fmt::format("{}, {} = topk({}, {}{})", best.name, at, row.name, k,
                     random_.Chance(50) ? "" : ", largest=False"));
    const std::string y = Output("i32", "M, " + best.size);
    Line(fmt::format("store({}[r, :], {})", y, at));
    Store(best.name, best);
    tiles_.push_back(best);
  }

  // Every so many elements of a part of the row.
  void Slice(const Row& row) {
    if (row.length < 2) return Meet(row);
    const int step = random_.Between(1, std::min(row.length, 5));
    const int first = random_.Below(static_cast<size_t>(row.length));
    const int end = random_.Between(first + 1, row.length);
    const int length = (end - first + step - 1) / step;
    tiles_.push_back({NewName('t'), length, std::to_string(length)});
    Line(fmt::format("{} = {}[{}:{}:{}]", tiles_.back().name, row.name, first,
                     end, step));
    Store(tiles_.back().name, tiles_.back());
  }

  void Meet(const Row& row) {
    static constexpr std::array kForms = {"{0} - {1}", "{0} * {1}",
                                          "maximum({0}, {1})", "exp({0} - {1})",
                                          "{1} - {0}"};
    const std::string number = NewName('n');
    Line(fmt::format("{} = {}", number, Number(row)));
    tiles_.push_back({NewName('t'), row.length, row.size});
    Line(fmt::format(
        "{} = {}", tiles_.back().name,
        fmt::format(fmt::runtime(random_.Pick(kForms)), row.name, number)));
  }

  // One tile, broadcast in two ways.
  void MeetItself(const Row& row) {
    static constexpr std::array kForms = {
        "max({0}[:, None] - {0}, axis=1)",
        "sum(maximum({0}, {0}[:, None]), axis=0)",
        "min({0} * {0}[:, None], axis=0)",
        "sum(where({0}[:, None] < {0}, {0}, 0.0), axis=1)"};
    Store(fmt::format(fmt::runtime(random_.Pick(kForms)), row.name), row);
  }

  // What a cross entropy is for each row.
  void Loss(const Row& row) {
    const std::string taken = NewName('n');
    const std::string value = Taken(row);
    Line(fmt::format("{} = {}", taken, value));
    const std::string most = NewName('m');
    Line(fmt::format("{} = max({})", most, row.name));
    StoreNumber(Computed(), fmt::format("ln(sum(exp({} - {}))) + {} - {}",
                                        row.name, most, most, taken));
  }

  Random random_;
  DType dtype_ = DType::kFloat;
  bool wide_ = false;
  bool says_length_ = false;  // the program, of its rows
  int length_ = 1;
  int rows_ = 1;
  std::vector<Row> tiles_;
  std::vector<std::string> parameters_;
  std::string body_;
  int names_ = 0;
  GeneratedProgram program_;
};

}  // namespace

GeneratedProgram GenerateShortRows(uint64_t seed) {
  return ShortRows(seed).Make();
}

}  // namespace belay::crux::fuzz
