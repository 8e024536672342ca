// SPDX-License-Identifier: Apache-2.0
#include "bench/torch/resolver.h"

#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/sugared_value.h>
#include <torch/csrc/jit/runtime/operator.h>

#include <limits>
#include <map>
#include <numbers>

namespace belay::bench {
namespace {

using torch::jit::ErrorReport;
using torch::jit::GraphFunction;
using torch::jit::SourceRange;
using torch::jit::SugaredValue;
using SugaredPtr = std::shared_ptr<SugaredValue>;

// Functions of torch.nn.functional whose arguments differ from ATen's
// operator of that name, or that ATen does not have under it.
constexpr char kFunctional[] = R"(
def softsign(input):
    return input / (1.0 + torch.abs(input))

def tanh(input):
    return torch.tanh(input)

def sigmoid(input):
    return torch.sigmoid(input)

def logsigmoid(input):
    return torch.log_sigmoid(input)

def embedding(input, weight):
    return torch.embedding(weight, input)

def softmax(
        input, dim: int, _stacklevel: int = 3, dtype: Optional[int] = None):
    return torch.softmax(input, dim, dtype)

def log_softmax(
        input, dim: int, _stacklevel: int = 3, dtype: Optional[int] = None):
    return torch.log_softmax(input, dim, dtype)

def batch_norm(
        input, running_mean: Optional[Tensor], running_var: Optional[Tensor],
        weight: Optional[Tensor] = None, bias: Optional[Tensor] = None,
        training: bool = False, momentum: float = 0.1, eps: float = 1e-05):
    return torch.batch_norm(
        input, weight, bias, running_mean, running_var, training, momentum,
        eps, False)

def instance_norm(
        input, running_mean: Optional[Tensor] = None,
        running_var: Optional[Tensor] = None, weight: Optional[Tensor] = None,
        bias: Optional[Tensor] = None, use_input_stats: bool = True,
        momentum: float = 0.1, eps: float = 1e-05):
    return torch.instance_norm(
        input, weight, bias, running_mean, running_var, use_input_stats,
        momentum, eps, False)

def layer_norm(
        input, normalized_shape: List[int], weight: Optional[Tensor] = None,
        bias: Optional[Tensor] = None, eps: float = 1e-05):
    return torch.layer_norm(input, normalized_shape, weight, bias, eps, False)

def group_norm(
        input, num_groups: int, weight: Optional[Tensor] = None,
        bias: Optional[Tensor] = None, eps: float = 1e-05):
    return torch.group_norm(input, num_groups, weight, bias, eps, False)

def normalize(input, p: float = 2.0, dim: int = 1, eps: float = 1e-12):
    return input / torch.clamp_min(
        torch.norm(input, p, [dim], True), eps).expand_as(input)

def reduction_number(reduction: str) -> int:
    if reduction == 'none':
        return 0
    if reduction == 'mean':
        return 1
    if reduction == 'sum':
        return 2
    raise ValueError("reduction must be 'none', 'mean' or 'sum'")

def mse_loss(input, target, reduction: str = 'mean'):
    return torch.mse_loss(input, target, reduction_number(reduction))

def l1_loss(input, target, reduction: str = 'mean'):
    return torch.l1_loss(input, target, reduction_number(reduction))

def smooth_l1_loss(input, target, reduction: str = 'mean', beta: float = 1.0):
    return torch.smooth_l1_loss(
        input, target, reduction_number(reduction), beta)

def huber_loss(input, target, reduction: str = 'mean', delta: float = 1.0):
    return torch.huber_loss(input, target, reduction_number(reduction), delta)

def kl_div(input, target, reduction: str = 'mean', log_target: bool = False):
    if reduction == 'batchmean':
        total = torch.kl_div(input, target, 2, log_target=log_target)
        return total / input.size(0)
    return torch.kl_div(
        input, target, reduction_number(reduction), log_target=log_target)

def nll_loss(
        input, target, weight: Optional[Tensor] = None,
        ignore_index: int = -100, reduction: str = 'mean'):
    return torch.nll_loss_nd(
        input, target, weight, reduction_number(reduction), ignore_index)

def cross_entropy(
        input, target, weight: Optional[Tensor] = None,
        ignore_index: int = -100, reduction: str = 'mean',
        label_smoothing: float = 0.0):
    return torch.cross_entropy_loss(
        input, target, weight, reduction_number(reduction), ignore_index,
        label_smoothing)

def triplet_margin_loss(
        anchor, positive, negative, margin: float = 1.0, p: float = 2.0,
        eps: float = 1e-06, swap: bool = False, reduction: str = 'mean'):
    return torch.triplet_margin_loss(
        anchor, positive, negative, margin, p, eps, swap,
        reduction_number(reduction))
)";

class FunctionalModule : public SugaredValue {
 public:
  std::string kind() const override { return "torch.nn.functional"; }
  SugaredPtr attr(const SourceRange& where, GraphFunction& method,
                  const std::string& field) override;
};

SugaredPtr Constant(GraphFunction& method, const c10::IValue& value) {
  return std::make_shared<torch::jit::SimpleValue>(
      method.graph()->insertConstant(value));
}

SugaredPtr Operator(const SourceRange& where, const std::string& module,
                    const std::string& field, const std::string& symbol) {
  const auto name = c10::Symbol::fromQualString("aten::" + symbol);
  if (torch::jit::getAllOperatorsFor(name).empty()) {
    throw ErrorReport(where) << module << " has no '" << field << "'";
  }
  return std::make_shared<torch::jit::BuiltinFunction>(name, c10::nullopt);
}

// torch.special, torch.linalg: operators with the module's prefix.
class PrefixedModule : public SugaredValue {
 public:
  PrefixedModule(std::string name, std::string prefix)
      : name_(std::move(name)), prefix_(std::move(prefix)) {}
  std::string kind() const override { return name_; }
  SugaredPtr attr(const SourceRange& where, GraphFunction&,
                  const std::string& field) override {
    return Operator(where, name_, field, prefix_ + field);
  }

 private:
  std::string name_;
  std::string prefix_;
};

class NnModule : public SugaredValue {
 public:
  std::string kind() const override { return "torch.nn"; }
  SugaredPtr attr(const SourceRange& where, GraphFunction&,
                  const std::string& field) override {
    if (field == "functional") return std::make_shared<FunctionalModule>();
    throw ErrorReport(where)
        << "of torch.nn only functional can be used, not '" << field << "'";
  }
};

// torch.ops.aten: every operator by ATen's own name and arguments.
class OpsModule : public SugaredValue {
 public:
  std::string kind() const override { return "torch.ops"; }
  SugaredPtr attr(const SourceRange& where, GraphFunction&,
                  const std::string& field) override {
    if (field == "aten") {
      return std::make_shared<PrefixedModule>("torch.ops.aten", "");
    }
    throw ErrorReport(where)
        << "of torch.ops only aten can be used, not '" << field << "'";
  }
};

class MathModule : public SugaredValue {
 public:
  std::string kind() const override { return "math"; }
  SugaredPtr attr(const SourceRange& where, GraphFunction& method,
                  const std::string& field) override {
    if (field == "pi") return Constant(method, std::numbers::pi);
    if (field == "e") return Constant(method, std::numbers::e);
    if (field == "inf") {
      return Constant(method, std::numeric_limits<double>::infinity());
    }
    if (field == "nan") {
      return Constant(method, std::numeric_limits<double>::quiet_NaN());
    }
    return Operator(where, "math", field, field);
  }
};

class TorchModule : public SugaredValue {
 public:
  std::string kind() const override { return "torch"; }
  SugaredPtr attr(const SourceRange& where, GraphFunction& method,
                  const std::string& field) override {
    static const std::map<std::string, at::ScalarType> kTypes = {
        {"float64", at::kDouble},
        {"double", at::kDouble},
        {"float32", at::kFloat},
        {"float", at::kFloat},
        {"float16", at::kHalf},
        {"half", at::kHalf},
        {"bfloat16", at::kBFloat16},
        {"int8", at::kChar},
        {"uint8", at::kByte},
        {"int16", at::kShort},
        {"int32", at::kInt},
        {"int64", at::kLong},
        {"long", at::kLong},
        {"int", at::kInt},
        {"bool", at::kBool},
        {"complex64", at::kComplexFloat},
        {"complex128", at::kComplexDouble}};
    const auto type = kTypes.find(field);
    if (type != kTypes.end()) {
      return Constant(method, static_cast<int64_t>(type->second));
    }
    if (field == "nn") return std::make_shared<NnModule>();
    if (field == "ops") return std::make_shared<OpsModule>();
    if (field == "special") {
      return std::make_shared<PrefixedModule>("torch.special", "special_");
    }
    if (field == "linalg") {
      return std::make_shared<PrefixedModule>("torch.linalg", "linalg_");
    }
    if (field == "inf") {
      return Constant(method, std::numeric_limits<double>::infinity());
    }
    if (field == "pi") return Constant(method, std::numbers::pi);
    return Operator(where, "torch", field, field);
  }
};

class ReferenceResolver : public torch::jit::Resolver {
 public:
  SugaredPtr resolveValue(const std::string& name, GraphFunction&,
                          const SourceRange&) override {
    if (name == "torch") return std::make_shared<TorchModule>();
    if (name == "math") return std::make_shared<MathModule>();
    if (name == "F") return std::make_shared<FunctionalModule>();
    if (name == "Exception" || name.ends_with("Error")) {
      return std::make_shared<torch::jit::ExceptionValue>(name);
    }
    return nullptr;
  }
  c10::TypePtr resolveType(const std::string&, const SourceRange&) override {
    return nullptr;
  }
};

torch::jit::CompilationUnit& FunctionalUnit() {
  static auto* unit = [] {
    auto* made = new torch::jit::CompilationUnit;
    made->define(c10::nullopt, kFunctional, MakeResolver(), nullptr);
    return made;
  }();
  return *unit;
}

SugaredPtr FunctionalModule::attr(const SourceRange& where, GraphFunction&,
                                  const std::string& field) {
  torch::jit::Function* own = FunctionalUnit().find_function(field);
  if (own != nullptr) return std::make_shared<torch::jit::FunctionValue>(own);
  return Operator(where, "torch.nn.functional", field, field);
}

}  // namespace

std::shared_ptr<torch::jit::Resolver> MakeResolver() {
  return std::make_shared<ReferenceResolver>();
}

}  // namespace belay::bench
