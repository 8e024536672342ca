// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_EXPORT_HOST_H_
#define BELAY_BENCH_EXPORT_HOST_H_

// The host part of an exported question: tiling data that carry every shape
// and attribute, and the definition and tiling function that fill them.
//
// Fields of a tensor x: x_rank, x_elements, x_shape[], and x_present if it may
// be absent. Of a list: x_count, then x_rank[], x_elements[] and x_shape[] with
// as many sizes per tensor as the highest rank. Attributes have their own
// names; a list of them `name_count` and `name[]`, a string the number of its
// value. Outputs in place have no fields of their own.

#include <string>

#include "bench/export_signature.h"

namespace belay::bench {

// op_host/<kernel>_tiling.h. `full`: with a place for further fields.
std::string TilingHeaderText(const ExportSignature& signature, bool full);

// op_host/<kernel>.cpp. `cube`: blocks are counted by cube cores. `full`: with
// a place for a tiling of the candidate's own.
std::string HostText(const ExportSignature& signature, bool cube, bool full);

}  // namespace belay::bench

#endif  // BELAY_BENCH_EXPORT_HOST_H_
