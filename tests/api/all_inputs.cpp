// SPDX-License-Identifier: Apache-2.0
// All 65536 halves and bfloat16s through Cast (every pair and round mode) and
// the unary interfaces, bit by bit; and how far Exp, Ln, Sqrt and Div of float
// are off: the numbers of docs/precision.md.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <string>

#include "kernels.h"
#include "naive_model.h"
#include "naive_numbers.h"

namespace belay::sweep {
namespace {

using AscendC::RoundMode;

constexpr uint32_t kChunk = 8192;
constexpr uint32_t kSourceAt = 0;
constexpr uint32_t kSecondAt = 64 * 1024;
constexpr uint32_t kTargetAt = 128 * 1024;

uint64_t ElementAt(const uint8_t* base, uint32_t index, uint32_t bytes) {
  uint64_t bits = 0;
  std::memcpy(&bits, base + uint64_t{index} * bytes, bytes);
  return bits;
}

// Calls run(src, dst) with every pattern of the 16-bit type U, kChunk at a
// time, and compares with expected(pattern).
template <typename U, typename T, typename Run, typename Expected>
void ForAllInputs(const std::string& what, Run run, Expected expected) {
  Bench& bench = Bench::Get();
  int wrong = 0;
  for (uint32_t first = 0; first < 65536; first += kChunk) {
    for (uint32_t i = 0; i < kChunk; ++i) {
      const auto pattern = static_cast<uint16_t>(first + i);
      std::memcpy(bench.image() + kSourceAt + 2 * i, &pattern, 2);
    }
    const Outcome& outcome = bench.Run([&] {
      run(TensorAt<U>(kSourceAt, kChunk * 2),
          TensorAt<T>(kTargetAt, kChunk * sizeof(T)));
    });
    ASSERT_TRUE(outcome.ok) << what << ": " << outcome.message;
    for (uint32_t i = 0; i < kChunk; ++i) {
      const uint64_t wanted = expected(first + i);
      uint64_t got = ElementAt(bench.ub_after() + kTargetAt,
                               kBits<T> == 4 ? i / 2 : i, sizeof(T));
      if (kBits<T> == 4) got = got >> i % 2 * 4 & 15;
      if (got == wanted) continue;
      if (++wrong <= 3) {
        ADD_FAILURE() << what << " of " << std::hex << first + i << " is "
                      << got << ", should be " << wanted;
      }
    }
  }
  EXPECT_EQ(wrong, 0) << what;
}

template <typename U, typename T>
void CastAll(const std::string& modes) {
  for (const char letter : modes) {
    const auto index = std::string("NRFCAZO").find(letter);
    abi::Instruction record{};
    record.op = abi::Op::kCast;
    record.mode = static_cast<uint8_t>(index);
    record.src0.dtype = Type<U>::kDType;
    record.dst.dtype = Type<T>::kDType;
    const npu::VectorState state;
    ForAllInputs<U, T>(
        std::string("Cast to ") + Type<T>::kName + " by " + letter,
        [&](const auto& src, const auto& dst) {
          AscendC::Cast(dst, src, static_cast<RoundMode>(index), kChunk);
        },
        [&](uint64_t bits) {
          return npu::naive::CastLane(record, bits, state) &
                 (~uint64_t{0} >> (64 - kBits<T>));
        });
  }
}

TEST(AllInputs, CastFromHalf) {
  CastAll<half, AscendC::int4b_t>("RFCAZN");
  CastAll<half, int8_t>("RFCAZN");
  CastAll<half, uint8_t>("RFCAZN");
  CastAll<half, int16_t>("RFCAZ");
  CastAll<half, int32_t>("RFCAZ");
  CastAll<half, float>("N");
}

TEST(AllInputs, CastFromBfloat16) {
  CastAll<bfloat16_t, int32_t>("RFCAZ");
  CastAll<bfloat16_t, float>("N");
}

#define BELAY_ALL_HALVES(name)                                    \
  TEST(AllInputs, name) {                                         \
    abi::Instruction record{};                                    \
    record.op = abi::Op::k##name;                                 \
    record.src0.dtype = record.dst.dtype = abi::DType::kHalf;     \
    const npu::VectorState state;                                 \
    ForAllInputs<half, half>(                                     \
        #name,                                                    \
        [](const auto& src, const auto& dst) {                    \
          AscendC::name(dst, src, kChunk);                        \
        },                                                        \
        [&](uint64_t bits) {                                      \
          return npu::naive::ComputeLane(record, bits, 0, state); \
        });                                                       \
  }

BELAY_ALL_HALVES(Abs)
BELAY_ALL_HALVES(Exp)
BELAY_ALL_HALVES(Ln)
BELAY_ALL_HALVES(Reciprocal)
BELAY_ALL_HALVES(Relu)
BELAY_ALL_HALVES(Rsqrt)
BELAY_ALL_HALVES(Sqrt)

// --- how far floats are off --------------------------------------------------

// Distance of `got` from the exact value, in units of the last place of the
// exact value's float; exact values outside float's normal range are skipped.
long double ErrorOf(float got, long double exact) {
  if (!(std::fabs(exact) >= 0x1p-126L && std::fabs(exact) < 0x1p127L)) return 0;
  const int exponent = std::ilogb(exact);
  return std::fabs(got - exact) / std::ldexp(1.0L, exponent - 23);
}

// The largest error of run(src, second, dst) against exact(a, b) over `chunks`
// chunks of floats drawn by draw().
template <typename Run, typename Exact, typename DrawFloat>
long double LargestError(int chunks, Run run, Exact exact, DrawFloat draw) {
  Bench& bench = Bench::Get();
  long double largest = 0;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    for (uint32_t i = 0; i < kChunk; ++i) {
      const float a = draw();
      const float b = draw();
      std::memcpy(bench.image() + kSourceAt + 4 * i, &a, 4);
      std::memcpy(bench.image() + kSecondAt + 4 * i, &b, 4);
    }
    bench.Run([&] {
      run(TensorAt<float>(kSourceAt), TensorAt<float>(kSecondAt),
          TensorAt<float>(kTargetAt));
    });
    for (uint32_t i = 0; i < kChunk; ++i) {
      float values[3];
      std::memcpy(&values[0], bench.image() + kSourceAt + 4 * i, 4);
      std::memcpy(&values[1], bench.image() + kSecondAt + 4 * i, 4);
      std::memcpy(&values[2], bench.ub_after() + kTargetAt + 4 * i, 4);
      largest =
          std::max(largest, ErrorOf(values[2], exact(values[0], values[1])));
    }
  }
  return largest;
}

float DrawBetween(float low, float high) {
  const auto step = static_cast<float>(Bench::Get().draw.Below(1u << 24));
  return low + (high - low) * (step * 0x1p-24f);
}

float DrawPositive() {
  const auto bits =
      static_cast<uint32_t>(0x00800000 + Bench::Get().draw.Below(0x7f000000));
  return std::bit_cast<float>(bits);
}

void ExpectError(const char* name, long double error, long double limit) {
  std::printf("largest error of %s: %.4Lf units in the last place\n", name,
              error);
  EXPECT_LT(error, limit) << name;
}

TEST(Precision, LargestErrors) {
  constexpr int kChunks = 64;
  ExpectError("Exp",
              LargestError(
                  kChunks,
                  [](const auto& a, const auto&, const auto& dst) {
                    AscendC::Exp(dst, a, kChunk);
                  },
                  [](float a, float) { return std::exp((long double)a); },
                  [] { return DrawBetween(-87.0f, 88.0f); }),
              1.0L);
  ExpectError("Ln",
              LargestError(
                  kChunks,
                  [](const auto& a, const auto&, const auto& dst) {
                    AscendC::Ln(dst, a, kChunk);
                  },
                  [](float a, float) { return std::log((long double)a); },
                  DrawPositive),
              0.51L);
  ExpectError("Sqrt",
              LargestError(
                  kChunks,
                  [](const auto& a, const auto&, const auto& dst) {
                    AscendC::Sqrt(dst, a, kChunk);
                  },
                  [](float a, float) { return std::sqrt((long double)a); },
                  DrawPositive),
              0.5000001L);
  ExpectError(
      "Div",
      LargestError(
          kChunks,
          [](const auto& a, const auto& b, const auto& dst) {
            AscendC::Div(dst, a, b, kChunk);
          },
          [](float a, float b) { return (long double)a / b; }, DrawPositive),
      0.5000001L);
}

}  // namespace
}  // namespace belay::sweep
