// SPDX-License-Identifier: Apache-2.0
// DataCopy and DataCopyPad between global memory and UB, in both directions:
// every element type and form, all bytes of both sides compared.

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "global_bench.h"
#include "kernels.h"

namespace belay::sweep::sweep_data_copy {
namespace {

using Bytes = std::vector<uint8_t>;

using AllTypes =
    Types<bool, AscendC::int4b_t, int8_t, uint8_t, int16_t, uint16_t, half,
          bfloat16_t, int32_t, uint32_t, float, int64_t, uint64_t, double>;

// A strided move in bytes, and what is put beside each block at its target.
struct Move {
  uint32_t blocks = 1;
  uint32_t length = 0;
  uint32_t from_gap = 0;
  uint32_t to_gap = 0;
};

uint32_t RoundUp(uint32_t bytes) { return (bytes + 31) / 32 * 32; }

void MoveBytes(const Move& move, const uint8_t* from, uint8_t* to) {
  for (uint32_t block = 0; block < move.blocks; ++block) {
    for (uint32_t i = 0; i < move.length; ++i) to[i] = from[i];
    from += move.length + move.from_gap;
    to += move.length + move.to_gap;
  }
}

Move DrawMove() {
  Draw& draw = Bench::Get().draw;
  Move move;
  move.blocks = static_cast<uint32_t>(draw.OneOf<uint64_t>({0, 1, 1, 3, 9}));
  move.length = 32 * static_cast<uint32_t>(1 + draw.Below(9));
  move.from_gap =
      32 * static_cast<uint32_t>(draw.OneOf<uint64_t>({0, 0, 1, 4}));
  move.to_gap = 32 * static_cast<uint32_t>(draw.OneOf<uint64_t>({0, 0, 1, 3}));
  return move;
}

AscendC::DataCopyParams BlockParams(const Move& move) {
  AscendC::DataCopyParams params;
  params.blockCount = move.blocks;
  params.blockLen = move.length / 32;
  params.srcGap = move.from_gap / 32;
  params.dstGap = move.to_gap / 32;
  return params;
}

template <typename T>
int64_t CountOf(uint32_t bytes) {
  return bytes * 8 / kBits<T>;
}

template <typename T>
void SweepIn() {
  GlobalBench bench;
  for (const bool by_count : {true, false}) {
    for (int i = 0; i < kCalls; ++i) {
      Move move = DrawMove();
      if (by_count) move = {1, move.length, 0, 0};
      MoveBytes(move, bench.global(), bench.ub_image() + kDstAt);
      bench.Check({"Movement", "DataCopy GM to UB", Type<T>::kName,
                   by_count ? "count" : "params"},
                  [&] {
                    const auto dst = TensorAt<T>(kDstAt);
                    const auto src = bench.Tensor<T>();
                    if (by_count) {
                      AscendC::DataCopy(dst, src, CountOf<T>(move.length));
                    } else {
                      AscendC::DataCopy(dst, src, BlockParams(move));
                    }
                  });
    }
  }
}

template <typename T>
void SweepOut() {
  GlobalBench bench;
  for (const bool by_count : {true, false}) {
    for (int i = 0; i < kCalls; ++i) {
      Move move = DrawMove();
      if (by_count) move = {1, move.length, 0, 0};
      MoveBytes(move, bench.ub() + kSrc0At, bench.global_image());
      bench.Check({"Movement", "DataCopy UB to GM", Type<T>::kName,
                   by_count ? "count" : "params"},
                  [&] {
                    const auto dst = bench.Tensor<T>();
                    const auto src = TensorAt<T>(kSrc0At);
                    if (by_count) {
                      AscendC::DataCopy(dst, src, CountOf<T>(move.length));
                    } else {
                      AscendC::DataCopy(dst, src, BlockParams(move));
                    }
                  });
    }
  }
}

template <typename T>
void SweepInside() {
  GlobalBench bench;
  for (const bool by_count : {true, false}) {
    for (int i = 0; i < kCalls; ++i) {
      Move move = DrawMove();
      if (by_count) move = {1, move.length, 0, 0};
      MoveBytes(move, bench.ub() + kSrc0At, bench.ub_image() + kDstAt);
      bench.Check({"Movement", "DataCopy UB to UB", Type<T>::kName,
                   by_count ? "count" : "params"},
                  [&] {
                    const auto dst = TensorAt<T>(kDstAt);
                    const auto src = TensorAt<T>(kSrc0At);
                    if (by_count) {
                      AscendC::DataCopy(dst, src, CountOf<T>(move.length));
                    } else {
                      AscendC::DataCopy(dst, src, BlockParams(move));
                    }
                  });
    }
  }
}

TEST(DataCopy, GlobalToUb) {
  ForEach(AllTypes{}, []<typename T>() { SweepIn<T>(); });
}
TEST(DataCopy, UbToGlobal) {
  ForEach(AllTypes{}, []<typename T>() { SweepOut<T>(); });
}
TEST(DataCopy, UbToUb) {
  ForEach(AllTypes{}, []<typename T>() { SweepInside<T>(); });
}

// Padding of DataCopyPad, in elements.
struct Padding {
  uint32_t left = 0;
  uint32_t right = 0;
  Bytes value;  // of one element
};

// The on-chip side of each block is rounded up to 32 bytes.
void PadBytes(const Move& move, const Padding& padding, uint32_t element,
              const uint8_t* from, uint8_t* to) {
  const uint32_t left = padding.left * element;
  const uint32_t room = RoundUp(left + move.length + padding.right * element);
  for (uint32_t block = 0; block < move.blocks; ++block) {
    Bytes value = padding.value;
    if (padding.left + padding.right == 0) value.assign(from, from + element);
    for (uint32_t i = 0; i < room; ++i) {
      if (i < left) {
        to[i] = value[i % element];
      } else if (i < left + move.length) {
        to[i] = from[i - left];
      } else {
        to[i] = value[(i - left - move.length) % element];
      }
    }
    from += move.length + move.from_gap;
    to += room + move.to_gap;
  }
}

// Blocks of any whole number of elements; the gap in global memory of any
// number of bytes.
template <typename T>
Move DrawPadMove(bool to_global) {
  Draw& draw = Bench::Get().draw;
  Move move = DrawMove();
  move.length = static_cast<uint32_t>((1 + draw.Below(60)) * sizeof(T));
  const auto bytes = static_cast<uint32_t>(draw.Below(70));
  (to_global ? move.to_gap : move.from_gap) = bytes;
  return move;
}

template <typename T>
Padding DrawPadding() {
  Draw& draw = Bench::Get().draw;
  Padding padding;
  padding.value.resize(sizeof(T));
  if (kBits<T> == 4 || draw.Chance(30)) return padding;
  padding.left = static_cast<uint32_t>(draw.Below(32 / sizeof(T) + 1));
  padding.right = static_cast<uint32_t>(draw.Below(32 / sizeof(T) + 1));
  if (sizeof(T) == 8) return padding;  // 64-bit elements pad with 0 only
  for (uint8_t& byte : padding.value) {
    byte = static_cast<uint8_t>(draw.Word());
  }
  if (std::is_same_v<T, bool>) padding.value[0] &= 1;
  return padding;
}

template <typename T, typename Params>
Params PadMoveParams(const Move& move, bool to_global) {
  Params params;
  params.blockCount = move.blocks;
  params.blockLen = move.length;
  params.srcStride = to_global ? move.from_gap / 32 : move.from_gap;
  params.dstStride = to_global ? move.to_gap : move.to_gap / 32;
  return params;
}

// How the padding value reaches the chip.
enum class PadBy { kExtParams, kParams, kRegister };

template <typename T>
void SweepPadIn(PadBy by, const char* mark) {
  GlobalBench bench;
  for (int i = 0; i < kCalls; ++i) {
    const Move move = DrawPadMove<T>(false);
    Padding padding = DrawPadding<T>();
    if (by == PadBy::kRegister && padding.left + padding.right == 0) {
      padding.right = 1;
    }
    PadBytes(move, padding, sizeof(T), bench.global(),
             bench.ub_image() + kDstAt);
    uint64_t value = 0;
    std::memcpy(&value, padding.value.data(), sizeof(T));
    bench.Check(
        {"Movement", "DataCopyPad GM to UB", Type<T>::kName, mark}, [&] {
          const auto dst = TensorAt<T>(kDstAt);
          const auto src = bench.Tensor<T>();
          if (by == PadBy::kParams) {
            AscendC::DataCopyPadParams pad;
            pad.isPad = true;
            pad.leftPadding = padding.left;
            pad.rightPadding = padding.right;
            pad.paddingValue = value;
            return AscendC::DataCopyPad(
                dst, src,
                PadMoveParams<T, AscendC::DataCopyParams>(move, false), pad);
          }
          AscendC::DataCopyPadExtParams<T> pad;
          using Value = decltype(pad.paddingValue);
          pad.isPad = by == PadBy::kExtParams;
          pad.leftPadding = padding.left;
          pad.rightPadding = padding.right;
          if (pad.isPad) {
            pad.paddingValue = ValueOf<Value>(value);
          } else {
            AscendC::SetPadValue(ValueOf<T>(value));
          }
          AscendC::DataCopyPad(
              dst, src,
              PadMoveParams<T, AscendC::DataCopyExtParams>(move, false), pad);
        });
  }
}

// Only the data of each block leaves the chip.
template <typename T>
void SweepPadOut(bool ext) {
  GlobalBench bench;
  for (int i = 0; i < kCalls; ++i) {
    const Move move = DrawPadMove<T>(true);
    Move bytes = move;
    bytes.from_gap += RoundUp(move.length) - move.length;
    MoveBytes(bytes, bench.ub() + kSrc0At, bench.global_image());
    bench.Check(
        {"Movement", "DataCopyPad UB to GM", Type<T>::kName,
         ext ? "ext params" : "params"},
        [&] {
          const auto dst = bench.Tensor<T>();
          const auto src = TensorAt<T>(kSrc0At);
          if (ext) {
            AscendC::DataCopyPad(
                dst, src,
                PadMoveParams<T, AscendC::DataCopyExtParams>(move, true));
          } else {
            AscendC::DataCopyPad(
                dst, src,
                PadMoveParams<T, AscendC::DataCopyParams>(move, true));
          }
        });
  }
}

using PaddedTypes =
    Types<bool, int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t,
          uint32_t, float, int64_t, uint64_t, double>;

TEST(DataCopyPad, GlobalToUb) {
  ForEach(AllTypes{}, []<typename T>() {
    SweepPadIn<T>(PadBy::kExtParams, "ext params");
    SweepPadIn<T>(PadBy::kParams, "params");
  });
}
TEST(DataCopyPad, SetPadValue) {
  ForEach(PaddedTypes{},
          []<typename T>() { SweepPadIn<T>(PadBy::kRegister, "SetPadValue"); });
}
TEST(DataCopyPad, UbToGlobal) {
  ForEach(AllTypes{}, []<typename T>() {
    SweepPadOut<T>(true);
    SweepPadOut<T>(false);
  });
}

// Slices of a matrix: rows and pieces of rows.
template <typename T>
void SweepSlices(bool to_global) {
  GlobalBench bench;
  Draw& draw = bench.draw();
  constexpr uint32_t kBlock = 32 / sizeof(T);
  for (int i = 0; i < kCalls; ++i) {
    const auto pieces = static_cast<uint32_t>(1 + draw.Below(3));
    const auto burst = static_cast<uint32_t>(1 + draw.Below(2));
    const uint32_t gap = kBlock * static_cast<uint32_t>(draw.Below(3));
    const auto rows = static_cast<uint32_t>(1 + draw.Below(4));
    const auto skipped_rows = static_cast<uint32_t>(draw.Below(3));
    const uint32_t start = kBlock * static_cast<uint32_t>(draw.Below(2));
    const uint32_t piece = burst * kBlock;
    const uint32_t width = start + pieces * piece + (pieces - 1) * gap + kBlock;
    // The strided matrix lies in global memory, the dense one in UB.
    const AscendC::SliceInfo strided[] = {
        {start, start + pieces * piece + (pieces - 1) * gap - 1, gap, burst,
         width},
        {1, 1 + (rows - 1) * (skipped_rows + 1), skipped_rows, 1,
         rows * (skipped_rows + 1) + 2}};
    const AscendC::SliceInfo dense[] = {
        {0, pieces * piece - 1, 0, burst, pieces * piece},
        {0, rows - 1, 0, 1, rows}};
    for (uint32_t row = 0; row < rows; ++row) {
      for (uint32_t p = 0; p < pieces; ++p) {
        const uint32_t far = ((1 + row * (skipped_rows + 1)) * width + start +
                              p * (piece + gap)) *
                             sizeof(T);
        const uint32_t near = (row * pieces + p) * piece * sizeof(T);
        if (to_global) {
          std::memcpy(bench.global_image() + far, bench.ub() + kDstAt + near,
                      piece * sizeof(T));
        } else {
          std::memcpy(bench.ub_image() + kDstAt + near, bench.global() + far,
                      piece * sizeof(T));
        }
      }
    }
    bench.Check(
        {"Movement", to_global ? "DataCopy UB to GM" : "DataCopy GM to UB",
         Type<T>::kName, "slice"},
        [&] {
          const auto local = TensorAt<T>(kDstAt);
          const auto global = bench.Tensor<T>();
          if (to_global) {
            AscendC::DataCopy(global, local, strided, dense, 2);
          } else {
            AscendC::DataCopy(local, global, dense, strided, 2);
          }
        });
  }
}

TEST(DataCopy, Slices) {
  using Sliced = Types<int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t,
                       int32_t, uint32_t, float>;
  ForEach(Sliced{}, []<typename T>() {
    SweepSlices<T>(true);
    SweepSlices<T>(false);
  });
}

// Rows to columns of 32-byte blocks; what is missing in the last one is 0.
template <typename T>
void SweepNd2Nz() {
  GlobalBench bench;
  Draw& draw = bench.draw();
  constexpr uint32_t kBlock = 32 / sizeof(T);
  for (int i = 0; i < kCalls; ++i) {
    const auto matrices = static_cast<uint32_t>(1 + draw.Below(2));
    const auto rows = static_cast<uint32_t>(1 + draw.Below(5));
    const auto columns = static_cast<uint32_t>(1 + draw.Below(3 * kBlock));
    const auto row_pitch = columns + static_cast<uint32_t>(draw.Below(9));
    const auto row_stride = static_cast<uint32_t>(1 + draw.Below(2));
    const uint32_t column_stride =
        rows * row_stride + static_cast<uint32_t>(draw.Below(3));
    const uint32_t from_matrix =
        rows * row_pitch + static_cast<uint32_t>(draw.Below(5));
    const uint32_t to_matrix = 4 * column_stride * kBlock;
    for (uint32_t m = 0; m < matrices; ++m) {
      for (uint32_t n = 0; n < rows; ++n) {
        const uint32_t padded = (columns + kBlock - 1) / kBlock * kBlock;
        for (uint32_t d = 0; d < padded; ++d) {
          uint8_t* to = bench.ub_image() + kDstAt + m * to_matrix * sizeof(T) +
                        (d / kBlock * column_stride + n * row_stride) * 32 +
                        d % kBlock * sizeof(T);
          const uint8_t* from =
              bench.global() +
              (m * from_matrix + n * row_pitch + d) * sizeof(T);
          if (d < columns) {
            std::memcpy(to, from, sizeof(T));
          } else {
            std::memset(to, 0, sizeof(T));
          }
        }
      }
    }
    bench.Check(
        {"Movement", "DataCopy GM to UB", Type<T>::kName, "Nd2Nz"}, [&] {
          AscendC::Nd2NzParams params;
          params.ndNum = matrices;
          params.nValue = rows;
          params.dValue = columns;
          params.srcNdMatrixStride = from_matrix;
          params.srcDValue = row_pitch;
          params.dstNzC0Stride = column_stride;
          params.dstNzNStride = row_stride;
          params.dstNzMatrixStride = to_matrix;
          AscendC::DataCopy(TensorAt<T>(kDstAt), bench.Tensor<T>(), params);
        });
  }
}

// And back; columns are of 16 elements whatever their size.
template <typename T>
void SweepNz2Nd() {
  GlobalBench bench;
  Draw& draw = bench.draw();
  for (int i = 0; i < kCalls; ++i) {
    const auto matrices = static_cast<uint32_t>(1 + draw.Below(2));
    const auto rows = static_cast<uint32_t>(1 + draw.Below(5));
    const auto columns = 16 * static_cast<uint32_t>(1 + draw.Below(3));
    const auto column_stride = rows + static_cast<uint32_t>(draw.Below(3));
    const auto row_pitch = columns + static_cast<uint32_t>(draw.Below(20));
    const uint32_t to_matrix = rows * row_pitch + 3;
    for (uint32_t m = 0; m < matrices; ++m) {
      for (uint32_t n = 0; n < rows; ++n) {
        for (uint32_t d = 0; d < columns; ++d) {
          const uint32_t from =
              m * 512 + d / 16 * column_stride * 16 + n * 16 + d % 16;
          const uint32_t to = m * to_matrix + n * row_pitch + d;
          std::memcpy(bench.global_image() + to * sizeof(T),
                      bench.ub() + kSrc0At + from * sizeof(T), sizeof(T));
        }
      }
    }
    bench.Check(
        {"Movement", "DataCopy UB to GM", Type<T>::kName, "Nz2Nd"}, [&] {
          AscendC::Nz2NdParamsFull params;
          params.ndNum = matrices;
          params.nValue = rows;
          params.dValue = columns;
          params.srcNdMatrixStride = 2;
          params.srcNStride = column_stride;
          params.dstDStride = row_pitch;
          params.dstNdMatrixStride = to_matrix;
          AscendC::DataCopy(bench.Tensor<T>(), TensorAt<T>(kSrc0At), params);
        });
  }
}

TEST(DataCopy, Formats) {
  ForEach(Types<int8_t, uint8_t, int16_t, uint16_t, half, bfloat16_t, int32_t,
                uint32_t, float>{},
          []<typename T>() { SweepNd2Nz<T>(); });
  ForEach(Moved{}, []<typename T>() { SweepNz2Nd<T>(); });
}

}  // namespace
}  // namespace belay::sweep::sweep_data_copy
