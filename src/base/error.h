// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_ERROR_H_
#define BELAY_BASE_ERROR_H_

// The three kinds of error. They never share a path: a UserError is answered
// with a message and exit code 2, a GuestFault becomes a diagnostic and exit
// code 1, an InternalError is a bug of Belay and ends with exit code 70.

#include <stdexcept>
#include <string>
#include <utility>

#include "base/diagnostic.h"

namespace belay {

// The caller asked for something that cannot be: a bad flag, a missing or
// malformed file. The message names the thing, the rule and the value.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A kernel did what the chip forbids. A value, not a crash.
class GuestFault : public std::exception {
 public:
  explicit GuestFault(Diagnostic diagnostic)
      : diagnostic_(std::move(diagnostic)) {}
  const Diagnostic& diagnostic() const { return diagnostic_; }
  const char* what() const noexcept override {
    return diagnostic_.message.c_str();
  }

 private:
  Diagnostic diagnostic_;
};

// A bug in Belay.
class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace belay

#endif  // BELAY_BASE_ERROR_H_
