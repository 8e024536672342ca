// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_FIBER_H_
#define BELAY_RUNTIME_FIBER_H_

// A stack of its own for guest code, switched to and from on one host thread.
// A fiber may be dropped at any time: nothing on its stack is unwound.
//
// Code that is not trusted has a second one for the variables it takes the
// address of (LLVM's SafeStack): no pointer it may use reaches its return
// addresses.

#include <cstddef>
#include <cstdint>

namespace belay::runtime {

// A module that has this symbol needs Fiber::SeparateVariables.
inline constexpr char kSeparateVariablesSymbol[] = "belay_separate_variables";

class Fiber {
 public:
  Fiber();
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Prepares a fresh run of entry(argument); whatever ran here is dropped.
  // `entry` must not return: it suspends for the last time instead.
  void Start(void (*entry)(void* argument), void* argument);

  // Runs the fiber until it suspends. Called from outside any fiber.
  void Resume();

  // The fiber that runs on this thread, or nullptr on the thread's own stack.
  static Fiber* Running() { return running_; }

  // Back to whoever resumed. Called on the fiber's own stack.
  void Suspend();

  // Copies bytes to the top of the stack, below which the fiber then starts;
  // call before Start. Returns where they lie.
  void* Reserve(const void* data, size_t bytes);
  void* reserved() const { return reinterpret_cast<void*>(start_); }

  // Lets the stack be used from its top again although nothing was unwound:
  // a sanitizer would still see the frames that were dropped.
  void ForgetFrames();

  // The usable stack.
  uint64_t low() const { return low_; }
  uint64_t high() const { return high_; }
  bool Owns(uint64_t address) const { return address - low_ < high_ - low_; }

  // From now on, fibers that are started have a stack for variables, and
  // guest code may touch nothing else of them.
  static void SeparateVariables() { separate_ = true; }
  static bool HasSeparateVariables() { return separate_; }

  // Whether the bytes are variables of the guest's.
  bool OwnsVariables(uint64_t address, uint64_t bytes) const {
    const uint64_t low = separate_ ? variables_low_ : low_;
    const uint64_t high = separate_ ? variables_low_ + kStackBytes : high_;
    return address - low < high - low && bytes <= high - address;
  }

  // Whether the address lies in the unmapped space below a stack.
  bool InGuard(uint64_t address) const {
    return (address < low_ && address >= low_ - kGuardBytes) ||
           (variables_low_ != 0 && address < variables_low_ &&
            address >= variables_low_ - kGuardBytes);
  }

 private:
  static constexpr size_t kStackBytes = 2048 << 10;
  static constexpr size_t kGuardBytes = 1 << 20;

  [[gnu::tls_model(
      "initial-exec")]] static thread_local constinit Fiber* running_;

  static constinit bool separate_;

  uint64_t low_;
  uint64_t high_;
  uint64_t start_;  // where the run begins; lower than high_ after Reserve
  uint64_t variables_low_ = 0;    // 0: not made yet
  void* variables_at_ = nullptr;  // how far down they reach
  void* inside_ = nullptr;        // the suspended fiber
  void* outside_ = nullptr;       // whoever resumed it
  void* sanitizer_stack_ = nullptr;
  const void* outside_stack_ = nullptr;
  size_t outside_bytes_ = 0;

  friend struct FiberEntry;
  void (*entry_)(void*) = nullptr;
  void* argument_ = nullptr;
};

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_FIBER_H_
