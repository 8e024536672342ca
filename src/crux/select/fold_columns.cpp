// SPDX-License-Identifier: Apache-2.0
#include "crux/select/fold_columns.h"

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace belay::crux::select {
namespace {

// So many columns are folded at a time, or half as many. A column's pitch is 16
// elements more than whole periods of bank groups: columns of 32 bits that are
// four apart meet in no group, nor do those of 16 bits that are eight apart.
constexpr int64_t kMost = 4;
constexpr int64_t kGroups = 16;

// The tensors and sizes of the function at hand.
struct Columns {
  Local dst;
  Local src;
  Local part;
  Int rows;
  Int count;
  Int pitch;
};

class ColumnsFolder {
 public:
  ColumnsFolder(Emitter& emitter, const Fold& fold, DType dtype)
      : emitter_(emitter),
        fold_(fold),
        dtype_(dtype),
        lanes_(LanesOfRepeat(dtype)) {}

  // Several columns at a time meet in `part`, then halves of that and what is
  // left. Instructions take whole repeats, also of lanes that nobody reads any
  // more: tiles reach as far, and there is room in `part`.
  void Apart(const Columns& all) {
    const auto count = [&](const Int& columns) {
      return AlignUp(columns * all.pitch, lanes_);
    };
    const auto add = [&](const Local& to, const Int& column,
                         const Int& columns) {
      Step(all.part, to, ColumnOf(all, column),
           Min(count(columns), count(all.count) - column * all.pitch));
    };
    Few(all, [&](const Int& many, const Int& width) {
      const Int full = emitter_.Let("full", all.count - Mod(all.count, width));
      add(all.src, width, width);
      emitter_.For("column", width * 2, full, width,
                   [&](const Int& column) { add(all.part, column, width); });
      emitter_.If(many, [&] {
        Step(all.part, all.part, Moved(all.part, all.pitch * (kMost / 2)),
             count(kMost / 2));
      });
      emitter_.For("column", full, all.count - 1, 2,
                   [&](const Int& column) { add(all.part, column, 2); });
      Step(all.dst, all.part, Moved(all.part, all.pitch), all.rows);
      emitter_.If(Mod(all.count, 2), [&] {
        Step(all.dst, all.dst, ColumnOf(all, all.count - 1), all.rows);
      });
    });
  }

  // Several columns at a time over those before them, the last first.
  void InPlace(const Columns& all) {
    Few(all, [&](const Int& many, const Int& width) {
      const Int groups = emitter_.Let("groups", FloorDiv(all.count - 1, width));
      emitter_.For("group", 0, groups, 1, [&](const Int& group) {
        const Int column = emitter_.Let("column", (groups - group) * width);
        const Local into = ColumnOf(all, column - width);
        Step(into, into, ColumnOf(all, column),
             Min(all.count - column, width) * all.pitch);
      });
      emitter_.If(many, [&] {
        Step(all.src, all.src, ColumnOf(all, kMost / 2),
             all.pitch * (kMost / 2));
      });
      Step(all.dst, all.src, ColumnOf(all, 1), all.rows);
    });
  }

 private:
  // Up to three columns one by one; others as `more` does it, so many at a time
  // and whether these are the most.
  void Few(const Columns& all,
           const std::function<void(const Int&, const Int&)>& more) {
    const auto from = [&](const Int& first) {
      emitter_.For("column", first, all.count, 1, [&](const Int& column) {
        Step(all.dst, all.dst, ColumnOf(all, column), all.rows);
      });
    };
    emitter_.If(
        Less(3, all.count),
        [&] {
          const Int many = Less(2 * kMost - 1, all.count);
          more(many,
               emitter_.Let("width", Int::Select(many, kMost, kMost / 2)));
        },
        [&] {
          emitter_.If(
              Less(1, all.count),
              [&] {
                Step(all.dst, all.src, ColumnOf(all, 1), all.rows);
                from(2);
              },
              [&] {
                emitter_.Call("Duplicate", {all.dst, fold_.neutral, all.rows},
                              {dtype_});
                from(0);
              });
        });
  }

  void Step(const Local& dst, const Local& a, const Local& b,
            const Int& count) {
    emitter_.Call(fold_.step, {dst, a, b, count});
  }

  Local ColumnOf(const Columns& all, const Int& column) const {
    return Moved(all.src, column * all.pitch);
  }

  Emitter& emitter_;
  const Fold& fold_;
  DType dtype_;
  int64_t lanes_;
};

std::string_view SuffixOf(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return "Half";
    case DType::kInt32:
      return "Int32";
    case DType::kInt16:
      return "Int16";
    default:
      return "";
  }
}

// What columns meet in. Spare memory begins half a period of groups from what
// is folded; in 16 bits the ninth column does, too.
Local PartOf(Emitter& emitter, DType dtype, const Layout& from,
             const std::string& spare) {
  const int64_t offset =
      BytesOf(dtype) == 2 ? kGroups / 2 * LanesOfBlock(dtype) : 0;
  if (!spare.empty()) return {spare, offset};
  const Int half = from.pitch * (kMost / 2);
  const Int room = half + AlignUp(half, LanesOfRepeat(dtype)) + offset;
  return Moved(emitter.Scratch(dtype, room, "part"), offset);
}

// Columns that are made where they are added up.
class PartsFolder {
 public:
  PartsFolder(Emitter& emitter, const Fold& fold, const ir::Stmt& made,
              Columns all, std::vector<Local> sources)
      : emitter_(emitter),
        fold_(fold),
        product_(made.op == Op::kMul),
        all_(std::move(all)),
        sources_(std::move(sources)) {}

  // Two columns at a time, where there is memory for them and for those that
  // they are added to; else one by one.
  void Run() {
    emitter_.If(
        Less((product_ ? kLeastOfProducts : kLeast) - 1, all_.count),
        [&] { Pairs(); }, [&] { OneByOne(); });
  }

 private:
  static constexpr int64_t kLeast = 10;
  static constexpr int64_t kLeastOfProducts = 4;
  static constexpr int64_t kLanes = 64;
  static constexpr int64_t kPeriod = 128;  // of bank groups

  void Pairs() {
    const Int even = all_.count - Mod(all_.count, 2);
    const Int pair = AlignUp(all_.pitch * 2, kLanes);
    // In the groups that the first two columns are not in.
    const Local other =
        Moved(all_.part, AlignUp(all_.pitch * 2, kPeriod) + kPeriod / 2);
    const auto count = [&](const Int& column) {
      return Min(
          pair, AlignUp(all_.count * all_.pitch, kLanes) - column * all_.pitch);
    };
    Make(all_.part, 0, pair);
    emitter_.For("column", 2, even, 2, [&](const Int& column) {
      AddTo(all_.part, column, other, count(column));
    });
    emitter_.Call(fold_.step, {all_.dst, all_.part,
                               Moved(all_.part, all_.pitch), all_.rows});
    emitter_.If(Mod(all_.count, 2),
                [&] { AddTo(all_.dst, all_.count - 1, all_.part, all_.rows); });
  }

  void OneByOne() {
    Make(all_.dst, 0, all_.rows);
    emitter_.For("column", 1, all_.count, 1, [&](const Int& column) {
      AddTo(all_.dst, column, all_.part, all_.rows);
    });
  }

  std::vector<Arg> ArgumentsOf(const Local& dst, const Int& column,
                               const Int& count) const {
    std::vector<Arg> arguments = {dst};
    for (const Local& source : sources_) {
      arguments.emplace_back(Moved(source, column * all_.pitch));
    }
    arguments.emplace_back(count);
    return arguments;
  }

  void Make(const Local& dst, const Int& column, const Int& count) {
    emitter_.Call(product_ ? "Mul" : "Exp", ArgumentsOf(dst, column, count));
  }

  void AddTo(const Local& dst, const Int& column, const Local& between,
             const Int& count) {
    if (product_) {
      return emitter_.Call("MulAddDst", ArgumentsOf(dst, column, count));
    }
    Make(between, column, count);
    emitter_.Call(fold_.step, {dst, dst, between, count});
  }

  Emitter& emitter_;
  const Fold& fold_;
  bool product_;
  Columns all_;
  std::vector<Local> sources_;
};

}  // namespace

void FoldColumnsOfParts(Emitter& emitter, const Fold& fold,
                        const ir::Stmt& reduction, const ir::Stmt& made) {
  const int tile = made.results[0];
  const Layout layout = emitter.LayoutOf(tile);
  std::vector<Emitter::Handed> tensors = {
      {"dst", emitter.At(reduction.results[0])}, {"part", emitter.At(tile)}};
  for (const ir::Operand& operand : made.operands) {
    tensors.push_back({"src", emitter.At(std::get<int>(operand))});
  }
  emitter.Invoke(
      made.op == Op::kMul ? "SumColumnsOfProducts" : "SumColumnsOfExp", tensors,
      {{"rows", layout.dims[1].size},
       {"columns", layout.dims[0].size},
       {"pitch", layout.pitch}},
      [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
        PartsFolder(emitter, fold, made,
                    {own[0], {}, own[1], sizes[0], sizes[1], sizes[2]},
                    {own.begin() + 2, own.end()})
            .Run();
      });
}

void FoldColumns(Emitter& emitter, const Fold& fold, const Lane& dst,
                 const Lane& src, const Layout& from,
                 const std::string& spare) {
  const DType dtype = emitter.DtypeOf(src.place);
  const bool in_place = spare == src.place.name;
  std::vector<Emitter::Handed> tensors = {{"dst", dst.place},
                                          {"src", src.place}};
  if (!in_place) {
    tensors.push_back({"part", PartOf(emitter, dtype, from, spare)});
  }
  const std::string name =
      std::string(fold.name) + "Columns" + std::string(SuffixOf(dtype));
  emitter.Invoke(
      in_place ? name + "InPlace" : name, tensors,
      {{"rows", src.dims[1].size},
       {"columns", src.dims[0].size},
       {"pitch", from.pitch}},
      [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
        ColumnsFolder folder(emitter, fold, dtype);
        Columns all{own[0], own[1], own.back(), sizes[0], sizes[1], sizes[2]};
        in_place ? folder.InPlace(all) : folder.Apart(all);
      });
}

}  // namespace belay::crux::select
