// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_CRUX_SERVICE_H_
#define BELAY_JUDGE_CRUX_SERVICE_H_

// The process that checks, compiles and runs Crux programs, many of them one
// after the other: a program is data, and no code of it runs.
//
// Requests are JSON with "do":
//   "load"     file, text, kernel, home (the folder of data/)
//                                    → program (a number), end, diagnostics
//   "drop"     program               → end
//   "compile"  program, chip, calls  → end, diagnostics
//   "run"      program, chip, check, most_bytes, call and bytes
//                                    → end, diagnostics, blocks, outputs, bytes
//   "time"     the same without check: for time only, unless all elements of
//              all inputs came: then with values
//                                    → end, diagnostics, the launches as bytes
// Every answer has "seconds" of processor time spent so far. "end" is one of
// the words of EndName; "bug" comes with "text".

#include <string_view>

#include "guest/channel.h"
#include "judge/session.h"

namespace belay::judge {

inline constexpr const char* kCruxService = "crux";

// "finished", "not-compiled", "refused", "fault", "bug" (kInfrastructure).
std::string_view EndName(CallEnd end);

// Serves until the other side is gone.
int ServeCrux(guest::Channel& channel);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_CRUX_SERVICE_H_
