// SPDX-License-Identifier: Apache-2.0
// The numbers printed on the pages of reductions.

#include <cstring>

#include "documented.h"
#include "naive_numbers.h"

namespace belay::sweep::documented_reduce {
namespace {

using AscendC::ReduceOrder;
using AscendC::ReduceType;

// One number into an array of halfs.
void PutOne(uint32_t index, const char* text) {
  Put<half>(kSrc0At + 2 * index, text, 1);
}

template <ReduceType type, typename Mask>
void ReduceBlocks(const Mask& mask) {
  AscendC::ReduceDataBlock<type, half>(
      TensorAt<half>(kDstAt), TensorAt<half>(kSrc0At), mask, 1, 1, 1, 8);
}

TEST(Documented, ReduceDataBlockMax) {
  Put<half>(kSrc0At, "1 1 ... 1", 128);
  PutOne(10, "2");
  PutOne(29, "3");
  PutOne(115, "4");
  Bench::Get().Run([] { ReduceBlocks<ReduceType::MAX>(128); });
  Expect<half>("ReduceDataBlock<MAX>, mask as a number", kDstAt, "2 3 ... 4",
               8);
  Bench::Get().Run([] { ReduceBlocks<ReduceType::MAX>(kAllLanes); });
  Expect<half>("ReduceDataBlock<MAX>, mask as bits", kDstAt, "2 3 ... 4", 8);
}

TEST(Documented, ReduceDataBlockMin) {
  Put<half>(kSrc0At, "10 10 ... 10", 128);
  PutOne(11, "2");
  PutOne(29, "-3");
  PutOne(121, "4");
  Bench::Get().Run([] { ReduceBlocks<ReduceType::MIN>(kAllLanes); });
  Expect<half>("ReduceDataBlock<MIN>, mask as bits", kDstAt, "2 -3 ... 4", 8);
}

TEST(Documented, ReduceDataBlockSum) {
  Put<half>(kSrc0At, "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 2 ... 2", 128);
  Put<half>(kSrc0At + 224, "3 3 ... 3", 16);
  Bench::Get().Run([] { ReduceBlocks<ReduceType::SUM>(kAllLanes); });
  Expect<half>("ReduceDataBlock<SUM>, mask as bits", kDstAt, "16 32 ... 48", 8);
}

TEST(Documented, ReducePairElem) {
  Put<half>(kSrc0At, "1 1 1 -1 2 2 -1 2 3 3 3 -1 4 4 -2 4 ...", 128);
  const auto reduce = [](const auto& mask) {
    AscendC::ReducePairElem<ReduceType::SUM, half>(
        TensorAt<half>(kDstAt), TensorAt<half>(kSrc0At), mask, 1, 1, 1, 8);
  };
  constexpr const char* kResult = "2 0 4 1 6 2 8 2 ...";
  Bench::Get().Run([&] { reduce(128); });
  Expect<half>("ReducePairElem, mask as a number", kDstAt, kResult, 64);
  Bench::Get().Run([&] { reduce(kAllLanes); });
  Expect<half>("ReducePairElem, mask as bits", kDstAt, kResult, 64);
}

// Four repeats with their extremes at 52, 100, somewhere, and 19. The page
// prints the bits of an index as a half: 52 is 3.09944e-06.
struct Order {
  const char* name;
  ReduceOrder order;
  const char* maxima;
  const char* minima;
};
constexpr Order kOrders[] = {
    {"ORDER_VALUE_INDEX", ReduceOrder::ORDER_VALUE_INDEX,
     "11 3.09944e-06 12 5.96046e-06 ... 13 1.13249e-06",
     "1 3.09944e-06 2 5.96046e-06 ... 3 1.13249e-06"},
    {"ORDER_INDEX_VALUE", ReduceOrder::ORDER_INDEX_VALUE,
     "3.09944e-06 11 5.96046e-06 12 ... 1.13249e-06 13",
     "3.09944e-06 1 5.96046e-06 2 ... 1.13249e-06 3"},
    {"ORDER_ONLY_VALUE", ReduceOrder::ORDER_ONLY_VALUE, "11 12 ... 13",
     "1 2 ... 3"},
    {"ORDER_ONLY_INDEX", ReduceOrder::ORDER_ONLY_INDEX,
     "3.09944e-06 0 5.96046e-06 0 ... 1.13249e-06 0",
     "3.09944e-06 0 5.96046e-06 0 ... 1.13249e-06 0"},
};

uint32_t ResultsOf(ReduceOrder order) {
  return order == ReduceOrder::ORDER_ONLY_VALUE ? 4 : 8;
}

TEST(Documented, ReduceRepeatMax) {
  Put<half>(kSrc0At, "1 1 ... 1", 128);
  Put<half>(kSrc0At + 256, "2 2 ... 2", 256);
  Put<half>(kSrc0At + 768, "3 3 ... 3", 128);
  PutOne(52, "11");
  PutOne(128 + 100, "12");
  PutOne(384 + 19, "13");
  for (const Order& order : kOrders) {
    const auto reduce = [&](const auto& mask) {
      AscendC::ReduceRepeat<ReduceType::MAX, half>(
          TensorAt<half>(kDstAt), TensorAt<half>(kSrc0At), mask, 4, 1, 1, 8,
          order.order);
    };
    const std::string example = std::string("ReduceRepeat<MAX>, ") + order.name;
    Bench::Get().Run([&] { reduce(128); });
    Expect<half>(example + ", mask as a number", kDstAt, order.maxima,
                 ResultsOf(order.order));
    Bench::Get().Run([&] { reduce(kAllLanes); });
    Expect<half>(example + ", mask as bits", kDstAt, order.maxima,
                 ResultsOf(order.order));
  }
}

TEST(Documented, ReduceRepeatMin) {
  Put<half>(kSrc0At, "10 10 ... 10", 128);
  Put<half>(kSrc0At + 256, "20 20 ... 20", 256);
  Put<half>(kSrc0At + 768, "30 30 ... 30", 128);
  PutOne(52, "1");
  PutOne(128 + 100, "2");
  PutOne(384 + 19, "3");
  for (const Order& order : kOrders) {
    Bench::Get().Run([&] {
      AscendC::ReduceRepeat<ReduceType::MIN, half>(
          TensorAt<half>(kDstAt), TensorAt<half>(kSrc0At), kAllLanes, 4, 1, 1,
          8, order.order);
    });
    Expect<half>(std::string("ReduceRepeat<MIN>, ") + order.name, kDstAt,
                 order.minima, ResultsOf(order.order));
  }
}

// The pages leave out most of the random numbers: here those they print stand
// first, the printed extreme where the printed index says, and beside them
// numbers that are not extreme.
struct Extreme {
  const char* name;
  const char* numbers;
  const char* filler;
  const char* value;
  uint32_t count;
  uint32_t index;
  const char* result;
};

template <typename F>
void ExpectExtreme(const Extreme& extreme, F reduce) {
  Put<half>(kSrc0At, extreme.filler, extreme.count);
  Put<half>(kSrc0At, extreme.numbers, 19);
  PutOne(extreme.index, extreme.value);
  Bench::Get().Run(reduce);
  Expect<half>(extreme.name, kDstAt, extreme.result, 2);
  uint16_t index;
  std::memcpy(&index, Bench::Get().ub_after() + kDstAt + 2, 2);
  EXPECT_EQ(index, extreme.index) << extreme.name;
}

TEST(Documented, ReduceMax) {
  ExpectExtreme(
      {"ReduceMax, mask as a number",
       "0.4795 0.951 0.866 0.008545 0.8037 0.551 0.754 0.73 0.6035 0.251 "
       "0.4841 0.05914 0.9414 0.379 0.664 0.6914 0.9307 0.3853 0.4048",
       "0.4 0.4 ... 0.4106 0.604", "0.9985", 512, 114, "0.9985 6.8e-06"},
      [] {
        AscendC::ReduceMax<half>(TensorAt<half>(kDstAt),
                                 TensorAt<half>(kSrc0At),
                                 TensorAt<half>(kSrc1At), 128, 4, 8, true);
      });
  ExpectExtreme(
      {"ReduceMax, first n elements",
       "0.4778 0.5903 0.2433 0.698 0.1943 0.407 0.891 0.1766 0.5977 0.9473 "
       "0.6523 0.10913 0.0143 0.86 0.2366 0.625 0.3696 0.708 0.946",
       "0.4 0.4 ... 0.262", "0.999", 288, 232, "0.999 1.38e-05"},
      [] {
        AscendC::ReduceMax<half>(TensorAt<half>(kDstAt),
                                 TensorAt<half>(kSrc0At),
                                 TensorAt<half>(kSrc1At), 288, true);
      });
}

TEST(Documented, ReduceMin) {
  ExpectExtreme(
      {"ReduceMin, mask as a number",
       "0.769 0.8584 0.1082 0.2715 0.1759 0.7646 0.6406 0.2944 0.4255 0.927 "
       "0.8022 0.04507 0.9688 0.919 0.3008 0.7144 0.3206 0.6753 0.8276",
       "0.4 0.4 ... 0.304", "0.01034", 512, 353, "0.01034 2.104e-05"},
      [] {
        AscendC::ReduceMin<half>(TensorAt<half>(kDstAt),
                                 TensorAt<half>(kSrc0At),
                                 TensorAt<half>(kSrc1At), 128, 4, 8, true);
      });
  ExpectExtreme(
      {"ReduceMin, first n elements",
       "0.556 0.5225 0.3623 0.214 0.556 0.0643 0.769 0.594 0.261 0.3652 0.911 "
       "0.924 0.386 0.3696 0.2296 0.5957 0.1709 0.79 0.8516",
       "0.4 0.4 ... 0.2242", "0.00393", 288, 72, "0.00393 4.3e-06"},
      [] {
        AscendC::ReduceMin<half>(TensorAt<half>(kDstAt),
                                 TensorAt<half>(kSrc0At),
                                 TensorAt<half>(kSrc1At), 288, true);
      });
}

TEST(Documented, ReduceSum) {
  Put<half>(kSrc0At, "1. 1. 1. ... 1. 1. 1.", 8320);
  const auto reduce = [](const auto&... lanes) {
    AscendC::ReduceSum<half>(TensorAt<half>(kDstAt), TensorAt<half>(kSrc0At),
                             TensorAt<half>(kSrc1At), lanes...);
  };
  Put<half>(kDstAt, "0 0 ... 0", 16);
  Bench::Get().Run([&] { reduce(128, 65, 8); });
  Expect<half>("ReduceSum, mask as a number", kDstAt,
               "8320. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0.", 16);
  Bench::Get().Run([&] { reduce(288); });
  Expect<half>("ReduceSum, first n elements", kDstAt,
               "288. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0. 0.", 16);
}

}  // namespace
}  // namespace belay::sweep::documented_reduce
