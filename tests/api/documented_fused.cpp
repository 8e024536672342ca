// SPDX-License-Identifier: Apache-2.0
// The numbers printed on the pages of fused interfaces; of those that fill
// pages, the first 32.

#include <cstring>

#include "documented.h"

namespace belay::sweep::documented_fused {
namespace {

const AscendC::BinaryRepeatParams kSame(1, 1, 1, 8, 8, 8);
const AscendC::BinaryRepeatParams kNarrowing(1, 1, 1, 4, 8, 8);
const AscendC::BinaryRepeatParams kWidening(1, 1, 1, 8, 4, 4);

TEST(Documented, AddDeqRelu) {
  Put<int32_t>(kSrc0At, "70 36 43 54 28 49 27 82 95 ...", 256);
  Put<int32_t>(kSrc1At, "19 33 34 50 42 2 97 93 99 ...", 256);
  ExpectThreeForms<int32_t, half>(
      "AddDeqRelu", 256, kNarrowing,
      "8.9 6.9 7.7 10.4 7.0 5.1 12.4 17.5 19.4 ...", [](const auto&... lanes) {
        AscendC::SetDeqScale(half(0.1f));
        AscendC::AddDeqRelu(TensorAt<half>(kDstAt), TensorAt<int32_t>(kSrc0At),
                            TensorAt<int32_t>(kSrc1At), lanes...);
      });
}

#define BELAY_DOCUMENTED_FUSED(name, T, U, first, second, result)  \
  TEST(Documented, name) {                                         \
    Put<U>(kSrc0At, first, 512);                                   \
    Put<U>(kSrc1At, second, 512);                                  \
    ExpectThreeForms<U, T>(                                        \
        #name, 512, kNarrowing, result, [](const auto&... lanes) { \
          AscendC::name(TensorAt<T>(kDstAt), TensorAt<U>(kSrc0At), \
                        TensorAt<U>(kSrc1At), lanes...);           \
        });                                                        \
  }

BELAY_DOCUMENTED_FUSED(AddReluCast, int8_t, half, "1 1 3 ... 512",
                       "0 0.5 -4 ... -513", "1 2 0 ... 0")
BELAY_DOCUMENTED_FUSED(SubReluCast, int8_t, half, "1 2 3 ... 512",
                       "0 0.5 4 ... 513", "1 2 0 ... 0")
BELAY_DOCUMENTED_FUSED(MulCast, int8_t, half, "1 -2 3 ... -6", "1 3 -4 ... 5",
                       "1 -6 -12 ... -30")

// Runs a form after dst, which is an operand too, holds its first values.
#define BELAY_DOCUMENTED_ADDING(name, T, U, params, first, second, old, \
                                result)                                 \
  TEST(Documented, name) {                                              \
    Put<U>(kSrc0At, first, 256);                                        \
    Put<U>(kSrc1At, second, 256);                                       \
    Put<T>(kDstAt, old, 256);                                           \
    ExpectThreeForms<T, T>(                                             \
        #name, 256, params, result, [](const auto&... lanes) {          \
          AscendC::name(TensorAt<T>(kDstAt), TensorAt<U>(kSrc0At),      \
                        TensorAt<U>(kSrc1At), lanes...);                \
        });                                                             \
  }

BELAY_DOCUMENTED_ADDING(
    FusedMulAdd, half, half, kSame,
    "51.4 25.92 28.3 26.62 -4.523 -93.6 8.71 21.02 -49.8 -80.4 95.94 4.74 "
    "70.25 -60.38 79.5 -18.19 79.1 -66.7 62.5 83.6 -73.1 72.56 -63.03 81.3 "
    "-62.28 -49.94 -78.7 56.2 -52.97 66.2 43.94 13.43 ...",
    "-43.1 -90. -0.7295 49.28 -52.12 -55.53 99.6 94.4 62.56 20.67 -25.4 -70.6 "
    "43.44 57.97 5.355 38.66 -67.3 -26.72 43.7 -81.06 54.47 -71.3 84.8 92.9 "
    "49.88 -49.94 79.75 -71.8 6.5 42.3 22.44 6.64 ...",
    "-18.36 44.94 32.34 -50. -99.5 89.4 1.568 61.4 -36. -46.28 54.88 14.92 "
    "61.2 -16.14 42.72 87.25 -2.787 -66.8 58.3 23.94 89. -78.56 -38.94 -78.25 "
    "52.6 77.94 84.4 -63.94 90.7 51.97 84.1 99.3 ...",
    "-987. 1075. 914.5 -1282. 398. -8424. 113.3 1384. 1856. 3740. 5240. "
    "0.0625 4344. 1032. 3402. -1548. -287.8 4428. 3688. 1921. -6452. -5772. "
    "2538. -6272. -3226. -3942. -6560. -3664. -4796. 3482. 3718. 1341. ...")

BELAY_DOCUMENTED_ADDING(
    MulAddRelu, half, half, kSame,
    "77.25 59.84 -39.5 19.3 -45.88 11.81 -60.75 -99.6 -12.164 25.75 100. -68. "
    "-48.12 -4.504 -78.5 -53.4 71.56 -33.5 -78.75 81.6 61.25 -6.414 -31.77 "
    "-50.38 84.9 -75.56 89.06 -50.7 93. 99.75 8.1 58.34 ...",
    "-20.95 -1.547 -46.25 27.14 43.16 21.44 65.6 78.25 -72.9 25.39 2.133 76.3 "
    "17.56 -96.9 -41.16 -10.734 -2.305 74.5 -42.2 -63.44 -67.5 -11.62 -78.44 "
    "52.66 18.8 45.16 -35.94 82.44 -53.9 10.54 -86.9 -55.9 ...",
    "-69.5 -8.8 -38.3 19.9 -70. 71.75 -23.17 -13.48 70. -31.16 29.6 -2.914 "
    "47.6 83.5 -33.75 44.25 -87.9 3.54 46.1 53.8 -4.164 -83.56 -35.6 58.47 "
    "-43.56 -38.03 63.72 4.9 -25.56 73.7 34.7 96.3 ...",
    "0. 0. 1467. 411.5 3256. 869. 1474. 1421. 0. 0. 2962. 274.5 0. 0. 2608. "
    "0. 0. 0. 0. 4328. 0. 524.5 1053. 0. 0. 2920. 5640. 0. 0. 7364. 194.1 "
    "5564. ...")

BELAY_DOCUMENTED_ADDING(
    MulAddDst, float, half, kWidening,
    "-83. 58.2 -14.28 -43.12 20.72 -79.9 54.16 31.56 -1.464 68.25 -28.31 "
    "-93.5 -4.2 -46.56 -22.23 78.5 -69.56 -37.03 -53.12 58.28 -71.56 -34.44 "
    "85.94 96.3 66.06 99.94 -45.94 8.75 -93.9 35.56 82.56 -70.8 ...",
    "-57.97 43.5 8.08 72.4 -81.44 -52. 69.1 -84.25 31.12 34.34 74.75 83.56 "
    "-83. 80.1 42.84 -31.6 88.56 47.34 18.89 -95.25 16.88 -85.75 76.75 -17.19 "
    "23.39 92.56 22.81 77.94 38.62 -55.8 38.22 -88.6 ...",
    "-97.94773 -61.303955 32.56878 -87.50743 -78.92147 59.20739 50.336506 "
    "49.039738 -76.2525 0.25441223 -71.73807 6.481831 -55.5052 -51.057415 "
    "31.403702 63.285076 98.1897 86.71727 -50.16466 88.94256 72.111435 "
    "8.4164915 34.524082 73.14016 4.838548 69.67902 -97.855736 90.358696 "
    "9.051491 37.595695 -66.01661 -97.110634 ...",
    "4.71345850e+03 2.46985229e+03 -8.27969437e+01 -3.20867920e+03 "
    "-1.76620471e+03 4.21270752e+03 3.79388721e+03 -2.61010083e+03 "
    "-1.21815369e+02 2.34421533e+03 -2.18809741e+03 -7.80661182e+03 "
    "2.93029968e+02 -3.78187769e+03 -9.21200317e+02 -2.41682422e+03 "
    "-6.06243945e+03 -1.66648096e+03 -1.05372913e+03 -5.46234668e+03 "
    "-1.13550574e+03 2.96143213e+03 6.63022705e+03 -1.58223096e+03 "
    "1.55008167e+03 9.32014355e+03 -1.14580493e+03 7.72311829e+02 "
    "-3.61687036e+03 -1.94723633e+03 3.08941895e+03 6.17864697e+03 ...")

// The page prints the second half of each block; scale 1 and offset 0 leave
// the numbers as they are.
TEST(Documented, CastDequant) {
  Put<int16_t>(kSrc0At,
               "20 53 26 12 36 6 20 93 66 30 56 99 59 92 7 37 22 47 98 10 85 "
               "29 14 46 17 34 45 17 25 45 82 17 ...",
               256);
  std::memset(Bench::Get().image() + kDstAt, 0, 1024);
  constexpr const char* kResult =
      "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 20 53 26 12 36 6 20 93 66 30 56 99 59 "
      "92 7 37 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 22 47 98 10 85 29 14 46 17 34 "
      "45 17 25 45 82 17 ...";
  AscendC::VdeqInfo info;
  for (float& scale : info.vdeqScale) scale = 1;
  const auto dst = [] { return TensorAt<uint8_t>(kDstAt); };
  const auto src = [] { return TensorAt<int16_t>(kSrc0At); };
  const auto set = [&] {
    AscendC::SetDeqScale(TensorAt<uint64_t>(kSrc2At), info);
  };
  const AscendC::UnaryRepeatParams params(1, 1, 8, 8);
  Bench::Get().Run([&] {
    set();
    AscendC::CastDequant<uint8_t, int16_t, true, true, true>(dst(), src(), 128,
                                                             2, params);
  });
  Expect<uint8_t>("CastDequant, mask as a number", kDstAt, kResult, 512);
  Bench::Get().Run([&] {
    set();
    AscendC::CastDequant<uint8_t, int16_t, true, true, true>(
        dst(), src(), kAllLanes, 2, params);
  });
  Expect<uint8_t>("CastDequant, mask as bits", kDstAt, kResult, 512);
  Bench::Get().Run([&] {
    set();
    AscendC::CastDequant<uint8_t, int16_t, true, true>(dst(), src(), 256);
  });
  Expect<uint8_t>("CastDequant, first n elements", kDstAt, kResult, 512);
}

}  // namespace
}  // namespace belay::sweep::documented_fused
