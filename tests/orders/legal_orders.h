// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_ORDERS_LEGAL_ORDERS_H_
#define BELAY_TESTS_ORDERS_LEGAL_ORDERS_H_

// Executes a recorded launch in orders its pipes and cores could have taken.

#include <cstdint>
#include <string>
#include <vector>

#include "order_graph.h"
#include "recording.h"

namespace belay::orders {

// What came out of one order.
struct Outcome {
  // The bytes of global memory that the launch writes, by address.
  std::vector<std::byte> memory;
  // What the scalar unit saw: loads, registers, numbers of gathered elements.
  // Kernels decide by it, so another value is another kernel.
  std::vector<std::byte> seen;
  // An instruction that followed its data out of its memory; the rest was not
  // executed.
  std::string trap;

  bool operator==(const Outcome&) const = default;
};

class LegalOrders {
 public:
  // `recording` and `chip` must outlive it.
  LegalOrders(const Recording& recording, bool auto_sync, npu::Chip& chip);

  // In program order, from memory as the launch found it.
  Outcome RunProgramOrder();

  // In a random legal order, with other bytes in what nobody wrote. The same
  // seed gives the same order.
  Outcome Run(uint64_t seed);

  const std::vector<OrderNode>& nodes() const { return nodes_; }

  // How many of the orders seed, seed + 1, … did not give `expected`; stops at
  // the first when `stop` is set.
  int CountDiffering(const Outcome& expected, uint64_t seed, int orders,
                     bool stop);

 private:
  std::vector<int> ProgramOrder() const;
  std::vector<int> RandomOrder(uint64_t seed) const;
  Outcome Execute(const std::vector<int>& order, int fill);
  void Prepare(int fill);
  void ExecuteEvent(int event, Outcome& outcome);
  void ExecuteInstruction(const Event& event, Outcome& outcome);
  void ExecuteScalar(int index, const Event& event, Outcome& outcome);
  npu::Core& CoreOf(const Event& event);

  const Recording& recording_;
  npu::Chip& chip_;
  std::vector<OrderNode> nodes_;
  std::vector<std::vector<int>> before_;  // by node: those that wait for it
  std::vector<int> slots_;
  std::vector<ByteRange> written_;  // of global memory
  std::vector<ByteRange> restored_;
  std::vector<ByteRange> fresh_;
  // What each event saw, at its place in `seen` whatever the order.
  std::vector<size_t> seen_at_;
  size_t seen_bytes_ = 0;
};

}  // namespace belay::orders

#endif  // BELAY_TESTS_ORDERS_LEGAL_ORDERS_H_
