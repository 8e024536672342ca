// SPDX-License-Identifier: Apache-2.0
// Elementwise operations of integers that the vector unit can do.
//
// It computes in i16 and i32, and on bits in u16. Unsigned numbers of these
// widths have the same sums and products; their order is that of the signed
// numbers 2^(width-1) below. Bytes are computed in i16 and wrapped.

#include <bit>
#include <limits>

#include "base/error.h"
#include "crux/select/divide.h"
#include "crux/select/elementwise.h"
#include "crux/select/extremes.h"

namespace belay::crux::select {
namespace {

using ir::Number;

bool IsUnsigned(DType dtype) { return !IsSigned(dtype); }

// The dtype that computes for one of 16 or 32 bits.
DType SignedOf(DType dtype) {
  return BytesOf(dtype) == 2 ? DType::kInt16 : DType::kInt32;
}

DType UnsignedOf(DType dtype) {
  return BytesOf(dtype) == 2 ? DType::kUint16 : DType::kUint32;
}

int64_t LowestOf(DType dtype) {
  return BytesOf(dtype) == 2 ? std::numeric_limits<int16_t>::min()
                             : std::numeric_limits<int32_t>::min();
}

std::optional<int64_t> ConstantOf(const ir::Operand& operand) {
  const auto* number = std::get_if<Number>(&operand);
  if (number == nullptr) return std::nullopt;
  if (number->kind == Number::Kind::kReal) {
    return static_cast<int64_t>(number->real);
  }
  if (number->kind == Number::Kind::kInt && number->integer.is_constant()) {
    return number->integer.value();
  }
  return std::nullopt;
}

Int WholeOf(const Number& number) {
  return number.kind == Number::Kind::kReal
             ? Int(static_cast<int64_t>(number.real))
             : number.integer;
}

bool Divides(const ir::Stmt& stmt) {
  return stmt.op == Op::kFloorDiv || stmt.op == Op::kMod;
}

Division WantedBy(const ir::Stmt& stmt) {
  return stmt.op == Op::kFloorDiv ? Division::kQuotient : Division::kRest;
}

// One operation on lanes of i16 or i32 (`dtype` says how they are read).
class WholeWriter {
 public:
  WholeWriter(Emitter& emitter, const ir::Stmt& stmt, const Lane& dst,
              std::vector<ir::Operand> operands, std::vector<Lane> lanes,
              DType dtype)
      : emitter_(emitter),
        stmt_(stmt),
        operands_(std::move(operands)),
        lanes_(std::move(lanes)),
        dtype_(dtype),
        word_(SignedOf(dtype)) {
    dst_ = ViewAs(emitter, dst, word_);
  }

  // False: the vector unit has nothing for it, and nothing was written.
  bool Run() {
    switch (stmt_.op) {
      case Op::kAdd:
        return Commutative("Add", "Adds");
      case Op::kMul:
        return Commutative("Mul", "Muls");
      case Op::kSub:
        return Sub();
      case Op::kMaximum:
        return Order("Max", "Maxs");
      case Op::kMinimum:
        return Order("Min", "Mins");
      case Op::kNegate:
        VectorScalar(emitter_, "Muls", dst_, Tile(0), Whole(word_, -1));
        return true;
      case Op::kAbs:
        return Abs();
      case Op::kSign:
        return Sign();
      case Op::kShiftLeft:
      case Op::kShiftRight:
        return Shift();
      case Op::kFloorDiv:
      case Op::kMod:
        return ByPowerOfTwo() || ByNumber() || ByTile();
      case Op::kPow:
        return Power();
      default:
        return false;
    }
  }

 private:
  const Number* NumberAt(size_t i) const {
    return std::get_if<Number>(&operands_[i]);
  }
  Lane Any(size_t i) {
    if (const Number* number = NumberAt(i)) {
      return FilledWith(emitter_, word_, Whole(word_, WholeOf(*number)));
    }
    return ViewAs(emitter_, lanes_[i], word_);
  }
  Lane Tile(size_t i) { return Dense(emitter_, Any(i), dst_.dims); }
  Lane Fresh(const char* wish) {
    return ScratchLike(emitter_, dst_.dims, word_, wish);
  }

  bool Commutative(const char* function, const char* with_scalar) {
    for (const size_t i : {size_t{0}, size_t{1}}) {
      const Number* number = NumberAt(i);
      if (number == nullptr) continue;
      VectorScalar(emitter_, with_scalar, dst_, Tile(1 - i),
                   Whole(word_, WholeOf(*number)));
      return true;
    }
    VectorBinary(emitter_, function, dst_, Any(0), Any(1));
    return true;
  }

  bool Sub() {
    if (const Number* number = NumberAt(1)) {
      VectorScalar(emitter_, "Adds", dst_, Tile(0),
                   Whole(word_, Int(0) - WholeOf(*number)));
    } else if (const Number* from = NumberAt(0)) {
      VectorScalar(emitter_, "Muls", dst_, Tile(1), Whole(word_, -1));
      VectorScalar(emitter_, "Adds", dst_, dst_, Whole(word_, WholeOf(*from)));
    } else {
      VectorBinary(emitter_, "Sub", dst_, Any(0), Any(1));
    }
    return true;
  }

  // Moves unsigned numbers to the signed ones of the same order, and back.
  Lane Shifted(const Lane& from, const Lane& to) {
    VectorScalar(emitter_, "Adds", to, from, Whole(word_, LowestOf(word_)));
    return to;
  }

  bool Order(const char* function, const char* with_scalar) {
    if (!IsUnsigned(dtype_)) return Commutative(function, with_scalar);
    for (const size_t i : {size_t{0}, size_t{1}}) {
      const Number* number = NumberAt(i);
      if (number == nullptr) continue;
      WithUnsigned(with_scalar, Tile(1 - i), WholeOf(*number));
      return true;
    }
    const Lane a = Shifted(Tile(0), Fresh("a_ordered"));
    const Lane b = Shifted(Tile(1), Fresh("b_ordered"));
    VectorBinary(emitter_, function, dst_, a, b);
    Shifted(dst_, dst_);
    return true;
  }

  void WithUnsigned(const char* function, const Lane& a, const Int& number) {
    Shifted(a, dst_);
    VectorScalar(emitter_, function, dst_, dst_,
                 Whole(word_, number + LowestOf(word_)));
    Shifted(dst_, dst_);
  }

  bool Abs() {
    if (IsUnsigned(dtype_)) {
      CopyLanes(emitter_, dst_, Tile(0));
      return true;
    }
    const Lane a = Tile(0);
    const Lane negative = Fresh("negative");
    VectorScalar(emitter_, "Muls", negative, a, Whole(word_, -1));
    VectorBinary(emitter_, "Max", dst_, a, negative);
    return true;
  }

  bool Sign() {
    if (IsUnsigned(dtype_)) {
      WithUnsigned("Mins", Tile(0), 1);
      return true;
    }
    VectorScalar(emitter_, "Maxs", dst_, Tile(0), Whole(word_, -1));
    VectorScalar(emitter_, "Mins", dst_, dst_, Whole(word_, 1));
    return true;
  }

  // By a number. A distance beyond the width acts as the width.
  void ShiftBy(bool left, const Lane& from, const Int& by) {
    const int64_t width = BitsOf(dtype_);
    const Int beyond =
        Int::Of(ir::IntKind::kOr, Less(by, 0), Less(Int(width - 1), by));
    const Int distance = Int::Select(beyond, width, by);
    const bool as_unsigned = left || IsUnsigned(dtype_);
    const DType view = as_unsigned ? UnsignedOf(dtype_) : word_;
    VectorScalar(emitter_, left ? "ShiftLeft" : "ShiftRight",
                 ViewAs(emitter_, dst_, view), ViewAs(emitter_, from, view),
                 Whole(view, distance));
  }

  bool Shift() {
    const Number* by = NumberAt(1);
    if (by == nullptr || NumberAt(0) != nullptr) return false;
    ShiftBy(stmt_.op == Op::kShiftLeft, Tile(0), WholeOf(*by));
    return true;
  }

  bool ByPowerOfTwo() {
    const std::optional<int64_t> by = ConstantOf(operands_[1]);
    if (!by || *by <= 0 || (*by & (*by - 1)) != 0 || NumberAt(0) != nullptr) {
      return false;
    }
    const int bits = std::countr_zero(static_cast<uint64_t>(*by));
    const Lane a = Tile(0);
    if (stmt_.op == Op::kFloorDiv) {
      ShiftBy(false, a, bits);
      return true;
    }
    // The bits below: a - (a >> bits << bits).
    const DType view = UnsignedOf(dtype_);
    const Lane above = Fresh("above");
    const Lane above_bits = ViewAs(emitter_, above, view);
    VectorScalar(emitter_, "ShiftRight", above_bits, ViewAs(emitter_, a, view),
                 Whole(view, bits));
    VectorScalar(emitter_, "ShiftLeft", above_bits, above_bits,
                 Whole(view, bits));
    VectorBinary(emitter_, "Sub", dst_, a, above);
    return true;
  }

  // By a number that is known to be above 0, or is asked when the kernel runs.
  bool ByNumber() {
    const Number* by = NumberAt(1);
    if (by == nullptr || NumberAt(0) != nullptr || IsUnsigned(dtype_) ||
        word_ != DType::kInt32) {
      return false;
    }
    const Int divisor = WholeOf(*by);
    const Int inside = Int::Of(ir::IntKind::kAnd, Less(0, divisor),
                               Less(divisor, int64_t{1} << 29));
    if (inside.Is(0)) return false;
    emitter_.If(
        inside,
        [&] {
          const Lane a = Tile(0);
          DivideByNumber(emitter_, WantedBy(stmt_), dst_, Apart(a), divisor);
        },
        [&] { SelectWholeByScalars(emitter_, stmt_); });
    return true;
  }

  bool ByTile() {
    const int* divisor = std::get_if<int>(&operands_[1]);
    if (divisor == nullptr || IsUnsigned(dtype_) || word_ != DType::kInt32 ||
        !HasPlainRows(emitter_.LayoutOf(*divisor))) {
      return false;
    }
    RequireNoZero(emitter_, *divisor);
    const Lane a = Tile(0);
    const Lane b = Tile(1);
    DivideByLanes(emitter_, WantedBy(stmt_), dst_, Apart(a), Apart(b));
    return true;
  }

  // A copy where it would be written over before it is read again.
  Lane Apart(const Lane& lane) {
    if (lane.place.name != dst_.place.name) return lane;
    const Lane apart = Fresh("apart");
    CopyLanes(emitter_, apart, lane);
    return apart;
  }

  // By a small constant: products of squares.
  bool Power() {
    const std::optional<int64_t> by = ConstantOf(operands_[1]);
    if (!by || *by < 1 || *by > 64 || NumberAt(0) != nullptr) return false;
    Lane square = Tile(0);
    const Lane squares = Fresh("square");
    Lane product;
    bool begun = false;
    for (int64_t rest = *by; rest != 0; rest >>= 1) {
      if ((rest & 1) != 0) {
        if (begun) {
          VectorBinary(emitter_, "Mul", dst_, product, square);
          product = dst_;
        } else if (rest == 1) {
          CopyLanes(emitter_, dst_, square);
        } else {
          product = Fresh("product");
          CopyLanes(emitter_, product, square);
          begun = true;
        }
      }
      if (rest > 1) {
        VectorBinary(emitter_, "Mul", squares, square, square);
        square = squares;
      }
    }
    return true;
  }

  Emitter& emitter_;
  const ir::Stmt& stmt_;
  std::vector<ir::Operand> operands_;
  std::vector<Lane> lanes_;  // of tiles
  DType dtype_;
  DType word_;
  Lane dst_;
};

bool IsBitwise(Op op) {
  return op == Op::kBitAnd || op == Op::kBitOr || op == Op::kBitXor ||
         op == Op::kBitNot;
}

// On 16-bit words, whatever the elements are.
bool SelectBits(Emitter& emitter, const ir::Stmt& stmt) {
  const Lane dst = LaneOf(emitter, stmt.results[0]);
  const DType dtype = emitter.DtypeOf(dst.place);
  const auto bytes = static_cast<int64_t>(BytesOf(dtype));
  const Int words = CeilDiv(CountOf(emitter, dst) * bytes, 2);
  std::vector<Local> sources;
  for (const ir::Operand& operand : stmt.operands) {
    if (bytes == 2 || bytes == 4) {
      const Lane lane =
          Dense(emitter, LaneOfOperand(emitter, operand, dtype), dst.dims);
      sources.push_back(ViewAs(emitter, lane, DType::kUint16).place);
      continue;
    }
    const int* tile = std::get_if<int>(&operand);
    if (tile == nullptr || !SamePlaces(emitter.LayoutOf(*tile),
                                       emitter.LayoutOf(stmt.results[0]))) {
      return false;
    }
    sources.push_back(
        ViewAs(emitter, LaneOf(emitter, *tile), DType::kUint16).place);
  }
  const Local to = ViewAs(emitter, dst, DType::kUint16).place;
  switch (stmt.op) {
    case Op::kBitAnd:
      emitter.Call("And", {to, sources[0], sources[1], words});
      break;
    case Op::kBitOr:
      emitter.Call("Or", {to, sources[0], sources[1], words});
      break;
    case Op::kBitNot:
      emitter.Call("Not", {to, sources[0], words});
      break;
    default: {
      const Int room =
          CeilDiv(emitter.LayoutOf(stmt.results[0]).elements * bytes, 2);
      const Local both = emitter.Scratch(DType::kUint16, room, "both");
      emitter.Call("And", {both, sources[0], sources[1], words});
      emitter.Call("Not", {both, both, words});
      emitter.Call("Or", {to, sources[0], sources[1], words});
      emitter.Call("And", {to, to, both, words});
      break;
    }
  }
  return true;
}

// Operations of bytes whose results i16 wraps to.
bool SelectBytes(Emitter& emitter, const ir::Stmt& stmt) {
  std::vector<Lane> lanes(stmt.operands.size());
  std::vector<ir::Dim> dims = emitter.TileOf(stmt.results[0]).dims;
  switch (stmt.op) {
    case Op::kShiftLeft:
    case Op::kShiftRight:
    case Op::kFloorDiv:
    case Op::kMod:
      if (!ConstantOf(stmt.operands[1])) return false;
      break;
    case Op::kPow:
      return false;
    default:
      break;
  }
  // Distances count by the width of a byte.
  ir::Stmt wide = stmt;
  if (stmt.op == Op::kShiftLeft || stmt.op == Op::kShiftRight) {
    const int64_t by = *ConstantOf(stmt.operands[1]);
    Number distance;
    distance.kind = Number::Kind::kInt;
    distance.integer = by < 0 || by > 7 ? 16 : by;
    wide.operands[1] = distance;
  }
  if (const auto by = ConstantOf(stmt.operands.back());
      Divides(stmt) && (*by <= 0 || (*by & (*by - 1)) != 0)) {
    return false;
  }
  for (size_t i = 0; i < wide.operands.size(); ++i) {
    const int* tile = std::get_if<int>(&wide.operands[i]);
    if (tile == nullptr) continue;
    const Lane narrow = LaneOf(emitter, *tile);
    lanes[i] = ScratchLike(emitter, narrow.dims, DType::kInt16, "wide");
    ConvertLanes(emitter, lanes[i], narrow, std::nullopt);
  }
  const Lane result = ScratchLike(emitter, dims, DType::kInt16, "wide_result");
  WholeWriter writer(emitter, wide, result, wide.operands, lanes,
                     DType::kInt16);
  if (!writer.Run()) {
    throw InternalError("[crux] bytes have no operation that i16 has");
  }
  ConvertLanes(emitter, LaneOf(emitter, stmt.results[0]), result, std::nullopt);
  return true;
}

bool SelectWords(Emitter& emitter, const ir::Stmt& stmt, DType dtype) {
  std::vector<Lane> lanes(stmt.operands.size());
  for (size_t i = 0; i < stmt.operands.size(); ++i) {
    const int* tile = std::get_if<int>(&stmt.operands[i]);
    if (tile != nullptr) lanes[i] = LaneOf(emitter, *tile);
  }
  return WholeWriter(emitter, stmt, LaneOf(emitter, stmt.results[0]),
                     stmt.operands, lanes, dtype)
      .Run();
}

// Tiles of 8 and 16 bits.
bool SelectNarrowDivision(Emitter& emitter, const ir::Stmt& stmt) {
  const int* left = std::get_if<int>(&stmt.operands[0]);
  if (left == nullptr) return false;
  const Lane dst = LaneOf(emitter, stmt.results[0]);
  const Lane a = LaneOf(emitter, *left);
  const int* right = std::get_if<int>(&stmt.operands[1]);
  if (right == nullptr) {
    const Int divisor = WholeOf(std::get<Number>(stmt.operands[1]));
    // Powers of two are shifts.
    const bool shifts = divisor.is_constant() && divisor.value() > 0 &&
                        (divisor.value() & (divisor.value() - 1)) == 0;
    if (divisor.Is(0) || shifts) return false;
    emitter.If(
        Int::Of(ir::IntKind::kNotEqual, divisor, 0),
        [&] { DivideNarrowByNumber(emitter, WantedBy(stmt), dst, a, divisor); },
        [&] { SelectWholeByScalars(emitter, stmt); });
    return true;
  }
  if (!HasPlainRows(emitter.LayoutOf(*right))) return false;
  RequireNoZero(emitter, *right);
  DivideNarrow(emitter, WantedBy(stmt), dst, a, LaneOf(emitter, *right));
  return true;
}

// One element, read and written by the scalar unit in any case.
bool IsOneElement(const Emitter& emitter, const ir::Stmt& stmt) {
  return emitter.LayoutOf(stmt.results[0]).last < 0;
}

}  // namespace

void SelectWhole(Emitter& emitter, const ir::Stmt& stmt) {
  const DType dtype = OperandDtype(emitter, stmt);
  bool done = false;
  if (IsOneElement(emitter, stmt)) {
    // Indices: what follows reads them by the scalar unit.
  } else if (IsBitwise(stmt.op)) {
    done = SelectBits(emitter, stmt);
  } else if (Divides(stmt) && BytesOf(dtype) <= 2 &&
             SelectNarrowDivision(emitter, stmt)) {
    done = true;
  } else if (BytesOf(dtype) == 1) {
    done = SelectBytes(emitter, stmt);
  } else if (BytesOf(dtype) <= 4) {
    done = SelectWords(emitter, stmt, dtype);
  }
  if (!done) SelectWholeByScalars(emitter, stmt);
}

}  // namespace belay::crux::select
