// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace belay::runtime {
namespace {

using Problems = std::vector<std::string>;

// More would be a mistake, and would take for ever to build.
constexpr size_t kMaxColumns = 100'000;

struct SideOfOperator {
  const abi::HostParameter* parameter;
  const char* word;  // "input" or "output"
};

bool Follows(const abi::HostParameter& parameter, abi::HostFollow what) {
  return !parameter.follow.empty() &&
         (parameter.follow_what == abi::HostFollow::kAll ||
          parameter.follow_what == what);
}

// Length of the lists that stand side by side; 1 if there are none.
size_t CommonLength(const std::vector<SideOfOperator>& sides,
                    Problems& problems) {
  size_t shortest = 0;
  std::string first;
  size_t first_length = 0;
  const auto see = [&](const SideOfOperator& side, const char* list,
                       size_t length) {
    if (length == 0) return;
    const std::string name =
        fmt::format("{} of {} '{}'", list, side.word, side.parameter->name);
    if (shortest == 0) {
      first = name;
      first_length = shortest = length;
      return;
    }
    if (length != first_length) {
      problems.push_back(
          fmt::format("{} has {} entries, but {} has {}: every DataType and "
                      "Format of an operator must have one entry per column",
                      first, first_length, name, length));
    }
    shortest = std::min(shortest, length);
  };
  for (const SideOfOperator& side : sides) {
    see(side, "DataType", side.parameter->dtypes.size());
    see(side, "Format", side.parameter->formats.size());
  }
  return shortest == 0 ? 1 : shortest;
}

void CheckLists(const SideOfOperator& side, Problems& problems) {
  const abi::HostParameter& parameter = *side.parameter;
  if (parameter.dtypes.size() > 0 && parameter.dtype_list.size() > 0) {
    problems.push_back(fmt::format(
        "{} '{}' has both DataType and DataTypeList: give one of them",
        side.word, parameter.name));
  }
  if (parameter.formats.size() > 0 && parameter.format_list.size() > 0) {
    problems.push_back(
        fmt::format("{} '{}' has both Format and FormatList: give one of them",
                    side.word, parameter.name));
  }
  if (parameter.dtypes.size() == 0 && parameter.dtype_list.size() == 0 &&
      !Follows(parameter, abi::HostFollow::kDtype)) {
    problems.push_back(fmt::format(
        "{} '{}' has no types: call DataType({{…}}), DataTypeList({{…}}) or "
        "Follow(\"…\")",
        side.word, parameter.name));
  }
}

// Writes `list` to `column` so that it goes with every combination of what is
// there: the lists before it vary slower, those after it faster.
template <typename T>
void Repeat(const std::vector<T>& list, size_t total, size_t& faster,
            std::vector<T>& column) {
  faster /= list.size();
  for (size_t i = 0; i < total; ++i) {
    column.push_back(list[i / faster % list.size()]);
  }
}

template <typename T>
void Spread(const std::vector<T>& entries, size_t each, size_t total,
            std::vector<T>& column) {
  for (size_t i = 0; i < total; ++i) column.push_back(entries[i / each]);
}

// The input a parameter follows to in the end; nullptr where the chain breaks.
size_t Source(const std::vector<SideOfOperator>& sides, size_t from,
              abi::HostFollow what) {
  size_t at = from;
  for (size_t steps = 0; steps <= sides.size(); ++steps) {
    if (!Follows(*sides[at].parameter, what)) return at;
    const std::string& wanted = sides[at].parameter->follow;
    const auto found = std::find_if(
        sides.begin(), sides.end(), [&](const SideOfOperator& side) {
          return std::strcmp(side.word, "input") == 0 &&
                 side.parameter->name == wanted;
        });
    if (found == sides.end()) return sides.size();
    at = static_cast<size_t>(found - sides.begin());
  }
  return sides.size();
}

}  // namespace

std::vector<ColumnsOfParameter> ResolveColumns(
    const std::vector<abi::HostParameter>& inputs,
    const std::vector<abi::HostParameter>& outputs, Problems& problems) {
  std::vector<SideOfOperator> sides;
  for (const abi::HostParameter& input : inputs) {
    sides.push_back({&input, "input"});
  }
  for (const abi::HostParameter& output : outputs) {
    sides.push_back({&output, "output"});
  }
  for (const SideOfOperator& side : sides) CheckLists(side, problems);

  const size_t length = CommonLength(sides, problems);
  size_t combinations = 1;
  for (const SideOfOperator& side : sides) {
    combinations *= std::max<size_t>(1, side.parameter->dtype_list.size());
    combinations *= std::max<size_t>(1, side.parameter->format_list.size());
    if (length * combinations > kMaxColumns) {
      problems.push_back(
          fmt::format("DataTypeList and FormatList make more than {} columns",
                      kMaxColumns));
      return std::vector<ColumnsOfParameter>(sides.size());
    }
  }

  const size_t total = length * combinations;
  std::vector<ColumnsOfParameter> columns(sides.size());
  size_t faster = combinations;
  for (size_t i = 0; i < sides.size(); ++i) {
    const abi::HostParameter& parameter = *sides[i].parameter;
    if (parameter.dtype_list.size() > 0) {
      Repeat(parameter.dtype_list, total, faster, columns[i].dtypes);
    } else if (parameter.dtypes.size() > 0) {
      Spread(parameter.dtypes, combinations, total, columns[i].dtypes);
    }
    if (parameter.format_list.size() > 0) {
      Repeat(parameter.format_list, total, faster, columns[i].formats);
    } else if (parameter.formats.size() > 0) {
      Spread(parameter.formats, combinations, total, columns[i].formats);
    } else {
      columns[i].formats.assign(total, ge::FORMAT_ND);
    }
  }

  for (size_t i = 0; i < sides.size(); ++i) {
    const abi::HostParameter& parameter = *sides[i].parameter;
    if (parameter.follow.empty()) continue;
    const size_t source = Source(sides, i, parameter.follow_what);
    if (source == sides.size() || source == i) {
      problems.push_back(
          fmt::format("{} '{}' follows '{}', which leads to no input",
                      sides[i].word, parameter.name, parameter.follow));
      continue;
    }
    if (Follows(parameter, abi::HostFollow::kDtype)) {
      columns[i].dtypes = columns[source].dtypes;
    }
    if (Follows(parameter, abi::HostFollow::kFormat)) {
      columns[i].formats = columns[source].formats;
    }
  }
  return columns;
}

}  // namespace belay::runtime
