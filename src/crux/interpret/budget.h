// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_BUDGET_H_
#define BELAY_CRUX_INTERPRET_BUDGET_H_

// What one interpretation may cost. A program from outside may be endless or
// huge; it ends with a fault, never with the machine's memory.

#include <cstdint>
#include <exception>
#include <string>
#include <utility>

namespace belay::crux::interpret {

// A rule of the language broken while running: a code and a sentence. Whoever
// knows the place in the source makes a diagnostic of it.
class Fault : public std::exception {
 public:
  Fault(const char* code, std::string message, std::string fix = "")
      : code_(code), message_(std::move(message)), fix_(std::move(fix)) {}
  const char* code() const { return code_; }
  const std::string& message() const { return message_; }
  const std::string& fix() const { return fix_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  const char* code_;
  std::string message_;
  std::string fix_;
};

struct Limits {
  // One step is one element of one operation, or one statement.
  uint64_t steps = uint64_t{1} << 28;
  // Of all tensors and tiles alive at a time.
  uint64_t bytes = uint64_t{2} << 30;
  // Of one tile or tensor.
  uint64_t tile_elements = uint64_t{1} << 26;
};

class Budget {
 public:
  explicit Budget(const Limits& limits) : limits_(limits) {}
  Budget(const Budget&) = delete;
  Budget& operator=(const Budget&) = delete;

  // Throws Fault when there are none left.
  void Spend(uint64_t steps) {
    spent_ += steps;
    if (spent_ > limits_.steps || spent_ < steps) FaultForSteps();
  }

  // Throws Fault when the program would hold too much.
  void Reserve(uint64_t bytes);
  void Release(uint64_t bytes) { bytes_ -= bytes; }
  // Throws Fault when one tile or tensor is too large.
  void RequireTile(uint64_t elements) const;

  uint64_t spent() const { return spent_; }

 private:
  [[noreturn]] void FaultForSteps() const;

  Limits limits_;
  uint64_t spent_ = 0;
  uint64_t bytes_ = 0;
};

// Bytes held for as long as this lives. The budget must live longer.
class Reservation {
 public:
  Reservation() = default;
  Reservation(Budget& budget, uint64_t bytes) : budget_(&budget) {
    budget.Reserve(bytes);
    bytes_ = bytes;
  }
  Reservation(Reservation&& other) noexcept
      : budget_(std::exchange(other.budget_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)) {}
  Reservation& operator=(Reservation&& other) noexcept {
    std::swap(budget_, other.budget_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~Reservation() {
    if (budget_ != nullptr) budget_->Release(bytes_);
  }

 private:
  Budget* budget_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_BUDGET_H_
