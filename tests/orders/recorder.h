// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_ORDERS_RECORDER_H_
#define BELAY_TESTS_ORDERS_RECORDER_H_

// Records launches from the observer hook.

#include <functional>
#include <map>
#include <utility>

#include "recording.h"

namespace belay::orders {

class Recorder : public npu::Observer {
 public:
  // `done` is called with each launch that has ended; the recording is the
  // recorder's and goes away with the next launch.
  Recorder(npu::Chip& chip, std::function<void(const Recording&)> done);

  // While off, nothing is recorded and `done` not called.
  void SetOn(bool on) { on_ = on; }

  void OnLaunch(const npu::LaunchEvent& event) override;
  void OnBlockBegin(const npu::Core& core) override;
  void OnInstruction(const npu::InstructionEvent& event) override;
  void OnWaited(const npu::InstructionEvent& event) override;
  void OnScalar(const npu::ScalarEvent& event) override;
  void OnRegister(const npu::RegisterEvent& event) override;
  void OnOutsideBuffer(const npu::OutsideBufferEvent& event) override;
  void OnBlockEnd(const npu::Core& core) override;
  void OnAllocate(uint64_t address, uint64_t bytes) override;
  void OnHostWrite(const npu::HostWriteEvent& event) override;
  void OnLaunchEnd() override;

 private:
  Event& Add(Event::Kind kind, const npu::Core& core);
  // Kernel code stores after it was told where: what it stored is known only
  // when the next event comes.
  void TakePendingStore();
  void KeepGuestObjects(Event& event);

  npu::Chip& chip_;
  std::function<void(const Recording&)> done_;
  bool on_ = true;
  Recording recording_;
  ByteRanges fresh_;
  const npu::Core* storing_ = nullptr;  // the last event is its store
  // By core and address of the guest's object.
  std::map<std::pair<int, uint64_t>, abi::QueueState*> queue_copies_;
};

}  // namespace belay::orders

#endif  // BELAY_TESTS_ORDERS_RECORDER_H_
