// SPDX-License-Identifier: Apache-2.0
#include "npu/vector/variants.h"

#include <atomic>
#include <memory>

#include "base/error.h"
#include "npu/vector/flat_fill.h"

namespace belay::npu {
namespace {

using Filler = void (*)(FlatTable&);

template <Filler... kFillers>
const FlatTable& TableOf() {
  static const std::unique_ptr<const FlatTable> table = [] {
    auto filled = std::make_unique<FlatTable>();
    (kFillers(*filled), ...);
    return filled;
  }();
  return *table;
}

#define BELAY_TABLE_OF(name)                                         \
  TableOf<name::FillCasts, name::FillComparisons, name::FillCube,    \
          name::FillElementwise, name::FillFused, name::FillIndices, \
          name::FillMathematics, name::FillReductions>()

const FlatTable& TableOf(Variant variant) {
  switch (variant) {
    case Variant::kBaseline:
      return BELAY_TABLE_OF(flat_baseline);
#ifdef __x86_64__
    case Variant::kAvx2:
      return BELAY_TABLE_OF(flat_avx2);
    case Variant::kAvx512:
      return BELAY_TABLE_OF(flat_avx512);
#else
    default:
      break;
#endif
  }
  throw InternalError("flat functions: no such variant on this host");
}

#undef BELAY_TABLE_OF

std::atomic<const FlatTable*> chosen = nullptr;

}  // namespace

std::string_view NameOf(Variant variant) {
  switch (variant) {
    case Variant::kBaseline:
      return "baseline";
    case Variant::kAvx2:
      return "avx2";
    case Variant::kAvx512:
      return "avx512";
  }
  return "?";
}

std::vector<Variant> AvailableVariants() {
  std::vector<Variant> variants = {Variant::kBaseline};
#ifdef __x86_64__
  if (__builtin_cpu_supports("x86-64-v3")) variants.push_back(Variant::kAvx2);
  if (__builtin_cpu_supports("x86-64-v4")) variants.push_back(Variant::kAvx512);
#endif
  return variants;
}

void UseVariant(Variant variant) { chosen = &TableOf(variant); }

const FlatTable& Flat() {
  const FlatTable* table = chosen.load(std::memory_order_relaxed);
  if (table == nullptr) {
    table = &TableOf(AvailableVariants().back());
    chosen = table;
  }
  return *table;
}

}  // namespace belay::npu
