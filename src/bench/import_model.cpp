// SPDX-License-Identifier: Apache-2.0
#include "bench/import_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "bench/import_modules.h"
#include "bench/import_text.h"
#include "bench/task_error.h"

namespace belay::bench {
namespace {

using Texts = std::map<std::string, std::string>;

struct Parameter {
  std::string name;
  std::string annotation;
  std::string fallback;
};

struct Function {
  std::vector<Parameter> parameters;  // without self
  std::vector<PythonLine> body;
  int line = 0;
};

// A value as Python writes it.
std::string ToPython(const Value& value) {
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_string()) return "'" + value.get<std::string>() + "'";
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const Value& element : value) {
    text += (text.empty() ? "" : ", ") + ToPython(element);
  }
  return "[" + text + "]";
}

// Nothing if it is no expression of constants.
std::optional<Value> Evaluate(const std::string& text,
                              const Environment& environment) {
  try {
    return Expression::Parse(text).Evaluate(environment);
  } catch (const ExpressionError&) {
    return std::nullopt;
  }
}

class ModelReader {
 public:
  explicit ModelReader(const std::filesystem::path& file) {
    model_.file = file;
    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
      throw TaskError(code::kK160, file, 0,
                      fmt::format("[import] {} cannot be read", file.string()));
    }
    lines_ = SplitPython(std::string(std::istreambuf_iterator<char>(stream),
                                     std::istreambuf_iterator<char>()));
  }

  Model Read() {
    ReadModule();
    for (const char* part : {"forward", "get_inputs"}) {
      if (functions_.contains(part)) continue;
      Fail(code::kK160, 0,
           fmt::format("has no {}{}()",
                       part == std::string("forward") ? "Model." : "", part),
           "a file to import has a class Model with forward() and a function "
           "get_inputs()");
    }
    ReadInputs();
    ReadInit();
    ReadForward();
    return std::move(model_);
  }

 private:
  [[noreturn]] void Fail(const char* code, int line, const std::string& what,
                         const std::string& fix = "") const {
    throw TaskError(
        code, model_.file, line,
        fmt::format("[import] {} {}", model_.file.filename().string(), what),
        fix);
  }
  [[noreturn]] void FailAt(const PythonLine& line,
                           const std::string& why) const {
    Fail(code::kK161, line.line, fmt::format("\"{}\" {}", line.text, why));
  }

  // The lines below line `i`, which end where the indentation does.
  std::vector<PythonLine> BlockBelow(size_t i) const {
    std::vector<PythonLine> block;
    for (size_t k = i + 1;
         k < lines_.size() && lines_[k].indent > lines_[i].indent; ++k) {
      block.push_back(lines_[k]);
    }
    return block;
  }

  Function ReadFunction(size_t i, bool method) const {
    const PythonLine& line = lines_[i];
    const auto call = ReadCall(std::string_view(line.text).substr(4));
    if (!call || !line.text.ends_with(':')) {
      FailAt(line, "must be a def on its own, with the body below it");
    }
    Function function;
    function.line = line.line;
    function.body = BlockBelow(i);
    for (const std::string& text : call->arguments) {
      Parameter parameter;
      const size_t equals = text.find('=');
      if (equals != std::string::npos) {
        parameter.fallback = Trim(text.substr(equals + 1));
      }
      const std::string left = Trim(text.substr(0, equals));
      const size_t colon = left.find(':');
      parameter.name = Trim(left.substr(0, colon));
      if (colon != std::string::npos) {
        parameter.annotation = Trim(left.substr(colon + 1));
      }
      if (parameter.name.starts_with('*')) {
        FailAt(line,
               "takes any number of arguments, which TorchScript has not");
      }
      function.parameters.push_back(std::move(parameter));
    }
    if (method && !function.parameters.empty()) {
      function.parameters.erase(function.parameters.begin());
    }
    return function;
  }

  void ReadModule() {
    for (size_t i = 0; i < lines_.size(); ++i) {
      const PythonLine& line = lines_[i];
      if (line.indent > 0) continue;
      if (line.text.starts_with("import ") || line.text.starts_with("from ")) {
        continue;
      }
      if (line.text.starts_with("class Model(")) {
        ReadClass(i);
      } else if (line.text.starts_with("def ")) {
        const std::string name = line.text.substr(4, line.text.find('(') - 4);
        if (name == "get_inputs" || name == "get_init_inputs") {
          functions_[name] = ReadFunction(i, /*method=*/false);
          continue;
        }
        model_.helpers.push_back(line.text);
        for (const PythonLine& inner : BlockBelow(i)) {
          model_.helpers.push_back(std::string(inner.indent, ' ') + inner.text);
        }
      } else {
        ReadAssignment(line, constants_);
      }
    }
  }

  void ReadClass(size_t begin) {
    for (size_t i = begin + 1; i < lines_.size() && lines_[i].indent > 0; ++i) {
      const PythonLine& line = lines_[i];
      if (line.indent > lines_[begin + 1].indent) continue;
      const bool method = line.text.starts_with("def ");
      const std::string name =
          method ? line.text.substr(4, line.text.find('(') - 4) : "";
      if (name != "__init__" && name != "forward") {
        FailAt(line, "is not __init__() or forward() of Model");
      }
      functions_[name] = ReadFunction(i, /*method=*/true);
    }
  }

  // "name = text" into `texts`, with the names there and constants put in
  // unless they are literals, which stay as names.
  void ReadAssignment(const PythonLine& line, Texts& texts) {
    const size_t equals = line.text.find('=');
    const std::string name = Trim(line.text.substr(0, equals));
    if (equals != std::string::npos && name.find(',') != std::string::npos) {
      const std::vector<std::string> names = SplitArguments(name);
      const std::vector<std::string> parts =
          SplitArguments(std::string_view(line.text).substr(equals + 1));
      if (names.size() != parts.size()) {
        FailAt(line, "must have as many values as names");
      }
      for (size_t i = 0; i < names.size(); ++i) {
        ReadAssignment({line.indent, names[i] + " = " + parts[i], line.line},
                       texts);
      }
      return;
    }
    const bool plain = equals != std::string::npos &&
                       line.text[equals + 1] != '=' &&
                       name.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRS"
                           "TUVWXYZ0123456789_") == std::string::npos;
    if (!plain) {
      FailAt(line,
             "is neither an import, a class Model, a function nor a "
             "constant");
    }
    texts[name] = Resolve(line.text.substr(equals + 1), texts);
    const auto value = Evaluate(texts[name], Environment::object());
    if (&texts == &constants_ && value) literals_[name] = *value;
  }

  std::string Resolve(const std::string& text, const Texts& texts) const {
    return TupleToList(ReplaceNames(
        Trim(text), [&](const std::string& name) -> std::optional<std::string> {
          if (literals_.contains(name)) return std::nullopt;
          const auto found = texts.find(name);
          if (found != texts.end()) return found->second;
          const auto constant = constants_.find(name);
          if (constant != constants_.end()) return constant->second;
          return std::nullopt;
        }));
  }

  std::vector<std::string> Returned(const Function& function, Texts& locals) {
    for (const PythonLine& line : function.body) {
      if (!line.text.starts_with("return")) {
        ReadAssignment(line, locals);
        continue;
      }
      const std::string text = Trim(line.text.substr(6));
      const bool list = text.starts_with('[') || text.starts_with('(');
      if (!list || MatchingBracket(text, 0) != text.size() - 1) {
        FailAt(line, "must return a list");
      }
      return SplitArguments(std::string_view(text).substr(1, text.size() - 2));
    }
    Fail(code::kK161, function.line, "has a function without a return");
  }

  void ReadInputs() {
    const Function& function = functions_.at("get_inputs");
    const Function& forward = functions_.at("forward");
    Texts locals;
    const std::vector<std::string> made = Returned(function, locals);
    if (made.size() > forward.parameters.size()) {
      Fail(code::kK160, function.line,
           fmt::format("makes {} inputs, but forward() takes {}", made.size(),
                       forward.parameters.size()));
    }
    for (size_t i = 0; i < forward.parameters.size(); ++i) {
      const Parameter& parameter = forward.parameters[i];
      const std::string text = i < made.size()
                                   ? Resolve(made[i], locals)
                                   : Resolve(parameter.fallback, {});
      const auto value = Evaluate(text, literals_);
      if (value) {
        fixed_.push_back(parameter.name + " = " + ToPython(*value));
      } else {
        model_.inputs.push_back(ReadInput(parameter.name, text, function.line));
      }
    }
  }

  ModelInput ReadInput(const std::string& name, const std::string& text,
                       int line) {
    const auto fail = [&](const std::string& why) {
      Fail(code::kK162, line,
           fmt::format("makes '{}' by \"{}\": {}", name, text, why),
           "torch.rand, torch.randn or torch.randint with sizes, then at most "
           ".float(), .bool(), .softmax(dim=-1), a comparison or a factor");
    };
    const size_t close =
        text.starts_with('(') ? MatchingBracket(text, 0) : std::string::npos;
    if (close != std::string::npos &&
        std::string_view(text).substr(close + 1).starts_with(".softmax(")) {
      ModelInput inner = ReadInput(name, Trim(text.substr(1, close - 1)), line);
      inner.kind = ModelInput::Kind::kProbability;
      return inner;
    }
    ModelInput input;
    input.name = name;
    auto call = ReadCall(text);
    if (!call) fail("it is neither a call nor a constant");
    std::vector<std::string> sizes;
    for (const std::string& argument : call->arguments) {
      const bool keyword =
          ReplaceNames("(" + argument + ")", [](const std::string&) {
            return std::optional<std::string>("");
          }).find('=') != std::string::npos;
      if (!keyword) sizes.push_back(TupleToList(argument));
    }
    if (call->name == "torch.rand") {
      input.kind = ModelInput::Kind::kUniform;
    } else if (call->name == "torch.randn") {
      input.kind = ModelInput::Kind::kNormal;
    } else if (call->name == "torch.randint" && sizes.size() >= 2) {
      input.kind = ModelInput::Kind::kInteger;
      input.low = sizes.size() == 3 ? sizes[0] : "0";
      input.high = sizes[sizes.size() - 2];
      sizes = {sizes.back()};
    } else {
      fail(call->name + "() is not supported");
    }
    // The shape of another input.
    for (auto of = ReadCall(sizes.size() == 1 ? sizes[0] : "");
         of && of->rest == ".shape"; of = ReadCall(sizes[0])) {
      sizes.clear();
      for (const std::string& one : of->arguments) {
        sizes.push_back(TupleToList(one));
      }
      if (sizes.size() != 1) break;
    }
    const bool whole =
        sizes.size() == 1 &&
        (sizes[0].starts_with('[') ||
         (literals_.contains(sizes[0]) && literals_.at(sizes[0]).is_array()));
    input.shape =
        whole ? sizes[0] : fmt::format("[{}]", fmt::join(sizes, ", "));
    const bool uniform = input.kind == ModelInput::Kind::kUniform;
    const bool integer = input.kind == ModelInput::Kind::kInteger;
    if (call->rest.starts_with(".softmax(") && !integer) {
      input.kind = ModelInput::Kind::kProbability;
    } else if ((call->rest == ".bool()" && integer) ||
               (call->rest.starts_with(">") && uniform)) {
      input.kind = ModelInput::Kind::kMask;
    } else if (call->rest.starts_with("*") &&
               Trim(call->rest.substr(1)) == "torch.rand(())") {
      input.factor = "1";  // one random number for all: regimes vary more
    } else if (call->rest.starts_with("*") && !integer) {
      input.factor = Trim(call->rest.substr(1));
      const auto value = Evaluate(input.factor, literals_);
      if (!value || !value->is_number()) fail("the factor is not a constant");
      input.factor = value->dump();
    } else if (!call->rest.empty() && call->rest != ".float()") {
      fail(fmt::format("\"{}\" is not supported", call->rest));
    }
    NoteSizes(input.shape, line);
    return input;
  }

  // Constants in a shape become sizes of the task.
  void NoteSizes(const std::string& shape, int line) {
    const auto value = Evaluate(shape, literals_);
    if (!value || !value->is_array()) {
      Fail(code::kK162, line,
           fmt::format("makes a tensor of the sizes {}, which are no list of "
                       "constants",
                       shape));
    }
    for (const std::string& name : Expression::Parse(shape).Names()) {
      if (!sizes_.insert(name).second) continue;
      model_.sizes.push_back({name, literals_.at(name)});
    }
  }

  bool DependsOnSizes(const std::string& text) const {
    const std::vector<std::string> names = Expression::Parse(text).Names();
    return std::any_of(names.begin(), names.end(),
                       [&](const auto& name) { return sizes_.contains(name); });
  }

  // What forward() writes for a value of __init__(): a literal, or the name of
  // an attribute that follows the sizes. Nothing if it is no constant.
  std::optional<std::string> Constant(const std::string& text,
                                      const std::string& name) {
    if (text == "None") return text;
    const auto value = Evaluate(text, literals_);
    if (!value) return std::nullopt;
    if (!DependsOnSizes(text)) return ToPython(*value);
    std::string own = name;
    const auto taken = [&](const std::string& candidate) {
      return sizes_.contains(candidate) ||
             std::any_of(
                 model_.inputs.begin(), model_.inputs.end(),
                 [&](const auto& one) { return one.name == candidate; });
    };
    while (taken(own)) own += "_value";
    const bool known =
        std::any_of(attributes_.begin(), attributes_.end(),
                    [&](const auto& one) { return one.name == own; });
    if (!known) attributes_.push_back({own, text, *value});
    return own;
  }

  void ReadInit() {
    if (!functions_.contains("__init__")) return;
    const Function& init = functions_.at("__init__");
    std::vector<std::string> given;
    Texts locals;
    if (functions_.contains("get_init_inputs")) {
      given = Returned(functions_.at("get_init_inputs"), locals);
    }
    Texts parameters;
    for (size_t i = 0; i < init.parameters.size(); ++i) {
      const std::string text =
          i < given.size() ? given[i] : init.parameters[i].fallback;
      if (text.empty()) {
        Fail(code::kK160, init.line,
             fmt::format("gives no value for '{}' of __init__(), see "
                         "get_init_inputs()",
                         init.parameters[i].name));
      }
      parameters[init.parameters[i].name] = Resolve(text, locals);
    }
    for (const PythonLine& line : init.body) {
      if (line.text.starts_with("super(")) continue;
      const size_t equals = line.text.find('=');
      if (!line.text.starts_with("self.") || equals == std::string::npos) {
        FailAt(line, "is not an assignment to a member of self");
      }
      const std::string name = Trim(line.text.substr(5, equals - 5));
      const std::string text =
          Resolve(ReplaceNames(line.text.substr(equals + 1), parameters), {});
      const auto call = ReadCall(text);
      if (call && (call->name.starts_with("nn.") ||
                   call->name.starts_with("torch.nn."))) {
        modules_[name] = ReadModuleCall(name, *call, line);
        continue;
      }
      const auto constant = Constant(text, name);
      if (!constant) {
        FailAt(line, "is neither a constant nor a module of torch.nn");
      }
      members_[name] = *constant;
    }
  }

  std::string ReadModuleCall(const std::string& member, const PythonCall& call,
                             const PythonLine& line) {
    const std::string name = call.name.substr(call.name.rfind('.') + 1);
    const ModuleCall* module = FindModule(name);
    if (module == nullptr) {
      Fail(code::kK163, line.line,
           fmt::format("holds an {}, which cannot be imported", call.name),
           fmt::format("modules without weights of their own: {}; write others "
                       "with weights as inputs of forward()",
                       ModuleNames()));
    }
    std::map<std::string_view, std::string> given;
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      const std::string& text = call.arguments[i];
      const size_t equals = text.find('=');
      const bool keyword = equals != std::string::npos;
      const std::string parameter =
          keyword ? Trim(text.substr(0, equals))
          : i < module->parameters.size()
              ? std::string(module->parameters[i].name)
              : "";
      const auto known =
          std::find_if(module->parameters.begin(), module->parameters.end(),
                       [&](const auto& one) { return one.name == parameter; });
      const auto value =
          Constant(TupleToList(keyword ? text.substr(equals + 1) : text),
                   member + "_" + parameter);
      if (known == module->parameters.end() || !value) {
        Fail(code::kK163, line.line,
             fmt::format("gives {} the argument \"{}\", which cannot be "
                         "imported",
                         call.name, text));
      }
      if (*value != "None") given[known->name] = *value;
    }
    std::string text(module->call);
    for (const ModuleParameter& parameter : module->parameters) {
      if (given.contains(parameter.name)) continue;
      if (parameter.fallback.empty()) {
        Fail(code::kK163, line.line,
             fmt::format("leaves out '{}' of {}", parameter.name, call.name));
      }
      const std::string fallback(parameter.fallback);
      given[parameter.name] =
          fallback.starts_with('{')
              ? given.at(std::string_view(parameter.fallback)
                             .substr(1, fallback.size() - 2))
              : fallback;
    }
    for (const auto& [parameter, value] : given) {
      const std::string place = fmt::format("{{{}}}", parameter);
      const size_t at = text.find(place);
      if (at != std::string::npos) text.replace(at, place.size(), value);
    }
    return text;
  }

  // Members of self put in: modules as calls, others as their values.
  std::string WithoutSelf(std::string text, int line) const {
    for (size_t at = text.find("self."); at != std::string::npos;
         at = text.find("self.", at)) {
      size_t end = text.find_first_not_of(
          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
          at + 5);
      if (end == std::string::npos) end = text.size();
      const std::string name = text.substr(at + 5, end - at - 5);
      std::string value;
      if (members_.contains(name)) {
        value = members_.at(name);
      } else if (modules_.contains(name) && end < text.size() &&
                 text[end] == '(') {
        const size_t close = MatchingBracket(text, end);
        value = modules_.at(name);
        value.replace(value.find("{}"), 2,
                      text.substr(end + 1, close - end - 1));
        end = close + 1;
      } else {
        Fail(code::kK161, line,
             fmt::format("uses self.{}, which __init__() does not set to a "
                         "constant or a module",
                         name));
      }
      text.replace(at, end - at, value);
    }
    return ReplaceNames(
        text, [&](const std::string& name) -> std::optional<std::string> {
          if (name != "nn") return std::nullopt;
          return "torch.nn";
        });
  }

  void ReadForward() {
    const Function& forward = functions_.at("forward");
    for (const std::string& line : fixed_) model_.body.push_back("    " + line);
    std::string all;
    for (const PythonLine& line : forward.body) {
      const std::string text = WithoutSelf(line.text, line.line);
      const int indent = line.indent - forward.body.front().indent + 4;
      model_.body.push_back(std::string(indent, ' ') + text);
      all += text + "\n";
      if (text.starts_with("return ")) {
        model_.outputs = SplitArguments(text.substr(7)).size();
      }
    }
    for (const ModelAttribute& attribute : attributes_) {
      bool used = false;
      ReplaceNames(all, [&](const std::string& name) {
        used = used || name == attribute.name;
        return std::nullopt;
      });
      if (used) model_.attributes.push_back(attribute);
    }
  }

  Model model_;
  std::vector<PythonLine> lines_;
  std::map<std::string, Function> functions_;
  Texts constants_;  // of the module, resolved
  Environment literals_ =
      Environment::object();  // those without a name in them
  std::set<std::string> sizes_;
  std::vector<std::string> fixed_;  // numbers that get_inputs() passes
  Texts members_;                   // of self: literals and attributes
  Texts modules_;
  std::vector<ModelAttribute> attributes_;
};

}  // namespace

Model ReadModel(const std::filesystem::path& file) {
  return ModelReader(file).Read();
}

}  // namespace belay::bench
