// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_API_BENCH_H_
#define BELAY_TESTS_API_BENCH_H_

// A device on which the sweep runs one small kernel after another, and the
// comparison of all of UB and the registers with the naive model.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "call.h"
#include "cells.h"
#include "npu/observer.h"
#include "random_case.h"
#include "runtime/device.h"

namespace belay::sweep {

using Kernel = std::function<void()>;

// What one launch left behind.
struct Outcome {
  bool ok = false;
  std::string code;     // of the first diagnostic, or empty
  std::string message;  // its text
  npu::VectorState state;
  std::vector<abi::Instruction> vector_records;
};

class Bench : public npu::Observer {
 public:
  // The bench of this process; it installs the device at first use.
  static Bench& Get();

  Draw draw;

  // --- what UB holds when the next kernel starts -----------------------------
  uint8_t* image() { return image_.data(); }
  // Random elements, special values among them.
  void Fill(uint32_t at, uint32_t bytes, abi::DType dtype);
  void Fill(const abi::Operand& operand) {
    Fill(static_cast<uint32_t>(operand.address), kFilledBytes, operand.dtype);
  }
  uint64_t Element(abi::DType dtype) { return elements_.Element(dtype); }

  // --- running ---------------------------------------------------------------
  // Runs `kernel` as the only block of a launch, saturating if asked to.
  const Outcome& Run(const Kernel& kernel, bool saturate = false);
  // The same on a cube core; UB and the registers stay out of it.
  const Outcome& RunOnCube(const Kernel& kernel);
  const Outcome& last() const { return outcome_; }
  const uint8_t* ub_after() const { return actual_.data(); }

  // Runs `kernel` and notes for `cell` whether it did to UB and registers what
  // `records` do by the naive model, starting from the registers `before`.
  // Addresses in the records are offsets into UB.
  void Check(const Cell& cell, const std::vector<abi::Instruction>& records,
             const npu::VectorState& before, const Kernel& kernel);
  // Notes for `cell` whether `kernel` ends with diagnostic `code`.
  void CheckRefused(const Cell& cell, const std::string& code,
                    const Kernel& kernel);
  // Notes for `cell` the result of a comparison made elsewhere; `what` says
  // what went wrong.
  void Note(const Cell& cell, bool agreed, const std::string& what);

  // The registers as the naive model left them in the last Check.
  const npu::VectorState& expected_state() const { return expected_state_; }

  runtime::Device& device() { return *device_; }

  void OnInstruction(const npu::InstructionEvent& event) override;

 private:
  static constexpr uint32_t kFilledBytes = 12 * 1024;

  Bench();
  std::string Difference(const std::vector<abi::Instruction>& records) const;

  npu::CaseMaker elements_;
  npu::UbBuffer image_;
  npu::UbBuffer expected_;
  npu::UbBuffer actual_;
  npu::VectorState expected_state_;
  std::unique_ptr<runtime::Device> device_;
  Outcome outcome_;
};

}  // namespace belay::sweep

#endif  // BELAY_TESTS_API_BENCH_H_
