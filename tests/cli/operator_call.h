// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CLI_OPERATOR_CALL_H_
#define BELAY_TESTS_CLI_OPERATOR_CALL_H_

// One `belay run DIR` with its tensors: inputs and golden outputs are written
// to files, outputs read back and compared.

#include <string>
#include <vector>

#include "operator_files.h"
#include "run_belay.h"

namespace belay::testing {

class OperatorCall {
 public:
  // `project`: a folder of the source tree.
  explicit OperatorCall(std::string project);

  OperatorCall& Input(const std::string& name, const Array& array);
  OperatorCall& InputList(const std::string& name,
                          const std::vector<Array>& arrays);
  OperatorCall& Words(const std::string& words);
  // What must come out; belay gets it by --expect as well. The file written
  // must hold it within `tolerance` times the dtype's rounding error, relative
  // to max(1, |golden|); integers must be equal.
  OperatorCall& Golden(const std::string& name, const Array& golden,
                       double tolerance = 0);
  OperatorCall& GoldenList(const std::string& name,
                           const std::vector<Array>& golden);

  // The program's answer, whatever it is.
  Outcome Run();
  // Fails the test unless it ends well and what it wrote is golden.
  void RunAndCompare();

 private:
  std::string Write(const Array& array);
  std::string Fresh();

  std::string project_;
  TemporaryFolder folder_;
  std::string words_;
  int files_ = 0;
  struct Output {
    std::string name;
    std::vector<std::string> files;
    std::vector<Array> golden;
    double tolerance = 0;
  };
  std::vector<Output> outputs_;
};

}  // namespace belay::testing

#endif  // BELAY_TESTS_CLI_OPERATOR_CALL_H_
