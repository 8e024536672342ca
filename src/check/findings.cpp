// SPDX-License-Identifier: Apache-2.0
#include "check/findings.h"

#include <utility>

#include "base/catalogue.h"

namespace belay::check {
namespace {

constexpr size_t kDropped = static_cast<size_t>(-1);

}  // namespace

npu::Fault MakeFinding(std::string_view code, const npu::Core& core,
                       std::string_view pipe, uint64_t pc, std::string message,
                       std::string fix) {
  npu::Fault fault;
  fault.diagnostic.code = code;
  if (const CodeInfo* info = FindCode(code)) {
    fault.diagnostic.severity = info->severity;
  }
  fault.diagnostic.message = std::move(message);
  fault.diagnostic.core = core.Name();
  fault.diagnostic.pipe = pipe;
  fault.diagnostic.fix = std::move(fix);
  fault.pc = pc;
  return fault;
}

bool Findings::CountIfKnown(std::string_view code, uint64_t pc,
                            uint64_t other_pc) {
  if (!open_) return true;
  const auto found = known_.find({std::string(code), pc, other_pc});
  if (found == known_.end()) return false;
  if (found->second != kDropped) ++entries_[found->second].count;
  return true;
}

void Findings::Add(npu::Fault fault) {
  const uint64_t other = fault.notes.empty() ? 0 : fault.notes.front().pc;
  if (CountIfKnown(fault.diagnostic.code, fault.pc, other)) return;
  const bool full = entries_.size() >= limit_;
  known_.emplace(Key{fault.diagnostic.code, fault.pc, other},
                 full ? kDropped : entries_.size());
  if (full) {
    ++dropped_;
  } else {
    entries_.push_back({std::move(fault)});
  }
}

void Findings::Clear() {
  known_.clear();
  entries_.clear();
  dropped_ = 0;
}

}  // namespace belay::check
