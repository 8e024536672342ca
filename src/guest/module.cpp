// SPDX-License-Identifier: Apache-2.0
#include "guest/module.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>

#include "base/error.h"

namespace belay::guest {
namespace {

// Address range of the object loaded at `image.base`.
int MeasureImage(dl_phdr_info* info, size_t, void* argument) {
  auto& image = *static_cast<runtime::GuestModule*>(argument);
  if (info->dlpi_addr != image.base) return 0;
  image.low = UINT64_MAX;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const uint64_t start = info->dlpi_addr + segment.p_vaddr;
    image.low = std::min(image.low, start);
    image.high = std::max(image.high, start + segment.p_memsz);
  }
  return 1;
}

}  // namespace

LoadedModule LoadModule(const std::string& path) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) {
    throw UserError(fmt::format("[load] {}", dlerror()));
  }
  link_map* map = nullptr;
  dlinfo(handle, RTLD_DI_LINKMAP, &map);
  LoadedModule module;
  module.image.path = path;
  module.image.base = map->l_addr;
  dl_iterate_phdr(MeasureImage, &module.image);
  runtime::RegisterGuestModule(module.image);
  if (dlsym(handle, runtime::kSeparateVariablesSymbol) != nullptr) {
    runtime::Fiber::SeparateVariables();
  }
  module.main = reinterpret_cast<decltype(module.main)>(
      dlsym(handle, "belay_guest_main"));
  module.kernels = static_cast<const abi::KernelRecord*>(
      dlsym(handle, abi::kKernelTableSymbol));
  return module;
}

}  // namespace belay::guest
