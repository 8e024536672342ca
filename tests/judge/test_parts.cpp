// SPDX-License-Identifier: Apache-2.0
// Tests cases too large to be run in full: rows over and over, blocks alone.

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "judge/part_check.h"
#include "judge/performance.h"
#include "judge/row_period.h"
#include "judging.h"
#include "npu/repeated_pages.h"

namespace belay::judge::test_parts {
namespace {

constexpr char kChip[] = "ascend910b1";
constexpr uint64_t kSecret = 17;

// The real case of the task with so many elements or more, the smallest.
bench::Case LargeCase(const bench::Task& task, int64_t elements) {
  std::optional<bench::Case> found;
  for (const bench::Case& one : bench::ExpandCases(task)) {
    const int64_t own = bench::ElementsOf(task, one);
    if (one.kind != bench::CaseKind::kReal || own < elements) continue;
    if (!found || own < bench::ElementsOf(task, *found)) found = one;
  }
  if (!found) throw std::runtime_error("no such case");
  return *found;
}

CaseTime MeasureCrux(const bench::Task& task, const bench::Case& one_case,
                     const Candidate& candidate) {
  guest::Broker& broker = testing::TheBroker();
  const auto session = OpenCruxSession(task, candidate, {}, broker);
  const auto runner = bench::MakeReferenceRunner(task);
  Baselines baselines;
  std::vector<Diagnostic> diagnostics;
  return MeasureCase(task, one_case, *session, *runner, baselines, kChip,
                     kSecret, diagnostics, nullptr);
}

TEST(RepeatedPages, ShowThePatternOverAndOver) {
  constexpr uint64_t kPage = npu::kRepeatedPageBytes;
  std::vector<std::byte> bytes(3 * kPage);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i % 251);
  const npu::SharedPattern pattern(bytes.data(), bytes.size());
  constexpr uint64_t kBytes = 8 * kPage - 100;
  void* const room = mmap(nullptr, 8 * kPage, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(room, MAP_FAILED);
  const auto address = reinterpret_cast<uint64_t>(room);
  ASSERT_TRUE(
      npu::MapRepeated(address, kBytes, pattern.data(), pattern.bytes()));
  const auto* seen = static_cast<const std::byte*>(room);
  for (uint64_t i = 0; i < kBytes; ++i) {
    ASSERT_EQ(seen[i], bytes[i % bytes.size()]) << i;
  }
  npu::UnmapRepeated(address, kBytes);
  EXPECT_EQ(seen[5], std::byte(0));
  // A pattern that is no whole number of pages cannot be shown.
  EXPECT_FALSE(npu::MapRepeated(address, kBytes, pattern.data(), 100));
  munmap(room, 8 * kPage);
}

TEST(RowPeriod, FindsRowsThatAreApart) {
  std::string why;
  const std::pair<const char*, bool> kTasks[] = {
      {"multikernelbench/activation/softmax", true},
      {"multikernelbench/activation/tanh", true},
      {"multikernelbench/normalization/l1_norm", true},
      {"level2/Norm/RmsNorm", true},
      {"multikernelbench/normalization/batch_norm", false},
      {"multikernelbench/loss/mse_loss", false}};
  for (const auto& [name, apart] : kTasks) {
    const bench::Task& task = testing::TaskOf(name);
    const bench::Case one = LargeCase(task, int64_t{1} << 24);
    const auto runner = bench::MakeReferenceRunner(task);
    const auto period = FindRowPeriod(task, one, *runner, &why);
    EXPECT_EQ(period.has_value(), apart) << name << ": " << why;
    if (!period) continue;
    EXPECT_LE(2 * period->period, period->rows) << name;
    // Tiles of a power of two do not fall on the same elements for ever.
    const int64_t elements =
        ElementCount(period->truth.inputs[0].tensors[0].shape);
    EXPECT_NE(elements & (elements - 1), 0) << name;
    const RepeatedInputs repeated = RepeatRows(task, one, *period);
    for (const InputPattern& pattern : repeated.patterns) {
      EXPECT_EQ(pattern.bytes.size() % npu::kRepeatedPageBytes, 0u) << name;
      const size_t rows =
          period->truth.inputs[pattern.input].tensors[0].data.size();
      EXPECT_EQ(pattern.bytes.size() % rows, 0u) << name;
    }
  }
}

TEST(Parts, BlocksBeyondTwoToTheThirtyTwoAreChecked) {
  const bench::Task& task = testing::TaskOf("multikernelbench/activation/tanh");
  const bench::Case one = LargeCase(task, int64_t{1} << 31);
  const CaseTime time =
      MeasureCrux(task, one, testing::CruxCandidate(testing::AnswerOf(task)));
  EXPECT_EQ(time.outcome, Outcome::kPassed) << time.reason;
  EXPECT_TRUE(time.covered);
  ASSERT_EQ(time.parts.size(), 5u);
  EXPECT_EQ(time.parts.front(), "block 0");
  EXPECT_EQ(time.parts.back(), "block 47");
  const auto with = [&](const std::string& text) {
    return std::ranges::count_if(time.parts, [&](const std::string& part) {
      return part.find(text) != std::string::npos;
    });
  };
  EXPECT_EQ(with("byte 2147483648 of output 'y'"), 1);
  EXPECT_EQ(with("byte 4294967296 of output 'y'"), 1);
  EXPECT_EQ(with(", by chance"), 1);
}

// Right up to element 2^30, at byte 2^32, and wrong from there on.
TEST(Parts, AFaultBeyondTwoToTheThirtyTwoBytesIsFound) {
  const bench::Task& task = testing::TaskOf("multikernelbench/activation/tanh");
  const bench::Case one = LargeCase(task, int64_t{1} << 31);
  const CaseTime time = MeasureCrux(task, one, testing::CruxCandidate(R"(
@kernel
def tanh_of_all(x: f32[*S], y: out(f32[*S])):
    for c in cores(x.size, tile=auto):
        t = load(x.flat[c])
        store(y.flat[c], tanh(t) + c.start // 1073741824)
)"));
  EXPECT_EQ(time.outcome, Outcome::kWrong) << time.reason;
  EXPECT_NE(time.reason.find("block 31, rows"), std::string::npos)
      << time.reason;
}

TEST(Parts, RowsThatDependOnEachOtherAreNotChecked) {
  const bench::Task& task = testing::TaskOf("multikernelbench/loss/mse_loss");
  const bench::Case one = LargeCase(task, int64_t{1} << 24);
  const auto runner = bench::MakeReferenceRunner(task);
  const Candidate candidate = testing::CruxCandidate(testing::AnswerOf(task));
  const auto session =
      OpenCruxSession(task, candidate, {}, testing::TheBroker());
  const clock::LaunchLog log;
  const PartCheck check =
      CheckParts(task, one, *session, *runner, {log}, kSecret);
  EXPECT_EQ(check.outcome, Outcome::kPassed);
  ASSERT_EQ(check.parts.size(), 1u);
  EXPECT_TRUE(check.parts[0].starts_with("not checked by blocks: "));
}

}  // namespace
}  // namespace belay::judge::test_parts
