// SPDX-License-Identifier: Apache-2.0
#include "crux/select/scan_vector.h"

#include "crux/select/scan_parts.h"
#include "crux/select/vector.h"

namespace belay::crux::select {
namespace {

constexpr int64_t kPart = 64;  // elements of the only row that one lane scans

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
        one_row_(layout.is_flat()),
        first_(stmt.exclusive ? 0 : 1) {}

  // By a function of the kernel's own.
  void Run() {
    TakeScratch();
    const ir::Dim& line = layout_.dims[layout_.last];
    std::vector<Emitter::Handed> tensors = {{"dst", dst_},
                                            {"src", src_},
                                            {"slices", slices_},
                                            {"down", down_},
                                            {"along", along_}};
    if (one_row_) {
      tensors.push_back({"line", line_});
      tensors.push_back({"before", before_});
      if (stmt_.reverse) tensors.push_back({"backwards", backwards_});
    }
    std::vector<Emitter::HandedInt> integers = {{"columns", line.size}};
    if (!one_row_) {
      integers.push_back({"rows", layout_.Rows()});
      integers.push_back({"pitch", layout_.pitch});
    }
    emitter_.Invoke(
        FunctionOf(step_.name + (one_row_ ? "Row" : "Rows"), stmt_, dtype_),
        tensors, integers,
        [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
          RowScanner inside = *this;
          inside.dst_ = own[0];
          inside.src_ = own[1];
          inside.slices_ = own[2];
          inside.down_ = own[3];
          inside.along_ = own[4];
          inside.columns_ = sizes[0];
          if (one_row_) {
            inside.line_ = own[5];
            inside.before_ = own[6];
            if (stmt_.reverse) inside.backwards_ = own[7];
            inside.InParts();
          } else {
            inside.rows_ = sizes[1];
            inside.pitch_ = sizes[2];
            inside.Together();
          }
        });
  }

 private:
  void TakeScratch() {
    const Int columns = layout_.dims[layout_.last].capacity;
    if (!one_row_) {
      Int rows = 1;
      for (int i = 0; i < layout_.last; ++i) {
        rows = rows * layout_.dims[i].capacity;
      }
      const Int most = Min(columns, kLongRow);
      slices_ = emitter_.Scratch(dtype_, AlignUp(rows, block_) * (most + 1),
                                 "slices");
      down_ = emitter_.Scratch(DType::kInt32, rows, "down");
      along_ = emitter_.Scratch(DType::kInt32, most, "along");
      return;
    }
    const Int parts = CeilDiv(columns, kPart);
    slices_ = emitter_.Scratch(dtype_, AlignUp(parts, block_) * (kPart + 1),
                               "slices");
    line_ = emitter_.Scratch(dtype_, parts * kPart, "line");
    before_ = emitter_.Scratch(dtype_, parts + 1, "before");
    down_ = emitter_.Scratch(DType::kInt32, parts, "down");
    along_ = emitter_.Scratch(DType::kInt32, kPart, "along");
    if (stmt_.reverse) {
      backwards_ = emitter_.Scratch(DType::kInt32, columns, "backwards");
    }
  }

  // number * step + first, as Gather takes it.
  Local Offsets(const Local& numbers, const Int& count, const Int& first,
                const Int& step) {
    const auto call = [&](const char* function, const Int& by) {
      emitter_.Call(function,
                    {numbers, numbers, Whole(DType::kInt32, by), count},
                    {DType::kInt32});
    };
    emitter_.Call("CreateVecIndex", {numbers, Whole(DType::kInt32, 0), count},
                  {DType::kInt32});
    call("Muls", step);
    if (!first.Is(0)) call("Adds", first);
    return emitter_.Cast(numbers, DType::kUint32, numbers.name + "_offsets");
  }

  void Fill(const Local& place, const Int& count) {
    emitter_.Call("Duplicate", {place, step_.neutral, count}, {dtype_});
  }

  // A lane for each row: slice k holds what comes before element k.
  void Together() {
    const Int width = emitter_.Let("width", AlignUp(rows_, block_));
    const Int apart = width * bytes_;
    const Local down = Offsets(down_, rows_, 0, pitch_ * bytes_);
    const Local along =
        stmt_.reverse ? Offsets(along_, columns_,
                                (columns_ - 1 + first_) * apart, Int(0) - apart)
                      : Offsets(along_, columns_, apart * first_, apart);
    Fill(slices_, rows_);
    emitter_.For("k", 0, columns_, 1, [&](const Int& k) {
      const Int column = stmt_.reverse ? columns_ - 1 - k : k;
      const Local next = Moved(slices_, (k + 1) * width);
      emitter_.Call("Gather", {next, src_, down, column * bytes_, rows_});
      emitter_.Call(step_.step, {next, Moved(slices_, k * width), next, rows_});
    });
    emitter_.For("row", 0, rows_, 1, [&](const Int& row) {
      emitter_.Call("Gather", {Moved(dst_, row * pitch_), slices_, along,
                               row * bytes_, columns_});
    });
  }

  // A lane for each part of the row.
  void InParts() {
    const Int parts = emitter_.Let("parts", CeilDiv(columns_, kPart));
    const Int width = emitter_.Let("width", AlignUp(parts, block_));
    const Local down = Offsets(down_, parts, 0, kPart * bytes_);
    const Local along =
        Offsets(along_, kPart, width * (first_ * bytes_), width * bytes_);
    Local backwards;
    if (stmt_.reverse) {
      backwards =
          Offsets(backwards_, columns_, (columns_ - 1) * bytes_, -bytes_);
    }
    // The row in the order of the scan, or back.
    const auto move = [&](const Local& to, const Local& from) {
      if (stmt_.reverse) {
        emitter_.Call("Gather", {to, from, backwards, Int(0), columns_});
      } else {
        CopyBits(emitter_, to, from, columns_);
      }
    };
    Fill(line_, parts * kPart);
    move(line_, src_);
    Parts(parts, width, down, along);
    move(dst_, line_);
  }

  void Parts(const Int& parts, const Int& width, const Local& down,
             const Local& along) {
    Fill(slices_, parts);
    emitter_.For("k", 0, kPart, 1, [&](const Int& k) {
      const Local next = Moved(slices_, (k + 1) * width);
      emitter_.Call("Gather", {next, line_, down, k * bytes_, parts});
      emitter_.Call(step_.step, {next, Moved(slices_, k * width), next, parts});
    });
    // What the parts before each one come to.
    emitter_.SetValue(before_, step_.neutral);
    emitter_.For("part", 0, parts, 1, [&](const Int& part) {
      const Local total = Moved(slices_, width * kPart + part);
      emitter_.SetValue(Moved(before_, part + 1),
                        step_.combine(Element(dtype_, Moved(before_, part)),
                                      Element(dtype_, total)));
    });
    emitter_.For("k", 0, kPart + 1, 1, [&](const Int& k) {
      const Local slice = Moved(slices_, k * width);
      emitter_.Call(step_.step, {slice, before_, slice, parts});
    });
    emitter_.For("part", 0, parts, 1, [&](const Int& part) {
      emitter_.Call("Gather", {Moved(line_, part * kPart), slices_, along,
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
  bool one_row_;
  int64_t first_;  // slice of the first result
  Int columns_;
  Int rows_ = 1;
  Int pitch_ = 0;
  Local slices_;
  Local line_;
  Local before_;
  Local down_;  // offsets: lanes, what a lane holds, a row backwards
  Local along_;
  Local backwards_;
};

}  // namespace

std::string FunctionOf(std::string name, const ir::Stmt& scan, DType dtype) {
  if (scan.exclusive) name += "Before";
  if (scan.reverse) name += "Backwards";
  if (dtype == DType::kHalf) name += "Half";
  if (dtype == DType::kInt32) name += "Int32";
  if (dtype == DType::kInt16) name += "Int16";
  return name;
}

void CopyBits(Emitter& emitter, const Local& to, const Local& from,
              const Int& count) {
  const DType dtype = emitter.DtypeOf(from);
  const DType word = BytesOf(dtype) == 2 ? DType::kInt16 : DType::kInt32;
  const auto view = [&](const Local& place) {
    if (dtype == word) return place;
    return Moved(emitter.Cast({place.name, 0}, word, place.name + "_bits"),
                 place.offset);
  };
  const Local source = view(from);
  emitter.Call("Max", {view(to), source, source, count}, {word});
}

void ScanRows(Emitter& emitter, const ir::Stmt& stmt, const ScanStep& step,
              const Local& dst, const Local& src, const Layout& layout) {
  const auto scan = [&] {
    RowScanner(emitter, stmt, step, dst, src, layout).Run();
  };
  if (layout.is_flat()) return scan();
  emitter.If(Less(layout.dims[layout.last].size, kLongRow), scan,
             [&] { ScanLongRows(emitter, stmt, step, dst, src, layout); });
}

}  // namespace belay::crux::select
