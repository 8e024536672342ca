// SPDX-License-Identifier: Apache-2.0
#include "crux/select/layout.h"

#include <algorithm>

#include "base/error.h"
#include "crux/passes/lanes.h"
#include "crux/passes/walk.h"

namespace belay::crux::select {

using ir::Dim;
using ir::Int;

namespace {

// See layout.h.
constexpr int64_t kLanesOfRepeat = 64;
constexpr int64_t kHalvesOfBlock = 16;

// Axes that have more than one element, or may have.
struct WideAxes {
  explicit WideAxes(const std::vector<Dim>& dims) {
    for (size_t i = 0; i < dims.size(); ++i) {
      if (dims[i].is_one()) continue;
      if (count++ == 0) first = static_cast<int>(i);
      last = static_cast<int>(i);
    }
  }

  int count = 0;
  int first = -1;
  int last = -1;
};

bool Counts(const Int& capacity, const std::vector<std::string>& names) {
  return capacity.kind() == ir::IntKind::kName &&
         std::find(names.begin(), names.end(), capacity.name()) != names.end();
}

// Whether operand and result have rows counted by one of `names`, and the
// operand one element in each.
bool IsColumnOf(const ir::Kernel& /*kernel*/, const std::vector<Dim>& operand,
                const std::vector<Dim>& result,
                const std::vector<std::string>& names) {
  const WideAxes wide(result);
  return wide.count == 2 && operand.size() == result.size() &&
         Counts(result[wide.first].capacity, names) &&
         !operand[wide.first].is_one() && operand[wide.last].is_one();
}

// Whether operand and result have the same last axis, cut in pieces that cores
// share, the result one counted by one of `names` before it, and the operand
// one element there.
bool IsRowOf(const ir::Kernel& kernel, const std::vector<Dim>& operand,
             const std::vector<Dim>& result,
             const std::vector<std::string>& names) {
  const WideAxes wide(result);
  const WideAxes own(operand);
  if (wide.count != 2 || own.count != 1 ||
      !Counts(result[wide.first].capacity, names)) {
    return false;
  }
  const Int& columns = result[wide.last].capacity;
  return ir::Same(operand[own.last].capacity, columns) &&
         std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                     [&](const ir::TileParameter& one) {
                       return one.role == ir::TileParameter::Role::kCores &&
                              ir::Same(columns, Int::Name(one.name));
                     });
}

// Whether a loop over pieces stands in another loop in order: it begins anew in
// every turn, and waits for its first load.
bool IsCutAgain(const ir::Block& block, const std::string& piece, bool inside) {
  return std::any_of(block.begin(), block.end(), [&](const auto& stmt) {
    if (IsCutAgain(stmt->body, piece, inside) ||
        IsCutAgain(stmt->otherwise, piece, inside)) {
      return true;
    }
    if (stmt->kind != ir::StmtKind::kLoop) return false;
    const ir::Loop& loop = *stmt->loop;
    return (inside && ir::Same(loop.step, Int::Name(piece))) ||
           IsCutAgain(loop.body, piece, inside || !loop.cores);
  });
}

// Whether rows that lie apart suit all of the kernel's operations.
bool MayLieApart(const ir::Kernel& kernel) {
  bool possible = true;
  passes::ForEachStmt(kernel.body, [&](const ir::Stmt& stmt) {
    possible = possible && stmt.kind != ir::StmtKind::kSlice;
    if (stmt.kind != ir::StmtKind::kCompute) return;
    const OpFamily family = InfoOf(stmt.op).family;
    const std::vector<Dim>& dims = kernel.tiles[stmt.results[0]].dims;
    // Numbers one after the other, or each in a block of its own.
    const bool copies = stmt.op == Op::kBroadcast &&
                        (WideAxes(dims).count < 2 || dims.back().size.Is(1));
    // Single numbers of rows.
    const bool gathers = stmt.op == Op::kTake && WideAxes(dims).count < 2;
    possible = possible && family != OpFamily::kScan &&
               (family != OpFamily::kShape || copies) &&
               (family != OpFamily::kOrder || gathers);
  });
  return possible;
}

// Parameters of `role` that count rows, where tiles have no other axis but the
// row, if something `meets` such rows in f32.
std::vector<std::string> RowsInEights(
    const ir::Kernel& kernel, ir::TileParameter::Role role,
    bool (*meets)(const ir::Kernel& kernel, const std::vector<Dim>& operand,
                  const std::vector<Dim>& result,
                  const std::vector<std::string>& names)) {
  std::vector<std::string> names;
  for (const ir::TileParameter& one : kernel.parameters) {
    if (one.role == role && one.unit == 1 &&
        !IsCutAgain(kernel.body, one.name, false)) {
      names.push_back(one.name);
    }
  }
  if (names.empty()) return {};
  for (const ir::Tile& tile : kernel.tiles) {
    const WideAxes wide(tile.dims);
    if (wide.count > 2 && Counts(tile.dims[wide.first].capacity, names)) {
      return {};
    }
  }
  bool wanted = false;
  passes::ForEachStmt(kernel.body, [&](const ir::Stmt& stmt) {
    if (stmt.kind != ir::StmtKind::kCompute) return;
    const ir::Tile& result = kernel.tiles[stmt.results[0]];
    for (const ir::Operand& operand : stmt.operands) {
      const int* tile = std::get_if<int>(&operand);
      wanted = wanted ||
               (tile != nullptr && result.dtype == DType::kFloat &&
                meets(kernel, kernel.tiles[*tile].dims, result.dims, names));
    }
  });
  return wanted && MayLieApart(kernel) ? names : std::vector<std::string>();
}

// Rows that meet one number each. Else, where 16 bits become 32 and the vector
// unit has the more to do, rows of a piece that all meet one row.
std::vector<std::string> RowsInEights(const ir::Kernel& kernel,
                                      int64_t elements) {
  using Role = ir::TileParameter::Role;
  std::vector<std::string> rows = RowsInEights(kernel, Role::kRows, IsColumnOf);
  if (!rows.empty() || elements < kHalvesOfBlock) return rows;
  return RowsInEights(kernel, Role::kPiece, IsRowOf);
}

// Of rows whose same block of eight lies in eight bank groups: whole units of
// elements that are not whole 128 bytes of f32.
Int PitchOfEight(const Int& columns, const Padding& padding) {
  constexpr int64_t kTogether = 32;
  const int64_t unit = padding.elements;
  const Int meet =
      Int::Of(ir::IntKind::kAnd, Less(columns, padding.longest + 1),
              Less(Mod(AlignUp(columns, unit), kTogether), 1));
  return AlignUp(Int::Select(meet, columns + unit, columns), unit);
}

// Whether rows of 16 bits are reduced: blocks of twice as many elements are
// taken from eight of them.
bool ReducesHalves(const ir::Kernel& kernel) {
  bool reduces = false;
  passes::ForEachStmt(kernel.body, [&](const ir::Stmt& stmt) {
    reduces = reduces || (passes::IsReduction(stmt) &&
                          BytesOf(kernel.tiles[stmt.results[0]].dtype) == 2);
  });
  return reduces;
}

// Whether rows meet one that all of them share, a gamma: long ones that lie
// apart begin in other bank groups than each other and would wait for it.
bool MeetsSharedRow(const ir::Kernel& kernel) {
  bool meets = false;
  passes::ForEachStmt(kernel.body, [&](const ir::Stmt& stmt) {
    if (stmt.kind != ir::StmtKind::kCompute) return;
    const std::vector<Dim>& result = kernel.tiles[stmt.results[0]].dims;
    const WideAxes rows(result);
    if (rows.count < 2) return;
    for (const ir::Operand& operand : stmt.operands) {
      const int* tile = std::get_if<int>(&operand);
      if (tile == nullptr) continue;
      const std::vector<Dim>& own = kernel.tiles[*tile].dims;
      const WideAxes row(own);
      meets = meets || (row.count == 1 && ir::Same(own[row.last].capacity,
                                                   result[rows.last].capacity));
    }
  });
  return meets;
}

}  // namespace

bool Padding::IsInEights(const std::string& name) const {
  return std::find(rows.begin(), rows.end(), name) != rows.end();
}

bool Layout::is_flat() const {
  return std::none_of(dims.begin(), dims.begin() + std::max(last, 0),
                      [](const Dim& dim) { return !dim.is_one(); });
}

Int Layout::Count() const {
  if (last < 0) return 1;
  if (is_flat()) return dims[last].size;
  const Int all = Rows() * pitch;
  return on_lanes ? AlignUp(all, kLanesOfRepeat) : all;
}

Int Layout::Offset(const std::vector<Int>& indices) const {
  if (indices.size() != dims.size()) {
    throw InternalError("[crux] an element of a tile with other axes");
  }
  Int offset = 0;
  for (size_t i = 0; i < dims.size(); ++i) {
    offset = offset + indices[i] * strides[i];
  }
  return offset;
}

Int Layout::Rows() const {
  // Rows of outer axes are all there up to the last valid one: an outer axis
  // counts by its size, inner ones by their capacity.
  Int rows = 1;
  bool outermost = true;
  for (int i = 0; i < last; ++i) {
    if (dims[i].is_one()) continue;
    rows = rows * (outermost ? dims[i].size : dims[i].capacity);
    outermost = false;
  }
  return rows;
}

Padding PaddingOf(const ir::Kernel& kernel) {
  Padding padding;
  int64_t smallest = 8;
  for (const ir::Tile& tile : kernel.tiles) {
    // A bool is a half on chip.
    const int64_t bytes = tile.dtype == DType::kBool
                              ? 2
                              : static_cast<int64_t>(BytesOf(tile.dtype));
    smallest = std::min(smallest, bytes);
  }
  padding.elements = 32 / std::min<int64_t>(smallest, 4);
  if (!kernel.rows_on_lanes) {
    if (padding.elements <= kHalvesOfBlock) {
      padding.rows = RowsInEights(kernel, padding.elements);
    }
    if (HasEveryOtherGroup(padding) && ReducesHalves(kernel) &&
        !MeetsSharedRow(kernel)) {
      padding.longest = kLongestOfEightHalves;
    }
    return padding;
  }
  for (const ir::TileParameter& one : kernel.parameters) {
    if (one.role == ir::TileParameter::Role::kRows &&
        one.unit == passes::kRowsTurned) {
      padding.lanes.push_back(one.name);
    }
  }
  return padding;
}

bool CountsLanes(const Int& capacity, const Padding& padding) {
  return Counts(capacity, padding.lanes);
}

bool HasEveryOtherGroup(const Padding& padding) {
  return !padding.rows.empty() && padding.elements == kHalvesOfBlock;
}

bool FoldsSlices(const Layout& layout, const Padding& padding) {
  return layout.dims.size() == 2 && layout.last == 1 &&
         (layout.on_lanes || Counts(layout.dims[0].capacity, padding.rows));
}

Layout LayoutOf(const std::vector<Dim>& dims, const Padding& padding) {
  Layout layout;
  layout.dims = dims;
  layout.strides.assign(dims.size(), Int(0));
  const WideAxes wide(dims);
  if (wide.count == 0) {
    layout.pitch = 1;
    layout.elements = 1;
    return layout;
  }
  layout.last = wide.last;
  layout.strides[layout.last] = 1;
  const Int columns = dims[layout.last].capacity;
  layout.on_lanes = wide.count > 1 && CountsLanes(columns, padding);
  layout.pitch = wide.count == 1   ? columns
                 : layout.on_lanes ? columns + kBesideLanes
                                   : AlignUp(columns, padding.elements);
  if (wide.count == 2 && Counts(dims[wide.first].capacity, padding.rows)) {
    layout.pitch = PitchOfEight(columns, padding);
  }
  Int stride = layout.pitch;
  for (int i = wide.last - 1; i >= 0; --i) {
    if (dims[i].is_one()) continue;
    layout.strides[i] = stride;
    stride = stride * dims[i].capacity;
  }
  layout.elements = stride;
  return layout;
}

const Layout& Layouts::operator[](int tile) const {
  std::optional<Layout>& known = known_.at(static_cast<size_t>(tile));
  if (!known) known = LayoutOf(kernel_.tiles[tile].dims, padding_);
  return *known;
}

bool SamePlaces(const Layout& a, const Layout& b) {
  return SamePlaces(a.dims, b.dims);
}

bool SamePlaces(const std::vector<Dim>& a, const std::vector<Dim>& b) {
  auto left = a.begin();
  auto right = b.begin();
  while (true) {
    while (left != a.end() && left->is_one()) ++left;
    while (right != b.end() && right->is_one()) ++right;
    if (left == a.end() || right == b.end()) {
      return left == a.end() && right == b.end();
    }
    if (!ir::Same(left->capacity, right->capacity)) return false;
    ++left;
    ++right;
  }
}

}  // namespace belay::crux::select
