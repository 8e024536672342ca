// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_SYSTEM_H_
#define BELAY_ASCENDC_SYSTEM_H_

// What a kernel asks about itself, its core and its workspace.

#include "ascendc/atomic.h"
#include "ascendc/mask.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

BELAY_API int64_t GetBlockIdx() { return belay_block_index(); }
BELAY_API int64_t GetBlockNum() { return belay_block_count(); }
BELAY_API int64_t GetSubBlockIdx() { return belay_subblock_index(); }
BELAY_API int64_t GetSubBlockNum() { return belay_subblock_count(); }
BELAY_API int64_t GetTaskRatio() { return belay_task_ratio(); }
BELAY_API int64_t GetTaskRation() { return belay_task_ratio(); }

// Ticks of the system counter, not of the core's clock.
BELAY_API int64_t GetSystemCycle() { return belay_system_cycle(); }

// To be printed in hexadecimal: the digits of __NPU_ARCH__.
BELAY_API void GetArchVersion(uint32_t& coreVersion) {
  constexpr uint32_t kArch = __NPU_ARCH__;
  coreVersion = kArch % 10 | (kArch / 10 % 10) << 4 | (kArch / 100 % 10) << 8 |
                (kArch / 1000 % 10) << 12;
}
BELAY_API constexpr int16_t GetDataBlockSizeInBytes() { return 32; }

BELAY_API uint32_t GetUBSizeInBytes() {
  return static_cast<uint32_t>(belay_memory_bytes(belay::abi::Memory::kUb));
}
BELAY_API uint32_t GetRuntimeUBSize() { return GetUBSizeInBytes(); }
// Bytes a vector instruction takes in one repeat.
BELAY_API constexpr uint32_t GetVecLen() { return 256; }

// Registers as a kernel without TPipe expects them.
BELAY_API void InitSocState() {
  SetAtomicNone();
  SetMaskNorm();
  ResetMask();
}

// A workspace holds the system's part, then the kernel's own: tiling must ask
// for both. GetUserWorkspace takes the whole one.
BELAY_API __gm__ uint8_t* GetSysWorkSpacePtr() {
  return reinterpret_cast<uint8_t*>(belay_workspace());
}
BELAY_API void SetSysWorkspace(GM_ADDR workspace) {
  belay_set_workspace(reinterpret_cast<uint64_t>(workspace));
}
BELAY_API GM_ADDR GetUserWorkspace(GM_ADDR workspace) {
  return workspace + belay::abi::kSystemWorkspaceBytes;
}

// Which kind of core this code runs on: AIC or AIV. A constant where the
// compiler builds for one kind.
#if defined(__DAV_C220_CUBE__)
inline constexpr int32_t g_coreType = AIC;
#elif defined(__DAV_C220_VEC__)
inline constexpr int32_t g_coreType = AIV;
#else
struct CoreTypeNow {
  BELAY_API operator int32_t() const {
    return belay_core_is_cube() != 0 ? AIC : AIV;
  }
};
inline constexpr CoreTypeNow g_coreType{};
#endif

}  // namespace AscendC

using AscendC::g_coreType;
using AscendC::GetSysWorkSpacePtr;
using AscendC::GetUserWorkspace;
using AscendC::SetSysWorkspace;

BELAY_API int64_t get_block_idx() {
  return belay_block_index() / belay_subblock_count();
}
BELAY_API int64_t get_block_num() { return belay_block_count(); }
BELAY_API int64_t get_subblockid() { return belay_subblock_index(); }
BELAY_API int64_t get_subblockdim() { return belay_subblock_count(); }

namespace belay::api {

// Objects that read as the current value, so that kernels may use the name
// for a variable of their own. Vector cores of one block have the same
// block_idx.
struct BlockIndexNow {
  BELAY_API operator int64_t() const { return get_block_idx(); }
};
struct BlockCountNow {
  BELAY_API operator int64_t() const { return belay_block_count(); }
};

}  // namespace belay::api

inline constexpr belay::api::BlockIndexNow block_idx{};
inline constexpr belay::api::BlockCountNow block_num{};

#define ASCEND_IS_AIC (::AscendC::g_coreType == ::AscendC::AIC)
#define ASCEND_IS_AIV (::AscendC::g_coreType == ::AscendC::AIV)

// The kind of cores a kernel wants, by a value of KernelMetaType: it becomes
// the kernel's kind where Belay's compiler builds it.
#if defined(__BELAY__) && defined(__clang__)
#define KERNEL_TASK_TYPE_DEFAULT(value) \
  belay_task_type(static_cast<KernelMetaType>(value))
// For one tiling key only.
#define KERNEL_TASK_TYPE(key, value) \
  belay_task_type_of_key(key, static_cast<KernelMetaType>(value))
#else
#define KERNEL_TASK_TYPE_DEFAULT(value) \
  static_cast<void>(static_cast<KernelMetaType>(value))
#define KERNEL_TASK_TYPE(key, value) \
  static_cast<void>(static_cast<KernelMetaType>(value))
#endif

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_SYSTEM_H_
