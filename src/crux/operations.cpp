// SPDX-License-Identifier: Apache-2.0
#include "crux/operations.h"

#include <array>
#include <unordered_map>

#include "base/error.h"

namespace belay::crux {
namespace {

struct RoleName {
  std::string_view name;
  ArgRole role;
};

constexpr RoleName kRoles[] = {
    {"view", ArgRole::kView},       {"tile", ArgRole::kTile},
    {"tiles", ArgRole::kTiles},     {"number", ArgRole::kNumber},
    {"integer", ArgRole::kInteger}, {"size", ArgRole::kSize},
    {"sizes", ArgRole::kSizes},     {"extent", ArgRole::kExtent},
    {"type", ArgRole::kType},       {"dtype", ArgRole::kDtype},
    {"axis", ArgRole::kAxis},       {"axes", ArgRole::kAxes},
    {"order", ArgRole::kOrder},     {"flag", ArgRole::kFlag},
    {"mode", ArgRole::kMode},       {"gelu", ArgRole::kGelu},
    {"combine", ArgRole::kCombine}, {"optional", ArgRole::kOptional},
    {"choices", ArgRole::kChoices},
};

ArgRole ParseRole(std::string_view name) {
  for (const RoleName& role : kRoles) {
    if (role.name == name) return role.role;
  }
  throw InternalError("operations.def: unknown role " + std::string(name));
}

// "t:tile, *, axis:axes?": what stands behind the star is given by keyword.
std::vector<OpParameter> ParseSignature(std::string_view text) {
  std::vector<OpParameter> parameters;
  bool keyword = false;
  while (!text.empty()) {
    const size_t comma = text.find(", ");
    std::string_view part = text.substr(0, comma);
    text = comma == std::string_view::npos ? "" : text.substr(comma + 2);
    if (part == "*") {
      keyword = true;
      continue;
    }
    OpParameter parameter;
    parameter.keyword = keyword;
    if (part.ends_with('?')) {
      parameter.optional = true;
      part.remove_suffix(1);
    }
    const size_t colon = part.find(':');
    parameter.name = part.substr(0, colon);
    parameter.role = ParseRole(part.substr(colon + 1));
    parameters.push_back(parameter);
  }
  return parameters;
}

const std::vector<OpInfo>& Table() {
  static const std::vector<OpInfo> table = [] {
    std::vector<OpInfo> operations;
#define CRUX_OPERATION(id, spelling, family, parameters, dtypes, result,      \
                       hosted, text)                                          \
  operations.push_back({Op::k##id, #id, spelling, OpFamily::k##family,        \
                        parameters, OpDtypes::k##dtypes, OpResult::k##result, \
                        hosted, text, ParseSignature(parameters)});
#include "crux/operations.def"
#undef CRUX_OPERATION
    return operations;
  }();
  return table;
}

}  // namespace

bool OpInfo::is_operator() const {
  return spelling.starts_with(' ') || spelling == "-" || spelling == "~";
}

std::span<const OpInfo> AllOperations() { return Table(); }

const OpInfo& InfoOf(Op op) { return Table()[static_cast<size_t>(op)]; }

const OpInfo* FindOperation(std::string_view name) {
  static const auto* by_name = [] {
    auto* map = new std::unordered_map<std::string_view, const OpInfo*>;
    for (const OpInfo& info : Table()) {
      if (!info.is_operator() && !info.is_method()) {
        map->emplace(info.spelling, &info);
      }
    }
    map->emplace("pow", &InfoOf(Op::kPow));
    map->emplace("neg", &InfoOf(Op::kNegate));
    return map;
  }();
  const auto found = by_name->find(name);
  return found == by_name->end() ? nullptr : found->second;
}

std::string_view NameOf(OpFamily family) {
  constexpr std::array<std::string_view, 12> kNames = {
      "move", "make",  "convert", "elementwise", "compare", "reduce",
      "scan", "shape", "order",   "cube",        "cores",   "host"};
  return kNames[static_cast<size_t>(family)];
}

std::string_view NameOf(OpDtypes dtypes) {
  switch (dtypes) {
    case OpDtypes::kAny:
      return "every dtype";
    case OpDtypes::kNumeric:
      return "every dtype but bool";
    case OpDtypes::kFloat:
      return "f16, bf16, f32";
    case OpDtypes::kInteger:
      return "integers";
    case OpDtypes::kBits:
      return "integers and bool";
    case OpDtypes::kBool:
      return "bool";
    case OpDtypes::kAtomic:
      return "f16, bf16, f32, i8, i16, i32";
    case OpDtypes::kMatmul:
      return "f16, bf16, f32, i8";
    case OpDtypes::kRandom:
      break;
  }
  return "u32, f32";
}

std::string_view NameOf(OpResult result) {
  switch (result) {
    case OpResult::kNothing:
      return "nothing";
    case OpResult::kView:
      return "dtype and shape of the view";
    case OpResult::kType:
    case OpResult::kScratch:
      return "the type given";
    case OpResult::kArange:
      return "i32 or dtype=, shape [n]";
    case OpResult::kCast:
      return "the dtype given, same shape";
    case OpResult::kSame:
      return "same dtype and shape";
    case OpResult::kSameBool:
      return "bool, same shape";
    case OpResult::kSameIndex:
      return "i32, same shape";
    case OpResult::kBroadcast:
      return "same dtype, shapes broadcast";
    case OpResult::kBroadcastBool:
      return "bool, shapes broadcast";
    case OpResult::kWhere:
      return "dtype of a and b, shapes broadcast";
    case OpResult::kReduce:
      return "same dtype, axes dropped";
    case OpResult::kReduceIndex:
      return "i32, axis dropped";
    case OpResult::kDropAxis:
      return "same dtype, axis dropped";
    case OpResult::kReshape:
    case OpResult::kSizes:
      return "same dtype, the shape given";
    case OpResult::kTranspose:
      return "same dtype, axes permuted";
    case OpResult::kConcat:
      return "same dtype, sizes added along axis";
    case OpResult::kTopk:
      return "(same dtype, i32), k along axis";
    case OpResult::kMergeTopk:
      return "types of the first two";
    case OpResult::kTake:
      return "same dtype, axis replaced by the indices' shape";
    case OpResult::kCompress:
      return "(same type, i32 scalar)";
    case OpResult::kDeinterleave:
      return "two of the same dtype, half along the last axis";
    case OpResult::kMatmul:
      return "f32 (i32 of i8), [rows of a, columns of b]";
    case OpResult::kAcross:
      return "the type given, after the loop";
    case OpResult::kHostBool:
      return "host bool";
    case OpResult::kInteger:
      break;
  }
  return "host integer";
}

std::string_view NameOf(ArgRole role) {
  switch (role) {
    case ArgRole::kView:
      return "a view of a tensor, x[…]";
    case ArgRole::kTile:
      return "a tile";
    case ArgRole::kTiles:
      return "a tuple of tiles";
    case ArgRole::kNumber:
      return "a number";
    case ArgRole::kInteger:
      return "an integer";
    case ArgRole::kSize:
      return "a size (host integer)";
    case ArgRole::kSizes:
      return "a tuple of sizes";
    case ArgRole::kExtent:
      return "an integer or a range";
    case ArgRole::kType:
      return "a type such as f32[N]";
    case ArgRole::kDtype:
      return "a dtype such as f32";
    case ArgRole::kAxis:
      return "an integer literal";
    case ArgRole::kAxes:
      return "an integer literal or a tuple of them";
    case ArgRole::kOrder:
      return "a tuple of axes (transpose), 1, 2, … or inf (norm)";
    case ArgRole::kFlag:
      return "True, False or a host bool";
    case ArgRole::kMode:
      return "a rounding mode in quotes";
    case ArgRole::kGelu:
      return "\"none\" or \"tanh\"";
    case ArgRole::kCombine:
      return "sum, max, min, any, all or cumsum";
    case ArgRole::kOptional:
      return "an optional parameter";
    case ArgRole::kChoices:
      break;
  }
  return "host integers";
}

}  // namespace belay::crux
