// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CLI_OPERATOR_FILES_H_
#define BELAY_TESTS_CLI_OPERATOR_FILES_H_

// Tensors and folders for tests that run operator projects.

#include <filesystem>
#include <string>
#include <vector>

#include "base/npy.h"

namespace belay::testing {

// A fresh folder that goes away with the object.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Values rounded to nearest even (floating types) or truncated (integers).
Array MakeArray(DType dtype, const Shape& shape,
                const std::vector<double>& values);

// The values as they are stored; exact for every type of at most 53 bits.
std::vector<double> ValuesOf(const Array& array);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CLI_OPERATOR_FILES_H_
