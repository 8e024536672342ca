// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_ELEMENTWISE_H_
#define BELAY_CRUX_SELECT_ELEMENTWISE_H_

// The parts of SelectElementwise (emitter.h): one statement of the tile IR as
// vector instructions where the chip has them, else as a loop of the scalar
// unit. Dtypes are those after the passes that legalise: bool is f16 of 0 and
// 1, floating arithmetic is f32 or exact in f16.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "crux/select/emitter.h"
#include "crux/select/vector.h"

namespace belay::crux::select {

// f16 and f32.
void SelectFloating(Emitter& emitter, const ir::Stmt& stmt);
// kMul with a third operand; its instruction works in place of one of them.
size_t PlaceOfMultiplyAdd(const ir::Stmt& stmt);
void SelectMultiplyAdd(Emitter& emitter, const ir::Stmt& stmt);
// A sum or difference of an f32 tile and one that `to` converts from f16.
void SelectWidenedSum(Emitter& emitter, const ir::Stmt& sum,
                      const ir::Stmt& to);
// Integers of all widths.
void SelectWhole(Emitter& emitter, const ir::Stmt& stmt);
// Any integer operation, element by element.
void SelectWholeByScalars(Emitter& emitter, const ir::Stmt& stmt);
// <, <=, …: f16 of 0 and 1; where.
void SelectCompare(Emitter& emitter, const ir::Stmt& stmt);
void SelectWhere(Emitter& emitter, const ir::Stmt& stmt);
// .to, bitcast.
void SelectConvert(Emitter& emitter, const ir::Stmt& stmt);
// full, arange.
void SelectMake(Emitter& emitter, const ir::Stmt& stmt);

// dst = src converted as Crux's .to does; equal dims. Without a mode: cut off
// to integers, to nearest even otherwise.
void ConvertLanes(Emitter& emitter, const Lane& dst, const Lane& src,
                  std::optional<abi::Round> mode);
// The same bits; dtypes of equal width, equal dims.
void CopyLanes(Emitter& emitter, const Lane& dst, const Lane& src);

// The word for a comparison: "CMPMODE::LT".
std::string ModeOf(Op op);
// Memory for the bits of a comparison of lanes: a bit for each.
Local NewBits(Emitter& emitter, const Lane& lanes);
// bits = a op b for the elements of tiles (or numbers) of any dtype but 64
// bits, with dims as broadcast. True: the bits say the contrary.
bool CompareLanes(Emitter& emitter, const Local& bits, Op op,
                  const ir::Operand& a, const ir::Operand& b,
                  const std::vector<ir::Dim>& dims);

// Results and operands of a statement as elements of the scalar unit: sets
// results[0] to what `value` makes of the operands, element by element.
void ByScalars(
    Emitter& emitter, const ir::Stmt& stmt,
    const std::function<ScalarPtr(const std::vector<ScalarPtr>&)>& value);

// The dtype of the first operand that is a tile.
DType OperandDtype(const Emitter& emitter, const ir::Stmt& stmt);
// An operand as lanes; a number fills a repeat, in dtype.
Lane LaneOfOperand(Emitter& emitter, const ir::Operand& operand, DType dtype);

// -number, in dtype.
ScalarPtr NegatedScalar(const ir::Number& number, DType dtype);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_ELEMENTWISE_H_
