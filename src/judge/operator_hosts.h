// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_OPERATOR_HOSTS_H_
#define BELAY_JUDGE_OPERATOR_HOSTS_H_

// The host parts of questions, which are the same for every kernel that answers
// them: compiled once, and each launch planned once.

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "bench/case.h"
#include "guest/broker.h"
#include "guest/operator_project.h"
#include "guest/work_folder.h"
#include "runtime/operators/plan.h"

namespace belay::judge {

// The host part of one task, or of one case of it.
struct OperatorHost {
  guest::OperatorProject project;  // without a kernel
  std::string module;              // where the compiled one lies or will lie
  bool compiled = false;
  std::optional<runtime::OperatorSignature> signature;  // once it is known
  std::map<std::string, runtime::LaunchPlan> plans;     // by call
};

// Those of all sessions with a broker. Sessions of several threads may share
// it: take `mutex` for whatever is done with a host.
class OperatorHosts {
 public:
  static std::shared_ptr<OperatorHosts> Of(guest::Broker& broker);

  // The host of the task, or of its case `only`; its sources are written when
  // it is asked for first. Throws UserError where that fails.
  OperatorHost& Find(const bench::Task& task, const bench::Case* only);

  const std::string& folder() const { return path_; }
  std::mutex& mutex() { return mutex_; }

  OperatorHosts();

 private:
  guest::WorkFolder folder_;
  std::string path_;
  std::mutex mutex_;
  std::map<std::string, OperatorHost> hosts_;
};

}  // namespace belay::judge

#endif  // BELAY_JUDGE_OPERATOR_HOSTS_H_
