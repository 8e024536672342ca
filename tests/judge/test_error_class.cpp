// SPDX-License-Identifier: Apache-2.0
// Mistakes of candidates, by the words and codes they are told in.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/catalogue.h"
#include "judge/error_class.h"

namespace belay::judge::test_error_class {
namespace {

Verdict With(Outcome outcome, const std::string& code,
             const std::string& message, Severity severity = Severity::kError) {
  Verdict verdict;
  verdict.outcome = outcome;
  Finding finding;
  finding.diagnostic.code = code;
  finding.diagnostic.severity = severity;
  finding.diagnostic.message = message;
  verdict.findings.push_back(finding);
  return verdict;
}

TEST(ErrorClass, CompilersWordsDecide) {
  const struct {
    const char* message;
    const char* name;
  } kCases[] = {
      {"no matching function for call to 'Add'", "api"},
      {"no member named 'VecAdd' in namespace 'AscendC'", "api"},
      {"too few arguments to function call, expected 4, have 3", "api"},
      {"'lib/matmul.h' file not found", "api"},
      {"no viable conversion from 'LocalTensor<half>' to "
       "'LocalTensor<float>'",
       "dtype"},
      {"cannot initialize a variable of type 'int' with an lvalue of type "
       "'GM_ADDR'",
       "dtype"},
      {"invalid operands to binary expression ('half' and 'TPipe')", "dtype"},
      {"static assertion failed: type not supported", "dtype"},
      {"use of undeclared identifier 'tileLength'", "scope"},
      {"unknown type name 'KernelAdd'", "scope"},
      {"redefinition of 'pipe'", "scope"},
      {"call to deleted constructor of 'TPipe'", "memory-misuse"},
      {"'address_' is a private member of 'LocalTensor<float>'",
       "memory-misuse"},
      {"cannot assign to variable 'n' with const-qualified type",
       "memory-misuse"},
      {"expected ';' after expression", "syntax"},
      {"extraneous closing brace ('}')", "syntax"},
      {"something nobody has said before", "compile-other"},
  };
  for (const auto& one : kCases) {
    EXPECT_EQ(
        ErrorClassOf(With(Outcome::kNotCompiled, code::kC101, one.message)),
        one.name)
        << one.message;
  }
}

TEST(ErrorClass, CodesDecideElsewhere) {
  EXPECT_EQ(ErrorClassOf(With(Outcome::kFailed, code::kN101, "")),
            "out-of-bounds");
  EXPECT_EQ(ErrorClassOf(With(Outcome::kLucky, code::kR101, "")), "race");
  EXPECT_EQ(ErrorClassOf(With(Outcome::kWrong, code::kI101, "")),
            "uninitialised");
  EXPECT_EQ(ErrorClassOf(With(Outcome::kFailed, code::kS101, "")), "deadlock");
  EXPECT_EQ(ErrorClassOf(With(Outcome::kFailed, code::kH101, "")), "tiling");
  EXPECT_EQ(ErrorClassOf(With(Outcome::kFailed, code::kJ101, "")), "timeout");
  EXPECT_EQ(ErrorClassOf(With(Outcome::kNotCompiled, code::kX105, "")),
            "syntax");
}

TEST(ErrorClass, OutcomesDecideWithoutAnError) {
  EXPECT_EQ(ErrorClassOf({}), "");
  EXPECT_EQ(
      ErrorClassOf(With(Outcome::kWrong, code::kM104, "", Severity::kWarning)),
      "wrong-values");
  EXPECT_EQ(ErrorClassOf(With(Outcome::kForbidden, code::kN101, "")),
            "forbidden");
  EXPECT_EQ(ErrorClassOf(With(Outcome::kInfrastructure, code::kN101, "")),
            "infrastructure");
  Verdict verdict;
  verdict.outcome = Outcome::kFailed;
  EXPECT_EQ(ErrorClassOf(verdict), "failed");
  verdict.outcome = Outcome::kNotCompiled;
  EXPECT_EQ(ErrorClassOf(verdict), "compile-other");
}

// A new code gets its class, or is none of a candidate's: those of tasks (K)
// and of the caller (U).
TEST(ErrorClass, EveryErrorOfACandidateHasOne) {
  std::set<std::string_view> names;
  for (const ErrorClass& one : AllErrorClasses()) names.insert(one.name);
  EXPECT_EQ(names.size(), AllErrorClasses().size());
  for (const CodeInfo& info : AllCodes()) {
    if (info.severity != Severity::kError) continue;
    if (info.code.starts_with("BLY-K") || info.code.starts_with("BLY-U")) {
      continue;
    }
    const std::string name = ErrorClassOf(
        With(Outcome::kFailed, std::string(info.code), "no member named 'x'"));
    EXPECT_NE(name, "failed") << info.code << " has no class";
    EXPECT_TRUE(names.contains(name)) << name;
  }
}

}  // namespace
}  // namespace belay::judge::test_error_class
