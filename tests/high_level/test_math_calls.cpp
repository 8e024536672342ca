// SPDX-License-Identifier: Apache-2.0
// How functions of single elements are called: every form, tails, pieces,
// temporary buffers of the sizes the host gives and smaller; special values;
// functions of two operands.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "library_bench.h"
#include "tiling/high_level/activation.h"
#include "tiling/high_level/math.h"

namespace belay::library::test_math_calls {
namespace {

constexpr uint32_t kDst = 0;
constexpr uint32_t kSrc = 32 * 1024;
constexpr uint32_t kSrc1 = 64 * 1024;
constexpr uint32_t kTmp = 96 * 1024;
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// --- every function of the table, with the least it says it needs ------------

struct Sized {
  const char* name;
  abi::Elementwise function;
};
const Sized kFunctions[] = {
#define BELAY_ELEMENTWISE(name, registers, masks) \
  {#name, abi::Elementwise::k##name},
#include "belay/elementwise.def"
#undef BELAY_ELEMENTWISE
};

abi::Operand OperandAt(uint32_t offset, abi::DType dtype) {
  abi::Operand operand = api::OperandOf(At<float>(offset, 4096), 1, 8);
  operand.dtype = dtype;
  return operand;
}

TEST(Sizes, EveryFunctionKeepsToItsTemporaryBuffer) {
  for (const Sized& sized : kFunctions) {
    const bool whole = sized.function == abi::Elementwise::kPowerInt;
    const abi::DType dtype = whole ? abi::DType::kInt32 : abi::DType::kFloat;
    const auto least =
        static_cast<uint32_t>(abi::WorkOf(sized.function).Least());
    // Two pieces, the second with a tail; what lies around stays as it was.
    constexpr uint32_t kCount = 100;
    if (whole) {
      Put(kSrc, std::vector<int32_t>(kCount, 3));
      Put(kSrc1, std::vector<int32_t>(kCount, 5));
    } else {
      Put(kSrc, Uniform<float>(kCount, 0.1, 0.9));
      Put(kSrc1, Uniform<float>(kCount, 0.1, 0.9));
    }
    const std::vector<float> guard = Uniform<float>(64, 1, 2);
    Put(kDst + 4 * kCount, guard);
    Put(kTmp + least, guard);
    MustRun(0, [&] {
      api::CallElementwise(sized.function,
                           api::Temporary(sized.name, At<uint8_t>(kTmp, least)),
                           OperandAt(kDst, dtype), OperandAt(kSrc, dtype),
                           OperandAt(kSrc1, dtype), kCount, {1.5f, 0, 3});
    });
    EXPECT_EQ(Take<float>(kDst + 4 * kCount, 64), guard) << sized.name;
    EXPECT_EQ(Take<float>(kTmp + least, 64), guard) << sized.name;
    const std::vector<uint32_t> in_pieces = Take<uint32_t>(kDst, kCount);
    MustRun(0, [&] {
      api::CallElementwise(
          sized.function,
          api::Temporary(sized.name, At<uint8_t>(kTmp, 64 * 1024)),
          OperandAt(kDst, dtype), OperandAt(kSrc, dtype),
          OperandAt(kSrc1, dtype), kCount, {1.5f, 0, 3});
    });
    EXPECT_EQ(Take<uint32_t>(kDst, kCount), in_pieces) << sized.name;
    const std::string code = library::Run(0, [&] {
      api::CallElementwise(
          sized.function,
          api::Temporary(sized.name, At<uint8_t>(kTmp, least - 32)),
          OperandAt(kDst, dtype), OperandAt(kSrc, dtype),
          OperandAt(kSrc1, dtype), kCount, {1.5f, 0, 3});
    });
    EXPECT_EQ(code, fmt::format("BLY-N170: [{}] the temporary buffer must hold "
                                "at least {} bytes, and holds {}",
                                sized.name, least, least - 32));
  }
}

TEST(Sizes, HostGivesWhatKernelsNeed) {
  const ge::Shape shape({7, 100});
  uint32_t most = 0;
  uint32_t least = 0;
  AscendC::GetErfMaxMinTmpSize(shape, 4, false, most, least);
  const abi::ElementwiseWork work = abi::WorkOf(abi::Elementwise::kErf);
  EXPECT_EQ(least, work.Least());
  EXPECT_GE(most, work.Bytes(704));
  uint32_t nodes = 0;
  uint32_t extra = 0;
  AscendC::GetErfTmpBufferFactorSize(4, nodes, extra);
  EXPECT_EQ(most, nodes * 700 * 4 + extra);
  // As many elements as a buffer is said to be good for go into one piece.
  for (const uint32_t bytes : {8192u, 10000u, 65536u}) {
    const uint32_t elements = (bytes - extra) / nodes / 4;
    EXPECT_LE(work.Bytes((elements + 63) / 64 * 64), bytes);
  }
  AscendC::GetGeluMaxMinTmpSize(shape, 2, most, least);
  EXPECT_EQ(AscendC::GetGeluMaxTmpSize(shape, 2), most);
  EXPECT_EQ(AscendC::GetGeluMinTmpSize(shape, 2), least);
  AscendC::GetLog2MaxMinTmpSize(shape, 4, false, most, least);
  EXPECT_EQ(most, 0u);
  AscendC::GetLog2MaxMinTmpSize(shape, 2, false, most, least);
  EXPECT_EQ(least, 256u);
}

// --- forms -------------------------------------------------------------------

TEST(Forms, WithAndWithoutBufferAndCount) {
  constexpr uint32_t kSize = 1008;
  constexpr uint32_t kCount = 333;
  const std::vector<half> inputs = Uniform<half>(kSize, -3, 3);
  Put(kSrc, inputs);
  const std::vector<half> before(kSize, half(7));
  std::vector<std::vector<half>> results;
  for (int form = 0; form < 4; ++form) {
    Put(kDst, before);
    MustRun(kTmp, [&] {
      const auto dst = At<half>(kDst, kSize);
      const auto src = At<half>(kSrc, kSize);
      const auto tmp = At<uint8_t>(kTmp, 4096);
      if (form == 0) AscendC::Tanh<half, false>(dst, src, tmp, kCount);
      if (form == 1) AscendC::Tanh<half, true>(dst, src, kCount);
      if (form == 2) AscendC::Tanh(dst, src, tmp);
      if (form == 3) AscendC::Tanh(dst, src);
    });
    results.push_back(Take<half>(kDst, kSize));
    for (uint32_t i = 0; i < kSize; ++i) {
      const bool computed = form >= 2 || i < kCount;
      const double exact = computed ? std::tanh(Widen(inputs[i])) : 7;
      ASSERT_LE(UlpError(results[form][i], exact), 0.6) << form << " " << i;
    }
  }
  // Nothing is left of UB.
  EXPECT_EQ(
      library::Run(184 * 1024,
                   [&] { AscendC::Tanh(At<half>(0, 64), At<half>(1024, 64)); })
          .substr(0, 8),
      "BLY-N170");
  // In place.
  Put(kSrc, inputs);
  MustRun(kTmp,
          [&] { AscendC::Tanh(At<half>(kSrc, kSize), At<half>(kSrc, kSize)); });
  for (uint32_t i = 0; i < kSize; ++i) {
    EXPECT_EQ(Widen(Take<half>(kSrc, kSize)[i]), Widen(results[3][i]));
  }
}

// --- special values ----------------------------------------------------------

template <typename Call>
void Expect(const char* name, const std::vector<float>& inputs,
            const std::vector<float>& expected, const Call& call) {
  Put(kSrc, inputs);
  const auto count = static_cast<uint32_t>(inputs.size());
  MustRun(0, [&] {
    call(At<float>(kDst, 64), At<float>(kSrc, 64), At<uint8_t>(kTmp, 8192),
         count);
  });
  const std::vector<float> got = Take<float>(kDst, count);
  for (uint32_t i = 0; i < count; ++i) {
    const bool same =
        std::isnan(expected[i])
            ? std::isnan(got[i])
            : got[i] == expected[i] &&
                  std::signbit(got[i]) == std::signbit(expected[i]);
    EXPECT_TRUE(same) << name << "(" << inputs[i] << ") is " << got[i]
                      << " instead of " << expected[i];
  }
}

#define BELAY_SPECIAL(name, ...)                               \
  Expect(#name, inputs, {__VA_ARGS__},                         \
         [](const auto& dst, const auto& src, const auto& tmp, \
            uint32_t count) { AscendC::name(dst, src, tmp, count); })

TEST(Special, ZeroInfinityNan) {
  const std::vector<float> inputs = {0.0f, -0.0f, kInf, -kInf, kNan};
  const float half_pi = static_cast<float>(M_PI / 2);
  // -0 counts as 0 where the instruction or the polynomial has it so.
  BELAY_SPECIAL(Acos, half_pi, half_pi, kNan, kNan, kNan);
  BELAY_SPECIAL(Acosh, kNan, kNan, kInf, kNan, kNan);
  BELAY_SPECIAL(Asin, 0.0f, -0.0f, kNan, kNan, kNan);
  BELAY_SPECIAL(Asinh, 0.0f, -0.0f, kInf, -kInf, kNan);
  BELAY_SPECIAL(Atan, 0.0f, -0.0f, half_pi, -half_pi, kNan);
  BELAY_SPECIAL(Atanh, 0.0f, -0.0f, kNan, kNan, kNan);
  BELAY_SPECIAL(Ceil, 0.0f, 0.0f, kInf, -kInf, kNan);
  BELAY_SPECIAL(Cos, 1.0f, 1.0f, kNan, kNan, kNan);
  BELAY_SPECIAL(Cosh, 1.0f, 1.0f, kInf, kInf, kNan);
  BELAY_SPECIAL(Digamma, -kInf, -kInf, kInf, kNan, kNan);
  BELAY_SPECIAL(Erf, 0.0f, -0.0f, 1.0f, -1.0f, kNan);
  BELAY_SPECIAL(Erfc, 1.0f, 1.0f, 0.0f, 2.0f, kNan);
  BELAY_SPECIAL(Floor, 0.0f, 0.0f, kInf, -kInf, kNan);
  BELAY_SPECIAL(Lgamma, kInf, kInf, kInf, kNan, kNan);
  BELAY_SPECIAL(Round, 0.0f, 0.0f, kInf, -kInf, kNan);
  BELAY_SPECIAL(Sigmoid, 0.5f, 0.5f, 1.0f, 0.0f, kNan);
  BELAY_SPECIAL(Sign, 0.0f, 0.0f, 1.0f, -1.0f, 0.0f);
  BELAY_SPECIAL(Sin, 0.0f, 0.0f, kNan, kNan, kNan);
  BELAY_SPECIAL(Sinh, 0.0f, -0.0f, kInf, -kInf, kNan);
  BELAY_SPECIAL(Tan, 0.0f, 0.0f, kNan, kNan, kNan);
  BELAY_SPECIAL(Tanh, 0.0f, 0.0f, 1.0f, -1.0f, kNan);
  BELAY_SPECIAL(Trunc, 0.0f, 0.0f, kInf, -kInf, kNan);
}

// --- two operands ------------------------------------------------------------

template <typename T>
void PutPair(const std::vector<T>& a, const std::vector<T>& b) {
  Put(kSrc, a);
  Put(kSrc1, b);
}

TEST(Binary, FmodIsExactForQuotientsBelowTwoToThe24) {
  constexpr uint32_t kCount = 5000;
  std::vector<float> a = Uniform<float>(kCount, -1e6, 1e6);
  std::vector<float> b = LogUniform<float>(kCount, 1, 1e8, true);
  const std::vector<float> close = Uniform<float>(kCount / 2, -1000, 1000);
  for (uint32_t i = 0; i < kCount / 2; ++i) {
    b[i] = Uniform<float>(1, 0.01, 2)[0];
    a[i] = b[i] * std::rint(close[i]);  // near a multiple, from both sides
  }
  a[0] = 3;
  b[0] = kInf;
  a[1] = 3;
  b[1] = 0;
  a[2] = kInf;
  b[2] = 3;
  a[3] = -4;
  b[3] = 2;
  PutPair(a, b);
  MustRun(0, [&] {
    AscendC::Fmod(At<float>(kDst, kCount), At<float>(kSrc, kCount),
                  At<float>(kSrc1, kCount), At<uint8_t>(kTmp, 64 * 1024),
                  kCount);
  });
  const std::vector<float> got = Take<float>(kDst, kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    const float exact = std::fmod(a[i], b[i]);
    if (std::isnan(exact)) {
      EXPECT_TRUE(std::isnan(got[i])) << a[i] << " " << b[i];
    } else {
      ASSERT_EQ(got[i], exact) << a[i] << " " << b[i];
      ASSERT_EQ(std::signbit(got[i]), std::signbit(exact)) << a[i];
    }
  }
}

TEST(Binary, PowerOfFloats) {
  constexpr uint32_t kCount = 4000;
  std::vector<float> x = LogUniform<float>(kCount, 1e-30, 1e30, false);
  std::vector<float> y = Uniform<float>(kCount, -3, 3);
  const std::vector<float> near = Uniform<float>(kCount / 2, 0.1, 10);
  const std::vector<float> exponents = Uniform<float>(kCount / 2, -40, 40);
  for (uint32_t i = 0; i < kCount / 2; ++i) {
    x[i] = i % 2 == 0 ? near[i] : -near[i];
    y[i] = i % 4 < 2 ? std::rint(exponents[i]) : exponents[i];
  }
  const std::vector<float> odd_x = {0,      -0.0f, 0,     0,    1,    -1,
                                    kInf,   kInf,  -kInf, kNan, kNan, 2,
                                    1e-40f, 0.5f,  -8,    -8,   2,    -2};
  const std::vector<float> odd_y = {0,     3,    -2, 2, kInf, kInf,
                                    2,     -2,   3,  0, 1,    kNan,
                                    -0.5f, kInf, 3,  2, 1000, -1001};
  std::copy(odd_x.begin(), odd_x.end(), x.begin());
  std::copy(odd_y.begin(), odd_y.end(), y.begin());
  PutPair(x, y);
  MustRun(0, [&] {
    AscendC::Power<float, false>(
        At<float>(kDst, kCount), At<float>(kSrc, kCount),
        At<float>(kSrc1, kCount), At<uint8_t>(kTmp, 64 * 1024));
  });
  const std::vector<float> got = Take<float>(kDst, kCount);
  Worst worst;
  for (uint32_t i = 0; i < kCount; ++i) {
    const double exact = std::pow(double{x[i]}, double{y[i]});
    const double error = UlpError(got[i], exact);
    worst.Note(error, x[i], got[i], exact);
    ASSERT_LE(error, 4) << x[i] << "^" << y[i] << " is " << got[i]
                        << " instead of " << exact;
  }
  std::printf("Power          float %s\n", worst.Text().c_str());
}

TEST(Binary, PowerWithScalarsAndHalves) {
  const std::vector<half> x = Uniform<half>(500, 0.1, 8);
  Put(kSrc, x);
  MustRun(kTmp, [&] {
    AscendC::Power<half, false>(At<half>(kDst, 512), At<half>(kSrc, 512),
                                half(2.5), 500);
    AscendC::Power<half, false>(At<half>(kSrc1, 512), half(2.5),
                                At<half>(kSrc, 512), 500);
  });
  const std::vector<half> squares = Take<half>(kDst, 500);
  const std::vector<half> exponentials = Take<half>(kSrc1, 500);
  for (uint32_t i = 0; i < 500; ++i) {
    EXPECT_LE(UlpError(squares[i], std::pow(Widen(x[i]), 2.5)), 0.51);
    EXPECT_LE(UlpError(exponentials[i], std::pow(2.5, Widen(x[i]))), 0.51);
  }
}

TEST(Binary, PowerOfIntegersWraps) {
  const std::vector<int32_t> x = {2, 3,  -2, -3,    0, 0,  1, -1, -1, 7,
                                  2, -2, 5,  46341, 1, 10, 2, 3,  0};
  const std::vector<int32_t> y = {10, 4, 31, 3, 0,          5, -3, -3, -4, 20,
                                  -1, 5, 0,  2, 2147483647, 9, 31, 40, -1};
  const auto count = static_cast<uint32_t>(x.size());
  PutPair(x, y);
  MustRun(kTmp, [&] {
    AscendC::Power<int32_t, false>(At<int32_t>(kDst, 64), At<int32_t>(kSrc, 64),
                                   At<int32_t>(kSrc1, 64), count);
  });
  const std::vector<int32_t> got = Take<int32_t>(kDst, count);
  for (uint32_t i = 0; i < count; ++i) {
    uint32_t exact = 1;
    if (y[i] < 0) {
      exact = x[i] == 1                ? 1u
              : x[i] == -1 && y[i] % 2 ? ~0u
              : x[i] == -1             ? 1u
                                       : 0u;
    } else {
      for (int64_t k = 0; k < std::min(y[i], 100); ++k) {
        exact *= static_cast<uint32_t>(x[i]);
      }
    }
    EXPECT_EQ(got[i], static_cast<int32_t>(exact)) << x[i] << "^" << y[i];
  }
}

TEST(Binary, GatedActivations) {
  constexpr uint32_t kCount = 700;
  const std::vector<float> a = Uniform<float>(kCount, -4, 4);
  const std::vector<float> b = Uniform<float>(kCount, -4, 4);
  PutPair(a, b);
  const auto run = [&](auto call) {
    MustRun(kTmp, [&] {
      call(At<float>(kDst, kCount), At<float>(kSrc, kCount),
           At<float>(kSrc1, kCount));
    });
    return Take<float>(kDst, kCount);
  };
  const auto geglu = run([](const auto& d, const auto& x, const auto& y) {
    AscendC::GeGLU<float, false>(d, x, y);
  });
  const auto reglu = run([](const auto& d, const auto& x, const auto& y) {
    AscendC::ReGlu(d, x, y, kCount);
  });
  const auto swiglu = run([](const auto& d, const auto& x, const auto& y) {
    AscendC::SwiGLU(d, x, y, 1.5f);
  });
  for (uint32_t i = 0; i < kCount; ++i) {
    const double x = a[i];
    const double y = b[i];
    const double gelu =
        y / (1 + std::exp(-1.5957691216057308 * (y + 0.044715 * y * y * y)));
    EXPECT_NEAR(geglu[i], x * gelu, 1e-6 * std::abs(x * gelu) + 1e-8);
    EXPECT_EQ(reglu[i], a[i] * std::max(b[i], 0.0f));
    const double swish = y / (1 + std::exp(-1.5 * y));
    EXPECT_NEAR(swiglu[i], x * swish, 1e-6 * std::abs(x * swish) + 1e-8);
  }
  const std::vector<bfloat16_t> ones(64, bfloat16_t(1.5f));
  PutPair(ones, ones);
  MustRun(kTmp, [&] {
    AscendC::ReGlu(At<bfloat16_t>(kDst, 64), At<bfloat16_t>(kSrc, 64),
                   At<bfloat16_t>(kSrc1, 64), 64);
  });
  EXPECT_EQ(Widen(Take<bfloat16_t>(kDst, 64)[63]), 2.25);
}

TEST(Binary, AxpyClampXor) {
  constexpr uint32_t kCount = 300;
  const std::vector<half> x = Uniform<half>(kCount, -10, 10);
  const std::vector<float> sums = Uniform<float>(kCount, -10, 10);
  Put(kSrc, x);
  Put(kDst, sums);
  MustRun(0, [&] {
    AscendC::Axpy(At<float>(kDst, 304), At<half>(kSrc, 304), half(2.5),
                  At<uint8_t>(kTmp, 512), kCount);
  });
  const std::vector<float> added = Take<float>(kDst, kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(added[i], static_cast<float>(Widen(x[i]) * 2.5) + sums[i]);
  }
  MustRun(0, [&] {
    const auto tmp = At<uint8_t>(kTmp, 512);
    AscendC::ClampMax<half>(At<half>(kDst, 304), At<half>(kSrc, 304), tmp,
                            half(2), kCount);
    AscendC::ClampMin<half>(At<half>(kSrc1, 304), At<half>(kSrc, 304), tmp,
                            half(2), kCount);
  });
  const std::vector<half> below = Take<half>(kDst, kCount);
  const std::vector<half> above = Take<half>(kSrc1, kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(Widen(below[i]), std::min(Widen(x[i]), 2.0));
    EXPECT_EQ(Widen(above[i]), std::max(Widen(x[i]), 2.0));
  }
  std::vector<uint16_t> a(kCount);
  std::vector<uint16_t> b(kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    a[i] = static_cast<uint16_t>(Random()());
    b[i] = static_cast<uint16_t>(Random()());
  }
  PutPair(a, b);
  MustRun(0, [&] {
    AscendC::Xor(At<uint16_t>(kDst, 304), At<uint16_t>(kSrc, 304),
                 At<uint16_t>(kSrc1, 304), At<uint8_t>(kTmp, 256), kCount);
  });
  const std::vector<uint16_t> got = Take<uint16_t>(kDst, kCount);
  for (uint32_t i = 0; i < kCount; ++i) EXPECT_EQ(got[i], a[i] ^ b[i]);
}

TEST(Other, FunctionsOfOtherChipsAreRefused) {
  EXPECT_EQ(library::Run(0,
                         [] {
                           AscendC::Hypot(At<float>(0, 64), At<float>(256, 64),
                                          At<float>(512, 64), 64u);
                         })
                .substr(0, 8),
            "BLY-N111");
  static constexpr AscendC::ClampConfig config = {false};
  EXPECT_EQ(library::Run(0,
                         [] {
                           AscendC::Clamp<config, float>(At<float>(0, 64),
                                                         At<float>(256, 64),
                                                         0.0f, 1.0f, 64u);
                         })
                .substr(0, 8),
            "BLY-N111");
}

}  // namespace
}  // namespace belay::library::test_math_calls
