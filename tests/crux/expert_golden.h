// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_EXPERT_GOLDEN_H_
#define BELAY_TESTS_CRUX_EXPERT_GOLDEN_H_

// What the expert kernels of examples/crux should give: libtorch's own
// operator where it has one, else its plain operations, in float64.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "torch_reference.h"

namespace belay::testing {

// Arguments of a kernel: tensors as numbers, attributes as text. Attributes
// that are missing have the default that the reader names.
struct ExpertCall {
  std::map<std::string, Real> tensors;
  std::map<std::string, std::string> attributes;

  const Real& operator[](const std::string& name) const;
  std::optional<Real> Optional(const std::string& name) const;
  double Number(const std::string& name, double missing) const;
  int64_t Whole(const std::string& name, int64_t missing) const;
  bool Flag(const std::string& name, bool missing) const;
  std::string Word(const std::string& name, const std::string& missing) const;
};

// Outputs by name.
using Goldens = std::vector<std::pair<std::string, Real>>;
using GoldenFunction = Goldens (*)(const ExpertCall&);

// Kernels whose rows or elements stand alone; those that join or move them.
std::map<std::string, GoldenFunction> RowGoldens();
std::map<std::string, GoldenFunction> JoinGoldens();

// Throws std::out_of_range if there is no such kernel.
Goldens ExpertGolden(const std::string& kernel, const ExpertCall& call);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_EXPERT_GOLDEN_H_
