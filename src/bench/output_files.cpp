// SPDX-License-Identifier: Apache-2.0
#include "bench/output_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "bench/case.h"

namespace belay::bench {
namespace {

namespace fs = std::filesystem;

void RequireOutputNames(const Task& task, const OutputFiles& files) {
  std::vector<std::string> names;
  for (const OutputSpec& output : task.outputs) names.push_back(output.name);
  for (const auto& [name, paths] : files) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    throw UserError(fmt::format("[compare] {} has no output '{}': it has {}",
                                task.id, name, fmt::join(names, ", ")));
  }
}

}  // namespace

OutputFiles FindOutputFiles(const Task& task, const Case& one_case,
                            const fs::path& folder, const std::string& role) {
  OutputFiles files;
  for (const OutputSpec& output : task.outputs) {
    if (!IsPresent(output, one_case)) continue;
    const auto path = [&](size_t i) {
      return folder / fmt::format("{}.{}.{}.npy", role, output.name, i);
    };
    std::vector<fs::path>& paths = files[output.name];
    while (fs::exists(path(paths.size()))) paths.push_back(path(paths.size()));
    const auto shapes = OutputShapes(output, one_case);
    const bool may_be_empty = output.list && shapes && shapes->empty();
    if (paths.empty() && !may_be_empty) {
      throw UserError(
          fmt::format("[compare] {} {}: there is no file {} for output '{}'",
                      task.id, one_case.name, path(0).string(), output.name));
    }
  }
  return files;
}

Arguments ReadOutputs(const Task& task, const Case& one_case,
                      const OutputFiles& files) {
  RequireOutputNames(task, files);
  Arguments outputs;
  for (const OutputSpec& output : task.outputs) {
    Argument argument;
    argument.name = output.name;
    argument.list = output.list;
    const auto given = files.find(output.name);
    argument.present = given != files.end();
    if (!argument.present && IsPresent(output, one_case)) {
      throw UserError(fmt::format(
          "[compare] {} {}: output '{}' has no file: add --out {}=FILE.npy",
          task.id, one_case.name, output.name, output.name));
    }
    if (argument.present) {
      for (const fs::path& path : given->second) {
        Array array = ReadNpy(path);
        if (array.dtype == DType::kUint16 &&
            DTypeOf(output.dtype, one_case) == DType::kBfloat16) {
          array.dtype = DType::kBfloat16;
        }
        argument.tensors.push_back(std::move(array));
      }
    }
    outputs.push_back(std::move(argument));
  }
  return outputs;
}

}  // namespace belay::bench
