// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_REDUCE_FOLD_H_
#define BELAY_CRUX_SELECT_REDUCE_FOLD_H_

// Reductions by vector instructions: along the last axis columns fold first,
// then what is left of each row; along other axes slice after slice.

#include <string>
#include <vector>

#include "crux/select/storage.h"
#include "crux/select/vector.h"

namespace belay::crux::select {

// The instructions of a reduction.
struct Fold {
  const char* name = nullptr;  // "Sum": of the functions that do it
  const char* step = nullptr;  // of two vectors: "Add"
  const char* whole =
      nullptr;  // of a repeat to an element; null: there is none
  ScalarPtr neutral;
};

// Of the names of functions that reduce elements of a dtype: nothing for f32.
std::string SuffixOf(DType dtype);

// dst = src reduced along `axis`; dst has one element there. All of one dtype
// that the instructions know: f32, f16, i32 or i16. `spare`: memory for half as
// many elements as src has, for twice as many of 16 bits, or src; empty: there
// is none.
void FoldAxis(Emitter& emitter, const Fold& fold, const Lane& dst,
              const Lane& src, size_t axis, const std::string& spare = "");

// Rows that an instruction makes of others: `step` at a time, or half the
// columns of eight.
struct RowsInParts {
  std::string function;  // "Mul"
  std::vector<Local> sources;
  Local part;                 // memory for `step` rows of `width` elements
  std::vector<ir::Dim> dims;  // of all rows
  Int step;                   // below 8, or a multiple of it
  // All of a row, or less of a single one: a multiple of a repeat.
  Int width;
};

// Makes `elements` from `at` on, in the part.
void MakeRows(Emitter& emitter, const RowsInParts& rows, const Int& at,
              const Int& elements);
// Makes `columns` of each of `count` rows, eight at most, from `at` on. They
// are `pitch` apart, and `width` in the part.
void MakeEight(Emitter& emitter, const RowsInParts& rows, const Int& pitch,
               const Int& width, const Int& at, const Int& count,
               const Int& columns);

// dst = the rows reduced, one number each; f32.
void FoldParts(Emitter& emitter, const Fold& fold, const Local& dst,
               const RowsInParts& rows);

// Folds a row of f32 into the repeat `folded`, which has something in it.
void FoldRow(Emitter& emitter, const Fold& fold, const Local& folded,
             const Local& src, const Int& columns);

// What a statement has to do with running sums; false: nothing.
bool SelectRunningSum(Emitter& emitter, const ir::Stmt& stmt,
                      const RunningSums& running);
// Behind a statement.
void EndRunningSums(Emitter& emitter, const ir::Stmt& stmt,
                    const RunningSums& running);

// A reduction of rows that are made in parts. `beside`: see FoldColumnsOfParts.
void SelectReduceOfParts(Emitter& emitter, const ir::Stmt& stmt,
                         const Parts& parts, const Local& beside);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_REDUCE_FOLD_H_
