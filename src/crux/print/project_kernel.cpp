// SPDX-License-Identifier: Apache-2.0
// op_kernel/NAME.cpp.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

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

std::string InitCall(const PrintedClass& printed) {
  std::vector<std::string> arguments = InitParameters(printed);
  for (std::string& argument : arguments) {
    if (argument == "workspace") {
      argument = "GetUserWorkspace(workspace)";
    }
  }
  arguments.push_back("&tiling_data");
  arguments.push_back("&pipe");
  return fmt::format("op.Init({});", fmt::join(arguments, ", "));
}

// The class for the column at hand: DTYPE_X where it is a template.
std::string ColumnInstance(const typed::Kernel& kernel,
                           const ClassGroup& group) {
  if (group.parameters.empty()) return group.printed.name;
  std::vector<std::string> types;
  for (const size_t variable : group.parameters) {
    std::string name = CarrierOf(kernel, *kernel.dtypes[variable]).name;
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return std::toupper(c); });
    types.push_back("DTYPE_" + name);
  }
  return fmt::format("{}<{}>", group.printed.name, fmt::join(types, ", "));
}

void PrintKey(const typed::Kernel& kernel,
              const std::vector<const ClassGroup*>& groups,
              std::string_view task_type, size_t choices, Text& text) {
  const int key = groups[0]->key;
  if (!task_type.empty()) {
    text.Statement(fmt::format("KERNEL_TASK_TYPE({}, {});", key, task_type));
  }
  size_t covered = 0;
  for (const ClassGroup* group : groups) covered += group->choices.size();
  for (size_t i = 0; i < groups.size(); ++i) {
    const ClassGroup& group = *groups[i];
    const bool last = i + 1 == groups.size() && covered == choices;
    if (groups.size() > 1 || covered < choices) {
      if (last) {
        text.Directive("#else");
      } else {
        text.Directive((i == 0 ? "#if " : "#elif ") +
                       DtypeDirective(kernel, group.choices));
      }
    }
    text.Statement(ColumnInstance(kernel, group) + " op;");
    text.Statement(InitCall(group.printed));
    text.Statement("op.Process();");
    if (group.printed.stores_shapes) {
      text.Statement("op.StoreShapes(shapes);");
    }
  }
  if (groups.size() > 1 || covered < choices) text.Directive("#endif");
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
                                      kernel.name + "_tiling"};
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
    text.Append(group.printed.text);
    text.Blank();
  }

  const bool all_sync =
      std::all_of(classes.groups.begin(), classes.groups.end(),
                  [](const ClassGroup& g) { return g.printed.syncs_all; });
  text.Declaration(
      fmt::format("extern \"C\" __global__ __aicore__ void {}({}) {{",
                  kernel.name, EntryParameters(kernel)));
  text.Statement(fmt::format("KERNEL_TASK_TYPE_DEFAULT({});",
                             all_sync ? kTogether : kAlone));
  text.Statement(
      fmt::format("REGISTER_TILING_DEFAULT({});", TilingType(kernel)));
  text.Statement("GET_TILING_DATA(tiling_data, tiling);");
  text.Statement("TPipe pipe;");
  const size_t choices = ChoicesOf(compiled).size();
  const int keys = classes.groups.back().key;
  for (int key = 1; key <= keys; ++key) {
    std::vector<const ClassGroup*> groups;
    bool syncs = false;
    for (const ClassGroup& group : classes.groups) {
      if (group.key != key) continue;
      groups.push_back(&group);
      syncs |= group.printed.syncs_all;
    }
    const std::string condition = fmt::format("if (TILING_KEY_IS({})) {{", key);
    if (key == 1) {
      text.Statement(condition);
    } else {
      text.Reopen("} else " + condition);
    }
    PrintKey(kernel, groups, syncs && !all_sync ? kTogether : "", choices,
             text);
  }
  text.Close();
  text.Close();
  return text;
}

}  // namespace belay::crux::print
