// SPDX-License-Identifier: Apache-2.0
// How each rule of the registry is written: operands first, then the call.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "crux/fuzz/expressions.h"

namespace belay::crux::fuzz {
namespace {

bool IsInteger(const Dtype& dtype) {
  return AllowedBy(OpDtypes::kInteger, dtype);
}

std::string SizesText(const Dims& dims) {
  std::string text = "(";
  for (const Dim& dim : dims) text += dim.text + ", ";
  if (dims.size() > 1) text.resize(text.size() - 2);
  if (dims.size() == 1) text.pop_back();  // "(N,"
  return text + ")";
}

}  // namespace

std::string Expressions::Operand(const TileType& want, int depth) {
  Random& random = scope_.random;
  const bool numeric = AllowedBy(OpDtypes::kNumeric, want.dtype);
  const bool wide = want.dtype == kF32 || want.dtype == kI32;
  if (wide && !scope_.loops.empty() && random.Chance(10)) return Position();
  if (numeric && random.Chance(30)) return Number(want.dtype);
  if (random.Chance(50)) return Tile(want, depth);
  return Tile({want.dtype, Narrower(want.dims)}, depth);
}

std::string Expressions::Divisor(const TileType& want, int depth) {
  if (!IsInteger(want.dtype)) return Operand(want, depth);
  if (scope_.random.Chance(30)) return "3";
  return fmt::format("({} | 1)", Tile(want, depth));
}

std::string Expressions::Same(const OpInfo& op, const TileType& want,
                              int depth) {
  const std::string inner = Tile(want, depth);
  if (op.is_operator()) return fmt::format("({}{})", op.spelling, inner);
  std::string keywords;
  if (op.family != OpFamily::kElementwise) {
    const size_t rank = want.dims.size();
    const size_t axis = static_cast<size_t>(scope_.random.Below(rank));
    if (rank > 1 || scope_.random.Chance(30)) {
      keywords += ", axis=" + AxisText(axis, rank);
    }
    for (const OpParameter& parameter : op.parameters) {
      if (parameter.role == ArgRole::kFlag && scope_.random.Chance(40)) {
        keywords += fmt::format(", {}={}", parameter.name, FlagText());
      }
    }
  } else if (op.op == Op::kGelu && scope_.random.Chance(50)) {
    keywords = ", approximate=\"tanh\"";
  }
  return fmt::format("{}({}{})", op.spelling, inner, keywords);
}

std::string Expressions::Broadcasting(const OpInfo& op, const TileType& want,
                                      int depth) {
  std::vector<std::string> operands;
  const size_t count = op.parameters.size();
  size_t whole = static_cast<size_t>(scope_.random.Below(count));
  const bool integer = IsInteger(want.dtype);
  const bool divides = op.op == Op::kFloorDiv || op.op == Op::kMod;
  const bool shifts = op.op == Op::kShiftLeft || op.op == Op::kShiftRight;
  if (divides || shifts || op.op == Op::kPow) whole = 0;
  for (size_t i = 0; i < count; ++i) {
    if (i == whole) {
      operands.push_back(Tile(want, depth));
    } else if (divides) {
      operands.push_back(Divisor(want, depth));
    } else if (shifts || (op.op == Op::kPow && integer)) {
      operands.push_back(std::to_string(scope_.random.Below(4)));
    } else {
      operands.push_back(Operand(want, depth));
    }
  }
  if (op.is_operator()) {
    return fmt::format("({}{}{})", operands[0], op.spelling, operands[1]);
  }
  return fmt::format("{}({})", op.spelling, fmt::join(operands, ", "));
}

std::string Expressions::Comparison(const OpInfo& op, const TileType& want,
                                    int depth) {
  const TileType operand{DtypeFor(op.dtypes), want.dims};
  if (op.result == OpResult::kSameBool) {
    return fmt::format("{}({})", op.spelling, Tile(operand, depth));
  }
  const std::string left = Tile(operand, depth);
  return fmt::format("({}{}{})", left, op.spelling, Operand(operand, depth));
}

std::string Expressions::Where(const OpInfo&, const TileType& want, int depth) {
  const std::string condition = Tile({kBool, Narrower(want.dims)}, depth);
  const std::string first = Tile(want, depth);
  return fmt::format("where({}, {}, {})", condition, first,
                     Operand(want, depth));
}

std::string Expressions::Cast(const OpInfo& op, const TileType& want,
                              int depth) {
  Random& random = scope_.random;
  const Dtype from = DtypeFor(OpDtypes::kAny);
  if (op.op == Op::kBitcast) {
    const auto width = [](const Dtype& dtype) {
      return dtype.instances.size() == 1 ? BitsOf(dtype.instances[0]) : 0;
    };
    const bool fits = width(from) > 0 && width(from) == width(want.dtype) &&
                      from != kBool && want.dtype != kBool;
    const bool same = want.dtype.instances.size() == 1;
    if (!fits && !same) return Leaf(want);
    const std::string inner =
        Tile({fits ? from : want.dtype, want.dims}, depth);
    return fmt::format("bitcast({}, {})", inner, want.dtype.text);
  }
  std::string mode;
  if (IsInteger(want.dtype) && AllowedBy(OpDtypes::kFloat, from) &&
      random.Chance(40)) {
    static constexpr std::array kModes = {"rint", "floor", "ceil", "round",
                                          "trunc"};
    mode = fmt::format(", round=\"{}\"", random.Pick(kModes));
  }
  return fmt::format("{}.to({}{})", Tile({from, want.dims}, depth),
                     want.dtype.text, mode);
}

std::string Expressions::Reduction(const OpInfo& op, const TileType& want,
                                   int depth) {
  Random& random = scope_.random;
  const bool index = op.result == OpResult::kReduceIndex;
  TileType source{index ? DtypeFor(op.dtypes) : want.dtype, want.dims};
  const bool keeps = op.parameters.size() > 2;  // has keepdims=
  const auto ones =
      AxesWith(want.dims, [](const Dim& d) { return d.is_one(); });
  std::string keywords;
  if (keeps && !ones.empty() && random.Chance(60)) {
    const size_t axis = random.Pick(ones);
    source.dims[axis] = FurtherDim(want.dims);
    keywords = fmt::format(", axis={}, keepdims=True",
                           AxisText(axis, source.dims.size()));
  } else {
    const size_t axis = static_cast<size_t>(random.Below(want.dims.size() + 1));
    source.dims.insert(source.dims.begin() + static_cast<long>(axis),
                       FurtherDim(want.dims));
    keywords = ", axis=" + AxisText(axis, source.dims.size());
    if (keeps && source.dims.size() < 3 && !index && random.Chance(20)) {
      source.dims.insert(source.dims.begin(), FurtherDim(source.dims));
      keywords = fmt::format(", axis=({}, {})", 0, axis + 1);
    } else if (want.dims.empty() && random.Chance(60)) {
      keywords.clear();
    }
  }
  if (op.op == Op::kNorm && random.Chance(50)) {
    keywords += random.Chance(50) ? ", ord=1" : ", ord=inf";
  }
  return fmt::format("{}({}{})", op.spelling, Tile(source, depth), keywords);
}

std::string Expressions::Arange(const OpInfo&, const TileType& want, int) {
  const Dim& dim = want.dims[0];
  const std::string of = dim.is_range() ? dim.index : dim.text;
  if (want.dtype == kI32) return fmt::format("arange({})", of);
  return fmt::format("arange({}, dtype={})", of, want.dtype.text);
}

std::string Expressions::Made(const OpInfo& op, const TileType& want, int) {
  if (op.op == Op::kZeros || want.dtype == kBool) {
    return fmt::format("zeros({})", ToText(want));
  }
  if (op.op == Op::kPhilox) {
    const int key = scope_.random.Below(9);
    return fmt::format("philox({}, {}, {})", key, scope_.random.Below(100),
                       ToText(want));
  }
  return fmt::format("full({}, {})", ToText(want), Number(want.dtype));
}

std::string Expressions::Argsort(const OpInfo& op, const TileType& want,
                                 int depth) {
  const size_t rank = want.dims.size();
  const TileType source{DtypeFor(op.dtypes), want.dims};
  const std::string inner = Tile(source, depth);
  const size_t axis = static_cast<size_t>(scope_.random.Below(rank));
  const std::string axis_text = AxisText(axis, rank);
  return fmt::format("argsort({}, axis={}, descending={})", inner, axis_text,
                     FlagText());
}

std::string Expressions::Topk(const OpInfo& op, const TileType& want,
                              int depth) {
  const size_t axis = scope_.random.Pick(AxesWith(want.dims, IsLiteral));
  const bool takes = AllowedBy(op.dtypes, want.dtype);
  const bool positions = want.dtype == kI32;
  TileType source{takes ? want.dtype : DtypeFor(op.dtypes), want.dims};
  const std::string count = want.dims[axis].text;
  source.dims[axis] =
      Scope::Literal(scope_.ValueOf(count) + scope_.random.Below(3));
  const std::string from = Tile(source, depth);
  const std::string values = scope_.NewName("b");
  const std::string at = scope_.NewName("p");
  const std::string axis_text = AxisText(axis, source.dims.size());
  scope_.Line(fmt::format("{}, {} = topk({}, {}, axis={}, largest={})", values,
                          at, from, count, axis_text, FlagText()));
  return positions ? at : values;
}

std::string Expressions::MergeTopk(const OpInfo&, const TileType& want,
                                   int depth) {
  const size_t axis = scope_.random.Pick(AxesWith(want.dims, IsLiteral));
  TileType more = want;
  more.dims[axis] = FurtherDim(want.dims);
  const std::string values = Tile(want, depth);
  const std::string at = Tile({kI32, want.dims}, depth - 1);
  const std::string others = Tile(more, depth);
  const std::string others_at = Tile({kI32, Narrower(more.dims)}, depth - 1);
  const std::string best = scope_.NewName("b");
  const std::string where = scope_.NewName("p");
  scope_.Line(fmt::format("{}, {} = merge_topk({}, {}, {}, {}, axis={})", best,
                          where, values, at, others, others_at,
                          AxisText(axis, want.dims.size())));
  return best;
}

std::string Expressions::Take(const OpInfo&, const TileType& want, int depth) {
  const size_t rank = want.dims.size();
  const size_t axis =
      rank == 0 ? 0 : static_cast<size_t>(scope_.random.Below(rank));
  TileType source = want;
  Dim from = Scope::Literal(scope_.random.Between(1, 6));
  if (scope_.shaping == Shaping::kNamed) from = scope_.NamedSize();
  const auto inside = [&](const std::string& indices) {
    if (!scope_.clamps) return fmt::format("({} % {})", indices, from.text);
    return fmt::format("clamp({}, 0, {} - 1)", indices, from.text);
  };
  if (rank == 0) {
    source.dims = {from};
    const std::string table = Tile(source, depth);
    return fmt::format("take({}, {})", table, inside(Tile({kI32, {}}, depth)));
  }
  source.dims[axis] = from;
  if (std::ranges::count(source.dims, from) > 1) {
    source.dims[axis] = from = Scope::Literal(6);
  }
  const std::string table = Tile(source, depth);
  const std::string indices = Tile({kI32, {want.dims[axis]}}, depth);
  return fmt::format("take({}, {}, axis={})", table, inside(indices),
                     AxisText(axis, rank));
}

std::string Expressions::Compress(const OpInfo&, const TileType& want,
                                  int depth) {
  const Dim dim = FurtherDim({});
  const std::string from = Tile({want.dtype, {dim}}, depth);
  const std::string mask = Tile({kBool, {dim}}, depth);
  const std::string kept = scope_.NewName("q");
  const std::string count = scope_.NewName("n");
  scope_.Line(
      fmt::format("{}, {} = compress({}, {})", kept, count, from, mask));
  if (want.dtype == kI32 && scope_.random.Chance(50)) return count;
  return fmt::format("sum({}[:{}])", kept, count);
}

std::string Expressions::Deinterleave(const OpInfo&, const TileType& want,
                                      int depth) {
  TileType source = want;
  source.dims.back() =
      Scope::Literal(2 * scope_.ValueOf(want.dims.back().size));
  const std::string from = Tile(source, depth);
  const std::string even = scope_.NewName("e");
  const std::string odd = scope_.NewName("d");
  scope_.Line(fmt::format("{}, {} = deinterleave({})", even, odd, from));
  return scope_.random.Chance(50) ? even : odd;
}

std::string Expressions::Matmul(const OpInfo&, const TileType& want,
                                int depth) {
  Dtype dtype{"i8", {DType::kInt8}};
  if (want.dtype == kF32) {
    static const std::array<Dtype, 3> kCube = {
        Dtype{"f16", {DType::kHalf}}, Dtype{"bf16", {DType::kBfloat16}}, kF32};
    dtype = scope_.random.Pick(kCube);
  }
  const Dim inner = FurtherDim(want.dims);
  const std::string left = Tile({dtype, {want.dims[0], inner}}, depth);
  return fmt::format("({} @ {})", left,
                     Tile({dtype, {inner, want.dims[1]}}, depth));
}

std::string Expressions::Reshape(const OpInfo&, const TileType& want,
                                 int depth) {
  TileType source = want;
  const size_t at =
      static_cast<size_t>(scope_.random.Below(want.dims.size() + 1));
  if (source.dims.size() < 3) {
    source.dims.insert(source.dims.begin() + static_cast<long>(at),
                       Scope::Literal(1));
  }
  return fmt::format("reshape({}, {})", Tile(source, depth),
                     SizesText(want.dims));
}

std::string Expressions::Transpose(const OpInfo&, const TileType& want,
                                   int depth) {
  const size_t rank = want.dims.size();
  std::vector<size_t> order(rank);
  std::iota(order.rbegin(), order.rend(), size_t{0});
  const bool reversed = scope_.random.Chance(50);
  if (!reversed) {
    for (size_t i = rank; i > 1; --i) {
      std::swap(order[i - 1],
                order[static_cast<size_t>(scope_.random.Below(i))]);
    }
  }
  TileType source = want;
  for (size_t i = 0; i < rank; ++i) source.dims[order[i]] = want.dims[i];
  const std::string inner = Tile(source, depth);
  if (reversed) return fmt::format("transpose({})", inner);
  return fmt::format("transpose({}, ({}))", inner, fmt::join(order, ", "));
}

std::string Expressions::Concat(const OpInfo&, const TileType& want,
                                int depth) {
  const size_t axis = scope_.random.Pick(AxesWith(want.dims, IsLiteral));
  const int size = scope_.ValueOf(want.dims[axis].size);
  if (size < 2) return Leaf(want);
  TileType first = want;
  TileType second = want;
  const int cut = scope_.random.Between(1, size - 1);
  first.dims[axis] = Scope::Literal(cut);
  second.dims[axis] = Scope::Literal(size - cut);
  const std::string a = Tile(first, depth);
  const std::string b = Tile(second, depth);
  return fmt::format("concat(({}, {}), axis={})", a, b,
                     AxisText(axis, want.dims.size()));
}

std::string Expressions::BroadcastTo(const OpInfo&, const TileType& want,
                                     int depth) {
  return fmt::format("broadcast({}, {})",
                     Tile({want.dtype, Narrower(want.dims)}, depth),
                     SizesText(want.dims));
}

}  // namespace belay::crux::fuzz
