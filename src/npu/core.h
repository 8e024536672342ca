// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CORE_H_
#define BELAY_NPU_CORE_H_

// One core: its registers, its flags, and where its memories lie.

#include <array>
#include <cstdint>
#include <string>

#include "npu/chip_spec.h"
#include "npu/cube/cube_state.h"
#include "npu/data_cache.h"
#include "npu/vector_state.h"

namespace belay::npu {

enum class CoreType : uint8_t { kVector, kCube };

// Flags between pipes of one core: a bit for each (from, to, id).
class FlagTable {
 public:
  static constexpr uint32_t kIds = 8;

  bool IsSet(const abi::Sync& flag) const {
    return bits_[Pair(flag)] >> flag.id & 1;
  }
  void Set(const abi::Sync& flag, uint64_t pc) {
    bits_[Pair(flag)] |= 1u << flag.id;
    set_pc_[Pair(flag)][flag.id] = pc;
  }
  void Clear(const abi::Sync& flag) { bits_[Pair(flag)] &= ~(1u << flag.id); }

  // Where a flag was set last; 0 if never.
  uint64_t SetPc(const abi::Sync& flag) const {
    return set_pc_[Pair(flag)][flag.id];
  }

 private:
  static size_t Pair(const abi::Sync& flag) {
    return static_cast<size_t>(flag.from) * 8 + static_cast<size_t>(flag.to);
  }
  std::array<uint8_t, 64> bits_{};
  std::array<std::array<uint64_t, kIds>, 64> set_pc_{};
};

struct Core {
  explicit Core(DataCache data_cache) : cache(std::move(data_cache)) {}

  CoreType type = CoreType::kVector;
  int index = 0;  // among the cores of its type
  int slot = 0;   // in OnChipMemory
  int block = 0;  // the block it runs now
  VectorState vector;
  CubeState cube;
  FlagTable flags;
  DataCache cache;

  std::string Name() const {
    return (type == CoreType::kVector ? "aiv " : "aic ") +
           std::to_string(index);
  }
};

}  // namespace belay::npu

#endif  // BELAY_NPU_CORE_H_
