// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_PLATFORM_PLATFORM_INFOS_DEF_H_
#define BELAY_PLATFORM_PLATFORM_INFOS_DEF_H_

// A chip as host code reads it: fe::PlatFormInfos, and the older plain structs
// fe::PlatformInfo and fe::OptionalInfo.

#include <stdint.h>

#include <string>

#include "belay/op_host.h"

namespace fe {

enum class LocalMemType {
  L0_A = 0,
  L0_B = 1,
  L0_C = 2,
  L1 = 3,
  L2 = 4,
  UB = 5,
  HBM = 6,
  FB = 7,
  BT = 8,
  RESERVED,
};

class PlatFormInfos {
 public:
  PlatFormInfos() : platform_(belay_host_platform(nullptr)) {}
  explicit PlatFormInfos(const belay::abi::HostPlatform* platform)
      : platform_(platform) {}

  bool Init() { return true; }

  uint32_t GetCoreNum() const {
    return static_cast<uint32_t>(platform_->cube_cores);
  }
  // "AiCore" or "VectorCore".
  uint32_t GetCoreNumByType(const std::string& type) {
    return static_cast<uint32_t>(type == "VectorCore" ? platform_->vector_cores
                                                      : platform_->cube_cores);
  }

  // In bytes; 0 for what there is not.
  void GetLocalMemSize(const LocalMemType& memory, uint64_t& bytes) const {
    switch (memory) {
      case LocalMemType::L0_A:
        bytes = platform_->l0a_bytes;
        return;
      case LocalMemType::L0_B:
        bytes = platform_->l0b_bytes;
        return;
      case LocalMemType::L0_C:
        bytes = platform_->l0c_bytes;
        return;
      case LocalMemType::L1:
        bytes = platform_->l1_bytes;
        return;
      case LocalMemType::L2:
        bytes = platform_->l2_bytes;
        return;
      case LocalMemType::UB:
        bytes = platform_->ub_bytes;
        return;
      case LocalMemType::HBM:
        bytes = platform_->gm_bytes;
        return;
      case LocalMemType::FB:
        bytes = platform_->fb_bytes;
        return;
      case LocalMemType::BT:
        bytes = platform_->bt_bytes;
        return;
      default:
        bytes = 0;
    }
  }
  // In bytes per cycle; known of L2 and HBM only.
  void GetLocalMemBw(const LocalMemType& memory, uint64_t& rate) const {
    rate = memory == LocalMemType::L2    ? platform_->l2_rate
           : memory == LocalMemType::HBM ? platform_->gm_rate
                                         : 0;
  }

  // One entry of the platform description, as text; false if it is not known.
  bool GetPlatformRes(const std::string& label, const std::string& key,
                      std::string& value) const {
    if (label == "version") {
      if (key == "SoC_version" || key == "SoCVersion") {
        value = platform_->soc_name;
        return true;
      }
      if (key == "Short_SoC_version") {
        value = platform_->short_name;
        return true;
      }
      if (key == "NpuArch") {
        value = std::to_string(platform_->architecture);
        return true;
      }
      return false;
    }
    const struct {
      const char* label;
      const char* key;
      uint64_t number;
    } entries[] = {
        {"SoCInfo", "ai_core_cnt", Count(platform_->cube_cores)},
        {"SoCInfo", "cube_core_cnt", Count(platform_->cube_cores)},
        {"SoCInfo", "vector_core_cnt", Count(platform_->vector_cores)},
        {"SoCInfo", "memory_size", platform_->gm_bytes},
        {"SoCInfo", "l2_size", platform_->l2_bytes},
        {"AICoreSpec", "cube_freq", Count(platform_->clock_mhz)},
        {"AICoreSpec", "ub_size", platform_->ub_bytes},
        {"AICoreSpec", "l1_size", platform_->l1_bytes},
        {"AICoreSpec", "l0_a_size", platform_->l0a_bytes},
        {"AICoreSpec", "l0_b_size", platform_->l0b_bytes},
        {"AICoreSpec", "l0_c_size", platform_->l0c_bytes},
        {"AICoreSpec", "bt_size", platform_->bt_bytes},
        {"AICoreMemoryRates", "ddr_rate", platform_->gm_rate},
        {"AICoreMemoryRates", "l2_rate", platform_->l2_rate},
    };
    for (const auto& entry : entries) {
      if (label == entry.label && key == entry.key) {
        value = std::to_string(entry.number);
        return true;
      }
    }
    return false;
  }

  const belay::abi::HostPlatform& platform() const { return *platform_; }

 private:
  static uint64_t Count(int32_t number) {
    return static_cast<uint64_t>(number);
  }

  const belay::abi::HostPlatform* platform_;
};

class OptionalInfos {
 public:
  bool Init() { return true; }
  std::string GetSocVersion() const { return soc_; }
  std::string GetCoreType() const { return "AiCore"; }
  uint32_t GetAICoreNum() const { return cores_; }
  void SetSocVersion(const std::string& soc) { soc_ = soc; }
  void SetAICoreNum(uint32_t cores) { cores_ = cores; }

 private:
  std::string soc_;
  uint32_t cores_ = 0;
};

struct PlatformInfo {
  struct {
    uint32_t ai_core_cnt = 0;
    uint32_t vector_core_cnt = 0;
    uint64_t memory_size = 0;
    uint64_t l2_size = 0;
  } soc_info;
  struct {
    double cube_freq = 0;
    uint64_t l0_a_size = 0;
    uint64_t l0_b_size = 0;
    uint64_t l0_c_size = 0;
    uint64_t l1_size = 0;
    uint64_t ub_size = 0;
  } ai_core_spec;
  struct {
    double ddr_rate = 0;
    double l2_rate = 0;
  } ai_core_memory_rates;

  PlatformInfo() = default;
  explicit PlatformInfo(const belay::abi::HostPlatform& platform) {
    soc_info.ai_core_cnt = static_cast<uint32_t>(platform.cube_cores);
    soc_info.vector_core_cnt = static_cast<uint32_t>(platform.vector_cores);
    soc_info.memory_size = platform.gm_bytes;
    soc_info.l2_size = platform.l2_bytes;
    ai_core_spec.cube_freq = platform.clock_mhz;
    ai_core_spec.l0_a_size = platform.l0a_bytes;
    ai_core_spec.l0_b_size = platform.l0b_bytes;
    ai_core_spec.l0_c_size = platform.l0c_bytes;
    ai_core_spec.l1_size = platform.l1_bytes;
    ai_core_spec.ub_size = platform.ub_bytes;
    ai_core_memory_rates.ddr_rate = static_cast<double>(platform.gm_rate);
    ai_core_memory_rates.l2_rate = static_cast<double>(platform.l2_rate);
  }
};

struct OptionalInfo {
  std::string soc_version;
  std::string core_type;
  uint32_t ai_core_num = 0;
};

}  // namespace fe

#endif  // BELAY_PLATFORM_PLATFORM_INFOS_DEF_H_
