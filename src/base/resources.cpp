// SPDX-License-Identifier: Apache-2.0
#include "base/resources.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include "base/error.h"

namespace belay {

std::filesystem::path Resource(std::string_view relative) {
  namespace fs = std::filesystem;
  std::vector<fs::path> roots;
  if (const char* home = std::getenv("BELAY_HOME")) roots.emplace_back(home);
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) roots.push_back(program.parent_path() / "../share/belay");
  // In an ordinary program this code lies in libbelay.so.
  Dl_info object{};
  if (dladdr(reinterpret_cast<const void*>(&Resource), &object) != 0) {
    const fs::path library = fs::canonical(object.dli_fname, error);
    if (!error) roots.push_back(library.parent_path() / "../share/belay");
  }
  roots.emplace_back(BELAY_SOURCE_DIR);
  for (const fs::path& root : roots) {
    const fs::path path = root / relative;
    if (fs::exists(path, error)) return path;
  }
  throw UserError(fmt::format(
      "[resources] '{}' is not where Belay was installed; set BELAY_HOME to "
      "the folder that holds it",
      relative));
}

}  // namespace belay
