// SPDX-License-Identifier: Apache-2.0
#include "mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "mutate_buffers.h"
#include "npu/names.h"

namespace belay::orders {
namespace {

using abi::Op;
using abi::Pipe;
using npu::Family;

// One call in the source: its place and what it does there.
using Site = std::tuple<uint64_t, Op, Pipe, Pipe, uint8_t>;

constexpr Pipe kVectorCorePipes[] = {Pipe::kS, Pipe::kV, Pipe::kMte2,
                                     Pipe::kMte3};

class Maker {
 public:
  explicit Maker(const Recording& recording)
      : events_(recording.events), partner_(events_.size(), -1) {
    PairFlags();
    for (size_t i = 0; i < events_.size(); ++i) {
      const Event& event = events_[i];
      if (event.kind != Event::Kind::kInstruction) continue;
      const abi::Instruction& instruction = event.instruction;
      const bool is_sync = npu::FamilyOf(instruction.op) == Family::kSync;
      const Site site{instruction.pc, instruction.op,
                      is_sync ? instruction.sync.from : Pipe::kS,
                      is_sync ? instruction.sync.to : Pipe::kS,
                      instruction.mode};
      sites_[site].push_back(static_cast<int>(i));
    }
  }

  std::vector<Mutant> Make() {
    for (const auto& [site, all] : sites_) {
      MakeForInstances(all, "");
      if (all.size() == 1) continue;
      MakeForInstances({all.front()}, ", first time only");
      MakeForInstances({all.back()}, ", last time only");
    }
    return std::move(mutants_);
  }

 private:
  // Which wait takes which flag.
  void PairFlags() {
    std::map<std::tuple<int, Pipe, Pipe, uint32_t>, int> set;
    for (size_t i = 0; i < events_.size(); ++i) {
      const Event& event = events_[i];
      const Op op = event.instruction.op;
      if (event.kind != Event::Kind::kInstruction ||
          (op != Op::kSetFlag && op != Op::kWaitFlag)) {
        continue;
      }
      const abi::Sync& sync = event.instruction.sync;
      int& last = set.try_emplace({event.slot, sync.from, sync.to, sync.id}, -1)
                      .first->second;
      if (op == Op::kSetFlag) {
        last = static_cast<int>(i);
      } else if (last >= 0) {
        partner_[last] = static_cast<int>(i);
        partner_[i] = last;
      }
    }
  }

  Mutant& New(const char* group, std::string what) {
    return mutants_.emplace_back(Mutant{group, std::move(what), {}, {}, {}});
  }

  std::vector<int> WithPartners(const std::vector<int>& all) const {
    std::vector<int> both = all;
    for (const int i : all) {
      if (partner_[i] >= 0) both.push_back(partner_[i]);
    }
    return both;
  }

  using Change = std::function<void(abi::Instruction&)>;
  void AddChange(const char* group, std::string what,
                 const std::vector<int>& all, const Change& change) {
    Mutant& mutant = New(group, std::move(what));
    for (const int i : all) {
      abi::Instruction changed = events_[i].instruction;
      change(changed);
      mutant.changed.emplace_back(i, changed);
    }
  }

  void MakeForInstances(const std::vector<int>& all, const char* which) {
    const abi::Instruction& call = events_[all.front()].instruction;
    const std::string name =
        std::string(npu::NameOf(call.op)) +
        (npu::FamilyOf(call.op) == Family::kSync
             ? "(" + npu::EventName(call.sync) + ")"
             : "") +
        (call.mode == 1 && npu::FamilyOf(call.op) == Family::kSync
             ? " of a queue"
             : "") +
        which;
    switch (call.op) {
      case Op::kSetFlag:
        return MutateSet(name, all);
      case Op::kWaitFlag:
        return MutateWait(name, all);
      case Op::kPipeBarrier:
        return MutateBarrier(name, all);
      case Op::kSyncAll:
        if (*which == '\0') DeleteBlockSync(name, Op::kSyncAll, Op::kSyncAll);
        return;
      case Op::kIbSet:
        if (*which == '\0') DeleteBlockSync(name, Op::kIbSet, Op::kIbWait);
        return;
      case Op::kNotifyNextBlock:
        if (*which == '\0') {
          DeleteBlockSync(name, Op::kNotifyNextBlock, Op::kWaitPreBlock);
        }
        return;
      case Op::kDataSyncBarrier:
        New("barrier", "without " + name).removed = all;
        return;
      default:
        break;
    }
    switch (npu::FamilyOf(call.op)) {
      case Family::kQueue:
        return MutateQueue(name, all);
      case Family::kCache:
        New("cache", "without " + name).removed = all;
        return;
      case Family::kTransfer:
        MutateTransfer(name, all);
        return MutateAddresses(name, all);
      case Family::kRegister:
      case Family::kSync:
      case Family::kNone:
        return;
      default:
        MutateLength(name, all);
        return MutateAddresses(name, all);
    }
  }

  void MutateSet(const std::string& name, const std::vector<int>& all) {
    const std::vector<int> both = WithPartners(all);
    New("flag", "without " + name).removed = all;
    New("flag", "without " + name + " and its wait").removed = both;
    const auto next_id = [](abi::Instruction& i) {
      i.sync.id = (i.sync.id + 1) % npu::FlagTable::kIds;
    };
    AddChange("event id", name + " with the next id", all, next_id);
    AddChange("event id", name + " and its wait with the next id", both,
              next_id);
    const abi::Sync flag = events_[all.front()].instruction.sync;
    for (const Pipe pipe : kVectorCorePipes) {
      if (pipe != flag.from && pipe != flag.to) {
        AddChange("flag", fmt::format("{} from {}", name, npu::NameOf(pipe)),
                  both, [&](abi::Instruction& i) { i.sync.from = pipe; });
        AddChange("flag", fmt::format("{} to {}", name, npu::NameOf(pipe)),
                  both, [&](abi::Instruction& i) { i.sync.to = pipe; });
      }
    }
    AddChange("flag", name + " the other way round", both,
              [](abi::Instruction& i) { std::swap(i.sync.from, i.sync.to); });
    Mutant& early = New("flag", name + " too early");
    for (const int i : all) {
      const int before = NeighbourOnPipe(i, flag.from, -1);
      if (before >= 0) early.moved.emplace_back(i, before);
    }
  }

  void MutateWait(const std::string& name, const std::vector<int>& all) {
    New("flag", "without " + name).removed = all;
    AddChange("event id", name + " with the next id", all,
              [](abi::Instruction& i) {
                i.sync.id = (i.sync.id + 1) % npu::FlagTable::kIds;
              });
    const Pipe to = events_[all.front()].instruction.sync.to;
    Mutant& late = New("flag", name + " too late");
    for (const int i : all) {
      const int next = NeighbourOnPipe(i, to, +1);
      if (next >= 0) late.moved.emplace_back(i, next + 1);
    }
  }

  // The nearest event of the same block on `pipe` that touches memory; -1 if
  // there is none.
  int NeighbourOnPipe(int from, Pipe pipe, int step) const {
    const Event& start = events_[from];
    for (int i = from + step; i >= 0 && i < static_cast<int>(events_.size());
         i += step) {
      const Event& event = events_[i];
      if (event.slot != start.slot) continue;
      if (event.block != start.block) return -1;
      if (event.pipe == pipe && !event.touches.empty()) return i;
    }
    return -1;
  }

  void MutateBarrier(const std::string& name, const std::vector<int>& all) {
    New("barrier", "without " + name).removed = all;
    const Pipe own = events_[all.front()].instruction.sync.from;
    for (const Pipe pipe : {Pipe::kV, Pipe::kMte2, Pipe::kMte3}) {
      if (pipe == own) continue;
      AddChange("barrier", fmt::format("{} for {}", name, npu::NameOf(pipe)),
                all,
                [&](abi::Instruction& i) { i.sync.from = i.sync.to = pipe; });
    }
  }

  // All calls of one kind, in all blocks, and the waits for them.
  void DeleteBlockSync(const std::string& name, Op set, Op wait) {
    if (!deleted_.insert(set).second) return;
    Mutant& mutant = New("between blocks", "without " + name);
    for (size_t i = 0; i < events_.size(); ++i) {
      const Event& event = events_[i];
      if (event.kind != Event::Kind::kInstruction &&
          event.kind != Event::Kind::kWaited) {
        continue;
      }
      if (event.instruction.op == set || event.instruction.op == wait) {
        mutant.removed.push_back(static_cast<int>(i));
      }
    }
  }

  // The flag a queue call sets or waits for stands beside it.
  int FlagOfQueueCall(int i) const {
    const Op op = events_[i].instruction.op;
    const bool sets = op == Op::kEnQue || op == Op::kFreeTensor;
    const int at = sets ? i + 1 : i - 1;
    if (at < 0 || at >= static_cast<int>(events_.size())) return -1;
    const Event& event = events_[at];
    const bool is_its =
        event.kind == Event::Kind::kInstruction &&
        event.slot == events_[i].slot &&
        event.instruction.pc == events_[i].instruction.pc &&
        event.instruction.op == (sets ? Op::kSetFlag : Op::kWaitFlag);
    return is_its ? at : -1;
  }

  void MutateQueue(const std::string& name, const std::vector<int>& all) {
    const Op op = events_[all.front()].instruction.op;
    if (op == Op::kInitBuffer || op == Op::kResetBuffers) return;
    Mutant& alone = New("queue", "without " + name);
    alone.removed = all;
    std::vector<int> with_partners = all;
    for (const int i : all) {
      const int flag = FlagOfQueueCall(i);
      if (flag < 0) continue;
      alone.removed.push_back(flag);
      with_partners.push_back(flag);
      if (partner_[flag] >= 0) with_partners.push_back(partner_[flag]);
    }
    New("queue", "without " + name + " and what waits for it").removed =
        with_partners;
  }

  void MutateTransfer(const std::string& name, const std::vector<int>& all) {
    for (const int bytes : {-32, -2, 2, 32}) {
      if (events_[all.front()].instruction.transfer.block_bytes <=
              static_cast<uint32_t>(-bytes) &&
          bytes < 0) {
        continue;
      }
      AddChange("length", fmt::format("{} {:+} bytes", name, bytes), all,
                [&](abi::Instruction& i) { i.transfer.block_bytes += bytes; });
    }
  }

  void MutateLength(const std::string& name, const std::vector<int>& all) {
    const abi::Instruction& call = events_[all.front()].instruction;
    if (call.form == abi::Form::kCount || call.form == abi::Form::kContinuous) {
      for (const int more : {-8, -1, 1, 8}) {
        AddChange("length", fmt::format("{} {:+} elements", name, more), all,
                  [&](abi::Instruction& i) {
                    i.count = static_cast<uint64_t>(std::max<int64_t>(
                        1, static_cast<int64_t>(i.count) + more));
                  });
      }
    }
    if (call.repeat > 1) {
      for (const int more : {-1, 1}) {
        AddChange("length", fmt::format("{} {:+} repeats", name, more), all,
                  [&](abi::Instruction& i) { i.repeat += more; });
      }
    }
  }

  void MutateAddresses(const std::string& name, const std::vector<int>& all) {
    struct Field {
      const char* name;
      abi::Operand abi::Instruction::* operand;
    };
    constexpr Field kFields[] = {{"dst", &abi::Instruction::dst},
                                 {"src0", &abi::Instruction::src0},
                                 {"src1", &abi::Instruction::src1}};
    for (const Field& field : kFields) {
      const abi::Operand& operand =
          events_[all.front()].instruction.*field.operand;
      if (operand.address == 0) continue;
      for (const int bytes : {-32, 2, 32}) {
        AddChange(
            "alignment",
            fmt::format("{} {} {:+} bytes", name, field.name, bytes), all,
            [&](abi::Instruction& i) { (i.*field.operand).address += bytes; });
      }
    }
  }

  const std::vector<Event>& events_;
  std::vector<int> partner_;  // of SetFlag its WaitFlag and back; -1: none
  std::map<Site, std::vector<int>> sites_;
  std::set<Op> deleted_;
  std::vector<Mutant> mutants_;
};

}  // namespace

std::vector<Mutant> MakeMutants(const Recording& recording) {
  std::vector<Mutant> mutants = Maker(recording).Make();
  for (Mutant& mutant : MakeBufferCountMutants(recording)) {
    mutants.push_back(std::move(mutant));
  }
  std::erase_if(mutants, [](const Mutant& mutant) {
    return mutant.removed.empty() && mutant.changed.empty() &&
           mutant.moved.empty();
  });
  return mutants;
}

std::vector<Event> Apply(const Mutant& mutant, const Recording& recording) {
  const std::vector<Event>& events = recording.events;
  std::vector<char> leaves(events.size(), 0);
  for (const int i : mutant.removed) leaves[i] = 1;
  std::vector<std::vector<int>> arrives(events.size() + 1);
  for (const auto& [from, before] : mutant.moved) {
    leaves[from] = 1;
    arrives[before].push_back(from);
  }
  std::map<int, const abi::Instruction*> changed;
  for (const auto& [i, instruction] : mutant.changed) changed[i] = &instruction;
  std::vector<Event> result;
  for (size_t i = 0; i <= events.size(); ++i) {
    for (const int moved : arrives[i]) result.push_back(events[moved]);
    if (i == events.size() || leaves[i]) continue;
    result.push_back(events[i]);
    if (const auto at = changed.find(static_cast<int>(i));
        at != changed.end()) {
      result.back().instruction = *at->second;
    }
  }
  return result;
}

}  // namespace belay::orders
