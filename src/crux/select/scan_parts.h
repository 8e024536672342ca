// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_SCAN_PARTS_H_
#define BELAY_CRUX_SELECT_SCAN_PARTS_H_

// Scans along several rows at a time: lanes are short parts of all of them,
// whose totals are then scanned row by row.

#include "crux/select/scan_vector.h"

namespace belay::crux::select {

// Rows of as many elements are scanned so.
inline constexpr int64_t kLongRow = 128;

// As ScanRows; a layout of several rows.
void ScanLongRows(Emitter& emitter, const ir::Stmt& stmt, const ScanStep& step,
                  const Local& dst, const Local& src, const Layout& layout);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_SCAN_PARTS_H_
