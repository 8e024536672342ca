// SPDX-License-Identifier: Apache-2.0
// The numbers printed on the pages of Cast, Compare, Compares and Select.

#include <cstring>

#include "documented.h"

namespace belay::sweep::documented_compare {
namespace {

using AscendC::CMPMODE;
using AscendC::RoundMode;
using AscendC::SELMODE;

const AscendC::BinaryRepeatParams kBinary(1, 1, 1, 8, 8, 8);

// --- Cast --------------------------------------------------------------------

constexpr const char* kRounded = "1.4 1.5 1.6 2.4 2.5 2.6 ... 2.6";

TEST(Documented, CastCeil) {
  Put<half>(kSrc0At, kRounded, 512);
  ExpectThreeForms<int32_t, int32_t>(
      "Cast, CAST_CEIL", 512, AscendC::UnaryRepeatParams(1, 1, 8, 4),
      "2 2 2 3 3 3 ... 3", [](const auto&... lanes) {
        AscendC::Cast(TensorAt<int32_t>(kDstAt), TensorAt<half>(kSrc0At),
                      RoundMode::CAST_CEIL, lanes...);
      });
}

TEST(Documented, CastModes) {
  struct Mode {
    const char* name;
    RoundMode mode;
    const char* result;
  };
  constexpr Mode kModes[] = {
      {"CAST_NONE", RoundMode::CAST_NONE, "1 2 2 2 2 3 ... 3"},
      {"CAST_RINT", RoundMode::CAST_RINT, "1 2 2 2 2 3 ... 3"},
      {"CAST_FLOOR", RoundMode::CAST_FLOOR, "1 1 1 2 2 2 ... 2"},
      {"CAST_ROUND", RoundMode::CAST_ROUND, "1 2 2 2 3 3 ... 3"},
      {"CAST_TRUNC", RoundMode::CAST_TRUNC, "1 1 1 2 2 2 ... 2"},
  };
  Put<half>(kSrc0At, kRounded, 512);
  for (const Mode& mode : kModes) {
    Bench::Get().Run([&] {
      AscendC::Cast(TensorAt<int32_t>(kDstAt), TensorAt<half>(kSrc0At),
                    mode.mode, 512);
    });
    Expect<int32_t>(std::string("Cast, ") + mode.name, kDstAt, mode.result,
                    512);
  }
}

// Of each repeat the first 32 lanes; the page prints whatever was there in
// the others.
TEST(Documented, CastOfFirstLanes) {
  Put<half>(kSrc0At,
            "37.4 7.11 53.5 19.44 22.66 43. 43.16 5.316 74.2 15.7 87.75 86.94 "
            "92.56 25.45 36.06 94.6 73.6 30.48 48.16 12.55 27.81 14.67 6.58 "
            "48.38 67.5 57.5 63.3 85.2 3.654 68.7 52.53 16.38 13.945 63.84 "
            "87.2 82.5 85.7 27.78 15.41 41.66 31.38 14.65 88.25 0.0332 43.06 "
            "46.88 15.57 87.1 53.16 33.5 91.06 36.5 55.34 60.53 3.238 23.92 "
            "97.5 91.1 78.44 54.47 82. 53.8 72.1 25.06 32.12 15.88 33.38 36.7 "
            "33.3 84.4 19.25 1.743",
            72);
  Put<int32_t>(kDstAt, "-1 -1 ... -1", 72);
  Bench::Get().Run([] {
    AscendC::Cast(TensorAt<int32_t>(kDstAt), TensorAt<half>(kSrc0At),
                  RoundMode::CAST_CEIL, 32, 8,
                  AscendC::UnaryRepeatParams(1, 1, 8, 4));
  });
  Expect<int32_t>("Cast of 32 lanes, first repeat", kDstAt,
                  "38 8 54 20 23 43 44 6 75 16 88 87 93 26 37 95 74 31 49 13 "
                  "28 15 7 49 68 58 64 86 4 69 53 17 -1 -1 -1",
                  35);
  Expect<int32_t>("Cast of 32 lanes, second repeat", kDstAt + 256,
                  "33 16 34 37 34 85 20 2", 8);
}

// --- Compare -----------------------------------------------------------------

struct Comparison {
  const char* name;
  CMPMODE mode;
  const char* result;
};

// 254 is what the page's binary digits say; it prints 126 before them.
constexpr Comparison kComparisons[] = {
    {"LT", CMPMODE::LT, "14 ..."},  {"GT", CMPMODE::GT, "240 ..."},
    {"GE", CMPMODE::GE, "241 ..."}, {"LE", CMPMODE::LE, "15 ..."},
    {"EQ", CMPMODE::EQ, "1 ..."},   {"NE", CMPMODE::NE, "254 ..."},
};

constexpr const char* kPrimes = "2 3 5 7 11 13 17 19 ...";
constexpr const char* kEvens = "2 4 6 8 10 12 14 16 ...";

TEST(Documented, Compare) {
  Put<float>(kSrc0At, kPrimes, 256);
  Put<float>(kSrc1At, kEvens, 256);
  for (const Comparison& comparison : kComparisons) {
    // The page prints LT for other numbers: see the next test.
    if (comparison.mode == CMPMODE::LT) continue;
    Bench::Get().Run([&] {
      AscendC::Compare(TensorAt<uint8_t>(kDstAt), TensorAt<float>(kSrc0At),
                       TensorAt<float>(kSrc1At), comparison.mode, 256);
    });
    Expect<uint8_t>(std::string("Compare, ") + comparison.name, kDstAt,
                    comparison.result, 32);
  }
}

constexpr const char* kEightPrimes =
    "2 2 2 2 2 2 2 2 3 3 3 3 3 3 3 3 5 5 5 5 5 5 5 5 7 7 7 7 7 7 7 7 11 11 11 "
    "11 11 11 11 11 13 13 13 13 13 13 13 13 17 17 17 17 17 17 17 17 19 19 19 "
    "19 "
    "19 19 19 19 ...";
constexpr const char* kEightEvens =
    "2 2 2 2 2 2 2 2 4 4 4 4 4 4 4 4 6 6 6 6 6 6 6 6 8 8 8 8 8 8 8 8 10 10 10 "
    "10 10 10 10 10 12 12 12 12 12 12 12 12 14 14 14 14 14 14 14 14 16 16 16 "
    "16 "
    "16 16 16 16 ...";

// The page prints 127 for eight lanes that all hold: eight bits make 255.
TEST(Documented, CompareLess) {
  Put<float>(kSrc0At, kEightPrimes, 256);
  Put<float>(kSrc1At, kEightEvens, 256);
  Bench::Get().Run([] {
    AscendC::Compare(TensorAt<uint8_t>(kDstAt), TensorAt<float>(kSrc0At),
                     TensorAt<float>(kSrc1At), CMPMODE::LT, 256);
  });
  Expect<uint8_t>("Compare, LT", kDstAt, "0 255 255 255 0 0 0 0 ...", 32);
}

// The page also prints results under a mask ("51 51 51 51 0 0 0 0" for mask
// bits 0x33333333, "127 127 127 16 …" for 28 lanes), and says that on this
// chip the mask has no effect: then all lanes of LE are compared.
TEST(Documented, CompareIgnoresTheMask) {
  Put<float>(kSrc0At, kEightPrimes, 256);
  Put<float>(kSrc1At, kEightEvens, 256);
  const AscendC::BinaryRepeatParams params(1, 1, 1, 1, 8, 8);
  const auto compare = [&](const auto& mask) {
    AscendC::Compare(TensorAt<uint8_t>(kDstAt), TensorAt<float>(kSrc0At),
                     TensorAt<float>(kSrc1At), CMPMODE::LE, mask, 1, params);
  };
  constexpr uint64_t kBits[2] = {858993459, 0};
  Bench::Get().Run([&] { compare(kBits); });
  Expect<uint8_t>("Compare, LE, mask as bits", kDstAt,
                  "255 255 255 255 0 0 0 0", 8);
  Bench::Get().Run([&] { compare(uint64_t{28}); });
  Expect<uint8_t>("Compare, LE, mask as a number", kDstAt,
                  "255 255 255 255 0 0 0 0", 8);
}

TEST(Documented, CompareOperators) {
  Put<float>(kSrc0At, kPrimes, 256);
  Put<float>(kSrc1At, kEvens, 256);
  for (const Comparison& comparison : kComparisons) {
    Bench::Get().Run([&] {
      auto dst = TensorAt<uint8_t>(kDstAt);
      const auto a = TensorAt<float>(kSrc0At, 1024);
      const auto b = TensorAt<float>(kSrc1At, 1024);
      switch (comparison.mode) {
        case CMPMODE::LT:
          dst = a < b;
          break;
        case CMPMODE::GT:
          dst = a > b;
          break;
        case CMPMODE::GE:
          dst = a >= b;
          break;
        case CMPMODE::LE:
          dst = a <= b;
          break;
        case CMPMODE::EQ:
          dst = a == b;
          break;
        case CMPMODE::NE:
          dst = a != b;
          break;
      }
    });
    Expect<uint8_t>(std::string("Compare, operator ") + comparison.name, kDstAt,
                    comparison.result, 32);
  }
}

// The first 64 of the page's 256 numbers, one repeat.
TEST(Documented, Compares) {
  Put<float>(
      kSrc0At,
      "16.604824 45.069473 65.108345 -59.68792 21.043684 75.90726 -27.046307 "
      "-40.10546 -5.933778 83.56574 58.87062 -12.77814 28.17882 62.549377 "
      "-22.310246 -67.69001 81.06072 69.988945 69.10082 -6.667376 96.20256 "
      "18.532446 -66.56364 -32.531246 49.980835 35.668995 -16.847628 1.3236234 "
      "10.0143795 43.878166 26.628105 31.774637 47.9279 79.7291 -54.09651 "
      "95.49459 -18.404795 -86.84594 9.406091 -79.54437 0.49116692 -48.151714 "
      "-12.97062 -99.89055 23.475513 -27.366564 -69.229675 83.613304 52.14729 "
      "40.98426 -23.422009 -53.386215 1.6576616 -62.36946 54.693733 66.2058 "
      "-4.0042257 -25.351263 1.0000885 -6.458584 25.447659 71.647316 82.31162 "
      "-7.7359715",
      64);
  constexpr const char* kResult = "0 0 0 0 0 8 0 0";
  const auto compare = [](const auto&... lanes) {
    AscendC::Compares(TensorAt<uint8_t>(kDstAt), TensorAt<float>(kSrc0At),
                      -95.16087f, CMPMODE::LT, lanes...);
  };
  const AscendC::UnaryRepeatParams params(1, 1, 8, 8);
  Bench::Get().Run([&] { compare(64); });
  Expect<uint8_t>("Compares, first n elements", kDstAt, kResult, 8);
  Bench::Get().Run([&] { compare(uint64_t{64}, 1, params); });
  Expect<uint8_t>("Compares, mask as a number", kDstAt, kResult, 8);
  constexpr uint64_t kBits[2] = {~uint64_t{0}, 0};
  Bench::Get().Run([&] { compare(kBits, 1, params); });
  Expect<uint8_t>("Compares, mask as bits", kDstAt, kResult, 8);
}

TEST(Documented, CompareToRegister) {
  Put<float>(
      kSrc0At,
      "86.72287 9.413112 17.033222 -64.10005 -66.2691 -65.57659 15.898049 "
      "94.61241 -68.920685 -36.16883 15.62852 68.078514 -59.724575 -9.4302225 "
      "-64.770935 66.55523 -84.60122 57.331 60.42026 -86.78856 37.25265 "
      "8.356797 -48.544407 16.73616 15.28083 -21.889254 -67.93181 -41.01825 "
      "-68.79465 20.169441 44.11346 -27.419518 30.452742 -89.30283 -18.590672 "
      "32.45831 8.392082 -57.198048 98.76846 -81.73067 -38.274437 -83.84363 "
      "64.30617 6.028703 -20.77164 93.71867 54.190437 94.98172 -47.447758 "
      "-65.77461 82.21715 59.953922 23.599781 -77.29708 26.963976 -63.468987 "
      "79.97712 -70.47842 39.00433 52.36555 -63.94925 -65.77033 26.17237 "
      "-71.904884",
      64);
  Put<float>(
      kSrc1At,
      "2.2989323 51.8879 -81.49718 41.189415 6.4081917 92.566666 53.205498 "
      "-94.47063 -75.38387 36.464787 85.60772 -28.70681 42.58504 -76.15293 "
      "38.723816 10.006577 74.53035 -78.38537 71.945404 -4.060528 -14.501523 "
      "28.229202 96.87876 41.558033 -92.623215 43.318684 35.387154 -16.029816 "
      "61.544827 3.3527017 55.806778 -93.242096 22.86275 -87.506584 35.29523 "
      "8.405956 91.03445 -85.29485 34.30078 -3.8019252 93.40503 15.459968 "
      "-57.99712 -74.39948 -59.900818 -43.132637 -13.123036 41.246174 "
      "-93.01083 75.476875 -45.437893 -99.19293 13.543604 76.23386 46.192528 "
      "-39.23934 75.9787 -38.38979 9.807722 -60.610104 -23.062874 48.1669 "
      "89.913376 73.78631",
      64);
  const auto compare = [&](const auto& mask) {
    AscendC::Compare(TensorAt<float>(kSrc0At), TensorAt<float>(kSrc1At),
                     CMPMODE::LT, mask, kBinary);
    AscendC::GetCmpMask(TensorAt<uint8_t>(kDstAt));
  };
  constexpr const char* kResult = "122 86 237 94 150 3 226 242";
  Bench::Get().Run([&] { compare(uint64_t{64}); });
  Expect<uint8_t>("Compare to register, mask as a number", kDstAt, kResult, 8);
  constexpr uint64_t kBits[2] = {~uint64_t{0}, 0};
  Bench::Get().Run([&] { compare(kBits); });
  Expect<uint8_t>("Compare to register, mask as bits", kDstAt, kResult, 8);
}

// --- Select ------------------------------------------------------------------

constexpr const char* kSelected0 =
    "-80.4933 52.2499 -50.6124 -72.3737 -33.7107 -83.4001 34.3954 61.3188 "
    "96.5484 27.1321 -56.8153 9.80549 9.11199 -53.1848 -77.2548 -0.0681466 "
    "-69.5783 6.53722 -22.5986 37.6655 -25.4146 89.232 55.4716 21.6069 ...";
constexpr const char* kSelected1 =
    "35.8789 44.0334 54.9997 44.8567 -30.8579 -53.714 -59.8013 71.1663 46.3484 "
    "8.56818 -59.4716 6.07412 -39.0137 64.5595 17.0849 45.2641 -63.2115 "
    "-98.7838 -52.3835 -65.9849 50.4909 69.9812 -22.3447 -32.3809 ...";
constexpr const char* kTwoTensors =
    "35.8789 44.0334 -50.6124 -72.3737 -33.7107 -83.4001 -59.8013 71.1663 "
    "46.3484 8.56818 -59.4716 6.07412 -39.0137 -53.1848 17.0849 45.2641 "
    "-63.2115 6.53722 -52.3835 37.6655 50.4909 69.9812 -22.3447 -32.3809 ...";
// The numbers 64 to 71, the first of the second repeat.
constexpr const char* kSecond0 =
    "79.6631 66.8743 18.1016 -27.7082 -67.0339 -11.9576 52.0373 -11.5452";
constexpr const char* kSecond1 =
    "-74.3328 77.2781 52.7964 -0.932984 70.8957 -68.1249 85.895 25.4119";

void PutSelected() {
  Put<float>(kSrc0At, kSelected0, 256);
  Put<float>(kSrc1At, kSelected1, 256);
  Put<float>(kSrc0At + 256, kSecond0, 8);
  Put<float>(kSrc1At + 256, kSecond1, 8);
  Put<uint8_t>(kSrc2At, "60 32 10 7 42 52 38 26 19 15 18 83 41 43 91 30 ...",
               32);
}

TEST(Documented, SelectOfTwoTensors) {
  PutSelected();
  Bench::Get().Run([] {
    AscendC::Select(TensorAt<float>(kDstAt), TensorAt<uint8_t>(kSrc2At),
                    TensorAt<float>(kSrc0At), TensorAt<float>(kSrc1At),
                    SELMODE::VSEL_TENSOR_TENSOR_MODE, 64, 4, kBinary);
  });
  Expect<float>("Select, mode 2, first repeat", kDstAt, kTwoTensors, 64);
  Expect<float>(
      "Select, mode 2, second repeat", kDstAt + 256,
      "79.6631 66.8743 52.7964 -0.932984 -67.0339 -68.1249 85.895 25.4119", 8);
}

TEST(Documented, SelectOfTensorAndScalar) {
  PutSelected();
  Bench::Get().Run([] {
    AscendC::Select(TensorAt<float>(kDstAt), TensorAt<uint8_t>(kSrc2At),
                    TensorAt<float>(kSrc0At), 0.0f,
                    SELMODE::VSEL_TENSOR_SCALAR_MODE, 256);
  });
  Expect<float>("Select, mode 1, first repeat", kDstAt,
                "0 0 -50.6124 -72.3737 -33.7107 -83.4001 0 0 0 0 0 0 0 "
                "-53.1848 0 0 0 6.53722 0 37.6655 0 0 0 0 ...",
                64);
  Expect<float>("Select, mode 1, second repeat", kDstAt + 256,
                "79.6631 66.8743 0 0 -67.0339 0 0 0", 8);
}

// Every repeat is selected by the first 64 bits.
TEST(Documented, SelectByTheRegister) {
  PutSelected();
  const auto select = [](const auto&... lanes) {
    AscendC::Select(TensorAt<float>(kDstAt), TensorAt<uint8_t>(kSrc2At),
                    TensorAt<float>(kSrc0At), TensorAt<float>(kSrc1At),
                    SELMODE::VSEL_CMPMASK_SPR, lanes...);
  };
  const auto expect = [](const std::string& form) {
    Expect<float>("Select, mode 0, " + form, kDstAt, kTwoTensors, 64);
    Expect<float>("Select, mode 0, second repeat, " + form, kDstAt + 256,
                  "-74.3328 77.2781 18.1016 -27.7082 -67.0339 -11.9576 85.895 "
                  "25.4119",
                  8);
  };
  Bench::Get().Run([&] { select(256); });
  expect("first n elements");
  Bench::Get().Run([&] { select(uint64_t{64}, 4, kBinary); });
  expect("mask as a number");
  constexpr uint64_t kBits[2] = {~uint64_t{0}, 0};
  Bench::Get().Run([&] { select(kBits, 4, kBinary); });
  expect("mask as bits");
}

}  // namespace
}  // namespace belay::sweep::documented_compare
