// SPDX-License-Identifier: Apache-2.0
#include "check/input_writes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/catalogue.h"
#include "check/report.h"
#include "npu/footprint.h"
#include "npu/names.h"

namespace belay::check {

void InputWrites::Protect(uint64_t address, uint64_t bytes, std::string name) {
  if (bytes == 0) return;
  ranges_[address] = {address + bytes, std::move(name)};
  first_ = std::min(first_, address);
  last_end_ = std::max(last_end_, address + bytes);
}

void InputWrites::Clear() {
  ranges_.clear();
  first_ = UINT64_MAX;
  last_end_ = 0;
}

bool InputWrites::Check(const Place& place, uint64_t begin, uint64_t end) {
  if (!IsNear(begin, end)) return false;
  auto range = ranges_.upper_bound(begin);
  if (range != ranges_.begin() && std::prev(range)->second.end > begin) {
    --range;
  }
  if (range == ranges_.end() || range->first >= end) return false;
  if (findings_.CountIfKnown(code::kH115, place.pc, 0)) return true;
  const uint64_t from = std::max(begin, range->first);
  const uint64_t to = std::min(end, range->second.end);
  findings_.Add(MakeFinding(
      code::kH115, place.core, place.pipe, place.pc,
      fmt::format("[{}] it writes bytes {} to {} of {}, which the operator may "
                  "only read",
                  place.what, from - range->first, to - range->first - 1,
                  range->second.name),
      "write results to an output and intermediate values to the workspace; an "
      "operator that works in place has an output of the input's name (a "
      "kernel alone: name the input with --out)"));
  return true;
}

void InputWrites::OnInstruction(const npu::InstructionEvent& event) {
  const abi::Instruction& instruction = event.instruction;
  // The chip stops moves that leave the allocation they begin in.
  if (instruction.dst.memory != abi::Memory::kGm ||
      !IsNear(instruction.dst.address, instruction.dst.address + 1)) {
    return;
  }
  const Place place{event.core, npu::NameOf(instruction.op),
                    npu::NameOf(event.pipe), instruction.pc};
  for (const npu::FootprintUse& use : npu::FootprintOf(event)) {
    if (use.memory != abi::Memory::kGm || !use.writes()) continue;
    bool found = false;
    npu::ForEachRange(use, [&](uint64_t begin, uint64_t end) {
      found = found || Check(place, begin, end);
    });
  }
}

void InputWrites::OnScalar(const npu::ScalarEvent& event) {
  if (!event.write) return;
  Check({event.core, "scalar store", "S", event.pc}, event.address,
        event.address + event.bytes);
}

void InputWrites::OnLaunchEnd() {
  for (const Findings::Entry& entry : findings_.entries()) {
    sink_(WithCount(entry));
  }
  findings_.Clear();
}

}  // namespace belay::check
