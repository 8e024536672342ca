// SPDX-License-Identifier: Apache-2.0
// The ReferenceRunner behind libtorch, made by the plugin's one entry.

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/frontend/parser.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include <mutex>
#include <regex>

#include "bench/reference_runner.h"
#include "bench/reference_text.h"
#include "bench/task_error.h"
#include "bench/torch/convert.h"
#include "bench/torch/narrow_mode.h"
#include "bench/torch/operator_list.h"
#include "bench/torch/resolver.h"
#include "bench/torch/signature.h"

namespace belay::bench {
namespace {

// What TorchScript says about a failure, and the line of reference.py.
struct Report {
  int line = 0;
  std::string message;
};

std::string FirstLine(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \n");
  if (begin == std::string::npos) return "no reason given";
  return text.substr(begin, text.find('\n', begin) - begin);
}

// Of an error at run time the innermost line, which stands last.
Report ReadRunReport(const std::string& text) {
  Report report;
  static const std::regex kLine("File \"reference.py\", line ([0-9]+)");
  for (std::sregex_iterator at(text.begin(), text.end(), kLine), end; at != end;
       ++at) {
    report.line = std::stoi((*at)[1]);
  }
  const std::string mark = "\nRuntimeError: ";
  const size_t raised = text.rfind(mark);
  report.message = FirstLine(
      raised == std::string::npos ? text : text.substr(raised + mark.size()));
  return report;
}

// Of an error at compile time the first line; the text before it ends in ':'.
Report ReadCompileReport(const std::string& text) {
  Report report;
  static const std::regex kLine("File \"reference.py\", line ([0-9]+)");
  std::smatch match;
  if (std::regex_search(text, match, kLine)) report.line = std::stoi(match[1]);
  report.message = FirstLine(text);
  // The end of a line is met when the next one has been reached.
  if (report.message.find("found 'newline'") != std::string::npos) {
    --report.line;
  }
  while (report.message.ends_with(':')) report.message.pop_back();
  return report;
}

void SetUpTorch() {
  static std::once_flag once;
  std::call_once(once, [] {
    at::set_num_threads(1);
    torch::jit::getExecutorMode() = false;
    torch::jit::setGraphExecutorOptimize(false);
  });
}

c10::IValue ToIValue(const Value& value, AttributeType type) {
  switch (type) {
    case AttributeType::kInt:
      return value.get<int64_t>();
    case AttributeType::kFloat:
      return value.get<double>();
    case AttributeType::kBool:
      return value.get<bool>();
    case AttributeType::kString:
      return value.get<std::string>();
    case AttributeType::kIntList:
      return value.get<std::vector<int64_t>>();
    case AttributeType::kFloatList:
      return value.get<std::vector<double>>();
  }
  throw InternalError("an attribute of no known type");
}

c10::IValue ToIValue(const Argument& argument, View view, bool absolute) {
  if (!argument.present) return {};
  const auto convert = [&](const Array& array) {
    const at::Tensor tensor = ToTensor(array, view);
    return absolute && tensor.is_floating_point() ? tensor.abs() : tensor;
  };
  if (!argument.list) return convert(argument.tensors.front());
  c10::List<at::Tensor> list;
  for (const Array& array : argument.tensors) list.push_back(convert(array));
  return list;
}

class TorchRunner : public ReferenceRunner {
 public:
  explicit TorchRunner(const Task& task) : task_(task) {
    SetUpTorch();
    Compile();
    RequireSignatures(task_, unit_);
  }

  bool Has(const std::string& function) const override {
    return unit_.find_function(function) != nullptr;
  }

  Arguments Inputs(const Case& one_case) override {
    Arguments drawn = DrawInputs(task_, one_case);
    if (!Has("prepare")) return drawn;
    const c10::IValue result =
        Call("prepare", one_case, Stack(one_case, drawn, View::kExact));
    Arguments golden = drawn;
    for (size_t i = 0; i < task_.inputs.size(); ++i) {
      if (!drawn[i].present) continue;
      golden[i] = ToArgument("prepare", one_case, task_.inputs[i],
                             Element("prepare", result, i, drawn.size()),
                             InputShapes(task_.inputs[i], one_case));
    }
    return Round(golden, one_case, task_.inputs);
  }

  Arguments Reference(const Case& one_case, const Arguments& inputs) override {
    return Outputs("reference", one_case,
                   Stack(one_case, inputs, View::kExact));
  }

  Arguments Eager(const Case& one_case, const Arguments& inputs) override {
    return RoundToDeclared(
        task_, one_case,
        Outputs("eager", one_case, Stack(one_case, inputs, View::kEager)));
  }

  std::vector<EagerOperator> EagerOperators(const Case& one_case,
                                            const Arguments& inputs) override {
    std::vector<c10::IValue> stack = Stack(one_case, inputs, View::kEager);
    OperatorList list(RealOf(one_case));
    for (size_t i = 0; i < inputs.size(); ++i) {
      const DType dtype = DTypeOf(task_.inputs[i].dtype, one_case);
      if (stack[i].isTensor()) {
        OperatorList::Declare(stack[i].toTensor(), dtype);
      } else if (stack[i].isTensorList()) {
        for (const at::Tensor& tensor : stack[i].toTensorVector()) {
          OperatorList::Declare(tensor, dtype);
        }
      }
    }
    const std::vector<c10::IValue> given(
        stack.begin(),
        stack.begin() + static_cast<std::ptrdiff_t>(inputs.size()));
    const c10::IValue result = Call("eager", one_case, std::move(stack));
    AddCopies(one_case, given, result);
    return list.Take();
  }

  Arguments Scale(const Case& one_case, const Arguments& inputs) override {
    const bool own = Has("scale");
    Arguments scales =
        Outputs(own ? "scale" : "reference", one_case,
                Stack(one_case, inputs, View::kExact, /*absolute=*/!own));
    for (size_t i = 0; i < scales.size(); ++i) {
      if (task_.outputs[i].scale) continue;
      scales[i].present = false;
      scales[i].tensors.clear();
    }
    return scales;
  }

  std::string Check(const Case& one_case, const Arguments& inputs,
                    const Arguments& outputs) override {
    if (!Has("check")) {
      throw TaskError(
          code::kK113, task_.reference_file, 0,
          fmt::format("[check] {} has no function check()", task_.id));
    }
    std::vector<c10::IValue> stack = Stack(one_case, inputs, View::kExact);
    for (const Argument& output : outputs) {
      if (output.present) {
        stack.push_back(ToIValue(output, View::kExact, false));
      } else if (output.list) {
        stack.push_back(c10::List<at::Tensor>());
      } else {
        stack.push_back(at::empty({0}, at::kDouble));
      }
    }
    return Call("check", one_case, std::move(stack)).toStringRef();
  }

  Arguments Narrow(const Case& one_case, const Arguments& inputs, DType type,
                   int64_t* terms) override {
    std::vector<c10::IValue> stack = Stack(one_case, inputs, View::kExact);
    const NarrowMode mode(type == DType::kBfloat16 ? at::kBFloat16
                          : type == DType::kHalf   ? at::kHalf
                                                   : at::kFloat);
    const Arguments outputs = Outputs("reference", one_case, std::move(stack));
    *terms = mode.most_terms();
    return RoundToDeclared(task_, one_case, outputs);
  }

 private:
  // The dtype of reals that come from no real input: the narrowest the
  // signature has, f32 where it has none.
  DType RealOf(const Case& one_case) const {
    DType real = DType::kNone;
    const auto take = [&](const std::string& word) {
      const DType dtype = DTypeOf(word, one_case);
      if (!IsFloating(dtype)) return;
      if (real == DType::kNone || BitsOf(dtype) < BitsOf(real)) real = dtype;
    };
    for (const InputSpec& input : task_.inputs) take(input.dtype);
    for (const OutputSpec& output : task_.outputs) take(output.dtype);
    return real == DType::kNone ? DType::kFloat : real;
  }

  // An output that is an input under another name has to be copied on a card,
  // and cast as a rule: here, both may be f32.
  void AddCopies(const Case& one_case, const std::vector<c10::IValue>& given,
                 const c10::IValue& result) const {
    for (size_t i = 0; i < task_.outputs.size(); ++i) {
      const OutputSpec& output = task_.outputs[i];
      if (output.list || !output.in_place.empty()) continue;
      const c10::IValue value =
          Element("eager", result, i, task_.outputs.size());
      if (!value.isTensor()) continue;
      for (const c10::IValue& input : given) {
        if (input.isTensor() &&
            input.toTensor().is_alias_of(value.toTensor())) {
          OperatorList::Copied(value.toTensor(),
                               DTypeOf(output.dtype, one_case));
          break;
        }
      }
    }
  }

  void Compile() {
    const std::string text = DropImports(task_);
    try {
      const auto source =
          std::make_shared<torch::jit::Source>(text, "reference.py", 1);
      torch::jit::Parser parser(source);
      std::vector<torch::jit::Def> definitions;
      std::vector<torch::jit::ResolverPtr> resolvers;
      while (parser.lexer().cur().kind != torch::jit::TK_EOF) {
        definitions.emplace_back(parser.parseFunction(/*is_method=*/false));
        resolvers.push_back(MakeResolver());
      }
      unit_.define(c10::nullopt, {}, {}, definitions, resolvers, nullptr);
    } catch (const std::exception& error) {
      const Report report = ReadCompileReport(error.what());
      throw TaskError(code::kK112, task_.reference_file, report.line,
                      fmt::format("[reference.py] does not compile as "
                                  "TorchScript: {}",
                                  report.message));
    }
  }

  std::vector<c10::IValue> Stack(const Case& one_case, const Arguments& inputs,
                                 View view, bool absolute = false) const {
    std::vector<c10::IValue> stack;
    for (const Argument& input : inputs) {
      stack.push_back(ToIValue(input, view, absolute));
    }
    for (const AttributeSpec& attribute : task_.attributes) {
      stack.push_back(
          ToIValue(one_case.attributes.at(attribute.name), attribute.type));
    }
    return stack;
  }

  c10::IValue Call(const std::string& function, const Case& one_case,
                   std::vector<c10::IValue> stack) {
    const at::NoGradGuard no_grad;
    try {
      return unit_.get_function(function)(std::move(stack));
    } catch (const std::exception& error) {
      const Report report = ReadRunReport(error.what());
      throw TaskError(code::kK114, task_.reference_file, report.line,
                      fmt::format("[{}] {} failed on case {} ({}): {}",
                                  function, task_.id, one_case.name,
                                  Describe(task_, one_case), report.message));
    }
  }

  // Part `i` of what a function returned: of a tuple, or the value itself
  // where only one is wanted.
  c10::IValue Element(const std::string& function, const c10::IValue& result,
                      size_t i, size_t count) const {
    if (count == 1 && !result.isTuple()) return result;
    if (!result.isTuple() || result.toTupleRef().elements().size() != count) {
      const size_t got =
          result.isTuple() ? result.toTupleRef().elements().size() : 1;
      throw TaskError(code::kK115, task_.reference_file, 0,
                      fmt::format("[{}] {} must return a tuple of {} values, "
                                  "got {}",
                                  function, task_.id, count, got));
    }
    return result.toTupleRef().elements()[i];
  }

  template <typename Spec>
  Argument ToArgument(const std::string& function, const Case& one_case,
                      const Spec& spec, const c10::IValue& value,
                      const std::optional<std::vector<Shape>>& shapes) const {
    const auto fail = [&](const std::string& message) {
      throw TaskError(
          code::kK115, task_.reference_file, 0,
          fmt::format("[{}] {} on case {} ({}): '{}' {}", function, task_.id,
                      one_case.name, Describe(task_, one_case), spec.name,
                      message));
    };
    const DType declared = DTypeOf(spec.dtype, one_case);
    std::vector<at::Tensor> tensors;
    if (spec.list && value.isTensorList()) {
      tensors = value.toTensorVector();
    } else if (!spec.list && value.isTensor()) {
      tensors = {value.toTensor()};
    } else {
      fail(fmt::format("must be a {}, got {}",
                       spec.list ? "list of tensors" : "tensor",
                       value.tagKind()));
    }
    if (shapes && shapes->size() != tensors.size()) {
      fail(fmt::format("has {} tensors, the signature says {}", tensors.size(),
                       shapes->size()));
    }
    Argument argument;
    argument.name = spec.name;
    argument.list = spec.list;
    for (size_t i = 0; i < tensors.size(); ++i) {
      const Shape shape(tensors[i].sizes().begin(), tensors[i].sizes().end());
      if (shapes && shape != (*shapes)[i]) {
        fail(fmt::format("has the shape [{}], the signature says [{}]",
                         ToText(shape), ToText((*shapes)[i])));
      }
      if (function != "eager" && tensors[i].is_floating_point() &&
          tensors[i].scalar_type() != at::kDouble) {
        fail(fmt::format("is computed in {}, but {}() must stay in float64",
                         c10::toString(tensors[i].scalar_type()), function));
      }
      std::optional<Array> array = ToGolden(tensors[i], declared);
      if (!array) {
        fail(fmt::format("is {}, but the signature says {}",
                         c10::toString(tensors[i].scalar_type()),
                         NameOf(declared)));
      }
      argument.tensors.push_back(std::move(*array));
    }
    return argument;
  }

  Arguments Outputs(const std::string& function, const Case& one_case,
                    std::vector<c10::IValue> stack) {
    const c10::IValue result = Call(function, one_case, std::move(stack));
    Arguments outputs;
    for (size_t i = 0; i < task_.outputs.size(); ++i) {
      const OutputSpec& spec = task_.outputs[i];
      Argument argument;
      argument.name = spec.name;
      argument.list = spec.list;
      argument.present = IsPresent(spec, one_case);
      if (argument.present) {
        argument =
            ToArgument(function, one_case, spec,
                       Element(function, result, i, task_.outputs.size()),
                       OutputShapes(spec, one_case));
      }
      outputs.push_back(std::move(argument));
    }
    return outputs;
  }

  Arguments Round(const Arguments& golden, const Case& one_case,
                  const std::vector<InputSpec>& specs) const {
    Arguments rounded = golden;
    for (size_t i = 0; i < specs.size(); ++i) {
      const DType dtype = DTypeOf(specs[i].dtype, one_case);
      for (Array& array : rounded[i].tensors) array = RoundTo(array, dtype);
    }
    return rounded;
  }

  const Task& task_;
  torch::jit::CompilationUnit unit_;
};

}  // namespace
}  // namespace belay::bench

extern "C" __attribute__((visibility("default"))) belay::bench::ReferenceRunner*
belay_make_reference_runner(const belay::bench::Task* task) {
  return new belay::bench::TorchRunner(*task);
}
