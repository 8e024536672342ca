// SPDX-License-Identifier: Apache-2.0
// A kernel as one .asc file.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "crux/print/class_groups.h"
#include "crux/print/dtype_text.h"
#include "crux/print/host_prologue.h"
#include "crux/print/names.h"
#include "crux/print/project.h"
#include "crux/print/scalar_text.h"
#include "crux/print/source_call.h"

namespace belay::crux::print {
namespace {

using typed::Parameter;
using typed::ParameterRole;

class SourceWriter {
 public:
  explicit SourceWriter(const Compiled& compiled)
      : compiled_(compiled),
        kernel_(*compiled.kernel),
        classes_(PrintClasses(compiled, TilingType(kernel_))),
        fields_(FieldsOf(compiled, classes_.fields)) {}

  Text Print() {
    const Text main = Main();
    Text text = FileHead(compiled_, "AscendC");
    text.Directive("#include <algorithm>");
    if (Mentions(main, "std")) text.Directive("#include <cmath>");
    for (const char* header :
         {"cstdio", "cstdlib", "fstream", "iterator", "limits", "map",
          "sstream", "string", "vector"}) {
      text.Directive(fmt::format("#include <{}>", header));
    }
    text.Blank();
    text.Directive("#include \"acl/acl.h\"");
    text.Directive("#include \"kernel_operator.h\"");
    text.Directive("#include \"tiling/platform/platform_ascendc.h\"");
    text.Blank();
    text.Directive("using namespace AscendC;");
    text.Blank();
    text.Append(TilingStruct(TilingType(kernel_), fields_));
    text.Blank();
    text.Append(HelperDefinitions(classes_.helpers, false));
    text.Append(classes_.functions);
    for (const ClassGroup& group : classes_.groups) {
      text.Append(group.text);
      text.Blank();
      text.Append(Entry(group));
      text.Blank();
    }
    // Host functions may have the names of device functions.
    text.OpenNamespace("host");
    text.Directive("using Dims = std::vector<int64_t>;");
    text.Blank();
    text.Append(HostDefinitions(needs_, tiling_));
    text.Append(PrintCall(main));
    text.Blank();
    text.Append(main);
    text.CloseNamespace("host");
    text.Blank();
    text.Verbatim(
        {"int main(int argc, char** argv) { return host::Run({argc, argv}); "
         "}"});
    return text;
  }

 private:
  std::string EntryName(const ClassGroup& group) const {
    return fmt::format("{}_{}", kernel_.name,
                       &group - classes_.groups.data() + 1);
  }

  Text Entry(const ClassGroup& group) const {
    Text text;
    const std::string types = TemplateParameters(kernel_, group);
    if (!types.empty()) {
      text.Declaration(fmt::format("template <{}>", types));
    }
    std::vector<std::string> names;
    for (const size_t variable : group.parameters) {
      names.push_back(LegalName(kernel_.dtypes[variable]->name));
    }
    names.insert(names.end(), group.flags.begin(), group.flags.end());
    const std::vector<std::string> arguments = InitParameters(group);
    std::string parameters;
    for (const std::string& argument : arguments) {
      parameters += fmt::format("GM_ADDR {}, ", argument);
    }
    if (group.stores_shapes) parameters += "GM_ADDR shapes, ";
    text.Declaration(
        fmt::format("__global__ {} void {}({}{} tiling) {{",
                    group.syncs_all ? "__mix__(0, 1)" : "__vector__",
                    EntryName(group), parameters, TilingType(kernel_)));
    text.Statement("TPipe pipe;");
    text.Statement(fmt::format(
        "{}{} op;", group.name,
        names.empty() ? "" : fmt::format("<{}>", fmt::join(names, ", "))));
    text.Statement(fmt::format("op.Init({}{}&tiling, &pipe);",
                               fmt::join(arguments, ", "),
                               arguments.empty() ? "" : ", "));
    text.Statement("op.Process();");
    if (group.stores_shapes) text.Statement("op.StoreShapes(shapes);");
    text.Close();
    return text;
  }

  std::vector<std::string> UsedTensors() const {
    std::set<std::string> used;
    for (const ClassGroup& group : classes_.groups) {
      used.insert(group.tensors.begin(), group.tensors.end());
    }
    std::vector<std::string> result;
    for (const Parameter* parameter : kernel_.parameters) {
      const bool output = parameter->role == ParameterRole::kOut;
      if (output || used.contains(parameter->name)) {
        result.push_back(parameter->name);
      }
    }
    return result;
  }

  // "T", or "\"f32\"".
  std::string DtypeWord(const Parameter& parameter) const {
    const Element& element = parameter.type.element;
    if (element.variable != nullptr) return LegalName(element.variable->name);
    return fmt::format("\"{}\"", belay::NameOf(element.dtype));
  }

  void Upload(const Parameter& parameter, Text& text) const {
    const std::string name = LegalName(parameter.name);
    const bool output = parameter.role == ParameterRole::kOut;
    if (!parameter.list) {
      text.Statement(
          output ? fmt::format("GM_ADDR {} = Allocated(Product({}) * "
                               "BytesOf({}));",
                               name, DimsName(parameter), DtypeWord(parameter))
                 : fmt::format("GM_ADDR {} = call.Upload(\"{}\");", name,
                               parameter.name));
      return;
    }
    text.Statement(fmt::format("std::vector<GM_ADDR> {}_tensors;", name));
    text.Statement(fmt::format("for (size_t i = 0; i < {}.size(); ++i) {{",
                               DimsName(parameter)));
    text.Statement(fmt::format(
        "{}_tensors.push_back({});", name,
        output ? fmt::format("Allocated(Product({}[i]) * BytesOf({}))",
                             DimsName(parameter), DtypeWord(parameter))
               : fmt::format("call.Upload(\"{}\", i)", parameter.name)));
    text.Close();
    text.Statement(fmt::format("GM_ADDR {0} = ListOf({0}_tensors, {1});", name,
                               DimsName(parameter)));
  }

  void Download(const Parameter& parameter, Text& text) const {
    const std::string name = LegalName(parameter.name);
    const std::string dims = DimsName(parameter);
    const std::string dtype = DtypeWord(parameter);
    if (!parameter.list) {
      std::string count = fmt::format("Product({})", dims);
      for (const auto& [index, output] : OpenOutputs(kernel_)) {
        if (output != &parameter) continue;
        count = fmt::format("words[{}]", index * kShapeWords + 1);
        for (size_t i = 1; i < output->dims.size(); ++i) {
          count += fmt::format(" * words[{}]", index * kShapeWords + 1 + i);
        }
      }
      text.Statement(fmt::format(
          "call.Download(\"{}\", {}, {} * BytesOf({}){});", parameter.name,
          name, count, dtype,
          parameter.role == ParameterRole::kInOut
              ? fmt::format(", call.Count(\"{}\") - 1", parameter.name)
              : ""));
      return;
    }
    text.Statement(
        fmt::format("for (size_t i = 0; i < {}.size(); ++i) {{", dims));
    text.Statement(fmt::format(
        "call.Download(\"{}\", {}_tensors[i], Product({}[i]) * BytesOf({}), "
        "i{});",
        parameter.name, name, dims, dtype,
        parameter.role == ParameterRole::kInOut
            ? fmt::format(" + {}.size()", dims)
            : ""));
    text.Close();
  }

  void Launch(Text& text) const {
    const std::vector<DtypeChoice> choices = ChoicesOf(compiled_);
    for (const ClassGroup& group : classes_.groups) {
      for (const ClassInstance& instance : group.instances) {
        const std::vector<DType>& dtypes = instance.variant->dtypes;
        std::vector<std::string> conditions;
        if (classes_.keys > 1) {
          conditions.push_back(fmt::format("key == {}", instance.key));
        }
        if (choices.size() > 1) {
          conditions.push_back(
              DtypeCondition(kernel_, {dtypes}, Road::kSource));
        }
        std::vector<std::string> types;
        for (const size_t variable : group.parameters) {
          types.push_back(TypeName(dtypes[variable]));
        }
        std::string arguments;
        for (const std::string& argument : InitParameters(group)) {
          arguments += argument + ", ";
        }
        if (group.stores_shapes) arguments += "shapes, ";
        const std::string launch = fmt::format(
            "{}{}<<<blocks, nullptr, stream>>>({}data);", EntryName(group),
            TemplateArguments(group, types, instance.flags), arguments);
        if (conditions.empty()) {
          text.Statement(launch);
          continue;
        }
        text.Statement(
            fmt::format("if ({}) {{", fmt::join(conditions, " && ")));
        text.Statement(launch);
        text.Close();
      }
    }
  }

  Text Main() {
    tiling_ = PrintTiling(compiled_, fields_, VariantsByClass(classes_),
                          Road::kSource);
    needs_ = tiling_.needs;
    const Text checks = ShapeChecks(kernel_, needs_, Road::kSource);
    needs_.helpers.insert(HostHelper::kProduct);
    for (const Parameter* output : OutputsOf(kernel_)) {
      needs_.shapes.insert(output);
    }
    const std::vector<std::string> tensors = UsedTensors();
    for (const Parameter* parameter : kernel_.parameters) {
      const bool used = std::find(tensors.begin(), tensors.end(),
                                  parameter->name) != tensors.end();
      if (parameter->list && used) needs_.shapes.insert(parameter);
    }
    const Text prologue = PrintPrologue(kernel_, needs_, HostPlace::kMain);

    Text text;
    text.Declaration("int Run(Call call) {");
    text.Append(prologue);
    for (const DtypeVariable* variable : kernel_.dtypes) {
      text.Statement(fmt::format("const std::string {} = call.Part(\"{}\", 1);",
                                 LegalName(variable->name),
                                 CarrierOf(kernel_, *variable).name));
    }
    text.Append(checks);
    text.Statement(
        "const auto* platform = "
        "platform_ascendc::PlatformAscendCManager::GetInstance();");
    text.Statement("const int64_t core_count = platform->GetCoreNumAiv();");
    text.Statement("uint64_t ub_bytes = 0;");
    text.Statement(
        "platform->GetCoreMemSize(platform_ascendc::CoreMemType::UB, "
        "ub_bytes);");
    text.Statement("const int64_t ub_size = static_cast<int64_t>(ub_bytes);");
    text.Statement(fmt::format("{} data{{}};", TilingType(kernel_)));
    text.Statement("auto* tiling = &data;");
    text.Append(tiling_.body);
    text.Blank();
    text.Statement("aclInit(nullptr);");
    text.Statement("aclrtSetDevice(0);");
    text.Statement("aclrtStream stream = nullptr;");
    text.Statement("aclrtCreateStream(&stream);");
    for (const std::string& name : tensors) {
      Upload(*kernel_.FindParameter(name), text);
    }
    const bool uses_workspace =
        std::any_of(classes_.groups.begin(), classes_.groups.end(),
                    [](const ClassGroup& g) { return g.uses_workspace; });
    if (uses_workspace) {
      text.Statement("GM_ADDR workspace = Allocated(workspace_bytes);");
    }
    if (!OpenOutputs(kernel_).empty()) {
      text.Statement(fmt::format("std::vector<uint64_t> words({});",
                                 OutputsOf(kernel_).size() * kShapeWords));
      text.Statement("const size_t shape_bytes = words.size() * 8;");
      text.Statement("GM_ADDR shapes = Allocated(shape_bytes);");
    }
    Launch(text);
    text.Statement("const aclError status = aclrtSynchronizeStream(stream);");
    if (!OpenOutputs(kernel_).empty()) {
      text.Statement(
          "aclrtMemcpy(words.data(), shape_bytes, shapes, shape_bytes, "
          "ACL_MEMCPY_DEVICE_TO_HOST);");
    }
    for (const Parameter* output : OutputsOf(kernel_)) Download(*output, text);
    text.Statement("aclrtDestroyStream(stream);");
    text.Statement("aclrtResetDevice(0);");
    text.Statement("aclFinalize();");
    text.Statement("return status == ACL_SUCCESS ? 0 : 1;");
    text.Close();
    return text;
  }

  const Compiled& compiled_;
  const typed::Kernel& kernel_;
  KernelClasses classes_;
  TilingFields fields_;
  TilingText tiling_;
  HostNeeds needs_;
};

}  // namespace

std::string PrintSource(const Compiled& compiled) {
  return Laid(SourceWriter(compiled).Print().lines());
}

}  // namespace belay::crux::print
