// SPDX-License-Identifier: Apache-2.0
#include "expert_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ostream>
#include <random>
#include <sstream>
#include <stdexcept>

#include "call.h"
#include "expert_golden.h"

namespace belay::testing {
namespace {

constexpr DType kExpertDTypes[] = {DType::kHalf, DType::kBfloat16,
                                   DType::kFloat};

std::vector<std::string> SplitAt(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::mt19937_64 RandomFor(const std::string& text) {
  const char* seed = std::getenv("BELAY_SEED");
  const std::string all = text + (seed ? seed : "20261115");
  std::seed_seq sequence(all.begin(), all.end());
  return std::mt19937_64(sequence);
}

// `what` is the kind of values and its numbers: "uniform,0,1".
std::vector<double> NumbersFor(const std::string& what, size_t count,
                               std::mt19937_64& random) {
  const std::vector<std::string> words = SplitAt(what, ',');
  const std::string kind = words.empty() ? "normal" : words[0];
  const auto parameter = [&](size_t i, double missing) {
    return i < words.size() ? std::stod(words[i]) : missing;
  };
  std::vector<double> numbers(count);
  if (kind == "normal") {
    std::normal_distribution<double> normal(0, parameter(1, 1));
    for (double& number : numbers) number = normal(random);
  } else if (kind == "uniform") {
    std::uniform_real_distribution<double> uniform(parameter(1, 0),
                                                   parameter(2, 1));
    for (double& number : numbers) number = uniform(random);
  } else if (kind == "integers") {
    std::uniform_int_distribution<int64_t> uniform(
        static_cast<int64_t>(parameter(1, 0)),
        static_cast<int64_t>(parameter(2, 1)));
    for (double& number : numbers) {
      number = static_cast<double>(uniform(random));
    }
  } else if (kind == "mask") {
    std::bernoulli_distribution kept(parameter(1, 0.5));
    for (double& number : numbers) number = kept(random) ? 1 : 0;
  } else if (kind == "masked") {  // a share of them at the front
    std::normal_distribution<double> normal(0, 1);
    for (double& number : numbers) number = normal(random);
    const auto masked = static_cast<double>(count) * parameter(1, 0.5);
    std::fill_n(numbers.begin(), static_cast<size_t>(masked), -INFINITY);
  } else if (kind == "values" && words.size() == count + 1) {
    for (size_t i = 0; i < count; ++i) numbers[i] = std::stod(words[i + 1]);
  } else {
    throw std::runtime_error("no such values: " + what);
  }
  return numbers;
}

Input TensorFor(const std::string& text, DType floating,
                std::mt19937_64& random) {
  const size_t open = text.find('[');
  const size_t close = text.find(']');
  if (open == std::string::npos || close == std::string::npos) {
    throw std::runtime_error("not a tensor: " + text);
  }
  const std::string name = text.substr(0, open);
  const std::optional<DType> dtype =
      name == "T" ? std::optional(floating) : ParseDType(name);
  if (!dtype) throw std::runtime_error("no such dtype: " + text);
  const Shape shape = ParseShape(text.substr(open + 1, close - open - 1));
  const std::string what =
      close + 1 < text.size() ? text.substr(close + 2) : "";
  return InputOf(
      *dtype, shape,
      NumbersFor(what, static_cast<size_t>(ElementCount(shape)), random));
}

ProgramCase CaseFor(const ExpertLine& line, DType floating) {
  ProgramCase made;
  made.program = line.kernel;
  made.what = fmt::format("{}: {}", NameOf(floating), line.arguments);
  std::mt19937_64 random = RandomFor(line.kernel + line.arguments);
  ExpertCall call;
  for (const std::string& argument : SplitAt(line.arguments, ' ')) {
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const std::string value = argument.substr(equals + 1);
    if (value.find('[') == std::string::npos) {
      AddArgument(ExampleKernel(line.kernel), argument, made.arguments);
      call.attributes[name] = value;
    } else {
      const Input input = TensorFor(value, floating, random);
      made.Add(name, input);
      call.tensors[name] = input.real;
    }
  }
  made.expected = ExpertGolden(line.kernel, call);
  return made;
}

}  // namespace

const Real& ExpertCall::operator[](const std::string& name) const {
  return tensors.at(name);
}

std::optional<Real> ExpertCall::Optional(const std::string& name) const {
  const auto found = tensors.find(name);
  if (found == tensors.end()) return std::nullopt;
  return found->second;
}

double ExpertCall::Number(const std::string& name, double missing) const {
  const auto found = attributes.find(name);
  return found == attributes.end() ? missing : std::stod(found->second);
}

int64_t ExpertCall::Whole(const std::string& name, int64_t missing) const {
  const auto found = attributes.find(name);
  return found == attributes.end() ? missing : std::stoll(found->second);
}

bool ExpertCall::Flag(const std::string& name, bool missing) const {
  const auto found = attributes.find(name);
  return found == attributes.end() ? missing : found->second == "true";
}

std::string ExpertCall::Word(const std::string& name,
                             const std::string& missing) const {
  const auto found = attributes.find(name);
  return found == attributes.end() ? missing : found->second;
}

Goldens ExpertGolden(const std::string& kernel, const ExpertCall& call) {
  static const std::map<std::string, GoldenFunction> functions = [] {
    std::map<std::string, GoldenFunction> all = RowGoldens();
    all.merge(JoinGoldens());
    return all;
  }();
  return functions.at(kernel)(call);
}

void PrintTo(const ExpertKernel& kernel, std::ostream* stream) {
  *stream << kernel.name;
}

std::vector<ProgramCase> ExpertCasesOf(const std::string& kernel,
                                       Regime regime) {
  const auto found =
      std::ranges::find(ExpertKernels(), kernel, &ExpertKernel::name);
  if (found == ExpertKernels().end()) {
    throw std::runtime_error("no such expert kernel: " + kernel);
  }
  std::vector<ProgramCase> cases;
  for (const ExpertLine& line : ExpertLines()) {
    if (line.kernel != kernel || line.regime != regime) continue;
    const bool generic = line.arguments.find("=T[") != std::string::npos;
    for (const DType floating : kExpertDTypes) {
      if (generic || floating == DType::kFloat) {
        cases.push_back(CaseFor(line, floating));
        cases.back().relative = found->relative;
      }
    }
  }
  return cases;
}

}  // namespace belay::testing
