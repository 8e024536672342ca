// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_PLATFORM_PLATFORM_INFO_H_
#define BELAY_PLATFORM_PLATFORM_INFO_H_

// fe::PlatFormInfos and fe::PlatformInfoManager: what host code may know of
// the chip, read from Belay's chip files.

#include <stdint.h>

#include <map>
#include <string>

#include "belay/op_host.h"
#include "platform/platform_infos_def.h"

namespace fe {

// The chip in use; there is one in a process.
class PlatformInfoManager {
 public:
  static PlatformInfoManager& Instance() {
    static PlatformInfoManager manager;
    return manager;
  }
  static PlatformInfoManager& GeInstance() { return Instance(); }

  // 0 is success, everywhere here.
  uint32_t InitializePlatformInfo() { return 0; }
  uint32_t Finalize() { return 0; }

  uint32_t GetPlatformInfos(const std::string& soc, PlatFormInfos& infos,
                            OptionalInfos& optional) {
    const belay::abi::HostPlatform* platform = belay_host_platform(soc.c_str());
    if (platform == nullptr) return kFailed;
    infos = PlatFormInfos(platform);
    optional.SetSocVersion(platform->soc_name);
    optional.SetAICoreNum(static_cast<uint32_t>(platform->cube_cores));
    return 0;
  }
  uint32_t GetPlatformInfoWithOutSocVersion(PlatFormInfos& infos,
                                            OptionalInfos& optional) {
    return GetPlatformInfos(belay_host_platform(nullptr)->soc_name, infos,
                            optional);
  }

  uint32_t GetPlatformInfo(const std::string& soc, PlatformInfo& info,
                           OptionalInfo& optional) {
    const belay::abi::HostPlatform* platform = belay_host_platform(soc.c_str());
    if (platform == nullptr) return kFailed;
    info = PlatformInfo(*platform);
    optional.soc_version = platform->soc_name;
    optional.core_type = "AiCore";
    optional.ai_core_num = static_cast<uint32_t>(platform->cube_cores);
    return 0;
  }
  uint32_t GetPlatformInfoWithOutSocVersion(PlatformInfo& info,
                                            OptionalInfo& optional) {
    return GetPlatformInfo(belay_host_platform(nullptr)->soc_name, info,
                           optional);
  }

 private:
  static constexpr uint32_t kFailed = 0xFFFFFFFF;
};

}  // namespace fe

#endif  // BELAY_PLATFORM_PLATFORM_INFO_H_
