// SPDX-License-Identifier: Apache-2.0
#include "fuzz_case.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "base/catalogue.h"
#include "call.h"
#include "crux/check.h"
#include "crux/format.h"
#include "crux/fuzz/generate.h"
#include "crux/fuzz/mutate.h"
#include "crux/fuzz/random.h"
#include "crux/interpret/interpret.h"
#include "crux/print_typed.h"
#include "files.h"

namespace belay::testing {
namespace {

using crux::Checked;
using crux::fuzz::GeneratedProgram;
using crux::fuzz::Random;
using crux::interpret::Arithmetic;
using crux::interpret::OutputTensor;
using crux::interpret::Results;
namespace typed = crux::typed;

std::string Describe(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& one : diagnostics) {
    text += fmt::format("{} {}:{} {}\n", one.code, one.location.line,
                        one.location.column, one.message);
  }
  return text;
}

// The operations an expression or block holds, shared parts once.
class OperationsOf {
 public:
  OperationsOf(const typed::Kernel& kernel, std::map<crux::Op, int>& counts)
      : counts_(counts) {
    Visit(kernel.body);
  }

 private:
  void Visit(const typed::Expr* expr) {
    if (!expr || !seen_.insert(expr).second) return;
    if (expr->kind == typed::ExprKind::kOperation) ++counts_[expr->op];
    for (const typed::Expr* argument : expr->args) Visit(argument);
    for (const typed::Subscript& subscript : expr->subscripts) {
      Visit(subscript.value);
      Visit(subscript.low);
      Visit(subscript.high);
    }
  }

  void Visit(const typed::Block& block) {
    for (const typed::Statement* statement : block) {
      if (statement->kind == typed::StatementKind::kStore) {
        ++counts_[crux::Op::kStore];
      }
      if (statement->kind == typed::StatementKind::kAtomicAdd) {
        ++counts_[crux::Op::kAtomicAdd];
      }
      if (statement->how == typed::IfKind::kFits) ++counts_[crux::Op::kFits];
      for (const typed::Expr* value : statement->values) Visit(value);
      Visit(statement->condition);
      Visit(statement->target);
      Visit(statement->value);
      Visit(statement->body);
      Visit(statement->otherwise);
      if (!statement->loop) continue;
      Visit(statement->loop->low);
      Visit(statement->loop->high);
      Visit(statement->loop->body);
    }
  }

  std::map<crux::Op, int>& counts_;
  std::set<const typed::Expr*> seen_;
};

void ExpectWithinBounds(const Results& exact, const Results& real,
                        const std::string& where) {
  ASSERT_EQ(exact.outputs.size(), real.outputs.size()) << where;
  for (size_t i = 0; i < exact.outputs.size(); ++i) {
    const OutputTensor& a = exact.outputs[i];
    const OutputTensor& b = real.outputs[i];
    const std::vector<double> bounds = NumbersOf(a.bounds);
    const auto bound_at = [&](size_t element) {
      if (bounds.empty()) return 0.0;
      return std::isnan(bounds[element]) ? INFINITY : bounds[element];
    };
    if (a.array.shape != b.array.shape) {
      // The length of an upto() output may depend on what rounding decided.
      EXPECT_TRUE(std::ranges::any_of(
          bounds, [](double bound) { return std::isinf(bound); }))
          << where << a.name << " has two shapes";
      continue;
    }
    const std::vector<double> first = NumbersOf(a.array);
    const std::vector<double> second = NumbersOf(b.array);
    for (size_t e = 0; e < first.size(); ++e) {
      if (first[e] == second[e]) continue;
      if (std::isnan(first[e]) && std::isnan(second[e])) continue;
      const double bound = bound_at(e);
      if (std::isinf(bound)) continue;
      ASSERT_LE(std::fabs(first[e] - second[e]), bound)
          << where << a.name << " element " << e << ": exact " << first[e]
          << ", float64 " << second[e];
    }
  }
}

// The canonical form means the same and is its own canonical form.
void ExpectSameFormatted(const Checked& checked, const std::string& text,
                         const std::string& where) {
  const crux::Formatted once = crux::Format("generated", text);
  ASSERT_TRUE(once.ok) << where;
  const crux::Formatted twice = crux::Format("generated", once.text);
  EXPECT_EQ(once.text, twice.text) << where;
  const Checked again = crux::Check("generated", once.text);
  ASSERT_TRUE(again.ok()) << where << once.text << Describe(again.diagnostics);
  EXPECT_EQ(crux::ToText(*checked.program), crux::ToText(*again.program))
      << where << once.text;
}

}  // namespace

uint64_t FirstSeed() {
  static const uint64_t seed = [] {
    const char* given = std::getenv("BELAY_SEED");
    const uint64_t value = given ? std::strtoull(given, nullptr, 0) : 20260101;
    std::printf("BELAY_SEED=%llu\n", static_cast<unsigned long long>(value));
    return value;
  }();
  return seed;
}

void ExpectRight(uint64_t seed, FuzzTally& tally) {
  const GeneratedProgram program = crux::fuzz::Generate(seed);
  const std::string where = fmt::format("seed {}\n{}", seed, program.text);
  const Checked checked = crux::Check("generated", program.text);
  ASSERT_TRUE(checked.ok()) << where << Describe(checked.diagnostics);
  ++tally.programs;
  const typed::Kernel* kernel = checked.program->FindKernel(program.kernel);
  ASSERT_NE(kernel, nullptr) << where;
  OperationsOf(*kernel, tally.operations);
  ExpectSameFormatted(checked, program.text, where);

  Random random(seed);
  crux::interpret::Options options;
  static constexpr std::array<int64_t, 5> kTiles = {1, 3, 8, 16, 251};
  options.auto_tile = random.Pick(kTiles);
  options.fits = random.Chance(50);
  const Results exact =
      crux::interpret::Interpret(*kernel, program.arguments, options);
  ASSERT_TRUE(exact.ok()) << where << Describe(exact.diagnostics);
  options.arithmetic = Arithmetic::kFloat64;
  const Results real =
      crux::interpret::Interpret(*kernel, program.arguments, options);
  ASSERT_TRUE(real.ok()) << where << Describe(real.diagnostics);
  ExpectWithinBounds(exact, real, where);
}

void CountOperations(uint64_t seed, FuzzTally& tally) {
  const GeneratedProgram program = crux::fuzz::Generate(seed);
  const Checked checked = crux::Check("generated", program.text);
  if (!checked.ok()) return;
  for (const typed::Kernel* kernel : checked.program->kernels) {
    OperationsOf(*kernel, tally.operations);
  }
}

void ExpectToldOrRight(uint64_t seed, FuzzTally& tally) {
  static const std::vector<std::filesystem::path> kExamples =
      FilesIn("examples/crux", ".crux");
  Random random(seed);
  const GeneratedProgram program = crux::fuzz::Generate(seed);
  const std::string base =
      random.Chance(50) ? ReadAll(random.Pick(kExamples)) : program.text;
  const std::string text = crux::fuzz::Mutate(base, seed);
  const std::string where = fmt::format("seed {}\n{}", seed, text);
  const Checked checked = crux::Check("broken", text);
  const crux::Formatted formatted = crux::Format("broken", text);
  EXPECT_TRUE(formatted.ok || !formatted.diagnostics.empty()) << where;
  ++tally.programs;
  if (checked.ok()) {
    ++tally.still_right;
    crux::interpret::Options options;
    options.limits.steps = 200'000;
    for (const typed::Kernel* kernel : checked.program->kernels) {
      const Results results =
          crux::interpret::Interpret(*kernel, program.arguments, options);
      EXPECT_TRUE(results.ok() || !results.diagnostics.empty()) << where;
    }
    return;
  }
  const int lines = 1 + static_cast<int>(std::ranges::count(text, '\n'));
  const auto error = std::ranges::find(checked.diagnostics, Severity::kError,
                                       &Diagnostic::severity);
  ASSERT_NE(error, checked.diagnostics.end()) << where;
  ++tally.codes[error->code];
  for (const Diagnostic& one : checked.diagnostics) {
    EXPECT_NE(FindCode(one.code), nullptr) << where << one.code;
    EXPECT_FALSE(one.message.empty()) << where << one.code;
    EXPECT_GE(one.location.line, 1) << where << one.code;
    EXPECT_LE(one.location.line, lines) << where << one.code;
    EXPECT_GE(one.location.column, 1) << where << one.code;
  }
}

}  // namespace belay::testing
