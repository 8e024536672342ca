// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_VALUES_READER_H_
#define BELAY_BENCH_VALUES_READER_H_

// Reads what an input holds: a kind, or a table with one.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

#include "bench/task.h"
#include "bench/toml_reader.h"

namespace belay::bench {

// The enumerator whose NameOf is `word`; BLY-K105 with the list otherwise.
template <typename Enum>
Enum ReadEnum(const TomlReader& table, std::string_view key,
              const std::string& word, Enum last) {
  std::vector<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(last); ++i) {
    const auto value = static_cast<Enum>(i);
    if (NameOf(value) == word) return value;
    names.push_back(NameOf(value));
  }
  table.Fail(code::kK105, fmt::format("'{}' must be one of {}, got \"{}\"", key,
                                      fmt::join(names, ", "), word));
}

// `table` is where `node` stands, for messages. Throws TaskError.
Values ReadValues(const TomlReader& table, const toml::node& node);

// Values that copy must name an input read before. Throws BLY-K107.
void RequireCopySource(const TomlReader& table, const Task& task,
                       const Values& values);

}  // namespace belay::bench

#endif  // BELAY_BENCH_VALUES_READER_H_
