// SPDX-License-Identifier: Apache-2.0
// The data cache against a naive model: two caches over one memory see each
// other's stores exactly when lines are written back and dropped.

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <random>

#include "npu/data_cache.h"

namespace belay::npu {
namespace {

constexpr uint64_t kBytes = 1 << 14;

class DataCacheTest : public ::testing::Test {
 protected:
  DataCacheTest() { std::memset(memory_, 0, kBytes); }

  template <typename T>
  static T Read(DataCache& cache, const void* place) {
    T value;
    std::memcpy(&value,
                cache.Load(reinterpret_cast<uint64_t>(place), sizeof(T)),
                sizeof(T));
    return value;
  }
  template <typename T>
  static void Write(DataCache& cache, void* place, T value) {
    std::memcpy(cache.Store(reinterpret_cast<uint64_t>(place), sizeof(T)),
                &value, sizeof(T));
  }
  uint64_t Address(uint64_t offset) const {
    return reinterpret_cast<uint64_t>(memory_ + offset);
  }

  alignas(64) unsigned char memory_[kBytes];
};

TEST_F(DataCacheTest, StoresStayInsideUntilCleaned) {
  DataCache a(32768, 4);
  DataCache b(32768, 4);
  Write<int>(a, memory_ + 8, 7);
  EXPECT_EQ(Read<int>(a, memory_ + 8), 7);
  EXPECT_EQ(Read<int>(b, memory_ + 8), 0);
  EXPECT_EQ(memory_[8], 0);
  a.CleanAndInvalidate(Address(8));
  EXPECT_EQ(memory_[8], 7);
  EXPECT_EQ(Read<int>(b, memory_ + 8), 0);  // stale
  b.CleanAndInvalidate(Address(8));
  EXPECT_EQ(Read<int>(b, memory_ + 8), 7);
}

TEST_F(DataCacheTest, TwoCoresInOneLineLoseData) {
  DataCache a(32768, 4);
  DataCache b(32768, 4);
  Write<int>(a, memory_, 1);
  Write<int>(b, memory_ + 4, 2);
  a.CleanAndInvalidateAll();
  b.CleanAndInvalidateAll();
  int words[2];
  std::memcpy(words, memory_, sizeof words);
  EXPECT_EQ(words[0], 0);  // b's whole line went over it
  EXPECT_EQ(words[1], 2);
}

TEST_F(DataCacheTest, EvictionWritesBack) {
  DataCache cache(1024, 2);  // 8 sets of 2 lines
  for (uint64_t line = 0; line < 3; ++line) {
    Write<int>(cache, memory_ + line * 512, 5);  // all in one set
  }
  EXPECT_EQ(memory_[0], 5);  // the oldest had to go
  EXPECT_EQ(memory_[512], 0);
  EXPECT_EQ(memory_[1024], 0);
}

TEST_F(DataCacheTest, RandomAccessesAgreeWithTheModel) {
  uint64_t seed = 7;
  if (const char* text = std::getenv("BELAY_SEED")) seed = std::atoll(text);
  std::cout << "BELAY_SEED=" << seed << "\n";
  std::mt19937_64 random(seed);
  // Large enough that nothing is evicted: the model then is a map of lines.
  DataCache cache(kBytes * 2, 4);
  std::map<uint64_t, std::vector<unsigned char>> lines;
  std::vector<unsigned char> model(memory_, memory_ + kBytes);
  const auto line_of = [&](uint64_t offset) -> std::vector<unsigned char>& {
    auto& line = lines[offset / 64];
    if (line.empty()) {
      line.assign(&model[offset / 64 * 64], &model[offset / 64 * 64] + 64);
    }
    return line;
  };
  for (int step = 0; step < 20000; ++step) {
    const uint64_t bytes = 1 + random() % 100;
    const uint64_t offset = random() % (kBytes - bytes);
    switch (random() % 4) {
      case 0: {
        const auto* data = static_cast<const unsigned char*>(
            cache.Load(Address(offset), bytes));
        for (uint64_t i = 0; i < bytes; ++i) {
          ASSERT_EQ(data[i], line_of(offset + i)[(offset + i) % 64])
              << "step " << step;
        }
        break;
      }
      case 1: {
        auto* data =
            static_cast<unsigned char*>(cache.Store(Address(offset), bytes));
        for (uint64_t i = 0; i < bytes; ++i) {
          data[i] = static_cast<unsigned char>(random());
          line_of(offset + i)[(offset + i) % 64] = data[i];
        }
        break;
      }
      case 2: {
        cache.CleanAndInvalidate(Address(offset));
        // A line only read was not dirty, but its bytes are memory's too.
        if (const auto it = lines.find(offset / 64); it != lines.end()) {
          std::copy(it->second.begin(), it->second.end(),
                    &model[offset / 64 * 64]);
          lines.erase(it);
        }
        break;
      }
      default: {
        // Somebody else writes memory, in lines the cache does not hold.
        if (lines.count(offset / 64) != 0) break;
        memory_[offset] = model[offset] = static_cast<unsigned char>(random());
      }
    }
  }
  cache.CleanAndInvalidateAll();
  for (const auto& [line, data] : lines) {
    std::copy(data.begin(), data.end(), &model[line * 64]);
  }
  EXPECT_EQ(std::memcmp(memory_, model.data(), kBytes), 0);
}

}  // namespace
}  // namespace belay::npu
