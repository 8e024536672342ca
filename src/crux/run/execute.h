// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_EXECUTE_H_
#define BELAY_CRUX_RUN_EXECUTE_H_

// One block of a launch: the kernel's members as objects of AscendC, and the
// steps of its functions, executed on the block's fiber. What a fault leaves on
// the fiber's stack is dropped, so nothing there owns memory.

#include <memory>
#include <vector>

#include "crux/run/frame.h"
#include "crux/run/program.h"

namespace belay::crux::run {

// What the blocks of a launch share.
struct Launch {
  const Program* program = nullptr;
  uint64_t place_base = 0;  // place n of the program is place_base + n
  // For each tensor of the kernel: its address, or that of its list; 0: absent.
  std::vector<uint64_t> tensors;
  uint64_t workspace = 0;
  uint64_t tiling = 0;
  uint64_t tiling_bytes = 0;
};

class BlockRun {
 public:
  // Both must outlive it.
  BlockRun(const Launch& launch, const HostTable& host);
  ~BlockRun();

  // On the fiber: Init(), Process(), and the end of the pipe. An exception
  // thrown there is a bug of ours.
  void Run();

 private:
  struct Members;

  void InitMembers();
  void InitQueues(code::Rank rank);
  void InitBuffers(code::Rank rank);
  void SetGlobals();
  void Execute(const Steps& steps);
  void Execute(const Step& step);
  void Loop(const Step& step);
  void CallFunction(const Step& step);
  void Invoke(const Step& step);
  void UseQueue(const Step& step);
  void SetValue(const Step& step);
  void SetGlobal(const Step& step);
  void OpenElement(const Step& step);
  void State(uint64_t place) const;
  int64_t Int(IntRef position) const { return EvaluateInt(frame_, position); }

  const Launch& launch_;
  const Program& program_;
  Frame frame_;
  std::unique_ptr<Members> members_;
};

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_EXECUTE_H_
