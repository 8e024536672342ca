// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/platform.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>

#include "runtime/device.h"

namespace belay::runtime {
namespace {

struct KnownChip {
  npu::ChipSpec spec;
  abi::HostPlatform platform;
};

const KnownChip* in_use = nullptr;

std::string Lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return std::tolower(letter); });
  return text;
}

template <size_t size>
void CopyText(const std::string& text, char (&to)[size]) {
  to[text.copy(to, size - 1)] = '\0';
}

abi::HostPlatform FromSpec(const npu::ChipSpec& spec) {
  abi::HostPlatform platform{};
  CopyText(spec.soc_name, platform.soc_name);
  CopyText(spec.short_soc_name, platform.short_name);
  platform.architecture = spec.architecture;
  platform.cube_cores = spec.cube_cores;
  platform.vector_cores = spec.vector_cores;
  platform.clock_mhz = spec.clock_mhz;
  platform.ub_bytes = spec.BytesOf(abi::Memory::kUb);
  platform.l1_bytes = spec.BytesOf(abi::Memory::kL1);
  platform.l0a_bytes = spec.BytesOf(abi::Memory::kL0a);
  platform.l0b_bytes = spec.BytesOf(abi::Memory::kL0b);
  platform.l0c_bytes = spec.BytesOf(abi::Memory::kL0c);
  platform.bt_bytes = spec.BytesOf(abi::Memory::kBt);
  platform.fb_bytes = spec.BytesOf(abi::Memory::kFb);
  platform.gm_bytes = spec.BytesOf(abi::Memory::kGm);
  platform.l2_bytes = spec.l2_bytes;
  platform.l2_rate = spec.l2_rate;
  platform.gm_rate = spec.gm_rate;
  platform.system_workspace_bytes = spec.system_workspace_bytes;
  return platform;
}

// Addresses stay: host code keeps pointers.
const KnownChip& Known(const std::string& chip) {
  static std::map<std::string, std::unique_ptr<KnownChip>> known;
  std::unique_ptr<KnownChip>& entry = known[chip];
  if (entry == nullptr) {
    try {
      npu::ChipSpec spec = npu::LoadChip(chip);
      const abi::HostPlatform platform = FromSpec(spec);
      entry = std::make_unique<KnownChip>(KnownChip{std::move(spec), platform});
    } catch (...) {
      known.erase(chip);
      throw;
    }
  }
  return *entry;
}

const KnownChip& Current() {
  if (in_use != nullptr) return *in_use;
  const Device* device = Device::Get();
  return Known(device == nullptr ? npu::kDefaultChip : device->options().chip);
}

// The one in use comes first, so that the name of a family means it.
const abi::HostPlatform* FindByName(const std::string& name) {
  const std::string wanted = Lower(name);
  const auto has_name = [&](const abi::HostPlatform& platform) {
    return Lower(platform.soc_name) == wanted ||
           ConfigNameOf(platform) == wanted;
  };
  if (has_name(Current().platform)) return &Current().platform;
  for (const std::string& chip : npu::KnownChips()) {
    const abi::HostPlatform& platform = Known(chip).platform;
    if (chip == wanted || has_name(platform)) return &platform;
  }
  return nullptr;
}

}  // namespace

const abi::HostPlatform& UsePlatform(const std::string& chip) {
  in_use = &Known(chip);
  return in_use->platform;
}

const npu::ChipSpec& ChipInUse() { return Current().spec; }

std::string ConfigNameOf(const abi::HostPlatform& platform) {
  return Lower(platform.short_name);
}

}  // namespace belay::runtime

extern "C" const belay::abi::HostPlatform* belay_host_platform(
    const char* soc) {
  return soc == nullptr ? &belay::runtime::Current().platform
                        : belay::runtime::FindByName(soc);
}
