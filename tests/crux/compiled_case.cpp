// SPDX-License-Identifier: Apache-2.0
#include "compiled_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "call.h"
#include "crux/ir/refusal.h"

namespace belay::testing {
namespace {

using crux::interpret::Arguments;
using crux::interpret::Arithmetic;
using crux::interpret::OutputTensor;
using crux::interpret::Results;

constexpr const char* kFile = "program";

std::string Told(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& one : diagnostics) {
    text += fmt::format("{} line {}: {}\n", one.code, one.location.line,
                        one.message);
  }
  return text;
}

// The pieces and answers that the compiled kernel runs with.
crux::interpret::Options OptionsAs(const crux::run::Prepared& prepared) {
  crux::interpret::Options options;
  for (const crux::ir::TileParameter& parameter :
       prepared.variant.tiles->parameters) {
    const int64_t piece = prepared.plan.host.integers.at(parameter.name);
    for (const crux::typed::Loop* loop : parameter.loops) {
      options.tile_of[loop] = piece;
    }
  }
  options.fits_of.insert(prepared.variant.fits.begin(),
                         prepared.variant.fits.end());
  return options;
}

bool SameBytes(const Array& a, const Array& b, size_t element) {
  const size_t bytes = BytesOf(a.dtype);
  return std::memcmp(a.data.data() + element * bytes,
                     b.data.data() + element * bytes, bytes) == 0;
}

bool IsInDoubt(const std::vector<double>& bounds) {
  return std::ranges::any_of(
      bounds, [](double bound) { return !std::isfinite(bound); });
}

std::string DifferencesIn(const OutputTensor& compiled,
                          const OutputTensor& exact, const OutputTensor& real,
                          Compared& compared, size_t most) {
  const std::vector<double> bounds = NumbersOf(exact.bounds);
  if (compiled.array.shape != exact.array.shape ||
      compiled.array.dtype != exact.array.dtype) {
    // How much an upto() output holds may hang on what rounding decides.
    if (compiled.array.dtype == exact.array.dtype && IsInDoubt(bounds)) {
      return "";
    }
    return fmt::format("{}: compiled {}[{}], interpreted {}[{}]\n", exact.name,
                       NameOf(compiled.array.dtype),
                       ToText(compiled.array.shape), NameOf(exact.array.dtype),
                       ToText(exact.array.shape));
  }
  if (real.array.shape != exact.array.shape) return "";
  const std::vector<double> got = NumbersOf(compiled.array);
  const std::vector<double> rounded = NumbersOf(exact.array);
  const std::vector<double> wanted = NumbersOf(real.array);
  const bool floating = IsFloating(exact.array.dtype);
  std::string text;
  size_t wrong = 0;
  for (size_t e = 0; e < got.size(); ++e) {
    const double bound = bounds.empty() ? 0 : bounds[e];
    if (!exact.stored.empty() && !exact.stored[e]) continue;
    ++(std::isfinite(bound) ? compared.held : compared.in_doubt);
    if (!std::isfinite(bound)) continue;
    bool right = floating ? got[e] == rounded[e] ||
                                (std::isnan(got[e]) && std::isnan(rounded[e]))
                          : SameBytes(compiled.array, exact.array, e);
    if (!right && bound > 0) right = std::fabs(got[e] - wanted[e]) <= bound;
    if (right || ++wrong > most) continue;
    text += fmt::format(
        "{}[{}]: compiled {:.9g}, exact {:.9g}, real {:.17g}, "
        "off by {:.3g}, bound {:.3g}\n",
        exact.name, e, got[e], rounded[e], wanted[e],
        std::fabs(got[e] - wanted[e]), bound);
  }
  if (wrong > most) text += fmt::format("… {} in all\n", wrong);
  return text;
}

}  // namespace

runtime::DeviceOptions CheckedDevice() {
  runtime::DeviceOptions options;
  options.check = check::CheckOptions();
  return options;
}

Wanted::Wanted(const crux::run::Prepared& prepared,
               const Arguments& arguments) {
  const crux::typed::Kernel& kernel = *prepared.variant.tiles->source;
  crux::interpret::Options options = OptionsAs(prepared);
  exact = Interpret(kernel, arguments, options);
  if (!exact.ok()) {
    problems = "interpreted: " + Told(exact.diagnostics);
    return;
  }
  options.arithmetic = Arithmetic::kFloat64;
  real = Interpret(kernel, arguments, options);
  if (!real.ok()) problems = "in float64: " + Told(real.diagnostics);
}

std::string DifferencesOf(crux::run::Runner& runner,
                          const crux::run::Prepared& prepared,
                          crux::interpret::HostCall& call,
                          const Arguments& arguments, const Wanted& wanted,
                          Compared& compared, size_t most) {
  if (!wanted.problems.empty()) return wanted.problems;
  crux::run::RunResult compiled;
  try {
    compiled = runner.Launch(prepared, call, arguments, kFile);
  } catch (const std::exception& bug) {
    return fmt::format("internal: {}\n", bug.what());
  }
  std::string text = Told(compiled.diagnostics);
  if (!compiled.ok()) return text;
  for (size_t i = 0; i < wanted.exact.outputs.size(); ++i) {
    const OutputTensor& exact = wanted.exact.outputs[i];
    const OutputTensor* own = compiled.Find(exact.name);
    if (own == nullptr) {
      text += exact.name + " is missing\n";
      continue;
    }
    text += DifferencesIn(*own, exact, wanted.real.outputs[i], compared, most);
  }
  return text;
}

CompiledCase RunCompiled(crux::run::Runner& runner,
                         const crux::typed::Kernel& kernel,
                         const Arguments& arguments, size_t most) {
  CompiledCase result;
  try {
    crux::interpret::HostCall call(kernel, arguments, kFile);
    const crux::run::Prepared prepared =
        crux::run::Prepare(call, runner.chip());
    result.variant = prepared.variant;
    result.problems =
        DifferencesOf(runner, prepared, call, arguments,
                      Wanted(prepared, arguments), result.compared, most);
  } catch (const crux::ir::Refusal& refusal) {
    const Diagnostic& told = refusal.diagnostic();
    result.refusal = fmt::format("{}: {}", told.code, told.message);
  } catch (const crux::interpret::CallRefused& refused) {
    result.problems = Told({refused.diagnostic()});
  } catch (const std::exception& bug) {
    result.problems = fmt::format("internal: {}\n", bug.what());
  }
  return result;
}

std::string DifferencesOfCompiled(crux::run::Runner& runner,
                                  const crux::typed::Kernel& kernel,
                                  const Arguments& arguments, size_t most) {
  const CompiledCase result = RunCompiled(runner, kernel, arguments, most);
  return result.refusal.empty() ? result.problems : result.refusal + "\n";
}

}  // namespace belay::testing
