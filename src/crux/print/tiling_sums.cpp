// SPDX-License-Identifier: Apache-2.0
#include "crux/print/tiling_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "crux/print/merged_sums.h"

namespace belay::crux::print {
namespace {

// "total += x;" so many times.
std::string Times(const std::string& statement, int count) {
  const size_t sum = statement.find("= ") + 2;
  const std::string value = statement.substr(sum, statement.size() - sum - 1);
  return fmt::format("{}{} * {};", statement.substr(0, sum), AsFactor(value),
                     count);
}

bool IsSum(const Line& line) {
  return line.text.starts_with("total += ") ||
         line.text.starts_with("moved += ");
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
    lines.back().text = Times(lines.back().text, times);
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

Text WithShortSums(const Text& text) { return WithSums(WithoutRepeats(text)); }

}  // namespace belay::crux::print
