// SPDX-License-Identifier: Apache-2.0
#include "crux/select/memory.h"

#include <algorithm>
#include <optional>

#include "crux/select/access_walk.h"
#include "crux/select/bursts.h"
#include "crux/select/joined_axes.h"

namespace belay::crux::select {

using code::GlobalPart;
using code::Struct;
using ir::Access;
using ir::Index;
using ir::IndexKind;

namespace {

Int Inside(const Int& position, const Int& dim) {
  return Int::Of(ir::IntKind::kAnd,
                 Int::Of(ir::IntKind::kLessEqual, 0, position),
                 Less(position, dim));
}

class Mover {
 public:
  Mover(Emitter& emitter, const ir::Stmt& stmt, const Local& place,
        const std::vector<ir::Dim>& dims, bool loads, Int skipped = 0)
      : emitter_(emitter),
        stmt_(stmt),
        access_(stmt.access),
        place_(place),
        dims_(Joined(dims, skipped)),
        layout_(LayoutOf(dims_, emitter.padding())),
        walk_(WalkOf(emitter, access_, layout_)),
        loads_(loads),
        skipped_(std::move(skipped)),
        nest_(NestOf(emitter_, access(), walk_.inner)) {}

  // By the vector unit, too, if `by_vectors`.
  void Load(bool by_vectors) {
    if (stmt_.fill) Fill();
    if (walk_.inner >= 0 || layout_.last < 0) {
      LoopOuter();
    } else if (const int along = IndexWithGaps();
               along >= 0 && by_vectors && !stmt_.fill) {
      MoveApart(along);
    } else {
      EachElement();
    }
  }

  void Store() {
    const bool atomic = stmt_.kind == ir::StmtKind::kAtomicAdd;
    if (atomic) emitter_.Call("SetAtomicAdd", {}, {walk_.dtype});
    if (walk_.inner >= 0 || layout_.last < 0) {
      LoopOuter();
    } else if (const int along = IndexWithGaps(); along >= 0) {
      MoveApart(along);
    } else {
      EachElement();
    }
    if (atomic) emitter_.Call("SetAtomicNone", {});
    // The slot is anybody's memory again.
    if (slot_) emitter_.Sync("MTE3_V");
  }

 private:
  const Access& access() const { return access_; }

  // The dims of the tile, with those of the access joined where all of it is
  // moved.
  std::vector<ir::Dim> Joined(std::vector<ir::Dim> dims, const Int& skipped) {
    if (!stmt_.fill && skipped.Is(0)) JoinAxes(access_, dims);
    return dims;
  }

  // 0 where some of the tile may lie outside the tensor, along another index
  // than `but`.
  Int LiesInside(const Index* but = nullptr) const {
    Int inside = 1;
    for (const Index& index : access().indices) {
      if (&index == but) continue;
      if (index.kind == IndexKind::kTile) return 0;
      Int last = index.start;
      if (index.kind == IndexKind::kRange) {
        if (!index.step.is_constant() || index.step.value() < 1) return 0;
        last = last + (index.extent.size - 1) * index.step;
      }
      inside = Int::Of(ir::IntKind::kAnd, inside,
                       Int::Of(ir::IntKind::kAnd,
                               Int::Of(ir::IntKind::kLessEqual, 0, index.start),
                               Less(last, index.dim)));
    }
    return inside;
  }

  // Rows outside the tensor get the fill. The whole tile does where it reaches
  // out along another axis; what is inside comes over it.
  void Fill() {
    if (walk_.inner < 0 || nest_.row < 0 || !nest_.outer.empty() ||
        !HasDuplicate(walk_.dtype)) {
      return emitter_.If(Int::Not(LiesInside()), [&] { FillAll(); });
    }
    const Index& row = access().indices[nest_.row];
    rows_ = RowsInside();
    const Int some = Int::Of(ir::IntKind::kAnd, LiesInside(&row),
                             Less(rows_->low, rows_->high));
    emitter_.If(
        some,
        [&] {
          FillRows(0, rows_->low);
          FillRows(rows_->high, row.extent.size);
        },
        [&] { FillAll(); });
  }

  static bool HasDuplicate(DType dtype) {
    return dtype == DType::kFloat || dtype == DType::kHalf ||
           dtype == DType::kBfloat16 || dtype == DType::kInt32 ||
           dtype == DType::kInt16 || dtype == DType::kUint32 ||
           dtype == DType::kUint16;
  }

  // Those in the tensor.
  Clip RowsInside() {
    const Clip clip = ClipOf(access().indices[nest_.row]);
    const Int low = emitter_.Let("row", clip.low);
    return {low, emitter_.Let("row_end", clip.high)};
  }

  // The load touches other rows: neither waits for the other.
  void FillRows(const Int& low, const Int& high) {
    if (Same(low, high)) return;
    const Int pitch = layout_.strides[access().indices[nest_.row].axis];
    emitter_.If(Less(low, high), [&] {
      emitter_.Call("Duplicate",
                    {Offset(low * pitch), ScalarOf(*stmt_.fill, walk_.dtype),
                     (high - low) * pitch},
                    {walk_.dtype});
    });
  }

  void FillAll() {
    const DType dtype = walk_.dtype;
    const ScalarPtr value = ScalarOf(*stmt_.fill, dtype);
    if (HasDuplicate(dtype)) {
      emitter_.Call("Duplicate", {place_, value, layout_.elements}, {dtype});
      emitter_.Sync("V_MTE2");
      return;
    }
    ForEachElement(emitter_, dims_, [&](const std::vector<Int>& at) {
      emitter_.SetValue(Offset(layout_.Offset(at)), value);
    });
  }

  Local Offset(const Int& elements) const {
    return {place_.name, place_.offset + elements};
  }

  // Loops over the outer axes, with what is inside them at that point.
  void LoopOuter() {
    at_.assign(dims_.size(), Int(0));
    base_ = 0;
    inside_ = 1;
    for (size_t i = 0; i < access().indices.size(); ++i) {
      const Index& index = access().indices[i];
      if (index.kind == IndexKind::kPoint ||
          (index.kind == IndexKind::kRange && index.extent.is_one() &&
           static_cast<int>(i) != walk_.inner)) {
        Visit(index, walk_.strides[i], index.start);
      }
    }
    if (RowsLieAcross()) return LoopFewer();
    Outer(0);
  }

  // Whether the tile has the two axes around the inner one in another order
  // than the tensor, and no other ones.
  bool RowsLieAcross() const {
    if (stmt_.fill || nest_.row < 0 || nest_.outer.size() != 1) return false;
    const Index& outer = access().indices[nest_.outer[0]];
    return GoesByRows(outer) && outer.axis > access().indices[nest_.row].axis;
  }

  // The longer of the two axes by rows, the other one in a loop.
  void LoopFewer() {
    const Index& row = access().indices[nest_.row];
    const Index& outer = access().indices[nest_.outer[0]];
    const Int row_stride = walk_.strides[nest_.row];
    const Int outer_stride = walk_.strides[nest_.outer[0]];
    const Int swap = Less(row.extent.capacity, outer.extent.capacity);
    const auto longer = [&](const Int& of_row, const Int& of_outer) {
      return Int::Select(swap, of_outer, of_row);
    };
    Runs runs;
    runs.length = 1;
    Int base = base_ + row.start * row_stride + outer.start * outer_stride;
    if (walk_.inner >= 0) {
      const Index& inner = access().indices[walk_.inner];
      runs.length = inner.extent.size;
      base = base + inner.start;
    }
    runs.rows =
        emitter_.Let("rows", longer(row.extent.size, outer.extent.size));
    const Int global[2] = {row_stride * row.step, outer_stride * outer.step};
    const Int local[2] = {layout_.strides[row.axis],
                          layout_.strides[outer.axis]};
    // The host works these out.
    runs.global_distance =
        emitter_.Let("row_distance", longer(global[0], global[1]));
    runs.local_distance = emitter_.Let("row_pitch", longer(local[0], local[1]));
    const Int turn_distance =
        emitter_.Let("turn_distance", longer(global[1], global[0]));
    const Int turn_pitch =
        emitter_.Let("turn_pitch", longer(local[1], local[0]));
    const Int turns = longer(outer.extent.size, row.extent.size);
    emitter_.For("turn", 0, turns, 1, [&](const Int& turn) {
      ByMostBlocks(
          emitter_, runs, longer(row.extent.capacity, outer.extent.capacity),
          [&](const Runs& part, const Int& skipped) {
            Copy(part,
                 base + turn * turn_distance + skipped * runs.global_distance,
                 layout_.Offset(at_) + turn * turn_pitch +
                     skipped * runs.local_distance,
                 0);
          });
    });
  }

  void Visit(const Index& index, const Int& stride, const Int& position) {
    base_ = base_ + position * stride;
    if (stmt_.fill) {
      inside_ =
          Int::Of(ir::IntKind::kAnd, inside_, Inside(position, index.dim));
    }
  }

  void Outer(size_t depth) {
    if (depth == nest_.outer.size()) return Rows();
    const int which = nest_.outer[depth];
    const Index& index = access().indices[which];
    const Int base = base_;
    const Int inside = inside_;
    const auto each = [&](const std::vector<Int>& own) {
      for (size_t i = 0; i < own.size(); ++i) at_[index.axis + i] = own[i];
      Visit(index, walk_.strides[which], PositionOf(emitter_, index, at_));
      Outer(depth + 1);
      base_ = base;
      inside_ = inside;
    };
    if (index.kind == IndexKind::kTile) {
      ForEachElement(emitter_, emitter_.TileOf(index.tile).dims, each);
    } else {
      ForEachElement(emitter_, {index.extent}, each);
    }
  }

  // The rows at this point of the outer loops.
  void Rows() {
    Runs runs;
    Int global = base_;
    Int local = layout_.Offset(at_);
    Int capacity = 1;
    Int first = 0;  // position of the first element in its row of the tile
    if (walk_.inner >= 0) {
      const Index& inner = access().indices[walk_.inner];
      runs.length = inner.extent.size;
      global = global + inner.start;
      if (stmt_.fill) {
        const Clip clip = ClipOf(inner);
        first = emitter_.Let("first", clip.low);
        const Int end = emitter_.Let("end", clip.high);
        runs.length = end - first;
        inside_ = Int::Of(ir::IntKind::kAnd, inside_, Less(first, end));
        global = global + first;
      }
    } else {
      runs.length = 1;
    }
    if (nest_.row >= 0) {
      const Index& row = access().indices[nest_.row];
      runs.rows = row.extent.size;
      capacity = row.extent.capacity;
      runs.global_distance = walk_.strides[nest_.row] * row.step;
      runs.local_distance = layout_.strides[row.axis];
      Int from = skipped_;
      Int end = runs.rows;
      if (stmt_.fill) {
        const Clip clip = rows_ ? *rows_ : RowsInside();
        from = skipped_.Is(0)
                   ? clip.low
                   : emitter_.Let("first_row", Max(clip.low, skipped_));
        end = clip.high;
        inside_ = Int::Of(ir::IntKind::kAnd, inside_, Less(from, end));
      }
      runs.rows = end - from;
      global =
          global + (row.start + from * row.step) * walk_.strides[nest_.row];
      local = local + from * runs.local_distance;
      if (MayJoin(row, runs)) {
        runs.gap = GapToJoin(emitter_, runs, capacity);
      } else if (MayBeWhole(row, runs)) {
        const Index& inner = access().indices[walk_.inner];
        runs.apart =
            ApartUnlessWhole(emitter_, runs, inner.dim, inner.extent.capacity);
      }
    }
    emitter_.If(inside_, [&] {
      ByMostBlocks(emitter_, runs, capacity,
                   [&](const Runs& part, const Int& skipped) {
                     Copy(part, global + skipped * runs.global_distance,
                          local + skipped * runs.local_distance, first);
                   });
    });
  }

  // Whether the rows, as many as run at a time or so many times all of an axis
  // behind them, follow each other in the tensor, and may on chip.
  bool MayJoin(const Index& row, const Runs& runs) const {
    const auto& parameters = emitter_.kernel().parameters;
    const Int& capacity = row.extent.capacity;
    const auto is_of = [&](const Int& rows) {
      const auto args = capacity.args();
      return Same(capacity, rows) ||
             (capacity.kind() == ir::IntKind::kMul &&
              std::any_of(args.begin(), args.end(),
                          [&](const Int& arg) { return Same(arg, rows); }));
    };
    const Int gap = runs.local_distance - runs.length;
    return !stmt_.fill && nest_.outer.empty() &&
           Same(runs.global_distance, runs.length) &&
           (!gap.is_constant() || gap.Is(0)) &&
           std::any_of(parameters.begin(), parameters.end(),
                       [&](const ir::TileParameter& one) {
                         return one.role == ir::TileParameter::Role::kRows &&
                                is_of(Int::Name(one.name));
                       });
  }

  // Whether the runs are pieces of rows that follow each other in the tensor,
  // a piece of these rows, so that whole ones may be moved as one.
  bool MayBeWhole(const Index& row, const Runs& runs) const {
    const auto& parameters = emitter_.kernel().parameters;
    const auto is_cut_by = [&](const Index& index, auto... roles) {
      return std::any_of(parameters.begin(), parameters.end(),
                         [&](const ir::TileParameter& one) {
                           return ((one.role == roles) || ...) &&
                                  Same(index.extent.capacity,
                                       Int::Name(one.name));
                         });
    };
    using Role = ir::TileParameter::Role;
    if (stmt_.fill || !nest_.outer.empty() || walk_.inner < 0) return false;
    const Index& inner = access().indices[walk_.inner];
    return Same(runs.global_distance, inner.dim) &&
           is_cut_by(row, Role::kPiece) &&
           is_cut_by(inner, Role::kPiece, Role::kCores);
  }

  void Copy(const Runs& runs, const Int& global, const Int& local,
            const Int& first) {
    const GlobalPart there{walk_.global, global};
    if (!loads_) {
      emitter_.Call(
          "DataCopyPad",
          {there, Offset(local), CopyParams(runs, walk_.bytes, loads_)}, {});
      return;
    }
    // What lies before the first element in its block of 32 bytes, and behind
    // the last one in its own, is filled by the copy.
    const int64_t lanes = 32 / walk_.bytes;
    Int left = 0;
    Int right = 0;
    Struct padding{"DataCopyPadExtParams", {0, 0, 0}, Real(walk_.dtype, 0)};
    if (stmt_.fill) {
      left = emitter_.Let("left", Mod(first, lanes));
      right = Mod(0 - (left + runs.length), lanes);
      padding.fields = {1, left, right};
      padding.padding = ScalarOf(*stmt_.fill, walk_.dtype);
    }
    emitter_.Call("DataCopyPad",
                  {Offset(local + first - left), there,
                   CopyParams(runs, walk_.bytes, loads_, left), padding},
                  {});
  }

  // One element between the tile and the tensor.
  void One(const Int& global, const Int& local) {
    const GlobalPart there{walk_.global, global};
    if (!loads_) {
      const Local slot = Slot();
      emitter_.SetValue(slot, Element(walk_.dtype, Offset(local)));
      emitter_.Call("DataCopyPad",
                    {there, slot, CopyParams({1, 1}, walk_.bytes, loads_)}, {});
      return;
    }
    const ir::Tensor& tensor = emitter_.kernel().tensors[access().tensor];
    if (tensor.role == ir::TensorRole::kIn) {
      emitter_.SetValue(Offset(local), GlobalElement(walk_.dtype, there));
      return;
    }
    // What other cores may have stored is not read through the data cache.
    const Local slot = Slot();
    emitter_.Call(
        "DataCopyPad",
        {slot, there, CopyParams({1, 1}, walk_.bytes, loads_),
         Struct{"DataCopyPadExtParams", {0, 0, 0}, Real(walk_.dtype, 0)}},
        {});
    emitter_.SetValue(Offset(local), Element(walk_.dtype, slot));
  }

  const Local& Slot() {
    if (!slot_) {
      slot_ = emitter_.Scratch(walk_.dtype, 1, "slot");
      if (loads_) emitter_.Sync("V_MTE2");
    }
    return *slot_;
  }

  // The range that neighbours on chip lie along, a step apart in the tensor, if
  // an instruction spreads them over blocks; -1: there is none.
  int IndexWithGaps() const {
    if (walk_.bytes != 2 && walk_.bytes != 4) return -1;
    const auto& indices = access().indices;
    const auto found =
        std::find_if(indices.begin(), indices.end(), [&](const Index& index) {
          return index.kind == IndexKind::kRange &&
                 index.axis == layout_.last && index.step.is_constant() &&
                 index.step.value() > 0;
        });
    return found == indices.end() ? -1
                                  : static_cast<int>(found - indices.begin());
  }

  // Some elements at a time, each in a block of its own: a move takes them as
  // rows of one element.
  void MoveApart(int along) {
    constexpr int64_t kAtOnce = 256;
    const int64_t block = 32 / walk_.bytes;
    const Index& range = access().indices[static_cast<size_t>(along)];
    const Local apart = emitter_.Scratch(walk_.dtype, kAtOnce * block, "apart");
    Local offsets;
    if (loads_) {
      offsets = OffsetsOfBlocks(kAtOnce);
    } else {
      slot_ = apart;
    }
    std::vector<ir::Dim> outer = dims_;
    outer[static_cast<size_t>(layout_.last)] = {1, 1};
    ForEachElement(emitter_, outer, [&](const std::vector<Int>& at) {
      Int global = 0;
      for (size_t i = 0; i < access().indices.size(); ++i) {
        global = global + PositionOf(emitter_, access().indices[i], at) *
                              walk_.strides[i];
      }
      const Int local = layout_.Offset(at);
      Runs runs;
      runs.length = 1;
      runs.global_distance =
          walk_.strides[static_cast<size_t>(along)] * range.step;
      runs.local_distance = block;
      const auto move = [&](const Int& first) {
        runs.rows =
            emitter_.Let("count", Min(range.extent.size - first, Int(kAtOnce)));
        const GlobalPart there{walk_.global,
                               global + first * runs.global_distance};
        if (loads_) {
          LoadBlocks(there, apart, offsets, Offset(local + first), runs);
        } else {
          StoreBlocks(there, apart, Offset(local + first), runs);
        }
      };
      emitter_.For("first", 0, range.extent.size, kAtOnce, move);
    });
  }

  void StoreBlocks(const GlobalPart& there, const Local& apart,
                   const Local& from, const Runs& runs) {
    constexpr int64_t kOfBrcb = 8;
    // What was stored before is gone, and what was only loaded is there.
    emitter_.Sync("MTE3_V");
    emitter_.Call("Brcb", {apart, from, CeilDiv(runs.rows, kOfBrcb),
                           Struct{"BrcbRepeatParams", {1, 8}, {}}});
    emitter_.Sync("V_MTE3");
    emitter_.Call("DataCopyPad",
                  {there, apart, CopyParams(runs, walk_.bytes, false)}, {});
  }

  void LoadBlocks(const GlobalPart& there, const Local& apart,
                  const Local& offsets, const Local& to, const Runs& runs) {
    // What was loaded before is gathered.
    emitter_.Sync("V_MTE2");
    emitter_.Call(
        "DataCopyPad",
        {apart, there, CopyParams(runs, walk_.bytes, true),
         Struct{"DataCopyPadExtParams", {0, 0, 0}, Real(walk_.dtype, 0)}},
        {});
    emitter_.Sync("MTE2_V");
    emitter_.Call("Gather", {to, apart, offsets, Int(0), runs.rows});
  }

  // Where blocks begin, in bytes.
  Local OffsetsOfBlocks(int64_t count) {
    const Local numbers = emitter_.Scratch(DType::kInt32, count, "numbers");
    emitter_.Call("CreateVecIndex",
                  {numbers, Whole(DType::kInt32, 0), Int(count)},
                  {DType::kInt32});
    emitter_.Call("Muls",
                  {numbers, numbers, Whole(DType::kInt32, 32), Int(count)},
                  {DType::kInt32});
    return emitter_.Cast(numbers, DType::kUint32, "offsets");
  }

  void EachElement() {
    if (!loads_ || emitter_.kernel().tensors[access().tensor].role !=
                       ir::TensorRole::kIn) {
      Slot();
    }
    ForEachElement(emitter_, dims_, [&](const std::vector<Int>& at) {
      Int global = 0;
      Int inside = 1;
      for (size_t i = 0; i < access().indices.size(); ++i) {
        const Index& index = access().indices[i];
        const Int position = PositionOf(emitter_, index, at);
        global = global + position * walk_.strides[i];
        if (stmt_.fill) {
          inside =
              Int::Of(ir::IntKind::kAnd, inside, Inside(position, index.dim));
        }
      }
      emitter_.If(inside, [&] { One(global, layout_.Offset(at)); });
    });
  }

  Emitter& emitter_;
  const ir::Stmt& stmt_;
  Access access_;
  Local place_;
  std::vector<ir::Dim> dims_;
  Layout layout_;
  Walk walk_;
  bool loads_;
  Int skipped_;  // rows that need not be loaded
  Nest nest_;
  std::optional<Clip> rows_;  // in the tensor, where others were filled
  std::vector<Int> at_;       // where the outer loops are
  Int base_;                  // offset in the tensor there
  Int inside_;                // whether that lies in the tensor
  std::optional<Local> slot_;
};

void OpenElement(Emitter& emitter, const Access& access) {
  const ir::Tensor& tensor = emitter.kernel().tensors[access.tensor];
  if (!tensor.list) return;
  code::Stmt open;
  open.kind = code::StmtKind::kOpenElement;
  open.global.name = GlobalName(tensor);
  open.value = access.element;
  emitter.Append(std::move(open));
}

}  // namespace

std::string GlobalName(const ir::Tensor& tensor) { return tensor.name; }

DType GlobalDtype(DType dtype) {
  return dtype == DType::kBool ? DType::kUint8 : dtype;
}

void SelectLoad(Emitter& emitter, const ir::Stmt& stmt, const Local& place,
                const Int& skipped, bool by_vectors) {
  OpenElement(emitter, stmt.access);
  Mover(emitter, stmt, place, emitter.TileOf(stmt.results[0]).dims, true,
        skipped)
      .Load(by_vectors);
}

void SelectStore(Emitter& emitter, const ir::Stmt& stmt, const Local& place) {
  OpenElement(emitter, stmt.access);
  Mover(emitter, stmt, place,
        emitter.TileOf(std::get<int>(stmt.operands[0])).dims, false)
      .Store();
}

}  // namespace belay::crux::select
