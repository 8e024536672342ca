// SPDX-License-Identifier: Apache-2.0
#include "bench/torch/operator_list.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/library.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <unordered_map>

namespace belay::bench {
namespace {

constexpr c10::DispatchKey kListKey =
    c10::DispatchKey::TESTING_ONLY_GenericWrapper;

struct Listing {
  DType real = DType::kFloat;
  std::unordered_map<const c10::StorageImpl*, DType> declared;
  std::vector<EagerOperator> operators;
};
thread_local Listing listing;

bool Contains(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const c10::StorageImpl* StorageOf(const at::Tensor& tensor) {
  return tensor.has_storage() ? tensor.storage().unsafeGetStorageImpl()
                              : nullptr;
}

DType OwnType(at::ScalarType type) {
  switch (type) {
    case at::kBool:
      return DType::kBool;
    case at::kByte:
      return DType::kUint8;
    case at::kChar:
      return DType::kInt8;
    case at::kShort:
      return DType::kInt16;
    case at::kInt:
      return DType::kInt32;
    case at::kLong:
      return DType::kInt64;
    case at::kComplexFloat:
    case at::kComplexDouble:
      return DType::kComplex64;
    default:
      return listing.real;
  }
}

DType DeclaredOf(const at::Tensor& tensor) {
  const auto found = listing.declared.find(StorageOf(tensor));
  return found == listing.declared.end() ? OwnType(tensor.scalar_type())
                                         : found->second;
}

// Elements that lie in memory: those of axes that are not repeated.
uint64_t DistinctElements(const at::Tensor& tensor) {
  uint64_t elements = 1;
  for (int64_t axis = 0; axis < tensor.dim(); ++axis) {
    if (tensor.stride(axis) != 0 || tensor.size(axis) == 0) {
      elements *= static_cast<uint64_t>(tensor.size(axis));
    }
  }
  return elements;
}

uint64_t DeclaredBytes(const at::Tensor& tensor) {
  return BytesOf(DeclaredOf(tensor),
                 static_cast<size_t>(DistinctElements(tensor)));
}

std::vector<at::Tensor> TensorsOf(const c10::IValue& value) {
  std::vector<at::Tensor> tensors;
  const auto add = [&](const at::Tensor& tensor) {
    if (tensor.defined()) tensors.push_back(tensor);
  };
  if (value.isTensor()) {
    add(value.toTensor());
  } else if (value.isTensorList()) {
    for (const at::Tensor& tensor : value.toTensorVector()) add(tensor);
  } else if (value.isList()) {  // of tensors that may be none
    for (const c10::IValue& item : value.toListRef()) {
      if (item.isTensor()) add(item.toTensor());
    }
  }
  return tensors;
}

// The operands and results of one call.
struct OperatorCall {
  std::string name;
  std::vector<at::Tensor> read;
  std::vector<at::Tensor> written;
  std::vector<at::Tensor> results;  // new ones, of `written`
};

// Operators that overwrite their first operand without a look at it.
bool OnlyWrites(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kNames = {
      "aten::copy_",   "aten::fill_",    "aten::zero_",
      "aten::normal_", "aten::uniform_", "aten::set_"};
  return Contains(kNames, name);
}

// Operators that read as much of their first operand as they give back.
bool Picks(std::string_view name) {
  static constexpr std::array<std::string_view, 6> kNames = {
      "aten::index",     "aten::index_select", "aten::gather",
      "aten::embedding", "aten::take",         "aten::masked_select"};
  return Contains(kNames, name);
}

// Operators that change as much of their first operand as the last one has.
bool Places(std::string_view name) {
  static constexpr std::array<std::string_view, 7> kNames = {
      "aten::index_put_",  "aten::_index_put_impl_", "aten::index_add_",
      "aten::index_copy_", "aten::scatter_",         "aten::scatter_add_",
      "aten::put_"};
  return Contains(kNames, name);
}

bool IsFree(const c10::FunctionSchema& schema) {
  const std::string_view name = schema.name();
  static constexpr std::array<std::string_view, 6> kNames = {
      "aten::_local_scalar_dense",
      "aten::_unsafe_view",
      "aten::scalar_tensor",
      "aten::resize_",
      "aten::set_",
      "aten::is_same_size"};
  if (name.starts_with("aten::empty") || name.starts_with("aten::new_empty") ||
      Contains(kNames, name)) {
    return true;
  }
  const auto& returns = schema.returns();
  return !returns.empty() &&
         std::all_of(returns.begin(), returns.end(), [](const auto& result) {
           return result.alias_info() != nullptr &&
                  !result.alias_info()->isWrite();
         });
}

// Two for each product; 0 for what is no product of matrices.
uint64_t ProductsOf(const OperatorCall& call) {
  static constexpr std::array<std::string_view, 6> kNames = {
      "aten::mm",      "aten::bmm", "aten::addmm",
      "aten::baddbmm", "aten::dot", "aten::addbmm"};
  const bool vector = call.name == "aten::mv" || call.name == "aten::addmv";
  if (!vector && !Contains(kNames, call.name)) return 0;
  // The two factors stand last.
  if (call.read.size() < 2) return 0;
  const at::Tensor& left = call.read[call.read.size() - 2];
  const at::Tensor& right = call.read.back();
  const auto columns =
      static_cast<uint64_t>(right.dim() < 2 ? 1 : right.size(-1));
  return 2 * static_cast<uint64_t>(left.numel()) * columns;
}

uint64_t ConvolutionsOf(const OperatorCall& call) {
  static constexpr std::array<std::string_view, 3> kNames = {
      "aten::convolution", "aten::convolution_overrideable",
      "aten::_convolution"};
  if (!Contains(kNames, call.name) || call.read.size() < 2) return 0;
  const at::Tensor& weight = call.read[1];
  const auto taps = static_cast<uint64_t>(weight.numel() / weight.size(0));
  return 2 * static_cast<uint64_t>(call.results.at(0).numel()) * taps;
}

DType ResultType(const OperatorCall& call, const at::Tensor& result,
                 bool product) {
  if (!result.is_floating_point()) return OwnType(result.scalar_type());
  DType widest = DType::kNone;
  for (const at::Tensor& operand : call.read) {
    if (!operand.is_floating_point()) continue;
    const DType dtype = DeclaredOf(operand);
    if (widest == DType::kNone || BitsOf(dtype) > BitsOf(widest)) {
      widest = dtype;
    }
  }
  if (widest == DType::kNone) return listing.real;
  // Products of small integers are summed in 32 bits.
  if (product && BitsOf(widest) == 8) return DType::kInt32;
  return widest;
}

// A cast that a card would not make; the copy stands for what was declared.
bool IsDetour(const OperatorCall& call) {
  return call.name == "aten::_to_copy" && call.results.size() == 1 &&
         call.results[0].scalar_type() == at::kDouble &&
         DeclaredOf(call.read.at(0)) != DType::kDouble;
}

void WriteDown(OperatorCall& call) {
  const uint64_t products = ProductsOf(call) + ConvolutionsOf(call);
  if (IsDetour(call)) {
    OperatorList::Declare(call.results[0], DeclaredOf(call.read.at(0)));
    return;
  }
  for (const at::Tensor& result : call.results) {
    OperatorList::Declare(result, ResultType(call, result, products != 0));
  }
  EagerOperator made;
  made.name = call.name;
  if (products != 0) {
    made.cube_flops = products;
    made.cube_dtype = DeclaredOf(call.read.back());
  }
  for (size_t i = 0; i < call.read.size(); ++i) {
    uint64_t bytes = DeclaredBytes(call.read[i]);
    made.vector_bytes = std::max(made.vector_bytes, bytes);
    if (i == 0 && Picks(call.name) && !call.results.empty()) {
      bytes = std::min(bytes, DeclaredBytes(call.results[0]));
    }
    if (i == 0 && Places(call.name)) continue;
    made.bytes_read += bytes;
  }
  for (const at::Tensor& tensor : call.written) {
    uint64_t bytes = DeclaredBytes(tensor);
    if (Places(call.name) && !call.read.empty()) {
      bytes = std::min(bytes, DeclaredBytes(call.read.back()));
    }
    made.bytes_written += bytes;
    made.vector_bytes = std::max(made.vector_bytes, bytes);
  }
  listing.operators.push_back(std::move(made));
}

void TakeArguments(const c10::FunctionSchema& schema,
                   const torch::jit::Stack& stack, OperatorCall& call) {
  const size_t count = schema.arguments().size();
  for (size_t i = 0; i < count; ++i) {
    const c10::Argument& argument = schema.arguments()[i];
    const bool written =
        argument.alias_info() != nullptr && argument.alias_info()->isWrite();
    for (at::Tensor& tensor : TensorsOf(stack[stack.size() - count + i])) {
      if (written) call.written.push_back(tensor);
      if (argument.is_out() || (written && OnlyWrites(call.name))) continue;
      call.read.push_back(std::move(tensor));
    }
  }
}

void TakeResults(const c10::FunctionSchema& schema,
                 const torch::jit::Stack& stack, OperatorCall& call) {
  const auto& returns = schema.returns();
  for (size_t i = 0; i < returns.size(); ++i) {
    if (returns[i].alias_info() != nullptr) continue;
    const c10::IValue& value = stack[stack.size() - returns.size() + i];
    for (at::Tensor& tensor : TensorsOf(value)) {
      call.results.push_back(tensor);
      call.written.push_back(std::move(tensor));
    }
  }
}

// Whether a result is none of the operands under another name.
bool MadeSomething(const OperatorCall& call) {
  return std::any_of(
      call.results.begin(), call.results.end(), [&](const at::Tensor& result) {
        return std::none_of(call.read.begin(), call.read.end(),
                            [&](const at::Tensor& operand) {
                              return StorageOf(operand) == StorageOf(result);
                            });
      });
}

void RunListed(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
               torch::jit::Stack* stack) {
  const c10::FunctionSchema& schema = op.schema();
  const auto below =
      keys & c10::DispatchKeySet(c10::DispatchKeySet::FULL_AFTER, kListKey);
  OperatorCall call;
  call.name = schema.name();
  TakeArguments(schema, *stack, call);
  if (op.hasKernelForDispatchKey(c10::DispatchKey::CompositeImplicitAutograd) &&
      !op.hasKernelForDispatchKey(c10::DispatchKey::CPU)) {
    const size_t before = listing.operators.size();
    op.redispatchBoxed(below, stack);
    TakeResults(schema, *stack, call);
    // Some are kernels nevertheless, which nobody is told about.
    if (listing.operators.size() == before && !call.read.empty() &&
        MadeSomething(call) && !IsFree(schema)) {
      WriteDown(call);
    }
    return;
  }
  const c10::impl::ExcludeDispatchKeyGuard inside(kListKey);
  op.redispatchBoxed(below, stack);
  TakeResults(schema, *stack, call);
  if (IsFree(schema)) {
    // Memory of an earlier tensor may have come back.
    for (const at::Tensor& result : call.results) {
      listing.declared.erase(StorageOf(result));
    }
    if (call.name == "aten::_unsafe_view") {
      OperatorList::Declare(call.results.at(0), DeclaredOf(call.read.at(0)));
    }
    return;
  }
  WriteDown(call);
}

TORCH_LIBRARY_IMPL(_, TESTING_ONLY_GenericWrapper, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&RunListed>());
}

}  // namespace

OperatorList::OperatorList(DType real) : guard_(c10::DispatchKeySet(kListKey)) {
  listing = {};
  listing.real = real;
}

OperatorList::~OperatorList() { listing = {}; }

void OperatorList::Declare(const at::Tensor& tensor, DType dtype) {
  listing.declared[StorageOf(tensor)] = dtype;
}

void OperatorList::Copied(const at::Tensor& from, DType dtype) {
  EagerOperator made;
  made.name = "aten::_to_copy";
  made.bytes_read = DeclaredBytes(from);
  made.bytes_written =
      BytesOf(dtype, static_cast<size_t>(DistinctElements(from)));
  made.vector_bytes = std::max(made.bytes_read, made.bytes_written);
  listing.operators.push_back(std::move(made));
}

std::vector<EagerOperator> OperatorList::Take() {
  return std::move(listing.operators);
}

}  // namespace belay::bench
