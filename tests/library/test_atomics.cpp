// SPDX-License-Identifier: Apache-2.0
// Host code under -fsanitize=thread with libbelay's call-backs: atomics do what
// they should, on several threads too.

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace {

template <typename T>
class Atomics : public ::testing::Test {};
using Types = ::testing::Types<uint8_t, uint16_t, int32_t, uint64_t>;
TYPED_TEST_SUITE(Atomics, Types);

TYPED_TEST(Atomics, DoWhatTheirNamesSay) {
  std::atomic<TypeParam> value{5};
  EXPECT_EQ(value.load(), 5);
  value.store(6);
  EXPECT_EQ(value.exchange(12), 6);
  EXPECT_EQ(value.fetch_add(3), 12);
  EXPECT_EQ(value.fetch_sub(1), 15);
  EXPECT_EQ(value.fetch_and(0xC), 14);
  EXPECT_EQ(value.fetch_or(3), 12);
  EXPECT_EQ(value.fetch_xor(1), 15);
  TypeParam expected = 1;
  EXPECT_FALSE(value.compare_exchange_strong(expected, 2));
  EXPECT_EQ(expected, 14);
  EXPECT_TRUE(value.compare_exchange_strong(expected, 2));
  while (!value.compare_exchange_weak(expected, 9)) {
  }
  TypeParam plain = 6;
  EXPECT_EQ(__atomic_fetch_nand(&plain, TypeParam{3}, __ATOMIC_SEQ_CST), 6);
  EXPECT_EQ(plain, static_cast<TypeParam>(~(6 & 3)));
  EXPECT_EQ(value.load(std::memory_order_acquire), 9);
}

TEST(Atomics, AreAtomic) {
  std::atomic<int> count{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&count] {
      for (int j = 0; j < 10000; ++j) count.fetch_add(1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, 40000);
}

struct Animal {
  virtual ~Animal() = default;
  virtual int Legs() const = 0;
};
struct Bird final : Animal {
  int Legs() const override { return 2; }
};

TEST(HostCode, VirtualCallsAndStaticsWork) {
  static const std::vector<int> kLegs = {2, 4};
  const std::unique_ptr<Animal> bird = std::make_unique<Bird>();
  EXPECT_EQ(bird->Legs(), kLegs[0]);
}

}  // namespace
