// SPDX-License-Identifier: Apache-2.0
// A kernel as one .asc file.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

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

// Of <cstdlib>, that the host may call.
constexpr std::array kConversions = {"atof", "atoi", "atoll", "exit"};

class SourceWriter {
 public:
  explicit SourceWriter(const Compiled& compiled)
      : compiled_(compiled),
        kernel_(*compiled.kernel),
        classes_(PrintClasses(compiled, TilingType(kernel_))),
        fields_(FieldsOf(compiled, classes_.fields)) {}

  Text Print() {
    const Text main = Main();
    const Text call = PrintCall(kernel_, main);
    const Text helpers = HelperDefinitions(classes_.helpers, false);
    Text text = FileHead(compiled_, "AscendC");
    const auto uses = [](const auto& words, const Text& in) {
      return std::any_of(std::begin(words), std::end(words),
                         [&](const char* word) { return Mentions(in, word); });
    };
    const bool converts = uses(kConversions, main) || uses(kConversions, call);
    const bool limits =
        Mentions(helpers, "numeric_limits") || Mentions(main, "numeric_limits");
    for (const std::string_view header :
         {"algorithm", "cmath", "cstdio", "cstdlib", "filesystem", "fstream",
          "limits", "map", "sstream", "string", "vector"}) {
      if (header == "cmath" && !CallsMath(main)) continue;
      if (header == "cstdlib" && !converts) continue;
      if (header == "limits" && !limits) continue;
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
    text.Append(helpers);
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
    text.Append(call);
    text.Blank();
    text.Append(launch_);
    text.Append(main);
    text.CloseNamespace("host");
    text.Blank();
    text.Verbatim(
        {"int main(int argc, char** argv) { return "
         "host::Run(host::Read(argc, argv)); }"});
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

  // Bytes of an element: "4", or "T_size".
  std::string SizeOf(const Parameter& parameter) const {
    const Element& element = parameter.type.element;
    if (element.variable == nullptr) {
      return fmt::format("{}", belay::BytesOf(element.dtype));
    }
    const auto found = std::find(kernel_.dtypes.begin(), kernel_.dtypes.end(),
                                 element.variable);
    const auto position = static_cast<size_t>(found - kernel_.dtypes.begin());
    const std::string size = SizeByDtype(compiled_, position);
    return size.find('?') == std::string::npos
               ? size
               : LegalName(element.variable->name) + "_size";
  }

  // Of a tensor, or of element i of a list.
  std::string Bytes(const Parameter& parameter) const {
    const std::string size = SizeOf(parameter);
    if (parameter.list) {
      return fmt::format("Product({}[i]) * {}", DimsName(parameter), size);
    }
    if (!HasPlainShape(parameter)) {
      return fmt::format("Product({}) * {}", DimsName(parameter), size);
    }
    HostText host(kernel_, {});
    std::string bytes;
    for (const typed::ParameterDim& dim : parameter.dims) {
      const std::string factor = host.Of(*dim.expr, precedence::kProduct);
      // a * (b / c) may not be regrouped.
      const bool alone =
          !bytes.empty() && factor.find_first_of("/%") != std::string::npos;
      bytes += (alone ? host.Of(*dim.expr, precedence::kProduct + 1) : factor) +
               " * ";
    }
    return bytes + size;
  }

  // An output whose sizes the host knows by name.
  bool HasPlainShape(const Parameter& parameter) const {
    return parameter.role == ParameterRole::kOut && !parameter.list &&
           std::all_of(
               parameter.dims.begin(), parameter.dims.end(),
               [](const typed::ParameterDim& dim) { return dim.pack.empty(); });
  }

  // Sizes of elements that the lines of main need and the tiling does not say.
  void ElementSizes(const Text& tiling, Text& text) const {
    std::set<std::string> said;
    for (const Parameter* output : OutputsOf(kernel_)) {
      const std::string size = SizeOf(*output);
      if (!size.ends_with("_size") || Mentions(tiling, size)) continue;
      if (!said.insert(size).second) continue;
      const auto found = std::find(kernel_.dtypes.begin(), kernel_.dtypes.end(),
                                   output->type.element.variable);
      text.Statement(fmt::format(
          "const int64_t {} = {};", size,
          SizeByDtype(compiled_,
                      static_cast<size_t>(found - kernel_.dtypes.begin()))));
    }
  }

  void Upload(const Parameter& parameter, Text& text) const {
    const std::string name = LegalName(parameter.name);
    const bool output = parameter.role == ParameterRole::kOut;
    if (!parameter.list) {
      const std::string from = ArgumentText(kernel_, parameter.name);
      const std::string memory =
          output ? fmt::format("Allocated({})", Bytes(parameter))
          : parameter.optional
              ? fmt::format("{0}.file.empty() ? nullptr : Upload({0})", from)
              : fmt::format("Upload({})", from);
      text.Statement(fmt::format("GM_ADDR {} = {};", name, memory));
      return;
    }
    text.Statement(fmt::format("std::vector<GM_ADDR> {}_tensors;", name));
    text.Statement(fmt::format("for (size_t i = 0; i < {}.size(); ++i) {{",
                               DimsName(parameter)));
    text.Statement(fmt::format(
        "{}_tensors.push_back({});", name,
        output ? fmt::format("Allocated({})", Bytes(parameter))
               : fmt::format("Upload({})",
                             ArgumentText(kernel_, parameter.name, "i"))));
    text.Close();
    text.Statement(fmt::format("GM_ADDR {0} = ListOf({0}_tensors, {1});", name,
                               DimsName(parameter)));
  }

  void Download(const Parameter& parameter, Text& text) const {
    const std::string name = LegalName(parameter.name);
    const std::string dims = DimsName(parameter);
    if (!parameter.list) {
      std::string bytes = Bytes(parameter);
      for (const auto& [index, output] : OpenOutputs(kernel_)) {
        if (output != &parameter) continue;
        bytes = SizeOf(parameter);
        for (size_t i = 0; i < output->dims.size(); ++i) {
          bytes += fmt::format(" * words[{}]", index * kShapeWords + 1 + i);
        }
      }
      const std::string last =
          parameter.role == ParameterRole::kInOut
              ? fmt::format("Count(call, \"{}\") - 1", parameter.name)
              : "0";
      text.Statement(fmt::format("Download({}, {}, {});",
                                 ArgumentText(kernel_, parameter.name, last),
                                 name, bytes));
      return;
    }
    text.Statement(
        fmt::format("for (size_t i = 0; i < {}.size(); ++i) {{", dims));
    const std::string number = parameter.role == ParameterRole::kInOut
                                   ? fmt::format("i + {}.size()", dims)
                                   : "i";
    text.Statement(fmt::format("Download({}, {}_tensors[i], {});",
                               ArgumentText(kernel_, parameter.name, number),
                               name, Bytes(parameter)));
    text.Close();
  }

  // "softmax_1<half><<<…>>>(x, y, tiling);", with `types` for dtypes.
  std::string LaunchOf(const ClassGroup& group, const ClassInstance& instance,
                       const std::vector<std::string>& types) const {
    std::vector<std::string> own;
    for (const size_t variable : group.parameters) {
      own.push_back(types[variable]);
    }
    std::string arguments;
    for (const std::string& argument : InitParameters(group)) {
      arguments += argument + ", ";
    }
    if (group.stores_shapes) arguments += "shapes, ";
    return fmt::format(
        "{}{}<<<blocks, nullptr, stream>>>({}tiling);", EntryName(group),
        TemplateArguments(group, own, instance.flags), arguments);
  }

  // All launches of one choice of dtypes, by key.
  Text LaunchesOf(const std::vector<DType>& dtypes,
                  const std::vector<std::string>& types) const {
    Text text;
    for (const ClassGroup& group : classes_.groups) {
      for (const ClassInstance& instance : group.instances) {
        if (instance.variant->dtypes != dtypes) continue;
        const std::string launch = LaunchOf(group, instance, types);
        if (classes_.keys == 1) {
          text.Statement(launch);
          continue;
        }
        text.Statement(fmt::format("if (key == {}) {{", instance.key));
        text.Statement(launch);
        text.Close();
      }
    }
    return text;
  }

  // Dtypes that have the same launches, but for the types, share a function.
  void Launch(const std::vector<std::string>& arguments, Text& text) {
    const std::vector<DtypeChoice> choices = ChoicesOf(compiled_);
    std::vector<std::string> names;
    for (const DtypeVariable* variable : kernel_.dtypes) {
      names.push_back(LegalName(variable->name));
    }
    const auto types_of = [](const DtypeChoice& choice) {
      std::vector<std::string> types;
      for (const DType dtype : choice.dtypes) types.push_back(TypeName(dtype));
      return types;
    };
    const Text general = LaunchesOf(choices[0].dtypes, names);
    const bool alike =
        choices.size() > 1 && classes_.keys > 1 &&
        std::all_of(choices.begin(), choices.end(), [&](const auto& choice) {
          return Laid(LaunchesOf(choice.dtypes, names).lines()) ==
                 Laid(general.lines());
        });
    for (const DtypeChoice& choice : choices) {
      const std::vector<std::string> types = types_of(choice);
      if (choices.size() == 1) {
        text.Append(LaunchesOf(choice.dtypes, types));
        return;
      }
      text.Statement(
          fmt::format("if ({}) {{",
                      DtypeCondition(kernel_, {choice.dtypes}, Road::kSource)));
      if (alike) {
        text.Statement(fmt::format("Launch<{}>(key, blocks, stream, {});",
                                   fmt::join(types, ", "),
                                   fmt::join(arguments, ", ")));
      } else {
        text.Append(LaunchesOf(choice.dtypes, types));
      }
      text.Close();
    }
    if (!alike) return;
    launch_.Declaration(
        fmt::format("template <typename {}>", fmt::join(names, ", typename ")));
    std::string parameters;
    for (const std::string& argument : arguments) {
      parameters += argument == "tiling"
                        ? fmt::format(", const {}& tiling", TilingType(kernel_))
                        : ", GM_ADDR " + argument;
    }
    launch_.Declaration(
        fmt::format("void Launch(uint64_t key, int64_t blocks, aclrtStream "
                    "stream{}) {{",
                    parameters));
    launch_.Append(general);
    launch_.Close();
    launch_.Blank();
  }

  // Dtypes that no launch is for.
  void RefuseOtherDtypes(Text& text) const {
    std::vector<std::vector<DType>> known;
    for (const DtypeChoice& choice : ChoicesOf(compiled_)) {
      known.push_back(choice.dtypes);
    }
    if (known.size() < 2) return;
    text.Statement(fmt::format(
        "if (!({})) return Refused(\"no kernel has these dtypes\");",
        DtypeCondition(kernel_, known, Road::kSource)));
  }

  Text Main() {
    tiling_ = PrintTiling(compiled_, fields_, VariantsByClass(classes_),
                          Road::kSource);
    needs_ = tiling_.needs;
    const Text checks = ShapeChecks(kernel_, needs_, Road::kSource);
    for (const Parameter* output : OutputsOf(kernel_)) {
      if (HasPlainShape(*output)) {
        HostText host(kernel_, {});
        for (const typed::ParameterDim& dim : output->dims) host.Of(*dim.expr);
        needs_.Add(host.needs());
      } else {
        needs_.helpers.insert(HostHelper::kProduct);
        needs_.shapes.insert(output);
      }
    }
    const std::vector<std::string> tensors = UsedTensors();
    for (const Parameter* parameter : kernel_.parameters) {
      const bool used = std::find(tensors.begin(), tensors.end(),
                                  parameter->name) != tensors.end();
      if (parameter->list && used) needs_.shapes.insert(parameter);
    }
    const Text prologue = PrintPrologue(kernel_, needs_, HostPlace::kMain);

    Text text;
    RefuseOtherDtypes(text);
    text.Append(checks);
    text.Statement(
        "const auto* npu = "
        "platform_ascendc::PlatformAscendCManager::GetInstance();");
    text.Statement("const int64_t core_count = npu->GetCoreNumAiv();");
    text.Statement("uint64_t ub_size = 0;");
    text.Statement(
        "npu->GetCoreMemSize(platform_ascendc::CoreMemType::UB, ub_size);");
    text.Statement(fmt::format("{} tiling{{}};", TilingType(kernel_)));
    text.Append(WithoutPointer(tiling_.body));
    ElementSizes(tiling_.body, text);
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
    std::vector<std::string> arguments = tensors;
    for (std::string& name : arguments) name = LegalName(name);
    if (uses_workspace) arguments.emplace_back("workspace");
    if (!OpenOutputs(kernel_).empty()) arguments.emplace_back("shapes");
    arguments.emplace_back("tiling");
    Launch(arguments, text);
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

    Text run;
    run.Declaration("int Run(Call call) {");
    run.Append(prologue);
    for (const DtypeVariable* variable : kernel_.dtypes) {
      const std::string name = LegalName(variable->name);
      if (!Mentions(text, name)) continue;
      run.Statement(fmt::format(
          "const std::string {} = {}.dtype;", name,
          ArgumentText(kernel_, CarrierOf(kernel_, *variable).name)));
    }
    run.Append(text);
    run.Close();
    return run;
  }

  // The tiling data is a variable of main.
  static Text WithoutPointer(const Text& tiling) {
    constexpr std::string_view kPointer = "tiling->";
    std::vector<Line> lines = tiling.lines();
    for (Line& line : lines) {
      for (size_t at = line.text.find(kPointer); at != std::string::npos;
           at = line.text.find(kPointer, at)) {
        line.text.replace(at, kPointer.size(), "tiling.");
      }
    }
    Text text;
    text.AppendLines(lines);
    return text;
  }

  const Compiled& compiled_;
  const typed::Kernel& kernel_;
  KernelClasses classes_;
  TilingFields fields_;
  TilingText tiling_;
  HostNeeds needs_;
  Text launch_;  // a function of it, if dtypes share one
};

}  // namespace

std::string PrintSource(const Compiled& compiled) {
  return Laid(SourceWriter(compiled).Print().lines());
}

}  // namespace belay::crux::print
