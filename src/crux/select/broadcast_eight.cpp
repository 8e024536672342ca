// SPDX-License-Identifier: Apache-2.0
#include "crux/select/broadcast_eight.h"

#include <utility>

namespace belay::crux::select {
namespace {

constexpr int64_t kRows = 8;

// The operands and sizes of the function at hand.
struct Part {
  std::string function;
  DType dtype = DType::kNone;
  Local places[3];  // dst, left, right
  Int pitches[3];   // in blocks
  Int steps[3];     // 1: columns follow each other, 0: they are read again
  Int rows;
  Int blocks;   // of a row
  Int width;    // blocks of a repeat of one row
  Int repeats;  // of a row

  int64_t block() const { return LanesOfBlock(dtype); }
  Local At(int i, const Int& row) const {
    return {places[i].name, places[i].offset + row * pitches[i] * block()};
  }
};

void Together(Emitter& emitter, const Part& part, const Int& row,
              const Int& count) {
  emitter.Call(part.function,
               {part.At(0, row), part.At(1, row), part.At(2, row),
                count * part.block(), part.blocks,
                code::Struct{"BinaryRepeatParams",
                             {part.pitches[0], part.pitches[1], part.pitches[2],
                              part.steps[0], part.steps[1], part.steps[2]},
                             {}}});
}

void OneByOne(Emitter& emitter, const Part& part, const Int& row) {
  emitter.Call(
      part.function,
      {part.At(0, row), part.At(1, row), part.At(2, row),
       part.width * part.block(), part.repeats,
       code::Struct{"BinaryRepeatParams",
                    {part.steps[0], part.steps[1], part.steps[2],
                     part.steps[0] * part.width, part.steps[1] * part.width,
                     part.steps[2] * part.width},
                    {}}});
}

// Blocks of a repeat of one row of so many: seven, six or five of the first two
// of eight rows lie in other groups than as many nine blocks from where they
// begin; eight would wait in every repeat.
Int WidthFor(const Int& blocks) {
  Int width = kRows;
  for (int64_t few = 5; few < kRows; ++few) {
    const Int fits = Int::Of(ir::IntKind::kAnd,
                             Int::Of(ir::IntKind::kEqual, Mod(blocks, few), 0),
                             Less(blocks, few * kMostRepeats + 1));
    width = Int::Select(fits, few, width);
  }
  return width;
}

// Whether one instruction for `count` rows takes less time than one each.
Int PaysOff(const Part& part, const Int& count) {
  const Int fits =
      Int::Of(ir::IntKind::kAnd, Less(part.pitches[0], kLongestStride + 1),
              Less(part.blocks, kMostRepeats + 1));
  return Int::Of(
      ir::IntKind::kAnd, fits,
      Less(part.blocks + kStartCycles, count * (part.repeats + kStartCycles)));
}

void EmitRows(Emitter& emitter, const Part& part) {
  emitter.For("first", 0, part.rows, kRows, [&](const Int& first) {
    const Int count = emitter.Let("together", Min(part.rows - first, kRows));
    emitter.If(
        PaysOff(part, count), [&] { Together(emitter, part, first, count); },
        [&] {
          emitter.For("row", first, first + count, 1,
                      [&](const Int& row) { OneByOne(emitter, part, row); });
        });
  });
}

}  // namespace

void EmitEightRows(Emitter& emitter, const EightRows& rows) {
  Part part;
  part.function = rows.function;
  part.dtype = emitter.DtypeOf(rows.dst.place);
  std::string name = rows.function + "EightRows";
  if (part.dtype != DType::kFloat) {
    name += part.dtype == DType::kHalf    ? "Half"
            : part.dtype == DType::kInt16 ? "Int16"
                                          : "Int32";
  }
  const auto blocks = [&](const char* wish, const Int& elements) {
    return emitter.Let(wish, FloorDiv(elements, part.block()));
  };
  const auto hop = [&](const Int& pitch) { return blocks("hop", pitch); };
  const auto step = [](const EightOperand& one) {
    return Int(one.again ? 0 : 1);
  };
  const Int length = blocks("span", rows.columns);
  const bool apart =
      BytesOf(part.dtype) == 4 && !rows.left.again && !rows.right.again;
  const Int width = apart ? emitter.Let("wide", WidthFor(length)) : Int(kRows);
  emitter.Invoke(
      name,
      {{"dst", rows.dst.place},
       {"left", rows.left.place},
       {"right", rows.right.place}},
      {{"rows", rows.rows},
       {"length", length},
       {"width", width},
       {"pitch", hop(rows.dst.pitch)},
       {"left_pitch", hop(rows.left.pitch)},
       {"right_pitch", hop(rows.right.pitch)},
       {"left_step", step(rows.left)},
       {"right_step", step(rows.right)}},
      [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
        part.rows = sizes[0];
        part.blocks = sizes[1];
        part.width = sizes[2];
        part.repeats = emitter.Let("repeats", FloorDiv(sizes[1], sizes[2]));
        for (int i = 0; i < 3; ++i) {
          part.places[i] = own[i];
          part.pitches[i] = sizes[3 + i];
        }
        part.steps[0] = 1;
        part.steps[1] = sizes[6];
        part.steps[2] = sizes[7];
        EmitRows(emitter, part);
      });
}

}  // namespace belay::crux::select
