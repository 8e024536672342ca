// SPDX-License-Identifier: Apache-2.0
#include "crux/compile.h"

#include <atomic>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/in_parallel.h"
#include "crux/ir/unused.h"
#include "crux/passes/across.h"
#include "crux/passes/batch.h"
#include "crux/passes/expand.h"
#include "crux/passes/float_comparisons.h"
#include "crux/passes/fuse_conditions.h"
#include "crux/passes/fuse_multiply_add.h"
#include "crux/passes/fuse_signs.h"
#include "crux/passes/hoist.h"
#include "crux/passes/join_loops.h"
#include "crux/passes/join_steps.h"
#include "crux/passes/join_turns.h"
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
#include "crux/twins.h"

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
using Passes = std::span<const Pass>;

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
    {"join-loops", OverTiles<passes::JoinLoops>},
    {"join-steps", OverTiles<passes::JoinSteps>},
    {"join-turns", OverTiles<passes::JoinTurns>},
    {"windows", OverTiles<passes::MergeWindows>},
    {"batch", OverTiles<passes::BatchRows>},
    {"lanes", OverTiles<passes::PutOnLanes>},
    {"across", OverTiles<passes::LowerAcross>},
    {"meetings", OverTiles<passes::DropMeetings>},
    {"legalise-floats", OverTiles<passes::LegaliseFloats>},
    {"narrow", OverTiles<passes::NarrowReductions>},
    {"expand", OverTiles<passes::Expand>},
    {"legalise-bools", OverTiles<passes::LegaliseBools>},
    {"legalise-bytes", OverTiles<passes::LegaliseBytes>},
    {"float-comparisons", OverTiles<passes::CompareAsFloats>},
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
constexpr size_t kPassesOverTiles = 22;  // those before storage is planned
constexpr Passes kOverTiles = Passes(kPasses).first(kPassesOverTiles);
constexpr size_t kPassesToCode = 2;  // "storage" and "select"
constexpr Passes kToCode =
    Passes(kPasses).subspan(kPassesOverTiles, kPassesToCode);
constexpr Passes kOverCode =
    Passes(kPasses).subspan(kPassesOverTiles + kPassesToCode);
static_assert(kOverTiles.back().name == "units" &&
              kToCode.back().name == "select");

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

void RunObserved(Draft& draft, PassObserver& observer) {
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
}

// Some variants, pass by pass: most of the time that a pass takes is spent on
// getting its code into the cache. Throws what the first that cannot be
// compiled does.
void RunTogether(Passes passes, std::span<Draft* const> drafts) {
  std::exception_ptr failure;
  size_t count = drafts.size();
  for (const Pass& pass : passes) {
    for (size_t i = 0; i < count; ++i) {
      try {
        pass.run(*drafts[i]);
      } catch (...) {
        failure = std::current_exception();
        count = i;  // those behind do not matter any more
      }
    }
  }
  if (failure != nullptr) std::rethrow_exception(failure);
}

// All variants of all choices of dtypes on their way.
class Compilation {
 public:
  Compilation(const typed::Kernel& kernel,
              const std::vector<std::vector<DType>>& instances)
      : instances_(instances) {
    std::vector<std::vector<Variant>> of_instance(instances.size());
    InParallel(instances.size(), [&](size_t i) {
      of_instance[i] = EnumerateVariants(kernel, instances[i]);
    });
    for (const std::vector<Variant>& some : of_instance) {
      first_.push_back(first_.back() + some.size());
    }
    variants_.reserve(first_.back());
    for (std::vector<Variant>& some : of_instance) {
      for (Variant& one : some) variants_.push_back(std::move(one));
    }
    for (Variant& variant : variants_) {
      drafts_.push_back(
          {std::make_shared<ir::Kernel>(std::move(variant.kernel)),
           {},
           nullptr});
    }
    like_.resize(drafts_.size());
    compared_.resize(drafts_.size());
    texts_.resize(drafts_.size());
  }

  void Run() {
    std::vector<Draft*> all;
    for (Draft& draft : drafts_) all.push_back(&draft);
    InRanges(all.size(), [&](size_t begin, size_t end) {
      RunTogether(kPasses, std::span(all).subspan(begin, end - begin));
    });
  }

  void Run(PassObserver& observer) {
    for (Draft& draft : drafts_) RunObserved(draft, observer);
  }

  // The code of twins is left out.
  void RunOnce() {
    if (!FindCandidates()) return Run();
    // Candidates last, when the code of those they are like is there, or is
    // being made by a thread that waits for nothing.
    std::vector<size_t> order;
    for (const bool candidates : {false, true}) {
      for (size_t i = 0; i < like_.size(); ++i) {
        if (like_[i].has_value() == candidates) order.push_back(i);
      }
    }
    std::vector<std::atomic<bool>> ended(drafts_.size());
    InRanges(order.size(), [&](size_t begin, size_t end) {
      const std::span<const size_t> some(&order[begin], end - begin);
      std::exception_ptr failure;
      try {
        RunOnce(some, ended);
      } catch (...) {
        failure = std::current_exception();
      }
      for (const size_t i : some) {
        ended[i] = true;
        ended[i].notify_all();
      }
      if (failure != nullptr) std::rethrow_exception(failure);
    });
  }

  std::vector<CompiledVariant> Take() {
    std::vector<CompiledVariant> all;
    for (size_t i = 0; i < drafts_.size(); ++i) {
      CompiledVariant& own = all.emplace_back();
      if (drafts_[i].code == nullptr) {
        own = all[*like_[i]];
        own.dtypes = drafts_[i].tiles->dtypes;
        own.twin = true;
        continue;
      }
      own = Finished(std::move(drafts_[i]));
      own.conditions = std::move(variants_[i].conditions);
      own.fits = std::move(variants_[i].fits);
    }
    return all;
  }

 private:
  // Variants of the same number under f16. False: there are none.
  bool FindCandidates() {
    bool any = false;
    const auto halves = HalvesFor(instances_);
    for (size_t i = 0; i < halves.size(); ++i) {
      if (!halves[i]) continue;
      const size_t from = first_[*halves[i]];
      const size_t count = first_[i + 1] - first_[i];
      if (first_[*halves[i] + 1] - from != count) continue;
      for (size_t v = 0; v < count; ++v) {
        like_[first_[i] + v] = from + v;
        compared_[from + v] = true;
      }
      any = true;
    }
    return any;
  }

  void RunOnce(std::span<const size_t> some,
               const std::vector<std::atomic<bool>>& ended) {
    std::vector<Draft*> drafts;
    for (const size_t i : some) drafts.push_back(&drafts_[i]);
    RunTogether(kOverTiles, drafts);
    for (const bool candidates : {false, true}) {
      drafts.clear();
      for (const size_t i : some) {
        if (like_[i].has_value() != candidates) continue;
        if (candidates) ended[*like_[i]].wait(false);
        if (!candidates || !IsTwin(i, *like_[i])) {
          drafts.push_back(&drafts_[i]);
        }
      }
      RunTogether(kToCode, drafts);
      for (const size_t i : some) {
        if (candidates || !compared_[i]) continue;
        if (!OnlyMovesHalves(*drafts_[i].code)) continue;
        texts_[i] = TwinText(variants_[i], *drafts_[i].tiles, true);
      }
      RunTogether(kOverCode, drafts);
    }
  }

  // Before its own code is made.
  bool IsTwin(size_t i, size_t half) const {
    return !texts_[half].empty() &&
           TwinText(variants_[i], *drafts_[i].tiles, false) == texts_[half];
  }

  const std::vector<std::vector<DType>>& instances_;
  std::vector<Variant> variants_;    // their kernels are drafts
  std::vector<size_t> first_ = {0};  // of each instance, and behind the last
  std::vector<Draft> drafts_;
  std::vector<std::optional<size_t>> like_;  // the one of f16, of candidates
  std::vector<bool> compared_;               // those that candidates are like
  // Of these, with bf16 for f16; empty where no other may be like it.
  std::vector<std::string> texts_;
};

}  // namespace

CompiledVariant CompileLowered(ir::Kernel kernel, PassObserver& observer) {
  Draft draft{std::make_shared<ir::Kernel>(std::move(kernel)), {}, nullptr};
  RunObserved(draft, observer);
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
  Compilation compilation(kernel, instances);
  if (dump) {
    Dumper dumper(dump);
    compilation.Run(dumper);
  } else {
    compilation.Run();
  }
  return compilation.Take();
}

std::vector<CompiledVariant> CompileForPrint(
    const typed::Kernel& kernel,
    const std::vector<std::vector<DType>>& instances) {
  Compilation compilation(kernel, instances);
  compilation.RunOnce();
  return compilation.Take();
}

}  // namespace belay::crux
