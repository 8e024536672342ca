// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_ORDERS_ORDER_GRAPH_H_
#define BELAY_TESTS_ORDERS_ORDER_GRAPH_H_

// Which orders of a launch's events are legal: a graph whose edges say "not
// before".
//
// The model, which allows at least what the hardware does:
// - The scalar unit hands instructions to the pipes in program order and makes
//   its own accesses in program order; what it has waited for is complete
//   before anything it hands over later. Its plain accesses are not.
// - Two instructions of one pipe run in either order unless a barrier stands
//   between them. An instruction runs as a whole.
// - SetFlag comes behind all its pipe was given before; a WaitFlag holds what
//   its pipe is given later until its SetFlag has come.
// - PipeBarrier, SyncAll, flags and turns between blocks, and the end of a
//   block stand behind all before them, of their pipes, and before all later.
// - CrossCoreSetFlag comes behind all its pipe was given before; a
//   CrossCoreWaitFlag holds what its core is given later until all sets that
//   raised the flag have come.
// - Registers that vector instructions leave each other are kept in order.
// - Scalar accesses past the data cache, and loads of lines that were dropped
//   on purpose, are how cores signal: those to one line keep their order.
// - With auto-sync, the synchronisation the compiler inserts (auto_sync.h) is
//   there where nothing else orders the two accesses.

#include <vector>

#include "recording.h"

namespace belay::orders {

struct OrderNode {
  int event;               // of the recording; -1: only order
  std::vector<int> after;  // nodes that come before it
};

// In an order that is legal: every node behind those it comes after.
std::vector<OrderNode> BuildOrderGraph(const Recording& recording,
                                       bool auto_sync, const npu::Chip& chip);

}  // namespace belay::orders

#endif  // BELAY_TESTS_ORDERS_ORDER_GRAPH_H_
