// SPDX-License-Identifier: Apache-2.0
#include "crux/compile.h"

#include "base/in_parallel.h"
#include "crux/ir/unused.h"
#include "crux/passes/across.h"
#include "crux/passes/batch.h"
#include "crux/passes/expand.h"
#include "crux/passes/fuse_conditions.h"
#include "crux/passes/fuse_multiply_add.h"
#include "crux/passes/hoist.h"
#include "crux/passes/lanes.h"
#include "crux/passes/legalise.h"
#include "crux/passes/name_sizes.h"
#include "crux/passes/narrow.h"
#include "crux/passes/outline.h"
#include "crux/passes/past_l2.h"
#include "crux/passes/schedule.h"
#include "crux/passes/sink_buffers.h"
#include "crux/passes/stages.h"
#include "crux/passes/units.h"
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
    {"lanes", passes::PutRowsOnLanes},
    {"across", passes::LowerAcross},
    {"legalise-floats", passes::LegaliseFloats},
    {"narrow", passes::NarrowReductions},
    {"expand", passes::Expand},
    {"legalise-bools", passes::LegaliseBools},
    {"fuse-conditions", passes::FuseConditions},
    {"dead", ir::RemoveUnusedStatements},
    {"hoist", passes::Hoist},
    {"fuse-multiply-add", passes::FuseMultiplyAdd},
    {"schedule", passes::Schedule},
    {"stages", passes::DeriveStages},
    {"units", passes::ChooseUnits},
};

class Dumper : public PassObserver {
 public:
  explicit Dumper(const PassDump& dump) : dump_(dump) {}
  void After(std::string_view pass, ir::Kernel& kernel) override {
    if (dump_) dump_(pass, ToText(kernel));
  }
  void After(std::string_view pass, code::Kernel& kernel) override {
    if (dump_) dump_(pass, ToText(kernel));
  }

 private:
  const PassDump& dump_;
};

}  // namespace

CompiledVariant CompileLowered(ir::Kernel kernel, PassObserver& observer) {
  auto tiles = std::make_shared<ir::Kernel>(std::move(kernel));
  observer.After("lower", *tiles);
  for (const Pass& pass : kPasses) {
    pass.run(*tiles);
    observer.After(pass.name, *tiles);
  }
  auto code = std::make_shared<code::Kernel>(select::Select(*tiles));
  observer.After("select", *code);
  passes::NameSizes(*tiles, *code);
  observer.After("name-sizes", *code);
  passes::PassL2By(*tiles, *code);
  observer.After("past-l2", *code);
  passes::Outline(*code);
  observer.After("outline", *code);
  passes::SinkBuffers(*code);
  observer.After("sink-buffers", *code);
  CompiledVariant result;
  result.dtypes = tiles->dtypes;
  result.tiles = std::move(tiles);
  result.code = std::move(code);
  return result;
}

CompiledVariant CompileLowered(ir::Kernel kernel, const PassDump& dump) {
  Dumper dumper(dump);
  return CompileLowered(std::move(kernel), dumper);
}

CompiledVariant CompileFor(const typed::Kernel& kernel,
                           const std::vector<DType>& dtypes, HostOracle& oracle,
                           const PassDump& dump) {
  return CompileLowered(Lower(kernel, dtypes, oracle), dump);
}

std::vector<CompiledVariant> CompileAll(const typed::Kernel& kernel,
                                        const PassDump& dump) {
  return CompileAll(kernel, typed::InstancesOf(kernel), dump);
}

std::vector<CompiledVariant> CompileAll(
    const typed::Kernel& kernel,
    const std::vector<std::vector<DType>>& instances, const PassDump& dump) {
  std::vector<std::vector<Variant>> of_instance(instances.size());
  InParallel(instances.size(), [&](size_t i) {
    of_instance[i] = EnumerateVariants(kernel, instances[i]);
  });
  std::vector<Variant*> variants;
  for (std::vector<Variant>& some : of_instance) {
    for (Variant& variant : some) variants.push_back(&variant);
  }
  std::vector<CompiledVariant> all(variants.size());
  const auto compile = [&](size_t i) {
    all[i] = CompileLowered(std::move(variants[i]->kernel), dump);
    all[i].conditions = std::move(variants[i]->conditions);
    all[i].fits = std::move(variants[i]->fits);
  };
  if (dump) {
    for (size_t i = 0; i < variants.size(); ++i) compile(i);
  } else {
    InParallel(variants.size(), compile);
  }
  return all;
}

}  // namespace belay::crux
