// SPDX-License-Identifier: Apache-2.0
// Scalar expressions and loops over single elements.

#include <utility>

#include "base/error.h"
#include "crux/interpret/numbers.h"
#include "crux/select/emitter.h"

namespace belay::crux::select {

using code::Scalar;
using code::ScalarKind;

namespace {

// Halves are floats in the scalar unit.
DType ScalarDtype(DType dtype) {
  return dtype == DType::kHalf || dtype == DType::kBfloat16 ? DType::kFloat
                                                            : dtype;
}

ScalarPtr Make(ScalarKind kind, DType dtype, std::vector<ScalarPtr> args = {}) {
  auto scalar = std::make_shared<Scalar>();
  scalar->kind = kind;
  scalar->dtype = dtype;
  scalar->args = std::move(args);
  return scalar;
}

bool IsComparison(const std::string& op) {
  return op == "<" || op == "<=" || op == "==" || op == "!=" || op == "&&" ||
         op == "||";
}

}  // namespace

ScalarPtr Real(DType dtype, double value) {
  auto scalar = std::make_shared<Scalar>();
  scalar->kind = ScalarKind::kReal;
  scalar->dtype = ScalarDtype(dtype);
  scalar->real = value;
  return scalar;
}

ScalarPtr HostReal(std::string name) {
  auto scalar = std::make_shared<Scalar>();
  scalar->kind = ScalarKind::kHost;
  scalar->dtype = DType::kFloat;
  scalar->name = std::move(name);
  return scalar;
}

ScalarPtr Whole(DType dtype, Int value) {
  auto scalar = std::make_shared<Scalar>();
  scalar->kind = ScalarKind::kInt;
  scalar->dtype = ScalarDtype(dtype);
  scalar->integer =
      value.is_constant() && !IsFloating(dtype)
          ? Int(interpret::WrapTo(dtype, static_cast<uint64_t>(value.value())))
          : std::move(value);
  return scalar;
}

ScalarPtr Element(DType dtype, Local place) {
  auto scalar = std::make_shared<Scalar>();
  scalar->kind = ScalarKind::kElement;
  scalar->dtype = ScalarDtype(dtype);
  scalar->local = std::move(place);
  return scalar;
}

ScalarPtr GlobalElement(DType dtype, code::GlobalPart place) {
  auto scalar = std::make_shared<Scalar>();
  scalar->kind = ScalarKind::kGlobal;
  scalar->dtype = ScalarDtype(dtype);
  scalar->global = std::move(place);
  return scalar;
}

ScalarPtr Unary(std::string op, ScalarPtr a) {
  auto scalar = std::make_shared<Scalar>();
  scalar->kind = ScalarKind::kUnary;
  scalar->dtype = op == "!" ? DType::kBool : a->dtype;
  scalar->op = std::move(op);
  scalar->args = {std::move(a)};
  return scalar;
}

ScalarPtr Binary(DType dtype, std::string op, ScalarPtr a, ScalarPtr b) {
  auto scalar = std::make_shared<Scalar>();
  scalar->kind = ScalarKind::kBinary;
  scalar->dtype = IsComparison(op) ? DType::kBool : ScalarDtype(dtype);
  scalar->op = std::move(op);
  scalar->args = {std::move(a), std::move(b)};
  return scalar;
}

ScalarPtr Choose(ScalarPtr condition, ScalarPtr a, ScalarPtr b) {
  const DType dtype = a->dtype;
  return Make(ScalarKind::kSelect, dtype,
              {std::move(condition), std::move(a), std::move(b)});
}

ScalarPtr Converted(DType dtype, ScalarPtr a) {
  if (a->dtype == ScalarDtype(dtype)) return a;
  return Make(ScalarKind::kCast, ScalarDtype(dtype), {std::move(a)});
}

ScalarPtr SameBits(DType dtype, ScalarPtr a) {
  return Make(ScalarKind::kBits, dtype, {std::move(a)});
}

ScalarPtr ScalarOf(const ir::Number& number, DType dtype) {
  switch (number.kind) {
    case ir::Number::Kind::kReal:
      return Real(dtype, number.real);
    case ir::Number::Kind::kHostReal:
      return HostReal(number.name);
    case ir::Number::Kind::kInt:
      return Whole(dtype, number.integer);
  }
  throw InternalError("[crux] a number of no kind");
}

void ForEachElement(Emitter& emitter, const std::vector<ir::Dim>& dims,
                    const std::function<void(const std::vector<Int>&)>& body) {
  std::vector<Int> indices;
  const std::function<void()> next = [&] {
    const size_t axis = indices.size();
    if (axis == dims.size()) return body(indices);
    if (dims[axis].is_one()) {
      indices.emplace_back(0);
      next();
      indices.pop_back();
      return;
    }
    emitter.For(std::string(1, static_cast<char>('i' + axis % 8)), 0,
                dims[axis].size, 1, [&](const Int& index) {
                  indices.push_back(index);
                  next();
                  indices.pop_back();
                });
  };
  next();
}

std::vector<Int> BroadcastIndices(const std::vector<ir::Dim>& operand_dims,
                                  const std::vector<Int>& indices) {
  const size_t missing = indices.size() - operand_dims.size();
  std::vector<Int> result;
  for (size_t i = 0; i < operand_dims.size(); ++i) {
    result.push_back(operand_dims[i].is_one() ? Int(0) : indices[missing + i]);
  }
  return result;
}

}  // namespace belay::crux::select
