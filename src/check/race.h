// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_RACE_H_
#define BELAY_CHECK_RACE_H_

// racecheck: two accesses to the same bytes, one of them a write, that nothing
// orders. Order comes from flags (those of queues too), barriers, meetings of
// blocks, and compiler auto-sync where it is on. Findings are about what could
// happen in some legal order of the pipes, not about what happened.

#include <cstdint>
#include <vector>

#include "check/auto_sync.h"
#include "check/clock_cores.h"
#include "check/findings.h"
#include "check/race_cache.h"
#include "check/race_report.h"
#include "check/race_shadow.h"
#include "check/race_sites.h"
#include "npu/chip.h"
#include "npu/footprint.h"

namespace belay::check {

struct RaceOptions {
  bool auto_sync = true;       // as --cce-auto-sync=on compiles
  bool log_auto_sync = false;  // keep the log below
};

class RaceChecker : public npu::Observer {
 public:
  RaceChecker(npu::Chip& chip, Findings& findings, RaceOptions options = {});

  void OnLaunch(const npu::LaunchEvent& event) override;
  void OnBlockBegin(const npu::Core& core) override;
  void OnInstruction(const npu::InstructionEvent& event) override;
  void OnWaited(const npu::InstructionEvent& event) override;
  void OnScalar(const npu::ScalarEvent& event) override;
  void OnRegister(const npu::RegisterEvent& event) override;
  void OnBlockEnd(const npu::Core& core) override;

  // What the compiler would have inserted, in all launches so far.
  const AutoSyncLog& auto_sync_log() const { return log_; }

 private:
  // The access that is judged now.
  struct Current {
    const npu::Core& core;
    CoreClock& clock;
    RaceAccess access;
    const abi::Instruction* transfer = nullptr;  // plain move to global memory
    const abi::Instruction* load = nullptr;      // of fractals, one by one
    std::string_view role = {};
    bool global = false;
    bool cache_matters = false;     // the data caches may stand in between
    bool follows_own_pipe = false;  // its pipe's earlier work is complete
    uint8_t auto_sync_pipes = 0;    // pipes that auto-sync must wait for
    // A history that this access, as it is now, is in order with.
    bool has_clean = false;
    std::array<RaceAccess, RaceCell::kFew> clean = {};
  };

  // Judges [begin, end) and leaves the access in the shadow; `resets`: as a
  // plain write.
  template <bool resets>
  void Judge(Current& current, uint64_t begin, uint64_t end);
  // The same without leaving it there.
  void JudgeRead(Current& current, uint64_t begin, uint64_t end);
  void JudgeCell(Current& current, const RaceCell& cell, uint64_t begin,
                 uint64_t end);
  void JudgeUnordered(Current& current, const RaceAccess& earlier,
                      uint64_t begin, uint64_t end);
  // Vector instructions leave results in registers, one after the other.
  void WriteRegisters(const Current& current, abi::Op op);
  void JudgeCache(Current& current, const RaceAccess& earlier, uint64_t begin,
                  uint64_t end);
  void JudgeSharedLines(Current& current, uint64_t begin, uint64_t end);
  void StoreIntoLines(Current& current, uint64_t begin, uint64_t end);
  void Keep(Current& current, RacePair::Rule rule, const RaceAccess& earlier,
            uint64_t begin, uint64_t end);
  bool IsWorthReporting(const Current& current, const RacePair& pair) const;
  void Finish(Current& current);
  // Order by unit flags, before and behind an Mmad or Fixpipe.
  void TakeUnits(const npu::InstructionEvent& event);
  void HandUnitsOver(const npu::InstructionEvent& event);

  static bool IsClean(const Current& current, const RaceCell& cell) {
    return current.has_clean && cell.has_few() && cell.few() == current.clean;
  }
  bool IsComplete(const Current& current, const RaceAccess& earlier) const {
    return current.clock.IsComplete(current.access.pipe(), earlier.slot,
                                    earlier.pipe(), earlier.count);
  }

  // What was complete when L0C last changed hands by unit flags.
  struct Units {
    Clock handed_over;  // by Mmad
    Clock taken_out;    // by Fixpipe
  };

  npu::Chip& chip_;
  RaceOptions options_;
  CoreClocks clocks_;
  RaceShadow shadow_;
  RaceSites sites_;
  StoredLines lines_;
  std::vector<Units> units_;  // by slot
  AutoSyncLog log_;
  RaceReporter reporter_;
  std::vector<RacePair> pairs_;  // of the current access
  std::array<uint16_t, kPipes> auto_sync_site_{};
};

}  // namespace belay::check

#endif  // BELAY_CHECK_RACE_H_
