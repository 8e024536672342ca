// SPDX-License-Identifier: Apache-2.0
// The numbers printed on the pages of filling, gathering, transposing, and
// moving to and from global memory.

#include <cstring>
#include <numeric>

#include "documented.h"
#include "global_bench.h"

namespace belay::sweep::documented_move {
namespace {

TEST(Documented, Brcb) {
  Put<half>(kSrc0At, "1 2 3 ... 16", 16);
  Bench::Get().Run([] {
    AscendC::Brcb(TensorAt<half>(kDstAt), TensorAt<half>(kSrc0At), 2,
                  AscendC::BrcbRepeatParams(1, 8));
  });
  Expect<half>("Brcb", kDstAt,
               "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 "
               "2 ... 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 15 16 16 16 "
               "16 16 16 16 16 16 16 16 16 16 16 16 16",
               256);
}

TEST(Documented, CreateVecIndex) {
  const auto create = [](const auto&... lanes) {
    AscendC::CreateVecIndex(TensorAt<int16_t>(kDstAt), int16_t{0}, lanes...);
  };
  constexpr const char* kResult = "0 1 2 ... 127";
  Bench::Get().Run([&] { create(uint64_t{128}, 1, 1, 8); });
  Expect<int16_t>("CreateVecIndex, mask as a number", kDstAt, kResult, 128);
  Bench::Get().Run([&] { create(kAllLanes, 1, 1, 8); });
  Expect<int16_t>("CreateVecIndex, mask as bits", kDstAt, kResult, 128);
  Bench::Get().Run([&] { create(128u); });
  Expect<int16_t>("CreateVecIndex, first n elements", kDstAt, kResult, 128);
}

TEST(Documented, Duplicate) {
  const auto duplicate = [](const auto&... lanes) {
    AscendC::Duplicate(TensorAt<half>(kDstAt), half(18.0f), lanes...);
  };
  constexpr const char* kResult = "18.0 18.0 18.0 ... 18.0 18.0";
  Bench::Get().Run([&] { duplicate(uint64_t{128}, 2, 1, 8); });
  Expect<half>("Duplicate, mask as a number", kDstAt, kResult, 256);
  Bench::Get().Run([&] { duplicate(kAllLanes, 2, 1, 8); });
  Expect<half>("Duplicate, mask as bits", kDstAt, kResult, 256);
  Bench::Get().Run([&] { duplicate(256); });
  Expect<half>("Duplicate, first n elements", kDstAt, kResult, 256);
}

// The page's offsets reverse 128 numbers; what follows repeats them.
TEST(Documented, Gather) {
  Put<half>(kSrc0At, "0 1 2 ... 125 126 127", 128);
  for (uint32_t i = 0; i < 512; ++i) {
    const uint32_t offset = 254 - i % 128 * 2;
    std::memcpy(Bench::Get().image() + kSrc1At + 4 * i, &offset, 4);
  }
  const auto gather = [](const auto&... lanes) {
    AscendC::Gather(TensorAt<half>(kDstAt), TensorAt<half>(kSrc0At),
                    TensorAt<uint32_t>(kSrc1At), uint32_t{0}, lanes...);
  };
  constexpr const char* kResult = "127 126 125 ... 2 1 0";
  Bench::Get().Run([&] { gather(uint64_t{128}, 4, 8); });
  Expect<half>("Gather, mask as a number", kDstAt, kResult, 128);
  Bench::Get().Run([&] { gather(kAllLanes, 4, 8); });
  Expect<half>("Gather, mask as bits", kDstAt, kResult, 128);
  Bench::Get().Run([&] { gather(512u); });
  Expect<half>("Gather, first n elements", kDstAt, kResult, 128);
}

TEST(Documented, Gatherb) {
  Put<uint16_t>(kSrc0At, "0 1 2 3 4 5 6 7 ... 126 127", 128);
  Put<uint32_t>(kSrc1At, "224 192 160 128 96 64 32 0", 8);
  Bench::Get().Run([] {
    AscendC::Gatherb<uint16_t>(
        TensorAt<uint16_t>(kDstAt), TensorAt<uint16_t>(kSrc0At),
        TensorAt<uint32_t>(kSrc1At), 1, AscendC::GatherRepeatParams(1, 8));
  });
  Expect<uint16_t>(
      "Gatherb", kDstAt,
      "112 113 114 115 116 117 118 119 120 121 122 123 124 125 126 127 96 97 "
      "98 99 100 101 102 103 104 105 106 107 108 109 110 111 ... 0 1 2 3 4 5 6 "
      "7 8 9 10 11 12 13 14 15",
      128);
}

// The page gathers in place.
TEST(Documented, GatherMask) {
  Put<uint32_t>(kDstAt, "1 2 3 ... 256", 256);
  uint64_t kept = 0;
  Bench::Get().Run([&] {
    AscendC::GatherMaskParams params;
    params.src0BlockStride = 1;
    params.repeatTimes = 4;
    params.src0RepeatStride = 8;
    params.src1RepeatStride = 0;
    AscendC::GatherMask(TensorAt<uint32_t>(kDstAt), TensorAt<uint32_t>(kDstAt),
                        uint8_t{2}, false, 0, params, kept);
  });
  Expect<uint32_t>("GatherMask, pattern 2", kDstAt,
                   "2 4 6 8 10 12 14 16 18 20 22 24 ... 250 252 254 256", 128);
  EXPECT_EQ(kept, 128u);
}

constexpr const char* kTransposed =
    "0. 16. 32. 48. 64. 80. 96. 112. 128. 144. 160. 176. 192. 208. 224. 240. "
    "1. 17. 33. 49. 65. 81. 97. 113. 129. 145. 161. 177. 193. 209. 225. 241. "
    "... 15. 31. 47. 63. 79. 95. 111. 127. 143. 159. 175. 191. 207. 223. 239. "
    "255.";

TEST(Documented, Transpose) {
  Put<half>(kSrc0At, "0. 1. 2. ... 255.", 256);
  Bench::Get().Run([] {
    AscendC::Transpose<half>(TensorAt<half>(kDstAt), TensorAt<half>(kSrc0At));
  });
  Expect<half>("Transpose", kDstAt, kTransposed, 256);
}

// Sixteen rows of one block each, one behind the other.
template <typename T>
void TransposeRows(bool high_halves) {
  AscendC::LocalTensor<T> dst[16];
  AscendC::LocalTensor<T> src[16];
  for (uint32_t row = 0; row < 16; ++row) {
    dst[row] = TensorAt<T>(kDstAt + 32 * row);
    src[row] = TensorAt<T>(kSrc0At + 32 * row);
  }
  AscendC::TransDataTo5HDParams params;
  params.dstHighHalf = high_halves;
  params.srcHighHalf = high_halves;
  params.repeatTimes = 1;
  AscendC::TransDataTo5HD<T>(dst, src, params);
}

TEST(Documented, TransDataTo5HD) {
  Put<half>(kSrc0At, "0. 1. 2. ... 255.", 256);
  Bench::Get().Run([] { TransposeRows<half>(false); });
  Expect<half>("TransDataTo5HD, half", kDstAt, kTransposed, 256);

  Put<int32_t>(kSrc0At, "0 1 2 ... 127", 128);
  Bench::Get().Run([] { TransposeRows<int32_t>(false); });
  Expect<int32_t>("TransDataTo5HD, int32_t", kDstAt,
                  "0 8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 1 9 17 25 "
                  "33 41 49 57 65 73 81 89 97 105 113 121 ... 6 14 22 30 38 46 "
                  "54 62 70 78 86 94 102 110 118 126 7 15 23 31 39 47 55 63 71 "
                  "79 87 95 103 111 119 127",
                  128);

  for (uint32_t block = 0; block < 4; ++block) {
    Put<int8_t>(kSrc0At + 128 * block, "0 1 2 ... 127", 128);
  }
  std::memset(Bench::Get().image() + kDstAt, 0, 512);
  Bench::Get().Run([] { TransposeRows<int8_t>(true); });
  Expect<int8_t>(
      "TransDataTo5HD, int8_t", kDstAt,
      "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 16 48 80 112 16 48 80 112 16 48 80 112 "
      "16 48 80 112 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 49 81 113 17 49 81 113 "
      "17 49 81 113 17 49 81 113 ... 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 31 63 95 "
      "127 31 63 95 127 31 63 95 127 31 63 95 127",
      512);
}

// --- moving ------------------------------------------------------------------

// Numbers in global memory, as the pages print them.
std::vector<half> Halves(uint32_t count) {
  std::vector<half> numbers(count);
  for (uint32_t i = 0; i < count; ++i) {
    numbers[i] = half(static_cast<float>(i + 1));
  }
  return numbers;
}

AscendC::DataCopyParams OneBlock(uint32_t bytes) {
  AscendC::DataCopyParams params;
  params.blockCount = 1;
  params.blockLen = bytes / 32;
  params.srcGap = 0;
  params.dstGap = 0;
  return params;
}

constexpr const char* kCounted = "1 2 3 ... 512";

TEST(Documented, DataCopyIn) {
  GlobalBench bench;
  const std::vector<half> numbers = Halves(512);
  std::memcpy(bench.global(), numbers.data(), 1024);
  Bench::Get().Run([&] {
    AscendC::DataCopy(TensorAt<half>(kDstAt), bench.Tensor<half>(), 512);
  });
  Expect<half>("DataCopy GM to UB, count", kDstAt, kCounted, 512);
  Bench::Get().Run([&] {
    AscendC::DataCopy(TensorAt<half>(kDstAt), bench.Tensor<half>(),
                      OneBlock(1024));
  });
  Expect<half>("DataCopy GM to UB, DataCopyParams", kDstAt, kCounted, 512);
}

// Out and in again: what comes back is what lies in global memory.
TEST(Documented, DataCopyOut) {
  GlobalBench bench;
  Put<half>(kSrc0At, kCounted, 512);
  Bench::Get().Run([&] {
    AscendC::DataCopy(bench.Tensor<half>(), TensorAt<half>(kSrc0At), 512);
    AscendC::DataCopy(TensorAt<half>(kDstAt), bench.Tensor<half>(), 512);
  });
  Expect<half>("DataCopy UB to GM, count", kDstAt, kCounted, 512);
  std::memset(bench.global(), 0, 1024);
  Bench::Get().Run([&] {
    AscendC::DataCopy(bench.Tensor<half>(), TensorAt<half>(kSrc0At),
                      OneBlock(1024));
    AscendC::DataCopy(TensorAt<half>(kDstAt), bench.Tensor<half>(), 512);
  });
  Expect<half>("DataCopy UB to GM, DataCopyParams", kDstAt, kCounted, 512);
}

TEST(Documented, DataCopyInside) {
  Put<half>(kSrc0At, kCounted, 512);
  Bench::Get().Run([] {
    AscendC::DataCopy(TensorAt<half>(kDstAt), TensorAt<half>(kSrc0At), 512);
  });
  Expect<half>("DataCopy UB to UB", kDstAt, kCounted, 512);
}

TEST(Documented, DataCopyNd2Nz) {
  GlobalBench bench;
  const std::vector<half> numbers = Halves(1024);
  std::memcpy(bench.global(), numbers.data(), 2048);
  Bench::Get().Run([&] {
    AscendC::DataCopy(TensorAt<half>(kDstAt), bench.Tensor<half>(),
                      AscendC::Nd2NzParams(1, 32, 32, 0, 32, 32, 1, 0));
  });
  const char* const kExample = "DataCopy, ND to NZ";
  Expect<half>(kExample, kDstAt,
               "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 33 34 35 36 37 38 39 40 "
               "41 42 43 44 45 46 47 48 65 66 ... 1009 1010 1011 1012 1013 "
               "1014 1015 1016 1017 1018 1019 1020 1021 1022 1023 1024",
               1024);
}

TEST(Documented, DataCopyNz2Nd) {
  GlobalBench bench;
  Put<half>(kSrc0At, "1 2 3 ... 1024", 1024);
  Bench::Get().Run([&] {
    AscendC::DataCopy(bench.Tensor<half>(), TensorAt<half>(kSrc0At),
                      AscendC::Nz2NdParamsFull(1, 32, 32, 1, 32, 32, 1));
    AscendC::DataCopy(TensorAt<half>(kDstAt), bench.Tensor<half>(), 1024);
  });
  Expect<half>("DataCopy, NZ to ND", kDstAt,
               "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 513 514 515 516 517 518 "
               "519 520 521 522 523 524 525 526 527 528 17 18 ... 497 498 499 "
               "500 501 502 503 504 505 506 507 508 509 510 511 512 1009 1010 "
               "1011 1012 1013 1014 1015 1016 1017 1018 1019 1020 1021 1022 "
               "1023 1024",
               1024);
}

// 256 ones, then 256 twos into the same place.
TEST(Documented, Atomics) {
  GlobalBench bench;
  Put<float>(kSrc0At, "1 1 ... 1", 256);
  Put<float>(kSrc1At, "2 2 ... 2", 256);
  const auto run = [&](void (*set)(), const char* name, const char* result) {
    Bench::Get().Run([&] {
      AscendC::DisableDmaAtomic();
      AscendC::DataCopy(bench.Tensor<float>(), TensorAt<float>(kSrc0At), 256);
      set();
      AscendC::DataCopy(bench.Tensor<float>(), TensorAt<float>(kSrc1At), 256);
      AscendC::DisableDmaAtomic();
      AscendC::DataCopy(TensorAt<float>(kDstAt), bench.Tensor<float>(), 256);
    });
    Expect<float>(name, kDstAt, result, 256);
  };
  run([] { AscendC::SetAtomicMax<float>(); }, "SetAtomicMax",
      "2 2 2 2 2 ... 2");
  run([] { AscendC::SetAtomicMin<float>(); }, "SetAtomicMin",
      "1 1 1 1 1 ... 1");
}

}  // namespace
}  // namespace belay::sweep::documented_move
