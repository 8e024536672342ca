// SPDX-License-Identifier: Apache-2.0
#include "crux/typed.h"

#include <algorithm>
#include <set>

namespace belay::crux::typed {

const Parameter* Kernel::FindParameter(std::string_view name) const {
  for (const Parameter* parameter : parameters) {
    if (parameter->name == name) return parameter;
  }
  return nullptr;
}

const Kernel* Program::FindKernel(std::string_view name) const {
  for (const Kernel* kernel : kernels) {
    if (kernel->name == name) return kernel;
  }
  return nullptr;
}

std::vector<std::vector<DType>> InstancesOf(const Kernel& kernel) {
  // Variables of one group choose together.
  std::vector<std::vector<DType>> instances = {
      std::vector<DType>(kernel.dtypes.size(), DType::kNone)};
  std::set<int> done;
  for (const DtypeVariable* variable : kernel.dtypes) {
    if (!done.insert(variable->group).second) continue;
    std::vector<std::vector<DType>> next;
    for (const std::vector<DType>& instance : instances) {
      for (size_t choice = 0; choice < variable->allowed.size(); ++choice) {
        std::vector<DType> chosen = instance;
        for (size_t i = 0; i < kernel.dtypes.size(); ++i) {
          if (kernel.dtypes[i]->group == variable->group) {
            chosen[i] = kernel.dtypes[i]->allowed[choice];
          }
        }
        if (std::find(next.begin(), next.end(), chosen) == next.end()) {
          next.push_back(std::move(chosen));
        }
      }
    }
    instances = std::move(next);
  }
  return instances;
}

}  // namespace belay::crux::typed
