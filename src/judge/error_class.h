// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_ERROR_CLASS_H_
#define BELAY_JUDGE_ERROR_CLASS_H_

// What kind of mistake a candidate made, one word for each: counted over a run,
// they say what its author has yet to learn.

#include <span>
#include <string>
#include <string_view>

#include "judge/verdict.h"

namespace belay::judge {

// "" for one that passed. Otherwise by the first error found: by its code, and
// by the compiler's words for errors in C++. Without one: "wrong-values",
// "failed", "forbidden" or "infrastructure".
std::string ErrorClassOf(const Verdict& verdict);

struct ErrorClass {
  std::string_view name;     // "api"
  std::string_view meaning;  // one line for tables
};
// All there are, those of compiling first.
std::span<const ErrorClass> AllErrorClasses();

}  // namespace belay::judge

#endif  // BELAY_JUDGE_ERROR_CLASS_H_
