// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_IMPORT_TEXT_H_
#define BELAY_BENCH_IMPORT_TEXT_H_

// Python text as the importer takes it apart: logical lines, arguments, names.

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belay::bench {

// One statement: continuation lines joined, comments and docstrings gone.
struct PythonLine {
  int indent = 0;
  std::string text;
  int line = 0;
};

std::vector<PythonLine> SplitPython(const std::string& text);

std::string Trim(std::string_view text);

// Parts between commas outside brackets and strings; none for blank text.
std::vector<std::string> SplitArguments(std::string_view text);

// Where the bracket at `open` ends, or npos.
size_t MatchingBracket(std::string_view text, size_t open);

// "name(arguments)" and what follows it, or nothing.
struct PythonCall {
  std::string name;
  std::vector<std::string> arguments;
  std::string rest;
};
std::optional<PythonCall> ReadCall(std::string_view text);

// Replaces names outside strings; names after '.' and names of keyword
// arguments stay. `replace` gives nothing for a name that stays.
std::string ReplaceNames(
    std::string_view text,
    const std::function<std::optional<std::string>(const std::string&)>&
        replace);

// Replaces whole names by their texts.
std::string ReplaceNames(std::string_view text,
                         const std::map<std::string, std::string>& texts);

// "(a, b)" as "[a, b]"; other text as it is.
std::string TupleToList(std::string_view text);

}  // namespace belay::bench

#endif  // BELAY_BENCH_IMPORT_TEXT_H_
