// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_CLASS_GROUPS_H_
#define BELAY_CRUX_PRINT_CLASS_GROUPS_H_

// The classes of a kernel. Variants whose code is mostly the same share a class
// template: dtypes and answers to host conditions are its parameters.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "crux/print/compiled.h"
#include "crux/print/kernel_class.h"
#include "crux/print/text.h"
#include "crux/print/tiling_text.h"

namespace belay::crux::print {

// A variant that a class serves.
struct ClassInstance {
  const CompiledVariant* variant = nullptr;
  int key = 1;              // the tiling key that asks for it
  std::vector<bool> flags;  // values for ClassGroup::flags
};

struct ClassGroup {
  std::string name;
  Text text;  // begins with "template <…>" if it is one
  // Positions in typed::Kernel::dtypes of the template's types, and its bools.
  std::vector<size_t> parameters;
  std::vector<std::string> flags;
  std::vector<ClassInstance> instances;
  // The same for all instances.
  std::vector<std::string> tensors;
  bool uses_workspace = false;
  bool syncs_all = false;
  bool stores_shapes = false;
};

struct KernelClasses {
  Text functions;  // that use nothing of a class
  std::vector<ClassGroup> groups;
  int keys = 0;
  std::set<Helper> helpers;
  std::set<std::string> fields;
};

// Prints classes in two steps, so that what needs no texts of them need not
// wait for these.
class ClassPrinter {
 public:
  // Prints the variants and lays them over one another. `compiled` must outlive
  // it.
  ClassPrinter(const Compiled& compiled, const std::string& tiling_type);

  // The classes without names, texts, parameters and flags.
  KernelClasses Plan() const { return plan_(); }
  // Once. Variants have other classes than in the plan, one each, where the
  // texts of some cannot be written as one.
  KernelClasses Write() { return write_(); }

 private:
  std::function<KernelClasses()> plan_;
  std::function<KernelClasses()> write_;
};

// Both.
KernelClasses PrintClasses(const Compiled& compiled,
                           const std::string& tiling_type);

std::vector<std::vector<KeyedVariant>> VariantsByClass(
    const KernelClasses& classes);

// "<half, true>", or nothing: arguments of the template, with `types` for its
// types.
std::string TemplateArguments(const ClassGroup& group,
                              const std::vector<std::string>& types,
                              const std::vector<bool>& flags);
// "typename T, bool kHasGamma".
std::string TemplateParameters(const typed::Kernel& kernel,
                               const ClassGroup& group);

// Parameters of Init before tiling and pipe: "x", "y", "workspace".
std::vector<std::string> InitParameters(const ClassGroup& group);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_CLASS_GROUPS_H_
