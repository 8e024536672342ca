// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_INIT_REPORT_H_
#define BELAY_CHECK_INIT_REPORT_H_

// How a use of undefined bytes is told: what was done, with which bytes, and
// where they came from.

#include <cstdint>
#include <string>
#include <string_view>

#include "check/findings.h"
#include "check/init_origins.h"
#include "npu/chip.h"

namespace belay::check {

struct InitFinding {
  std::string_view code;
  const npu::Core& core;
  abi::Pipe pipe;
  uint64_t pc;
  uint64_t address;  // the first byte at fault
  Origin origin;     // of that byte
};

class InitReport {
 public:
  InitReport(const npu::Chip& chip, Findings& findings)
      : chip_(chip), findings_(findings) {}

  // `rule` is "[operation] what it must not do"; the bytes are named behind
  // it. It is called only for findings that are not known yet. `reused`: the
  // core ran another block of the launch before.
  template <typename F>
  void Add(const InitFinding& finding, const BufferTable& buffers, bool reused,
           F rule) {
    if (findings_.CountIfKnown(finding.code, finding.pc,
                               OtherPlace(finding, buffers))) {
      return;
    }
    Write(finding, buffers, reused, rule());
  }

 private:
  // The place of the first note, 0 when it has none.
  uint64_t OtherPlace(const InitFinding& finding,
                      const BufferTable& buffers) const;
  void Write(const InitFinding& finding, const BufferTable& buffers,
             bool reused, std::string rule);
  std::string NameByte(uint64_t address, const BufferTable::Buffer* buffer,
                       bool with_name) const;

  const npu::Chip& chip_;
  Findings& findings_;
};

}  // namespace belay::check

#endif  // BELAY_CHECK_INIT_REPORT_H_
