// SPDX-License-Identifier: Apache-2.0
#include "library/guest_modules.h"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "runtime/guest_memory.h"

namespace belay::library {
namespace {

using runtime::GuestModule;

// Path of the running program; the loader names it "".
std::string ProgramPath() {
  std::array<char, 4096> path;
  const ssize_t length = readlink("/proc/self/exe", path.data(), path.size());
  return length <= 0 ? std::string() : std::string(path.data(), length);
}

GuestModule Measure(const dl_phdr_info& info) {
  GuestModule module;
  module.path = info.dlpi_name[0] == '\0' ? ProgramPath() : info.dlpi_name;
  module.base = info.dlpi_addr;
  module.low = UINT64_MAX;
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    const uint64_t start = info.dlpi_addr + segment.p_vaddr;
    module.low = std::min(module.low, start);
    module.high = std::max(module.high, start + segment.p_memsz);
  }
  return module;
}

int Register(dl_phdr_info* info, size_t, void* loaded_before) {
  auto& known = *static_cast<unsigned long long*>(loaded_before);
  if (known == info->dlpi_adds) return 1;
  const GuestModule module = Measure(*info);
  const bool is_this_library =
      module.Owns(reinterpret_cast<uint64_t>(&RegisterLoadedModules));
  if (module.low < module.high && !is_this_library &&
      runtime::FindGuestModule(module.low) == nullptr) {
    runtime::RegisterGuestModule(module);
  }
  return 0;
}

}  // namespace

void RegisterLoadedModules() {
  static unsigned long long loaded = 0;
  dl_iterate_phdr(Register, &loaded);
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* known) {
        *static_cast<unsigned long long*>(known) = info->dlpi_adds;
        return 1;
      },
      &loaded);
}

}  // namespace belay::library
