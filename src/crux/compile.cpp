// SPDX-License-Identifier: Apache-2.0
#include "crux/compile.h"

#include <exception>
#include <span>

#include "base/in_parallel.h"
#include "crux/ir/unused.h"
#include "crux/passes/across.h"
#include "crux/passes/batch.h"
#include "crux/passes/expand.h"
#include "crux/passes/fuse_conditions.h"
#include "crux/passes/fuse_multiply_add.h"
#include "crux/passes/fuse_signs.h"
#include "crux/passes/hoist.h"
#include "crux/passes/lanes.h"
#include "crux/passes/legalise.h"
#include "crux/passes/meetings.h"
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

// A variant on its way.
struct Draft {
  std::shared_ptr<ir::Kernel> tiles;
  select::StoragePlan storage;         // from "storage" to "select"
  std::shared_ptr<code::Kernel> code;  // null: not selected yet
};

struct Pass {
  std::string_view name;
  void (*run)(Draft&);
};

template <void (*run)(ir::Kernel&)>
void OverTiles(Draft& draft) {
  run(*draft.tiles);
}
template <void (*run)(code::Kernel&)>
void OverCode(Draft& draft) {
  run(*draft.code);
}
template <void (*run)(ir::Kernel&, code::Kernel&)>
void OverBoth(Draft& draft) {
  run(*draft.tiles, *draft.code);
}
void PlanStorage(Draft& draft) {
  draft.storage = select::PlanStorage(*draft.tiles);
}
void Select(Draft& draft) {
  draft.code = std::make_shared<code::Kernel>(
      select::Select(*draft.tiles, draft.storage));
  draft.storage = {};
}

constexpr Pass kPasses[] = {
    {"windows", OverTiles<passes::MergeWindows>},
    {"batch", OverTiles<passes::BatchRows>},
    {"lanes", OverTiles<passes::PutRowsOnLanes>},
    {"across", OverTiles<passes::LowerAcross>},
    {"meetings", OverTiles<passes::DropMeetings>},
    {"legalise-floats", OverTiles<passes::LegaliseFloats>},
    {"narrow", OverTiles<passes::NarrowReductions>},
    {"expand", OverTiles<passes::Expand>},
    {"legalise-bools", OverTiles<passes::LegaliseBools>},
    {"fuse-conditions", OverTiles<passes::FuseConditions>},
    {"fuse-signs", OverTiles<passes::FuseSigns>},
    {"dead", OverTiles<ir::RemoveUnusedStatements>},
    {"hoist", OverTiles<passes::Hoist>},
    {"fuse-multiply-add", OverTiles<passes::FuseMultiplyAdd>},
    {"schedule", OverTiles<passes::Schedule>},
    {"stages", OverTiles<passes::DeriveStages>},
    {"units", OverTiles<passes::ChooseUnits>},
    {"", PlanStorage},  // leaves nothing to show
    {"select", Select},
    {"name-sizes", OverBoth<passes::NameSizes>},
    {"past-l2", OverBoth<passes::PassL2By>},
    {"outline", OverCode<passes::Outline>},
    {"sink-buffers", OverCode<passes::SinkBuffers>},
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

CompiledVariant Finished(Draft draft) {
  CompiledVariant result;
  result.dtypes = draft.tiles->dtypes;
  result.tiles = std::move(draft.tiles);
  result.code = std::move(draft.code);
  return result;
}

// Of some variants, pass by pass: most of the time that a pass takes is spent
// on getting its code into the cache. Throws what compiling the first that
// cannot be compiled does.
void CompileTogether(std::span<Variant* const> variants,
                     std::span<CompiledVariant> compiled) {
  std::vector<Draft> drafts;
  for (Variant* variant : variants) {
    drafts.push_back({std::make_shared<ir::Kernel>(std::move(variant->kernel)),
                      {},
                      nullptr});
  }
  std::exception_ptr failure;
  for (const Pass& pass : kPasses) {
    for (size_t i = 0; i < drafts.size(); ++i) {
      try {
        pass.run(drafts[i]);
      } catch (...) {
        failure = std::current_exception();
        drafts.resize(i);  // those behind do not matter any more
      }
    }
  }
  if (failure != nullptr) std::rethrow_exception(failure);
  for (size_t i = 0; i < drafts.size(); ++i) {
    compiled[i] = Finished(std::move(drafts[i]));
  }
}

}  // namespace

CompiledVariant CompileLowered(ir::Kernel kernel, PassObserver& observer) {
  Draft draft{std::make_shared<ir::Kernel>(std::move(kernel)), {}, nullptr};
  observer.After("lower", *draft.tiles);
  for (const Pass& pass : kPasses) {
    pass.run(draft);
    if (pass.name.empty()) continue;
    if (draft.code == nullptr) {
      observer.After(pass.name, *draft.tiles);
    } else {
      observer.After(pass.name, *draft.code);
    }
  }
  return Finished(std::move(draft));
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
  if (dump) {
    for (size_t i = 0; i < variants.size(); ++i) {
      all[i] = CompileLowered(std::move(variants[i]->kernel), dump);
    }
  } else {
    InRanges(variants.size(), [&](size_t begin, size_t end) {
      CompileTogether(std::span(variants).subspan(begin, end - begin),
                      std::span(all).subspan(begin, end - begin));
    });
  }
  for (size_t i = 0; i < variants.size(); ++i) {
    all[i].conditions = std::move(variants[i]->conditions);
    all[i].fits = std::move(variants[i]->fits);
  }
  return all;
}

}  // namespace belay::crux
