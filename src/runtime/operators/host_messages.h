// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_HOST_MESSAGES_H_
#define BELAY_RUNTIME_OPERATORS_HOST_MESSAGES_H_

// What host functions say while they run: lines of their log, tiling data that
// did not fit, and what they asked last.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace belay::runtime {

// What host code asked a context last and what it got, such as
// "GetFloat(0), which returned a value"; "" if nothing was asked. Always a
// whole text, and safe to call from a signal handler.
const char* LastHostQuestion();

// The last question that was answered with null, such as "GetInputShape(5)";
// "" if there was none. As safe as the above.
const char* LastNullAnswer();

// Collects what host functions say for as long as it lives, beginning with no
// question asked or answered; at most one lives at a time. Without one, errors
// go to standard error.
class HostMessages {
 public:
  HostMessages();
  ~HostMessages();
  HostMessages(const HostMessages&) = delete;
  HostMessages& operator=(const HostMessages&) = delete;

  struct Overflow {
    std::string writer;
    uint64_t bytes;
    uint64_t capacity;
  };

  std::vector<DiagnosticNote> errors;
  std::optional<Overflow> overflow;  // the first
};

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_HOST_MESSAGES_H_
