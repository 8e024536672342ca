// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_SCAN_VECTOR_H_
#define BELAY_CRUX_SELECT_SCAN_VECTOR_H_

// Scans along the contiguous axis by vector instructions: what follows one
// another comes into one lane by Gather, and goes back the same way. Lanes are
// short rows, or parts of the only row, whose totals are then added up. Several
// long rows: scan_parts.h.

#include "crux/select/emitter.h"

namespace belay::crux::select {

// `step` ("Add", "Mul", "Max") is an instruction for the dtype, of 16 or 32
// bits; `combine` does the same with two numbers.
struct ScanStep {
  std::string name;  // of the functions that do it: "Cumsum"
  const char* step = nullptr;
  ScalarPtr neutral;
  std::function<ScalarPtr(const ScalarPtr&, const ScalarPtr&)> combine;
};

// The function of the kernel's own that scans so: "CumsumRowsBeforeHalf".
std::string FunctionOf(std::string name, const ir::Stmt& scan, DType dtype);

// Elements of 16 or 32 bits, one after the other.
void CopyBits(Emitter& emitter, const Local& to, const Local& from,
              const Int& count);

// dst = src scanned along its contiguous axis; tensors of one dtype, equal
// layouts.
void ScanRows(Emitter& emitter, const ir::Stmt& stmt, const ScanStep& step,
              const Local& dst, const Local& src, const Layout& layout);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_SCAN_VECTOR_H_
