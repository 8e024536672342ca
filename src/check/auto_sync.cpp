// SPDX-License-Identifier: Apache-2.0
#include "check/auto_sync.h"

namespace belay::check {

bool TakesTensors(const npu::InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  return event.core.type == npu::CoreType::kVector &&
         !(i.dst.raw || i.src0.raw || i.src1.raw);
}

bool TakesTensors(const npu::ScalarEvent& event, bool global) {
  return event.core.type == npu::CoreType::kVector && event.ordered &&
         !(event.write && global);
}

std::vector<AutoSyncEdge> AutoSyncLog::Edges() const {
  std::vector<AutoSyncEdge> edges;
  for (const auto& [key, count] : edges_) {
    const auto& [later, earlier, from, to] = key;
    edges.push_back({from, to, earlier, later, count});
  }
  return edges;
}

}  // namespace belay::check
