// SPDX-License-Identifier: Apache-2.0
#include "bench/export_host.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/append_text.h"

namespace belay::bench {
namespace {

using Kind = ExportParameter::Kind;

bool IsScalar(const ExportParameter& parameter) {
  return parameter.kind == Kind::kScalar || parameter.kind == Kind::kScalarList;
}

bool HasFields(const ExportParameter& parameter) {
  return !IsScalar(parameter) && !parameter.in_place;
}

void AppendFields(const ExportParameter& parameter, std::string& text) {
  const std::string& name = parameter.kernel_name;
  if (parameter.kind == Kind::kList) {
    Append(text, "TILING_DATA_FIELD_DEF(uint32_t, {}_count);\n", name);
    Append(text, "TILING_DATA_FIELD_DEF_ARR(uint32_t, {}, {}_rank);\n",
           parameter.most_tensors, name);
    Append(text, "TILING_DATA_FIELD_DEF_ARR(int64_t, {}, {}_elements);\n",
           parameter.most_tensors, name);
    Append(text, "TILING_DATA_FIELD_DEF_ARR(int64_t, {}, {}_shape);\n",
           parameter.most_tensors * parameter.most_rank, name);
    return;
  }
  if (parameter.kind == Kind::kOptional) {
    Append(text, "TILING_DATA_FIELD_DEF(uint32_t, {}_present);\n", name);
  }
  Append(text, "TILING_DATA_FIELD_DEF(uint32_t, {}_rank);\n", name);
  Append(text, "TILING_DATA_FIELD_DEF(int64_t, {}_elements);\n", name);
  Append(text, "TILING_DATA_FIELD_DEF_ARR(int64_t, {}, {}_shape);\n",
         parameter.most_rank, name);
}

std::string_view FieldTypeOf(AttributeType type) {
  switch (type) {
    case AttributeType::kFloat:
    case AttributeType::kFloatList:
      return "float";
    case AttributeType::kInt:
    case AttributeType::kIntList:
      return "int64_t";
    default:
      return "uint32_t";
  }
}

bool IsList(AttributeType type) {
  return type == AttributeType::kIntList || type == AttributeType::kFloatList;
}

void AppendFields(const ExportAttribute& attribute, std::string& text) {
  if (IsList(attribute.type)) {
    Append(text, "TILING_DATA_FIELD_DEF(uint32_t, {}_count);\n",
           attribute.name);
    Append(text, "TILING_DATA_FIELD_DEF_ARR({}, {}, {});\n",
           FieldTypeOf(attribute.type), attribute.most_elements,
           attribute.name);
    return;
  }
  for (size_t i = 0; i < attribute.strings.size(); ++i) {
    Append(text, "// {} {}: \"{}\"\n", attribute.name, i, attribute.strings[i]);
  }
  Append(text, "TILING_DATA_FIELD_DEF({}, {});\n", FieldTypeOf(attribute.type),
         attribute.name);
}

constexpr std::string_view kSizes = R"(// The shapes of one parameter.
template <size_t kTensors, size_t kRank>
struct Sizes {
  uint32_t count = 0;
  uint32_t rank[kTensors] = {};
  int64_t elements[kTensors] = {};
  int64_t shape[kTensors * kRank] = {};

  // False for more tensors or dimensions than the operator has to take.
  bool Add(const gert::StorageShape* storage) {
    if (storage == nullptr || count == kTensors) return false;
    const gert::Shape& sizes = storage->GetStorageShape();
    if (sizes.GetDimNum() > kRank) return false;
    rank[count] = static_cast<uint32_t>(sizes.GetDimNum());
    elements[count] = sizes.GetShapeSize();
    for (size_t i = 0; i < sizes.GetDimNum(); ++i) {
      shape[count * kRank + i] = sizes.GetDim(i);
    }
    ++count;
    return true;
  }

  ge::graphStatus ReadInput(gert::TilingContext* context, size_t parameter) {
    const auto* tensors = context->GetIrInputInstanceInfo(parameter);
    OP_CHECK_NULL_WITH_CONTEXT(context, tensors);
    for (size_t i = 0; i < tensors->GetInstanceNum(); ++i) {
      OP_CHECK_IF(
          !Add(context->GetInputShape(tensors->GetInstanceStart() + i)),
          OP_LOGE(context->GetNodeName(), "input %zu is too large", parameter),
          return ge::GRAPH_FAILED);
    }
    return ge::GRAPH_SUCCESS;
  }

  ge::graphStatus ReadOutput(gert::TilingContext* context, size_t parameter) {
    const auto* tensors = context->GetIrOutputInstanceInfo(parameter);
    OP_CHECK_NULL_WITH_CONTEXT(context, tensors);
    for (size_t i = 0; i < tensors->GetInstanceNum(); ++i) {
      OP_CHECK_IF(
          !Add(context->GetOutputShape(tensors->GetInstanceStart() + i)),
          OP_LOGE(context->GetNodeName(), "output %zu is too large", parameter),
          return ge::GRAPH_FAILED);
    }
    return ge::GRAPH_SUCCESS;
  }
};
)";

void AppendReading(const ExportParameter& parameter, std::string_view how,
                   size_t index, std::string& text) {
  const std::string& name = parameter.kernel_name;
  Append(text, "  Sizes<{}, {}> {}_sizes;\n", parameter.most_tensors,
         parameter.most_rank, name);
  Append(text,
         "  if ({}_sizes.{}(context, {}) != ge::GRAPH_SUCCESS) {{\n"
         "    return ge::GRAPH_FAILED;\n  }}\n",
         name, how, index);
  const bool list = parameter.kind == Kind::kList;
  const std::string_view element = list ? "" : "[0]";
  if (list) Append(text, "  tiling.set_{0}_count({0}_sizes.count);\n", name);
  if (parameter.kind == Kind::kOptional) {
    Append(text, "  tiling.set_{0}_present({0}_sizes.count);\n", name);
  }
  Append(text, "  tiling.set_{0}_rank({0}_sizes.rank{1});\n", name, element);
  Append(text, "  tiling.set_{0}_elements({0}_sizes.elements{1});\n", name,
         element);
  Append(text, "  tiling.set_{0}_shape({0}_sizes.shape);\n", name);
}

void AppendReading(const ExportAttribute& attribute, size_t index,
                   std::string& text) {
  const std::string& name = attribute.name;
  switch (attribute.type) {
    case AttributeType::kInt:
      return Append(text, "  tiling.set_{}(*attrs->GetInt({}));\n", name,
                    index);
    case AttributeType::kFloat:
      return Append(text, "  tiling.set_{}(*attrs->GetFloat({}));\n", name,
                    index);
    case AttributeType::kBool:
      return Append(text, "  tiling.set_{}(*attrs->GetBool({}) ? 1 : 0);\n",
                    name, index);
    case AttributeType::kString:
      return Append(
          text,
          "  const std::vector<std::string> {0}_values = {{{1}}};\n"
          "  const size_t {0}_number =\n"
          "      std::find({0}_values.begin(), {0}_values.end(),\n"
          "                attrs->GetStr({2})) -\n"
          "      {0}_values.begin();\n"
          "  OP_CHECK_IF({0}_number == {0}_values.size(),\n"
          "              OP_LOGE(context->GetNodeName(),\n"
          "                      \"{0} is \\\"%s\\\"\", "
          "attrs->GetStr({2})),\n"
          "              return ge::GRAPH_FAILED);\n"
          "  tiling.set_{0}(static_cast<uint32_t>({0}_number));\n",
          name, fmt::format("\"{}\"", fmt::join(attribute.strings, "\", \"")),
          index);
    default:
      return Append(
          text,
          "  const auto* {0}_list = attrs->{1}({2});\n"
          "  OP_CHECK_NULL_WITH_CONTEXT(context, {0}_list);\n"
          "  OP_CHECK_IF({0}_list->GetSize() > {3},\n"
          "              OP_LOGE(context->GetNodeName(),\n"
          "                      \"{0} has %zu elements; at most {3}\",\n"
          "                      {0}_list->GetSize()),\n"
          "              return ge::GRAPH_FAILED);\n"
          "  {4} {0}_values[{3}] = {{}};\n"
          "  for (size_t i = 0; i < {0}_list->GetSize(); ++i) {{\n"
          "    {0}_values[i] = {0}_list->GetData()[i];\n  }}\n"
          "  tiling.set_{0}_count(\n"
          "      static_cast<uint32_t>({0}_list->GetSize()));\n"
          "  tiling.set_{0}({0}_values);\n",
          name,
          attribute.type == AttributeType::kIntList ? "GetListInt"
                                                    : "GetListFloat",
          index, attribute.most_elements, FieldTypeOf(attribute.type));
  }
}

std::string TilingFunction(const ExportSignature& signature, bool cube,
                           bool full) {
  std::string text = fmt::format(
      "static ge::graphStatus Tiling{0}(gert::TilingContext* context) {{\n"
      "  {0}TilingData tiling;\n",
      signature.type);
  for (size_t i = 0; i < signature.inputs.size(); ++i) {
    if (!HasFields(signature.inputs[i])) continue;
    AppendReading(signature.inputs[i], "ReadInput", i, text);
  }
  for (size_t i = 0; i < signature.outputs.size(); ++i) {
    if (!HasFields(signature.outputs[i])) continue;
    AppendReading(signature.outputs[i], "ReadOutput", i, text);
  }
  if (!signature.attributes.empty()) {
    text +=
        "  const gert::RuntimeAttrs* attrs = context->GetAttrs();\n"
        "  OP_CHECK_NULL_WITH_CONTEXT(context, attrs);\n";
  }
  for (size_t i = 0; i < signature.attributes.size(); ++i) {
    AppendReading(signature.attributes[i], i, text);
  }
  if (full) {
    text +=
        "\n  // Divide the work here: fields of your own, the number of "
        "blocks, a tiling\n  // key, the workspace.\n";
  }
  Append(text,
         "  platform_ascendc::PlatformAscendC platform("
         "context->GetPlatformInfo());\n"
         "  context->SetBlockDim(platform.{}());\n"
         "  context->SetTilingKey(0);\n"
         "  context->GetWorkspaceSizes(1)[0] =\n"
         "      platform.GetLibApiWorkSpaceSize() + kWorkspaceBytes;\n"
         "  gert::TilingData* raw = context->GetRawTilingData();\n"
         "  OP_CHECK_NULL_WITH_CONTEXT(context, raw);\n"
         "  tiling.SaveToBuffer(raw->GetData(), raw->GetCapacity());\n"
         "  raw->SetDataSize(tiling.GetDataSize());\n"
         "  return ge::GRAPH_SUCCESS;\n}}\n",
         cube ? "GetCoreNumAic" : "GetCoreNumAiv");
  return text;
}

void AppendDefinition(const ExportParameter& parameter, std::string_view role,
                      std::string& text) {
  std::vector<std::string> types;
  for (const DType dtype : parameter.dtypes) {
    types.push_back("ge::" + HostNameOf(dtype));
  }
  Append(text, "    this->{}(\"{}\")\n", role, parameter.name);
  if (parameter.kind == Kind::kScalar) text += "        .Scalar()\n";
  if (parameter.kind == Kind::kScalarList) text += "        .ScalarList()\n";
  Append(text, "        .ParamType({})\n",
         parameter.kind == Kind::kList       ? "DYNAMIC"
         : parameter.kind == Kind::kOptional ? "OPTIONAL"
                                             : "REQUIRED");
  Append(text, "        .DataType({{{}}})\n", fmt::join(types, ", "));
  if (parameter.host_read) text += "        .ValueDepend(OPTIONAL)\n";
  text += "        .FormatList({ge::FORMAT_ND});\n";
}

void AppendDefinition(const ExportAttribute& attribute, std::string& text) {
  std::string_view method;
  std::string fallback =
      attribute.fallback.is_null() ? std::string() : attribute.fallback.dump();
  switch (attribute.type) {
    case AttributeType::kInt:
      method = "Int";
      break;
    case AttributeType::kFloat:
      method = "Float";
      break;
    case AttributeType::kBool:
      method = "Bool";
      break;
    case AttributeType::kString:
      method = "String";
      break;
    default:
      method =
          attribute.type == AttributeType::kIntList ? "ListInt" : "ListFloat";
      std::replace(fallback.begin(), fallback.end(), '[', '{');
      std::replace(fallback.begin(), fallback.end(), ']', '}');
  }
  Append(text, "    this->Attr(\"{}\").AttrType({}).{}({});\n", attribute.name,
         attribute.fallback.is_null() ? "REQUIRED" : "OPTIONAL", method,
         fallback);
}

}  // namespace

std::string TilingHeaderText(const ExportSignature& signature, bool full) {
  std::string text = fmt::format(
      "// What the kernel of {0} is told: every shape and attribute.\n"
      "#pragma once\n\n#include \"register/tilingdata_base.h\"\n\n"
      "namespace optiling {{\n\n"
      "BEGIN_TILING_DATA_DEF({0}TilingData)\n",
      signature.type);
  for (const ExportParameter& input : signature.inputs) {
    if (HasFields(input)) AppendFields(input, text);
  }
  for (const ExportParameter& output : signature.outputs) {
    if (HasFields(output)) AppendFields(output, text);
  }
  for (const ExportAttribute& attribute : signature.attributes) {
    AppendFields(attribute, text);
  }
  if (full) text += "// Fields of your own go here.\n";
  Append(text,
         "END_TILING_DATA_DEF;\n\n"
         "REGISTER_TILING_DATA_CLASS({0}, {0}TilingData)\n\n"
         "}}  // namespace optiling\n",
         signature.type);
  return text;
}

std::string HostText(const ExportSignature& signature, bool cube, bool full) {
  std::string text = fmt::format(
      "// Definition and tiling of {0}.\n"
      "#include <algorithm>\n#include <string>\n#include <vector>\n\n"
      "#include \"{1}_tiling.h\"\n#include \"log/log.h\"\n"
      "#include \"register/op_def_registry.h\"\n"
      "#include \"tiling/platform/platform_ascendc.h\"\n\n"
      "namespace optiling {{\n\nnamespace {{\n\n"
      "// Workspace beside the system's.\n"
      "constexpr size_t kWorkspaceBytes = 16 * 1024 * 1024;\n\n",
      signature.type, signature.kernel);
  text += kSizes;
  text += "\n}  // namespace\n\n";
  text += TilingFunction(signature, cube, full);
  Append(text,
         "\n}}  // namespace optiling\n\nnamespace ops {{\n\n"
         "class {0} : public OpDef {{\n public:\n"
         "  explicit {0}(const char* name) : OpDef(name) {{\n",
         signature.type);
  for (const ExportParameter& input : signature.inputs) {
    AppendDefinition(input, "Input", text);
  }
  for (const ExportParameter& output : signature.outputs) {
    AppendDefinition(output, "Output", text);
  }
  for (const ExportAttribute& attribute : signature.attributes) {
    AppendDefinition(attribute, text);
  }
  Append(text,
         "    this->AICore().SetTiling(optiling::Tiling{0});\n"
         "    this->AICore().AddConfig(\"ascend910b\");\n  }}\n}};\n\n"
         "OP_ADD({0});\n\n}}  // namespace ops\n",
         signature.type);
  return text;
}

}  // namespace belay::bench
