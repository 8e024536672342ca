// SPDX-License-Identifier: Apache-2.0
#include "crux/print/tiling_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

// Whether it must be in brackets to be a factor.
bool IsLoose(std::string_view value) {
  int depth = 0;
  for (size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '(') ++depth;
    if (value[i] == ')') --depth;
    const std::string_view rest = value.substr(i);
    if (depth == 0 && (rest.starts_with(" + ") || rest.starts_with(" - ") ||
                       rest.starts_with(" ? "))) {
      return true;
    }
  }
  return false;
}

// "total += x;" so many times.
std::string Times(std::string statement, const std::string& count) {
  const size_t sum = statement.find("= ") + 2;
  if (IsLoose(std::string_view(statement).substr(sum))) {
    statement.insert(statement.size() - 1, ")");
    statement.insert(sum, "(");
  }
  statement.insert(statement.size() - 1, " * " + count);
  return statement;
}

bool IsSum(const Line& line) {
  return line.text.starts_with("total += ") ||
         line.text.starts_with("moved += ");
}

// What is added if a or b holds, and again if both do, is added a + b times.
//   if (a || b) {              if (a && b) {
//     total += x;                total += x;
//     if (a && b) {     or     }
//       total += x;            if (a || b) {
//     }                          total += x;
//   }                          }
Text WithCounts(const Text& text) {
  const std::vector<Line>& all = text.lines();
  std::vector<Line> lines;
  for (size_t i = 0; i < all.size(); ++i) {
    lines.push_back(all[i]);
    if (i + 5 >= all.size() || !IsSum(all[i + 1])) continue;
    const bool nested = all[i + 2].text != "}";
    const size_t inner = nested ? 2 : 3;
    const Line& any = nested ? all[i] : all[i + 3];
    const Line& both = nested ? all[i + 2] : all[i];
    const size_t sign = any.text.find(" || ");
    if (!any.text.starts_with("if (") || sign == std::string::npos) continue;
    const std::string a = any.text.substr(4, sign - 4);
    const std::string b = any.text.substr(sign + 4, any.text.size() - sign - 7);
    const bool again = both.text == fmt::format("if ({} && {}) {{", a, b) &&
                       std::all_of(a.begin(), a.end(), IsWordPart) &&
                       std::all_of(b.begin(), b.end(), IsWordPart) &&
                       all[i + inner + 1].text == all[i + 1].text &&
                       all[i + 4 + (nested ? 0 : 1)].text == "}" &&
                       (!nested || all[i + 5].text == "}");
    if (!again) continue;
    lines.back().text = Times(all[i + 1].text, fmt::format("({} + {})", a, b));
    i += 5;
  }
  Text result;
  result.AppendLines(lines);
  return result;
}

// "int64_t total = x;" of "total += x;".
std::string Begun(const Line& line) {
  std::string text = "int64_t " + line.text;
  return text.erase(text.find("+="), 1);
}

// "total += x;" twice is "total += x * 2;".
Text WithoutRepeats(const Text& text) {
  std::vector<Line> lines;
  int times = 1;
  const auto finish = [&] {
    if (times == 1) return;
    lines.back().text = Times(lines.back().text, fmt::format("{}", times));
    times = 1;
  };
  for (const Line& line : text.lines()) {
    const bool again =
        !lines.empty() && IsSum(line) && line.indent == lines.back().indent &&
        (line.text == lines.back().text || Begun(line) == lines.back().text);
    if (again) {
      ++times;
      continue;
    }
    finish();
    lines.push_back(line);
  }
  finish();
  Text result;
  result.AppendLines(lines);
  return result;
}

// What is added up term by term, under no condition, in one statement.
Text WithSums(const Text& text) {
  constexpr std::string_view kBegin = "int64_t total = ";
  constexpr std::string_view kMore = "total += ";
  std::vector<Line> lines;
  const std::vector<Line>& all = text.lines();
  for (size_t i = 0; i < all.size(); ++i) {
    lines.push_back(all[i]);
    if (!all[i].text.starts_with(kBegin)) continue;
    size_t end = i + 1;
    std::string sum;
    while (end < all.size() && all[end].text.starts_with(kMore)) {
      const std::string& term = all[end++].text;
      sum += (sum.empty() ? "" : " + ") +
             term.substr(kMore.size(), term.size() - kMore.size() - 1);
    }
    if (end == all.size() || all[end].text != "return total;") continue;
    const std::string first = all[i].text.substr(
        kBegin.size(), all[i].text.size() - kBegin.size() - 1);
    if (first != "0") sum += (sum.empty() ? "" : " + ") + first;
    lines.back().text = fmt::format("return {};", sum);
    i = end;
    // A short one in one line.
    constexpr size_t kShort = 20;
    if (i + 1 < all.size() && all[i + 1].text == "};" && sum.size() <= kShort &&
        lines.size() > 1) {
      lines.pop_back();
      lines.back().text += fmt::format(" return {}; }};", sum);
      ++i;
    }
  }
  Text result;
  result.AppendLines(lines);
  return result;
}

}  // namespace

Text WithShortSums(const Text& text) {
  return WithSums(WithoutRepeats(WithCounts(text)));
}

}  // namespace belay::crux::print
