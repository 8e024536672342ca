// SPDX-License-Identifier: Apache-2.0
#include "crux/select/numbers_of_turns.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "crux/passes/accesses.h"
#include "crux/select/memory.h"
#include "crux/select/vector.h"

namespace belay::crux::select {
namespace {

using ir::StmtKind;

constexpr DType kNumber = DType::kFloat;
constexpr DType kOffset = DType::kInt32;
constexpr int64_t kBytes = 4;
// Numbers of a tile that are moved at once, those of each turn rounded up to
// whole blocks; more where one turn has more.
constexpr int64_t kNumbers = 160;
// Where a turn has more than so many, it is moved alone.
constexpr int64_t kFewNumbers = 32;
// Instructions on the numbers of a turn take whole repeats.
constexpr int64_t kBehind = 64;
// So many tiles of them are worth what keeping them takes.
constexpr size_t kLeastTiles = 4;

// The tile that the statement moves, if that is one number for each position of
// the loop's piece; -1 else.
int TileOfNumbers(const ir::Kernel& kernel, const ir::Loop& loop,
                  const ir::Stmt& stmt) {
  const bool loads = stmt.kind == StmtKind::kLoad;
  if ((!loads && stmt.kind != StmtKind::kStore) || stmt.fill ||
      stmt.access.indices.size() != 1) {
    return -1;
  }
  const int tile = loads ? stmt.results[0] : std::get<int>(stmt.operands[0]);
  const ir::Tensor& tensor = kernel.tensors[stmt.access.tensor];
  const ir::Index& index = stmt.access.indices[0];
  const bool moves = !tensor.list && kernel.tiles[tile].dtype == kNumber &&
                     tensor.dtype == kNumber &&
                     index.kind == ir::IndexKind::kRange && index.step.Is(1) &&
                     Same(index.start, Int::Name(loop.name)) &&
                     Same(index.extent.size, Int::Name(loop.extent));
  return moves ? tile : -1;
}

// Whether pieces of the loop are rows that run as one.
bool RunsRows(const ir::Kernel& kernel, const ir::Loop& loop) {
  return !loop.extent.empty() && !kernel.rows_on_lanes &&
         std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                     [&](const ir::TileParameter& one) {
                       return one.role == ir::TileParameter::Role::kRows &&
                              Same(loop.step, Int::Name(one.name));
                     });
}

// The only loop that has such tiles.
const ir::Loop* LoopOf(const ir::Kernel& kernel, const Layouts& layouts) {
  for (const auto& stmt : kernel.body) {
    if (stmt->kind != StmtKind::kLoop || !stmt->loop->cores) continue;
    const CoresNest nest = NestOf(*stmt);
    const bool waits = nest.loops.size() == 1 &&
                       RunsRows(kernel, *stmt->loop) &&
                       !BytesOfItem(kernel, layouts, nest).Is(0);
    return waits ? stmt->loop.get() : nullptr;
  }
  return nullptr;
}

// Writes the offsets, in bytes, of numbers of turns that are `to` elements
// apart where turns are `from` apart. Number e is e % to of turn e / to; the
// quotient is e * (2^16 / to + 1) / 2^16: e is less than 2^8, `to` at most 32.
void WorkOutOffsets(Emitter& emitter, const Local& offsets, const Int& to,
                    const Int& from) {
  constexpr int64_t kShift = 16;
  const Int count = kNumbers;
  const Local gaps = emitter.Scratch(kOffset, count, "gaps");
  const auto scale = [&](const char* function, const Local& result,
                         const Local& source, const Int& by) {
    emitter.Call(function, {result, source, Whole(kOffset, by), count},
                 {kOffset});
  };
  emitter.Call("CreateVecIndex", {offsets, Whole(kOffset, 0), count},
               {kOffset});
  scale("Muls", gaps, offsets, FloorDiv(int64_t{1} << kShift, to) + 1);
  scale("ShiftRight", gaps, gaps, kShift);
  scale("Muls", gaps, gaps, from - to);
  emitter.Call("Add", {offsets, offsets, gaps, count});
  scale("Muls", offsets, offsets, kBytes);
}

Int PitchOf(const ir::Loop& loop, const Padding& padding) {
  return AlignUp(loop.step, padding.elements);
}

NumbersMoved FindNumbers(const ir::Kernel& kernel, const Layouts& layouts) {
  NumbersMoved numbers;
  const ir::Loop* loop = LoopOf(kernel, layouts);
  if (loop == nullptr) return numbers;
  const auto accesses = passes::AccessesOf(kernel);
  for (const auto& stmt : loop->body) {
    const int tile = TileOfNumbers(kernel, *loop, *stmt);
    if (tile < 0 || !passes::IsUpdatedInPlace(accesses[stmt->access.tensor])) {
      continue;
    }
    const bool loads = stmt->kind == StmtKind::kLoad;
    (loads ? numbers.loaded : numbers.stored).push_back(tile);
  }
  numbers.loop = loop;
  return numbers;
}

}  // namespace

bool NumbersMoved::Has(int tile) const {
  return std::find(loaded.begin(), loaded.end(), tile) != loaded.end() ||
         std::find(stored.begin(), stored.end(), tile) != stored.end();
}

void PlanNumbersOfTurns(const ir::Kernel& kernel, const Lives& lives,
                        StoragePlan& plan) {
  NumbersMoved numbers = FindNumbers(kernel, lives.layouts());
  const auto stores_of = [&](int tile) {
    const std::vector<Occurrence> reads = lives.ReadsOf(tile);
    return std::count_if(reads.begin(), reads.end(), [](const auto& one) {
      return one.stmt->kind == StmtKind::kStore;
    });
  };
  std::erase_if(numbers.loaded, [&](int tile) {
    return plan.tiles[tile].home != Home::kQueueIn;
  });
  std::erase_if(numbers.stored, [&](int tile) {
    return plan.tiles[tile].home != Home::kQueueOut || stores_of(tile) > 1;
  });
  if (numbers.loaded.size() + numbers.stored.size() < kLeastTiles) return;
  const auto add_queue = [&](const char* name, code::QueuePosition position,
                             const std::vector<int>& tiles) {
    if (tiles.empty()) return;
    const auto count = static_cast<int64_t>(tiles.size());
    plan.queues.push_back(
        {name, position, 1, kNumbers * kBytes * count, code::Rank::kBack, 1});
    for (const int tile : tiles) plan.tiles[tile].container = name;
  };
  add_queue("numbers_queue", code::QueuePosition::kIn, numbers.loaded);
  add_queue("results_queue", code::QueuePosition::kOut, numbers.stored);
  for (const int tile : numbers.loaded) {
    plan.open_before[lives.FirstReader(tile)].push_back(tile);
  }
  plan.numbers = std::move(numbers);
}

void NumbersOfTurns::Begin(CoresNest& nest, const ItemRange& range) {
  if (nest.loops[0] != plan_.numbers.loop) return;
  const auto loaded = static_cast<int64_t>(plan_.numbers.loaded.size());
  const auto stored = static_cast<int64_t>(plan_.numbers.stored.size());
  loop_ = plan_.numbers.loop;
  pitch_ = PitchOf(*loop_, emitter_.padding());
  room_ = Max(kNumbers, pitch_);
  turns_ = emitter_.Let(
      "turns_at_once",
      Int::Select(Less(kFewNumbers, pitch_), 1, FloorDiv(kNumbers, pitch_)));
  turn_ = Int::Name(emitter_.FreshName("turn"));
  end_ = Min(loop_->high, loop_->low + range.high * loop_->step);
  kept_ = emitter_.Kept(kNumber,
                        room_ * (loaded + stored) + kNumbers +
                            kBehind * std::max<int64_t>(1, stored),
                        "numbers");
  nest.turns_at_once = turns_;
  nest.turn_of_these = turn_.name();
}

// What is written behind one turn's numbers must not be another tile's.
Int NumbersOfTurns::BeginOf(int tile) const {
  const std::vector<int>& loaded = plan_.numbers.loaded;
  const std::vector<int>& stored = plan_.numbers.stored;
  const auto found = std::find(loaded.begin(), loaded.end(), tile);
  const Int begin = room_ * (found - loaded.begin()) + kNumbers;
  if (found != loaded.end()) return begin;
  return begin +
         (room_ + kBehind) *
             (std::find(stored.begin(), stored.end(), tile) - stored.begin());
}

void NumbersOfTurns::Queue(code::StmtKind kind, int tile,
                           const std::string& local) {
  emitter_.Queue(kind, plan_.tiles[tile].container, kNumber, local);
  emitter_.Declare(local, kNumber);
}

void NumbersOfTurns::Move(const std::vector<int>& tiles,
                          const std::string& slot, const Int& count, bool in) {
  const auto each = [&](const auto& move) {
    for (size_t i = 0; i < tiles.size(); ++i) {
      const Local kept = emitter_.AllOf(
          kept_, kNumber, kernel_.tiles[tiles[i]].name, BeginOf(tiles[i]));
      const Local part{slot, room_ * static_cast<int64_t>(i)};
      in ? move(kept, part) : move(part, kept);
    }
  };
  emitter_.If(
      Less(1, turns_),
      [&] {
        const Local table = emitter_.AllOf(kept_, kOffset, "offsets");
        WorkOutOffsets(emitter_, table, in ? pitch_ : loop_->step,
                       in ? loop_->step : pitch_);
        const Local offsets = emitter_.Cast(table, DType::kUint32, "offsets");
        each([&](const Local& to, const Local& from) {
          emitter_.Call("Gather", {to, from, offsets, Int(0), count});
        });
      },
      [&] {
        each([&](const Local& to, const Local& from) {
          emitter_.Call("DataCopy", {to, from, pitch_});
        });
      });
  emitter_.EndStatement();
}

void NumbersOfTurns::Load(const ir::Stmt& stmt) {
  const std::vector<int>& tiles = plan_.numbers.loaded;
  if (stmt.results[0] != tiles[0]) return;
  emitter_.If(Int::Of(ir::IntKind::kEqual, turn_, 0), [&] {
    const std::string slot = emitter_.FreshName("numbers");
    Queue(code::StmtKind::kAlloc, tiles[0], slot);
    const Int count = emitter_.Let(
        "count", Min(turns_ * loop_->step, end_ - Int::Name(loop_->name)));
    for (const auto& one : loop_->body) {
      if (one->kind != StmtKind::kLoad) continue;
      const auto found = std::find(tiles.begin(), tiles.end(), one->results[0]);
      if (found == tiles.end()) continue;
      ir::Stmt all = *one;
      all.access.indices[0].extent.size = count;
      SelectLoad(emitter_, all, {slot, room_ * (found - tiles.begin())});
    }
    Queue(code::StmtKind::kEnQue, tiles[0], slot);
  });
}

Local NumbersOfTurns::PlaceOf(int tile, const std::string& name) {
  return emitter_.AllOf(kept_, kNumber, name, BeginOf(tile) + turn_ * pitch_);
}

void NumbersOfTurns::TakeOut(int tile) {
  const std::vector<int>& tiles = plan_.numbers.loaded;
  if (!std::exchange(taken_, true)) {
    emitter_.If(Int::Of(ir::IntKind::kEqual, turn_, 0), [&] {
      const std::string slot = emitter_.FreshName("numbers");
      Queue(code::StmtKind::kDeQue, tile, slot);
      Move(tiles, slot, turns_ * pitch_, true);
      Queue(code::StmtKind::kFree, tile, slot);
    });
  }
  const Local place = PlaceOf(tile, kernel_.tiles[tile].name);
  emitter_.Open(tile, place.name, place.name);
}

void NumbersOfTurns::Store(const ir::Loop& loop) {
  const std::vector<int>& tiles = plan_.numbers.stored;
  if (&loop != loop_ || tiles.empty()) return;
  const Int last =
      Int::Of(ir::IntKind::kOr, Int::Of(ir::IntKind::kEqual, turn_ + 1, turns_),
              Int::Of(ir::IntKind::kLessEqual, end_,
                      Int::Name(loop_->name) + loop_->step));
  emitter_.SetStage(code::Stage::kNone);
  emitter_.If(last, [&] {
    const Int before = turn_ * loop_->step;
    const Int count = emitter_.Let("count", before + Int::Name(loop_->extent));
    const std::string made = emitter_.FreshName("results");
    emitter_.SetStage(code::Stage::kCompute);
    Queue(code::StmtKind::kAlloc, tiles[0], made);
    Move(tiles, made, count, false);
    Queue(code::StmtKind::kEnQue, tiles[0], made);
    emitter_.SetStage(code::Stage::kCopyOut);
    const std::string slot = emitter_.FreshName("results");
    Queue(code::StmtKind::kDeQue, tiles[0], slot);
    for (const auto& one : loop_->body) {
      if (one->kind != StmtKind::kStore) continue;
      const auto found = std::find(tiles.begin(), tiles.end(),
                                   std::get<int>(one->operands[0]));
      if (found == tiles.end()) continue;
      ir::Stmt all = *one;
      ir::Index& index = all.access.indices[0];
      index.start = index.start - before;
      index.extent.size = count;
      emitter_.SetLine(one->line);
      SelectStore(emitter_, all, {slot, room_ * (found - tiles.begin())});
    }
    Queue(code::StmtKind::kFree, tiles[0], slot);
  });
}

}  // namespace belay::crux::select
