// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CHIP_SPEC_H_
#define BELAY_NPU_CHIP_SPEC_H_

// A chip as data: counts, sizes and limits read from data/chips/NAME.toml.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "belay/instruction.h"

namespace belay::npu {

inline constexpr int kMemoryCount = 8;

struct ChipSpec {
  std::string name;            // "ascend910b1"
  std::string title;           // "Ascend 910B1"
  std::string soc_name;        // what aclrtGetSocName answers
  std::string short_soc_name;  // "Ascend910B", for the whole family
  int architecture = 0;        // __NPU_ARCH__

  int cube_cores = 0;
  int vector_cores = 0;
  int vector_per_cube = 0;
  int clock_mhz = 0;
  int counter_mhz = 0;  // what GetSystemCycle counts in

  // Bytes and start alignment, by abi::Memory.
  std::array<uint64_t, kMemoryCount> bytes{};
  std::array<uint32_t, kMemoryCount> alignment{};
  uint64_t l2_bytes = 0;
  // Of every workspace, the part that the library keeps for itself.
  uint64_t system_workspace_bytes = 0;
  // What host code is told of the bandwidth, in bytes per cycle and cube core.
  uint64_t l2_rate = 0;
  uint64_t gm_rate = 0;

  // By what host tiling weighs splits of matrix products: cycles, bytes per
  // cycle and core; a run of bytes shorter than a burst takes as long as one.
  struct MatmulRates {
    uint32_t mmad_start;
    uint32_t load_start;
    uint32_t copy_start;
    uint32_t fixpipe_start;
    uint32_t gm_to_l1;
    uint32_t gm_burst;
    uint32_t l1_to_l0a;
    uint32_t l1_to_l0b;
    uint32_t l0c_to_gm;
    uint32_t quant_bytes;  // room for quantisation parameters
    uint32_t lost_overlap_percent;
  } matmul{};

  // The end of UB that some calls use as scratch, and what Select takes of it.
  uint64_t scratch_bytes = 0;
  uint64_t select_scratch_bytes = 0;

  // The scalar unit's data cache, in bytes by core type.
  uint64_t vector_cache_bytes = 0;
  uint64_t cube_cache_bytes = 0;
  int cache_ways = 0;

  struct Limits {
    uint32_t repeat;
    uint32_t wide_repeat;  // GatherMask
    uint32_t repeat_stride;
    uint32_t copy_repeat_stride;  // Copy
    uint32_t wide_repeat_stride;  // GatherMask's source, TransDataTo5HD
    uint32_t merge_length;        // pairs in a list of MrgSort
    uint32_t unary_block_stride;
    uint32_t binary_block_stride;
    uint32_t copy_block_count;
    uint32_t copy_block_length;
    uint32_t copy_gap;
    uint32_t pad_block_bytes;
    uint32_t padding_bytes;
    uint32_t event_ids;
    uint32_t buffers;
  } limits{};

  // What fits into the fields of the cube core's instructions.
  struct CubeLimits {
    uint32_t mmad_side;    // m, n, k
    uint32_t load_repeat;  // LoadData2D
    uint32_t load_index;   // its start, stride and gaps
    uint32_t map_side;     // of LoadData3D's feature map
    uint32_t filter_stride;
    uint32_t fill_count;   // repeats, blocks and gap of Fill
    uint32_t nz_matrices;  // DataCopyNd2Nz
    uint32_t nz_rows;
    uint32_t nz_columns;  // and strides of the source
    uint32_t nz_stride;   // inside the destination and between them
    uint32_t fixpipe_columns;
    uint32_t fixpipe_rows;
    uint32_t fixpipe_nd_rows;  // with NZ2ND
    uint32_t fixpipe_matrix_stride;
    uint32_t result_alignment;   // of Mmad's destination, in bytes
    uint32_t fixpipe_alignment;  // of a copy to the fixpipe buffer
    // Columns of fractals of C times rows of them from which on one Mmad may
    // follow another into the same place without a barrier.
    uint32_t accumulate_fractals;
  } cube{};

  uint64_t BytesOf(abi::Memory memory) const {
    return bytes[static_cast<int>(memory)];
  }
  uint32_t AlignmentOf(abi::Memory memory) const {
    return alignment[static_cast<int>(memory)];
  }
};

// Names of the chips Belay knows, sorted.
std::vector<std::string> KnownChips();

// Throws UserError: an unknown name lists the known ones; a malformed file is
// named with the key at fault.
ChipSpec LoadChip(const std::string& name);

inline constexpr const char* kDefaultChip = "ascend910b1";

}  // namespace belay::npu

#endif  // BELAY_NPU_CHIP_SPEC_H_
