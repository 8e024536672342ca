// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TRACE_PAGE_DATA_H_
#define BELAY_TRACE_PAGE_DATA_H_

// A launch as the timeline page reads it: JSON, with long columns as variable
// length numbers in base64. timeline/data.js is the other side.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "trace/timeline.h"

namespace belay::trace {

// Numbers one after the other, seven bits to a byte, lowest first.
class Numbers {
 public:
  void Add(uint64_t value);
  // 0, -1, 1, -2, … as 0, 1, 2, 3, ….
  void AddSigned(int64_t value);
  std::string Base64() const;

 private:
  std::string bytes_;
};

std::string Base64(const std::string& bytes);

nlohmann::json LaunchForPage(const clock::LaunchLog& log,
                             const clock::LaunchTime& time,
                             const Timeline& timeline);

}  // namespace belay::trace

#endif  // BELAY_TRACE_PAGE_DATA_H_
