// SPDX-License-Identifier: Apache-2.0
#include "crux/print/named_products.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "crux/print/names.h"
#include "crux/print/project.h"

namespace belay::crux::print {
namespace {

constexpr std::string_view kInit = "__aicore__ inline void Init(";
constexpr std::string_view kBuffer = "pipe->InitBuffer(";
constexpr std::string_view kEnd = ");";
constexpr std::string_view kAligned = "AlignUp(";
constexpr std::string_view kTimes = " * ";

bool IsFactor(std::string_view word) {
  return word.starts_with("kSize") ||
         std::all_of(word.begin(), word.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

// Where the product begins that ends before `end`.
size_t BeginOf(std::string_view line, size_t end) {
  int depth = 0;
  size_t at = end;
  for (; at > 0; --at) {
    const char c = line[at - 1];
    if (c == ')') ++depth;
    if (c == '(' && depth-- == 0) break;
    // Anything but " * ", at the product's own depth.
    if (depth == 0 && c == ' ' && line[at] != '*' && line[at - 2] != '*') break;
  }
  return at;
}

// Whether what begins at `at` is an argument from there on.
bool BeginsArgument(std::string_view line, size_t at) {
  return line[at - 1] == '(' || line.substr(at - 2, 2) == ", ";
}

// Products of several fields, without the last factor, a number.
std::vector<std::string> ProductsIn(std::string_view line) {
  std::vector<std::string> products;
  for (size_t at = line.find(kTimes); at != std::string_view::npos;
       at = line.find(kTimes, at + 1)) {
    size_t end = at + kTimes.size();
    while (end < line.size() && IsWordPart(line[end])) ++end;
    const std::string_view factor =
        line.substr(at + kTimes.size(), end - at - kTimes.size());
    const bool last =
        end < line.size() && (line[end] == ',' || line[end] == ')');
    if (factor.empty() || !IsFactor(factor) || !last) continue;
    const size_t begin = BeginOf(line, at);
    const std::string_view product = line.substr(begin, at - begin);
    if (product.find(kTimes) != std::string_view::npos &&
        BeginsArgument(line, begin)) {
      products.emplace_back(product);
    }
  }
  return products;
}

// Init with a name for arguments, or what they begin with, said before the
// first buffer. `behinds`: what may follow them.
std::vector<Line> With(std::vector<Line> init, const std::string& named,
                       std::initializer_list<std::string_view> behinds,
                       const std::string& name) {
  size_t first = init.size();
  for (size_t i = init.size(); i-- > 0;) {
    std::string& text = init[i].text;
    if (!text.starts_with(kBuffer)) continue;
    first = i;
    for (size_t at = text.find(named); at != std::string::npos;
         at = text.find(named, at + 1)) {
      const std::string_view rest =
          std::string_view(text).substr(at + named.size());
      const bool whole = std::any_of(
          behinds.begin(), behinds.end(),
          [&](std::string_view one) { return rest.starts_with(one); });
      if (whole && BeginsArgument(text, at)) {
        text.replace(at, named.size(), name);
      }
    }
  }
  // In front of conditions around it.
  const int indent = init[0].indent + 2;
  while (init[first].indent > indent || init[first].text.starts_with('}')) {
    --first;
  }
  init.insert(init.begin() + static_cast<ptrdiff_t>(first),
              {LineKind::kStatement, indent,
               "const int64_t " + name + " = " + named + ";"});
  return init;
}

// Init, which gives way to what takes fewer lines.
class Shortest {
 public:
  Shortest(std::vector<Line>& init, LineCounter& counter)
      : init_(init), counter_(counter), laid_(counter.Count(init)) {}
  bool Take(std::vector<Line> other) {
    const size_t laid = counter_.Count(other);
    if (laid >= laid_) return false;
    init_ = std::move(other);
    laid_ = laid;
    return true;
  }

 private:
  std::vector<Line>& init_;
  LineCounter& counter_;
  size_t laid_;
};

// What the lines of buffers have of something, each once.
template <typename Find>
std::vector<std::string> FoundIn(const std::vector<Line>& init,
                                 const Find& find) {
  std::vector<std::string> all;
  for (const Line& line : init) {
    if (!line.text.starts_with(kBuffer)) continue;
    for (std::string& one : find(line.text)) {
      if (std::find(all.begin(), all.end(), one) == all.end()) {
        all.push_back(std::move(one));
      }
    }
  }
  return all;
}

void NameTiles(const Text& text, std::vector<Line>& init,
               LineCounter& counter) {
  Shortest shortest(init, counter);
  int names = 0;
  for (const std::string& product : FoundIn(init, ProductsIn)) {
    std::string name;
    do {
      name = ++names == 1 ? "tile" : "tile" + std::to_string(names);
    } while (Mentions(text, name));
    if (!shortest.Take(With(init, product, {kTimes}, name))) --names;
  }
}

// How many bytes a line asks for: "AlignUp(elements * size, 512)".
std::vector<std::string> SizesIn(std::string_view line) {
  line.remove_suffix(kEnd.size());
  const size_t begin = BeginOf(line, line.size());
  const std::string_view size = line.substr(begin);
  if (!size.starts_with(kAligned) || !size.ends_with(", 512)") ||
      !BeginsArgument(line, begin)) {
    return {};
  }
  return {std::string(size)};
}

// "c_bytes4" for "AlignUp(tiling_->c_tile * 4, 512)". Nothing where there are
// more words for the elements.
std::string SizeName(std::string_view size) {
  size.remove_prefix(kAligned.size());
  constexpr std::string_view kField = "tiling_->";
  if (size.starts_with(kField)) size.remove_prefix(kField.size());
  size_t end = 0;
  while (IsWordPart(size[end])) ++end;
  std::string_view elements = size.substr(0, end);
  size.remove_prefix(end);
  if (!size.starts_with(kTimes)) return "";
  size.remove_prefix(kTimes.size());
  const std::string_view factor = size.substr(0, size.find(','));
  if (!IsFactor(factor)) return "";
  for (const std::string_view behind : {"_tile", "_rows"}) {
    if (elements.ends_with(behind)) elements.remove_suffix(behind.size());
  }
  const bool number = !factor.starts_with("kSize");
  return fmt::format("{}_bytes{}", elements, number ? factor : "");
}

void NameSizes(const Text& text, std::vector<Line>& init,
               LineCounter& counter) {
  Shortest shortest(init, counter);
  for (const std::string& size : FoundIn(init, SizesIn)) {
    const std::string name = SizeName(size);
    if (name.empty() || Mentions(text, name)) continue;
    const auto uses =
        std::count_if(init.begin(), init.end(), [&](const Line& line) {
          return line.text.find(size) != std::string::npos;
        });
    if (uses < 2) continue;
    shortest.Take(With(init, size, {kEnd, " + "}, name));
  }
}

}  // namespace

void NameProducts(Text& text) {
  std::vector<Line>& lines = text.mutable_lines();
  const auto begin = std::find_if(
      lines.begin(), lines.end(),
      [](const Line& line) { return line.text.starts_with(kInit); });
  if (begin == lines.end()) return;
  const auto end = std::find_if(begin, lines.end(), [&](const Line& line) {
    return line.indent == begin->indent && line.text == "}";
  });
  std::vector<Line> init(begin, end);
  LineCounter counter;
  NameTiles(text, init, counter);
  NameSizes(text, init, counter);
  const auto at = lines.erase(begin, end);
  lines.insert(at, init.begin(), init.end());
}

}  // namespace belay::crux::print
