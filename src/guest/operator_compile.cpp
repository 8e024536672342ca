// SPDX-License-Identifier: Apache-2.0
#include "guest/operator_compile.h"

#include <filesystem>
#include <fstream>
#include <iterator>

#include "guest/compile_child.h"

namespace belay::guest {
namespace fs = std::filesystem;

toolchain::CompileOptions HostCompileOptions(const OperatorProject& project) {
  toolchain::CompileOptions compile = DefaultHostCompileOptions();
  compile.sources = project.host_sources;
  compile.include_dirs = project.include_dirs;
  return compile;
}

toolchain::CompileOptions KernelCompileOptions(const OperatorProject& project,
                                               const std::string& source,
                                               const std::string& prelude) {
  toolchain::CompileOptions compile = DefaultCompileOptions();
  compile.sources = {source};
  compile.include_dirs = project.include_dirs;
  compile.defines = {"__BELAY_KERNEL_TU__", "ASCENDC_CPU_DEBUG"};
  if (!prelude.empty()) compile.defines.push_back("__BELAY_PROJECT_TILING__");
  compile.prelude = prelude;
  return compile;
}

bool UsesOrigTypes(const std::string& source) {
  for (const auto& entry : fs::recursive_directory_iterator(
           fs::path(source).parent_path(),
           fs::directory_options::skip_permission_denied)) {
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file() ||
        (extension != ".cpp" && extension != ".h" && extension != ".hpp" &&
         extension != ".cc" && extension != ".cxx" && extension != ".asc")) {
      continue;
    }
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    if (text.find("ORIG_DTYPE_") != std::string::npos ||
        text.find("FORMAT_") != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace belay::guest
