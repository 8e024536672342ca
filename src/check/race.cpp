// SPDX-License-Identifier: Apache-2.0
#include "check/race.h"

#include <algorithm>
#include <cstring>

#include "npu/cube/cube.h"
#include "npu/cube/fractal.h"
#include "npu/cube/mmad.h"
#include "npu/names.h"
#include "npu/transfer.h"

namespace belay::check {
namespace {

using Kind = RaceAccess::Kind;
using Rule = RacePair::Rule;

// Pairs kept of one access; more would say the same again.
constexpr size_t kMaxPairs = 16;

RaceAccess WithKind(RaceAccess access, Kind kind) {
  access.bits =
      RaceAccess::Bits(access.pipe(), kind, access.tensor(), access.direct());
  return access;
}

uint64_t LineOf(uint64_t address) {
  return address / StoredLines::kLineBytes * StoredLines::kLineBytes;
}

// Whether a plain move is about to write what lies in [begin, end) already.
bool WritesSameBytes(const abi::Instruction& move, uint64_t begin,
                     uint64_t end) {
  const npu::TransferSide from = npu::SourceOf(move);
  const npu::TransferSide to = npu::DestinationOf(move);
  const auto step = static_cast<uint64_t>(to.step);
  while (begin < end) {
    const uint64_t offset = begin - move.dst.address;
    const uint64_t block = step == 0 ? 0 : offset / step;
    const uint64_t within = offset - block * step;
    if (within >= to.block) return false;
    const uint64_t bytes = std::min(end - begin, to.block - within);
    const uint64_t source =
        move.src0.address + block * static_cast<uint64_t>(from.step) + within;
    if (std::memcmp(reinterpret_cast<const void*>(begin),
                    reinterpret_cast<const void*>(source), bytes) != 0) {
      return false;
    }
    begin += bytes;
  }
  return true;
}

// The same of a load of fractals.
bool LoadsSameBytes(const abi::Instruction& load, uint64_t begin,
                    uint64_t end) {
  const uint64_t step =
      (uint64_t{load.load2d.destination_gap} + 1) * npu::kFractalBytes;
  std::vector<std::byte> loaded(load.load2d.repeat * step);
  abi::Instruction aside = load;
  aside.dst.address = reinterpret_cast<uint64_t>(loaded.data());
  npu::ExecuteLoad2D(aside);
  return std::memcmp(loaded.data() + (begin - load.dst.address),
                     reinterpret_cast<const void*>(begin), end - begin) == 0;
}

// Whether the chip keeps an instruction behind its own pipe's earlier work: an
// Mmad of enough steps behind another, and the fixpipe with the buffer of its
// parameters. The page of Mmad asks for a barrier below ten fractals of C, for
// any k; public examples leave it out where k makes ten steps of them.
bool FollowsOwnPipe(const npu::ChipSpec::CubeLimits& limits,
                    const abi::Instruction& instruction, npu::Family family) {
  if (family == npu::Family::kMmad) {
    const npu::MmadShape shape = npu::MmadShapeOf(instruction);
    return shape.m_blocks * shape.n_blocks * shape.right_fractals >=
           limits.accumulate_fractals;
  }
  return instruction.dst.memory == abi::Memory::kFb ||
         (family == npu::Family::kFixpipe &&
          instruction.src1.memory == abi::Memory::kFb);
}

// 0 when the instruction takes no part in handing L0C over.
uint8_t UnitFlagOf(const abi::Instruction& instruction) {
  switch (npu::FamilyOf(instruction.op)) {
    case npu::Family::kMmad:
      return instruction.mmad.unit_flag;
    case npu::Family::kFixpipe:
      return instruction.fixpipe.unit_flag;
    default:
      return 0;
  }
}

// Whether some operand that is read may share bytes with one that is written.
bool MayOverlap(const npu::Footprint& footprint) {
  for (const npu::FootprintUse& written : footprint) {
    if (!written.writes()) continue;
    for (const npu::FootprintUse& read : footprint) {
      if (read.writes() || read.memory != written.memory) continue;
      if (written.FollowsData() || read.FollowsData() ||
          (written.address < read.UpperBound() &&
           read.address < written.UpperBound())) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

RaceChecker::RaceChecker(npu::Chip& chip, Findings& findings,
                         RaceOptions options)
    : chip_(chip), options_(options), reporter_(chip, sites_, findings) {
  pairs_.reserve(kMaxPairs);
  clocks_.Begin(chip.on_chip().slots(), {});
  units_.resize(chip.on_chip().slots());
}

void RaceChecker::OnLaunch(const npu::LaunchEvent& event) {
  clocks_.Begin(chip_.on_chip().slots(), npu::ShapeOf(event));
  shadow_.Clear();
  sites_.Clear();
  lines_.Clear();
  units_.assign(chip_.on_chip().slots(), {});
}

void RaceChecker::OnBlockBegin(const npu::Core& core) {
  clocks_.BeginBlock(core);
}

void RaceChecker::OnBlockEnd(const npu::Core& core) {
  lines_.CleanAll(static_cast<uint8_t>(core.slot),
                  clocks_.Of(core).ScalarCount());
}

void RaceChecker::OnWaited(const npu::InstructionEvent& event) {
  clocks_.Waited(event.core, event.instruction);
}

void RaceChecker::OnInstruction(const npu::InstructionEvent& event) {
  const abi::Instruction& instruction = event.instruction;
  const npu::Core& core = event.core;
  switch (npu::FamilyOf(instruction.op)) {
    case npu::Family::kSync:
      return clocks_.Synchronise(core, instruction);
    case npu::Family::kCache: {
      const auto slot = static_cast<uint8_t>(core.slot);
      const uint32_t count = clocks_.Of(core).ScalarCount();
      const abi::Cache& cache = instruction.cache;
      clocks_.PublishLines(
          core, cache.entire ? lines_.CleanAll(slot, count)
                             : lines_.Clean(slot, cache.address, count));
      return;
    }
    case npu::Family::kQueue:
    case npu::Family::kRegister:
      return;
    default:
      break;
  }
  const npu::Footprint footprint = npu::FootprintOf(event);
  if (footprint.size() == 0) return;
  TakeUnits(event);
  const bool accumulates = event.lanes == nullptr &&
                           instruction.dst.memory == abi::Memory::kGm &&
                           core.vector.atomic != abi::Atomic::kNone;
  RaceSite site{instruction.pc, instruction.op};
  if (accumulates) {
    site.atomic = core.vector.atomic;
    site.atomic_dtype = core.vector.atomic_dtype;
  }
  CoreClock& clock = clocks_.Of(core);
  Current current{core, clock, {}};
  current.access.count = clock.Issue(event.pipe);
  current.access.site = sites_.Number(site);
  current.access.slot = static_cast<uint8_t>(core.slot);
  current.access.bits =
      RaceAccess::Bits(event.pipe, Kind::kRead, TakesTensors(event), false);
  const npu::Family family = npu::FamilyOf(instruction.op);
  if (family == npu::Family::kTransfer && !accumulates) {
    current.transfer = &instruction;
  }
  if (instruction.op == abi::Op::kLoadData2D) current.load = &instruction;
  current.follows_own_pipe =
      FollowsOwnPipe(chip_.spec().cube, instruction, family);
  current.cache_matters = !lines_.empty();

  const auto for_each = [&](Kind kind, auto f) {
    current.access = WithKind(current.access, kind);
    for (const npu::FootprintUse& use : footprint) {
      if (use.writes() != (kind != Kind::kRead)) continue;
      current.role = use.role;
      current.global = use.memory == abi::Memory::kGm;
      current.has_clean = false;
      npu::ForEachRange(use, f);
    }
  };
  const auto put_read = [&](uint64_t begin, uint64_t end) {
    Judge<false>(current, begin, end);
  };
  // What an instruction reads it reads before it writes. Where the two may
  // overlap, its reads must not hide earlier ones from its writes.
  const bool in_place = MayOverlap(footprint);
  if (in_place) {
    for_each(Kind::kRead, [&](uint64_t begin, uint64_t end) {
      JudgeRead(current, begin, end);
    });
  } else {
    for_each(Kind::kRead, put_read);
  }
  if (accumulates) {
    for_each(Kind::kAtomic, [&](uint64_t begin, uint64_t end) {
      Judge<false>(current, begin, end);
      JudgeSharedLines(current, begin, end);
    });
  } else {
    for_each(Kind::kWrite, [&](uint64_t begin, uint64_t end) {
      Judge<true>(current, begin, end);
      if (current.global) JudgeSharedLines(current, begin, end);
    });
  }
  if (in_place) for_each(Kind::kRead, put_read);
  if (event.lanes != nullptr) WriteRegisters(current, instruction.op);
  Finish(current);
  HandUnitsOver(event);
}

void RaceChecker::TakeUnits(const npu::InstructionEvent& event) {
  if (UnitFlagOf(event.instruction) == 0) return;
  const Units& units = units_[event.core.slot];
  const bool mmad = event.pipe == abi::Pipe::kM;
  clocks_.Of(event.core)
      .Acquire(event.pipe, mmad ? units.taken_out : units.handed_over);
}

void RaceChecker::HandUnitsOver(const npu::InstructionEvent& event) {
  if (UnitFlagOf(event.instruction) != 3) return;
  Units& units = units_[event.core.slot];
  const bool mmad = event.pipe == abi::Pipe::kM;
  (mmad ? units.handed_over : units.taken_out) =
      clocks_.Of(event.core).Release(event.pipe);
}

void RaceChecker::OnScalar(const npu::ScalarEvent& event) {
  const npu::Core& core = event.core;
  const bool global = !chip_.on_chip().Spans(event.address);
  const uint64_t line = LineOf(event.address);
  // A core that drops a line and loads it again looks for what others write.
  const bool looks =
      global && !event.write &&
      (event.direct ||
       (lines_.WasDropped(static_cast<uint8_t>(core.slot), event.address) &&
        core.cache.Find(event.address) == nullptr));
  if (looks) clocks_.LearnFromLine(core, line);
  CoreClock& clock = clocks_.Of(core);
  Current current{core, clock, {}};
  current.global = global;
  current.access.count = clock.ScalarCount();
  current.access.site = sites_.Number(
      {event.pc, abi::Op::kInvalid,
       event.ordered ? RaceSite::Call::kValue : RaceSite::Call::kScalar});
  current.access.slot = static_cast<uint8_t>(core.slot);
  current.access.bits =
      RaceAccess::Bits(abi::Pipe::kS, event.write ? Kind::kWrite : Kind::kRead,
                       TakesTensors(event, global), event.direct || looks);
  current.cache_matters = global;
  const uint64_t end = event.address + event.bytes;
  if (event.write) {
    Judge<true>(current, event.address, end);
  } else {
    Judge<false>(current, event.address, end);
  }
  if (event.write && global) {
    if (event.direct) {
      JudgeSharedLines(current, event.address, end);
      clocks_.PublishLine(core, line);
    } else {
      StoreIntoLines(current, event.address, end);
    }
  }
  Finish(current);
}

void RaceChecker::WriteRegisters(const Current& current, abi::Op op) {
  const auto write = [&](abi::Register which) {
    const uint64_t at = RegisterShadow::Place(current.core.slot, which);
    shadow_.Visit(at, at + RegisterShadow::kBytes, true,
                  [&](RaceCell& cell, uint64_t, uint64_t) {
                    cell.Reset(WithKind(current.access, Kind::kWrite));
                  });
  };
  switch (op) {
    case abi::Op::kReduceSum:
      return write(abi::Register::kReducedSum);
    case abi::Op::kReduceMax:
    case abi::Op::kReduceMin:
    case abi::Op::kWholeReduceMax:
    case abi::Op::kWholeReduceMin:
      write(abi::Register::kReducedValue);
      return write(abi::Register::kReducedIndex);
    case abi::Op::kMrgSort:
      return write(abi::Register::kMerged);
    default:
      return;
  }
}

void RaceChecker::OnRegister(const npu::RegisterEvent& event) {
  const npu::Core& core = event.core;
  CoreClock& clock = clocks_.Of(core);
  Current current{core, clock, {}};
  current.access.count = clock.ScalarCount();
  current.access.site =
      sites_.Number({event.pc, abi::Op::kInvalid, RaceSite::Call::kRegister});
  current.access.slot = static_cast<uint8_t>(core.slot);
  current.access.bits = RaceAccess::Bits(
      abi::Pipe::kS, Kind::kRead, core.type == npu::CoreType::kVector, false);
  const uint64_t at = RegisterShadow::Place(core.slot, event.which);
  Judge<false>(current, at, at + RegisterShadow::kBytes);
  Finish(current);
}

template <bool resets>
void RaceChecker::Judge(Current& current, uint64_t begin, uint64_t end) {
  shadow_.Visit(begin, end, resets,
                [&](RaceCell& cell, uint64_t from, uint64_t to) {
                  if (!IsClean(current, cell))
                    JudgeCell(current, cell, from, to);
                  if constexpr (resets) {
                    cell.Reset(current.access);
                  } else {
                    cell.Put(current.access);
                  }
                });
}

void RaceChecker::JudgeCell(Current& current, const RaceCell& cell,
                            uint64_t begin, uint64_t end) {
  const bool reads = current.access.kind() == Kind::kRead;
  bool clean = true;
  cell.ForEach([&](const RaceAccess& earlier) {
    if (reads && earlier.kind() == Kind::kRead) return;
    if (IsComplete(current, earlier)) {
      if (current.global) JudgeCache(current, earlier, begin, end);
      return;
    }
    clean = false;
    JudgeUnordered(current, earlier, begin, end);
  });
  current.has_clean =
      clean && cell.has_few() && (!current.global || !current.cache_matters);
  if (current.has_clean) current.clean = cell.few();
}

void RaceChecker::JudgeRead(Current& current, uint64_t begin, uint64_t end) {
  shadow_.Look(begin, end,
               [&](const RaceCell& cell, uint64_t from, uint64_t to) {
                 if (!IsClean(current, cell))
                   JudgeCell(current, cell, from, to);
               });
}

void RaceChecker::JudgeUnordered(Current& current, const RaceAccess& earlier,
                                 uint64_t begin, uint64_t end) {
  const RaceAccess& access = current.access;
  if (earlier.slot == access.slot) {
    if (earlier.pipe() == access.pipe() && earlier.count == access.count) {
      return;  // the same instruction
    }
    if (current.follows_own_pipe && earlier.pipe() == access.pipe()) return;
    if (current.load != nullptr && earlier.pipe() == access.pipe() &&
        access.kind() == Kind::kWrite && earlier.kind() == Kind::kWrite &&
        LoadsSameBytes(*current.load, begin, end)) {
      return;
    }
    if (options_.auto_sync && earlier.tensor() && access.tensor() &&
        AutoSyncOrders(earlier.pipe(), access.pipe())) {
      const auto pipe = static_cast<int>(earlier.pipe());
      current.auto_sync_pipes |= static_cast<uint8_t>(1u << pipe);
      auto_sync_site_[pipe] = earlier.site;
      if (earlier.pipe() == access.pipe()) {
        current.clock.BarrierBeforeLast(access.pipe());
      }
      if (current.global) JudgeCache(current, earlier, begin, end);
      return;
    }
  }
  // Scalar units pass flags to each other through global memory.
  if ((earlier.direct() || access.direct()) &&
      earlier.pipe() == abi::Pipe::kS && access.pipe() == abi::Pipe::kS) {
    return;
  }
  if (earlier.kind() == Kind::kAtomic && access.kind() == Kind::kAtomic) {
    const RaceSite& a = sites_[earlier.site];
    const RaceSite& b = sites_[access.site];
    if (a.atomic == b.atomic && a.atomic_dtype == b.atomic_dtype) return;
  }
  Keep(current, Rule::kUnordered, earlier, begin, end);
}

void RaceChecker::Keep(Current& current, Rule rule, const RaceAccess& earlier,
                       uint64_t begin, uint64_t end) {
  const Kind kind = current.access.kind();
  const bool equal = rule == Rule::kUnordered && current.transfer != nullptr &&
                     kind == Kind::kWrite && earlier.kind() == Kind::kWrite &&
                     earlier.slot != current.access.slot && !earlier.cached() &&
                     WritesSameBytes(*current.transfer, begin, end);
  for (RacePair& pair : pairs_) {
    if (pair.rule == rule && pair.later == kind &&
        pair.earlier.site == earlier.site && pair.earlier.SameThread(earlier) &&
        pair.role == current.role) {
      pair.begin = std::min(pair.begin, begin);
      pair.end = std::max(pair.end, end);
      pair.earlier.count = std::max(pair.earlier.count, earlier.count);
      pair.equal_bytes = pair.equal_bytes && equal;
      return;
    }
  }
  if (pairs_.size() == kMaxPairs) return;
  pairs_.push_back({rule, earlier, kind, current.role, begin, end, equal});
}

// One missing order gives one finding: of pairs with the same earlier access
// the first, and none whose earlier access another pair's is ordered behind.
bool RaceChecker::IsWorthReporting(const Current& current,
                                   const RacePair& pair) const {
  if (pair.rule != Rule::kUnordered) return true;
  // Auto-sync for another access may have ordered it.
  if (IsComplete(current, pair.earlier)) return false;
  for (const RacePair& other : pairs_) {
    const RaceAccess& earlier = other.earlier;
    if (&other == &pair || other.rule != Rule::kUnordered ||
        other.equal_bytes != pair.equal_bytes || IsComplete(current, earlier)) {
      continue;
    }
    if (earlier.site == pair.earlier.site &&
        earlier.slot == pair.earlier.slot &&
        earlier.pipe() == pair.earlier.pipe()) {
      if (&other < &pair) return false;
      continue;
    }
    const CoreClock& clock = clocks_.Of(earlier.slot);
    const bool behind =
        clock.IsComplete(earlier.pipe(), pair.earlier.slot, pair.earlier.pipe(),
                         pair.earlier.count);
    const bool ahead = clocks_.Of(pair.earlier.slot)
                           .IsComplete(pair.earlier.pipe(), earlier.slot,
                                       earlier.pipe(), earlier.count);
    if (behind && !ahead) return false;
  }
  return true;
}

void RaceChecker::Finish(Current& current) {
  const abi::Pipe pipe = current.access.pipe();
  if (current.auto_sync_pipes != 0) {
    for (int from = 0; from < kPipes; ++from) {
      if ((current.auto_sync_pipes >> from & 1) == 0) continue;
      const auto earlier = static_cast<abi::Pipe>(from);
      if (earlier != pipe) {
        current.clock.Acquire(pipe, current.clock.Release(earlier));
      }
      if (options_.log_auto_sync) {
        log_.Add(earlier, pipe, sites_[auto_sync_site_[from]].pc,
                 sites_[current.access.site].pc);
      }
    }
  }
  if (pairs_.empty()) return;
  for (const RacePair& pair : pairs_) {
    if (IsWorthReporting(current, pair)) {
      reporter_.Report(current.core, current.access, pair);
    }
  }
  pairs_.clear();
}

}  // namespace belay::check
