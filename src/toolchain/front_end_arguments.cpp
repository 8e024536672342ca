// SPDX-License-Identifier: Apache-2.0
#include "toolchain/front_end_arguments.h"

#include "toolchain/host_compiler.h"

namespace belay::toolchain {
namespace {

void Append(std::vector<std::string>& list,
            std::initializer_list<std::string> more) {
  list.insert(list.end(), more);
}

}  // namespace

std::vector<std::string> FrontEndArguments(const CompileOptions& options,
                                           const FrontEndInput& input,
                                           bool use_precompiled_header) {
  std::vector<std::string> list = FindHostCompiler().arguments;
  // Kernel and host code may call each other as far as the parser goes; what
  // kernels really call is judged on the module, where it is known.
  Append(list, {"--hipstdpar", "-fcuda-allow-variadic-functions"});
  // Every operation on half rounds.
  Append(list, {"-ffloat16-excess-precision=none",
                "-fmodules-validate-system-headers",
                "-fpch-instantiate-templates", "-disable-lifetime-markers"});
  // __ubuf__ is an attribute and stands in casts too, where it says nothing.
  list.push_back("-Wno-ignored-attributes");
  // f.template g(x) without a list of arguments, as older compilers take it.
  list.push_back("-Wno-missing-template-arg-list-after-template-kw");
  // Calls in kernels must stay what the source says, so the C library must not
  // define its functions inline.
  list.push_back("-D__NO_INLINE__=1");
  for (const std::string& definition : ChipDefinitions(options.core))
    list.push_back(definition);
  for (const std::string& define : options.defines)
    list.push_back("-D" + define);
  for (const std::string& directory : options.include_dirs)
    Append(list, {"-I", directory});
  Append(list, {"-isystem", options.headers});
  if (use_precompiled_header)
    Append(list, {"-include-pch", options.precompiled_header});
  Append(list, {"-include", options.headers + "/belay/launch.h"});
  if (!options.prelude.empty()) Append(list, {"-include", kPreludeFile});
  if (!input.output.empty()) Append(list, {"-o", input.output});
  Append(list, {"-x", input.language, input.file});
  return list;
}

std::vector<std::string> ChipDefinitions(CoreType core) {
  std::vector<std::string> list = {"-D__BELAY__=1", "-D__NPU_ARCH__=2201",
                                   "-D__DAV_C220__", "-D__CCE__=1",
                                   "-D__CCE_AICORE__=220"};
  // __BELAY_CORE__ has a value for each, so that a precompiled header of the
  // other core is refused.
  if (core == CoreType::kVector) {
    Append(list, {"-D__DAV_C220_VEC__", "-D__BELAY_CORE__=1"});
  } else {
    Append(list, {"-D__DAV_C220_CUBE__", "-D__BELAY_CORE__=2"});
  }
  return list;
}

}  // namespace belay::toolchain
