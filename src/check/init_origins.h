// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_INIT_ORIGINS_H_
#define BELAY_CHECK_INIT_ORIGINS_H_

// Where undefined bytes came from: the instructions that first made them, and
// the buffers they lie in.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "belay/instruction.h"

namespace belay::check {

struct Origin {
  enum class Kind : uint8_t {
    kNeverWritten,  // no instruction made it
    kSource,        // made of other undefined bytes
    kPadding,       // padding without a value
    kWorkBuffer,    // used up by a reduction
    kAllocated,     // left from before AllocTensor
    kFiller,        // filled a block up
    kCompareBits,   // chosen by undefined bits of the comparison register
  };
  Kind kind = Kind::kNeverWritten;
  abi::Op op = abi::Op::kInvalid;
  uint64_t pc = 0;
  uint64_t root = 0;  // kSource: the first byte it was made of
};

// Origins by number; 0 is kNeverWritten. One for each place in the program.
class OriginTable {
 public:
  OriginTable() : origins_(1) {}
  uint32_t Number(const Origin& origin);
  const Origin& At(uint32_t number) const { return origins_[number]; }

 private:
  std::vector<Origin> origins_;
  std::unordered_map<uint64_t, uint32_t> numbers_;  // by place and kind
};

// The buffers InitBuffer made on one core, for the block that runs there.
class BufferTable {
 public:
  struct Buffer {
    uint64_t address;
    uint64_t bytes;
    uint64_t pc;  // of InitBuffer
  };
  void Add(const Buffer& buffer) { buffers_.push_back(buffer); }
  void Clear() { buffers_.clear(); }
  // Those that start in the range; 0 bytes: all.
  void Drop(uint64_t address, uint64_t bytes);
  // The one made last that holds `address`, or nullptr.
  const Buffer* Find(uint64_t address) const;

 private:
  std::vector<Buffer> buffers_;
};

}  // namespace belay::check

#endif  // BELAY_CHECK_INIT_ORIGINS_H_
