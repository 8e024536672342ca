// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_CAGED_CALLS_H_
#define BELAY_JUDGE_CAGED_CALLS_H_

// Questions to a caged child, one after the other. The child is started when
// the first is asked, and anew after one has ended it.

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "guest/broker.h"

namespace belay::judge {

struct CagedAnswer {
  enum class Kind {
    kAnswered,
    kFault,  // of the candidate: the child was ended, or talks nonsense
    kInfrastructure,  // of this machine
  };
  Kind kind = Kind::kAnswered;
  guest::Message message;
  Diagnostic diagnostic;  // kFault
  guest::ChildEnd end;    // kFault: how the child ended, where it did
  std::string trouble;    // kInfrastructure
};

class CagedCalls {
 public:
  // `what` the service does, for messages: "the compiler". The broker must
  // outlive this.
  CagedCalls(guest::Broker& broker, std::string service,
             guest::CageOptions options, std::string what);

  // `question` must be an object. An answer that comes later than `seconds` is
  // a fault. Answers carry the question's number, which nobody can guess: what
  // one question's code leaves on the channel answers no other.
  CagedAnswer Ask(nlohmann::json question, const std::vector<int>& descriptors,
                  double seconds);

 private:
  CagedAnswer End(guest::Channel::Status status, double seconds);

  guest::Broker& broker_;
  const std::string service_;
  const guest::CageOptions options_;
  const std::string what_;
  std::unique_ptr<guest::CagedChild> child_;
};

// A diagnostic of severity error without a place.
Diagnostic MakeError(const char* code, std::string message,
                     std::string fix = {});

}  // namespace belay::judge

#endif  // BELAY_JUDGE_CAGED_CALLS_H_
