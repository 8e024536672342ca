// SPDX-License-Identifier: Apache-2.0
// Elementwise operations of f16 and f32.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "base/error.h"
#include "belay/elementwise.h"
#include "crux/select/elementwise.h"

namespace belay::crux::select {
namespace {

using abi::Elementwise;

// A function of the high-level library, and how much memory it works in.
struct Library {
  Op op;
  const char* name;
  Elementwise function;
};

constexpr Library kLibrary[] = {
    {Op::kAcos, "Acos", Elementwise::kAcos},
    {Op::kAsin, "Asin", Elementwise::kAsin},
    {Op::kAtan, "Atan", Elementwise::kAtan},
    {Op::kCos, "Cos", Elementwise::kCos},
    {Op::kCosh, "Cosh", Elementwise::kCosh},
    {Op::kErf, "Erf", Elementwise::kErf},
    {Op::kErfc, "Erfc", Elementwise::kErfc},
    {Op::kPow, "Power", Elementwise::kPower},
    {Op::kSin, "Sin", Elementwise::kSin},
    {Op::kSinh, "Sinh", Elementwise::kSinh},
    {Op::kTan, "Tan", Elementwise::kTan},
    {Op::kTanh, "Tanh", Elementwise::kTanh},
};

// Elements that a library function takes at a time: enough for instructions of
// several repeats, few enough to leave the memory to the tiles.
constexpr int64_t kPieceBytes = 16 * 1024;

// Whether the tiling can make it smaller at will.
bool IsChosen(const ir::Kernel& kernel, const Int& elements) {
  std::set<std::string> names;
  CollectNames(elements, names);
  return !names.empty() &&
         std::all_of(names.begin(), names.end(), [&](const auto& name) {
           return std::any_of(kernel.parameters.begin(),
                              kernel.parameters.end(),
                              [&](const ir::TileParameter& parameter) {
                                return parameter.name == name;
                              });
         });
}

// Memory for a function of all lanes of `dst`. Its instructions are as long as
// it allows, so a tile that the tiling chooses is smaller instead.
Local WorkFor(Emitter& emitter, Elementwise function, const Lane& dst) {
  const abi::ElementwiseWork work = abi::WorkOf(function);
  Int bytes = static_cast<int64_t>(work.Bytes(work.Lanes(kPieceBytes)));
  const Int elements = LayoutOf(dst.dims, emitter.padding()).elements;
  if (IsChosen(emitter.kernel(), elements)) {
    // A repeat more, so that its registers need not meet in banks.
    const Int lanes = AlignUp(elements, 256) + abi::ElementwiseWork::kLanes;
    bytes = lanes * (static_cast<int64_t>(work.registers) * 4) +
            (FloorDiv(lanes, 8) + 64) * static_cast<int64_t>(work.masks);
  }
  return emitter.Scratch(DType::kUint8, bytes, "library");
}

Lane Result(Emitter& emitter, const ir::Stmt& stmt) {
  return LaneOf(emitter, stmt.results[0]);
}

const ir::Number* NumberAt(const ir::Stmt& stmt, size_t i) {
  return std::get_if<ir::Number>(&stmt.operands[i]);
}

// The operand with the result's dims.
Lane DenseOperand(Emitter& emitter, const ir::Stmt& stmt, size_t i) {
  const int result = stmt.results[0];
  return Dense(
      emitter,
      LaneOfOperand(emitter, stmt.operands[i], emitter.DtypeOf(result)),
      emitter.TileOf(result).dims);
}

// The library's results must not lie where a source lies.
void CallLibrary(Emitter& emitter, const ir::Stmt& stmt,
                 const Library& library) {
  const Lane result = Result(emitter, stmt);
  Lane dst = result;
  std::vector<Arg> args = {dst.place};
  for (size_t i = 0; i < stmt.operands.size(); ++i) {
    const Local source = DenseOperand(emitter, stmt, i).place;
    if (source.name == result.place.name && dst.place.name == source.name) {
      dst = ScratchLike(emitter, result.dims, DType::kFloat, "apart");
      args[0] = dst.place;
    }
    args.emplace_back(source);
  }
  args.emplace_back(WorkFor(emitter, library.function, dst));
  args.emplace_back(CountOf(emitter, dst));
  emitter.Call(library.name, std::move(args));
  if (dst.place.name != result.place.name) CopyLanes(emitter, result, dst);
}

// An exact scale by 1/number, where there is one.
std::optional<double> ExactReciprocal(const ir::Number& number, DType dtype) {
  const double value =
      number.kind == ir::Number::Kind::kReal ? number.real
      : number.kind == ir::Number::Kind::kInt && number.integer.is_constant()
          ? static_cast<double>(number.integer.value())
          : 0;
  int exponent = 0;
  if (value == 0 || !std::isfinite(value) ||
      std::fabs(std::frexp(value, &exponent)) != 0.5) {
    return std::nullopt;
  }
  const int limit = dtype == DType::kHalf ? 13 : 125;
  if (exponent > limit || exponent < -limit) return std::nullopt;
  return 1 / value;
}

void SelectBinary(Emitter& emitter, const ir::Stmt& stmt, const char* function,
                  const char* with_scalar) {
  const Lane dst = Result(emitter, stmt);
  const DType dtype = emitter.DtypeOf(dst.place);
  for (const size_t i : {size_t{0}, size_t{1}}) {
    const ir::Number* number = NumberAt(stmt, i);
    if (number == nullptr || with_scalar == nullptr) continue;
    return VectorScalar(emitter, with_scalar, dst,
                        DenseOperand(emitter, stmt, 1 - i),
                        ScalarOf(*number, dtype));
  }
  VectorBinary(emitter, function, dst,
               LaneOfOperand(emitter, stmt.operands[0], dtype),
               LaneOfOperand(emitter, stmt.operands[1], dtype));
}

void SelectSub(Emitter& emitter, const ir::Stmt& stmt) {
  const Lane dst = Result(emitter, stmt);
  const DType dtype = emitter.DtypeOf(dst.place);
  if (const ir::Number* number = NumberAt(stmt, 1)) {
    return VectorScalar(emitter, "Adds", dst, DenseOperand(emitter, stmt, 0),
                        NegatedScalar(*number, dtype));
  }
  SelectBinary(emitter, stmt, "Sub", nullptr);
}

void SelectDiv(Emitter& emitter, const ir::Stmt& stmt) {
  const Lane dst = Result(emitter, stmt);
  const DType dtype = emitter.DtypeOf(dst.place);
  if (const ir::Number* number = NumberAt(stmt, 1)) {
    if (const auto scale = ExactReciprocal(*number, dtype)) {
      return VectorScalar(emitter, "Muls", dst, DenseOperand(emitter, stmt, 0),
                          Real(dtype, *scale));
    }
  }
  SelectBinary(emitter, stmt, "Div", nullptr);
}

// -1, 0, 1 or NaN: scaled until every other number is beyond ±1.
void SelectSign(Emitter& emitter, const ir::Stmt& stmt) {
  const Lane dst = Result(emitter, stmt);
  const DType dtype = emitter.DtypeOf(dst.place);
  const double scale = dtype == DType::kHalf ? 0x1p15 : 0x1p100;
  VectorScalar(emitter, "Muls", dst, DenseOperand(emitter, stmt, 0),
               Real(dtype, scale));
  VectorScalar(emitter, "Muls", dst, dst, Real(dtype, scale));
  VectorScalar(emitter, "Mins", dst, dst, Real(dtype, 1));
  VectorScalar(emitter, "Maxs", dst, dst, Real(dtype, -1));
}

// -|x|: the sign bit set, by words of 16 bits.
void SelectNegatedSize(Emitter& emitter, const ir::Stmt& stmt) {
  const Lane dst = Result(emitter, stmt);
  const bool wide = emitter.DtypeOf(dst.place) == DType::kFloat;
  const Layout layout = LayoutOf(dst.dims, emitter.padding());
  const int64_t words = wide ? 2 : 1;
  const auto words_of = [&](const Lane& lane) -> Lane {
    return {ViewAs(emitter, lane, DType::kUint16).place,
            {{layout.elements * words, layout.Count() * words}}};
  };
  const DType word = wide ? DType::kUint32 : DType::kUint16;
  Lane sign =
      FilledWith(emitter, word, Whole(word, wide ? 0x80000000 : 0x8000));
  sign = ViewAs(emitter, sign, DType::kUint16);
  VectorBinary(emitter, "Or", words_of(dst),
               words_of(DenseOperand(emitter, stmt, 0)), sign);
}

void SelectRounding(Emitter& emitter, const ir::Stmt& stmt, abi::Round mode) {
  VectorCast(emitter, Result(emitter, stmt), DenseOperand(emitter, stmt, 0),
             mode);
}

// The first operand's bits down to the upper twelve of its significand.
Lane UpperPart(Emitter& emitter, const Lane& a) {
  const Lane part = ScratchLike(emitter, a.dims, DType::kUint32, "upper");
  const Lane bits = ViewAs(emitter, a, DType::kUint32);
  const auto by = [] { return Whole(DType::kUint32, 12); };
  VectorScalar(emitter, "ShiftRight", part, bits, by());
  VectorScalar(emitter, "ShiftLeft", part, part, by());
  return ViewAs(emitter, part, DType::kFloat);
}

// a · b + c with one rounding, to the last place: the product and the sum are
// taken apart into a float and what it lacks, by exact steps.
void SelectFma(Emitter& emitter, const ir::Stmt& stmt) {
  const Lane dst = Result(emitter, stmt);
  const Lane a = DenseOperand(emitter, stmt, 0);
  const Lane b = DenseOperand(emitter, stmt, 1);
  const Lane c = DenseOperand(emitter, stmt, 2);
  const auto fresh = [&](const char* wish) {
    return ScratchLike(emitter, dst.dims, DType::kFloat, wish);
  };
  const auto run = [&](const char* function, const Lane& to, const Lane& x,
                       const Lane& y) {
    VectorBinary(emitter, function, to, x, y);
  };
  const Lane a_upper = UpperPart(emitter, a);
  const Lane b_upper = UpperPart(emitter, b);
  const Lane a_lower = fresh("a_lower");
  const Lane b_lower = fresh("b_lower");
  run("Sub", a_lower, a, a_upper);
  run("Sub", b_lower, b, b_upper);
  const Lane product = fresh("product");
  const Lane lacks = fresh("lacks");
  const Lane part = fresh("part");
  run("Mul", product, a, b);
  run("Mul", lacks, a_upper, b_upper);
  run("Sub", lacks, lacks, product);
  run("Mul", part, a_upper, b_lower);
  run("Add", lacks, lacks, part);
  run("Mul", part, a_lower, b_upper);
  run("Add", lacks, lacks, part);
  run("Mul", part, a_lower, b_lower);
  run("Add", lacks, lacks, part);
  // The sum and its error.
  const Lane sum = a_upper;
  const Lane second = a_lower;
  const Lane first = b_lower;
  run("Add", sum, product, c);
  run("Sub", second, sum, product);
  run("Sub", first, sum, second);
  run("Sub", first, product, first);
  run("Sub", second, c, second);
  run("Add", first, first, second);
  run("Add", first, first, lacks);
  // Infinities and NaN have no error that is a number.
  const Int whole = WholeRepeats(CountOf(emitter, dst), DType::kFloat);
  const Local bits = NewBits(emitter, dst);
  emitter.Call("Compare",
               {bits, first.place, first.place, Word{"CMPMODE::EQ"}, whole});
  emitter.Call(
      "Select",
      {first.place, bits, first.place, Real(DType::kFloat, 0),
       Word{"SELMODE::VSEL_TENSOR_SCALAR_MODE"}, CountOf(emitter, dst)});
  run("Add", dst, sum, first);
}

// What is left of a / b cut off, exact while |a / b| < 2^24, and where it is on
// the other side of 0 than b.
struct Rest {
  Lane rest;
  Local other_side;  // bits
};

Rest CutOff(Emitter& emitter, const Lane& a, const Lane& b) {
  const Int count = CountOf(emitter, a);
  const Int whole = WholeRepeats(count, DType::kFloat);
  const Lane rest = ScratchLike(emitter, a.dims, DType::kFloat, "rest");
  emitter.Call("Fmod", {rest.place, a.place, b.place,
                        WorkFor(emitter, Elementwise::kFmod, rest), count});
  // The product of their signs is -1 there. Signs cannot underflow.
  const Lane signs = ScratchLike(emitter, a.dims, DType::kFloat, "signs");
  const Lane other = ScratchLike(emitter, a.dims, DType::kFloat, "other");
  const auto sign = [&](const Lane& to, const Lane& from) {
    VectorScalar(emitter, "Muls", to, from, Real(DType::kFloat, 0x1p100));
    VectorScalar(emitter, "Muls", to, to, Real(DType::kFloat, 0x1p100));
    VectorScalar(emitter, "Mins", to, to, Real(DType::kFloat, 1));
    VectorScalar(emitter, "Maxs", to, to, Real(DType::kFloat, -1));
  };
  sign(signs, rest);
  sign(other, b);
  VectorBinary(emitter, "Mul", signs, signs, other);
  const Local bits = NewBits(emitter, a);
  emitter.Call("CompareScalar", {bits, signs.place, Real(DType::kFloat, 0),
                                 Word{"CMPMODE::LT"}, whole});
  return {rest, bits};
}

// The rest, with the sign of b.
void SelectModulo(Emitter& emitter, const ir::Stmt& stmt) {
  const Lane dst = Result(emitter, stmt);
  const Lane a = DenseOperand(emitter, stmt, 0);
  const Lane b = DenseOperand(emitter, stmt, 1);
  const auto [rest, other_side] = CutOff(emitter, a, b);
  const Lane moved = ScratchLike(emitter, dst.dims, DType::kFloat, "moved");
  VectorBinary(emitter, "Add", moved, rest, b);
  emitter.Call("Select", {dst.place, other_side, moved.place, rest.place,
                          Word{"SELMODE::VSEL_TENSOR_TENSOR_MODE"},
                          CountOf(emitter, dst)});
}

// (a - rest) / b, brought to the next integer, one less where the rest is on
// the other side of 0 than b; a / b for a divisor of 0.
void SelectFloorDivision(Emitter& emitter, const ir::Stmt& stmt) {
  const Lane dst = Result(emitter, stmt);
  const Lane a = DenseOperand(emitter, stmt, 0);
  const Lane b = DenseOperand(emitter, stmt, 1);
  const Int count = CountOf(emitter, dst);
  const Int whole = WholeRepeats(count, DType::kFloat);
  const auto [rest, bits] = CutOff(emitter, a, b);
  const auto choose = [&](const Lane& to, const Lane& first,
                          const Lane& second) {
    emitter.Call("Select", {to.place, bits, first.place, second.place,
                            Word{"SELMODE::VSEL_TENSOR_TENSOR_MODE"}, count});
  };
  const Lane other = ScratchLike(emitter, dst.dims, DType::kFloat, "quotient");
  VectorBinary(emitter, "Sub", rest, a, rest);
  VectorBinary(emitter, "Div", rest, rest, b);
  VectorCast(emitter, rest, rest, abi::Round::kRint);
  VectorScalar(emitter, "Adds", other, rest, Real(DType::kFloat, -1));
  choose(rest, other, rest);
  VectorBinary(emitter, "Div", other, a, b);
  emitter.Call("CompareScalar", {bits, b.place, Real(DType::kFloat, 0),
                                 Word{"CMPMODE::EQ"}, whole});
  choose(dst, other, rest);
}

// ln times a constant.
void SelectScaledLn(Emitter& emitter, const ir::Stmt& stmt, double scale) {
  const Lane dst = Result(emitter, stmt);
  VectorUnary(emitter, "Ln", dst, DenseOperand(emitter, stmt, 0));
  VectorScalar(emitter, "Muls", dst, dst, Real(DType::kFloat, scale));
}

}  // namespace

void SelectFloating(Emitter& emitter, const ir::Stmt& stmt) {
  const auto unary = [&](const char* function) {
    VectorUnary(emitter, function, Result(emitter, stmt),
                DenseOperand(emitter, stmt, 0));
  };
  switch (stmt.op) {
    case Op::kAdd:
      return SelectBinary(emitter, stmt, "Add", "Adds");
    case Op::kSub:
      return SelectSub(emitter, stmt);
    case Op::kMul:
      if (stmt.operands.size() == 3) return SelectMultiplyAdd(emitter, stmt);
      return SelectBinary(emitter, stmt, "Mul", "Muls");
    case Op::kDiv:
      return SelectDiv(emitter, stmt);
    case Op::kMaximum:
      return SelectBinary(emitter, stmt, "Max", "Maxs");
    case Op::kMinimum:
      return SelectBinary(emitter, stmt, "Min", "Mins");
    case Op::kAbs:
      return unary("Abs");
    case Op::kExp:
      return unary("Exp");
    case Op::kLn:
      return unary("Ln");
    case Op::kSqrt:
      return unary("Sqrt");
    case Op::kNegate:
      if (stmt.of_size) return SelectNegatedSize(emitter, stmt);
      return VectorScalar(emitter, "Muls", Result(emitter, stmt),
                          DenseOperand(emitter, stmt, 0),
                          Real(OperandDtype(emitter, stmt), -1));
    case Op::kLog2:
      return SelectScaledLn(emitter, stmt, 1.4426950408889634);
    case Op::kLog10:
      return SelectScaledLn(emitter, stmt, 0.4342944819032518);
    case Op::kFloor:
      return SelectRounding(emitter, stmt, abi::Round::kFloor);
    case Op::kCeil:
      return SelectRounding(emitter, stmt, abi::Round::kCeil);
    case Op::kRound:
      return SelectRounding(emitter, stmt, abi::Round::kRint);
    case Op::kTrunc:
      return SelectRounding(emitter, stmt, abi::Round::kTrunc);
    case Op::kSign:
      return SelectSign(emitter, stmt);
    case Op::kFma:
      return SelectFma(emitter, stmt);
    case Op::kMod:
      return SelectModulo(emitter, stmt);
    case Op::kFloorDiv:
      return SelectFloorDivision(emitter, stmt);
    default:
      break;
  }
  for (const Library& library : kLibrary) {
    if (library.op == stmt.op) return CallLibrary(emitter, stmt, library);
  }
  throw InternalError(
      fmt::format("[crux] {} is not expanded", InfoOf(stmt.op).id));
}

}  // namespace belay::crux::select
