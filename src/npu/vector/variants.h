// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_VARIANTS_H_
#define BELAY_NPU_VECTOR_VARIANTS_H_

// The flat functions, compiled for several host instruction sets, and the
// choice among them. All give the same bits.

#include <string_view>
#include <vector>

#include "npu/vector/flat.h"

namespace belay::npu {

enum class Variant { kBaseline, kAvx2, kAvx512 };

std::string_view NameOf(Variant variant);

// Those this host can run, slowest first.
std::vector<Variant> AvailableVariants();

// Replaces the default choice, the last of AvailableVariants(), for the whole
// process. For tests and benchmarks.
void UseVariant(Variant variant);

const FlatTable& Flat();

}  // namespace belay::npu

#endif  // BELAY_NPU_VECTOR_VARIANTS_H_
