// SPDX-License-Identifier: Apache-2.0
#include "rewrite/launch_functions.h"

#include <fmt/format.h>

namespace belay::rewrite {
namespace {

// Host code knows device addresses as plain pointers.
bool IsDeviceAddress(const KernelParameter& parameter) {
  return parameter.type.find("GM_ADDR") != std::string::npos ||
         parameter.type.find("__gm__") != std::string::npos;
}

// "uint32_t aclrtlaunch_k(uint32_t numBlocks, void* stream, void* a0, …)"
std::string Signature(const Kernel& kernel) {
  std::string text = fmt::format(
      "uint32_t aclrtlaunch_{}(uint32_t numBlocks, void* stream", kernel.name);
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const KernelParameter& parameter = kernel.parameters[i];
    text += fmt::format(
        ", {} a{}", IsDeviceAddress(parameter) ? "void*" : parameter.type, i);
  }
  return text + ")";
}

}  // namespace

bool HasLaunchFunction(const Kernel& kernel) {
  return kernel.is_defined && !kernel.is_template && !kernel.in_namespace;
}

std::string LaunchHeaderName(const Kernel& kernel) {
  return fmt::format("aclrtlaunch_{}.h", kernel.name);
}

std::string LaunchHeader(const Kernel& kernel) {
  return fmt::format(
      "#ifndef HEADER_ACLRTLAUNCH_{0}_H\n"
      "#define HEADER_ACLRTLAUNCH_{0}_H\n"
      "#include <stdint.h>\n"
      "#ifndef ACLRT_LAUNCH_KERNEL\n"
      "#define ACLRT_LAUNCH_KERNEL(kernel) aclrtlaunch_##kernel\n"
      "#endif\n"
      "#ifdef __cplusplus\n"
      "extern \"C\"\n"
      "#endif\n"
      "{1};\n"
      "#endif\n",
      kernel.name, Signature(kernel));
}

std::string LaunchFunction(const Kernel& kernel) {
  std::string arguments;
  for (size_t i = 0; i < kernel.parameters.size(); ++i) {
    const KernelParameter& parameter = kernel.parameters[i];
    arguments += fmt::format("{}{}a{}", i == 0 ? "" : ", ",
                             IsDeviceAddress(parameter)
                                 ? fmt::format("({})", parameter.type)
                                 : std::string(),
                             i);
  }
  return fmt::format(
      "extern \"C\" {} {{\n"
      "  ::belay::host::Prepare(\"{}\", \"{}\", "
      "[](::belay::host::Caller, auto... arguments) {{ "
      "{}(arguments...); }}, numBlocks, nullptr, stream)({});\n"
      "  return 0;\n"
      "}}\n",
      Signature(kernel), kernel.name, kernel.kind, kernel.name, arguments);
}

}  // namespace belay::rewrite
