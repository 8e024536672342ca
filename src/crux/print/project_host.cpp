// SPDX-License-Identifier: Apache-2.0
// op_host/NAME.cpp.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "crux/print/dtype_text.h"
#include "crux/print/host_prologue.h"
#include "crux/print/names.h"
#include "crux/print/project.h"

namespace belay::crux::print {
namespace {

using typed::Parameter;
using typed::ParameterRole;

class HostFileWriter {
 public:
  HostFileWriter(const Compiled& compiled, const KernelClasses& classes,
                 const TilingFields& fields)
      : compiled_(compiled),
        kernel_(*compiled.kernel),
        classes_(classes),
        fields_(fields),
        type_(OperatorType(kernel_)) {}

  Text Print() {
    const Text tiling = Tiling();
    const Text inference = Inference();
    Text text = FileHead(compiled_, "The host's part");
    Includes(tiling, inference, text);
    text.OpenNamespace("");
    text.Append(Definitions(inference));
    text.CloseNamespace("");
    text.Blank();
    text.Append(tiling);
    text.Blank();
    text.Append(inference);
    text.Blank();
    text.Append(Definition());
    return text;
  }

 private:
  void Includes(const Text& tiling, const Text& inference, Text& text) {
    const auto mentions = [&](const std::string& word) {
      return Mentions(tiling, word) || Mentions(inference, word);
    };
    text.Directive("#include <algorithm>");
    if (CallsMath(tiling) || CallsMath(inference)) {
      text.Directive("#include <cmath>");
    }
    if (mentions("numeric_limits")) text.Directive("#include <limits>");
    if (mentions("string")) text.Directive("#include <string>");
    text.Directive("#include <vector>");
    text.Blank();
    text.Directive(
        fmt::format("#include \"../op_kernel/{}_tiling.h\"", EntryOf(kernel_)));
    text.Directive("#include \"log/log.h\"");
    text.Directive("#include \"register/op_def_registry.h\"");
    text.Directive("#include \"tiling/platform/platform_ascendc.h\"");
    text.Blank();
  }

  Text Definitions(const Text& inference) {
    Text text;
    text.Directive("using Dims = std::vector<int64_t>;");
    text.Blank();
    text.Verbatim({"Dims DimsOf(const gert::Shape* shape) {", "  Dims dims;",
                   "  if (shape == nullptr) return dims;",
                   "  for (size_t i = 0; i < shape->GetDimNum(); ++i) {",
                   "    dims.push_back(shape->GetDim(i));", "  }",
                   "  return dims;", "}"});
    text.Blank();
    text.Verbatim({"Dims DimsOf(const gert::StorageShape* shape) {",
                   "  return shape == nullptr ? Dims() : "
                   "DimsOf(&shape->GetStorageShape());",
                   "}"});
    text.Blank();
    if (Mentions(inference, "SetDims")) {
      text.Verbatim({"void SetDims(gert::Shape* shape, const Dims& dims) {",
                     "  if (shape == nullptr) return;",
                     "  shape->SetDimNum(0);",
                     "  for (const int64_t size : dims) "
                     "shape->AppendDim(size);",
                     "}"});
      text.Blank();
    }
    if (reads_values_) {
      text.Verbatim(
          {"// The elements of an input of int32_t or int64_t.",
           "std::vector<int64_t> IntegersOf(const gert::Tensor* tensor) {",
           "  if (tensor == nullptr) return {};",
           "  const int64_t count = "
           "tensor->GetStorageShape().GetShapeSize();",
           "  if (tensor->GetDataType() == ge::DT_INT32) {",
           "    const int32_t* data = tensor->GetData<int32_t>();",
           "    return std::vector<int64_t>(data, data + count);", "  }",
           "  const int64_t* data = tensor->GetData<int64_t>();",
           "  return std::vector<int64_t>(data, data + count);", "}"});
      text.Blank();
    }
    text.Append(HostDefinitions(needs_, printed_tiling_));
    return text;
  }

  void NoteNeeds(const HostNeeds& needs) {
    needs_.Add(needs);
    for (const Parameter* parameter : needs.values) {
      reads_values_ |= parameter->role == ParameterRole::kValue;
    }
  }

  void DeclareDtypes(const Text& body, Text& text) {
    std::set<std::string> asked;
    Text optional;  // behind those that it may speak of
    for (size_t v = 0; v < kernel_.dtypes.size(); ++v) {
      const std::string name = NameOf(v);
      if (!Mentions(body, name)) continue;
      const Parameter& carrier = CarrierOf(kernel_, *kernel_.dtypes[v]);
      if (carrier.role == ParameterRole::kOut || !carrier.optional) {
        asked.insert(name);
        continue;
      }
      const std::string absent = DtypeIfAbsent(v);
      optional.Statement(fmt::format("const auto* {}_desc = context->{};",
                                     LegalName(carrier.name), Desc(carrier)));
      optional.Statement(
          fmt::format("const ge::DataType {0} = {1}_desc == nullptr ? {2} : "
                      "{1}_desc->GetDataType();",
                      name, LegalName(carrier.name), absent));
      for (size_t other = 0; other < kernel_.dtypes.size(); ++other) {
        if (absent.find(NameOf(other) + " == ") != std::string::npos) {
          asked.insert(NameOf(other));
        }
      }
    }
    for (size_t v = 0; v < kernel_.dtypes.size(); ++v) {
      if (!asked.contains(NameOf(v))) continue;
      text.Statement(
          fmt::format("const ge::DataType {} = context->{}->GetDataType();",
                      NameOf(v), Desc(CarrierOf(kernel_, *kernel_.dtypes[v]))));
    }
    text.Append(optional);
  }

  std::string NameOf(size_t variable) const {
    return LegalName(kernel_.dtypes[variable]->name);
  }

  std::string Desc(const Parameter& carrier) {
    const auto inputs = InputsOf(kernel_);
    const auto found = std::find(inputs.begin(), inputs.end(), &carrier);
    if (found == inputs.end()) {
      return fmt::format("GetOutputDesc({})",
                         OutputIndex(kernel_, carrier, needs_));
    }
    const auto index = found - inputs.begin();
    return carrier.list       ? fmt::format("GetDynamicInputDesc({}, 0)", index)
           : carrier.optional ? fmt::format("GetOptionalInputDesc({})", index)
                              : fmt::format("GetRequiredInputDesc({})", index);
  }

  // Of a variable whose tensor may be missing: the first that goes with the
  // others.
  std::string DtypeIfAbsent(size_t variable) const {
    struct Group {
      DType dtype;
      std::vector<std::string> conditions;
    };
    std::vector<Group> groups;
    std::set<std::string> seen;
    for (const DtypeChoice& choice : ChoicesOf(compiled_)) {
      std::string others;
      for (size_t v = 0; v < choice.dtypes.size(); ++v) {
        if (v == variable || CarrierOf(kernel_, *kernel_.dtypes[v]).optional) {
          continue;
        }
        others += fmt::format("{}{} == ge::{}", others.empty() ? "" : " && ",
                              NameOf(v), GeName(choice.dtypes[v]));
      }
      if (!seen.insert(others).second) continue;
      const DType dtype = choice.dtypes[variable];
      auto group = std::find_if(
          groups.begin(), groups.end(),
          [&](const Group& known) { return known.dtype == dtype; });
      if (group == groups.end()) group = groups.insert(group, {dtype, {}});
      group->conditions.push_back(others);
    }
    std::string text;
    for (size_t i = 0; i + 1 < groups.size(); ++i) {
      text +=
          fmt::format("{} ? ge::{} : ", fmt::join(groups[i].conditions, " || "),
                      GeName(groups[i].dtype));
    }
    text += "ge::" + GeName(groups.back().dtype);
    return groups.size() == 1 ? text : "(" + text + ")";
  }

  Text Tiling() {
    printed_tiling_ = PrintTiling(compiled_, fields_, VariantsByClass(classes_),
                                  Road::kProject);
    HostNeeds needs = printed_tiling_.needs;
    const Text checks = ShapeChecks(kernel_, needs, Road::kProject);
    const Text prologue = PrintPrologue(kernel_, needs, HostPlace::kTiling);
    NoteNeeds(needs);

    Text text;
    text.OpenNamespace("optiling");
    Text function;
    function.Declaration(
        fmt::format("static ge::graphStatus Tiling{}(gert::TilingContext* "
                    "context) {{",
                    type_));
    function.Append(prologue);
    DeclareDtypes(printed_tiling_.body, function);
    function.Append(checks);
    function.Statement(
        "platform_ascendc::PlatformAscendC platform("
        "context->GetPlatformInfo());");
    if (Mentions(printed_tiling_.body, "core_count")) {
      function.Statement(
          "const int64_t core_count = platform.GetCoreNumAiv();");
    }
    if (Mentions(printed_tiling_.body, "ub_size")) {
      function.Statement("uint64_t ub_size = 0;");
      function.Statement(
          "platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, "
          "ub_size);");
    }
    function.Statement(fmt::format(
        "auto* tiling = context->GetTilingData<{}>();", TilingType(kernel_)));
    function.Statement("OP_CHECK_NULL_WITH_CONTEXT(context, tiling);");
    function.Append(printed_tiling_.body);
    function.Statement("context->SetTilingKey(key);");
    function.Statement("context->SetBlockDim(static_cast<uint32_t>(blocks));");
    if (std::any_of(classes_.groups.begin(), classes_.groups.end(),
                    [](const ClassGroup& g) { return g.syncs_all; })) {
      function.Statement("context->SetScheduleMode(1);");
    }
    const bool uses_workspace =
        Mentions(printed_tiling_.body, "workspace_bytes");
    function.Statement(
        fmt::format("context->GetWorkspaceSizes(1)[0] = "
                    "platform.GetLibApiWorkSpaceSize(){};",
                    uses_workspace ? " + workspace_bytes" : ""));
    function.Statement("return ge::GRAPH_SUCCESS;");
    function.Close();
    text.Append(function);
    text.CloseNamespace("optiling");
    return text;
  }

  Text Inference() {
    HostNeeds needs;
    Text body;
    HostText host(kernel_, typed::InstancesOf(kernel_).front());
    for (const Parameter* output : OutputsOf(kernel_)) {
      const std::string index = OutputIndex(kernel_, *output, needs);
      const bool in_place = output->role == ParameterRole::kInOut;
      if (output->list) {
        const Parameter& leader = LeadingList(kernel_);
        needs.shapes.insert(&leader);
        host.EnterElement("i");
        const std::string dims =
            in_place ? DimsName(*output) + "[i]" : host.DeclaredDims(*output);
        if (in_place) needs.shapes.insert(output);
        host.LeaveElement();
        body.Statement(fmt::format("for (size_t i = 0; i < {}.size(); ++i) {{",
                                   DimsName(leader)));
        body.Statement(fmt::format("SetDims(context->GetOutputShape({}i), {});",
                                   index == "0" ? "" : index + " + ", dims));
        body.Close();
        continue;
      }
      if (in_place) needs.shapes.insert(output);
      body.Statement(fmt::format(
          "SetDims(context->GetOutputShape({}), {});", index,
          in_place ? DimsName(*output) : host.DeclaredDims(*output)));
    }
    needs.Add(host.needs());
    const Text prologue = PrintPrologue(kernel_, needs, HostPlace::kInferShape);
    NoteNeeds(needs);

    Text function;
    function.Declaration(fmt::format(
        "static graphStatus InferShape{}(gert::InferShapeContext* context) {{",
        type_));
    function.Append(prologue);
    function.Append(body);
    function.Statement("return GRAPH_SUCCESS;");
    function.Close();
    Text text;
    text.OpenNamespace("ge");
    text.Append(function);
    text.Blank();
    text.Append(DtypeInference());
    text.CloseNamespace("ge");
    return text;
  }

  Text DtypeInference() {
    Text text;
    text.Declaration(
        fmt::format("static graphStatus InferDataType{}("
                    "gert::InferDataTypeContext* context) {{",
                    type_));
    const auto inputs = InputsOf(kernel_);
    std::string count;  // of tensors in a list
    for (const Parameter* output : OutputsOf(kernel_)) {
      if (output->list && count.empty()) {
        count = output->name + "_count";
        const auto leader =
            std::find(inputs.begin(), inputs.end(), &LeadingList(kernel_));
        text.Statement(fmt::format(
            "const size_t {} = "
            "context->GetIrInputInstanceInfo({})->GetInstanceNum();",
            count, leader - inputs.begin()));
      }
      const Element& element = output->type.element;
      std::string dtype;
      if (element.variable == nullptr) {
        dtype = GeName(element.dtype);
      } else {
        const Parameter& carrier = CarrierOf(kernel_, *element.variable);
        const auto found = std::find(inputs.begin(), inputs.end(), &carrier);
        if (found == inputs.end()) continue;  // the call says it
        const auto index = found - inputs.begin();
        dtype =
            carrier.list
                ? fmt::format("context->GetDynamicInputDataType({}, 0)", index)
            : carrier.optional
                ? fmt::format("context->GetOptionalInputDataType({})", index)
                : fmt::format("context->GetRequiredInputDataType({})", index);
      }
      const std::string index = OutputIndex(kernel_, *output, count);
      if (!output->list) {
        text.Statement(
            fmt::format("context->SetOutputDataType({}, {});", index, dtype));
        continue;
      }
      text.Statement(fmt::format("for (size_t i = 0; i < {}; ++i) {{", count));
      text.Statement(fmt::format("context->SetOutputDataType({}i, {});",
                                 index == "0" ? "" : index + " + ", dtype));
      text.Close();
    }
    text.Statement("return GRAPH_SUCCESS;");
    text.Close();
    return text;
  }

  // "{ge::DT_FLOAT16, ge::DT_FLOAT}": the dtypes that a parameter may have.
  std::string TypesOf(const Parameter& parameter) const {
    std::vector<std::vector<DType>> choices;
    for (const DtypeChoice& choice : ChoicesOf(compiled_)) {
      choices.push_back(choice.dtypes);
    }
    std::vector<std::string> columns;
    for (const DType dtype : ColumnsOf(kernel_, parameter, choices)) {
      columns.push_back("ge::" + GeName(dtype));
    }
    return fmt::format("{{{}}}", fmt::join(columns, ", "));
  }

  // "T_types", "f32_types".
  static std::string TypeListName(const Parameter& parameter) {
    const Element& element = parameter.type.element;
    return (element.known() ? ToText(element) : "i64") + "_types";
  }

  // " = {a, b}", or "(2, a)" for "{a, a}".
  static std::string Initializer(const std::string& types) {
    const std::string first = types.substr(1, types.find_first_of(",}") - 1);
    std::string same = "{" + first;
    size_t count = 1;
    for (; same.size() + 1 < types.size(); ++count) same += ", " + first;
    return count > 1 && same + "}" == types
               ? fmt::format("({}, {})", count, first)
               : " = " + types;
  }

  // Names for lists of dtypes that several parameters have.
  void NameTypes(Text& body) {
    std::vector<std::pair<std::string, std::string>> lists;
    std::map<std::string, int> uses;
    for (const auto& parameters : {InputsOf(kernel_), OutputsOf(kernel_)}) {
      for (const Parameter* parameter : parameters) {
        const std::string types = TypesOf(*parameter);
        if (++uses[types] == 1) {
          lists.emplace_back(types, TypeListName(*parameter));
        }
      }
    }
    for (const auto& [types, name] : lists) {
      if (uses[types] < 2) continue;
      type_lists_[types] = name;
      body.Statement(fmt::format("const std::vector<ge::DataType> {}{};", name,
                                 Initializer(types)));
    }
    if (type_lists_.empty()) return;
    body.Statement("const std::vector<ge::Format> nd = {ge::FORMAT_ND};");
  }

  std::string Port(const Parameter& parameter, std::string_view side) const {
    const std::string types = TypesOf(parameter);
    const auto named = type_lists_.find(types);
    std::string text = fmt::format(
        "this->{}(\"{}\").ParamType({}).DataType({}).FormatList({})", side,
        parameter.name,
        parameter.list       ? "DYNAMIC"
        : parameter.optional ? "OPTIONAL"
                             : "REQUIRED",
        named == type_lists_.end() ? types : named->second,
        named == type_lists_.end() ? "{ge::FORMAT_ND}" : "nd");
    if (parameter.role == ParameterRole::kValue) {
      text += fmt::format(".ValueDepend({})",
                          parameter.optional ? "OPTIONAL" : "REQUIRED");
    }
    for (const auto& [index, output] : OpenOutputs(kernel_)) {
      if (output == &parameter && side == "Output") {
        text += ".OutputShapeDependOnCompute()";
      }
    }
    return text + ";";
  }

  std::string Attribute(const Parameter& attribute) const {
    std::string_view type = "Int";
    std::string fallback;
    HostText host(kernel_, {});
    if (attribute.fallback != nullptr) fallback = Fallback(attribute, host);
    switch (attribute.type.kind) {
      case TypeKind::kHostFloat:
        type = "Float";
        break;
      case TypeKind::kHostBool:
        type = "Bool";
        break;
      case TypeKind::kHostString:
        type = "String";
        break;
      case TypeKind::kHostList:
        type = "ListInt";
        break;
      default:
        break;
    }
    return fmt::format("this->Attr(\"{}\").AttrType({}).{}({});",
                       attribute.name,
                       attribute.fallback == nullptr ? "REQUIRED" : "OPTIONAL",
                       type, fallback);
  }

  static std::string Fallback(const Parameter& attribute, HostText& host) {
    const typed::Expr& expr = *attribute.fallback;
    if (expr.kind != typed::ExprKind::kTuple) return host.Of(expr);
    std::vector<std::string> members;
    for (const typed::Expr* member : expr.args) {
      members.push_back(host.Of(*member));
    }
    return fmt::format("{{{}}}", fmt::join(members, ", "));
  }

  Text Definition() {
    Text body;
    body.Declaration(fmt::format("class {} : public OpDef {{", type_));
    body.Access("public");
    body.Declaration(
        fmt::format("explicit {}(const char* name) : OpDef(name) {{", type_));
    NameTypes(body);
    for (const Parameter* input : InputsOf(kernel_)) {
      body.Statement(Port(*input, "Input"));
    }
    for (const Parameter* output : OutputsOf(kernel_)) {
      body.Statement(Port(*output, "Output"));
    }
    for (const Parameter* attribute : AttributesOf(kernel_)) {
      body.Statement(Attribute(*attribute));
    }
    body.Statement(
        fmt::format("this->SetInferShape(ge::InferShape{});", type_));
    body.Statement(
        fmt::format("this->SetInferDataType(ge::InferDataType{});", type_));
    body.Statement(
        fmt::format("this->AICore().SetTiling(optiling::Tiling{});", type_));
    body.Statement("this->AICore().AddConfig(\"ascend910b\");");
    body.Close();
    body.Close("};");
    body.Blank();
    body.Declaration(fmt::format("OP_ADD({});", type_));
    Text text;
    text.OpenNamespace("ops");
    text.Append(body);
    text.CloseNamespace("ops");
    return text;
  }

  const Compiled& compiled_;
  const typed::Kernel& kernel_;
  const KernelClasses& classes_;
  const TilingFields& fields_;
  std::string type_;
  std::map<std::string, std::string> type_lists_;  // names, by their text
  TilingText printed_tiling_;
  HostNeeds needs_;
  bool reads_values_ = false;
};

}  // namespace

Text PrintHostFile(const Compiled& compiled, const KernelClasses& classes,
                   const TilingFields& fields) {
  return HostFileWriter(compiled, classes, fields).Print();
}

}  // namespace belay::crux::print
