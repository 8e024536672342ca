// SPDX-License-Identifier: Apache-2.0
#include "crux/print/named_products.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "crux/print/names.h"
#include "crux/print/project.h"

namespace belay::crux::print {
namespace {

constexpr std::string_view kInit = "__aicore__ inline void Init(";
constexpr std::string_view kBuffer = "pipe->InitBuffer(";
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

// Init with a name for the product, said before its first buffer.
std::vector<Line> With(std::vector<Line> init, const std::string& product,
                       const std::string& name) {
  size_t first = init.size();
  for (size_t i = init.size(); i-- > 0;) {
    std::string& text = init[i].text;
    if (!text.starts_with(kBuffer)) continue;
    first = i;
    for (size_t at = text.find(product); at != std::string::npos;
         at = text.find(product, at + 1)) {
      const bool whole =
          text.compare(at + product.size(), kTimes.size(), kTimes) == 0;
      if (whole && BeginsArgument(text, at)) {
        text.replace(at, product.size(), name);
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
               "const int64_t " + name + " = " + product + ";"});
  return init;
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
  std::vector<std::string> products;
  for (const Line& line : init) {
    if (!line.text.starts_with(kBuffer)) continue;
    for (std::string& product : ProductsIn(line.text)) {
      if (std::find(products.begin(), products.end(), product) ==
          products.end()) {
        products.push_back(std::move(product));
      }
    }
  }
  if (products.empty()) return;
  size_t laid = LaidLines(init);
  int names = 0;
  for (const std::string& product : products) {
    std::string name;
    do {
      name = ++names == 1 ? "tile" : "tile" + std::to_string(names);
    } while (Mentions(text, name));
    std::vector<Line> named = With(init, product, name);
    const size_t laid_then = LaidLines(named);
    if (laid_then < laid) {
      init = std::move(named);
      laid = laid_then;
    } else {
      --names;
    }
  }
  const auto at = lines.erase(begin, end);
  lines.insert(at, init.begin(), init.end());
}

}  // namespace belay::crux::print
