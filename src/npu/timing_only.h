// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_TIMING_ONLY_H_
#define BELAY_NPU_TIMING_ONLY_H_

// A run that computes no values, for shapes that do not fit into this machine:
// instructions are issued and observed but not executed, and global memory is
// not filled, so that it takes no room.
//
// Bytes are known nevertheless when the host or the scalar unit wrote them, or
// when they were moved on chip from known ones. A scalar read of any other
// bytes, or of a register that a vector instruction leaves, is answered with a
// pretended value. Whoever wants to know whether a kernel's course depends on
// tensor data runs it with each Pretence: where nothing differs, it does not.

#include <cstdint>
#include <vector>

#include "npu/known_bytes.h"
#include "npu/observer.h"

namespace belay::npu {

// What a read of unknown bytes gives, as an integer of the read's size: small,
// so that it ends loops, and of both signs, also as a float.
enum class Pretence : uint8_t { kOne, kThree, kMinus };

inline constexpr Pretence kPretences[] = {Pretence::kOne, Pretence::kThree,
                                          Pretence::kMinus};

class TimingOnly {
 public:
  explicit TimingOnly(Pretence pretence) : pretence_(pretence) {}

  void HostWrote(uint64_t address, uint64_t bytes) {
    known_.Add(address, address + bytes);
  }
  void ScalarWrote(uint64_t address, uint64_t bytes) {
    known_.Add(address, address + bytes);
  }
  void Forget(uint64_t address, uint64_t bytes) {
    known_.Remove(address, address + bytes);
  }

  // Takes the instruction's results out of what is known. Whether it is a move
  // of known bytes on chip, which must be executed: its results are known.
  bool Pass(const InstructionEvent& event);

  // Whether a scalar read finds its data where it is.
  bool Knows(uint64_t address, uint64_t bytes) const {
    return known_.Contains(address, address + bytes);
  }

  // What an unknown read answers instead; valid until the next call, and not
  // to be written to.
  const void* Pretend(uint64_t bytes, uint64_t pc);
  uint64_t PretendRegister(uint64_t pc);

  // Reads answered so in this launch, and where the first was.
  uint64_t pretended() const { return pretended_; }
  uint64_t first_pc() const { return first_pc_; }
  void BeginLaunch() { pretended_ = first_pc_ = 0; }

 private:
  void Count(uint64_t pc);

  const Pretence pretence_;
  KnownBytes known_;
  std::vector<unsigned char> answer_;  // of the size asked for last
  uint64_t pretended_ = 0;
  uint64_t first_pc_ = 0;
};

}  // namespace belay::npu

#endif  // BELAY_NPU_TIMING_ONLY_H_
