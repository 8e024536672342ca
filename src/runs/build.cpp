// SPDX-License-Identifier: Apache-2.0
#include "runs/build.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "base/resources.h"
#include "bench/hash.h"
#include "runs/atomic_file.h"

namespace belay::runs {
namespace fs = std::filesystem;
namespace {

std::string HashOfFolder(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry :
       fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::string all;
  for (const fs::path& file : files) {
    all +=
        bench::HashOf({fs::relative(file, folder).string(), ReadWhole(file)});
  }
  return bench::HashOf({all});
}

std::string HashOfBuild() {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  std::string all = bench::HashOf({ReadWhole("/proc/self/exe")});
  for (const char* folder : {".", "../lib"}) {
    const fs::path plugin =
        program.parent_path() / folder / "libbelay_torch.so";
    if (fs::exists(plugin)) all += bench::HashOf({ReadWhole(plugin)});
  }
  for (const char* folder : {"include", "data"}) {
    all += HashOfFolder(Resource(folder));
  }
  return bench::HashOf({all});
}

}  // namespace

const std::string& BelayBuild() {
  static const std::string build = HashOfBuild();
  return build;
}

}  // namespace belay::runs
