// SPDX-License-Identifier: Apache-2.0
#include "base/npy_header.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/error.h"

namespace belay::npy {
namespace {

struct Row {
  DType dtype;
  std::string_view descr;
};

constexpr std::array kRows = {
    Row{DType::kBool, "|b1"},      Row{DType::kInt8, "|i1"},
    Row{DType::kUint8, "|u1"},     Row{DType::kInt16, "<i2"},
    Row{DType::kUint16, "<u2"},    Row{DType::kHalf, "<f2"},
    Row{DType::kInt32, "<i4"},     Row{DType::kUint32, "<u4"},
    Row{DType::kFloat, "<f4"},     Row{DType::kInt64, "<i8"},
    Row{DType::kUint64, "<u8"},    Row{DType::kDouble, "<f8"},
    Row{DType::kComplex64, "<c8"},
};

class Parser {
 public:
  Parser(std::string_view text, std::string_view file)
      : text_(text), file_(file) {}

  Header Run() {
    std::optional<DType> dtype;
    std::optional<bool> fortran_order;
    std::optional<Shape> shape;
    Expect('{');
    while (!Accept('}')) {
      const std::string_view key = String();
      Expect(':');
      if (key == "descr") {
        dtype = Descr();
      } else if (key == "fortran_order") {
        fortran_order = Truth();
      } else if (key == "shape") {
        shape = Tuple();
      } else {
        Fail("the header's keys are descr, fortran_order and shape", key);
      }
      if (!Accept(',')) {
        Expect('}');
        break;
      }
    }
    SkipSpace();
    if (position_ != text_.size()) {
      Fail("nothing may follow the header's dictionary", Rest());
    }
    if (!dtype) Fail("the header must hold the key", "descr");
    if (!fortran_order) Fail("the header must hold the key", "fortran_order");
    if (!shape) Fail("the header must hold the key", "shape");
    return Header{*dtype, *fortran_order, *shape};
  }

 private:
  [[noreturn]] void Fail(std::string_view rule, std::string_view value) const {
    throw UserError(fmt::format("[npy] {}: {}, got '{}'", file_, rule, value));
  }

  std::string_view Rest() const { return text_.substr(position_, 40); }

  void SkipSpace() {
    while (position_ < text_.size() &&
           (text_[position_] == ' ' || text_[position_] == '\t' ||
            text_[position_] == '\n')) {
      ++position_;
    }
  }

  bool Accept(char wanted) {
    SkipSpace();
    if (position_ >= text_.size() || text_[position_] != wanted) return false;
    ++position_;
    return true;
  }

  void Expect(char wanted) {
    if (!Accept(wanted)) {
      Fail(fmt::format("the header must have '{}' at position {}", wanted,
                       position_),
           Rest());
    }
  }

  std::string_view String() {
    SkipSpace();
    const char quote = position_ < text_.size() ? text_[position_] : '\0';
    if (quote != '\'' && quote != '"') {
      Fail(fmt::format("the header must have a quoted name at position {}",
                       position_),
           Rest());
    }
    const size_t begin = ++position_;
    const size_t end = text_.find(quote, begin);
    if (end == std::string_view::npos) {
      Fail("a name in the header must end with its quote",
           text_.substr(begin, 40));
    }
    position_ = end + 1;
    return text_.substr(begin, end - begin);
  }

  DType Descr() {
    SkipSpace();
    if (position_ < text_.size() && text_[position_] == '[') {
      Fail("structured types are not supported", Rest());
    }
    const std::string_view descr = String();
    for (const Row& row : kRows) {
      if (descr == row.descr) return row.dtype;
      // The byte order of one byte says nothing.
      if (descr.size() == 3 && row.descr[0] == '|' &&
          descr.substr(1) == row.descr.substr(1)) {
        return row.dtype;
      }
    }
    if (descr.starts_with('>')) {
      Fail("the byte order must be little-endian; save array.astype('<" +
               std::string(descr.substr(1)) + "')",
           descr);
    }
    Fail(
        "the type must be one of b1 i1 u1 i2 u2 f2 i4 u4 f4 i8 u8 f8 c8 (save "
        "bfloat16 as array.view('uint16'))",
        descr);
  }

  bool Truth() {
    SkipSpace();
    for (const auto& [word, value] :
         {std::pair{std::string_view("True"), true},
          std::pair{std::string_view("False"), false}}) {
      if (text_.substr(position_).starts_with(word)) {
        position_ += word.size();
        return value;
      }
    }
    Fail("fortran_order must be True or False", Rest());
  }

  Shape Tuple() {
    Shape shape;
    Expect('(');
    while (!Accept(')')) {
      SkipSpace();
      int64_t size = 0;
      const char* begin = text_.data() + position_;
      const auto [stop, error] =
          std::from_chars(begin, text_.data() + text_.size(), size);
      if (error != std::errc() || size < 0) {
        Fail("shape must be a tuple of sizes from 0 to 2^63 - 1", Rest());
      }
      position_ += static_cast<size_t>(stop - begin);
      Accept('L');  // as Python 2 wrote them
      shape.push_back(size);
      if (!Accept(',')) {
        if (shape.size() == 1) {
          Fail("shape must be a tuple; one size is written (n,)", Rest());
        }
        Expect(')');
        break;
      }
    }
    return shape;
  }

  std::string_view text_;
  std::string_view file_;
  size_t position_ = 0;
};

}  // namespace

Header ParseHeader(std::string_view text, std::string_view file) {
  return Parser(text, file).Run();
}

std::string FormatHeader(const Header& header) {
  const DType stored =
      header.dtype == DType::kBfloat16 ? DType::kUint16 : header.dtype;
  for (const Row& row : kRows) {
    if (row.dtype != stored) continue;
    std::string shape = fmt::format("{}", fmt::join(header.shape, ", "));
    if (header.shape.size() == 1) shape += ",";
    return fmt::format(
        "{{'descr': '{}', 'fortran_order': {}, 'shape': ({}), }}", row.descr,
        header.fortran_order ? "True" : "False", shape);
  }
  throw UserError(fmt::format(
      "[npy] the type must be one that numpy has, got {}; convert it first",
      NameOf(header.dtype)));
}

}  // namespace belay::npy
