// SPDX-License-Identifier: Apache-2.0
// Footprints of random cube instructions against what they do to memory:
// written is what they change whatever lay there, read is what changes them.

#include <cstring>
#include <set>

#include "base/dtype.h"
#include "cube_bench.h"
#include "npu/footprint.h"
#include "npu/names.h"

namespace belay::npu {
namespace {

using abi::DType;
using abi::Memory;
using abi::Op;

constexpr uint64_t kWindow = 32768;  // bytes of each memory that are used

class FootprintTest : public CubeTest {
 protected:
  struct Area {
    Memory memory;
    uint64_t base;
  };
  using Image = std::vector<std::vector<uint8_t>>;

  FootprintTest() : gm_(chip_.global().Allocate(kWindow)) {
    for (const Memory memory : {Memory::kL1, Memory::kL0a, Memory::kL0b,
                                Memory::kL0c, Memory::kFb, Memory::kBt}) {
      areas_.push_back({memory, Base(memory)});
    }
    areas_.push_back({Memory::kGm, gm_});
  }

  uint64_t BytesOf(const Area& area) const {
    return area.memory == Memory::kGm
               ? kWindow
               : std::min(kWindow, chip_.spec().BytesOf(area.memory));
  }

  Image Take() const {
    Image image;
    for (const Area& area : areas_) {
      const auto* bytes = reinterpret_cast<const uint8_t*>(area.base);
      image.emplace_back(bytes, bytes + BytesOf(area));
    }
    return image;
  }
  void PutBack(const Image& image) {
    for (size_t i = 0; i < areas_.size(); ++i) {
      std::memcpy(reinterpret_cast<void*>(areas_[i].base), image[i].data(),
                  image[i].size());
    }
  }

  // Addresses of the uses that read, or write.
  std::set<uint64_t> Touched(const abi::Instruction& instruction, bool writes) {
    std::set<uint64_t> touched;
    const Footprint footprint =
        FootprintOf({core_, instruction, nullptr, PipeOf(instruction)});
    for (const FootprintUse& use : footprint) {
      if (writes ? !use.writes() : !use.reads()) continue;
      ForEachRange(use, [&](uint64_t begin, uint64_t end) {
        for (uint64_t at = begin; at < end; ++at) touched.insert(at);
      });
    }
    return touched;
  }

  void Check(abi::Instruction instruction, std::mt19937_64& random,
             bool exact_writes) {
    // Issue completes the record from registers.
    abi::Instruction completed = instruction;
    chip_.Issue(core_, completed);
    const std::set<uint64_t> written = Touched(completed, true);
    const std::set<uint64_t> read = Touched(completed, false);
    ASSERT_FALSE(written.empty());
    for (const uint8_t filler : {0x11, 0x22}) {
      for (const uint64_t at : written) {
        if (!read.contains(at)) *reinterpret_cast<uint8_t*>(at) = filler;
      }
      const Image before = Take();
      chip_.Issue(core_, completed);
      const Image after = Take();
      for (size_t i = 0; i < areas_.size(); ++i) {
        for (uint64_t at = 0; at < before[i].size(); ++at) {
          if (before[i][at] == after[i][at]) continue;
          ASSERT_TRUE(written.contains(areas_[i].base + at))
              << "byte " << at << " of " << NameOf(areas_[i].memory)
              << " was written";
        }
      }
      // What must be read in order to write it cannot be told from the rest.
      if (filler == 0x11) {
        first_ = after;
      } else if (exact_writes) {
        for (size_t i = 0; i < areas_.size(); ++i) {
          for (uint64_t at = 0; at < after[i].size(); ++at) {
            const uint64_t address = areas_[i].base + at;
            if (!written.contains(address) || read.contains(address)) continue;
            ASSERT_EQ(first_[i][at], after[i][at])
                << "byte " << at << " of " << NameOf(areas_[i].memory)
                << " was not written";
          }
        }
      }
    }
    // Bytes that are not read may hold anything.
    const Image wanted = Take();
    for (size_t i = 0; i < areas_.size(); ++i) {
      for (uint64_t at = 0; at < wanted[i].size(); ++at) {
        const uint64_t address = areas_[i].base + at;
        if (read.contains(address)) continue;
        *reinterpret_cast<uint8_t*>(address) = static_cast<uint8_t>(random());
      }
    }
    chip_.Issue(core_, completed);
    for (size_t i = 0; i < areas_.size() && exact_writes; ++i) {
      for (uint64_t at = 0; at < wanted[i].size(); ++at) {
        const uint64_t address = areas_[i].base + at;
        if (!written.contains(address) || read.contains(address)) continue;
        ASSERT_EQ(*reinterpret_cast<uint8_t*>(address), wanted[i][at])
            << "byte " << at << " of " << NameOf(areas_[i].memory);
      }
    }
    PutBack(wanted);
  }

  void Randomise(std::mt19937_64& random) {
    for (const Area& area : areas_) {
      for (uint64_t at = 0; at < BytesOf(area); ++at) {
        reinterpret_cast<uint8_t*>(area.base)[at] =
            static_cast<uint8_t>(random() % 60);
      }
    }
  }

  uint64_t gm_;
  std::vector<Area> areas_;
  Image first_;
};

TEST_F(FootprintTest, RandomInstructions) {
  std::mt19937_64 random(TestSeed());
  const auto below = [&](uint32_t n) {
    return static_cast<uint32_t>(random() % n);
  };
  const DType kTypes[] = {DType::kInt8, DType::kHalf, DType::kFloat};
  Randomise(random);
  for (int round = 0; round < 200; ++round) {
    const DType dtype = kTypes[below(3)];
    const uint64_t element = belay::BytesOf(dtype);
    abi::Instruction i{};
    bool exact = true;
    switch (below(6)) {
      case 0:
        i = Load2D(Op::kLoadData2D, below(2) ? Memory::kL0a : Memory::kL0b,
                   below(4) * 512, below(8) * 32, dtype,
                   {below(5), 1 + below(6), below(4), below(3), 0, 0, 0});
        break;
      case 1:
        // Fractals of one square must not meet those of the next.
        i = Load2D(Op::kLoadDataTranspose, Memory::kL0b, 0, 0, dtype,
                   {below(3), 1 + below(4), below(3), 1 + below(3), 0, 0, 0});
        break;
      case 2: {
        abi::Nd2Nz copy{1 + below(3),
                        1 + below(9),
                        1 + below(40),
                        0,
                        0,
                        0,
                        1 + below(3),
                        0};
        copy.source_row_stride = copy.columns + below(6);
        copy.source_matrix_stride = copy.rows * copy.source_row_stride;
        copy.column_block_stride = copy.rows * copy.row_stride + below(3);
        copy.destination_matrix_stride =
            static_cast<uint32_t>(copy.column_block_stride * 5 * 32 / element);
        i.op = Op::kDataCopyNd2Nz;
        i.dst = Local(Memory::kL1, below(4) * 32, dtype);
        i.src0 = Global(gm_ + below(9), dtype);
        i.nd2nz = copy;
        break;
      }
      case 3: {
        i.op = Op::kMmad;
        i.dst = Local(Memory::kL0c, 0, DType::kFloat);
        i.src0 = Local(Memory::kL0a, 0, dtype);
        i.src1 = Local(Memory::kL0b, 0, dtype);
        if (dtype == DType::kInt8) i.dst.dtype = DType::kInt32;
        i.mmad = {static_cast<uint16_t>(1 + below(40)),
                  static_cast<uint16_t>(1 + below(40)),
                  static_cast<uint16_t>(1 + below(40)),
                  static_cast<abi::MmadInit>(below(3)),
                  0,
                  static_cast<uint8_t>(below(2))};
        i.src2 = Local(Memory::kBt, 0, i.dst.dtype);
        break;
      }
      case 4: {
        i.op = Op::kFixpipe;
        const bool rows = below(2) != 0;
        i.src0 = Local(Memory::kL0c, 0, DType::kFloat);
        i.dst = Global(gm_, dtype);
        i.fixpipe.quant = dtype == DType::kHalf   ? abi::Quant::kF322F16
                          : dtype == DType::kInt8 ? abi::Quant::kVQF322B8
                                                  : abi::Quant::kNone;
        i.fixpipe.m = 1 + below(20);
        i.fixpipe.n = rows ? 1 + below(50) : 16 * (1 + below(3));
        i.fixpipe.source_stride = 32;
        i.fixpipe.nz2nd = rows;
        i.fixpipe.destination_stride =
            rows ? i.fixpipe.n + below(5) : 40 + below(5);
        abi::Instruction config{};
        config.op = Op::kSetFixpipeConfig;
        config.src1 = Local(Memory::kFb, 0, DType::kUint64);
        Run(config);
        break;
      }
      default: {
        i.op = Op::kLoadData3D;
        i.dst = Local(below(2) ? Memory::kL0a : Memory::kL0b, 0,
                      dtype == DType::kInt8 ? DType::kHalf : dtype);
        i.src0 = Local(Memory::kL1, below(4) * 32, i.dst.dtype);
        const uint32_t block =
            32 / static_cast<uint32_t>(belay::BytesOf(i.dst.dtype));
        const auto wide = static_cast<uint16_t>(block * (1 + below(4)));
        i.load3d.channels = i.load3d.k_extension = wide;
        i.load3d.m_extension = static_cast<uint16_t>(16 * (1 + below(2)));
        i.load3d.filter_width = i.load3d.filter_height = 1;
        i.load3d.stride_width = i.load3d.stride_height = 1;
        i.load3d.dilation_width = i.load3d.dilation_height = 1;
        i.load3d.transpose = below(2);
        abi::Instruction map{};
        map.op = Op::kSetFmatrix;
        map.fmatrix = {1, static_cast<uint16_t>(40 + below(20)), 0, 0, 0, 0};
        Run(map);
        // Turned, floats leave filler rows alone.
        exact = i.dst.dtype == DType::kHalf;
        break;
      }
    }
    SCOPED_TRACE("round " + std::to_string(round) + " " +
                 std::string(NameOf(i.op)) + " " +
                 std::string(AscendNameOf(dtype)));
    Check(i, random, exact);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace belay::npu
