// SPDX-License-Identifier: Apache-2.0
// Checker: dtypes and shapes of tiles that meet: literals take the tile's
// dtype, dtypes never mix, shapes broadcast as NumPy's.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "crux/checker.h"

namespace belay::crux {
namespace {

struct IntegerLimits {
  int64_t low;
  int64_t high;  // of u64: the largest literal there is
};

IntegerLimits LimitsOf(DType dtype) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const int bits = BitsOf(dtype);
  if (!IsSigned(dtype)) {
    return {0, bits >= 63 ? kMost : (int64_t{1} << bits) - 1};
  }
  if (bits >= 64) return {std::numeric_limits<int64_t>::min(), kMost};
  return {-(int64_t{1} << (bits - 1)), (int64_t{1} << (bits - 1)) - 1};
}

double LargestOf(DType dtype) {
  if (dtype == DType::kHalf) return 65504.0;
  if (dtype == DType::kBfloat16) return 3.3895313892515355e38;
  return 3.4028234663852886e38;
}

std::string Name(const OpInfo& info) {
  std::string name(info.spelling);
  if (name.starts_with(' ')) name = name.substr(1, name.size() - 2);
  return name;
}

// "T (f16)" for a variable, "f16" for a dtype.
std::string Instance(const Element& element, DType dtype) {
  const std::string name(belay::NameOf(dtype));
  return element.variable ? fmt::format("{} ({})", element.variable->name, name)
                          : name;
}

}  // namespace

// Whether a number can be an element; reports if not.
bool Checker::FitsElement(const Expr* value, const Element& element) {
  const TypeKind kind = value->type.kind;
  for (const DType dtype : InstancesOf(element)) {
    if ((dtype == DType::kBool) != (kind == TypeKind::kHostBool)) {
      const bool to_bool = dtype == DType::kBool;
      Report(code::kX132, value->range,
             fmt::format("{} is {} and cannot be an element of {}",
                         Quote(value->range), ToText(value->type),
                         Instance(element, dtype)),
             to_bool ? "write True or False, or compare: t != 0"
                     : "write a number; of a bool tile: t.to(f32)");
      return false;
    }
    if (dtype == DType::kBool) continue;
    if (IsFloating(dtype)) {
      if (!IsLiteral(*value)) continue;
      const double number = kind == TypeKind::kHostFloat
                                ? value->real
                                : static_cast<double>(value->integer);
      if (std::isfinite(number) && std::fabs(number) > LargestOf(dtype)) {
        Report(code::kX132, value->range,
               fmt::format("{} is beyond the largest {}, {:.6g}",
                           Quote(value->range), Instance(element, dtype),
                           LargestOf(dtype)),
               number < 0 ? "write -inf, or compute in f32"
                          : "write inf, or compute in f32");
        return false;
      }
      continue;
    }
    if (kind == TypeKind::kHostFloat) {
      Report(code::kX132, value->range,
             fmt::format("{} is a float and cannot be an element of {}",
                         Quote(value->range), Instance(element, dtype)),
             IsLiteral(*value) && std::isinf(value->real)
                 ? "write the lowest or highest integer, or convert the tile: "
                   ".to(f32)"
                 : "write an integer, or convert the tile: .to(f32)");
      return false;
    }
    const auto constant = value->value.constant();
    const IntegerLimits limits = LimitsOf(dtype);
    if (constant && (*constant < limits.low || *constant > limits.high)) {
      Report(code::kX132, value->range,
             fmt::format("{} does not fit {}, which holds {} to {}", *constant,
                         Instance(element, dtype), limits.low, limits.high),
             "use a wider dtype");
      return false;
    }
  }
  return true;
}

const typed::Expr* Checker::FromHost(const Expr* value,
                                     const Element& element) {
  if (value->type.is_error() || value->type.is_tile()) return value;
  if (!FitsElement(value, element)) return Error(value->range);
  Expr* converted =
      New(typed::ExprKind::kFromHost, TypeKind::kTile, value->range);
  converted->type = TileType(element, {});
  converted->args = {value};
  if (IsIntegerScalar(converted->type)) converted->value = value->value;
  return converted;
}

bool Checker::AllowDtype(Op op, const Expr* tile, const SourceRange& range) {
  const OpInfo& info = InfoOf(op);
  const std::optional<DType> refused =
      FirstRefused(tile->type.element, info.dtypes);
  if (!refused) return true;
  std::string fix = fmt::format("it takes {}", NameOf(info.dtypes));
  if (op == Op::kDiv && *refused != DType::kBool) {
    fix = "write // for a whole quotient, or .to(f32) first";
  } else if (*refused == DType::kBool) {
    fix = info.family == OpFamily::kReduce ||
                  info.family == OpFamily::kElementwise
              ? "convert it: .to(i32) or .to(f32); of bool tiles there are &, "
                "|, ~, any and all"
              : "convert it: .to(i32)";
  } else if (info.dtypes == OpDtypes::kFloat) {
    fix = "convert it: .to(f32)";
  } else if (info.dtypes == OpDtypes::kBool) {
    fix = "compare first: t != 0";
  } else if (op == Op::kBitXor) {
    fix = "a power is a ** b; bits of a float are bitcast(t, u32)";
  } else if (info.dtypes == OpDtypes::kBits ||
             info.dtypes == OpDtypes::kInteger) {
    fix = "it is for integers; bits of a float are bitcast(t, u32)";
  }
  Report(code::kX131, range,
         fmt::format("'{}' is not defined for {}", Name(info),
                     Instance(tile->type.element, *refused)),
         fix);
  return false;
}

bool Checker::Unify(Op op, std::vector<const Expr*>* args, size_t from,
                    const SourceRange& range, Element* element) {
  const Expr* first = nullptr;
  for (size_t i = from; i < args->size(); ++i) {
    const Expr* arg = (*args)[i];
    if (!arg || !arg->type.is_tile()) continue;
    if (!first) {
      first = arg;
    } else if (!Equal(first->type.element, arg->type.element)) {
      const std::string a = ToText(first->type.element);
      const std::string b = ToText(arg->type.element);
      std::string fix =
          fmt::format("convert one side: .to({}) or .to({})", a, b);
      const bool a_f32 = a == "f32";
      const bool b_f32 = b == "f32";
      if (a_f32 != b_f32) {
        fix = fmt::format("write {}.to(f32)",
                          source_.Text((a_f32 ? arg : first)->range));
      }
      Report(code::kX130, range,
             fmt::format("'{}' mixes {} and {}", Name(InfoOf(op)), a, b), fix);
      return false;
    }
  }
  if (!first) return true;
  *element = first->type.element;
  for (size_t i = from; i < args->size(); ++i) {
    const Expr*& arg = (*args)[i];
    if (!arg || arg->type.is_tile()) continue;
    const TypeKind kind = arg->type.kind;
    if (kind != TypeKind::kHostInt && kind != TypeKind::kHostFloat &&
        kind != TypeKind::kHostBool && kind != TypeKind::kIndex) {
      Report(code::kX128, arg->range,
             fmt::format("{} is {} and cannot meet a tile", Quote(arg->range),
                         ToText(arg->type)),
             kind == TypeKind::kRange
                 ? fmt::format("the positions as a tile are arange({})",
                               source_.Text(arg->range))
                 : "");
      return false;
    }
    arg = FromHost(arg, *element);
    if (arg->type.is_error()) return false;
  }
  return true;
}

bool Checker::Broadcast(std::string_view operation,
                        const std::vector<const Expr*>& tiles,
                        const SourceRange& range, std::vector<Size>* dims) {
  dims->clear();
  for (const Expr* tile : tiles) {
    const std::vector<Size>& next = tile->type.dims;
    if (next.size() > dims->size()) {
      dims->insert(dims->begin(), next.size() - dims->size(), Size(1));
    }
    for (size_t i = 0; i < next.size(); ++i) {
      Size& have = (*dims)[dims->size() - next.size() + i];
      if (Equal(have, next[i]) || next[i].constant() == 1) continue;
      if (have.constant() == 1) {
        have = next[i];
        continue;
      }
      std::string shapes;
      for (const Expr* each : tiles) {
        shapes += (shapes.empty() ? "" : " and ") + ToText(each->type);
      }
      const auto extent = [](const Size& size) {
        const SizeAtom* atom = size.atom();
        return atom && atom->kind == SizeAtomKind::kExtent;
      };
      if (extent(have) && extent(next[i])) {
        Report(code::kX148, range,
               fmt::format("'{}' of {}: the pieces '{}' and '{}' belong to "
                           "different loops and need not be equally long",
                           operation, shapes, ToText(have), ToText(next[i])),
               "use tiles of one loop; load again in the second loop, or keep "
               "the value in scratch(…)");
        return false;
      }
      Report(code::kX140, range,
             fmt::format("'{}' of {}: {} and {} do not broadcast", operation,
                         shapes, ToText(have), ToText(next[i])),
             "shapes are matched from the last axis; sizes must be equal or 1: "
             "t[:, None] adds an axis");
      return false;
    }
  }
  return true;
}

const typed::Expr* Checker::TileOperation(Op op, std::vector<const Expr*> args,
                                          const SourceRange& range,
                                          const SourceRange& place) {
  const OpInfo& info = InfoOf(op);
  Element element;
  if (!Unify(op, &args, 0, place, &element)) return Error(range);
  if (!AllowDtype(op, args[0], place)) return Error(range);
  std::vector<Size> dims;
  if (!Broadcast(Name(info), args, place, &dims)) return Error(range);
  const bool compares = info.result == OpResult::kBroadcastBool ||
                        info.result == OpResult::kSameBool;
  if (compares) element = {DType::kBool, nullptr};
  Expr* result = NewOperation(op, std::move(args),
                              TileType(element, std::move(dims)), range);
  if (IsIntegerScalar(result->type)) {
    result->value = ValueOf(op, result->args);
  }
  return result;
}

}  // namespace belay::crux
