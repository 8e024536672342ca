// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel.h"

#include <fmt/format.h>

#include "base/error.h"

namespace belay::runtime {

Kernel KernelOf(const abi::KernelRecord& record, uint64_t tiling_key) {
  Kernel kernel{record.name, record.kind, record.entry, record.cube_entry};
  for (const abi::KeyKind* keyed = record.key_kinds;
       keyed != nullptr && keyed->kind != nullptr; ++keyed) {
    if (keyed->key == tiling_key) kernel.kind = keyed->kind;
  }
  return kernel;
}

npu::LaunchShape ShapeOf(const Kernel& kernel, int blocks) {
  const std::string& kind = kernel.kind;
  if (kind == "cube" || kind == "mix:1:0") return {1, 0, blocks};
  if (kind == "mix:1:1") return {1, 1, blocks};
  if (kind == "mix:1:2") return {1, 2, blocks};
  if (kind == "aicore" || kind == "vector" || kind == "mix:0:1") {
    return {0, 1, blocks};
  }
  throw UserError(fmt::format(
      "[launch] kernel '{}' is of kind '{}': a block of this chip has one cube "
      "core, one vector core, or one cube core and one or two vector cores",
      kernel.name, kind));
}

}  // namespace belay::runtime
