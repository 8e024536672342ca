// SPDX-License-Identifier: Apache-2.0
#include "bench/import_text.h"

#include <cctype>

namespace belay::bench {
namespace {

bool InName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Past the string that begins at `at`, or the end of the text.
size_t SkipString(std::string_view text, size_t at) {
  const char quote = text[at];
  const std::string triple(3, quote);
  if (text.substr(at, 3) == triple) {
    const size_t end = text.find(triple, at + 3);
    return end == std::string_view::npos ? text.size() : end + 3;
  }
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == quote) {
      return at + 1;
    }
  }
  return text.size();
}

bool IsQuote(char c) { return c == '"' || c == '\''; }
bool Opens(char c) { return c == '(' || c == '[' || c == '{'; }
bool Closes(char c) { return c == ')' || c == ']' || c == '}'; }

}  // namespace

std::vector<PythonLine> SplitPython(const std::string& text) {
  std::vector<PythonLine> lines;
  PythonLine current;
  bool fresh = true;  // at the beginning of a logical line
  int depth = 0;
  int number = 1;
  const auto finish = [&] {
    current.text = Trim(current.text);
    const bool docstring = !current.text.empty() && IsQuote(current.text[0]) &&
                           SkipString(current.text, 0) == current.text.size();
    if (!current.text.empty() && !docstring) lines.push_back(current);
    current = {};
    fresh = true;
  };
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (fresh && (c == ' ' || c == '\t')) {
      current.indent += c == '\t' ? 8 : 1;
      ++i;
      continue;
    }
    if (c == '\n') {
      if (depth == 0) {
        finish();
      } else {
        current.text += ' ';
      }
      ++number;
      ++i;
      continue;
    }
    if (fresh) current.line = number;
    fresh = false;
    if (c == '#') {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (IsQuote(c)) {
      const size_t end = SkipString(text, i);
      for (size_t k = i; k < end; ++k) number += text[k] == '\n';
      current.text += text.substr(i, end - i);
      i = end;
    } else if (c == '\\' && i + 1 < text.size() && text[i + 1] == '\n') {
      ++number;
      i += 2;
    } else {
      depth += Opens(c) ? 1 : Closes(c) ? -1 : 0;
      if (c == ' ' && current.text.ends_with(' ')) {
        ++i;
        continue;
      }
      if (c != '\r') current.text += c;
      ++i;
    }
  }
  finish();
  return lines;
}

std::string Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return "";
  return std::string(
      text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1));
}

std::vector<std::string> SplitArguments(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (IsQuote(text[i])) {
      i = SkipString(text, i) - 1;
    } else if (text[i] == ',' && depth == 0) {
      parts.push_back(Trim(text.substr(begin, i - begin)));
      begin = i + 1;
    } else {
      depth += Opens(text[i]) ? 1 : Closes(text[i]) ? -1 : 0;
    }
  }
  const std::string last = Trim(text.substr(begin));
  if (!last.empty()) parts.push_back(last);
  return parts;
}

size_t MatchingBracket(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (IsQuote(text[i])) {
      i = SkipString(text, i) - 1;
      continue;
    }
    depth += Opens(text[i]) ? 1 : Closes(text[i]) ? -1 : 0;
    if (depth == 0) return i;
  }
  return std::string_view::npos;
}

std::optional<PythonCall> ReadCall(std::string_view text) {
  size_t end = 0;
  while (end < text.size() && (InName(text[end]) || text[end] == '.')) ++end;
  if (end == 0 || end == text.size() || text[end] != '(') return std::nullopt;
  const size_t close = MatchingBracket(text, end);
  if (close == std::string_view::npos) return std::nullopt;
  PythonCall call;
  call.name = text.substr(0, end);
  call.arguments = SplitArguments(text.substr(end + 1, close - end - 1));
  call.rest = Trim(text.substr(close + 1));
  return call;
}

std::string ReplaceNames(
    std::string_view text,
    const std::function<std::optional<std::string>(const std::string&)>&
        replace) {
  std::string result;
  int depth = 0;
  for (size_t i = 0; i < text.size();) {
    if (IsQuote(text[i])) {
      const size_t end = SkipString(text, i);
      result += text.substr(i, end - i);
      i = end;
      continue;
    }
    if (!InName(text[i])) {
      depth += Opens(text[i]) ? 1 : Closes(text[i]) ? -1 : 0;
      result += text[i++];
      continue;
    }
    size_t end = i;
    while (end < text.size() && InName(text[end])) ++end;
    const std::string name(text.substr(i, end - i));
    size_t next = end;
    while (next < text.size() && text[next] == ' ') ++next;
    const bool keyword = depth > 0 && next < text.size() && text[next] == '=' &&
                         (next + 1 == text.size() || text[next + 1] != '=');
    const bool member = !result.empty() && result.back() == '.';
    const bool number = std::isdigit(static_cast<unsigned char>(name[0])) != 0;
    const auto other =
        keyword || member || number ? std::nullopt : replace(name);
    result += other.value_or(name);
    i = end;
  }
  return result;
}

std::string ReplaceNames(std::string_view text,
                         const std::map<std::string, std::string>& texts) {
  return ReplaceNames(
      text, [&](const std::string& name) -> std::optional<std::string> {
        const auto found = texts.find(name);
        if (found == texts.end()) return std::nullopt;
        return found->second;
      });
}

std::string TupleToList(std::string_view text) {
  const std::string trimmed = Trim(text);
  if (!trimmed.starts_with('(') ||
      MatchingBracket(trimmed, 0) != trimmed.size() - 1) {
    return trimmed;
  }
  std::string inner = Trim(trimmed.substr(1, trimmed.size() - 2));
  const bool trailing = inner.ends_with(',');
  if (SplitArguments(inner).size() < 2 && !trailing) return trimmed;
  if (trailing) inner.pop_back();
  return "[" + inner + "]";
}

}  // namespace belay::bench
