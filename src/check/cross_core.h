// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_CROSS_CORE_H_
#define BELAY_CHECK_CROSS_CORE_H_

// synccheck, between cores: flags that are left over, run into their limit,
// tell nobody, or share an id with the library's own.

#include <cstdint>
#include <map>
#include <string>

#include "check/findings.h"
#include "npu/cross_core_flags.h"
#include "npu/observer.h"

namespace belay::check {

class CrossCoreChecker : public npu::Observer {
 public:
  // Must outlive the checker.
  explicit CrossCoreChecker(Findings& findings) : findings_(findings) {}

  void OnLaunch(const npu::LaunchEvent& event) override;
  void OnBlockBegin(const npu::Core& core) override;
  void OnInstruction(const npu::InstructionEvent& event) override;
  void OnWaited(const npu::InstructionEvent& event) override;
  void OnBlockEnd(const npu::Core& core) override;
  void OnLaunchEnd() override;

 private:
  static void KeepLast(uint64_t& into, const uint64_t& from) { into = from; }

  void CheckSet(const npu::InstructionEvent& event);
  void CheckId(const npu::InstructionEvent& event);
  void CheckSharing(const npu::InstructionEvent& event);
  void CheckCount(const npu::InstructionEvent& event);
  void Add(std::string_view code, const npu::InstructionEvent& event,
           std::string message, std::string fix);

  Findings& findings_;
  npu::LaunchShape shape_;
  bool has_scheduler_ = true;
  // Where each set was made.
  npu::CrossCoreFlags<uint64_t, KeepLast> flags_;
  std::map<npu::Participant, const npu::Core*> cores_;
  int ended_ = 0;
  bool meets_ = false;        // SyncAll by the scheduler was called
  uint32_t library_ids_ = 0;  // a bit for each id that Matmul objects use
};

}  // namespace belay::check

#endif  // BELAY_CHECK_CROSS_CORE_H_
