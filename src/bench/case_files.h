// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_CASE_FILES_H_
#define BELAY_BENCH_CASE_FILES_H_

// Cases of a task as files for other programs: every tensor as .npy, and an
// index that says what is what.
//
//   reference.py                  as this task runs it (families filled in)
//   index.json                    task, hash, cases
//   edge-0/input.x.0.npy          tensor 0 of input x
//   edge-0/reference.y.0.npy      what reference() says: f64, i64 or bool
//   edge-0/eager.y.0.npy          what eager() says, in the declared dtype

#include <filesystem>

#include "bench/inputs.h"

namespace belay::bench {

// Everything one case is made of.
struct CaseData {
  const Arguments& inputs;
  const Arguments& reference;
  const Arguments& eager;
};

class CaseFiles {
 public:
  // Makes the folder and writes reference.py. Throws UserError where a file
  // cannot be written.
  CaseFiles(const Task& task, std::filesystem::path folder);

  void Add(const Case& one_case, const CaseData& data);

  // Writes index.json.
  void Finish() const;

 private:
  const Task& task_;
  std::filesystem::path folder_;
  Value cases_ = Value::array();
};

}  // namespace belay::bench

#endif  // BELAY_BENCH_CASE_FILES_H_
