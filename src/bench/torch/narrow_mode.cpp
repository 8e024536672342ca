// SPDX-License-Identifier: Apache-2.0
#include "bench/torch/narrow_mode.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace belay::bench {
namespace {

constexpr c10::DispatchKey kKey = c10::DispatchKey::TESTING_ONLY_GenericMode;

// Longer sums are made of this many parts, each summed exactly.
constexpr int64_t kMostSteps = 8192;

struct State {
  c10::ScalarType type = c10::kHalf;
  int64_t most_terms = 0;
};
thread_local State state;

at::Tensor Narrow(const at::Tensor& tensor) {
  if (!tensor.defined() || tensor.scalar_type() != at::kDouble) return tensor;
  return tensor.to(state.type).to(at::kDouble);
}

// The sum over axis 0, which has any length.
at::Tensor Accumulate(const at::Tensor& terms) {
  const int64_t count = terms.size(0);
  state.most_terms = std::max(state.most_terms, count);
  at::Tensor sum = at::zeros(terms.sizes().slice(1), terms.options());
  const int64_t part =
      std::max<int64_t>(1, (count + kMostSteps - 1) / kMostSteps);
  for (int64_t first = 0; first < count; first += part) {
    const int64_t length = std::min(part, count - first);
    sum = Narrow(sum + Narrow(terms.narrow(0, first, length).sum(0)));
  }
  return sum;
}

at::Tensor SumOver(const at::Tensor& tensor, std::vector<int64_t> dims,
                   bool keep, bool mean) {
  const int64_t rank = tensor.dim();
  if (dims.empty()) {
    for (int64_t i = 0; i < rank; ++i) dims.push_back(i);
  }
  for (int64_t& dim : dims) dim = at::maybe_wrap_dim(dim, rank);
  std::vector<int64_t> order = dims;
  std::vector<int64_t> kept;
  std::vector<int64_t> shape;
  for (int64_t i = 0; i < rank; ++i) {
    const bool summed = std::find(dims.begin(), dims.end(), i) != dims.end();
    if (!summed) {
      order.push_back(i);
      kept.push_back(tensor.size(i));
    }
    if (!summed || keep) shape.push_back(summed ? 1 : tensor.size(i));
  }
  int64_t terms = 1;
  for (const int64_t dim : dims) terms *= tensor.size(dim);
  std::vector<int64_t> flat = {terms};
  flat.insert(flat.end(), kept.begin(), kept.end());
  at::Tensor sum = Accumulate(tensor.permute(order).reshape(flat));
  if (mean) sum = Narrow(sum / static_cast<double>(terms));
  return sum.reshape(shape);
}

at::Tensor Product(const at::Tensor& left, const at::Tensor& right) {
  const int64_t depth = left.size(-1);
  state.most_terms = std::max(state.most_terms, depth);
  const int64_t part =
      std::max<int64_t>(1, (depth + kMostSteps - 1) / kMostSteps);
  at::Tensor sum;
  for (int64_t first = 0; first < depth; first += part) {
    const int64_t length = std::min(part, depth - first);
    const at::Tensor step = Narrow(at::matmul(left.narrow(-1, first, length),
                                              right.narrow(-2, first, length)));
    sum = sum.defined() ? Narrow(sum + step) : step;
  }
  return sum.defined() ? sum : at::matmul(left, right);
}

// index_add, one slice of `source` after the other.
at::Tensor AddByIndex(const at::Tensor& self, int64_t dim,
                      const at::Tensor& index, const at::Tensor& source,
                      const c10::Scalar& alpha) {
  const at::Tensor places = index.to(at::kLong).contiguous().reshape({-1});
  const at::Tensor terms = Narrow(source * alpha);
  at::Tensor result = self.clone();
  std::map<int64_t, int64_t> taken;
  for (int64_t i = 0; i < places.size(0); ++i) {
    const int64_t place = places.data_ptr<int64_t>()[i];
    at::Tensor sum = result.select(dim, place);
    sum.copy_(Narrow(sum + terms.select(dim, i)));
    state.most_terms = std::max(state.most_terms, ++taken[place]);
  }
  return result;
}

bool IsDouble(const c10::IValue& value) {
  return value.isTensor() && value.toTensor().defined() &&
         value.toTensor().scalar_type() == at::kDouble;
}

// Computes the operator with an accumulator of the type; false if it is not
// one that accumulates.
bool RunAccumulating(const std::string& name, const std::string& overload,
                     torch::jit::Stack& stack, size_t arguments) {
  const auto at = [&](size_t i) -> c10::IValue& {
    return stack[stack.size() - arguments + i];
  };
  at::Tensor result;
  const bool mean = name == "aten::mean";
  if (!IsDouble(at(0))) return false;
  if ((name == "aten::sum" || mean) && overload.empty()) {
    result = SumOver(at(0).toTensor(), {}, false, mean);
  } else if ((name == "aten::sum" && overload == "dim_IntList") ||
             (mean && overload == "dim")) {
    result =
        SumOver(at(0).toTensor(),
                at(1).isNone() ? std::vector<int64_t>{} : at(1).toIntVector(),
                at(2).toBool(), mean);
  } else if (name == "aten::mm" || name == "aten::bmm") {
    if (!overload.empty() || !IsDouble(at(1))) return false;
    result = Product(at(0).toTensor(), at(1).toTensor());
  } else if (name == "aten::addmm" && overload.empty() && IsDouble(at(2))) {
    const at::Tensor product = Product(at(1).toTensor(), at(2).toTensor());
    result = Narrow(at(0).toTensor() * at(3).toScalar() +
                    product * at(4).toScalar());
  } else if (name == "aten::index_add" && overload.empty()) {
    result = AddByIndex(at(0).toTensor(), at(1).toInt(), at(2).toTensor(),
                        at(3).toTensor(), at(4).toScalar());
  } else {
    return false;
  }
  torch::jit::drop(stack, arguments);
  torch::jit::push(stack, result);
  return true;
}

void RunNarrow(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
               torch::jit::Stack* stack) {
  const c10::FunctionSchema& schema = op.schema();
  const std::string& name = schema.name();
  {
    const c10::impl::ExcludeDispatchKeyGuard exact(kKey);
    if (!schema.arguments().empty() &&
        RunAccumulating(name, schema.overload_name(), *stack,
                        schema.arguments().size())) {
      return;
    }
  }
  op.redispatchBoxed(
      keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kKey), stack);
  if (name.starts_with("aten::empty") || name.starts_with("aten::resize")) {
    return;
  }
  const c10::impl::ExcludeDispatchKeyGuard exact(kKey);
  const std::vector<c10::Argument>& returns = schema.returns();
  for (size_t i = 0; i < returns.size(); ++i) {
    c10::IValue& value = (*stack)[stack->size() - returns.size() + i];
    if (!IsDouble(value)) continue;
    const c10::AliasInfo* alias = returns[i].alias_info();
    if (alias == nullptr) {
      value = Narrow(value.toTensor());
    } else if (alias->isWrite()) {
      value.toTensor().copy_(Narrow(value.toTensor()));
    }
    // Other aliases are views of what has been rounded before.
  }
}

TORCH_LIBRARY_IMPL(_, TESTING_ONLY_GenericMode, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&RunNarrow>());
}

}  // namespace

NarrowMode::NarrowMode(c10::ScalarType type)
    : guard_(c10::DispatchKeySet(kKey)) {
  state.type = type;
  state.most_terms = 0;
}

NarrowMode::~NarrowMode() = default;

int64_t NarrowMode::most_terms() const { return state.most_terms; }

}  // namespace belay::bench
