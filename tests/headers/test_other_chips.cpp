// SPDX-License-Identifier: Apache-2.0
// Names of other chips compile, and say what is missing when they are called.

#include "expect_operand.h"

namespace belay::header_test {
namespace {

using namespace AscendC;

class OtherChips : public Headers {
 protected:
  template <typename F>
  static std::string Missing(F f) {
    try {
      f();
    } catch (const std::string& thrown) {
      return thrown;
    }
    return "";
  }
};

TEST_F(OtherChips, CallsAreDiagnosed) {
  const auto a = InUb<half>(0);
  const auto b = InUb<uint32_t>(64);
  int32_t word = 0;
  EXPECT_EQ(Missing([&] { Interleave(a, a, a, a, 64); }),
            "not on chip: Interleave");
  EXPECT_EQ(Missing([&] { DeInterleave(a, a, a, 64); }),
            "not on chip: DeInterleave");
  EXPECT_EQ(Missing([&] { Truncate<half, RoundMode::CAST_FLOOR>(a, a, 64); }),
            "not on chip: Truncate");
  EXPECT_EQ(Missing([&] { Ands(b, b, 3u, 64); }), "not on chip: Ands");
  EXPECT_EQ(Missing([&] { Subs(a, half(1), a, 128, 1, {1, 1, 8, 8}); }),
            "not on chip: Subs");
  EXPECT_EQ(Missing([&] { Adds(a, half(1), a, 64); }),
            "not on chip: Adds with the scalar in front");
  EXPECT_EQ(Missing([&] { ShiftLeft(b, b, b, 64); }),
            "not on chip: ShiftLeft by a tensor");
  EXPECT_EQ(Missing([&] { Scatter(a, a, b, 0, 64); }), "not on chip: Scatter");
  EXPECT_EQ(Missing([&] { AtomicAdd(&word, 1); }), "not on chip: AtomicAdd");
  EXPECT_EQ(Missing([&] { AtomicCas(&word, 1, 2); }), "not on chip: AtomicCas");
  EXPECT_EQ(Missing([&] { Mutex::Lock<PIPE_V>(AllocMutexID()); }),
            "not on chip: AllocMutexID");
  EXPECT_EQ(Missing([&] { ResetCtrlSpr<48, 48>(); }),
            "not on chip: ResetCtrlSpr");
  EXPECT_EQ(Missing([&] { SetLoopModePara({}, DataCopyMVType::OUT_TO_UB); }),
            "not on chip: SetLoopModePara");
  GlobalTensor<half> global;
  EXPECT_EQ(Missing([&] { DataCopy(a, global, NdDmaParams<half, 2>{}); }),
            "not on chip: DataCopy with NdDmaParams");
  EXPECT_TRUE(Recorded().issued.empty());
}

TEST_F(OtherChips, NormalPaddingIsOnThisChip) {
  GlobalTensor<half> global;
  DataCopyPad<half, PaddingMode::Normal>(InUb<half>(0), global, {1, 2, 0, 0, 0},
                                         {});
  EXPECT_EQ(OnlyRecord().op, Op::kDataCopyPad);
  EXPECT_EQ(Missing([&] {
              DataCopyPad<half, PaddingMode::Compact>(
                  global, InUb<half>(0), DataCopyExtParams{1, 2, 0, 0, 0});
            }),
            "not on chip: DataCopyPad with PaddingMode::Compact");
}

}  // namespace
}  // namespace belay::header_test
