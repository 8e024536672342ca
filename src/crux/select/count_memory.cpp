// SPDX-License-Identifier: Apache-2.0
#include "crux/select/count_memory.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace belay::crux::select {
namespace {

// The end of the Unified Buffer, from 184 KB on.
constexpr int64_t kSelectBytes = 8192;

// Functions of the high-level library that choose lanes use it, too.
constexpr std::string_view kSelecting[] = {
    "Select", "Acos", "Asin",  "Atan", "Cos", "Cosh", "Erf", "Erfc", "Fmod",
    "Log10",  "Log2", "Power", "Sign", "Sin", "Sinh", "Tan", "Tanh", "Trunc"};

bool UsesSelect(const code::Block& block) {
  return std::any_of(block.begin(), block.end(), [](const auto& stmt) {
    if (stmt->kind == code::StmtKind::kCall) {
      const std::string_view function = stmt->function;
      return std::any_of(std::begin(kSelecting), std::end(kSelecting),
                         [&](std::string_view one) {
                           return one.size() == function.size() &&
                                  one == function;
                         });
    }
    return UsesSelect(stmt->body) || UsesSelect(stmt->otherwise);
  });
}

// `least`, and one more where that fits.
ir::Int SlotsIfRoom(const code::Queue& queue, const ir::Int& least) {
  using ir::Int;
  return Int::Select(
      Int::Of(ir::IntKind::kLessEqual, Int::Name("ub_used") + queue.bytes,
              Int::Name("ub_size")),
      least + 1, least);
}

}  // namespace

void CountMemory(const std::string& last_if_room, code::Kernel& kernel) {
  kernel.ub_bytes = 0;
  for (code::Queue& queue : kernel.queues) {
    ir::Int least = queue.slots;
    if (queue.name == last_if_room) {
      if (least.is_constant()) least = least - 1;
      queue.slots = SlotsIfRoom(queue, least);
    }
    kernel.ub_bytes = kernel.ub_bytes + queue.bytes * least;
  }
  for (const code::Buffer& buffer : kernel.buffers) {
    kernel.ub_bytes = kernel.ub_bytes + buffer.bytes;
  }
  const bool selects = std::any_of(
      kernel.functions.begin(), kernel.functions.end(),
      [](const code::Function& one) { return UsesSelect(one.body); });
  if (selects) kernel.ub_bytes = kernel.ub_bytes + kSelectBytes;
}

}  // namespace belay::crux::select
