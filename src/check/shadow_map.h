// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_SHADOW_MAP_H_
#define BELAY_CHECK_SHADOW_MAP_H_

// One byte of shadow for every byte of an address range: a bit is set where
// the bit of memory has the property that is tracked. Chunks that are wholly
// clear or wholly set are one number each, so that long uniform ranges cost
// little; only mixed chunks have bytes of their own.

#include <cstdint>
#include <cstring>

namespace belay::check {

class ShadowMap {
 public:
  static constexpr uint64_t kChunk = 256;
  // No two buffers share a block of this size, nor do they share origins.
  static constexpr uint64_t kOriginBlock = 32;

  // Covers [base, base + bytes), all clear; `base` is a multiple of kChunk.
  // Takes address space at once, memory as it is touched.
  ShadowMap(uint64_t base, uint64_t bytes);
  ~ShadowMap();
  ShadowMap(const ShadowMap&) = delete;
  ShadowMap& operator=(const ShadowMap&) = delete;

  bool Spans(uint64_t address) const { return address - base_ < size_; }

  // All ranges below must lie in the map; 0 bytes are allowed.

  // True if no bit is set.
  bool IsClear(uint64_t address, uint64_t bytes) const {
    if (bytes == 0) return true;
    const uint64_t first = (address - base_) / kChunk;
    const uint64_t last = (address - base_ + bytes - 1) / kChunk;
    uint64_t any = 0;
    uint64_t chunk = first;
    for (; chunk + 8 <= last + 1; chunk += 8) {
      uint64_t eight;
      std::memcpy(&eight, state_ + chunk, sizeof eight);
      any |= eight;
    }
    for (; chunk <= last; ++chunk) any |= state_[chunk];
    return any == kClear || IsClearInDetail(address, bytes);
  }

  void Clear(uint64_t address, uint64_t bytes) {
    if (!IsClear(address, bytes)) Set(address, bytes, kClear);
  }
  void Fill(uint64_t address, uint64_t bytes) { Set(address, bytes, kFull); }

  uint8_t At(uint64_t address) const;

  // The first byte with a bit set, or the end of the range.
  uint64_t FirstSet(uint64_t address, uint64_t bytes) const;
  // One past the last byte of a chunk with bits set, or the start; never past
  // the range.
  uint64_t EndOfSet(uint64_t address, uint64_t bytes) const;

  // The bytes of a range, up to date until the next call that changes it.
  const uint8_t* Read(uint64_t address, uint64_t bytes) const {
    Expose(address, bytes);
    return ShadowOf(address);
  }
  // The same to be changed; Settle must follow.
  uint8_t* Write(uint64_t address, uint64_t bytes) {
    Expose(address, bytes);
    return ShadowOf(address);
  }
  void Settle(uint64_t address, uint64_t bytes);

  // Where the shadow of `address` lies.
  uint8_t* ShadowOf(uint64_t address) const {
    return bytes_ + (address - base_);
  }

  // Makes `to` what `from` is in `source`; nullptr stands for a clear map.
  void CopyFrom(uint64_t to, const ShadowMap* source, uint64_t from,
                uint64_t bytes);

  // A number kept for each block, 0 at first: where its set bits came from.
  uint32_t OriginAt(uint64_t address) const {
    return origin_[(address - base_) / kOriginBlock];
  }
  // For the blocks of the range, but for those in chunks that are clear.
  void SetOrigin(uint64_t address, uint64_t bytes, uint32_t origin);

 private:
  enum State : uint8_t { kClear = 0, kMixed = 1, kFull = 2 };

  bool IsClearInDetail(uint64_t address, uint64_t bytes) const;
  void Set(uint64_t address, uint64_t bytes, State state);
  // Writes the bytes of chunks that are not mixed.
  void Expose(uint64_t address, uint64_t bytes) const;
  void SettleChunk(uint64_t chunk);

  uint64_t base_;
  uint64_t size_;
  uint8_t* bytes_;            // valid for mixed chunks and exposed ones
  uint8_t* state_;            // of each chunk
  uint32_t* origin_;          // of each block
  uint64_t origins_end_ = 0;  // from this block on they are 0
};

}  // namespace belay::check

#endif  // BELAY_CHECK_SHADOW_MAP_H_
