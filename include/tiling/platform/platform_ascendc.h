// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_PLATFORM_PLATFORM_ASCENDC_H_
#define BELAY_TILING_PLATFORM_PLATFORM_ASCENDC_H_

// platform_ascendc::PlatformAscendC: cores and memory sizes of the chip, for
// tiling.

#include <stdint.h>
#include <string.h>

#include "belay/op_host.h"
#include "platform/platform_infos_def.h"

enum class NpuArch : uint32_t {
  DAV_1001 = 1001,
  DAV_2002 = 2002,
  DAV_2201 = 2201,
  DAV_3002 = 3002,
  DAV_3510 = 3510,
  DAV_RESV = 0xffff,
};

namespace platform_ascendc {

enum class CoreMemType {
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

enum class SocVersion {
  ASCEND910 = 0,
  ASCEND910B,
  ASCEND310P,
  ASCEND310B,
  ASCEND910_95,
  ASCEND950,
  RESERVED_VERSION = 99999,
};

enum class ReservedSize {
  RESERVED_SIZE_8K,
  RESERVED_SIZE_16K,
  RESERVED_SIZE_32K,
};

class PlatformAscendC {
 public:
  PlatformAscendC() = delete;
  // nullptr stands for the chip in use.
  explicit PlatformAscendC(fe::PlatFormInfos* infos)
      : platform_(infos == nullptr ? belay_host_platform(nullptr)
                                   : &infos->platform()) {}

  // On a chip that separates cube and vector cores: the vector cores.
  uint32_t GetCoreNum() const { return GetCoreNumAiv(); }
  uint32_t GetCoreNumAic() const {
    return static_cast<uint32_t>(platform_->cube_cores);
  }
  uint32_t GetCoreNumAiv() const {
    return static_cast<uint32_t>(platform_->vector_cores);
  }
  // Vector cores beside the AI cores: there are none on this architecture.
  uint32_t GetCoreNumVector() const { return 0; }

  SocVersion GetSocVersion() const {
    // The 910_93 is two dies of a 910B and counts as one.
    return platform_->architecture == 2201 ? SocVersion::ASCEND910B
                                           : SocVersion::RESERVED_VERSION;
  }
  NpuArch GetCurNpuArch() const {
    return static_cast<NpuArch>(platform_->architecture);
  }
  // Registers of vectors exist on later architectures only.
  uint32_t GetVecRegLen() const { return 0; }

  // In bytes. UB without what ReserveLocalMemory keeps.
  void GetCoreMemSize(const CoreMemType& memory, uint64_t& bytes) const {
    fe::PlatFormInfos(platform_).GetLocalMemSize(
        static_cast<fe::LocalMemType>(memory), bytes);
    if (memory == CoreMemType::UB) bytes -= reserved_;
  }
  // In bytes per cycle; known of L2 and HBM only.
  void GetCoreMemBw(const CoreMemType& memory, uint64_t& rate) const {
    fe::PlatFormInfos(platform_).GetLocalMemBw(
        static_cast<fe::LocalMemType>(memory), rate);
  }

  // Blocks to launch for `slices` slices: as many groups of cube and vector
  // cores as take that many vector cores. A kernel of one kind of core has as
  // many blocks as slices.
  uint32_t CalcTschBlockDim(uint32_t slices, uint32_t cube_cores,
                            uint32_t vector_cores) const {
    if (cube_cores == 0 || vector_cores <= cube_cores) return slices;
    const uint32_t vector_per_cube = vector_cores / cube_cores;
    return (slices + vector_per_cube - 1) / vector_per_cube;
  }
  uint32_t CalcTschNumBlocks(uint32_t slices, uint32_t cube_cores,
                             uint32_t vector_cores) const {
    return CalcTschBlockDim(slices, cube_cores, vector_cores);
  }

  // Bytes of workspace that the library keeps in front of the kernel's own.
  uint32_t GetLibApiWorkSpaceSize() const {
    return static_cast<uint32_t>(platform_->system_workspace_bytes);
  }

  // Keeps a part of UB out of GetCoreMemSize; the last call counts.
  void ReserveLocalMemory(ReservedSize size) {
    reserved_ = uint64_t{8192} << static_cast<int>(size);
  }

 private:
  const belay::abi::HostPlatform* platform_;
  uint64_t reserved_ = 0;
};

class PlatformAscendCManager {
 public:
  static PlatformAscendC* GetInstance() { return GetInstance(nullptr); }
  // The chip named in the first call; nullptr if Belay does not know it.
  static PlatformAscendC* GetInstance(const char* soc) {
    static PlatformAscendC* instance = Make(belay_host_platform(soc));
    if (instance == nullptr) {
      belay_host_asked("PlatformAscendCManager::GetInstance", -1, -1, nullptr);
    }
    return instance;
  }

 private:
  static PlatformAscendC* Make(const belay::abi::HostPlatform* platform) {
    if (platform == nullptr) return nullptr;
    static fe::PlatFormInfos infos(platform);
    static PlatformAscendC instance(&infos);
    return &instance;
  }
};

}  // namespace platform_ascendc

#endif  // BELAY_TILING_PLATFORM_PLATFORM_ASCENDC_H_
