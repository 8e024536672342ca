// SPDX-License-Identifier: Apache-2.0
// op_kernel/NAME.cpp.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "crux/print/dtype_text.h"
#include "crux/print/host_prologue.h"
#include "crux/print/names.h"
#include "crux/print/project.h"

namespace belay::crux::print {
namespace {

constexpr std::string_view kAlone = "KERNEL_TYPE_AIV_ONLY";
constexpr std::string_view kTogether = "KERNEL_TYPE_MIX_AIV_1_0";

std::string EntryParameters(const typed::Kernel& kernel) {
  std::vector<std::string> parameters;
  for (const typed::Parameter* input : InputsOf(kernel)) {
    parameters.push_back("GM_ADDR " + LegalName(input->name));
  }
  for (const typed::Parameter* output : OutputsOf(kernel)) {
    const bool in_place = output->role == typed::ParameterRole::kInOut;
    parameters.push_back("GM_ADDR " + LegalName(output->name) +
                         (in_place ? "_out" : ""));
  }
  if (!OpenOutputs(kernel).empty()) parameters.push_back("GM_ADDR shapes");
  parameters.push_back("GM_ADDR workspace");
  parameters.push_back("GM_ADDR tiling");
  return fmt::format("{}", fmt::join(parameters, ", "));
}

std::string InitCall(const ClassGroup& group) {
  std::vector<std::string> arguments = InitParameters(group);
  for (std::string& argument : arguments) {
    if (argument == "workspace") {
      argument = "GetUserWorkspace(workspace)";
    }
  }
  arguments.emplace_back("&tiling_data");
  arguments.emplace_back("&pipe");
  return fmt::format("op.Init({});", fmt::join(arguments, ", "));
}

// What one key runs for some choices of dtypes.
struct Run {
  const ClassGroup* group = nullptr;
  std::vector<bool> flags;
  std::vector<std::vector<DType>> choices;
};

std::vector<Run> RunsOf(const KernelClasses& classes, int key) {
  std::vector<Run> runs;
  for (const ClassGroup& group : classes.groups) {
    for (const ClassInstance& instance : group.instances) {
      if (instance.key != key) continue;
      auto run = std::find_if(runs.begin(), runs.end(), [&](const Run& one) {
        return one.group == &group && one.flags == instance.flags;
      });
      if (run == runs.end()) {
        runs.push_back({&group, instance.flags, {}});
        run = runs.end() - 1;
      }
      run->choices.push_back(instance.variant->dtypes);
    }
  }
  return runs;
}

// The class for the column at hand: DTYPE_X where it is a template.
std::string ColumnInstance(const typed::Kernel& kernel, const Run& run) {
  std::vector<std::string> types;
  for (const size_t variable : run.group->parameters) {
    std::string name = CarrierOf(kernel, *kernel.dtypes[variable]).name;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return std::toupper(c); });
    types.push_back("DTYPE_" + name);
  }
  return run.group->name + TemplateArguments(*run.group, types, run.flags);
}

constexpr std::string_view kRunMacro = "RUN_KERNEL";

// What all keys do with their class, as a macro: lines of its definition.
std::vector<std::string> RunMacro(const ClassGroup& group) {
  Text body;
  body.Statement("{");
  body.Statement("__VA_ARGS__ op;");
  body.Statement(InitCall(group));
  body.Statement("op.Process();");
  if (group.stores_shapes) body.Statement("op.StoreShapes(shapes);");
  body.Close();
  // They leave room for " \\" at the end.
  constexpr size_t kRoom = 2;
  std::vector<Line> lines = body.lines();
  for (Line& line : lines) line.indent += 2 + static_cast<int>(kRoom);
  std::vector<std::string> result = {fmt::format("#define {}(...)", kRunMacro)};
  std::istringstream laid(Laid(lines));
  for (std::string line; std::getline(laid, line);) {
    result.push_back(line.substr(kRoom));
  }
  size_t width = 0;
  for (const std::string& line : result) width = std::max(width, line.size());
  for (size_t i = 0; i + 1 < result.size(); ++i) {
    result[i] += std::string(width - result[i].size() + 1, ' ') + "\\";
  }
  return result;
}

// Whether keys differ in their class alone and are so many that a macro that
// runs one is shorter.
bool IsMacroShorter(const KernelClasses& classes, size_t choices) {
  constexpr int kFewKeys = 3;
  if (classes.keys <= kFewKeys) return false;
  const ClassGroup& first = classes.groups[0];
  for (int key = 1; key <= classes.keys; ++key) {
    const std::vector<Run> runs = RunsOf(classes, key);
    if (runs.size() != 1 || runs[0].choices.size() < choices ||
        runs[0].group->syncs_all != first.syncs_all ||
        runs[0].group->stores_shapes != first.stores_shapes ||
        InitCall(*runs[0].group) != InitCall(first)) {
      return false;
    }
  }
  return true;
}

void PrintKey(const typed::Kernel& kernel, int key,
              const std::vector<Run>& runs, std::string_view task_type,
              size_t choices, Text& text) {
  if (!task_type.empty()) {
    text.Statement(fmt::format("KERNEL_TASK_TYPE({}, {});", key, task_type));
  }
  size_t covered = 0;
  for (const Run& run : runs) covered += run.choices.size();
  for (size_t i = 0; i < runs.size(); ++i) {
    const Run& run = runs[i];
    const bool last = i + 1 == runs.size() && covered == choices;
    if (runs.size() > 1 || covered < choices) {
      if (last) {
        text.Directive("#else");
      } else {
        text.Directive((i == 0 ? "#if " : "#elif ") +
                       DtypeDirective(kernel, run.choices));
      }
    }
    text.Statement(ColumnInstance(kernel, run) + " op;");
    text.Statement(InitCall(*run.group));
    text.Statement("op.Process();");
    if (run.group->stores_shapes) text.Statement("op.StoreShapes(shapes);");
  }
  if (runs.size() > 1 || covered < choices) text.Directive("#endif");
}

}  // namespace

Text PrintKernelFile(const Compiled& compiled, const KernelClasses& classes) {
  const typed::Kernel& kernel = *compiled.kernel;
  Text text = FileHead(compiled, "AscendC");
  if (classes.helpers.contains(Helper::kInfinity) ||
      classes.helpers.contains(Helper::kNaN)) {
    text.Directive("#include <limits>");
    text.Blank();
  }
  std::vector<std::string> headers = {"kernel_operator",
                                      EntryOf(kernel) + "_tiling"};
  std::sort(headers.begin(), headers.end());
  for (const std::string& header : headers) {
    text.Directive(fmt::format("#include \"{}.h\"", header));
  }
  text.Blank();
  text.Directive("using namespace AscendC;");
  text.Blank();
  text.Append(HelperDefinitions(classes.helpers, false));
  text.Append(classes.functions);
  for (const ClassGroup& group : classes.groups) {
    text.Append(group.text);
    text.Blank();
  }

  const size_t choices = ChoicesOf(compiled).size();
  const bool by_macro = IsMacroShorter(classes, choices);
  if (by_macro) {
    for (const std::string& line : RunMacro(classes.groups[0])) {
      text.Directive(line);
    }
    text.Blank();
  }
  const bool all_sync =
      std::all_of(classes.groups.begin(), classes.groups.end(),
                  [](const ClassGroup& g) { return g.syncs_all; });
  text.Declaration(
      fmt::format("extern \"C\" __global__ __aicore__ void {}({}) {{",
                  EntryOf(kernel), EntryParameters(kernel)));
  text.Statement(fmt::format("KERNEL_TASK_TYPE_DEFAULT({});",
                             all_sync ? kTogether : kAlone));
  text.Statement(
      fmt::format("REGISTER_TILING_DEFAULT({});", TilingType(kernel)));
  text.Statement("GET_TILING_DATA(tiling_data, tiling);");
  text.Statement("TPipe pipe;");
  for (int key = 1; by_macro && key <= classes.keys; ++key) {
    const Run run = RunsOf(classes, key)[0];
    text.Statement(fmt::format("if (TILING_KEY_IS({})) {{", key));
    text.Statement(
        fmt::format("{}({});", kRunMacro, ColumnInstance(kernel, run)));
    text.Close();
  }
  for (int key = 1; !by_macro && key <= classes.keys; ++key) {
    const std::vector<Run> runs = RunsOf(classes, key);
    const bool syncs =
        std::any_of(runs.begin(), runs.end(),
                    [](const Run& run) { return run.group->syncs_all; });
    const std::string condition = fmt::format("if (TILING_KEY_IS({})) {{", key);
    if (key == 1) {
      text.Statement(condition);
    } else {
      text.Reopen("} else " + condition);
    }
    PrintKey(kernel, key, runs, syncs && !all_sync ? kTogether : "", choices,
             text);
  }
  if (!by_macro) text.Close();
  text.Close();
  return text;
}

}  // namespace belay::crux::print
