// SPDX-License-Identifier: Apache-2.0
#include "crux/compile.h"

#include "crux/passes/across.h"
#include "crux/passes/batch.h"
#include "crux/passes/dead.h"
#include "crux/passes/expand.h"
#include "crux/passes/fuse_conditions.h"
#include "crux/passes/hoist.h"
#include "crux/passes/legalise.h"
#include "crux/passes/outline.h"
#include "crux/passes/schedule.h"
#include "crux/passes/stages.h"
#include "crux/passes/windows.h"
#include "crux/select/select.h"

namespace belay::crux {
namespace {

struct Pass {
  std::string_view name;
  void (*run)(ir::Kernel&);
};

constexpr Pass kPasses[] = {
    {"windows", passes::MergeWindows},
    {"batch", passes::BatchRows},
    {"across", passes::LowerAcross},
    {"legalise-floats", passes::LegaliseFloats},
    {"expand", passes::Expand},
    {"legalise-bools", passes::LegaliseBools},
    {"fuse-conditions", passes::FuseConditions},
    {"dead", passes::DropDead},
    {"hoist", passes::Hoist},
    {"schedule", passes::Schedule},
    {"stages", passes::DeriveStages},
};

}  // namespace

CompiledVariant CompileLowered(ir::Kernel kernel, const PassDump& dump) {
  auto tiles = std::make_shared<ir::Kernel>(std::move(kernel));
  if (dump) dump("lower", ToText(*tiles));
  for (const Pass& pass : kPasses) {
    pass.run(*tiles);
    if (dump) dump(pass.name, ToText(*tiles));
  }
  auto code = std::make_shared<code::Kernel>(select::Select(*tiles));
  if (dump) dump("select", ToText(*code));
  passes::Outline(*code);
  if (dump) dump("outline", ToText(*code));
  CompiledVariant result;
  result.dtypes = tiles->dtypes;
  result.tiles = std::move(tiles);
  result.code = std::move(code);
  return result;
}

CompiledVariant CompileFor(const typed::Kernel& kernel,
                           const std::vector<DType>& dtypes,
                           HostOracle& oracle, const PassDump& dump) {
  return CompileLowered(Lower(kernel, dtypes, oracle), dump);
}

std::vector<CompiledVariant> CompileAll(const typed::Kernel& kernel,
                                        const PassDump& dump) {
  std::vector<CompiledVariant> all;
  for (const std::vector<DType>& dtypes : typed::InstancesOf(kernel)) {
    for (Variant& variant : EnumerateVariants(kernel, dtypes)) {
      CompiledVariant compiled =
          CompileLowered(std::move(variant.kernel), dump);
      compiled.conditions = std::move(variant.conditions);
      compiled.fits = std::move(variant.fits);
      all.push_back(std::move(compiled));
    }
  }
  return all;
}

}  // namespace belay::crux
