// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_INPUT_WRITES_H_
#define BELAY_CHECK_INPUT_WRITES_H_

// Finds writes to tensors that a kernel may only read. Costs a comparison for
// each store to global memory, however large the tensors are.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "check/findings.h"
#include "npu/observer.h"

namespace belay::check {

class InputWrites : public npu::Observer {
 public:
  // Findings go to `sink` when a launch ends: each place once, with a note that
  // says how often.
  explicit InputWrites(std::function<void(npu::Fault)> sink)
      : sink_(std::move(sink)) {}

  // Nobody may write to these bytes of global memory. `name` is what messages
  // call them: "input 'x'".
  void Protect(uint64_t address, uint64_t bytes, std::string name);
  // Protects nothing any more.
  void Clear();

  void OnInstruction(const npu::InstructionEvent& event) override;
  void OnScalar(const npu::ScalarEvent& event) override;
  void OnLaunchEnd() override;

 private:
  struct Range {
    uint64_t end;
    std::string name;
  };
  // Who writes, for messages.
  struct Place {
    const npu::Core& core;
    std::string_view what;
    std::string_view pipe;
    uint64_t pc;
  };

  bool IsNear(uint64_t begin, uint64_t end) const {
    return begin < last_end_ && end > first_;
  }
  // True when it lies in a protected range, and is reported.
  bool Check(const Place& place, uint64_t begin, uint64_t end);

  std::function<void(npu::Fault)> sink_;
  Findings findings_;
  std::map<uint64_t, Range> ranges_;  // by where they begin
  uint64_t first_ = UINT64_MAX;       // of all of them
  uint64_t last_end_ = 0;
};

}  // namespace belay::check

#endif  // BELAY_CHECK_INPUT_WRITES_H_
