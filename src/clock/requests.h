// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_REQUESTS_H_
#define BELAY_CLOCK_REQUESTS_H_

// How a move is cut into requests to memory: each burst on its own, into 512
// bytes where it starts at a multiple of 512, or of 256 after a first request
// of 256 bytes, into 128 bytes otherwise; ends rounded out to whole sectors of
// 128 bytes.

#include <algorithm>
#include <cstdint>

#include "clock/l2_cache.h"
#include "clock/record.h"

namespace belay::clock {

// Lies in one line.
struct Request {
  uint64_t line;
  uint8_t first_sector;
  uint8_t sector_count;
  uint16_t payload;  // bytes of it that are wanted

  uint8_t sectors() const {
    return static_cast<uint8_t>(((1u << sector_count) - 1) << first_sector);
  }
  uint32_t bytes() const { return sector_count * uint32_t{kSectorBytes}; }
};

class RequestCutter {
 public:
  RequestCutter() = default;
  explicit RequestCutter(const MoveWork& move)
      : start_(move.address),
        stride_(move.stride),
        bursts_(move.burst_bytes == 0 ? 0 : move.bursts),
        burst_bytes_(move.burst_bytes) {
    BeginBurst();
  }

  bool IsDone() const { return bursts_ == 0; }

  // Of the next request; there must be one.
  uint64_t NextLine() const { return at_ / kLineBytes; }

  // The next request; there must be one.
  Request Next() {
    const uint64_t begin = at_ / kSectorBytes * kSectorBytes;
    const uint64_t end = std::min(begin + unit_, end_);
    Request request;
    request.line = begin / kLineBytes;
    request.first_sector =
        static_cast<uint8_t>(begin % kLineBytes / kSectorBytes);
    request.sector_count =
        static_cast<uint8_t>((end - begin + kSectorBytes - 1) / kSectorBytes);
    request.payload = static_cast<uint16_t>(end - at_);
    at_ = end;
    if (unit_ == 256) unit_ = kLineBytes;
    if (at_ == end_ && --bursts_ != 0) {
      start_ += stride_;
      BeginBurst();
    }
    return request;
  }

 private:
  void BeginBurst() {
    at_ = start_;
    end_ = start_ + burst_bytes_;
    unit_ = start_ % 512 == 0 ? 512 : start_ % 256 == 0 ? 256 : 128;
  }

  uint64_t start_ = 0;
  int64_t stride_ = 0;
  uint32_t bursts_ = 0;
  uint32_t burst_bytes_ = 0;
  uint64_t at_ = 0;
  uint64_t end_ = 0;
  uint64_t unit_ = kLineBytes;
};

}  // namespace belay::clock

#endif  // BELAY_CLOCK_REQUESTS_H_
