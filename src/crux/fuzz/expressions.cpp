// SPDX-License-Identifier: Apache-2.0
#include "crux/fuzz/expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <map>

namespace belay::crux::fuzz {
namespace {

// Where `word` stands in `text` and is not part of another; npos: nowhere.
size_t PlaceOfWord(const std::string& text, const std::string& word) {
  size_t at = text.find(word);
  const auto is_word = [&](size_t i) {
    return i < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[i])) ||
            text[i] == '_');
  };
  while (at != std::string::npos &&
         ((at > 0 && is_word(at - 1)) || is_word(at + word.size()))) {
    at = text.find(word, at + 1);
  }
  return at;
}

}  // namespace

Dtype Expressions::DtypeFor(OpDtypes rule) {
  std::vector<Dtype> fitting;
  for (const Dtype& dtype : scope_.dtypes) {
    if (AllowedBy(rule, dtype)) fitting.push_back(dtype);
  }
  if (!fitting.empty()) return scope_.random.Pick(fitting);
  for (const Dtype& dtype : {kF32, kI32}) {
    if (AllowedBy(rule, dtype)) return dtype;
  }
  return rule == OpDtypes::kBool ? kBool : Dtype{"u32", {DType::kUint32}};
}

TileType Expressions::AnyType() {
  Random& random = scope_.random;
  Dims ranges;
  for (const LoopAround& loop : scope_.loops) {
    if (loop.range) ranges.push_back(loop.dim);
  }
  Dims dims;
  const bool named = scope_.shaping == Shaping::kNamed;
  for (int rank = random.Pick(std::array{0, 1, 1, 1, 2, 2, 3}); rank > 0;
       --rank) {
    Dim dim = Scope::Literal(random.Between(1, 4));
    if (!ranges.empty() && random.Chance(70)) {
      dim = random.Pick(ranges);
    } else if (named && random.Chance(70)) {
      dim = scope_.NamedSize();
    }
    // One range twice in a tile would be a square of unknown size.
    if (std::ranges::find(dims, dim) == dims.end()) dims.push_back(dim);
  }
  return {random.Pick(scope_.dtypes), dims};
}

std::string Expressions::Number(const Dtype& dtype) {
  Random& random = scope_.random;
  if (AllowedBy(OpDtypes::kFloat, dtype)) {
    static constexpr std::array kNumbers = {"0.5",   "1.0",  "2.0", "-3.25",
                                            "0.125", "1e-3", "0.1", "3"};
    if (!scope_.constant.empty() && random.Chance(10)) return scope_.constant;
    return random.Pick(kNumbers);
  }
  static constexpr std::array kNumbers = {"0", "1", "2", "3", "7"};
  return random.Pick(kNumbers);
}

std::string Expressions::Condition(int depth) {
  return Tile({kBool, {}}, depth);
}

std::string Expressions::Tile(const TileType& want, int depth) {
  --scope_.nodes_left;
  if (depth <= 0 || scope_.nodes_left <= 0 || scope_.random.Chance(10)) {
    return Leaf(want);
  }
  return scope_.random.Chance(12) ? Other(want, depth - 1)
                                  : Operation(want, depth - 1);
}

std::string Expressions::Leaf(const TileType& want) {
  std::vector<std::string> names;
  for (const Local& local : scope_.locals) {
    if (local.type == want) names.push_back(local.name);
  }
  if (!names.empty() && scope_.random.Chance(70)) {
    return scope_.random.Pick(names);
  }
  if (scope_.Loadable(want.dims)) return Load(want);
  return fmt::format("zeros({})", ToText(want));
}

std::string Expressions::Load(const TileType& want) {
  Random& random = scope_.random;
  std::string view = scope_.ViewOf(want);
  const bool numeric = AllowedBy(OpDtypes::kNumeric, want.dtype);
  if (!numeric || !random.Chance(15)) return fmt::format("load({})", view);
  // Beside the tensor in part: needs a fill.
  for (const Dim& dim : want.dims) {
    const size_t at = PlaceOfWord(view, dim.index);
    if (!dim.is_range() || at == std::string::npos) continue;
    static constexpr std::array kShifts = {"{} + 1", "{} - 2", "{} * 2",
                                           "2 * {} - 1"};
    view.replace(at, dim.index.size(),
                 fmt::format(fmt::runtime(random.Pick(kShifts)), dim.index));
    break;
  }
  return fmt::format("load({}, fill={})", view, Number(want.dtype));
}

Expressions::Maker Expressions::MakerOf(const OpInfo& op,
                                        const TileType& want) {
  using E = Expressions;
  const bool takes = AllowedBy(op.dtypes, want.dtype);
  const bool index = want.dtype == kI32;
  const bool boolean = want.dtype == kBool;
  const size_t rank = want.dims.size();
  const bool has_literal = std::ranges::any_of(want.dims, IsLiteral);
  const bool has_range = std::ranges::any_of(
      want.dims, [](const Dim& dim) { return dim.is_range(); });
  switch (op.result) {
    case OpResult::kSame:
      if (op.family != OpFamily::kElementwise && rank == 0) return nullptr;
      return takes ? &E::Same : nullptr;
    case OpResult::kBroadcast:
      return takes ? &E::Broadcasting : nullptr;
    case OpResult::kBroadcastBool:
    case OpResult::kSameBool:
      return boolean ? &E::Comparison : nullptr;
    case OpResult::kWhere:
      return &E::Where;
    case OpResult::kCast:
      return &E::Cast;
    case OpResult::kReduce:
    case OpResult::kDropAxis:
      return takes && rank < 3 ? &E::Reduction : nullptr;
    case OpResult::kReduceIndex:
      return index && rank < 3 ? &E::Reduction : nullptr;
    case OpResult::kArange:
      return takes && rank == 1 ? &E::Arange : nullptr;
    case OpResult::kType:
      return takes ? &E::Made : nullptr;
    case OpResult::kSameIndex:
      return index && rank > 0 ? &E::Argsort : nullptr;
    case OpResult::kTopk:
      return (takes || index) && has_literal ? &E::Topk : nullptr;
    case OpResult::kMergeTopk:
      return takes && has_literal ? &E::MergeTopk : nullptr;
    case OpResult::kTake:
      return rank > 0 || scope_.clamps ? &E::Take : nullptr;
    case OpResult::kCompress:
      return rank == 0 && AllowedBy(OpDtypes::kNumeric, want.dtype)
                 ? &E::Compress
                 : nullptr;
    case OpResult::kDeinterleave:
      return rank > 0 && IsLiteral(want.dims.back()) ? &E::Deinterleave
                                                     : nullptr;
    case OpResult::kMatmul:
      return rank == 2 && (index || want.dtype == kF32) ? &E::Matmul : nullptr;
    case OpResult::kReshape:
      return rank > 0 && !has_range ? &E::Reshape : nullptr;
    case OpResult::kTranspose:
      return rank > 1 ? &E::Transpose : nullptr;
    case OpResult::kConcat:
      return has_literal && rank > 0 ? &E::Concat : nullptr;
    case OpResult::kSizes:
      return rank > 0 && !has_range ? &E::BroadcastTo : nullptr;
    default:  // moves, values across cores and host operations: in statements
      return nullptr;
  }
}

std::string Expressions::Operation(const TileType& want, int depth) {
  // By rule first: most operations are elementwise, and all rules count alike.
  std::map<OpResult, std::vector<const OpInfo*>> by_rule;
  for (const OpInfo& op : AllOperations()) {
    if (op.result != OpResult::kView && MakerOf(op, want)) {
      by_rule[op.result].push_back(&op);
    }
  }
  std::vector<const std::vector<const OpInfo*>*> rules;
  for (const auto& [rule, operations] : by_rule) rules.push_back(&operations);
  if (rules.empty()) return Leaf(want);
  const OpInfo& op = *scope_.random.Pick(*scope_.random.Pick(rules));
  return (this->*MakerOf(op, want))(op, want, depth);
}

std::string Expressions::Other(const TileType& want, int depth) {
  Random& random = scope_.random;
  if (!scope_.flags.empty() && random.Chance(40)) {
    const std::string then = Tile(want, depth);
    const std::string otherwise = Tile(want, depth);
    return fmt::format("({} if {} else {})", then, random.Pick(scope_.flags),
                       otherwise);
  }
  if (!scope_.helper.empty() && random.Chance(30) &&
      AllowedBy(OpDtypes::kNumeric, want.dtype)) {
    const std::string first = Tile(want, depth);
    return fmt::format("{}({}, {})", scope_.helper, first,
                       Operand(want, depth));
  }
  if (!want.dims.empty() && scope_.shaping == Shaping::kNamed &&
      scope_.Loadable(want.dims) && random.Chance(30)) {
    return Gather(want, depth);
  }
  if (want.dims.empty()) {  // one element
    const Dim dim = FurtherDim({});
    return fmt::format("{}[0]", Tile({want.dtype, {dim}}, depth));
  }
  const size_t at = static_cast<size_t>(random.Below(want.dims.size()));
  TileType source = want;
  std::vector<std::string> subscripts(want.dims.size(), ":");
  if (want.dims[at].is_one()) {  // a new axis
    source.dims.erase(source.dims.begin() + static_cast<long>(at));
    subscripts[at] = "None";
    if (source.dims.empty()) return Operation(want, depth);
  } else if (IsLiteral(want.dims[at])) {  // a part, perhaps every other
    const int size = scope_.ValueOf(want.dims[at].size);
    const bool step = random.Chance(40);
    const int from = random.Below(2);
    const int whole = step ? from + 2 * size : from + size + 1;
    source.dims[at] = Scope::Literal(whole);
    subscripts[at] = step ? fmt::format("{}::2", from)
                          : fmt::format("{}:{}", from, from + size);
  } else {  // a point of a further axis
    if (want.dims.size() > 2) return Operation(want, depth);
    source.dims.insert(source.dims.begin() + static_cast<long>(at),
                       FurtherDim(want.dims));
    subscripts.insert(subscripts.begin() + static_cast<long>(at), "0");
  }
  std::string joined;
  for (const std::string& one : subscripts) {
    joined += (joined.empty() ? "" : ", ") + one;
  }
  return fmt::format("{}[{}]", Tile(source, depth), joined);
}

std::string Expressions::Gather(const TileType& want, int depth) {
  const size_t at = static_cast<size_t>(scope_.random.Below(want.dims.size()));
  const Dim from = scope_.NamedSize();
  const std::string indices = Tile({kI32, {want.dims[at]}}, depth);
  Dims dims = want.dims;
  dims[at] = {"", from.size, fmt::format("{} % {}", indices, from.text)};
  std::vector<std::string> sizes;
  for (const Dim& dim : dims) sizes.push_back(dim.size);
  return fmt::format(
      "load({})", scope_.Subscript(scope_.NewInput(want.dtype, sizes), dims));
}

std::string Expressions::Position() {
  const LoopAround& loop = scope_.random.Pick(scope_.loops);
  if (!loop.range) return loop.dim.index;
  static constexpr std::array kFields = {"start", "stop", "size"};
  return fmt::format("{}.{}", loop.dim.index, scope_.random.Pick(kFields));
}

Dims Expressions::Narrower(const Dims& dims) {
  Random& random = scope_.random;
  const size_t dropped = static_cast<size_t>(random.Below(dims.size() + 1));
  Dims narrow(dims.begin() + static_cast<long>(dropped), dims.end());
  for (Dim& dim : narrow) {
    if (random.Chance(20)) dim = Scope::Literal(1);
  }
  return narrow;
}

Dim Expressions::FurtherDim(const Dims& held) {
  Random& random = scope_.random;
  for (int attempt = 0; attempt < 4; ++attempt) {
    Dim dim = Scope::Literal(random.Between(1, 5));
    if (scope_.shaping == Shaping::kNamed && random.Chance(60)) {
      dim = scope_.NamedSize();
    }
    for (const LoopAround& loop : scope_.loops) {
      if (loop.range && random.Chance(30)) dim = loop.dim;
    }
    if (std::ranges::find(held, dim) == held.end()) return dim;
  }
  return Scope::Literal(6);
}

std::string Expressions::AxisText(size_t axis, size_t rank) {
  const int number = static_cast<int>(axis);
  return std::to_string(
      scope_.random.Chance(30) ? number - static_cast<int>(rank) : number);
}

std::string Expressions::FlagText() {
  if (!scope_.flags.empty() && scope_.random.Chance(20)) {
    return scope_.random.Pick(scope_.flags);
  }
  return scope_.random.Chance(50) ? "True" : "False";
}

std::vector<size_t> Expressions::AxesWith(const Dims& dims,
                                          bool (*test)(const Dim&)) {
  std::vector<size_t> axes;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (test(dims[i])) axes.push_back(i);
  }
  return axes;
}

}  // namespace belay::crux::fuzz
