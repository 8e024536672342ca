// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_REFUSAL_H_
#define BELAY_CRUX_IR_REFUSAL_H_

// What the compiler says about a right program that it cannot compile.

#include <exception>
#include <string>
#include <utility>

#include "base/catalogue.h"
#include "base/diagnostic.h"
#include "crux/source.h"

namespace belay::crux::ir {

// The diagnostic has a line but no file: whoever read the program knows it.
class Refusal : public std::exception {
 public:
  explicit Refusal(Diagnostic diagnostic)
      : diagnostic_(std::move(diagnostic)) {}
  const Diagnostic& diagnostic() const { return diagnostic_; }
  const char* what() const noexcept override {
    return diagnostic_.message.c_str();
  }

 private:
  Diagnostic diagnostic_;
};

// Throws Refusal. Codes: kX301, kX302, kX303.
[[noreturn]] void Refuse(const char* code, const SourceRange& range,
                         std::string message, std::string fix);
[[noreturn]] void Refuse(const char* code, int line, std::string message,
                         std::string fix);

}  // namespace belay::crux::ir

#endif  // BELAY_CRUX_IR_REFUSAL_H_
