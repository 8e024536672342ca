// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_SETTLE_PARAMETERS_H_
#define BELAY_CRUX_PRINT_SETTLE_PARAMETERS_H_

// Functions without parameters that nobody needs: what every call of every
// kernel hands over as the same number, or as the same as another parameter.

#include <memory>
#include <vector>

#include "crux/ir/code.h"

namespace belay::crux::print {

// Some kernels with such functions. Functions with the same parameters keep the
// same ones, so that those that differ in an instruction stay alike.
class SettledKernels {
 public:
  explicit SettledKernels(
      std::vector<std::shared_ptr<const code::Kernel>> kernels);
  ~SettledKernels();

  // Made anew by each call, or the kernel itself where nothing changes. Several
  // threads may ask.
  std::shared_ptr<const code::Kernel> Make(size_t kernel) const;

 private:
  struct Calls;

  std::vector<std::shared_ptr<const code::Kernel>> kernels_;
  std::unique_ptr<const Calls> calls_;
};

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_SETTLE_PARAMETERS_H_
