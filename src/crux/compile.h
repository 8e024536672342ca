// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_COMPILE_H_
#define BELAY_CRUX_COMPILE_H_

// The compiler: a checked kernel to AscendC as data. docs/crux_compiler.md
// describes the passes.

#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "crux/ir/code.h"
#include "crux/ir/tile.h"
#include "crux/lower/lower.h"
#include "crux/typed.h"

namespace belay::crux {

// A kernel for one choice of dtypes and one set of answers of the host.
struct CompiledVariant {
  std::vector<DType> dtypes;  // in the order of typed::Kernel::dtypes
  // As crux::Variant has them. A fit of no statement: whether what was
  // preferred did (HostOracle::Prefer).
  std::vector<std::pair<const typed::Expr*, bool>> conditions;
  std::vector<std::pair<const typed::Statement*, bool>> fits;
  std::shared_ptr<const ir::Kernel> tiles;
  std::shared_ptr<const code::Kernel> code;
  // Both are those of a variant before it: f16 there is bf16 here.
  bool twin = false;
};

// Called with the kernel as text after every pass.
using PassDump =
    std::function<void(std::string_view pass, const std::string& text)>;

// Sees what every pass leaves, "lower" first, and may change it: tests plant
// bugs that way.
class PassObserver {
 public:
  virtual ~PassObserver() = default;
  virtual void After(std::string_view pass, ir::Kernel& kernel) = 0;
  virtual void After(std::string_view pass, code::Kernel& kernel) = 0;
};

// All passes over a lowered kernel. Throws ir::Refusal.
CompiledVariant CompileLowered(ir::Kernel kernel, PassObserver& observer);
CompiledVariant CompileLowered(ir::Kernel kernel, const PassDump& dump = {});

// The variant that `oracle` answers for; conditions and fits stay empty.
CompiledVariant CompileFor(const typed::Kernel& kernel,
                           const std::vector<DType>& dtypes, HostOracle& oracle,
                           const PassDump& dump = {});

// Every variant of every choice of dtypes, in the order of InstancesOf and
// EnumerateVariants.
std::vector<CompiledVariant> CompileAll(const typed::Kernel& kernel,
                                        const PassDump& dump = {});
// Of some choices of dtypes only.
std::vector<CompiledVariant> CompileAll(
    const typed::Kernel& kernel,
    const std::vector<std::vector<DType>>& instances,
    const PassDump& dump = {});
// For printers: twins (crux/twins.h) are not compiled again.
std::vector<CompiledVariant> CompileForPrint(
    const typed::Kernel& kernel,
    const std::vector<std::vector<DType>>& instances);

}  // namespace belay::crux

#endif  // BELAY_CRUX_COMPILE_H_
