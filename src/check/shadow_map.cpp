// SPDX-License-Identifier: Apache-2.0
#include "check/shadow_map.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace belay::check {
namespace {

// Zeroed when first touched.
void* Reserve(uint64_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    throw InternalError(
        fmt::format("[shadow] cannot reserve {} bytes of addresses: {}", bytes,
                    std::strerror(errno)));
  }
  return memory;
}

// Whether all bytes of a chunk are like its first.
bool IsUniform(const uint8_t* chunk) {
  return std::memcmp(chunk, chunk + 1, ShadowMap::kChunk - 1) == 0;
}

}  // namespace

ShadowMap::ShadowMap(uint64_t base, uint64_t bytes)
    : base_(base), size_((bytes + kChunk - 1) / kChunk * kChunk) {
  const uint64_t chunks = size_ / kChunk;
  bytes_ = static_cast<uint8_t*>(Reserve(size_));
  state_ = static_cast<uint8_t*>(Reserve(chunks));
  origin_ =
      static_cast<uint32_t*>(Reserve(size_ / kOriginBlock * sizeof(uint32_t)));
}

ShadowMap::~ShadowMap() {
  const uint64_t chunks = size_ / kChunk;
  munmap(bytes_, size_);
  munmap(state_, chunks);
  munmap(origin_, size_ / kOriginBlock * sizeof(uint32_t));
}

bool ShadowMap::IsClearInDetail(uint64_t address, uint64_t bytes) const {
  return FirstSet(address, bytes) == address + bytes;
}

uint8_t ShadowMap::At(uint64_t address) const {
  switch (state_[(address - base_) / kChunk]) {
    case kClear:
      return 0;
    case kFull:
      return 0xff;
    default:
      return *ShadowOf(address);
  }
}

uint64_t ShadowMap::FirstSet(uint64_t address, uint64_t bytes) const {
  const uint64_t end = address + bytes;
  while (address < end) {
    const uint64_t chunk = (address - base_) / kChunk;
    // Eight clear chunks at once.
    uint64_t eight;
    if (address + 8 * kChunk <= end &&
        (std::memcpy(&eight, state_ + chunk, sizeof eight), eight == 0)) {
      address = base_ + (chunk + 8) * kChunk;
      continue;
    }
    const uint64_t part = std::min(end, base_ + (chunk + 1) * kChunk) - address;
    if (state_[chunk] == kFull) return address;
    if (state_[chunk] == kMixed) {
      const uint8_t* from = ShadowOf(address);
      const uint8_t* found = std::find_if(
          from, from + part, [](uint8_t bits) { return bits != 0; });
      if (found != from + part) return address + (found - from);
    }
    address += part;
  }
  return end;
}

uint64_t ShadowMap::EndOfSet(uint64_t address, uint64_t bytes) const {
  if (bytes == 0) return address;
  const uint64_t end = address + bytes;
  const uint64_t first = (address - base_) / kChunk;
  for (uint64_t chunk = (end - 1 - base_) / kChunk + 1; chunk-- > first;) {
    if (state_[chunk] != kClear) {
      return std::min(end, base_ + (chunk + 1) * kChunk);
    }
  }
  return address;
}

void ShadowMap::Set(uint64_t address, uint64_t bytes, State state) {
  const uint64_t begin = address - base_;
  const uint64_t end = begin + bytes;
  const uint64_t first_whole = (begin + kChunk - 1) / kChunk;
  const uint64_t end_whole = end / kChunk;
  // A part of one chunk.
  const auto set_part = [&](uint64_t from, uint64_t to) {
    const uint64_t chunk = from / kChunk;
    if (from == to || state_[chunk] == state) return;
    Expose(base_ + chunk * kChunk, kChunk);
    std::memset(bytes_ + from, state == kFull ? 0xff : 0, to - from);
    SettleChunk(chunk);
  };
  if (first_whole > end_whole) return set_part(begin, end);
  set_part(begin, first_whole * kChunk);
  std::memset(state_ + first_whole, state, end_whole - first_whole);
  set_part(end_whole * kChunk, end);
}

void ShadowMap::Expose(uint64_t address, uint64_t bytes) const {
  if (bytes == 0) return;
  const uint64_t last = (address - base_ + bytes - 1) / kChunk;
  for (uint64_t chunk = (address - base_) / kChunk; chunk <= last; ++chunk) {
    if (state_[chunk] == kMixed) continue;
    std::memset(bytes_ + chunk * kChunk, state_[chunk] == kFull ? 0xff : 0,
                kChunk);
  }
}

void ShadowMap::SettleChunk(uint64_t chunk) {
  const uint8_t* bytes = bytes_ + chunk * kChunk;
  state_[chunk] = kMixed;
  if ((bytes[0] == 0 || bytes[0] == 0xff) && IsUniform(bytes)) {
    state_[chunk] = bytes[0] == 0 ? kClear : kFull;
  }
}

void ShadowMap::Settle(uint64_t address, uint64_t bytes) {
  if (bytes == 0) return;
  const uint64_t last = (address - base_ + bytes - 1) / kChunk;
  for (uint64_t chunk = (address - base_) / kChunk; chunk <= last; ++chunk) {
    SettleChunk(chunk);
  }
}

void ShadowMap::CopyFrom(uint64_t to, const ShadowMap* source, uint64_t from,
                         uint64_t bytes) {
  if (source == nullptr || source->IsClear(from, bytes)) {
    Clear(to, bytes);
    return;
  }
  const uint8_t* read = source->Read(from, bytes);
  std::memmove(Write(to, bytes), read, bytes);
  Settle(to, bytes);
}

void ShadowMap::SetOrigin(uint64_t address, uint64_t bytes, uint32_t origin) {
  if (bytes == 0) return;
  constexpr uint64_t kBlocks = kChunk / kOriginBlock;
  uint64_t block = (address - base_) / kOriginBlock;
  uint64_t end = (address - base_ + bytes - 1) / kOriginBlock + 1;
  if (origin == 0) {
    end = std::min(end, origins_end_);
  } else {
    origins_end_ = std::max(origins_end_, end);
  }
  while (block < end) {
    const uint64_t chunk = block / kBlocks;
    const uint64_t chunk_end = std::min((chunk + 1) * kBlocks, end);
    if (state_[chunk] == kClear) {
      block = chunk_end;
      continue;
    }
    for (; block < chunk_end; ++block) {
      // Reading takes no memory, writing does.
      if (origin_[block] != origin) origin_[block] = origin;
    }
  }
}

}  // namespace belay::check
