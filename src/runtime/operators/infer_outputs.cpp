// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/infer_outputs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue.h"
#include "exe_graph/runtime/infer_datatype_context.h"
#include "exe_graph/runtime/infer_shape_context.h"
#include "runtime/operators/choose_column.h"
#include "runtime/operators/run_host_function.h"

namespace belay::runtime {
namespace {

using Presence = Parameter::Presence;

// One call while it is worked out.
class Inference {
 public:
  Inference(const Definition& definition, const OperatorCall& call,
            CallFrame& frame, std::vector<Diagnostic>& errors)
      : definition_(definition),
        signature_(definition.signature),
        call_(call),
        frame_(frame),
        errors_(errors),
        given_(call.outputs) {
    given_.resize(signature_.outputs.size());
    for (size_t i = 0; i < given_.size(); ++i) {
      if (!given_[i]) given_[i] = InPlace(signature_.outputs[i].name);
    }
  }

  std::optional<size_t> Run() {
    std::vector<size_t> columns =
        FittingColumns(signature_, call_.inputs, given_);
    if (columns.empty()) {
      errors_.push_back(NoColumnFits(signature_, call_.inputs, given_));
      return std::nullopt;
    }
    outputs_ = Start(columns.front());
    frame_.SetOutputs(outputs_);
    frame_.SetColumn(columns.front());
    if (!AllGiven() && definition_.infer_dtype != nullptr) {
      if (!InferTypes(columns)) return std::nullopt;
    }
    if (!InferShapes()) return std::nullopt;
    frame_.SetOutputs(outputs_);
    frame_.SetColumn(columns.front());
    return columns.front();
  }

 private:
  // The input of this name, as an output; nothing if there is none.
  std::optional<CallArgument> InPlace(const std::string& name) const {
    for (size_t i = 0; i < signature_.inputs.size(); ++i) {
      if (signature_.inputs[i].name != name) continue;
      CallArgument argument = call_.inputs[i];
      for (CallTensor& tensor : argument) tensor.values.clear();
      return argument;
    }
    return std::nullopt;
  }

  bool AllGiven() const {
    return std::all_of(given_.begin(), given_.end(),
                       [](const auto& output) { return output.has_value(); });
  }

  // Known outputs, and for the others tensors with the column's type.
  std::vector<CallArgument> Start(size_t column) const {
    std::vector<CallArgument> outputs;
    for (size_t i = 0; i < given_.size(); ++i) {
      if (given_[i]) {
        outputs.push_back(*given_[i]);
        continue;
      }
      const Parameter& parameter = signature_.outputs[i];
      const size_t count =
          parameter.presence == Presence::kDynamic ? ListLength() : 1;
      outputs.emplace_back(count, CallTensor{parameter.dtypes[column], {}, {}});
    }
    return outputs;
  }

  size_t ListLength() const {
    for (size_t i = 0; i < signature_.inputs.size(); ++i) {
      if (signature_.inputs[i].presence == Presence::kDynamic) {
        return call_.inputs[i].size();
      }
    }
    return 1;
  }

  // Keeps the columns that agree with what InferDataType says.
  bool InferTypes(std::vector<size_t>& columns) {
    gert::InferDataTypeContext context(frame_.call());
    auto error =
        RunHostFunction(signature_.type, "InferDataType", code::kH108,
                        [&] { return definition_.infer_dtype(&context); });
    if (error) {
      Failed(std::move(*error));
      return false;
    }
    const std::vector<CallArgument> inferred = frame_.outputs();
    std::vector<std::optional<CallArgument>> wanted = given_;
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (wanted[i]) continue;
      wanted[i] = inferred[i];
      outputs_[i] = inferred[i];
    }
    columns = FittingColumns(signature_, call_.inputs, wanted);
    if (!columns.empty()) return true;
    Diagnostic diagnostic = NoColumnFits(signature_, call_.inputs, wanted);
    diagnostic.message += ", as InferDataType says";
    errors_.push_back(std::move(diagnostic));
    return false;
  }

  bool InferShapes() {
    if (AllGiven()) return true;
    if (definition_.infer_shape != nullptr) return CallInferShape();
    bool known = true;
    for (size_t i = 0; i < given_.size(); ++i) {
      if (!given_[i] && !FollowShape(i)) known = false;
    }
    return known;
  }

  bool CallInferShape() {
    gert::InferShapeContext context(frame_.call());
    auto error =
        RunHostFunction(signature_.type, "InferShape", code::kH108,
                        [&] { return definition_.infer_shape(&context); });
    if (error) {
      Failed(std::move(*error));
      return false;
    }
    const std::vector<CallArgument> inferred = frame_.outputs();
    for (size_t i = 0; i < given_.size(); ++i) {
      if (given_[i]) continue;
      for (size_t j = 0; j < outputs_[i].size(); ++j) {
        outputs_[i][j].shape = inferred[i][j].shape;
        if (!CheckShape(signature_.outputs[i].name, inferred[i][j].shape)) {
          return false;
        }
      }
    }
    return true;
  }

  // It is not asked when every output is given.
  void Failed(Diagnostic diagnostic) {
    for (size_t i = 0; i < given_.size(); ++i) {
      if (given_[i]) continue;
      const std::string& name = signature_.outputs[i].name;
      diagnostic.fix += fmt::format(
          "; or say the output yourself: --out-like {0}=INPUT or "
          "--out-shape {0}=SIZES:TYPE",
          name);
      break;
    }
    errors_.push_back(std::move(diagnostic));
  }

  bool CheckShape(const std::string& name, const Shape& shape) {
    if (std::all_of(shape.begin(), shape.end(),
                    [](int64_t size) { return size >= 0; })) {
      return true;
    }
    Unknown(fmt::format("InferShape gave output '{}' the shape {}, with a "
                        "negative size",
                        name, ToText(shape)),
            name);
    return false;
  }

  // As the input that output `i` follows, through other parameters.
  bool FollowShape(size_t i) {
    std::string wanted = definition_.outputs[i].shape_of;
    for (size_t steps = 0; steps <= signature_.inputs.size(); ++steps) {
      for (size_t j = 0; j < signature_.inputs.size(); ++j) {
        if (signature_.inputs[j].name != wanted) continue;
        if (!definition_.inputs[j].shape_of.empty()) {
          wanted = definition_.inputs[j].shape_of;
          break;
        }
        const size_t count =
            std::min(outputs_[i].size(), call_.inputs[j].size());
        for (size_t k = 0; k < count; ++k) {
          outputs_[i][k].shape = call_.inputs[j][k].shape;
        }
        if (count == outputs_[i].size()) return true;
      }
    }
    // Nobody asked for an optional output that cannot be known.
    if (signature_.outputs[i].presence == Presence::kOptional) {
      outputs_[i].clear();
      return true;
    }
    const std::string& name = signature_.outputs[i].name;
    Unknown(fmt::format("the shape of output '{}' is not known: the operator "
                        "has no InferShape",
                        name),
            name);
    return false;
  }

  void Unknown(std::string message, const std::string& name) {
    Diagnostic diagnostic;
    diagnostic.code = code::kH108;
    diagnostic.message = fmt::format("[{}] {}", signature_.type, message);
    diagnostic.fix = fmt::format(
        "say it with --out-shape {}=… or --out-like {}=…, or add "
        "SetInferShape to the definition",
        name, name);
    errors_.push_back(std::move(diagnostic));
  }

  const Definition& definition_;
  const OperatorSignature& signature_;
  const OperatorCall& call_;
  CallFrame& frame_;
  std::vector<Diagnostic>& errors_;
  std::vector<std::optional<CallArgument>> given_;
  std::vector<CallArgument> outputs_;
};

}  // namespace

std::optional<size_t> InferOutputs(const Definition& definition,
                                   const OperatorCall& call, CallFrame& frame,
                                   std::vector<Diagnostic>& errors) {
  return Inference(definition, call, frame, errors).Run();
}

}  // namespace belay::runtime
