// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_OPERATOR_CANDIDATE_H_
#define BELAY_JUDGE_OPERATOR_CANDIDATE_H_

// A candidate in AscendC from its text to planned launches: a project, or a
// kernel for the task's own host part. Its text is compiled and its host part
// runs in the cage (operator_service.cpp).

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "guest/operator_project.h"
#include "guest/work_folder.h"
#include "judge/caged_calls.h"
#include "judge/operator_fit.h"
#include "judge/operator_hosts.h"
#include "judge/session.h"
#include "toolchain/compile.h"

namespace belay::judge {

// More by the clock than of processor time.
inline constexpr double kWallFactor = 4;
// Thrown where a call goes no further.
struct CallStopped {
  CallEnd end = CallEnd::kFault;
  std::vector<Diagnostic> diagnostics;
  std::string trouble;
};

// A call that tiling has planned, and its kernel's module.
struct PlannedCall {
  CaseCall call;
  runtime::LaunchPlan plan;
  std::string module;
};

class OperatorCandidate {
 public:
  // Task, candidate and broker must outlive this.
  OperatorCandidate(const bench::Task& task, const Candidate& candidate,
                    const SessionOptions& options, guest::Broker& broker);

  // Each throws CallStopped, and InternalError for faults of this machine.

  // Compiles the host part and fits it to the task; once.
  void PrepareHost();
  // Plans the call and compiles the kernel for it, unless that was done. What
  // the compiler warned of is appended to `warnings`.
  PlannedCall Prepare(const bench::Case& one_case,
                      const bench::Arguments& inputs,
                      std::vector<Diagnostic>& warnings);
  // A question to the process that launches kernels.
  nlohmann::json Ask(nlohmann::json question,
                     const std::vector<int>& descriptors, double seconds);

  // After PrepareHost.
  const runtime::OperatorSignature& signature() const { return *signature_; }
  const std::string& kernel_source() const { return kernel_source_; }

  // The diagnostics of an answer, with paths as the candidate knows them. A
  // hostile answer makes it throw json::exception.
  std::vector<Diagnostic> DiagnosticsOf(const nlohmann::json& answer) const;
  // Turns paths of this machine into those of the candidate.
  void Clean(std::string& text) const;
  void Clean(Diagnostic& diagnostic) const;

 private:
  void WriteSources();
  // `is_ours`: not a word of it is the candidate's.
  std::vector<Diagnostic> CompileModule(
      const toolchain::CompileOptions& options, bool is_ours);
  void PrepareHostOnce();
  void PrepareOwnHost();
  void PrepareProject();
  runtime::OperatorSignature Describe(const std::string& module);
  runtime::LaunchPlan Plan(const CaseCall& call);
  runtime::LaunchPlan AskForPlan(const CaseCall& call);
  // The module of the kernel for this plan.
  std::string KernelFor(const runtime::LaunchPlan& plan,
                        std::vector<Diagnostic>& warnings);
  nlohmann::json AskHost(nlohmann::json question);
  static nlohmann::json Answered(CagedAnswer answer);

  const bench::Task& task_;
  const Candidate& candidate_;
  const SessionOptions options_;
  const std::shared_ptr<OperatorHosts> hosts_;
  const guest::WorkFolder folder_;
  const std::string sources_;  // the candidate's files
  const std::string out_;      // what the compiler writes
  const bool own_host_;        // the task's, for a kernel

  std::unique_ptr<CagedCalls> compiler_;
  std::unique_ptr<CagedCalls> tiling_;    // host code
  std::unique_ptr<CagedCalls> launcher_;  // kernels

  bool written_ = false;
  guest::OperatorProject project_;
  OperatorHost* host_ = nullptr;  // own_host_
  std::string host_module_;
  std::optional<runtime::OperatorSignature> signature_;
  std::string kernel_source_;
  bool orig_types_ = false;
  std::map<std::string, std::string> modules_;  // by the prelude
  // What does not compile is not compiled again.
  std::optional<CallStopped> host_failure_;
  std::map<std::string, CallStopped> kernel_failures_;  // by the prelude
};

}  // namespace belay::judge

#endif  // BELAY_JUDGE_OPERATOR_CANDIDATE_H_
