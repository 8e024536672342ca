// SPDX-License-Identifier: Apache-2.0
#include "naive_race.h"

#include "base/dtype.h"

namespace belay::check {
namespace {

using abi::Op;

constexpr int kS = 0;
constexpr int kV = 1;
constexpr int kMte2 = 4;
constexpr int kMte3 = 5;
constexpr int kAll = 7;

// The compiler's rule, from its page.
bool CompilerOrders(int earlier, int later) {
  const std::set<std::pair<int, int>> orders = {
      {kV, kV},    {kV, kS},    {kS, kV},    {kMte2, kS},
      {kS, kMte2}, {kMte3, kS}, {kS, kMte3},
  };
  return orders.count({earlier, later}) != 0;
}

}  // namespace

void NaiveRaces::OnLaunch(const npu::LaunchEvent& event) {
  blocks_ = event.blocks;
  nodes_.clear();
  cores_.clear();
  bytes_.clear();
  meetings_.clear();
  block_flags_.clear();
  turns_.clear();
  direct_.clear();
  races_.clear();
  sets_.clear();
  waits_.clear();
}

// What is complete once `pipe` has done all it was given.
NaiveRaces::Nodes NaiveRaces::CompleteAfter(Core& core, int pipe) {
  Nodes complete = core.known[pipe];
  Add(complete, core.known[kS]);  // the scalar unit issued it after its waits
  Add(complete, core.issued[pipe]);
  return complete;
}

NaiveRaces::Nodes NaiveRaces::BarrierOfAll(Core& core) {
  Nodes all;
  for (int pipe = 0; pipe < 7; ++pipe) Add(all, CompleteAfter(core, pipe));
  for (Nodes& known : core.known) known = all;
  return all;
}

void NaiveRaces::Make(const Node& node, const Touches& touches, int atomic) {
  const int id = static_cast<int>(nodes_.size());
  nodes_.push_back(node);
  Core& core = cores_[node.core];
  Add(core.known[node.pipe], core.known[kS]);

  const auto conflicting = [&] {
    std::set<int> found;
    for (const auto& [address, touch] : touches) {
      for (const Access& earlier : bytes_[address]) {
        const Node& other = nodes_[earlier.node];
        if (!earlier.write && !touch.write) continue;
        if (atomic != 0 && earlier.atomic == atomic && touch.write) continue;
        if ((node.direct || other.direct) && node.pipe == kS &&
            other.pipe == kS) {
          continue;
        }
        if (other.core == node.core && other.pipe == kS && node.pipe == kS) {
          continue;
        }
        if (core.known[node.pipe].count(earlier.node) == 0) {
          found.insert(earlier.node);
        }
      }
    }
    return found;
  };

  if (auto_sync_ && node.tensor) {
    std::set<int> pipes;
    for (const int earlier : conflicting()) {
      const Node& other = nodes_[earlier];
      if (other.core == node.core && other.tensor &&
          CompilerOrders(other.pipe, node.pipe)) {
        pipes.insert(other.pipe);
      }
    }
    for (const int pipe : pipes) {
      Add(core.known[node.pipe], CompleteAfter(core, pipe));
    }
  }
  for (const int earlier : conflicting()) {
    races_.insert({node.pc, nodes_[earlier].pc});
  }

  core.issued[node.pipe].insert(id);
  for (const auto& [address, touch] : touches) {
    bytes_[address].push_back({id, touch.write, touch.write ? atomic : 0});
  }
}

void NaiveRaces::OnInstruction(const npu::InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  Core& core = cores_[event.core.slot];
  const int from = static_cast<int>(i.sync.from);
  const int to = static_cast<int>(i.sync.to);
  switch (i.op) {
    case Op::kSetFlag:
      core.flags[{from, to, i.sync.id}] = CompleteAfter(core, from);
      return;
    case Op::kWaitFlag:
      Add(core.known[to], core.flags[{from, to, i.sync.id}]);
      return;
    case Op::kPipeBarrier:
      if (from == kAll) {
        BarrierOfAll(core);
      } else if (from != kS) {
        Add(core.known[from], core.issued[from]);
      }
      return;
    case Op::kDataSyncBarrier:
      Add(core.known[kS], core.issued[kS]);
      return;
    case Op::kSyncAll:
      Add(meetings_[core.meetings++], BarrierOfAll(core));
      return;
    case Op::kIbWait:
    case Op::kWaitPreBlock:
      BarrierOfAll(core);
      return;
    case Op::kIbSet:
      Add(block_flags_[{i.dst.address, i.sync.id, i.sync.block}],
          BarrierOfAll(core));
      return;
    case Op::kCrossCoreSetFlag:
      sets_[{i.sync.id, event.core.slot}].push_back(CompleteAfter(core, from));
      return;
    case Op::kNotifyNextBlock:
      turns_[{i.dst.address, event.core.block}] = BarrierOfAll(core);
      return;
    default:
      break;
  }

  Touches touches;
  int atomic = 0;
  if (i.op == Op::kDataCopy) {
    const auto side = [&](uint64_t address, int64_t gap, bool write) {
      for (uint32_t block = 0; block < i.transfer.block_count; ++block) {
        for (uint32_t byte = 0; byte < i.transfer.block_bytes; ++byte) {
          Touch& touch = touches[address + byte];
          (write ? touch.write : touch.read) = true;
        }
        address += i.transfer.block_bytes + gap;
      }
    };
    side(i.src0.address, i.transfer.source_gap, false);
    side(i.dst.address, i.transfer.destination_gap, true);
    if (i.dst.memory == abi::Memory::kGm &&
        event.core.vector.atomic != abi::Atomic::kNone) {
      atomic = static_cast<int>(event.core.vector.atomic) * 100 +
               static_cast<int>(event.core.vector.atomic_dtype);
    }
  } else if (i.op == Op::kDuplicate || i.op == Op::kAdds || i.op == Op::kAdd) {
    // Floats, by count or in whole repeats.
    const uint32_t repeats = i.form == abi::Form::kCount
                                 ? static_cast<uint32_t>((i.count + 63) / 64)
                                 : i.repeat;
    for (uint32_t repeat = 0; repeat < repeats; ++repeat) {
      for (uint32_t lane = 0; lane < 64; ++lane) {
        if (i.form == abi::Form::kCount && repeat * 64 + lane >= i.count) break;
        const auto at = [&](const abi::Operand& operand) {
          return operand.address +
                 uint64_t{repeat} * operand.repeat_stride * 32 +
                 uint64_t{lane / 8} * operand.block_stride * 32 + lane % 8 * 4;
        };
        for (uint64_t byte = 0; byte < 4; ++byte) {
          touches[at(i.dst) + byte].write = true;
          if (i.op != Op::kDuplicate) touches[at(i.src0) + byte].read = true;
          if (i.op == Op::kAdd) touches[at(i.src1) + byte].read = true;
        }
      }
    }
  } else {
    return;
  }
  const bool tensor = !i.dst.raw && !i.src0.raw && !i.src1.raw;
  Make({event.core.slot, static_cast<int>(event.pipe), tensor, false, i.pc},
       touches, atomic);
}

void NaiveRaces::OnWaited(const npu::InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  Core& core = cores_[event.core.slot];
  Nodes learned;
  if (i.op == Op::kSyncAll) {
    learned = meetings_[core.meetings - 1];
  } else if (i.op == Op::kIbWait) {
    learned = block_flags_[{i.dst.address, i.sync.id, i.sync.block}];
    block_flags_.erase({i.dst.address, i.sync.id, i.sync.block});
  } else if (i.op == Op::kCrossCoreWaitFlag) {
    const size_t step = waits_[{i.sync.id, event.core.slot}]++;
    for (int slot = 0; slot < blocks_; ++slot) {
      Add(learned, sets_[{i.sync.id, slot}].at(step));
    }
  } else if (i.op == Op::kWaitPreBlock) {
    const int before = (event.core.block + blocks_ - 1) % blocks_;
    learned = turns_[{i.dst.address, before}];
  }
  for (Nodes& known : core.known) Add(known, learned);
}

void NaiveRaces::OnScalar(const npu::ScalarEvent& event) {
  const bool global = !chip_.on_chip().Spans(event.address);
  Core& core = cores_[event.core.slot];
  if (event.direct && !event.write) {
    const auto& [slot, nodes] = direct_[event.address / 64];
    if (slot != event.core.slot) Add(core.known[kS], nodes);
  }
  Touches touches;
  for (uint64_t byte = 0; byte < event.bytes; ++byte) {
    touches[event.address + byte] = {!event.write, event.write};
  }
  const bool tensor = event.ordered && !(global && event.write);
  Make({event.core.slot, kS, tensor, event.direct, event.pc}, touches, 0);
  if (event.direct && event.write) {
    auto& [slot, nodes] = direct_[event.address / 64];
    slot = event.core.slot;
    Add(nodes, CompleteAfter(core, kS));
  }
}

}  // namespace belay::check
