// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_CLOCK_SPEC_H_
#define BELAY_CLOCK_CLOCK_SPEC_H_

// What time costs on a chip: every constant by name, with its value and where
// it comes from, read from data/chips.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belay::clock {

// Where a constant comes from decides how far a result can be trusted.
enum class Origin {
  kDocumented,  // published by the vendor
  kMeasured,    // read off published measurements
  kFitted,      // by the calibration, on published measurements
  kAssumed,     // nobody published it
};

struct Constant {
  double value = 0;
  Origin origin = Origin::kAssumed;
  std::string source;  // as in the file
  // Whether more of it makes kernels faster (a rate) or slower (a cost).
  bool is_rate = false;
};

// The time of a vector instruction: start * units + repeats * slope, or, with
// per_unit, start + units * slope.
struct VectorCost {
  std::string name;  // "Exp.b16": by the width of the widest element
  Constant start;
  Constant slope;
  bool per_unit = false;
  std::string start_key;  // where `start` and `slope` are among the constants
  std::string slope_key;
};

class ClockSpec {
 public:
  // Throws UserError when the chip's files lack the constant.
  const Constant& at(std::string_view key) const;  // "memory.hbm_read"
  double Value(std::string_view key) const { return at(key).value; }
  // Gives an existing constant another value, for calibration.
  void Set(std::string_view key, double value);

  const std::vector<VectorCost>& vector_costs() const { return vector_; }
  // Index of the cost of an operation, whose widest element has `bits`; nothing
  // when the chip has no such instruction.
  std::optional<uint16_t> FindVectorCost(std::string_view operation,
                                         int bits) const;

  // Every assumed cost times `factor`, every assumed rate divided by it.
  ClockSpec WithAssumed(double factor) const;

  const std::map<std::string, Constant, std::less<>>& constants() const {
    return constants_;
  }
  const std::string& chip() const { return chip_; }
  double clock_mhz() const { return clock_mhz_; }
  int vector_cores() const { return vector_cores_; }
  int cube_cores() const { return cube_cores_; }

 private:
  friend class ClockSpecReader;

  // Brings the vector costs up to date with the constants.
  void Refresh();

  std::string chip_;
  double clock_mhz_ = 0;
  int vector_cores_ = 0;
  int cube_cores_ = 0;
  std::map<std::string, Constant, std::less<>> constants_;
  std::vector<VectorCost> vector_;
};

// data/chips/NAME.toml, table [clock], and the costs of its architecture in
// data/chips/costs/. Throws UserError for unknown chips.
ClockSpec LoadClockSpec(const std::string& chip);

}  // namespace belay::clock

#endif  // BELAY_CLOCK_CLOCK_SPEC_H_
