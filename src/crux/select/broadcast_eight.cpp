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
       LanesOfRepeat(part.dtype), part.repeats,
       code::Struct{"BinaryRepeatParams",
                    {part.steps[0], part.steps[1], part.steps[2],
                     part.steps[0] * 8, part.steps[1] * 8, part.steps[2] * 8},
                    {}}});
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
  const auto blocks = [&](const Int& elements) {
    return emitter.Let("blocks", FloorDiv(elements, part.block()));
  };
  const auto step = [](const EightOperand& one) {
    return Int(one.again ? 0 : 1);
  };
  emitter.Invoke(
      name,
      {{"dst", rows.dst.place},
       {"left", rows.left.place},
       {"right", rows.right.place}},
      {{"rows", rows.rows},
       {"length", blocks(rows.columns)},
       {"repeats",
        emitter.Let("repeats", FloorDiv(rows.columns, 8 * part.block()))},
       {"pitch", blocks(rows.dst.pitch)},
       {"left_pitch", blocks(rows.left.pitch)},
       {"right_pitch", blocks(rows.right.pitch)},
       {"left_step", step(rows.left)},
       {"right_step", step(rows.right)}},
      [&](const std::vector<Local>& own, const std::vector<Int>& sizes) {
        part.rows = sizes[0];
        part.blocks = sizes[1];
        part.repeats = sizes[2];
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
