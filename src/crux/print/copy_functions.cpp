// SPDX-License-Identifier: Apache-2.0
#include "crux/print/copy_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "crux/print/names.h"
#include "crux/print/type_families.h"

namespace belay::crux::print {
namespace {

// Three statements, one after the other, of a tensor that lives no longer, but
// that is given back by the function where more is done with a loaded one:
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

// How the runs of a copy lie: arguments behind the number of elements. Those at
// the end that are as a single run has them are left out.
struct Runs {
  std::string_view parameter;
  std::string_view alone;
};
constexpr std::array<Runs, 3> kRuns = {
    {{"rows", "1"}, {"from_gap", "0"}, {"to_gap", "0"}}};

// `runs`: how many parameters of runs it has. `gives`: it gives the tensor.
Text Definition(const Kind& kind, size_t runs, bool gives) {
  std::string parameters;
  std::vector<std::string> words;
  for (size_t i = 0; i < kRuns.size(); ++i) {
    const auto& [name, alone] = kRuns[i];
    if (i < runs) parameters += fmt::format(", int64_t {} = {}", name, alone);
    words.emplace_back(i < runs ? name : alone);
  }
  const std::string params =
      fmt::format("DataCopyExtParams({}, count * sizeof(T), {}, {}, 0)",
                  words[0], words[1], words[2]);
  Text text;
  text.Declaration("template <typename T, typename Queue>");
  text.Declaration(fmt::format(
      "__aicore__ inline {} {}(Queue& queue, const GlobalTensor<T>& {}, "
      "int64_t count{}) {{",
      gives ? "LocalTensor<T>" : "void", kind.function,
      kind.load ? "from" : "to", parameters));
  if (kind.load) {
    text.Statement("LocalTensor<T> local = queue.template AllocTensor<T>();");
    text.Statement(fmt::format(
        "DataCopyPad(local, from, {}, DataCopyPadExtParams<T>());", params));
    text.Statement("queue.EnQue(local);");
  } else {
    text.Statement("LocalTensor<T> local = queue.template DeQue<T>();");
    text.Statement(fmt::format("DataCopyPad(to, local, {});", params));
    text.Statement("queue.FreeTensor(local);");
  }
  if (gives) text.Statement("return local;");
  text.Close();
  text.Blank();
  return text;
}

// Bytes of an element of the type as a class names it; 0: not always the same.
int64_t SizeOf(std::string_view type, const typed::Kernel& kernel,
               const ClassGroup& group) {
  for (const size_t variable : group.parameters) {
    if (LegalName(kernel.dtypes[variable]->name) != type) continue;
    const auto size_in = [&](const ClassInstance& one) {
      return static_cast<int64_t>(BytesOf(one.variant->dtypes[variable]));
    };
    const int64_t size = size_in(group.instances[0]);
    const bool always = std::all_of(
        group.instances.begin(), group.instances.end(),
        [&](const ClassInstance& one) { return size_in(one) == size; });
    return always ? size : 0;
  }
  return SizeOfType(type);
}

// Elements of `size` bytes in as many bytes as the text says; nothing where it
// is no product that ends in a size of theirs.
std::optional<std::string> ElementsIn(std::string_view bytes, int64_t size) {
  int depth = 0;
  for (size_t i = 0; i + 1 < bytes.size(); ++i) {
    if (bytes[i] == '(' || bytes[i] == '[') ++depth;
    if (bytes[i] == ')' || bytes[i] == ']') --depth;
    const bool looser = depth == 0 && bytes[i] == ' ' && bytes[i + 1] != '*' &&
                        bytes[i - 1] != '*';
    if (looser) return std::nullopt;
  }
  constexpr std::string_view kTimes = " * ";
  const size_t times = bytes.rfind(kTimes);
  const bool product = times != std::string_view::npos;
  const std::string_view before = product ? bytes.substr(0, times) : "";
  const std::string_view last =
      product ? bytes.substr(times + kTimes.size()) : bytes;
  if (last.starts_with("kSize")) return std::string(product ? before : "1");
  int64_t factor = 0;
  const char* const end = last.data() + last.size();
  if (std::from_chars(last.data(), end, factor).ptr != end || size == 0 ||
      factor % size != 0) {
    return std::nullopt;
  }
  factor /= size;
  if (!product) return fmt::format("{}", factor);
  return factor == 1 ? std::string(before)
                     : fmt::format("{}{}{}", before, kTimes, factor);
}

// Arguments for "DataCopyExtParams(1, bytes, 0, 0, 0)" of elements of so many
// bytes, and how many of them are about runs.
struct Arguments {
  std::string text;
  size_t runs = 0;
};
std::optional<Arguments> ArgumentsOf(std::string_view params, int64_t size) {
  constexpr std::string_view kBegin = "DataCopyExtParams(";
  if (!params.starts_with(kBegin) || !params.ends_with(')')) {
    return std::nullopt;
  }
  params.remove_prefix(kBegin.size());
  params.remove_suffix(1);
  std::vector<std::string_view> words;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < params.size(); ++i) {
    if (params[i] == '(' || params[i] == '[') ++depth;
    if (params[i] == ')' || params[i] == ']') --depth;
    if (depth > 0 || params[i] != ',') continue;
    words.push_back(params.substr(begin, i - begin));
    begin = i + 2;
  }
  words.push_back(params.substr(begin));
  if (words.size() != 5 || words[4] != "0") return std::nullopt;
  const std::optional<std::string> count = ElementsIn(words[1], size);
  if (!count) return std::nullopt;
  const std::array<std::string_view, 3> own = {words[0], words[2], words[3]};
  Arguments result{*count, kRuns.size()};
  while (result.runs > 0 &&
         own[result.runs - 1] == kRuns[result.runs - 1].alone) {
    --result.runs;
  }
  for (size_t i = 0; i < result.runs; ++i) {
    result.text += fmt::format(", {}", own[i]);
  }
  return result;
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

// The call that takes the place of three lines from `at` on. `size_of`: bytes
// of an element by its type.
struct Call {
  std::string text;
  size_t runs = 0;
  bool gives = false;  // the tensor
};
template <typename SizeOf>
std::optional<Call> CallAt(const std::vector<Line>& lines, size_t at,
                           const Kind& kind, const SizeOf& size_of) {
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
  const std::string_view type =
      first.substr(kType.size(), blank - 1 - kType.size());
  const std::string_view name = first.substr(blank + 1, sign - blank - 1);
  const std::string_view queue = first.substr(sign + 3, take - sign - 3);
  const std::string own = fmt::format("{}{});", kind.leave, name);
  const bool gives = IsUsedBehind(lines, at + 3, name);
  if (lines[at + 2].text != std::string(queue) + own ||
      queue.find(' ') != std::string_view::npos || (gives && !kind.load)) {
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
  const size_t params = rest.find("DataCopyExtParams(");
  if (params == std::string_view::npos) return std::nullopt;
  const std::optional<Arguments> arguments =
      ArgumentsOf(rest.substr(params), size_of(type));
  if (!arguments) return std::nullopt;
  const std::string memory = kind.load
                                 ? std::string(rest.substr(0, params))
                                 : fmt::format("{}, ", words.substr(0, found));
  return Call{
      fmt::format("{}{}({}, {}{});", gives ? first.substr(0, sign + 3) : "",
                  kind.function, queue, memory, arguments->text),
      arguments->runs, gives};
}

// Without sizes of dtypes that nobody needs any more.
void DropSizes(Text& text) {
  constexpr std::string_view kSize = "static constexpr int64_t kSize";
  std::vector<Line>& lines = text.mutable_lines();
  std::erase_if(lines, [&](const Line& line) {
    if (!line.text.starts_with(kSize)) return false;
    const size_t name = line.text.find("kSize");
    const std::string_view word = std::string_view(line.text).substr(
        name, line.text.find(' ', name) - name);
    return std::count_if(lines.begin(), lines.end(), [&](const Line& other) {
             return HasWord(other.text, word);
           }) == 1;
  });
}

// Adds the function to `functions` if it takes lines away.
void Take(const Kind& kind, const typed::Kernel& kernel,
          std::vector<ClassGroup>& groups, Text& functions) {
  std::vector<std::vector<Line>> texts;
  size_t before = 0;
  size_t after = 0;
  size_t runs = 0;
  bool gives = false;
  for (const ClassGroup& group : groups) {
    const auto size_of = [&](std::string_view type) {
      return SizeOf(type, kernel, group);
    };
    const std::vector<Line>& lines = group.text.lines();
    std::vector<Line>& left = texts.emplace_back();
    for (size_t i = 0; i < lines.size(); ++i) {
      const auto call = CallAt(lines, i, kind, size_of);
      left.push_back(lines[i]);
      if (!call) continue;
      left.back().text = call->text;
      runs = std::max(runs, call->runs);
      gives = gives || call->gives;
      before += LaidLines({lines[i], lines[i + 1], lines[i + 2]});
      after += LaidLines({left.back()});
      i += 2;
    }
  }
  const Text definition = Definition(kind, runs, gives);
  if (before <= after + LaidLines(definition.lines())) return;
  functions.Append(definition);
  for (size_t i = 0; i < groups.size(); ++i) {
    groups[i].text.mutable_lines() = std::move(texts[i]);
    DropSizes(groups[i].text);
  }
}

}  // namespace

Text TakeCopies(const typed::Kernel& kernel, std::vector<ClassGroup>& groups) {
  Text functions;
  Take(kLoad, kernel, groups, functions);
  Take(kStore, kernel, groups, functions);
  return functions;
}

}  // namespace belay::crux::print
