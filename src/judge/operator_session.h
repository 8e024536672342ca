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

 private:
  struct Prepared;  // a launch; its tensors point into the call's inputs

  Prepared PrepareLaunch(const PlannedCall& planned,
                         const bench::Arguments& inputs) const;
  void RequireMemory(const Prepared& prepared) const;
  // Throws CallStopped for a launch that did not finish.
  void RequireFinished(const nlohmann::json& answer) const;

  const bench::Task& task_;
  const SessionOptions options_;
  OperatorCandidate candidate_;
};

}  // namespace belay::judge

#endif  // BELAY_JUDGE_OPERATOR_SESSION_H_
