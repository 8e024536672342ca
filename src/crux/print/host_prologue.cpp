// SPDX-License-Identifier: Apache-2.0
#include "crux/print/host_prologue.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "crux/print/host_lines.h"
#include "crux/print/names.h"
#include "crux/print/project.h"
#include "crux/print/source_call.h"
#include "crux/print/tiling_text.h"

namespace belay::crux::print {
namespace {

// Characters of a declaration of several sizes.
constexpr size_t kDeclaredTogether = 74;

using typed::Parameter;
using typed::ParameterRole;

size_t PositionIn(const std::vector<const Parameter*>& list,
                  const Parameter& parameter) {
  const auto found = std::find(list.begin(), list.end(), &parameter);
  return static_cast<size_t>(found - list.begin());
}

class PrologueWriter {
 public:
  PrologueWriter(const typed::Kernel& kernel, HostNeeds& needs, HostPlace place)
      : kernel_(kernel), needs_(needs), place_(place) {}

  Text Print() {
    Close();
    Attributes();
    for (const Parameter* parameter : kernel_.parameters) {
      if (!needs_.shapes.contains(parameter)) continue;
      if (parameter->role == ParameterRole::kOut) continue;
      Shape(*parameter);
    }
    for (const Parameter* parameter : kernel_.parameters) {
      if (needs_.presences.contains(parameter)) Presence(*parameter);
    }
    Sizes();
    text_.Append(HostLines(kernel_, needs_));
    for (const Parameter* parameter : kernel_.parameters) {
      if (needs_.shapes.contains(parameter) &&
          parameter->role == ParameterRole::kOut) {
        OutputShape(*parameter);
      }
    }
    return std::move(text_);
  }

 private:
  // Sizes need shapes, shapes of outputs need sizes.
  void Close() {
    for (bool grown = true; grown;) {
      HostNeeds before = needs_;
      HostText host(kernel_, {});
      for (const Parameter* parameter : before.shapes) {
        if (parameter->role != ParameterRole::kOut ||
            place_ == HostPlace::kTiling) {
          continue;
        }
        if (parameter->list) host.EnterElement("i");
        host.DeclaredDims(*parameter);
        host.LeaveElement();
        if (parameter->list) needs_.shapes.insert(&LeadingList(kernel_));
      }
      needs_.Add(host.needs());
      HostLines(kernel_, needs_);
      for (const std::string& size : needs_.sizes) {
        const Binding binding = BindingOf(kernel_, size);
        if (binding.parameter == nullptr) continue;
        needs_.shapes.insert(binding.parameter);
        if (!IsIndexed(binding)) needs_.helpers.insert(HostHelper::kSizeAt);
      }
      for (const std::string& pack : needs_.packs) {
        const Binding binding = BindingOf(kernel_, pack);
        if (binding.parameter == nullptr) continue;
        needs_.shapes.insert(binding.parameter);
        needs_.helpers.insert(HostHelper::kPart);
      }
      grown = needs_.shapes.size() + needs_.sizes.size() + needs_.packs.size() +
                  needs_.values.size() + needs_.variables.size() >
              before.shapes.size() + before.sizes.size() + before.packs.size() +
                  before.values.size() + before.variables.size();
    }
  }

  bool in_main() const { return place_ == HostPlace::kMain; }

  // Whether the shape is known to have the size by then.
  bool IsIndexed(const Binding& binding) const {
    return in_main() && IsOfKnownRank(*binding.parameter);
  }

  // Of sizes that the call must give.
  bool BindsSizes(const Parameter& parameter) const {
    return std::any_of(
        needs_.sizes.begin(), needs_.sizes.end(), [&](const std::string& size) {
          return BindingOf(kernel_, size).parameter == &parameter;
        });
  }

  void Attributes() {
    const auto attributes = AttributesOf(kernel_);
    const auto asked = std::count_if(
        attributes.begin(), attributes.end(),
        [&](const Parameter* one) { return needs_.values.contains(one); });
    if (!in_main() && asked > 1) {
      text_.Statement(
          "const gert::RuntimeAttrs* attrs = "
          "context->GetAttrs();");
    }
    const std::string_view attrs = asked > 1 ? "attrs" : "context->GetAttrs()";
    for (size_t i = 0; i < attributes.size(); ++i) {
      const Parameter& attribute = *attributes[i];
      if (!needs_.values.contains(&attribute)) continue;
      const auto [type, getter] = AttributeAccess(attribute.type.kind);
      const std::string name = LegalName(attribute.name);
      if (in_main()) {
        text_.Statement(MainAttribute(attribute, type));
      } else if (attribute.type.kind == TypeKind::kHostList) {
        text_.Statement(fmt::format("const auto* {}_list = {}->GetListInt({});",
                                    name, attrs, i));
        text_.Statement(
            fmt::format("const std::vector<int64_t> {0}({0}_list->GetData(), "
                        "{0}_list->GetData() + {0}_list->GetSize());",
                        name));
      } else {
        text_.Statement(
            fmt::format("const {} {} = {}{}->{}({});", type, name,
                        attribute.type.kind == TypeKind::kHostString ? "" : "*",
                        attrs, getter, i));
      }
    }
    for (const Parameter* parameter : kernel_.parameters) {
      if (parameter->role != ParameterRole::kValue) continue;
      if (!needs_.values.contains(parameter)) continue;
      text_.Statement(fmt::format(
          "const std::vector<int64_t> {} = {};", LegalName(parameter->name),
          in_main() ? fmt::format("Integers({})",
                                  ArgumentText(kernel_, parameter->name))
                    : fmt::format("IntegersOf(context->GetRequiredInputTensor("
                                  "{}))",
                                  PositionIn(InputsOf(kernel_), *parameter))));
    }
  }

  static std::pair<std::string, std::string> AttributeAccess(TypeKind kind) {
    switch (kind) {
      case TypeKind::kHostFloat:
        return {"double", "GetFloat"};
      case TypeKind::kHostBool:
        return {"bool", "GetBool"};
      case TypeKind::kHostString:
        return {"std::string", "GetStr"};
      case TypeKind::kHostList:
        return {"std::vector<int64_t>", "GetListInt"};
      default:
        return {"int64_t", "GetInt"};
    }
  }

  std::string MainAttribute(const Parameter& attribute,
                            const std::string& type) {
    std::string fallback = "nullptr";
    if (attribute.fallback != nullptr) {
      HostText host(kernel_, {});
      if (attribute.fallback->kind == typed::ExprKind::kTuple) {
        std::string list;
        for (const typed::Expr* member : attribute.fallback->args) {
          list += (list.empty() ? "" : ",") + host.Of(*member);
        }
        fallback = QuotedText(list);
      } else if (attribute.type.kind == TypeKind::kHostString) {
        fallback = host.Of(*attribute.fallback);
      } else {
        fallback = QuotedText(FallbackWord(*attribute.fallback));
      }
    }
    const std::string word =
        fmt::format("Word(call, \"{}\", {})", attribute.name, fallback);
    return fmt::format("const {} {} = {};", type, LegalName(attribute.name),
                       ReadAs(attribute.type.kind, word));
  }

  static std::string FallbackWord(const typed::Expr& expr) {
    if (expr.type.kind == TypeKind::kHostFloat) {
      return fmt::format("{}", expr.real);
    }
    return fmt::format("{}", expr.integer);
  }

  static std::string ReadAs(TypeKind kind, const std::string& word) {
    switch (kind) {
      case TypeKind::kHostFloat:
        return fmt::format("std::atof({}.c_str())", word);
      case TypeKind::kHostString:
        return word;
      case TypeKind::kHostList:
        return fmt::format("Numbers({})", word);
      case TypeKind::kHostBool:
        return fmt::format("IsTrue({})", word);
      default:
        return fmt::format("std::atoll({}.c_str())", word);
    }
  }

  std::string InputShape(const Parameter& parameter,
                         std::string_view element) const {
    if (in_main()) {
      return ArgumentText(kernel_, parameter.name,
                          element.empty() ? "0" : std::string(element)) +
             ".dims";
    }
    const size_t index = PositionIn(InputsOf(kernel_), parameter);
    if (!element.empty()) {
      return fmt::format("DimsOf(context->GetDynamicInputShape({}, {}))", index,
                         element);
    }
    return fmt::format("DimsOf(context->Get{}InputShape({}))",
                       parameter.optional ? "Optional" : "Required", index);
  }

  void Shape(const Parameter& parameter) {
    const std::string name = DimsName(parameter);
    if (!parameter.list) {
      text_.Statement(
          fmt::format("const Dims {} = {};", name, InputShape(parameter, "")));
      if (in_main() && IsOfKnownRank(parameter) && BindsSizes(parameter)) {
        text_.Statement(RefusalText(
            fmt::format("{}.size() != {}", name, parameter.dims.size()),
            fmt::format("{} must have shape {}", parameter.name,
                        ShapeWords(kernel_, parameter)),
            Road::kSource));
      }
      return;
    }
    const std::string count =
        in_main()
            ? fmt::format(
                  "{}(call, \"{}\")",
                  parameter.role == ParameterRole::kInOut ? "Given" : "Count",
                  parameter.name)
            : fmt::format(
                  "context->GetIrInputInstanceInfo({})->GetInstanceNum()",
                  PositionIn(InputsOf(kernel_), parameter));
    text_.Statement(fmt::format("std::vector<Dims> {}({});", name, count));
    text_.Statement(
        fmt::format("for (size_t i = 0; i < {}.size(); ++i) {{", name));
    text_.Statement(
        fmt::format("{}[i] = {};", name, InputShape(parameter, "i")));
    text_.Close();
  }

  void OutputShape(const Parameter& parameter) {
    const std::string name = DimsName(parameter);
    if (place_ == HostPlace::kTiling && !parameter.list) {
      text_.Statement(
          fmt::format("const Dims {} = DimsOf(context->GetOutputShape({}));",
                      name, OutputIndex(kernel_, parameter, needs_)));
      return;
    }
    HostText host(kernel_, {});
    if (!parameter.list) {
      text_.Statement(fmt::format("const Dims {} = {};", name,
                                  host.DeclaredDims(parameter)));
    } else {
      const std::string leader = DimsName(LeadingList(kernel_));
      host.EnterElement("i");
      text_.Statement(
          fmt::format("std::vector<Dims> {}({}.size());", name, leader));
      text_.Statement(
          fmt::format("for (size_t i = 0; i < {}.size(); ++i) {{", name));
      text_.Statement(
          fmt::format("{}[i] = {};", name, host.DeclaredDims(parameter)));
      text_.Close();
    }
    needs_.Add(host.needs());
  }

  void Presence(const Parameter& parameter) {
    std::string asked;
    if (in_main()) {
      asked = fmt::format("!{}.file.empty()",
                          ArgumentText(kernel_, parameter.name));
    } else if (parameter.role == ParameterRole::kOut) {
      asked = place_ == HostPlace::kInferShape
                  ? "true"
                  : fmt::format("context->GetOutputShape({}) != nullptr",
                                OutputIndex(kernel_, parameter, needs_));
    } else {
      asked = fmt::format("context->GetOptionalInputShape({}) != nullptr",
                          PositionIn(InputsOf(kernel_), parameter));
    }
    text_.Statement(
        fmt::format("const bool {} = {};", PresenceName(parameter), asked));
  }

  void Sizes() {
    std::string declared;  // as many as a line has room for
    const auto declare = [&] {
      if (!declared.empty()) text_.Statement(declared + ";");
      declared.clear();
    };
    for (const std::string& size : kernel_.sizes) {
      if (!needs_.sizes.contains(size)) continue;
      const Binding binding = BindingOf(kernel_, size);
      if (binding.parameter == nullptr) continue;
      const std::string dims = DimsName(*binding.parameter);
      const std::string value = fmt::format(
          "{} = {}", LegalName(size),
          IsIndexed(binding) ? fmt::format("{}[{}]", dims, binding.dim)
                             : BoundSize(binding, dims));
      if (declared.size() + value.size() > kDeclaredTogether) declare();
      declared += (declared.empty() ? "const int64_t " : ", ") + value;
    }
    declare();
    for (const std::string& pack : needs_.packs) {
      const Binding binding = BindingOf(kernel_, pack);
      if (binding.parameter == nullptr) continue;
      text_.Statement(
          fmt::format("const Dims {} = Part({}, {}, {});", LegalName(pack),
                      DimsName(*binding.parameter), binding.dim,
                      binding.parameter->dims.size() - 1 - binding.dim));
    }
  }

  const typed::Kernel& kernel_;
  HostNeeds& needs_;
  HostPlace place_;
  Text text_;
};

}  // namespace

std::vector<const Parameter*> InputsOf(const typed::Kernel& kernel) {
  std::vector<const Parameter*> result;
  for (const Parameter* parameter : kernel.parameters) {
    if (parameter->role != ParameterRole::kOut &&
        parameter->role != ParameterRole::kAttribute) {
      result.push_back(parameter);
    }
  }
  return result;
}

std::vector<const Parameter*> OutputsOf(const typed::Kernel& kernel) {
  std::vector<const Parameter*> result;
  for (const Parameter* parameter : kernel.parameters) {
    if (parameter->role == ParameterRole::kOut ||
        parameter->role == ParameterRole::kInOut) {
      result.push_back(parameter);
    }
  }
  return result;
}

std::vector<const Parameter*> AttributesOf(const typed::Kernel& kernel) {
  std::vector<const Parameter*> result;
  for (const Parameter* parameter : kernel.parameters) {
    if (parameter->role == ParameterRole::kAttribute) {
      result.push_back(parameter);
    }
  }
  return result;
}

Text PrintPrologue(const typed::Kernel& kernel, HostNeeds& needs,
                   HostPlace place) {
  return PrologueWriter(kernel, needs, place).Print();
}

const Parameter& LeadingList(const typed::Kernel& kernel) {
  for (const Parameter* parameter : InputsOf(kernel)) {
    if (parameter->list) return *parameter;
  }
  throw UserError(fmt::format(
      "kernel `{}` has an output list and no input list: nothing says how many "
      "tensors there are",
      kernel.name));
}

std::string OutputIndex(const typed::Kernel& kernel, const Parameter& output,
                        const std::string& length) {
  size_t single = 0;
  size_t lists = 0;
  for (const Parameter* parameter : OutputsOf(kernel)) {
    if (parameter == &output) break;
    ++(parameter->list ? lists : single);
  }
  if (lists == 0) return fmt::format("{}", single);
  const std::string text =
      lists > 1 ? fmt::format("{} * {}", lists, length) : length;
  return single == 0 ? text : fmt::format("{} + {}", text, single);
}

std::string OutputIndex(const typed::Kernel& kernel, const Parameter& output,
                        HostNeeds& needs) {
  const auto outputs = OutputsOf(kernel);
  const bool behind_list = std::any_of(
      outputs.begin(), std::find(outputs.begin(), outputs.end(), &output),
      [](const Parameter* parameter) { return parameter->list; });
  if (!behind_list) return OutputIndex(kernel, output, "");
  const Parameter& leader = LeadingList(kernel);
  needs.shapes.insert(&leader);
  return OutputIndex(kernel, output, DimsName(leader) + ".size()");
}

}  // namespace belay::crux::print
