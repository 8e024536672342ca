// SPDX-License-Identifier: Apache-2.0
// What memcheck says about what it finds.

#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue.h"
#include "check/memory.h"

namespace belay::check {

using abi::BufferState;
using npu::Access;

bool MemoryChecker::CheckAllocation(const Place& place, const Use& use) {
  const npu::GlobalMemory::Allocation* allocation =
      chip_.global().Find(use.begin);
  if (allocation == nullptr) return false;
  const uint64_t end = allocation->base + allocation->bytes;
  if (use.end <= end) return false;
  const bool writes = use.access != Access::kRead;
  const char* code = writes ? code::kM105 : code::kM104;
  if (findings_.CountIfKnown(code, place.pc, 0)) return true;
  findings_.Add(MakeFinding(
      code, place.core, place.pipe, place.pc,
      fmt::format("[{}] {} {} {} bytes behind the end of {}", place.what,
                  use.role, writes ? "writes" : "reads",
                  use.end - std::max(use.begin, end), allocation->Describe()),
      writes
          ? "store the tail with DataCopyPad, which moves any number of "
            "bytes, or allocate up to the next 32 bytes"
          : "load the tail with DataCopyPad, which moves any number of "
            "bytes; only the padding of the allocation makes this harmless"));
  return true;
}

void MemoryChecker::CheckTurn(const Place& place, std::string_view role,
                              const Buffer& buffer) {
  if (!buffer.is_queue) return;
  const bool is_free = buffer.state == BufferState::kFree;
  if (!is_free && buffer.state != BufferState::kEnqueued) return;
  const char* code = is_free ? code::kM102 : code::kM103;
  if (findings_.CountIfKnown(code, place.pc, buffer.state_pc)) return;
  npu::Fault fault = MakeFinding(
      code, place.core, place.pipe, place.pc,
      fmt::format("[{}] {} lies in a buffer of queue '{{name}}' that {}",
                  place.what, role,
                  is_free ? "was given back with FreeTensor"
                          : "was handed over with EnQue and not taken out "
                            "with DeQue"),
      is_free ? "call FreeTensor behind the last use of the tensor"
              : "use what DeQue returns, behind it");
  fault.name_pc = buffer.init_pc;
  fault.notes.push_back(
      {is_free ? "it was freed here" : "it was queued here", buffer.state_pc});
  findings_.Add(std::move(fault));
}

void MemoryChecker::ReportOutside(const Place& place, const Use& use) {
  const Buffer* buffer =
      StateOf(place.core).buffers.Matching(use.buffer, use.buffer_bytes);
  const bool is_own = buffer != nullptr;
  const char* code = is_own ? code::kM101 : code::kM106;
  const uint64_t other = is_own ? buffer->init_pc : 0;
  if (findings_.CountIfKnown(code, place.pc, other)) return;
  npu::Fault fault = MakeFinding(
      code, place.core, place.pipe, place.pc,
      fmt::format(
          "[{}] {} covers bytes {} to {} of {}, which has {} bytes", place.what,
          use.role, static_cast<int64_t>(use.begin - use.buffer),
          static_cast<int64_t>(use.end - use.buffer) - 1,
          is_own                           ? "a buffer of '{name}'"
          : use.memory == abi::Memory::kGm ? "what SetGlobalBuffer was given"
                                           : "the tensor as it was declared",
          use.buffer_bytes),
      is_own ? "check offset, count, repeat and strides against the length "
               "given to InitBuffer"
             : "check offset and count, or declare the size that is used");
  if (is_own) {
    fault.name_pc = buffer->init_pc;
    fault.notes.push_back({"the buffer was made here", buffer->init_pc});
  }
  findings_.Add(std::move(fault));
}

void MemoryChecker::ReportBuffersOver(const Place& place,
                                      const npu::HiddenScratch& scratch) {
  const CoreState& state = StateOf(place.core);
  const uint64_t begin = state.scratch.begin();
  const uint64_t end = begin + scratch.bytes;
  for (const Buffer& buffer : state.buffers.buffers()) {
    if (buffer.end <= begin || buffer.begin >= end) continue;
    if (buffer.is_queue && buffer.state == BufferState::kFree) continue;
    if (findings_.CountIfKnown(code::kM108, place.pc, buffer.init_pc)) continue;
    npu::Fault fault = MakeFinding(
        code::kM108, place.core, place.pipe, place.pc,
        fmt::format("[{}] it uses {} bytes of UB from {} on as scratch, where "
                    "a buffer of '{{name}}' lies",
                    place.what, scratch.bytes, scratch.offset),
        fmt::format("keep all buffers together below {} bytes",
                    scratch.offset));
    fault.name_pc = buffer.init_pc;
    fault.notes.push_back({"the buffer was made here", buffer.init_pc});
    findings_.Add(std::move(fault));
  }
}

void MemoryChecker::ReportLoss(const Place& place, std::string_view role,
                               const ScratchShadow::Loss& loss) {
  if (loss.address == 0 ||
      findings_.CountIfKnown(code::kM107, place.pc, loss.clobber_pc)) {
    return;
  }
  const uint64_t base = chip_.on_chip().Base(place.core.slot, abi::Memory::kUb);
  npu::Fault fault = MakeFinding(
      code::kM107, place.core, place.pipe, place.pc,
      fmt::format("[{}] {} reads byte {} of UB, which an instruction has "
                  "overwritten as its scratch since the kernel wrote it",
                  place.what, role, loss.address - base),
      fmt::format(
          "keep all buffers together below {} bytes",
          chip_.spec().BytesOf(abi::Memory::kUb) - chip_.spec().scratch_bytes));
  fault.notes.push_back({"its scratch took the bytes here", loss.clobber_pc});
  fault.notes.push_back({"they were written here", loss.write_pc});
  findings_.Add(std::move(fault));
}

void MemoryChecker::ReportLeaks(const npu::Core& core) {
  for (const Buffer& buffer : StateOf(core).buffers.buffers()) {
    if (!buffer.is_queue || buffer.state == BufferState::kFree) continue;
    const uint64_t other =
        buffer.state == BufferState::kAllocated ? 0 : buffer.state_pc;
    if (findings_.CountIfKnown(code::kM109, buffer.alloc_pc, other)) continue;
    const bool is_queued = buffer.state == BufferState::kEnqueued;
    npu::Fault fault = MakeFinding(
        code::kM109, core, "S", buffer.alloc_pc,
        fmt::format("[AllocTensor] a tensor of queue '{{name}}' is {} when the "
                    "kernel ends",
                    is_queued ? "still queued" : "not freed"),
        is_queued ? "DeQue and FreeTensor as often as EnQue"
                  : "call FreeTensor for every tensor, on every path");
    fault.name_pc = buffer.init_pc;
    if (other != 0) {
      fault.notes.push_back(
          {is_queued ? "it was queued here" : "it was taken out here", other});
    }
    findings_.Add(std::move(fault));
  }
}

}  // namespace belay::check
