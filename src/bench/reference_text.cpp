// SPDX-License-Identifier: Apache-2.0
#include "bench/reference_text.h"

#include <fmt/format.h>

#include <array>

#include "bench/element.h"
#include "bench/task_error.h"

namespace belay::bench {
namespace {

constexpr std::string_view kTypingImport = "from typing import ";
constexpr std::array<std::string_view, 3> kImports = {
    "import math", "import torch", "import torch.nn.functional as F"};

bool IsAllowedImport(std::string_view line) {
  for (const std::string_view allowed : kImports) {
    if (line == allowed) return true;
  }
  return line.starts_with(kTypingImport);
}

}  // namespace

std::string DropImports(const Task& task) {
  std::string kept;
  int number = 0;
  size_t begin = 0;
  const std::string& text = task.reference;
  while (begin < text.size()) {
    size_t end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    const std::string_view line(text.data() + begin, end - begin);
    ++number;
    const bool import =
        line.starts_with("import ") || line.starts_with("from ");
    if (import && !IsAllowedImport(line)) {
      throw TaskError(code::kK111, task.reference_file, number,
                      fmt::format("[reference.py] \"{}\" is not one of the "
                                  "imports a reference may have",
                                  line),
                      "import math; from typing import …; import torch; import "
                      "torch.nn.functional as F");
    }
    if (!import) kept += line;
    kept += '\n';
    begin = end + 1;
  }
  return kept;
}

Array RoundTo(const Array& golden, DType dtype) {
  Array stored;
  stored.dtype = dtype;
  stored.shape = golden.shape;
  const bool complex = dtype == DType::kComplex64;
  if (complex) stored.shape.pop_back();
  const auto count =
      static_cast<size_t>(ElementCount(golden.shape));  // parts of complex
  const DType part = complex ? DType::kFloat : dtype;
  const size_t from = BytesOf(golden.dtype);
  const size_t to = BytesOf(part);
  stored.data.resize(to * count);
  for (size_t i = 0; i < count; ++i) {
    const std::byte* source = golden.data.data() + i * from;
    std::byte* target = stored.data.data() + i * to;
    if (IsReal(part)) {
      StoreReal(part, LoadReal(golden.dtype, source), target);
    } else {
      StoreInteger(part, LoadInteger(golden.dtype, source), target);
    }
  }
  return stored;
}

}  // namespace belay::bench
