// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_FAULT_H_
#define BELAY_NPU_FAULT_H_

// A guest fault before its places are known: a diagnostic whose locations are
// still program counters.

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace belay::npu {

struct Fault {
  Diagnostic diagnostic;
  uint64_t pc = 0;  // 0: no place in guest code

  // Notes with a place of their own, after those of the diagnostic.
  struct PlacedNote {
    std::string message;
    uint64_t pc;
  };
  std::vector<PlacedNote> notes;

  // Return addresses of the guest's callers, innermost first.
  std::vector<uint64_t> callers;

  // Where the text of the guest's source at a place completes the message:
  // "{name}" in the message becomes the first argument of the call at this pc.
  uint64_t name_pc = 0;
};

// Ends the block that raised it.
class Trap : public std::exception {
 public:
  explicit Trap(Fault fault) : fault_(std::move(fault)) {}
  Fault& fault() { return fault_; }
  const char* what() const noexcept override {
    return fault_.diagnostic.message.c_str();
  }

 private:
  Fault fault_;
};

// A Trap with code, message and fix.
[[noreturn]] inline void ThrowTrap(std::string code, std::string message,
                                   std::string fix = {}) {
  Fault fault;
  fault.diagnostic.code = std::move(code);
  fault.diagnostic.message = std::move(message);
  fault.diagnostic.fix = std::move(fix);
  throw Trap(std::move(fault));
}

}  // namespace belay::npu

#endif  // BELAY_NPU_FAULT_H_
