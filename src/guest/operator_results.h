// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_OPERATOR_RESULTS_H_
#define BELAY_GUEST_OPERATOR_RESULTS_H_

// What a launch computed, on its way from the child that ran the kernel to
// files and comparisons.

#include <optional>
#include <string>
#include <vector>

#include "guest/operator_arguments.h"
#include "guest/operator_run.h"

namespace belay::guest {

class OperatorResults {
 public:
  // Gives the results of these parameters places in one piece of memory, and
  // tells their tensors in `arguments`.
  OperatorResults(const std::vector<ResultRequest>& requests,
                  std::vector<KernelArgument>& arguments);

  // Of that memory.
  size_t bytes() const { return bytes_; }

  // After the launch: writes the files and compares with the expected ones.
  // Differences become diagnostics.
  void Deliver(const std::byte* memory, const OperatorOptions& options,
               OperatorResult& result) const;

  // The tensors of the parameter `name`; none if it is not among the results.
  // Any memory will do: a shape the kernel wrote counts only where it fits.
  std::vector<Array> Take(const std::byte* memory,
                          const std::string& name) const;

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

  static Array Read(const std::byte* memory, const Entry& entry, size_t index);

  std::vector<Entry> entries_;
  size_t bytes_ = 0;
};

// Throws UserError unless an output of `tensors` tensors can be written to and
// compared with what the caller named.
void RequireFiles(const OutputRequest& request, size_t tensors);

}  // namespace belay::guest

#endif  // BELAY_GUEST_OPERATOR_RESULTS_H_
