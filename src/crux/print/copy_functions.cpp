// SPDX-License-Identifier: Apache-2.0
#include "crux/print/copy_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

// Three statements, one after the other, of a tensor that lives no longer:
//   LocalTensor<T> x = queue_.AllocTensor<T>();  or DeQue
//   DataCopyPad(x, from, params, DataCopyPadExtParams<T>());  or (to, x,
//   params) queue_.EnQue(x);  or FreeTensor
struct Kind {
  std::string_view function;
  std::string_view take;
  std::string_view behind;  // the copy's parameters
  std::string_view leave;
  bool load = false;
};
constexpr Kind kLoad = {"LoadInto", ".AllocTensor<", ", DataCopyPadExtParams<",
                        ".EnQue(", true};
constexpr Kind kStore = {"StoreFrom", ".DeQue<", ");", ".FreeTensor(", false};

Text Definition(const Kind& kind) {
  Text text;
  text.Declaration("template <typename T, typename Queue>");
  text.Declaration(fmt::format(
      "__aicore__ inline void {}(Queue& queue, const GlobalTensor<T>& {}, "
      "const DataCopyExtParams& params) {{",
      kind.function, kind.load ? "from" : "to"));
  if (kind.load) {
    text.Statement("LocalTensor<T> local = queue.template AllocTensor<T>();");
    text.Statement(
        "DataCopyPad(local, from, params, DataCopyPadExtParams<T>());");
    text.Statement("queue.EnQue(local);");
  } else {
    text.Statement("LocalTensor<T> local = queue.template DeQue<T>();");
    text.Statement("DataCopyPad(to, local, params);");
    text.Statement("queue.FreeTensor(local);");
  }
  text.Close();
  text.Blank();
  return text;
}

bool HasWord(std::string_view text, std::string_view word) {
  for (size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !IsWordPart(text[at - 1])) &&
        (end == text.size() || !IsWordPart(text[end]))) {
      return true;
    }
  }
  return false;
}

// Whether lines from `at` on, as far as the block of line `at` - 1 goes, have
// the word.
bool IsUsedBehind(const std::vector<Line>& lines, size_t at,
                  std::string_view word) {
  const int indent = lines[at - 1].indent;
  for (; at < lines.size(); ++at) {
    if (lines[at].kind == LineKind::kComment) continue;
    if (lines[at].indent < indent) return false;
    if (HasWord(lines[at].text, word)) return true;
  }
  return false;
}

// The call that takes the place of three lines from `at` on.
std::optional<std::string> CallAt(const std::vector<Line>& lines, size_t at,
                                  const Kind& kind) {
  constexpr std::string_view kType = "LocalTensor<";
  constexpr std::string_view kCopy = "DataCopyPad(";
  if (at + 2 >= lines.size()) return std::nullopt;
  for (size_t i = at; i < at + 3; ++i) {
    if (lines[i].kind != LineKind::kStatement ||
        lines[i].indent != lines[at].indent) {
      return std::nullopt;
    }
  }
  const std::string_view first = lines[at].text;
  const std::string_view copy = lines[at + 1].text;
  const size_t blank = first.find(' ');
  const size_t sign = first.find(" = ");
  const size_t take = first.find(kind.take);
  if (!first.starts_with(kType) || sign == std::string_view::npos ||
      take == std::string_view::npos || first.find(' ', blank + 1) != sign ||
      !copy.starts_with(kCopy)) {
    return std::nullopt;
  }
  const std::string_view name = first.substr(blank + 1, sign - blank - 1);
  const std::string_view queue = first.substr(sign + 3, take - sign - 3);
  const std::string own = fmt::format("{}{});", kind.leave, name);
  if (lines[at + 2].text != std::string(queue) + own ||
      queue.find(' ') != std::string_view::npos ||
      IsUsedBehind(lines, at + 3, name)) {
    return std::nullopt;
  }
  const size_t end = copy.rfind(kind.behind);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view words = copy.substr(kCopy.size(), end - kCopy.size());
  const std::string local =
      kind.load ? fmt::format("{}, ", name) : fmt::format(", {}, ", name);
  const size_t found = words.find(local);
  if (found == std::string_view::npos || (kind.load && found != 0)) {
    return std::nullopt;
  }
  const std::string_view rest = words.substr(found + local.size());
  const std::string arguments =
      kind.load ? std::string(rest)
                : fmt::format("{}, {}", words.substr(0, found), rest);
  return fmt::format("{}({}, {});", kind.function, queue, arguments);
}

// Adds the function to `functions` if it takes lines away.
void Take(const Kind& kind, std::vector<ClassGroup>& groups, Text& functions) {
  std::vector<std::vector<Line>> texts;
  size_t before = 0;
  size_t after = 0;
  for (const ClassGroup& group : groups) {
    const std::vector<Line>& lines = group.text.lines();
    std::vector<Line>& left = texts.emplace_back();
    for (size_t i = 0; i < lines.size(); ++i) {
      const auto call = CallAt(lines, i, kind);
      left.push_back(lines[i]);
      if (!call) continue;
      left.back().text = *call;
      before += LaidLines({lines[i], lines[i + 1], lines[i + 2]});
      after += LaidLines({left.back()});
      i += 2;
    }
  }
  const Text definition = Definition(kind);
  if (before <= after + LaidLines(definition.lines())) return;
  functions.Append(definition);
  for (size_t i = 0; i < groups.size(); ++i) {
    groups[i].text.mutable_lines() = std::move(texts[i]);
  }
}

}  // namespace

Text TakeCopies(std::vector<ClassGroup>& groups) {
  Text functions;
  Take(kLoad, groups, functions);
  Take(kStore, groups, functions);
  return functions;
}

}  // namespace belay::crux::print
