// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

#include "base/catalogue.h"
#include "base/error.h"
#include "exe_graph/runtime/tiling_context.h"
#include "exe_graph/runtime/tiling_parse_context.h"
#include "runtime/operators/call_frame.h"
#include "runtime/operators/choose_column.h"
#include "runtime/operators/fill_pattern.h"
#include "runtime/operators/infer_outputs.h"
#include "runtime/operators/platform.h"
#include "runtime/operators/run_host_function.h"
#include "runtime/operators/tiling_structs.h"

namespace belay::runtime {
namespace {

// What aclrtLaunchKernel and <<<…>>> take.
constexpr uint32_t kMaxBlockDim = 65535;

Diagnostic Error(const char* code, std::string message, std::string fix) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.fix = std::move(fix);
  return diagnostic;
}

std::vector<std::string> DefinedTypes() {
  std::vector<std::string> types;
  for (const RegisteredOperator& known : GetRegistry().operators) {
    if (known.describe != nullptr) types.push_back(known.type);
  }
  return types;
}

// The operator of the call; null with an error.
const RegisteredOperator* FindOperator(const std::string& wanted,
                                       std::vector<Diagnostic>& errors) {
  const std::vector<std::string> types = DefinedTypes();
  const std::string known = fmt::format("{}", fmt::join(types, ", "));
  if (wanted.empty() && types.size() > 1) {
    errors.push_back(Error(
        code::kU105, fmt::format("several operators are registered: {}", known),
        "say which with --op"));
    return nullptr;
  }
  if (wanted.empty() && types.empty()) {
    errors.push_back(Error(code::kH109, "op_host registers no operator",
                           "derive a class from OpDef and add OP_ADD(Class)"));
    return nullptr;
  }
  const std::string type = wanted.empty() ? types.front() : wanted;
  const RegisteredOperator* found = GetRegistry().Find(type);
  if (found == nullptr) {
    errors.push_back(
        Error(code::kH109,
              fmt::format("[{}] no operator of this type is registered", type),
              types.empty() ? "add OP_ADD to op_host"
                            : fmt::format("registered are {}", known)));
    return nullptr;
  }
  if (found->describe == nullptr) {
    errors.push_back(Error(
        code::kH109,
        fmt::format("[{}] host functions are registered, but no definition",
                    type),
        fmt::format("add OP_ADD({})", type)));
    return nullptr;
  }
  return found;
}

// Each parameter has as many tensors as its presence allows.
void CheckCounts(const OperatorSignature& signature, const OperatorCall& call,
                 std::vector<Diagnostic>& errors) {
  if (call.inputs.size() != signature.inputs.size() ||
      call.outputs.size() > signature.outputs.size()) {
    throw InternalError(fmt::format(
        "[{}] called with {} inputs and {} outputs, but has {} and {}",
        signature.type, call.inputs.size(), call.outputs.size(),
        signature.inputs.size(), signature.outputs.size()));
  }
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    const Parameter& parameter = signature.inputs[i];
    const size_t count = call.inputs[i].size();
    if (count == 0 && parameter.presence == Parameter::Presence::kRequired) {
      errors.push_back(
          Error(code::kU105,
                fmt::format("[{}] input '{}' is required, but is absent",
                            signature.type, parameter.name),
                fmt::format("give it with --in {}=…", parameter.name)));
    }
    if (count > 1 && parameter.presence != Parameter::Presence::kDynamic) {
      errors.push_back(
          Error(code::kU105,
                fmt::format("[{}] input '{}' is one tensor, but was given a "
                            "list of {}",
                            signature.type, parameter.name, count),
                "give one tensor, or make the parameter DYNAMIC"));
    }
  }
}

// The object between the parse function and tiling. SetTilingParse does not
// say its type: it gets zeros, more than anybody keeps there.
class CompileInfo {
 public:
  CompileInfo(const RegisteredOperator& registered, bool is_parsed)
      : destroy_(registered.destroy_compile_info) {
    if (registered.create_compile_info != nullptr) {
      info_ = registered.create_compile_info();
    } else if (is_parsed) {
      untyped_.resize(8192);
    }
  }
  ~CompileInfo() {
    if (info_ != nullptr) destroy_(info_);
  }
  CompileInfo(const CompileInfo&) = delete;
  CompileInfo& operator=(const CompileInfo&) = delete;

  void* get() {
    return info_ == nullptr && !untyped_.empty() ? untyped_.data() : info_;
  }

 private:
  void* info_ = nullptr;
  void (*destroy_)(void*);
  std::vector<uint64_t> untyped_;
};

// Parse function and tiling; true without an error.
bool RunTiling(const Definition& definition, CallFrame& frame,
               std::vector<Diagnostic>& errors) {
  const std::string& type = definition.signature.type;
  if (definition.tiling == nullptr) {
    errors.push_back(
        Error(code::kH101, fmt::format("[{}] it has no tiling function", type),
              fmt::format("add this->AICore().SetTiling(f) to the definition, "
                          "or IMPL_OP_OPTILING({}).Tiling(f)",
                          type)));
    return false;
  }
  if (definition.tiling_parse != nullptr) {
    gert::TilingParseContext context(frame.call());
    auto error =
        RunHostFunction(type, "the parse function of tiling", code::kH101,
                        [&] { return definition.tiling_parse(&context); });
    if (error) {
      errors.push_back(std::move(*error));
      return false;
    }
  }
  gert::TilingContext context(frame.call());
  auto error = RunHostFunction(type, "tiling", code::kH101,
                               [&] { return definition.tiling(&context); });
  if (error) errors.push_back(std::move(*error));
  return !error;
}

void CheckDecisions(const std::string& type, const abi::HostCall& call,
                    std::vector<Diagnostic>& errors) {
  if (call.blocks == 0) {
    errors.push_back(Error(
        code::kH103,
        fmt::format("[{}] tiling set 0 blocks, or never called SetBlockDim",
                    type),
        "launch at least one block, for empty inputs too"));
  } else if (call.blocks > kMaxBlockDim) {
    errors.push_back(Error(
        code::kH103,
        fmt::format("[{}] tiling set {} blocks, but a launch has at most {}",
                    type, call.blocks, kMaxBlockDim),
        "give each block more work; there are no more cores than "
        "GetCoreNumAiv()"));
  }
  const size_t bytes = call.tiling_data->GetDataSize();
  const size_t capacity = call.tiling_data->GetCapacity();
  if (bytes > capacity) {
    errors.push_back(
        Error(code::kH106,
              fmt::format("[{}] SetDataSize({}) is above the capacity of "
                          "tiling data, {} bytes",
                          type, bytes, capacity),
              "shrink the tiling data; large tables belong in a workspace or "
              "an input"));
  }
}

LaunchPlan MakePlan(const CallFrame& frame, const abi::HostCall& call) {
  LaunchPlan plan;
  plan.outputs = frame.outputs();
  plan.blocks = call.blocks;
  plan.tiling_key = call.tiling_key;
  plan.schedule_mode = call.schedule_mode;
  for (uint64_t i = 0; i < call.workspace_count; ++i) {
    plan.workspace_bytes += call.workspaces[i];
  }
  plan.tiling.resize(call.tiling_data->GetDataSize());
  if (!plan.tiling.empty()) {
    std::memcpy(plan.tiling.data(), call.tiling_data->GetData(),
                plan.tiling.size());
  }
  return plan;
}

void AddProblems(const std::string& type,
                 const std::vector<std::string>& problems,
                 std::vector<Diagnostic>& errors) {
  for (const std::string& problem : problems) {
    errors.push_back(
        Error(code::kH112, fmt::format("[{}] {}", type, problem), ""));
  }
}

}  // namespace

std::vector<OperatorSignature> RegisteredOperators(const std::string& chip) {
  const abi::HostPlatform& platform = UsePlatform(chip);
  std::vector<OperatorSignature> signatures;
  for (const RegisteredOperator& known : GetRegistry().operators) {
    if (known.describe == nullptr) continue;
    signatures.push_back(Define(known, platform).signature);
  }
  return signatures;
}

PlanResult PlanLaunch(const OperatorCall& call) {
  PlanResult result;
  std::vector<Diagnostic>& errors = result.diagnostics;
  const abi::HostPlatform& platform =
      UsePlatform(call.chip.empty() ? npu::kDefaultChip : call.chip);

  const RegisteredOperator* registered = FindOperator(call.type, errors);
  if (registered == nullptr) return result;
  const Definition definition = Define(*registered, platform);
  const OperatorSignature& signature = definition.signature;
  AddProblems(signature.type, definition.problems, errors);
  if (!errors.empty()) return result;

  CheckCounts(signature, call, errors);
  const std::vector<AttributeValue> attributes =
      CompleteAttributes(signature, call.attributes, errors);
  if (!errors.empty()) return result;

  CallFrame frame(definition, call, attributes, platform);
  const std::optional<size_t> column =
      InferOutputs(definition, call, frame, errors);
  if (!column) return result;

  CompileInfo compile_info(*registered, definition.tiling_parse != nullptr);
  frame.call()->compile_info = compile_info.get();
  if (!RunTiling(definition, frame, errors)) return result;
  CheckDecisions(signature.type, *frame.call(), errors);
  if (!errors.empty()) return result;

  LaunchPlan plan = MakePlan(frame, *frame.call());
  plan.column = static_cast<uint32_t>(*column);
  for (const ParameterDetails& output : definition.outputs) {
    plan.fill.push_back(frame.call()->needs_atomic
                            ? FillPattern(output.initial_values, *column)
                            : std::vector<std::byte>());
  }
  std::vector<std::string> problems;
  plan.tiling_structs = TilingStructsText(
      GetRegistry().tiling_classes, signature.type, plan.tiling_key, problems);
  AddProblems(signature.type, problems, errors);
  if (errors.empty()) result.plan = std::move(plan);
  return result;
}

}  // namespace belay::runtime
