// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCHMARKS_EXAMPLE_CALLS_H_
#define BELAY_BENCHMARKS_EXAMPLE_CALLS_H_

// The shipped examples and operators on large tensors, as `belay run` and its
// relatives take them.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/npy.h"

namespace belay::benchmarks {

// Tensors for the operators, in a folder that goes with the process.
class CallInputs {
 public:
  CallInputs();
  ~CallInputs();
  CallInputs(const CallInputs&) = delete;
  CallInputs& operator=(const CallInputs&) = delete;

  // Each returns the path of the file it wrote.
  std::string Floats(const std::string& name, const Shape& shape) const;
  std::string Integers(const std::string& name,
                       const std::vector<int64_t>& values) const;

  // A file in the folder.
  std::string Path(const std::string& name) const {
    return (folder_ / name).string();
  }

 private:
  std::string Write(const std::string& name, const Array& array) const;

  std::filesystem::path folder_;
};

struct Call {
  std::string name;
  std::string words;  // what stands behind the command
};

std::vector<Call> ExampleCalls(const CallInputs& inputs);

// `words` with further options in front of the program's own arguments.
std::string WithOptions(const std::string& words, const std::string& options);

}  // namespace belay::benchmarks

#endif  // BELAY_BENCHMARKS_EXAMPLE_CALLS_H_
