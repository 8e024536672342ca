// SPDX-License-Identifier: Apache-2.0
#include "crux/select/places.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "crux/passes/walk.h"
#include "crux/select/elementwise.h"
#include "crux/select/layout.h"

namespace belay::crux::select {
namespace {

constexpr int64_t kPart = 64 * 1024;
// What large tiles share on chip, about.
constexpr int64_t kRoom = 184 * 1024;
constexpr int64_t kGrain = 256;  // elements of a tile are a multiple of

// Places of a tile that are looked at.
constexpr int kSamples = 4;

// Arrangements to begin the search with: as many orders of buffers with runs as
// they were found before as with every other one of them far.
constexpr int kBeginnings = 8;

// Cycles lost by a repeat, in hundredths.
constexpr int kSameHalf = 100;     // for each cycle of the instruction
constexpr int kSamePart = 94;      // both sources and the result
constexpr int kFunctionPart = 12;  // of two cycles, result and one source
constexpr int kOtherHalf = 6;      // of one cycle, result and one source
constexpr int kWiden = 30;
constexpr int kNarrow = 48;
constexpr int kReduce = 75;  // with scratch, which lies last

// Tiles of a buffer that begin where they do: each but the first in place of
// the one before.
struct Stretch {
  int next = -1;  // begins in place of this one, at most as far in the buffer
  bool far = false;
};

struct Container {
  std::string name;
  int64_t width = 0;  // bytes for an element of a large tile; 0: small
  int slots = 1;
  bool queue = false;
  bool front = false;
};

// Where samples of a container lie.
struct Place {
  std::array<int64_t, kSamples> part = {};
  std::array<bool, kSamples> half = {};
};

struct Operand {
  int container = -1;  // none, or small
  int run = -1;        // queues have none
  int64_t width = 0;
};

// What an instruction reads and writes.
struct Meeting {
  Operand first;
  Operand second;
  Operand result;
  int cycles = 1;
  int converts = 0;  // what is lost in one part
};

bool IsFunction(Op op) {
  return op == Op::kExp || op == Op::kLn || op == Op::kSqrt || op == Op::kDiv;
}

class Placer {
 public:
  Placer(const ir::Kernel& kernel, const Layouts& layouts, StoragePlan& plan)
      : kernel_(kernel), layouts_(layouts), plan_(plan) {}

  bool Run() {
    if (!layouts_.padding().lanes.empty() || !plan_.parts.empty() ||
        !plan_.spare.empty() || !AreAlike()) {
      return false;
    }
    FindContainers();
    FindRuns();
    passes::ForEachStmt(kernel_.body,
                        [&](const ir::Stmt& stmt) { FindMeeting(stmt); });
    if (meetings_.empty()) return false;
    Search();
    Arrange();
    return true;
  }

 private:
  bool IsLarge(int tile) const { return large_[tile]; }

  // Whether all tiles but single elements and one number of each core are as
  // long as each other, about: a piece that fills the memory, since it is not
  // of one of many short extents, or rows and windows of them.
  bool AreAlike() {
    large_.resize(kernel_.tiles.size());
    Layout like;
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      const Storage& storage = plan_.tiles[id];
      if (storage.direct) return false;
      if (storage.home == Home::kNone) continue;
      const Layout& layout = layouts_[static_cast<int>(id)];
      if (layout.last < 0 || IsForCores(layout.elements)) continue;
      if (layout.is_flat() ? !IsPiece(layout.elements) : !IsOfRows(layout)) {
        return false;
      }
      if (like.last < 0) like = layout;
      const bool same = layout.is_flat()
                            ? ir::Same(like.elements, layout.elements)
                            : ir::Same(like.pitch, layout.pitch);
      if (like.is_flat() != layout.is_flat() || !same) return false;
      large_[id] = true;
    }
    return like.last >= 0;
  }

  // Whether pieces of its rows are as large as fits.
  bool IsOfRows(const Layout& layout) const {
    return layout.dims.size() == 2 &&
           std::any_of(kernel_.parameters.begin(), kernel_.parameters.end(),
                       [&](const ir::TileParameter& one) {
                         return one.role != ir::TileParameter::Role::kRows &&
                                ir::Mentions(layout.dims[0].capacity, one.name);
                       });
  }

  bool IsPiece(const ir::Int& elements) const {
    return elements.kind() == ir::IntKind::kName &&
           std::any_of(kernel_.parameters.begin(), kernel_.parameters.end(),
                       [&](const ir::TileParameter& one) {
                         return one.name == elements.name() && one.outer.Is(1);
                       });
  }

  bool IsForCores(const ir::Int& elements) const {
    return elements.kind() == ir::IntKind::kName &&
           std::any_of(kernel_.host.begin(), kernel_.host.end(),
                       [&](const ir::HostValue& one) {
                         return one.name == elements.name() &&
                                one.source == ir::HostSource::kFormula &&
                                ir::Same(one.formula,
                                         ir::Int::Name("core_count"));
                       });
  }

  int IndexOf(const std::string& container) const {
    for (size_t i = 0; i < containers_.size(); ++i) {
      if (containers_[i].name == container) return static_cast<int>(i);
    }
    return -1;
  }

  void FindContainers() {
    for (const code::Queue& queue : plan_.queues) {
      containers_.push_back({queue.name, 0, queue.depth, true});
    }
    for (const code::Buffer& buffer : plan_.buffers) {
      containers_.push_back({buffer.name});
    }
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      const Storage& storage = plan_.tiles[id];
      const int container = IndexOf(storage.container);
      if (container < 0 || !IsLarge(static_cast<int>(id))) continue;
      containers_[container].width =
          std::max(containers_[container].width,
                   static_cast<int64_t>(BytesOf(kernel_.tiles[id].dtype)));
    }
    for (size_t i = 0; i < containers_.size(); ++i) {
      if (!containers_[i].queue) order_.push_back(i);
    }
    places_.resize(containers_.size());
    // Small ones last.
    std::stable_partition(order_.begin(), order_.end(),
                          [&](size_t i) { return containers_[i].width != 0; });
  }

  // Whether the tile may be computed to a place before its operand's: from its
  // first element to its last, and by an instruction that does not read the
  // place it writes.
  bool MayMove(int tile) const {
    const ir::Stmt* stmt = assigned_[tile];
    if (stmt->kind != ir::StmtKind::kCompute || !IsOneInstruction(*stmt)) {
      return false;
    }
    return std::all_of(stmt->operands.begin(), stmt->operands.end(),
                       [&](const ir::Operand& operand) {
                         const int* one = std::get_if<int>(&operand);
                         return one == nullptr || IsLarge(*one);
                       });
  }

  static bool IsOneInstruction(const ir::Stmt& stmt) {
    switch (stmt.op) {
      case Op::kAbs:
      case Op::kAdd:
      case Op::kDiv:
      case Op::kExp:
      case Op::kLn:
      case Op::kMaximum:
      case Op::kMinimum:
      case Op::kNegate:
      case Op::kSqrt:
      case Op::kSub:
        return true;
      case Op::kMul:
        return stmt.operands.size() == 2;
      case Op::kWhere:
        return stmt.compare.has_value();
      default:
        return false;
    }
  }

  void FindRuns() {
    assigned_.resize(kernel_.tiles.size());
    passes::ForEachStmt(kernel_.body, [&](const ir::Stmt& stmt) {
      for (const int tile : stmt.results) {
        if (assigned_[tile] == nullptr) assigned_[tile] = &stmt;
      }
    });
    for (size_t id = 0; id < kernel_.tiles.size(); ++id) {
      const Storage& storage = plan_.tiles[id];
      if (storage.home != Home::kBuffer || !IsLarge(static_cast<int>(id))) {
        continue;
      }
      RunOf(static_cast<int>(id));
    }
  }

  // Those it is in place of come first.
  int RunOf(int tile) {
    const auto found = run_of_.find(tile);
    if (found != run_of_.end()) return found->second;
    const int over = plan_.tiles[tile].over;
    int run = over < 0 ? -1 : RunOf(over);
    if (run < 0 || MayMove(tile)) {
      runs_.push_back({});
      const int made = static_cast<int>(runs_.size()) - 1;
      if (run >= 0) runs_[run].next = made;
      run = made;
    }
    return run_of_[tile] = run;
  }

  Operand OperandOf(const ir::Operand& operand) const {
    const int* tile = std::get_if<int>(&operand);
    if (tile == nullptr || !IsLarge(*tile)) return {};
    const int root = plan_.tiles[*tile].root;
    const auto run = run_of_.find(root);
    return {IndexOf(plan_.tiles[root].container),
            run == run_of_.end() ? -1 : run->second,
            static_cast<int64_t>(BytesOf(kernel_.tiles[*tile].dtype))};
  }

  void FindMeeting(const ir::Stmt& stmt) {
    if (stmt.kind != ir::StmtKind::kCompute || stmt.results.empty()) return;
    Meeting meeting;
    meeting.result = OperandOf(stmt.results[0]);
    std::vector<Operand> read;
    const bool fused = stmt.op == Op::kMul && stmt.operands.size() == 3;
    const size_t chosen = stmt.op == Op::kWhere ? stmt.operands.size() - 2 : 0;
    for (size_t i = chosen; i < stmt.operands.size(); ++i) {
      // FusedMulAdd reads what it does not write over.
      if (fused && i == 0 && PlaceOfMultiplyAdd(stmt) == 0) continue;
      const Operand one = OperandOf(stmt.operands[i]);
      if (one.container >= 0) read.push_back(one);
    }
    if (read.empty()) return;
    if (meeting.result.container < 0 && !passes::IsReduction(stmt)) return;
    meeting.first = read[0];
    if (read.size() > 1) meeting.second = read[1];
    meeting.cycles = IsFunction(stmt.op) ? 2 : 1;
    if (stmt.op == Op::kTo) {
      meeting.converts = meeting.result.width > meeting.first.width   ? kWiden
                         : meeting.result.width < meeting.first.width ? kNarrow
                                                                      : 0;
    }
    meetings_.push_back(meeting);
  }

  // Bytes that runs begin behind the buffer's begin.
  int64_t ShiftOf(int run) const {
    const Stretch& one = runs_[run];
    if (one.next < 0) return one.far ? kHalfPeriod : 0;
    const int64_t next = ShiftOf(one.next);
    return one.far == runs_[one.next].far ? next : next + kHalfPeriod;
  }

  void LayOut() {
    int64_t width = 0;
    for (const Container& one : containers_) width += one.width * one.slots;
    const int64_t elements = kRoom / width / kGrain * kGrain;
    int64_t at = 0;
    const auto put = [&](size_t container) {
      const Container& one = containers_[container];
      Place& place = places_[container];
      const int64_t bytes = one.width * elements;
      for (int i = 0; i < kSamples; ++i) {
        const int64_t begin = at + i % one.slots * bytes;
        place.part[i] = (begin + bytes * (2 * i + 1) / (2 * kSamples)) / kPart;
        place.half[i] = begin / kHalfPeriod % 2 != 0;
      }
      at += bytes * one.slots;
    };
    for (const bool front : {true, false}) {
      for (size_t i = 0; i < containers_.size(); ++i) {
        if (containers_[i].queue && containers_[i].front == front) put(i);
      }
      for (const size_t i : order_) {
        if (containers_[i].front == front) put(i);
      }
      if (front) at += kHalfPeriod;
    }
    last_part_ = at / kPart;
  }

  // In hundredths of a repeat, for all samples; more than `most` is not looked
  // at closely.
  int64_t Lost(int64_t most) const {
    int64_t lost = 0;
    for (const Meeting& one : meetings_) {
      if (lost > most) return lost;
      for (int sample = 0; sample < kSamples; ++sample) {
        lost += LostBy(one, sample);
      }
    }
    return lost;
  }

  int LostBy(const Meeting& one, int sample) const {
    const auto part = [&](const Operand& operand) {
      return places_[operand.container].part[sample];
    };
    const auto half = [&](const Operand& operand) {
      return places_[operand.container].half[sample] !=
             (operand.run >= 0 && runs_[operand.run].far);
    };
    const int64_t first = part(one.first);
    if (one.result.container < 0) return first == last_part_ ? kReduce : 0;
    const int64_t result = part(one.result);
    if (one.converts != 0) return result == first ? one.converts : 0;
    const auto met = [&](const Operand& source) {
      if (part(source) != result) return 0;
      const bool same = half(source) == half(one.result);
      return one.cycles > 1 ? (same ? kFunctionPart : 0)
                            : (same ? 0 : kOtherHalf);
    };
    if (one.second.container < 0) return met(one.first);
    if (half(one.first) == half(one.second)) return kSameHalf * one.cycles;
    if (first == part(one.second) && first == result) return kSamePart;
    return std::max(met(one.first), met(one.second));
  }

  // The best of a few beginnings.
  void Search() {
    const std::vector<Container> containers = containers_;
    const std::vector<size_t> order = order_;
    Improve();
    for (int beginning = 1; beginning < kBeginnings && best_ != 0;
         ++beginning) {
      const auto found = std::tuple(containers_, order_, runs_, best_);
      containers_ = containers;
      order_ = order;
      const auto small =
          std::find_if(order_.begin(), order_.end(),
                       [&](size_t i) { return containers_[i].width == 0; });
      if (beginning % 2 != 0) std::reverse(order_.begin(), small);
      for (Container& one : containers_) {
        one.front = one.width != 0 && one.queue == (beginning % 4 > 1);
      }
      if (beginning >= kBeginnings / 2) {
        for (size_t i = 0; i < runs_.size(); ++i) runs_[i].far = i % 2 == 0;
      }
      Improve();
      if (best_ >= std::get<3>(found)) {
        std::tie(containers_, order_, runs_, best_) = found;
      }
    }
  }

  // Changes one thing at a time, as long as less is lost.
  void Improve() {
    LayOut();
    best_ = Lost(std::numeric_limits<int64_t>::max());
    for (bool again = true; again && best_ != 0;) {
      again = false;
      for (Container& one : containers_) {
        if (one.width == 0) continue;
        again |= TryToMove([&] { one.front = !one.front; });
      }
      for (size_t i = 0; i < order_.size(); ++i) {
        for (size_t j = i + 1; j < order_.size(); ++j) {
          if (containers_[order_[j]].width == 0) break;
          again |= TryToMove([&] { std::swap(order_[i], order_[j]); });
        }
      }
      for (size_t i = 0; i < runs_.size(); ++i) {
        again |= Try([&] { runs_[i].far = !runs_[i].far; });
        again |= Try([&] { TurnFrom(static_cast<int>(i)); });
      }
    }
  }

  void TurnFrom(int run) {
    for (; run >= 0; run = runs_[run].next) runs_[run].far = !runs_[run].far;
  }

  // Changes by what containers are laid out; `change` undoes itself.
  template <typename Change>
  bool TryToMove(const Change& change) {
    const std::vector<Place> before = places_;
    return Try(
        [&] {
          change();
          LayOut();
        },
        [&] {
          change();
          places_ = before;
        });
  }

  template <typename Change>
  bool Try(const Change& change) {
    return Try(change, change);
  }

  // Whether the change stays.
  template <typename Change, typename Undo>
  bool Try(const Change& change, const Undo& undo) {
    change();
    const int64_t lost = Lost(best_);
    if (lost < best_) {
      best_ = lost;
      return true;
    }
    undo();
    return false;
  }

  void Arrange() {
    std::map<std::string, int64_t> more;  // bytes of buffers
    for (const auto& [tile, run] : run_of_) {
      Storage& storage = plan_.tiles[tile];
      storage.shift = ShiftOf(run);
      int64_t& most = more[storage.container];
      most = std::max(most, storage.shift);
    }
    const bool any =
        std::any_of(containers_.begin(), containers_.end(),
                    [](const Container& one) { return one.front; });
    std::vector<code::Buffer> buffers;
    for (const bool front : {true, false}) {
      for (const size_t i : order_) {
        const Container& one = containers_[i];
        if (one.front != front) continue;
        code::Buffer buffer = *std::find_if(
            plan_.buffers.begin(), plan_.buffers.end(),
            [&](const code::Buffer& old) { return old.name == one.name; });
        buffer.rank = front ? code::Rank::kBetween : code::Rank::kBack;
        if (more[one.name] != 0) {
          buffer.bytes = buffer.bytes + (more[one.name] + kPeriodOfBanks - 1) /
                                            kPeriodOfBanks * kPeriodOfBanks;
        }
        buffers.push_back(std::move(buffer));
      }
      if (front && any) {
        buffers.push_back({"bank_pad", kHalfPeriod, code::Rank::kBetween});
      }
    }
    plan_.buffers = std::move(buffers);
    for (code::Queue& queue : plan_.queues) {
      queue.rank = containers_[IndexOf(queue.name)].front ? code::Rank::kFront
                                                          : code::Rank::kBack;
    }
  }

  const ir::Kernel& kernel_;
  const Layouts& layouts_;
  StoragePlan& plan_;
  std::vector<bool> large_;                // by tile
  std::vector<const ir::Stmt*> assigned_;  // first, by tile
  std::vector<Container> containers_;
  std::vector<Place> places_;  // of containers
  std::vector<size_t> order_;  // of buffers
  std::vector<Stretch> runs_;
  std::map<int, int> run_of_;
  std::vector<Meeting> meetings_;
  int64_t last_part_ = 0;
  int64_t best_ = 0;
};

}  // namespace

bool ArrangePlaces(const ir::Kernel& kernel, const Layouts& layouts,
                   StoragePlan& plan) {
  return Placer(kernel, layouts, plan).Run();
}

}  // namespace belay::crux::select
