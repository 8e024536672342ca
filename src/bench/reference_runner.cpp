// SPDX-License-Identifier: Apache-2.0
#include "bench/reference_runner.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "bench/reference_text.h"

namespace belay::bench {
namespace {

namespace fs = std::filesystem;

using MakeRunner = ReferenceRunner* (*)(const Task*);

// The plugin lies beside the program or below the lib folder beside it, and
// for programs of the build tree where it was built.
fs::path FindPlugin() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path folder = program.parent_path();
  for (const fs::path& place :
       {folder / "libbelay_torch.so", folder / "../lib/libbelay_torch.so",
        fs::path(BELAY_TORCH_PLUGIN)}) {
    if (fs::exists(place, error)) return place;
  }
  throw UserError(fmt::format(
      "[tasks] libbelay_torch.so, which runs references, is neither beside "
      "the program nor in {}; build the target belay_torch",
      (folder / "../lib").lexically_normal().string()));
}

MakeRunner LoadPlugin() {
  // One thread, so that sums are made in one order.
  setenv("OPENBLAS_NUM_THREADS", "1", 0);
  setenv("OMP_NUM_THREADS", "1", 0);
  const fs::path plugin = FindPlugin();
  void* library = dlopen(plugin.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw UserError(fmt::format("[tasks] {} cannot be loaded: {}",
                                plugin.string(), dlerror()));
  }
  void* entry = dlsym(library, "belay_make_reference_runner");
  if (entry == nullptr) {
    throw InternalError("the torch plugin has no entry");
  }
  return reinterpret_cast<MakeRunner>(entry);
}

}  // namespace

std::unique_ptr<ReferenceRunner> MakeReferenceRunner(const Task& task) {
  static const MakeRunner kMake = LoadPlugin();
  return std::unique_ptr<ReferenceRunner>(kMake(&task));
}

Arguments RoundToDeclared(const Task& task, const Case& one_case,
                          const Arguments& golden) {
  Arguments rounded = golden;
  for (size_t i = 0; i < task.outputs.size(); ++i) {
    const DType dtype = DTypeOf(task.outputs[i].dtype, one_case);
    for (Array& array : rounded[i].tensors) array = RoundTo(array, dtype);
  }
  return rounded;
}

}  // namespace belay::bench
