// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CALIBRATION_MEASUREMENTS_H_
#define BELAY_CALIBRATION_MEASUREMENTS_H_

// Published measurements, as they stand in measurements.toml.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace belay::calibration {

struct Measurement {
  std::string group;
  std::string name;
  std::string program;   // a file of kernels/, or a built workload
  std::string argument;  // that makes it this row
  // Microseconds of the task, or between two readings of the system counter.
  double measured = 0;
  bool between_readings = false;
  double clock_mhz = 0;  // of the chip that was measured
  // Other times the source gives, in microseconds: "core", "vector", "scalar",
  // "mte2", "mte3". Means over the cores.
  std::map<std::string, double> other;

  bool is_built() const { return !program.ends_with(".asc"); }
};

struct MeasurementGroup {
  std::string name;
  std::string what;
  std::string source;
};

// A change of a program: from one row to another.
struct MeasuredChange {
  std::string name;
  size_t from;  // among Measurements::rows
  size_t to;
};

struct Measurements {
  std::vector<MeasurementGroup> groups;
  std::vector<Measurement> rows;  // those of a group together
  std::vector<MeasuredChange> changes;
};

// Throws UserError for files that cannot be read or lack something.
Measurements LoadMeasurements(const std::filesystem::path& path);

}  // namespace belay::calibration

#endif  // BELAY_CALIBRATION_MEASUREMENTS_H_
