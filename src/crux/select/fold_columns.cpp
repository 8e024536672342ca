// SPDX-License-Identifier: Apache-2.0
#include "crux/select/fold_columns.h"

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace belay::crux::select {
namespace {

// Instructions go over two columns at a time, or more where that is worth it.
constexpr int64_t kLeast = 2;

// Elements of a period of bank groups.
int64_t PeriodOf(DType dtype) {
  return kPeriodOfBanks / static_cast<int64_t>(BytesOf(dtype));
}

// The tensors and sizes of the function at hand.
struct Columns {
  Local dst;
  Local src;
  Local part;
  Int rows;
  Int count;
  Int pitch;
};

// Columns are 16 elements more than whole periods of bank groups apart: so many
// are half a period, and two instructions' worth of them meet in no group.
int64_t ColumnsApart(DType dtype) {
  return kHalfPeriod / (kBesideLanes * static_cast<int64_t>(BytesOf(dtype)));
}

class ColumnsFolder {
 public:
  // `most`: columns that are folded at a time, where there are twice as many.
  ColumnsFolder(Emitter& emitter, const Fold& fold, DType dtype, int64_t most)
      : emitter_(emitter),
        fold_(fold),
        dtype_(dtype),
        lanes_(LanesOfRepeat(dtype)),
        most_(most) {}

  // Several columns at a time meet in `part`, then halves of that. Instructions
  // take whole repeats, also of lanes that nobody reads any more: tiles reach
  // as far, and there is room in `part`.
  void Apart(const Columns& columns) {
    Few(columns, WidthFor(columns.count), [&](const Int& width) {
      Columns all = columns;
      all.part = Moved(all.part, BeginOfPart(width));
      const Int full = FullOf(all, width);
      Add(all, all.part, all.src, width, width);
      emitter_.For("column", width * 2, full, width, [&](const Int& column) {
        Add(all, all.part, all.part, column, width);
      });
      Finish(all, width, full);
    });
  }

  // The same of rows on lanes in 16 bits, where `part` has memory for twice as
  // many columns: sums go to and fro between its halves, in other 64 KB as a
  // rule, each to where it meets the next columns in no group. So two columns
  // at a time take less than four, which meet each other.
  void BetweenHalves(const Columns& all) {
    const Int wide = Less(2 * most_ - 1, all.count);
    Few(all, Int::Select(wide, most_, kLeast), [&](const Int& width) {
      const Int full = FullOf(all, width);
      // First those that meet in no group, where there are any: neighbours, or
      // the first and the last of ten.
      const Int begin = emitter_.Let("begin", Int::Select(wide, 2, 1) * width);
      const Int end = emitter_.Let("end", full - Int::Select(wide, 0, width));
      const Int second = emitter_.Let("second", Int::Select(wide, width, end));
      const Int middle = emitter_.Let(
          "middle", AlignUp(all.count * all.pitch, PeriodOf(dtype_)));
      const auto sum = [&](const Int& column) {
        return column * kBesideLanes + Mod(FloorDiv(column, width), 2) * middle;
      };
      Step(Moved(all.part, sum(begin)), all.src, ColumnOf(all, second),
           WholeRepeatsFrom(all, second, width));
      emitter_.For("column", begin, end, width, [&](const Int& column) {
        Add(all, Moved(all.part, sum(column + width)),
            Moved(all.part, sum(column)), column, width);
      });
      Columns last = all;
      last.part = Moved(all.part, emitter_.Let("at", sum(end)));
      Finish(last, width, full);
    });
  }

  // The same where nobody reads `src` behind: sums go to and fro between it and
  // `part`, so that neither two sources nor a source and the result meet.
  void ToAndFro(const Columns& all) {
    Few(all, WidthFor(all.count), [&](const Int& width) {
      const Int full = FullOf(all, width);
      const Int odd = emitter_.Let("odd", Mod(FloorDiv(full, width), 2));
      Add(all, all.part, all.src, width, width);
      emitter_.If(odd, [&] { Add(all, all.part, all.part, width * 2, width); });
      emitter_.For(
          "column", width * (odd + 2), full, width * 2, [&](const Int& column) {
            Add(all, all.src, all.part, column + width * odd, width);
            Add(all, all.part, all.src, column + width * (Int(1) - odd), width);
          });
      Finish(all, width, full);
    });
  }

  // Several columns at a time over those before them, the last first.
  void InPlace(const Columns& all) {
    Few(all, WidthFor(all.count), [&](const Int& width) {
      const Int groups = emitter_.Let("groups", FloorDiv(all.count - 1, width));
      emitter_.For("group", 0, groups, 1, [&](const Int& group) {
        const Int column = emitter_.Let("column", (groups - group) * width);
        const Local into = ColumnOf(all, column - width);
        Step(into, into, ColumnOf(all, column),
             Min(all.count - column, width) * all.pitch);
      });
      HalveToTwo(all, all.src, width);
      Step(all.dst, all.src, ColumnOf(all, 1), all.rows);
    });
  }

 private:
  Int FullOf(const Columns& all, const Int& width) {
    return emitter_.Let("full", all.count - Mod(all.count, width));
  }

  // In 16 bits half as many columns as meet in no group are a quarter of a
  // period: the third of them lie where `part` begins, so it begins elsewhere.
  Int BeginOfPart(const Int& width) {
    if (BytesOf(dtype_) != 2) return 0;
    return emitter_.Let(
        "begin", Int::Select(Less(width, most_), PeriodOf(dtype_) / 2, 0));
  }

  Int WholeRepeats(const Columns& all, const Int& columns) const {
    return AlignUp(columns * all.pitch, lanes_);
  }

  // The same from a column on, as far as the tile reaches. Of 32 bits it always
  // does: whole repeats begin where such columns do.
  Int WholeRepeatsFrom(const Columns& all, const Int& column,
                       const Int& columns) const {
    const Int wanted = WholeRepeats(all, columns);
    if (BytesOf(dtype_) == 4) return wanted;
    return Min(wanted, WholeRepeats(all, all.count) - column * all.pitch);
  }

  // to = from + some columns.
  void Add(const Columns& all, const Local& to, const Local& from,
           const Int& column, const Int& columns) {
    Step(to, from, ColumnOf(all, column), WholeRepeats(all, columns));
  }

  // dst = `part`, which has `width` columns, a power of two, and the columns
  // from `full` on, which are fewer. Two of these come when two are left: then
  // whole repeats reach over nothing that is read.
  void Finish(const Columns& all, const Int& width, const Int& full) {
    using ir::IntKind;
    const Int rest = emitter_.Let("rest", all.count - full);
    emitter_.If(Int::Of(IntKind::kAnd, Less(0, rest),
                        Int::Of(IntKind::kNotEqual, rest, 2)),
                [&] {
                  Step(all.part, all.part, ColumnOf(all, full),
                       rest * all.pitch);
                });
    HalveToTwo(all, all.part, width);
    emitter_.If(Int::Of(IntKind::kEqual, rest, 2), [&] {
      Step(all.part, all.part, ColumnOf(all, full),
           WholeRepeatsFrom(all, full, 2));
    });
    Step(all.dst, all.part, Moved(all.part, all.pitch), all.rows);
  }

  // `width` columns, a power of two, become two.
  void HalveToTwo(const Columns& all, const Local& from, const Int& width) {
    for (int64_t half = most_ / 2; half > 1; half /= 2) {
      emitter_.If(Less(half, width), [&] {
        Step(from, from, Moved(from, all.pitch * half),
             WholeRepeats(all, half));
      });
    }
  }

  // So many columns are folded at a time where there are twice as many.
  Int WidthFor(const Int& count) const {
    Int width = kLeast;
    for (int64_t more = kLeast * 2; more <= most_; more *= 2) {
      width = Int::Select(Less(2 * more - 1, count), more, width);
    }
    return width;
  }

  // Up to three columns one by one; others as `more` does it, `width` at a
  // time.
  void Few(const Columns& all, const Int& width,
           const std::function<void(const Int&)>& more) {
    const auto from = [&](const Int& first) {
      emitter_.For("column", first, all.count, 1, [&](const Int& column) {
        Step(all.dst, all.dst, ColumnOf(all, column), all.rows);
      });
    };
    emitter_.If(
        Less(3, all.count), [&] { more(emitter_.Let("width", width)); },
        [&] {
          emitter_.If(
              Less(1, all.count),
              [&] {
                Step(all.dst, all.src, ColumnOf(all, 1), all.rows);
                from(2);
              },
              [&] {
                // Rows on lanes have a column.
                if (emitter_.kernel().rows_on_lanes) {
                  return emitter_.Call("DataCopy",
                                       {all.dst, all.src, all.rows});
                }
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
  int64_t most_;
};

// What columns meet in: half a period of groups from what is folded.
Local PartOf(Emitter& emitter, DType dtype, const Layout& from, int64_t most,
             const std::string& spare) {
  if (!spare.empty()) return {spare, 0};
  const Int columns =
      Int::Select(Less(from.dims[0].capacity, 2 * most), most / 2, most);
  return emitter.Scratch(
      dtype, from.pitch * columns + LanesOfRepeat(dtype) + PeriodOf(dtype) / 2,
      "part");
}

// Columns that are made where they are added up.
class PartsFolder {
 public:
  // `beside`, if it has a name: memory for two more columns.
  PartsFolder(Emitter& emitter, const Fold& fold, const ir::Stmt& made,
              Columns all, std::vector<Local> sources, Local beside)
      : emitter_(emitter),
        fold_(fold),
        product_(made.op == Op::kMul),
        all_(std::move(all)),
        sources_(std::move(sources)),
        beside_(std::move(beside)) {}

  // Two columns at a time, where there is memory for them and for those that
  // they are added to; else one by one.
  void Run() {
    const int64_t least = product_               ? kLeastOfProducts
                          : beside_.name.empty() ? kLeast
                                                 : kLeastBeside;
    emitter_.If(
        Less(least - 1, all_.count), [&] { Pairs(); }, [&] { OneByOne(); });
  }

 private:
  static constexpr int64_t kLeast = 10;
  static constexpr int64_t kLeastBeside = 5;
  static constexpr int64_t kLeastOfProducts = 4;
  static constexpr int64_t kLanes = 64;
  static constexpr int64_t kPeriod = 128;  // of bank groups

  void Pairs() {
    const Int even = all_.count - Mod(all_.count, 2);
    const Int pair = AlignUp(all_.pitch * 2, kLanes);
    // In the groups that the first two columns are not in.
    const Local other =
        beside_.name.empty()
            ? Moved(all_.part, AlignUp(all_.pitch * 2, kPeriod) + kPeriod / 2)
            : beside_;
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
  Local beside_;
};

}  // namespace

void FoldColumnsOfParts(Emitter& emitter, const Fold& fold,
                        const ir::Stmt& reduction, const ir::Stmt& made,
                        const Local& beside) {
  const int tile = made.results[0];
  const Layout layout = emitter.LayoutOf(tile);
  std::vector<Emitter::Handed> tensors = {
      {"dst", emitter.At(reduction.results[0])}, {"part", emitter.At(tile)}};
  for (const ir::Operand& operand : made.operands) {
    tensors.push_back({"src", emitter.At(std::get<int>(operand))});
  }
  const bool apart = !beside.name.empty();
  if (apart) tensors.push_back({"beside", beside});
  emitter.Invoke(
      made.op == Op::kMul ? "SumColumnsOfProducts"
      : apart             ? "SumColumnsOfExpBeside"
                          : "SumColumnsOfExp",
      tensors,
      {{"rows", layout.dims[1].size},
       {"columns", layout.dims[0].size},
       {"pitch", layout.pitch}},
      [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
        PartsFolder(emitter, fold, made,
                    {own[0], {}, own[1], sizes[0], sizes[1], sizes[2]},
                    {own.begin() + 2, own.end() - (apart ? 1 : 0)},
                    apart ? own.back() : Local())
            .Run();
      });
}

void FoldColumns(Emitter& emitter, const Fold& fold, const Lane& dst,
                 const Lane& src, const Layout& from,
                 const std::string& spare) {
  const DType dtype = emitter.DtypeOf(src.place);
  const int64_t most = ColumnsApart(dtype);
  const bool dead = spare == src.place.name;
  // Rows on lanes have no memory to spare.
  const bool in_place = dead && from.on_lanes;
  const bool halves =
      from.on_lanes && BytesOf(dtype) == 2 && !dead && !spare.empty();
  std::vector<Emitter::Handed> tensors = {{"dst", dst.place},
                                          {"src", src.place}};
  if (!in_place) {
    tensors.push_back(
        {"part", PartOf(emitter, dtype, from, most, dead ? "" : spare)});
  }
  const std::string name = std::string(fold.name) + "Columns" + SuffixOf(dtype);
  emitter.Invoke(
      in_place ? name + "InPlace"
      : dead   ? name + "ToAndFro"
      : halves ? name + "BetweenHalves"
               : name,
      tensors,
      {{"rows", src.dims[1].size},
       {"columns", src.dims[0].size},
       {"pitch", from.pitch}},
      [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
        ColumnsFolder folder(emitter, fold, dtype, most);
        Columns all{own[0], own[1], own.back(), sizes[0], sizes[1], sizes[2]};
        in_place ? folder.InPlace(all)
        : dead   ? folder.ToAndFro(all)
        : halves ? folder.BetweenHalves(all)
                 : folder.Apart(all);
      });
}

}  // namespace belay::crux::select
