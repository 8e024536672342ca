// SPDX-License-Identifier: Apache-2.0
// Compiled for several instruction sets; see npu/vector/flat_lane.h for the
// rules of such files.

#include "npu/cube/flat_mmad.h"

#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "npu/vector/flat_fill.h"

#define BELAY_FLAT [[gnu::flatten]] static

namespace belay::npu::BELAY_FLAT_VARIANT {
namespace {

constexpr size_t kSide = 16;

#if defined(__AVX512F__)
constexpr size_t kLanes = 16;
constexpr size_t kRowsAtOnce = 8;
#elif defined(__AVX2__)
constexpr size_t kLanes = 8;
constexpr size_t kRowsAtOnce = 4;
#else
constexpr size_t kLanes = 4;
constexpr size_t kRowsAtOnce = 2;
#endif
constexpr size_t kVectors = kSide / kLanes;

using Floats [[gnu::vector_size(kLanes * sizeof(float))]] = float;
using Integers [[gnu::vector_size(kLanes * sizeof(int32_t))]] = uint32_t;

struct Rounded {
  using Vector = Floats;
  using Element = float;
  static void Add(Vector& sum, Element a, Vector b) {
    const Vector product = a * b;
    sum = sum + product;
  }
};

// A product that is exact may as well be fused with the sum.
struct Exact {
  using Vector = Floats;
  using Element = float;
  static void Add(Vector& sum, Element a, Vector b) {
#if defined(__AVX512F__)
    sum = _mm512_fmadd_ps(_mm512_set1_ps(a), b, sum);
#elif defined(__AVX2__)
    sum = _mm256_fmadd_ps(_mm256_set1_ps(a), b, sum);
#else
    const Vector product = a * b;
    sum = sum + product;
#endif
  }
};

struct Whole {
  using Vector = Integers;
  using Element = uint32_t;
  static void Add(Vector& sum, Element a, Vector b) { sum = sum + a * b; }
};

template <typename How, size_t kRows>
inline void AddRows(typename How::Element* c, const typename How::Element* a,
                    size_t columns, const typename How::Element* b, size_t k) {
  using Vector = typename How::Vector;
  Vector sum[kRows][kVectors];
  std::memcpy(sum, c, sizeof sum);
  for (size_t first = 0; first < k; first += columns) {
    const size_t end = k - first < columns ? k - first : columns;
    for (size_t i = 0; i < end; ++i) {
      Vector right[kVectors];
      std::memcpy(right, b + (first + i) * kSide, sizeof right);
      for (size_t row = 0; row < kRows; ++row) {
        const typename How::Element left = a[row * columns + i];
        for (size_t v = 0; v < kVectors; ++v) {
          How::Add(sum[row][v], left, right[v]);
        }
      }
    }
    a += kSide * columns;
  }
  std::memcpy(c, sum, sizeof sum);
}

template <typename How>
inline void AddAll(void* c, const FlatLeft& left, const void* b, size_t rows,
                   size_t k) {
  using Element = typename How::Element;
  const auto* elements = static_cast<const Element*>(left.elements);
  size_t row = 0;
  const auto at = [&] {
    return elements + row / kSide * left.row_step + row % kSide * left.columns;
  };
  auto* to = static_cast<Element*>(c);
  const auto* right = static_cast<const Element*>(b);
  for (; row + kRowsAtOnce <= rows; row += kRowsAtOnce) {
    AddRows<How, kRowsAtOnce>(to + row * kSide, at(), left.columns, right, k);
  }
  for (; row < rows; ++row) {
    AddRows<How, 1>(to + row * kSide, at(), left.columns, right, k);
  }
}

BELAY_FLAT void MmadRounded(void* c, const FlatLeft& a, const void* b,
                            size_t rows, size_t k) {
  AddAll<Rounded>(c, a, b, rows, k);
}

BELAY_FLAT void MmadExact(void* c, const FlatLeft& a, const void* b,
                          size_t rows, size_t k) {
  AddAll<Exact>(c, a, b, rows, k);
}

BELAY_FLAT void MmadIntegers(void* c, const FlatLeft& a, const void* b,
                             size_t rows, size_t k) {
  AddAll<Whole>(c, a, b, rows, k);
}

}  // namespace

void FillCube(FlatTable& table) {
  table.mmad.rounded = MmadRounded;
  table.mmad.exact = MmadExact;
  table.mmad.integers = MmadIntegers;
}

}  // namespace belay::npu::BELAY_FLAT_VARIANT
