// SPDX-License-Identifier: Apache-2.0
#include "crux/print/tiling_sums.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "crux/print/merged_sums.h"
#include "crux/print/names.h"

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

// "a ? b : c" by itself.
bool IsChoice(std::string_view term) {
  int depth = 0;
  for (const char c : term) {
    if (c == '(' || c == '{') ++depth;
    if (c == ')' || c == '}') --depth;
    if (c == '?' && depth == 0) return true;
  }
  return false;
}

std::string SumOf(const std::vector<std::string>& terms) {
  std::string sum;
  for (const std::string& term : terms) {
    if (!sum.empty()) sum += " + ";
    sum += terms.size() > 1 && IsChoice(term) ? "(" + term + ")" : term;
  }
  return sum;
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
    std::vector<std::string> terms;
    while (end < all.size() && all[end].text.starts_with(kMore)) {
      const std::string& term = all[end++].text;
      terms.push_back(
          term.substr(kMore.size(), term.size() - kMore.size() - 1));
    }
    if (end == all.size() || all[end].text != "return total;") continue;
    const std::string first = all[i].text.substr(
        kBegin.size(), all[i].text.size() - kBegin.size() - 1);
    if (first != "0") terms.push_back(first);
    const std::string sum = SumOf(terms);
    lines.back().text = fmt::format("return {};", sum);
    i = end;
    // A short one in one line.
    constexpr size_t kShort = 20;
    if (i + 1 < all.size() && all[i + 1].text == "};" && sum.size() <= kShort &&
        lines.size() > 1 && lines[lines.size() - 2].text.ends_with('{')) {
      lines.pop_back();
      lines.back().text += fmt::format(" return {}; }};", sum);
      ++i;
    }
  }
  Text result;
  result.AppendLines(lines);
  return result;
}

// "int64_t moved = x;" and what is added to it, as `lines` have it.
struct Sum {
  size_t begin = 0;
  std::vector<std::string> lines;
  bool whole = true;  // nothing is added under a condition
};
Sum SumIn(const std::vector<Line>& lines) {
  Sum sum;
  const auto first =
      std::find_if(lines.begin(), lines.end(), [](const Line& line) {
        return line.text.starts_with("int64_t moved = ");
      });
  sum.begin = static_cast<size_t>(first - lines.begin());
  auto line = first;
  for (; line != lines.end(); ++line) {
    if (line != first && !line->text.starts_with("moved += ")) break;
    sum.lines.push_back(line->text);
  }
  sum.whole = std::none_of(line, lines.end(), [](const Line& behind) {
    return behind.text.starts_with("moved += ");
  });
  return sum;
}

}  // namespace

Text WithShortSums(const Text& text) { return WithSums(WithoutRepeats(text)); }

std::vector<std::string> TakeSum(const Text& front,
                                 const std::vector<Text*>& blocks) {
  std::vector<std::string> taken;
  size_t times = 0;
  for (const Text* const block : blocks) {
    const Sum sum = SumIn(block->lines());
    if (sum.lines.empty()) continue;
    if (!sum.whole || (++times > 1 && sum.lines != taken)) return {};
    taken = sum.lines;
  }
  // What it speaks of must be there in front, and it itself not yet.
  if (times < 2 || !SumIn(front.lines()).lines.empty()) return {};
  const auto says = [](const Text& text, const std::string& what) {
    return std::any_of(
        text.lines().begin(), text.lines().end(),
        [&](const Line& line) { return line.text.starts_with(what); });
  };
  for (const std::string& line : taken) {
    for (size_t at = 0; at < line.size(); ++at) {
      size_t end = at;
      while (end < line.size() && IsWordPart(line[end])) ++end;
      const std::string word = line.substr(at, end - at);
      const bool field = at >= 2 && line.compare(at - 2, 2, "->") == 0;
      if (field && !says(front, "tiling->" + word + " = ")) return {};
      const std::string own = "const int64_t " + word + " = ";
      const bool local =
          !word.empty() && !field && !says(front, own) &&
          std::any_of(blocks.begin(), blocks.end(),
                      [&](const Text* block) { return says(*block, own); });
      if (local) return {};
      at = end;
    }
  }
  for (Text* const block : blocks) {
    std::vector<Line>& lines = block->mutable_lines();
    const Sum sum = SumIn(lines);
    const auto begin = lines.begin() + static_cast<ptrdiff_t>(sum.begin);
    lines.erase(begin, begin + static_cast<ptrdiff_t>(sum.lines.size()));
  }
  return taken;
}

}  // namespace belay::crux::print
