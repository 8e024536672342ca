// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_KERNEL_CLASS_H_
#define BELAY_CRUX_PRINT_KERNEL_CLASS_H_

// A code::Kernel as the AscendC class an engineer would write: members, Init,
// Process, and a function for each stage.

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "crux/ir/code.h"
#include "crux/print/integer_text.h"
#include "crux/print/printed_functions.h"
#include "crux/print/text.h"
#include "crux/source.h"
#include "crux/typed.h"

namespace belay::crux::print {

struct PrintedClass {
  // Init, Process, StoreShapes if it has one, and the functions they call.
  std::vector<std::shared_ptr<const Text>> functions;
  Text members;
  std::set<Helper> helpers;
  // Parameters of Init: names of the kernel's tensors, in its order.
  std::vector<std::string> tensors;
  bool uses_workspace = false;
  bool syncs_all = false;
  // Has StoreShapes(shapes): outputs whose sizes the kernel finds.
  bool stores_shapes = false;
  // Host values that it reads, by the names of the IR.
  std::set<std::string> fields;
};

// `tiling` is the type of the tiling data, `late` as LateOfSome gives it.
// Source may be null. Functions that `known` has are not printed again; it is
// for kernels of one program.
PrintedClass PrintClass(const code::Kernel& kernel, const std::string& tiling,
                        const std::string& late, const Source* source,
                        PrintedFunctions& known);

// The field of the tiling data that holds a host value.
std::string FieldName(const std::string& host_value);

// Words of one output's shape where the runtime looks for it: rank, sizes.
inline constexpr size_t kShapeWords = 9;

// Outputs all of whose sizes are found by the kernel, by their positions among
// the outputs.
std::vector<std::pair<size_t, const typed::Parameter*>> OpenOutputs(
    const typed::Kernel& kernel);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_KERNEL_CLASS_H_
