// SPDX-License-Identifier: Apache-2.0
#include "crux/select/scan_vector.h"

#include "crux/select/vector.h"

namespace belay::crux::select {
namespace {

constexpr int64_t kPart = 64;      // elements of a row that one lane scans
constexpr int64_t kFewRows = 8;    // fewer are scanned one by one
constexpr int64_t kShortRow = 96;  // unless they are as short

Local Moved(const Local& place, const Int& offset) {
  return {place.name, place.offset + offset};
}

class RowScanner {
 public:
  RowScanner(Emitter& emitter, const ir::Stmt& stmt, const ScanStep& step,
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

  void Run() {
    const ir::Dim& line = layout_.dims[layout_.last];
    columns_ = emitter_.Let("columns", line.size);
    capacity_ = line.capacity;
    if (layout_.is_flat()) return OneByOne(1);
    rows_ = emitter_.Let("rows", layout_.Rows());
    const Int together = Int::Of(ir::IntKind::kOr, Less(kFewRows - 1, rows_),
                                 Less(columns_, kShortRow));
    emitter_.If(together, [&] { Together(); }, [&] { OneByOne(rows_); });
  }

 private:
  // number * step + first, as Gather takes it.
  Local Offsets(const char* wish, const Int& capacity, const Int& count,
                const Int& first, const Int& step) {
    const Local numbers = emitter_.Scratch(DType::kInt32, capacity, wish);
    const auto call = [&](const char* function, const Int& by) {
      emitter_.Call(function,
                    {numbers, numbers, Whole(DType::kInt32, by), count},
                    {DType::kInt32});
    };
    emitter_.Call("CreateVecIndex", {numbers, Whole(DType::kInt32, 0), count},
                  {DType::kInt32});
    call("Muls", step);
    if (!first.Is(0)) call("Adds", first);
    return emitter_.Cast(numbers, DType::kUint32, wish);
  }

  void Fill(const Local& place, const Int& count) {
    emitter_.Call("Duplicate", {place, step_.neutral, count}, {dtype_});
  }

  void Copy(const Local& to, const Local& from, const Int& count) {
    const DType word = bytes_ == 2 ? DType::kInt16 : DType::kInt32;
    const auto view = [&](const Local& place) {
      if (dtype_ == word) return place;
      return Moved(emitter_.Cast({place.name, 0}, word, place.name + "_bits"),
                   place.offset);
    };
    const Local source = view(from);
    emitter_.Call("Max", {view(to), source, source, count}, {word});
  }

  // A lane for each row: slice k holds what comes before element k.
  void Together() {
    const Int row_capacity = FloorDiv(layout_.elements, layout_.pitch);
    const Int width = AlignUp(row_capacity, block_);
    const Local slices =
        emitter_.Scratch(dtype_, (capacity_ + 1) * width, "slices");
    const Local down =
        Offsets("down", row_capacity, rows_, 0, layout_.pitch * bytes_);
    const Int apart = width * bytes_;
    const Local along =
        stmt_.reverse
            ? Offsets("along", capacity_, columns_,
                      (columns_ - 1 + first_) * apart, Int(0) - apart)
            : Offsets("along", capacity_, columns_, apart * first_, apart);
    Fill(slices, rows_);
    emitter_.For("k", 0, columns_, 1, [&](const Int& k) {
      const Int column = stmt_.reverse ? columns_ - 1 - k : k;
      const Local next = Moved(slices, (k + 1) * width);
      emitter_.Call("Gather", {next, src_, down, column * bytes_, rows_});
      emitter_.Call(step_.step, {next, Moved(slices, k * width), next, rows_});
    });
    emitter_.For("row", 0, rows_, 1, [&](const Int& row) {
      emitter_.Call("Gather", {Moved(dst_, row * layout_.pitch), slices, along,
                               row * bytes_, columns_});
    });
  }

  // A lane for each part of a row.
  void OneByOne(const Int& rows) {
    const Int part_capacity = CeilDiv(capacity_, kPart);
    const Int width = AlignUp(part_capacity, block_);
    parts_ = emitter_.Let("parts", CeilDiv(columns_, kPart));
    line_ = emitter_.Scratch(dtype_, part_capacity * kPart, "line");
    slices_ = emitter_.Scratch(dtype_, width * (kPart + 1), "slices");
    before_ = emitter_.Scratch(dtype_, width + 1, "before");
    down_ = Offsets("down", part_capacity, parts_, 0, kPart * bytes_);
    along_ = Offsets("along", kPart, kPart, width * (first_ * bytes_),
                     width * bytes_);
    if (stmt_.reverse) {
      backwards_ = Offsets("backwards", capacity_, columns_,
                           (columns_ - 1) * bytes_, -bytes_);
    }
    emitter_.For("row", 0, rows, 1, [&](const Int& row) {
      const Int offset = row * layout_.pitch;
      Fill(line_, parts_ * kPart);
      Line(line_, 0, src_, offset);
      Parts(width);
      Line(dst_, offset, line_, 0);
    });
  }

  // A row in the order of the scan, or back.
  void Line(const Local& to, const Int& to_offset, const Local& from,
            const Int& from_offset) {
    if (stmt_.reverse) {
      emitter_.Call("Gather", {Moved(to, to_offset), from, backwards_,
                               from_offset * bytes_, columns_});
    } else {
      Copy(Moved(to, to_offset), Moved(from, from_offset), columns_);
    }
  }

  void Parts(const Int& width) {
    Fill(slices_, parts_);
    emitter_.For("k", 0, kPart, 1, [&](const Int& k) {
      const Local next = Moved(slices_, (k + 1) * width);
      emitter_.Call("Gather", {next, line_, down_, k * bytes_, parts_});
      emitter_.Call(step_.step,
                    {next, Moved(slices_, k * width), next, parts_});
    });
    // What the parts before each one come to.
    emitter_.SetValue(before_, step_.neutral);
    emitter_.For("part", 0, parts_, 1, [&](const Int& part) {
      const Local total = Moved(slices_, width * kPart + part);
      emitter_.SetValue(Moved(before_, part + 1),
                        step_.combine(Element(dtype_, Moved(before_, part)),
                                      Element(dtype_, total)));
    });
    emitter_.For("k", 0, kPart + 1, 1, [&](const Int& k) {
      const Local slice = Moved(slices_, k * width);
      emitter_.Call(step_.step, {slice, before_, slice, parts_});
    });
    emitter_.For("part", 0, parts_, 1, [&](const Int& part) {
      emitter_.Call("Gather", {Moved(line_, part * kPart), slices_, along_,
                               part * bytes_, Int(kPart)});
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
  Int capacity_;
  Int rows_ = 1;
  Int parts_;
  Local line_;
  Local slices_;
  Local before_;
  Local down_;
  Local along_;
  Local backwards_;
};

}  // namespace

void ScanRows(Emitter& emitter, const ir::Stmt& stmt, const ScanStep& step,
              const Local& dst, const Local& src, const Layout& layout) {
  RowScanner(emitter, stmt, step, dst, src, layout).Run();
}

}  // namespace belay::crux::select
