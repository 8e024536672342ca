// SPDX-License-Identifier: Apache-2.0
#include "crux/select/scan_parts.h"

#include "crux/select/vector.h"

namespace belay::crux::select {
namespace {

// Elements of a row that one lane scans: as many instructions are started for
// all lanes, and one more for each part of a row. A power of two.
constexpr int64_t kPartBits = 5;
constexpr int64_t kPart = 1 << kPartBits;

class PartScanner {
 public:
  PartScanner(Emitter& emitter, const ir::Stmt& stmt, const ScanStep& step,
              const Local& dst, const Local& src, const Layout& layout)
      : emitter_(emitter),
        stmt_(stmt),
        step_(step),
        dst_(dst),
        src_(src),
        dtype_(emitter.DtypeOf(src)),
        bytes_(static_cast<int64_t>(BytesOf(dtype_))),
        block_(LanesOfBlock(dtype_)),
        layout_(layout),
        first_(stmt.exclusive ? 0 : 1) {}

  // By a function of the kernel's own.
  void Run() {
    TakeScratch();
    const std::vector<Emitter::Handed> tensors = {
        {"dst", dst_},       {"src", src_},       {"slices", slices_},
        {"line", line_},     {"totals", totals_}, {"before", before_},
        {"offset", offset_}, {"number", number_}};
    const std::vector<Emitter::HandedInt> integers = {
        {"columns", layout_.dims[layout_.last].size},
        {"rows", layout_.Rows()},
        {"pitch", layout_.pitch}};
    emitter_.Invoke(
        FunctionOf(step_.name + "LongRows", stmt_, dtype_), tensors, integers,
        [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
          PartScanner inside = *this;
          inside.dst_ = own[0];
          inside.src_ = own[1];
          inside.slices_ = own[2];
          inside.line_ = own[3];
          inside.totals_ = own[4];
          inside.before_ = own[5];
          inside.offset_ = own[6];
          inside.number_ = own[7];
          inside.columns_ = sizes[0];
          inside.rows_ = sizes[1];
          inside.pitch_ = sizes[2];
          inside.Scan();
        });
  }

 private:
  void TakeScratch() {
    const Int columns = layout_.dims[layout_.last].capacity;
    const Int parts = CeilDiv(columns, kPart);
    Int rows = 1;
    for (int i = 0; i < layout_.last; ++i) {
      rows = rows * layout_.dims[i].capacity;
    }
    const Int lanes = rows * parts;
    // Short rows are scanned elsewhere.
    const auto take = [&](DType dtype, const Int& elements, const char* wish) {
      return emitter_.Scratch(
          dtype, Int::Select(Less(columns, kLongRow), 1, elements), wish);
    };
    slices_ = take(dtype_, AlignUp(lanes, block_) * (kPart + 1), "slices");
    line_ = take(dtype_, lanes * kPart, "line");
    totals_ = take(dtype_, AlignUp(rows, block_) * parts, "totals");
    before_ = take(dtype_, lanes, "before");
    offset_ = take(DType::kInt32, Max(lanes, columns), "offset");
    number_ = take(DType::kInt32, Max(lanes, columns), "number");
  }

  void Scan() {
    parts_ = emitter_.Let("parts", CeilDiv(columns_, kPart));
    lanes_ = emitter_.Let("lanes", rows_ * parts_);
    width_ = emitter_.Let("width", AlignUp(lanes_, block_));
    tall_ = emitter_.Let("tall", AlignUp(rows_, block_));
    LineUp();
    ScanParts();
    ScanTotals();
    emitter_.For("k", 0, kPart, 1, [&](const Int& k) {
      const Local slice = Moved(slices_, (k + first_) * width_);
      emitter_.Call(step_.step, {slice, before_, slice, lanes_});
    });
    Deliver();
  }

  // --- lists of integers -----------------------------------------------------

  void Count(const Local& into, const Int& count) {
    emitter_.Call("CreateVecIndex", {into, Whole(DType::kInt32, 0), count},
                  {DType::kInt32});
  }
  void Scale(const char* function, const Local& numbers, const Int& by,
             const Int& count) {
    emitter_.Call(function, {numbers, numbers, Whole(DType::kInt32, by), count},
                  {DType::kInt32});
  }
  // As Gather takes them.
  Local Offsets() { return emitter_.Cast(offset_, DType::kUint32, "offsets"); }
  // 0, step, 2 step, …
  Local Steps(const Int& count, const Int& step) {
    Count(offset_, count);
    Scale("Muls", offset_, step, count);
    return Offsets();
  }

  // --- the scan --------------------------------------------------------------

  void Fill(const Local& place, const Int& count) {
    emitter_.Call("Duplicate", {place, step_.neutral, count}, {dtype_});
  }

  // The rows in the order of the scan, each as long as whole parts.
  void LineUp() {
    Fill(line_, lanes_ * kPart);
    Local backwards;
    if (stmt_.reverse) {
      Count(offset_, columns_);
      Scale("Muls", offset_, -bytes_, columns_);
      Scale("Adds", offset_, (columns_ - 1) * bytes_, columns_);
      backwards = Offsets();
    }
    emitter_.For("row", 0, rows_, 1, [&](const Int& row) {
      const Local to = Moved(line_, row * parts_ * kPart);
      if (stmt_.reverse) {
        emitter_.Call("Gather",
                      {to, src_, backwards, row * pitch_ * bytes_, columns_});
      } else {
        CopyBits(emitter_, to, Moved(src_, row * pitch_), columns_);
      }
    });
  }

  // Slice k holds what comes before element k of each part.
  void ScanParts() {
    const Local offsets = Steps(lanes_, kPart * bytes_);
    Fill(slices_, lanes_);
    emitter_.For("k", 0, kPart, 1, [&](const Int& k) {
      const Local next = Moved(slices_, (k + 1) * width_);
      emitter_.Call("Gather", {next, line_, offsets, k * bytes_, lanes_});
      emitter_.Call(step_.step,
                    {next, Moved(slices_, k * width_), next, lanes_});
    });
  }

  // before_: what the parts of its row before each one come to.
  void ScanTotals() {
    const Local of_parts = Moved(slices_, width_ * kPart);
    const Local rows = Steps(rows_, parts_ * bytes_);
    Fill(totals_, rows_);
    emitter_.For("part", 1, parts_, 1, [&](const Int& part) {
      const Local next = Moved(totals_, part * tall_);
      emitter_.Call("Gather",
                    {next, of_parts, rows, (part - 1) * bytes_, rows_});
      emitter_.Call(step_.step,
                    {next, Moved(totals_, (part - 1) * tall_), next, rows_});
    });
    // Part p of row r is lane r * parts + p, and its total is number
    // p * tall + r: lane * tall + r * (1 - parts * tall).
    RowsOfLanes();
    Count(offset_, lanes_);
    Scale("Muls", offset_, tall_ * bytes_, lanes_);
    Scale("Muls", number_, (1 - parts_ * tall_) * bytes_, lanes_);
    emitter_.Call("Add", {offset_, offset_, number_, lanes_});
    emitter_.Call("Gather", {before_, totals_, Offsets(), Int(0), lanes_});
  }

  // number_ = lane / parts. A lane and a half, divided as f32, is never rounded
  // to the next integer: there are less than 2^20 of them.
  void RowsOfLanes() {
    const Local row = emitter_.Cast(number_, DType::kFloat, "row_of_lane");
    const Local divisor = emitter_.Cast(offset_, DType::kFloat, "divisor");
    const DType real = DType::kFloat;
    Count(number_, lanes_);
    emitter_.Call("Cast", {row, number_, Word{"RoundMode::CAST_RINT"}, lanes_});
    emitter_.Call("Adds", {row, row, Real(real, 0.5), lanes_}, {real});
    emitter_.Call("Duplicate", {divisor, Whole(real, parts_), lanes_}, {real});
    emitter_.Call("Div", {row, row, divisor, lanes_});
    emitter_.Call("Cast",
                  {number_, row, Word{"RoundMode::CAST_FLOOR"}, lanes_});
  }

  // Element n of the scan is in slice n % part + first of part n / part.
  void Deliver() {
    Count(offset_, columns_);
    if (stmt_.reverse) {
      Scale("Muls", offset_, -1, columns_);
      Scale("Adds", offset_, columns_ - 1, columns_);
    }
    emitter_.Call("ShiftRight", {number_, offset_,
                                 Whole(DType::kInt32, kPartBits), columns_});
    Scale("Muls", offset_, width_ * bytes_, columns_);
    Scale("Muls", number_, (1 - width_ * kPart) * bytes_, columns_);
    emitter_.Call("Add", {offset_, offset_, number_, columns_});
    const Local offsets = Offsets();
    emitter_.For("row", 0, rows_, 1, [&](const Int& row) {
      emitter_.Call("Gather",
                    {Moved(dst_, row * pitch_), slices_, offsets,
                     (width_ * first_ + row * parts_) * bytes_, columns_});
    });
  }

  Emitter& emitter_;
  const ir::Stmt& stmt_;
  const ScanStep& step_;
  Local dst_;
  Local src_;
  DType dtype_;
  int64_t bytes_;
  int64_t block_;
  const Layout& layout_;
  int64_t first_;  // slice of the first result
  Int columns_;
  Int rows_;
  Int pitch_;
  Int parts_;  // of a row
  Int lanes_;  // parts of all rows
  Int width_;  // elements between slices
  Int tall_;   // and between totals of parts
  Local slices_;
  Local line_;
  Local totals_;
  Local before_;
  Local offset_;
  Local number_;
};

}  // namespace

void ScanLongRows(Emitter& emitter, const ir::Stmt& stmt, const ScanStep& step,
                  const Local& dst, const Local& src, const Layout& layout) {
  PartScanner(emitter, stmt, step, dst, src, layout).Run();
}

}  // namespace belay::crux::select
