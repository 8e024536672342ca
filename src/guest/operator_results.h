// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_OPERATOR_RESULTS_H_
#define BELAY_GUEST_OPERATOR_RESULTS_H_

// What a launch computed, on its way from the child that ran the kernel to
// files and comparisons.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "guest/operator_arguments.h"
#include "guest/operator_run.h"
#include "guest/shared_bytes.h"

namespace belay::guest {

class OperatorResults {
 public:
  // Makes room for the results of these parameters and points their tensors in
  // `arguments` there.
  OperatorResults(const std::vector<ResultRequest>& requests,
                  std::vector<KernelArgument>& arguments);

  // After the launch: writes the files and compares with the expected ones.
  // Differences become diagnostics.
  void Deliver(const OperatorOptions& options, OperatorResult& result) const;

 private:
  struct Tensor {
    DType dtype;
    Shape shape;
    size_t offset;
  };
  struct Entry {
    std::string name;
    bool is_list;
    std::vector<Tensor> tensors;
    std::optional<size_t> shape_offset;  // of the shape the kernel wrote
  };

  Array Read(const Entry& entry, size_t index) const;

  std::vector<Entry> entries_;
  std::unique_ptr<SharedBytes> memory_;
};

// Throws UserError unless an output of `tensors` tensors can be written to and
// compared with what the caller named.
void RequireFiles(const OutputRequest& request, size_t tensors);

}  // namespace belay::guest

#endif  // BELAY_GUEST_OPERATOR_RESULTS_H_
