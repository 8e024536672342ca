// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_OPERATOR_SESSION_H_
#define BELAY_JUDGE_OPERATOR_SESSION_H_

// A session with an operator in AscendC: its launches. Kernels run in the cage
// (operator_service.cpp).

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "judge/operator_candidate.h"
#include "judge/session.h"

namespace belay::judge {

class OperatorSession final : public Session {
 public:
  // As OpenOperatorSession.
  OperatorSession(const bench::Task& task, const Candidate& candidate,
                  const SessionOptions& options, guest::Broker& broker)
      : task_(task),
        options_(options),
        candidate_(task, candidate, options, broker) {}

  CompileReport Compile(const std::vector<const bench::Case*>& cases) override;
  CallReport Run(const bench::Case& one_case, const bench::Arguments& inputs,
                 const RunOptions& options) override;
  TimeReport Time(const bench::Case& one_case,
                  const bench::Arguments& inputs) override;
  PartReport RunParts(const bench::Case& one_case,
                      const bench::Arguments& inputs,
                      const PartRequest& request) override;

 private:
  struct Prepared;  // a launch; its tensors point into the call's inputs

  // `part`: with its patterns, and with places for its windows instead of those
  // for the results.
  Prepared PrepareLaunch(const PlannedCall& planned,
                         const bench::Arguments& inputs,
                         const PartRequest* part = nullptr) const;
  // A launch with values: the bytes of its results. What was found is appended
  // to `diagnostics`, what was done becomes *launches, unless null.
  std::vector<std::byte> Launch(
      const Prepared& prepared, size_t result_bytes, bool check,
      std::vector<Diagnostic>& diagnostics,
      std::vector<clock::LaunchLog>* launches = nullptr);
  // Throws CallStopped where the file holds none.
  std::vector<clock::LaunchLog> ReadLaunches(int file) const;
  void RequireMemory(const Prepared& prepared) const;
  // Throws CallStopped for a launch that did not finish.
  void RequireFinished(const nlohmann::json& answer) const;

  const bench::Task& task_;
  const SessionOptions options_;
  OperatorCandidate candidate_;
};

}  // namespace belay::judge

#endif  // BELAY_JUDGE_OPERATOR_SESSION_H_
