// SPDX-License-Identifier: Apache-2.0
// The numbers printed on the pages of unary, binary and scalar interfaces.

#include "documented.h"

namespace belay::sweep::documented_elementwise {
namespace {

constexpr uint32_t kCount = 512;
const AscendC::UnaryRepeatParams kUnary(1, 1, 8, 8);
const AscendC::BinaryRepeatParams kBinary(1, 1, 1, 8, 8, 8);

#define BELAY_DOCUMENTED_UNARY(name, T, source, result)                       \
  TEST(Documented, name) {                                                    \
    Put<T>(kSrc0At, source, kCount);                                          \
    ExpectThreeForms<T, T>(                                                   \
        #name, kCount, kUnary, result, [](const auto &...lanes) {             \
          AscendC::name(TensorAt<T>(kDstAt), TensorAt<T>(kSrc0At), lanes...); \
        });                                                                   \
  }

BELAY_DOCUMENTED_UNARY(Abs, half, "0.0 -1.0 2.0 -3.0 ...",
                       "0.0 1.0 2.0 3.0 ...")
BELAY_DOCUMENTED_UNARY(Exp, half, "0.0 1.0 2.0 3.0 ...",
                       "1.0 2.719 7.391 20.08 ...")
// The page's code works on half; no half prints as 1.0986, floats do.
BELAY_DOCUMENTED_UNARY(Ln, float, "1 2 3 4 ...", "0 0.6931 1.0986 1.3863 ...")
BELAY_DOCUMENTED_UNARY(Not, int16_t, "9 -2 8 ... 9 0", "-10 1 -9 ... -10 -1")
BELAY_DOCUMENTED_UNARY(Reciprocal, half, "-7.152 -7.24 1.771 ... -1.339 4.473",
                       "-0.1396 -0.1382 0.5645 ... -0.748 0.2231")
BELAY_DOCUMENTED_UNARY(Relu, half, "6.938 -8.86 -0.2263 ... 1.971 1.778",
                       "6.938 0 0 ... 1.971 1.778")
BELAY_DOCUMENTED_UNARY(Rsqrt, half, "0.8335 2.2 2.672 ... 2.312 5.36",
                       "1.094 0.676 0.6113 ... 0.6562 0.4316")
BELAY_DOCUMENTED_UNARY(Sqrt, half, "1.0 2.0 3.0 4.0 ...",
                       "1.0 1.414 1.732 2.0 ...")

#define BELAY_DOCUMENTED_BINARY(name, T, first, second, result)    \
  TEST(Documented, name) {                                         \
    Put<T>(kSrc0At, first, kCount);                                \
    Put<T>(kSrc1At, second, kCount);                               \
    ExpectThreeForms<T, T>(                                        \
        #name, kCount, kBinary, result, [](const auto &...lanes) { \
          AscendC::name(TensorAt<T>(kDstAt), TensorAt<T>(kSrc0At), \
                        TensorAt<T>(kSrc1At), lanes...);           \
        });                                                        \
  }

BELAY_DOCUMENTED_BINARY(Add, int16_t, "1 2 3 ... 512", "513 514 515 ... 1024",
                        "514 516 518 ... 1536")
BELAY_DOCUMENTED_BINARY(AddRelu, int16_t, "1 -2 3 ... -6", "1 3 -4 ... 5",
                        "2 1 0 ... 0")
BELAY_DOCUMENTED_BINARY(And, int16_t, "1 2 3 ... 512", "513 512 511 ... 2",
                        "1 0 3 ... 0")
BELAY_DOCUMENTED_BINARY(Div, half, "1.0 2.0 3.0 ... 512.0",
                        "2.0 2.0 2.0 ... 2.0", "0.5 1.0 1.5 ... 256.0")
BELAY_DOCUMENTED_BINARY(Max, int16_t, "1 2 3 ... 512", "513 512 511 ... 2",
                        "513 512 511 ... 512")
BELAY_DOCUMENTED_BINARY(Min, int16_t, "1 2 3 ... 512", "513 512 511 ... 2",
                        "1 2 3 ... 2")
BELAY_DOCUMENTED_BINARY(Mul, int16_t, "1 2 3 ... 512", "2 2 2 ... 2",
                        "2 4 6 ... 1024")
BELAY_DOCUMENTED_BINARY(Or, int16_t, "1 2 3 ... 512", "513 512 511 ... 2",
                        "513 514 511 ... 514")
BELAY_DOCUMENTED_BINARY(Sub, int16_t, "1 2 3 ... 512", "513 514 515 ... 1024",
                        "-512 -512 -512 ... -512")
BELAY_DOCUMENTED_BINARY(SubRelu, int16_t, "1 2 3 ... 512", "0 1 4 ... 513",
                        "1 1 0 ... 0")

#define BELAY_DOCUMENTED_OPERATOR(name, symbol, T, first, second, result) \
  TEST(DocumentedOperator, name) {                                        \
    Put<T>(kSrc0At, first, kCount);                                       \
    Put<T>(kSrc1At, second, kCount);                                      \
    Bench::Get().Run([] {                                                 \
      auto dst = TensorAt<T>(kDstAt, kCount * sizeof(T));                 \
      dst = TensorAt<T>(kSrc0At) symbol TensorAt<T>(kSrc1At);             \
    });                                                                   \
    Expect<T>(#name ", operator", kDstAt, result, kCount);                \
  }

BELAY_DOCUMENTED_OPERATOR(Add, +, int16_t, "1 2 3 ... 512",
                          "513 514 515 ... 1024", "514 516 518 ... 1536")
BELAY_DOCUMENTED_OPERATOR(And, &, int16_t, "1 2 3 ... 512", "513 512 511 ... 2",
                          "1 0 3 ... 0")
BELAY_DOCUMENTED_OPERATOR(Div, /, half, "1.0 2.0 3.0 ... 512.0",
                          "2.0 2.0 2.0 ... 2.0", "0.5 1.0 1.5 ... 256.0")
BELAY_DOCUMENTED_OPERATOR(Mul, *, int16_t, "1 2 3 ... 512", "2 2 2 ... 2",
                          "2 4 6 ... 1024")
BELAY_DOCUMENTED_OPERATOR(Or, |, int16_t, "1 2 3 ... 512", "513 512 511 ... 2",
                          "513 514 511 ... 514")
BELAY_DOCUMENTED_OPERATOR(Sub, -, int16_t, "1 2 3 ... 512",
                          "513 514 515 ... 1024", "-512 -512 -512 ... -512")

#define BELAY_DOCUMENTED_SCALAR(name, T, source, scalar, result)   \
  TEST(Documented, name) {                                         \
    Put<T>(kSrc0At, source, kCount);                               \
    ExpectThreeForms<T, T>(                                        \
        #name, kCount, kUnary, result, [](const auto &...lanes) {  \
          AscendC::name(TensorAt<T>(kDstAt), TensorAt<T>(kSrc0At), \
                        static_cast<T>(scalar), lanes...);         \
        });                                                        \
  }

BELAY_DOCUMENTED_SCALAR(Adds, int16_t, "1 2 3 ... 512", 2, "3 4 5 ... 514")
BELAY_DOCUMENTED_SCALAR(Maxs, int16_t, "1 2 3 ... 512", 2, "2 2 3 ... 512")
BELAY_DOCUMENTED_SCALAR(Mins, int16_t, "1 2 3 ... 512", 2, "1 2 2 ... 2")
BELAY_DOCUMENTED_SCALAR(Muls, int16_t, "1 2 3 ... 512", 2, "2 4 6 ... 1024")
BELAY_DOCUMENTED_SCALAR(ShiftLeft, int16_t, "1 2 3 ... 512", 2,
                        "4 8 12 ... 2048")
BELAY_DOCUMENTED_SCALAR(ShiftRight, int16_t, "1 2 3 ... 512", 2,
                        "0 0 0 1 1 1 1 ... 128")
BELAY_DOCUMENTED_SCALAR(
    LeakyRelu, half, "-287. 246. -438. 177. 596. -950. -293. 322. ... -900.",
    0.001f, "-0.287 246. -0.438 177. 596. -0.950 -0.293 322. ... -0.900")

TEST(Documented, Axpy) {
  constexpr const char *kResult = "2. 4. 6. 8. 10. 12. ... 1024.";
  Put<half>(kSrc0At, "1. 2. 3. 4. 5. 6. ... 512.", kCount);
  Put<half>(kDstAt, "0. 0. 0. ... 0.", kCount);
  ExpectThreeForms<half, half>(
      "Axpy", kCount, kUnary, kResult, [](const auto &...lanes) {
        AscendC::Axpy(TensorAt<half>(kDstAt), TensorAt<half>(kSrc0At),
                      half(2.0f), lanes...);
      });
  Put<float>(kDstAt, "0. 0. 0. ... 0.", kCount);
  Bench::Get().Run([] {
    AscendC::Axpy(TensorAt<float>(kDstAt), TensorAt<half>(kSrc0At), half(2.0f),
                  64, 8, AscendC::UnaryRepeatParams(1, 1, 8, 4));
  });
  Expect<float>("Axpy, half to float", kDstAt, kResult, kCount);
}

}  // namespace
}  // namespace belay::sweep::documented_elementwise
