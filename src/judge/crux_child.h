// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_CRUX_CHILD_H_
#define BELAY_JUDGE_CRUX_CHILD_H_

// The caged process that serves Crux sessions of a broker, kept from one
// candidate to the next.

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "guest/broker.h"
#include "judge/session.h"

namespace belay::judge {

// What came of a request.
struct CruxReply {
  CallEnd end = CallEnd::kFinished;
  nlohmann::json value;  // of an answer; null when none came
  std::vector<std::byte> bytes;
  std::vector<Diagnostic> diagnostics;
  std::string trouble;  // kInfrastructure
};

class CruxChild {
 public:
  explicit CruxChild(guest::Broker& broker) : broker_(broker) {}

  // The one of a broker.
  static std::shared_ptr<CruxChild> Of(guest::Broker& broker);

  // Changes whenever there is a new process, which knows no programs. Starts
  // one where there is none, or where its share of work is done: call it before
  // a request that needs a program. Throws InternalError when none can be
  // started.
  int Generation(const SessionOptions& options);
  // A candidate begins.
  void CountCandidate() { ++candidates_; }

  // Drops a program of that generation.
  void Forget(int generation, int program);

  // Waits so many seconds of wall time, then ends the process: out of time.
  // `file` is what diagnostics without a place point to.
  CruxReply Ask(const nlohmann::json& request,
                const std::vector<std::byte>& bytes, double seconds,
                const std::string& file);

 private:
  void Start(const SessionOptions& options);
  // What its end says about the request it was at.
  CruxReply Mourn(guest::Channel::Status status, const std::string& file);

  guest::Broker& broker_;
  std::unique_ptr<guest::CagedChild> child_;
  uint64_t memory_bytes_ = 0;  // its limit
  int generation_ = 0;
  int candidates_ = 0;
  double seconds_ = 0;  // of processor time it has used
};

}  // namespace belay::judge

#endif  // BELAY_JUDGE_CRUX_CHILD_H_
