// SPDX-License-Identifier: Apache-2.0
#include "crux/fuzz/rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "crux/fuzz/random.h"
#include "crux/fuzz/random_array.h"

namespace belay::crux::fuzz {
namespace {

constexpr std::array kDtypes = {DType::kHalf, DType::kBfloat16, DType::kFloat};
// The interpreter computes each element several times over.
constexpr int kElements = 60000;

// Where tensors of rows are cut: [M, N] along N; groups of rows, [G, M, N]; or
// [M, N, A] along N, so that columns are reduced.
enum class Form : uint8_t { kRows, kGroups, kColumns };

class Rows {
 public:
  explicit Rows(uint64_t seed) : random_(seed) {
    form_ = static_cast<Form>(random_.Below(3));
    dtype_ = random_.Pick(kDtypes);
    DrawSizes();
  }

  GeneratedProgram Make() {
    for (int i = random_.Between(1, 2); i > 0; --i) {
      inputs_.push_back(Input(whole_));
    }
    if (form_ != Form::kColumns && random_.Chance(50)) gamma_ = Input({"N"});
    form_ == Form::kColumns ? Columns() : WriteRows();
    program_.kernel = "generated";
    program_.text = fmt::format("@kernel\ndef generated({}):\n{}",
                                fmt::join(parameters_, ", "), body_);
    return std::move(program_);
  }

 private:
  int DrawLength() {
    switch (random_.Below(4)) {
      case 0:
        return random_.Between(1, 64);
      case 1:
        return random_.Between(65, 1000);
      case 2:
        return random_.Between(1000, 4200);
      default:
        return random_.Between(4200, kElements / 2);
    }
  }

  void DrawSizes() {
    const int length =
        form_ == Form::kColumns ? random_.Between(1, 70) : DrawLength();
    const int most = std::max(1, std::min(kElements / length, 1500));
    int rows = random_.Chance(50) ? random_.Between(1, most) : most;
    int other = 1;
    if (form_ == Form::kColumns) {
      other = random_.Chance(50) ? random_.Between(1, 100) : most;
      rows = random_.Between(1, std::max(1, std::min(most / other, 9)));
    } else if (form_ == Form::kGroups) {
      other = random_.Between(1, std::min(rows, 5));
      rows /= other;
    }
    sizes_ = {{"M", rows}, {"N", length}};
    whole_ = {"M", "N"};
    if (form_ == Form::kGroups) whole_ = {"G", "M", "N"};
    if (form_ == Form::kColumns) whole_ = {"M", "N", "A"};
    if (other_name() != "") sizes_[std::string(other_name())] = other;
    // Sometimes the program says how long rows are.
    if (form_ != Form::kColumns && random_.Chance(25)) {
      literal_ = std::to_string(length);
    }
  }

  std::string_view other_name() const {
    if (form_ == Form::kRows) return "";
    return form_ == Form::kGroups ? "G" : "A";
  }

  std::string SizesText(const std::vector<std::string>& sizes) const {
    std::vector<std::string> texts = sizes;
    if (!literal_.empty()) std::ranges::replace(texts, "N", literal_);
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  std::string Input(const std::vector<std::string>& sizes) {
    const std::string name = fmt::format("x{}", parameters_.size());
    parameters_.push_back(fmt::format("{}: {}[{}]", name, belay::NameOf(dtype_),
                                      SizesText(sizes)));
    Shape shape;
    for (const std::string& size : sizes) shape.push_back(sizes_.at(size));
    program_.arguments.tensors[name].arrays.push_back(
        RandomArray(random_, dtype_, shape));
    return name;
  }

  std::string Output(std::string_view dtype,
                     const std::vector<std::string>& sizes) {
    const std::string name = fmt::format("y{}", parameters_.size());
    parameters_.push_back(
        fmt::format("{}: out({}[{}])", name, dtype, SizesText(sizes)));
    return name;
  }

  void Line(int indent, const std::string& text) {
    body_.append(static_cast<size_t>(indent) * 4, ' ');
    body_ += text + "\n";
  }

  std::string NewName(char stem) { return fmt::format("{}{}", stem, names_++); }

  // Of the rows and numbers so far, and the operation as text: {0} and {1} are
  // rows, {2} is a number.
  std::string Filled(std::string_view form) {
    return fmt::format(fmt::runtime(form), random_.Pick(rows_),
                       random_.Pick(rows_), random_.Pick(numbers_));
  }

  std::string Row() {
    static constexpr std::array kForms = {"{0} - {2}",
                                          "{0} * {2}",
                                          "{0} + {1}",
                                          "{0} * {1} + {2}",
                                          "exp(minimum({0}, 1.0))",
                                          "maximum({0}, {1}) * 0.5",
                                          "-abs({0})",
                                          "where({0} > {2}, {0}, {1})",
                                          "{0} / (abs({1}) + 1.0)",
                                          "silu({0})"};
    return Filled(random_.Pick(kForms));
  }

  std::string Number(std::string_view axis) {
    static constexpr std::array kForms = {"max({0}{3})",
                                          "sum({0}{3})",
                                          "min({0}{3})",
                                          "sum({0} * {0}{3})",
                                          "sum({0} * {1}{3})",
                                          "sum(exp(minimum({0}, 0.0)){3})",
                                          "rsqrt({2} * {2} + 1.0)",
                                          "{2} * 0.25",
                                          "1.0 / (abs({2}) + 1.0)"};
    return fmt::format(fmt::runtime(random_.Pick(kForms)), random_.Pick(rows_),
                       random_.Pick(rows_), random_.Pick(numbers_), axis);
  }

  // Statements that make rows and numbers of those at hand.
  void Compute(int indent, std::string_view axis) {
    for (int i = random_.Between(2, 8); i > 0; --i) {
      const bool row = random_.Chance(50);
      const std::string value = row ? Row() : Number(axis);
      const std::string name = NewName(row ? 't' : 'n');
      Line(indent, fmt::format("{} = {}", name, value));
      (row ? rows_ : numbers_).push_back(name);
    }
  }

  // "[q, r, ": of a row, without where it is cut.
  std::string Place(std::string_view piece) const {
    return fmt::format("[{}r, {}]", form_ == Form::kGroups ? "q, " : "", piece);
  }

  void LoadRows(int indent, std::string_view piece) {
    rows_.clear();
    for (const std::string& input : inputs_) {
      const std::string name = NewName('t');
      Line(indent,
           fmt::format("{} = load({}{}).to(f32)", name, input, Place(piece)));
      rows_.push_back(name);
    }
    if (gamma_.empty()) return;
    const std::string name = NewName('g');
    Line(indent, fmt::format("{} = load({}[{}]).to(f32)", name, gamma_, piece));
    rows_.push_back(fmt::format("({} * {})", rows_[0], name));
  }

  int OpenRows(int indent) {
    if (form_ == Form::kGroups) Line(indent++, "for q in cores(G):");
    Line(indent++, "for r in cores(M):");
    return indent;
  }

  // Rows at once, in pieces, or the first where they fit.
  void WriteRows() {
    y_ = Output(belay::NameOf(dtype_), whole_);
    std::vector<std::string> each = whole_;
    each.pop_back();
    if (random_.Chance(50)) number_out_ = Output("f32", each);
    const int way = random_.Below(3);
    if (way == 0) return AtOnce(1);
    if (way == 1) return InPieces(1);
    Line(1, "if fits():");
    AtOnce(2);
    Line(1, "else:");
    InPieces(2);
  }

  void AtOnce(int indent) {
    indent = OpenRows(indent);
    numbers_ = {"0.5"};
    LoadRows(indent, ":");
    Compute(indent, "");
    StoreRow(indent, ":");
    StoreNumber(indent);
  }

  void InPieces(int indent) {
    indent = OpenRows(indent);
    const std::string length = literal_.empty() ? "N" : literal_;
    const std::string loop =
        fmt::format("for c in tiles({}, tile=auto):", length);
    Line(indent, "m, s = full(f32, -inf), zeros(f32)");
    Line(indent, loop);
    LoadRows(indent + 1, "c");
    numbers_ = {"0.5"};
    const std::string value = NewName('t');
    Line(indent + 1, fmt::format("{} = {}", value, Row()));
    Line(indent + 1, fmt::format("m = maximum(m, max({}))", value));
    Line(indent + 1, fmt::format("s += sum({})", Row()));
    Line(indent, loop);
    LoadRows(indent + 1, "c");
    numbers_ = {"m", "s", "(s * 0.125)"};
    rows_.push_back(fmt::format("({} - m)", rows_[0]));
    const std::string last = NewName('t');
    Line(indent + 1, fmt::format("{} = {}", last, Row()));
    rows_.push_back(last);
    StoreRow(indent + 1, "c");
    StoreNumber(indent);
  }

  void StoreRow(int indent, std::string_view piece) {
    Line(indent, fmt::format("store({}{}, ({}).to({}))", y_, Place(piece),
                             Row(), belay::NameOf(dtype_)));
  }

  void StoreNumber(int indent) {
    if (number_out_.empty()) return;
    const std::string place = form_ == Form::kGroups ? "[q, r]" : "[r]";
    const std::string number = numbers_.back();
    Line(indent, fmt::format("store({}{}, {})", number_out_, place,
                             number == "0.5" ? "full(f32, 0.5)" : number));
  }

  // Columns of each [N, A], reduced along N.
  void Columns() {
    y_ = Output("f32", {"M", "A"});
    Line(1, "for r in cores(M):");
    Line(2, "for i in cores(A, tile=auto):");
    const bool at_once = random_.Chance(40);
    const int indent = at_once ? 3 : 4;
    if (!at_once) {
      Line(3, "m, s = full(f32[i], -inf), zeros(f32[i])");
      Line(3, "for c in tiles(N, tile=auto):");
    }
    for (const std::string& input : inputs_) {
      const std::string name = NewName('t');
      Line(indent, fmt::format("{} = load({}[r, {}, i]).to(f32)", name, input,
                               at_once ? ":" : "c"));
      rows_.push_back(name);
    }
    numbers_ = {"0.5"};
    if (at_once) {
      Compute(indent, ", axis=0");
      const std::string last = NewName('n');
      Line(indent, fmt::format("{} = sum({}, axis=0)", last, Row()));
      return Line(indent, fmt::format("store({}[r, i], {})", y_, last));
    }
    Line(indent, fmt::format("n = maximum(m, max({}, axis=0))", Row()));
    numbers_ = {"0.5", "n", "m"};
    Line(indent, fmt::format("s = s * 0.5 + sum({}, axis=0)", Row()));
    Line(indent, "m = n");
    Line(3, fmt::format("store({}[r, i], m + s)", y_));
  }

  Random random_;
  Form form_ = Form::kRows;
  DType dtype_ = DType::kFloat;
  std::map<std::string, int> sizes_;
  std::vector<std::string> whole_;
  std::string literal_;  // the length of rows, where it is known
  std::vector<std::string> parameters_;
  std::vector<std::string> inputs_;
  std::string gamma_;  // a number for each column, or empty
  std::string y_;
  std::string number_out_;  // of each row, or empty
  std::vector<std::string> rows_;
  std::vector<std::string> numbers_;
  std::string body_;
  int names_ = 0;
  GeneratedProgram program_;
};

}  // namespace

GeneratedProgram GenerateRows(uint64_t seed) { return Rows(seed).Make(); }

}  // namespace belay::crux::fuzz
