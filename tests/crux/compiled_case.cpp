// SPDX-License-Identifier: Apache-2.0
#include "compiled_case.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "call.h"

namespace belay::testing {
namespace {

using crux::interpret::Arithmetic;
using crux::interpret::OutputTensor;
using crux::interpret::Results;

std::string Told(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& one : diagnostics) {
    text += fmt::format("{} line {}: {}\n", one.code, one.location.line,
                        one.message);
  }
  return text;
}

Results Interpreted(const crux::typed::Kernel& kernel,
                    const crux::interpret::Arguments& arguments,
                    Arithmetic arithmetic) {
  crux::interpret::Options options;
  options.arithmetic = arithmetic;
  return Interpret(kernel, arguments, options);
}

bool SameBytes(const Array& a, const Array& b, size_t element) {
  const size_t bytes = BytesOf(a.dtype);
  return std::memcmp(a.data.data() + element * bytes,
                     b.data.data() + element * bytes, bytes) == 0;
}

std::string Differences(const OutputTensor& compiled, const OutputTensor& exact,
                        const OutputTensor& real, size_t most) {
  if (compiled.array.shape != exact.array.shape ||
      compiled.array.dtype != exact.array.dtype) {
    return fmt::format("{}: compiled {}[{}], interpreted {}[{}]\n", exact.name,
                       NameOf(compiled.array.dtype),
                       ToText(compiled.array.shape), NameOf(exact.array.dtype),
                       ToText(exact.array.shape));
  }
  const std::vector<double> got = NumbersOf(compiled.array);
  const std::vector<double> rounded = NumbersOf(exact.array);
  const std::vector<double> wanted = NumbersOf(real.array);
  const std::vector<double> bounds = NumbersOf(exact.bounds);
  const bool floating = IsFloating(exact.array.dtype);
  std::string text;
  size_t wrong = 0;
  for (size_t e = 0; e < got.size(); ++e) {
    const double bound = bounds.empty() ? 0 : bounds[e];
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

std::string DifferencesOfCompiled(crux::run::Runner& runner,
                                  const crux::typed::Kernel& kernel,
                                  const crux::interpret::Arguments& arguments,
                                  size_t most) {
  const Results exact = Interpreted(kernel, arguments, Arithmetic::kExact);
  if (!exact.ok()) return "interpreted: " + Told(exact.diagnostics);
  const Results real = Interpreted(kernel, arguments, Arithmetic::kFloat64);
  if (!real.ok()) return "in float64: " + Told(real.diagnostics);
  const crux::run::RunResult compiled =
      runner.Run(kernel, arguments, "program");
  std::string text = Told(compiled.diagnostics);
  if (!compiled.ok()) return text;
  for (size_t i = 0; i < exact.outputs.size(); ++i) {
    const OutputTensor* own = compiled.Find(exact.outputs[i].name);
    if (own == nullptr) {
      text += exact.outputs[i].name + " is missing\n";
      continue;
    }
    text += Differences(*own, exact.outputs[i], real.outputs[i], most);
  }
  return text;
}

}  // namespace belay::testing
