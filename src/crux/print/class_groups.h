// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_CLASS_GROUPS_H_
#define BELAY_CRUX_PRINT_CLASS_GROUPS_H_

// The classes of a kernel: one for each tiling key and each choice of dtypes,
// where choices whose classes differ in the names of their types alone share a
// class template.

#include <set>
#include <string>
#include <vector>

#include "crux/print/compiled.h"
#include "crux/print/kernel_class.h"
#include "crux/print/text.h"
#include "crux/print/tiling_text.h"

namespace belay::crux::print {

struct ClassGroup {
  PrintedClass printed;  // its text begins with "template <…>" if it is one
  int key = 1;
  std::vector<std::vector<DType>> choices;
  // Positions in typed::Kernel::dtypes of the template's parameters.
  std::vector<size_t> parameters;
};

struct KernelClasses {
  Text functions;                  // that several classes share
  std::vector<ClassGroup> groups;  // by key
  std::set<Helper> helpers;
  std::set<std::string> fields;
};

KernelClasses PrintClasses(const Compiled& compiled,
                           const std::string& tiling_type);

// "Softmax<half>": the class for one choice.
std::string InstanceName(const ClassGroup& group,
                         const std::vector<DType>& dtypes);

// Definitions of the helpers that the classes use.
Text HelperDefinitions(const std::set<Helper>& helpers, bool host);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_CLASS_GROUPS_H_
