// SPDX-License-Identifier: Apache-2.0
// Faults with places: what came through copies of one line is told once.

#include <gtest/gtest.h>

#include "guest/place_fault.h"

namespace belay::guest {
namespace {

// Even program counters are copies of line 5, inlined into the line that the
// counter names.
std::vector<SourceLocation> FramesOf(uint64_t pc) {
  SourceLocation inner{"kernel.asc", 5, 7, "Inner"};
  if (pc % 2 != 0) inner.line = static_cast<int>(pc);
  return {inner, {"kernel.asc", static_cast<int>(pc), 3, "Outer"}};
}

npu::Fault FaultAt(uint64_t pc, Severity severity, const char* message) {
  npu::Fault fault;
  fault.diagnostic.code = "BLY-G103";
  fault.diagnostic.severity = severity;
  fault.diagnostic.message = message;
  fault.pc = pc;
  return fault;
}

TEST(PlaceFault, AWarningIsToldOnceALineWithItsCount) {
  std::vector<Diagnostic> all;
  AddPlaced(FaultAt(10, Severity::kWarning, "by zero"), FramesOf, all);
  npu::Fault again = FaultAt(12, Severity::kWarning, "by zero");
  again.diagnostic.notes.push_back({"seen 4 times", {}});
  AddPlaced(again, FramesOf, all);
  AddPlaced(again, FramesOf, all);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].location.line, 5);
  ASSERT_EQ(all[0].notes.size(), 2u);
  EXPECT_EQ(all[0].notes[0].message, "seen 9 times");
  EXPECT_EQ(all[0].notes[1].message, "called from Outer");
  EXPECT_EQ(all[0].notes[1].location.line, 10);
}

TEST(PlaceFault, WhatDiffersIsToldApart) {
  std::vector<Diagnostic> all;
  AddPlaced(FaultAt(10, Severity::kWarning, "by zero"), FramesOf, all);
  AddPlaced(FaultAt(11, Severity::kWarning, "by zero"), FramesOf, all);
  AddPlaced(FaultAt(12, Severity::kWarning, "other"), FramesOf, all);
  AddPlaced(FaultAt(14, Severity::kError, "by zero"), FramesOf, all);
  AddPlaced(FaultAt(16, Severity::kError, "by zero"), FramesOf, all);
  npu::Fault of_two = FaultAt(18, Severity::kWarning, "by zero");
  of_two.notes.push_back({"with this", 20});
  AddPlaced(of_two, FramesOf, all);
  EXPECT_EQ(all.size(), 6u);
}

TEST(PlaceFault, TheFirstArgumentOfACall) {
  EXPECT_EQ(FirstArgument("  DataCopy(&x[f(1, 2)], y);", 3), "x[f(1, 2)]");
  EXPECT_EQ(FirstArgument("no call", 1), "?");
}

}  // namespace
}  // namespace belay::guest
