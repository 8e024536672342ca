// SPDX-License-Identifier: Apache-2.0
// Rows on lanes and back (select/turn.cpp): the instruction, and the lists of
// addresses that it takes; what is printed for these is in
// print/special_calls.cpp.

#include "crux/run/call_tags.h"
#include "crux/run/work.h"

namespace belay::crux::run {
namespace {

using Lists = AscendC::LocalTensor<uint64_t>;

// What the scalar unit does for two addresses, their stores left out: in 16
// bits, and in 32 bits, where loops go over two lines at a time.
constexpr int64_t kWorkOfAddresses = 15;
constexpr int64_t kWorkOfWideAddresses = 9;
// The same for one address of a block.
constexpr int64_t kWorkOfBlocks = 6;

// `columns` vectors, `pitch` elements apart and made of lines of 16: where each
// line is, element by element of the rows.
class LineWalk {
 public:
  LineWalk(uint64_t address, int64_t columns, int64_t pitch, int64_t bytes)
      : columns_(columns),
        pitch_(static_cast<uint64_t>(pitch * bytes)),
        wrap_(static_cast<uint64_t>((16 - columns * pitch) * bytes)),
        address_(address) {}

  uint64_t Next() {
    const uint64_t here = address_;
    address_ += pitch_;
    if (++column_ == columns_) {
      column_ = 0;
      address_ += wrap_;
    }
    return here;
  }

 private:
  int64_t columns_;
  uint64_t pitch_;
  uint64_t wrap_;
  uint64_t address_;
  int64_t column_ = 0;
};

// For each of `period` blocks: the places of the lines in `lines_list`, and in
// `flat_list` what they are made of, the same block of each of 16 runs of rows.
template <typename T, bool kBack>
void FillLists(const Lists& lines_list, const Lists& flat_list,
               const AscendC::LocalTensor<T>& lines,
               const AscendC::LocalTensor<T>& flat, int64_t columns,
               int64_t rows, int64_t pitch, int64_t period) {
  constexpr int64_t kBytes = sizeof(T);
  constexpr bool kHalves = kBytes == 4;  // a line has two blocks
  constexpr int64_t kEntries = kHalves && kBack ? 32 : 16;
  const auto run = static_cast<uint64_t>(rows / 16 * columns * kBytes);
  LineWalk walk(lines.GetPhyAddr(), columns, pitch, kBytes);
  uint64_t first = flat.GetPhyAddr();
  for (int64_t block = 0; block < period; ++block) {
    const int64_t at = block * kEntries;
    for (int64_t i = 0; i < 16; ++i) {
      if constexpr (!kHalves) {
        lines_list.SetValue(at + i, walk.Next());
        flat_list.SetValue(at + i, first + i * run);
      } else if constexpr (kBack) {
        const uint64_t line = walk.Next();
        lines_list.SetValue(at + i, line);
        lines_list.SetValue(at + i + 16, line + 32);
        const uint64_t place = first + i / 2 * run + i % 2 * 32;
        flat_list.SetValue(at + i, place);
        flat_list.SetValue(at + i + 16, place + 8 * run);
      } else {
        if (i % 2 == 0) {
          const uint64_t line = walk.Next();
          lines_list.SetValue(at + i, line);
          lines_list.SetValue(at + i + 1, line + 32);
        }
        flat_list.SetValue(at + i, first + i * run);
      }
    }
    first += kEntries == 32 ? 64 : 32;
  }
  Work work;
  work.all =
      period * kEntries * (kHalves ? kWorkOfWideAddresses : kWorkOfAddresses);
  Spend(work);
}

// The same of blocks alone; a run has `run` elements.
void FillBlocks(const Lists& list, const AscendC::LocalTensor<uint16_t>& flat,
                int64_t run, int64_t period) {
  const uint64_t first = flat.GetPhyAddr();
  for (int64_t at = 0; at < period * 16; ++at) {
    list.SetValue(
        at, first + at / 16 * 32 + static_cast<uint64_t>(at % 16 * run * 2));
  }
  Work work;
  work.all = period * 16 * kWorkOfBlocks;
  Spend(work);
}

template <typename T, bool kBack>
void AddLists(CallTable& table, std::string_view name) {
  table.Add<Local<uint64_t>, Local<uint64_t>, Local<T>, Local<T>, Count, Count,
            Count, Count>(name, [](const auto&... arguments) {
    FillLists<T, kBack>(arguments...);
  });
}

BELAY_STRUCT_TAG(TransDataTag, TransDataTo5HDParams,
                 &AscendC::TransDataTo5HDParams::dstHighHalf,
                 &AscendC::TransDataTo5HDParams::srcHighHalf,
                 &AscendC::TransDataTo5HDParams::repeatTimes,
                 &AscendC::TransDataTo5HDParams::dstRepStride,
                 &AscendC::TransDataTo5HDParams::srcRepStride)

template <typename T>
void AddTransData(CallTable& table, std::string_view name) {
  table.Add<Local<uint64_t>, Local<uint64_t>, TransDataTag>(
      name, [](const Lists& to, const Lists& from, const auto& params) {
        AscendC::TransDataTo5HD<T>(to, from, params);
      });
}

}  // namespace

void AddTurnCalls(CallTable& table) {
  AddLists<uint16_t, false>(table, "TurnLists16");
  table.Add<Local<uint64_t>, Local<uint16_t>, Count, Count>(
      "TurnBlocks16",
      [](const auto&... arguments) { FillBlocks(arguments...); });
  AddLists<uint32_t, false>(table, "TurnLists32");
  AddLists<uint32_t, true>(table, "TurnListsBack32");
  AddTransData<uint16_t>(table, "TransDataTo5HD<uint16_t>");
  AddTransData<uint32_t>(table, "TransDataTo5HD<uint32_t>");
}

}  // namespace belay::crux::run
