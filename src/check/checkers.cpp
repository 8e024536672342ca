// SPDX-License-Identifier: Apache-2.0
#include "check/checkers.h"

#include <fmt/format.h>

#include <sstream>

#include "base/catalogue.h"
#include "base/error.h"
#include "check/cross_core.h"
#include "check/init_checker.h"
#include "check/memory.h"
#include "check/race.h"
#include "check/report.h"
#include "check/sync.h"
#include "npu/names.h"

namespace belay::check {

void SelectTools(const std::string& list, CheckOptions& options) {
  struct Tool {
    const char* name;
    bool CheckOptions::* flag;
  };
  constexpr Tool kTools[] = {{"memcheck", &CheckOptions::memcheck},
                             {"initcheck", &CheckOptions::initcheck},
                             {"racecheck", &CheckOptions::racecheck},
                             {"synccheck", &CheckOptions::synccheck}};
  for (const Tool& tool : kTools) options.*tool.flag = false;
  std::istringstream words(list);
  std::string word;
  bool any = false;
  while (std::getline(words, word, ',')) {
    bool known = false;
    for (const Tool& tool : kTools) {
      if (word != tool.name && word != "all") continue;
      options.*tool.flag = true;
      known = true;
    }
    if (!known) {
      throw UserError(fmt::format(
          "[check] no tool named '{}'; known: memcheck, initcheck, racecheck, "
          "synccheck, all",
          word));
    }
    any = true;
  }
  if (!any) throw UserError("[check] no tool was named");
}

// First of the observers: findings of the other blocks do not count.
class Checkers::BlockGate : public npu::Observer {
 public:
  BlockGate(const std::set<int>& blocks, Findings& findings)
      : blocks_(blocks), findings_(findings) {}

  void OnBlockBegin(const npu::Core& core) override { Turn(core); }
  void OnInstruction(const npu::InstructionEvent& event) override {
    Turn(event.core);
  }
  void OnWaited(const npu::InstructionEvent& event) override {
    Turn(event.core);
  }
  void OnScalar(const npu::ScalarEvent& event) override { Turn(event.core); }
  void OnOutsideBuffer(const npu::OutsideBufferEvent& event) override {
    Turn(event.core);
  }
  void OnBlockEnd(const npu::Core& core) override { Turn(core); }
  void OnLaunchEnd() override { findings_.SetOpen(true); }

 private:
  void Turn(const npu::Core& core) {
    if (core.block == block_) return;
    block_ = core.block;
    findings_.SetOpen(blocks_.contains(block_));
  }

  const std::set<int>& blocks_;
  Findings& findings_;
  int block_ = -1;
};

// Last of them: hands over what the others found.
class Checkers::Handover : public npu::Observer {
 public:
  explicit Handover(Checkers& owner) : owner_(owner) {}

  void OnLaunch(const npu::LaunchEvent&) override { owner_.findings_.Clear(); }
  void OnLaunchEnd() override {
    owner_.dropped_ += owner_.findings_.dropped();
    for (const Findings::Entry& entry : owner_.findings_.entries()) {
      owner_.sink_(WithCount(entry));
    }
    owner_.findings_.Clear();
    owner_.TellDropped();
    owner_.TellAutoSync();
  }

 private:
  Checkers& owner_;
};

void Checkers::TellDropped() {
  if (dropped_ == 0) return;
  npu::Fault fault;
  fault.diagnostic.code = code::kU107;
  fault.diagnostic.severity = Severity::kNote;
  fault.diagnostic.message =
      fmt::format("{} different findings beyond the first {} were left out",
                  dropped_, options_.max_findings);
  fault.diagnostic.fix = "mend those above first, or raise --max-findings";
  sink_(std::move(fault));
}

void Checkers::TellAutoSync() {
  if (log_ == nullptr) return;
  for (const AutoSyncEdge& edge : log_->Edges()) {
    npu::Fault fault;
    fault.diagnostic.code = code::kR109;
    fault.diagnostic.severity = Severity::kNote;
    const std::string_view from = npu::NameOf(edge.from);
    fault.diagnostic.message =
        edge.from == edge.to
            ? fmt::format(
                  "[auto-sync] the compiler puts PipeBarrier<PIPE_{}> "
                  "before this, passed {} times",
                  from, edge.count)
            : fmt::format(
                  "[auto-sync] the compiler puts SetFlag and WaitFlag "
                  "of {}_{} before this, passed {} times",
                  from, npu::NameOf(edge.to), edge.count);
    fault.pc = edge.later_pc;
    fault.notes.push_back({"so that this is complete", edge.earlier_pc});
    sink_(std::move(fault));
  }
}

Checkers::Checkers(npu::Chip& chip, CheckOptions options, Sink sink)
    : options_(std::move(options)),
      sink_(std::move(sink)),
      findings_(options_.max_findings) {
  if (!options_.blocks.empty()) {
    observers_.push_back(
        std::make_unique<BlockGate>(options_.blocks, findings_));
  }
  if (options_.memcheck) {
    observers_.push_back(std::make_unique<MemoryChecker>(chip, findings_));
  }
  if (options_.initcheck) {
    observers_.push_back(std::make_unique<InitChecker>(chip, findings_));
  }
  if (options_.racecheck) {
    auto race = std::make_unique<RaceChecker>(
        chip, findings_,
        RaceOptions{options_.auto_sync, options_.auto_sync_log});
    if (options_.auto_sync_log) log_ = &race->auto_sync_log();
    observers_.push_back(std::move(race));
  }
  if (options_.synccheck) {
    observers_.push_back(std::make_unique<SyncChecker>(chip, findings_));
    observers_.push_back(std::make_unique<CrossCoreChecker>(findings_));
  }
  observers_.push_back(std::make_unique<Handover>(*this));
  for (const auto& observer : observers_) chip.AddObserver(observer.get());
}

Checkers::~Checkers() = default;

}  // namespace belay::check
