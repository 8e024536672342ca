// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CHECK_NAIVE_RACE_H_
#define BELAY_TESTS_CHECK_NAIVE_RACE_H_

// A race detector that is obviously right and slow: every access is a node,
// what a pipe knows to be complete is a set of nodes, every byte has the list
// of all accesses to it. Knows DataCopy, Duplicate, Adds and Add, scalar
// accesses, and all synchronisation.

#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "npu/chip.h"

namespace belay::check {

class NaiveRaces : public npu::Observer {
 public:
  NaiveRaces(npu::Chip& chip, bool auto_sync)
      : chip_(chip), auto_sync_(auto_sync) {}

  // Two accesses that nothing orders, by their places.
  struct Race {
    uint64_t later;
    uint64_t earlier;
    auto operator<=>(const Race&) const = default;
  };
  const std::set<Race>& races() const { return races_; }

  void OnLaunch(const npu::LaunchEvent& event) override;
  void OnInstruction(const npu::InstructionEvent& event) override;
  void OnWaited(const npu::InstructionEvent& event) override;
  void OnScalar(const npu::ScalarEvent& event) override;

 private:
  using Nodes = std::set<int>;
  struct Node {
    int core;
    int pipe;
    bool tensor;
    bool direct;
    uint64_t pc;
  };
  struct Access {
    int node;
    bool write;
    int atomic;  // 0: plain; else the operation and type
  };
  struct Core {
    std::vector<Nodes> known = std::vector<Nodes>(7);
    std::vector<Nodes> issued = std::vector<Nodes>(7);
    std::map<std::tuple<int, int, int>, Nodes> flags;
    int meetings = 0;
  };
  // Bytes with whether they are written, and how.
  struct Touch {
    bool read = false;
    bool write = false;
  };
  using Touches = std::map<uint64_t, Touch>;

  void Make(const Node& node, const Touches& touches, int atomic);
  Nodes CompleteAfter(Core& core, int pipe);
  Nodes BarrierOfAll(Core& core);
  static void Add(Nodes& to, const Nodes& from) {
    to.insert(from.begin(), from.end());
  }

  npu::Chip& chip_;
  bool auto_sync_;
  int blocks_ = 1;
  std::vector<Node> nodes_;
  std::map<int, Core> cores_;
  std::map<uint64_t, std::vector<Access>> bytes_;
  std::map<int, Nodes> meetings_;
  std::map<std::tuple<uint64_t, uint32_t, uint32_t>, Nodes> block_flags_;
  std::map<std::pair<uint64_t, int>, Nodes> turns_;
  std::map<uint64_t, std::pair<int, Nodes>> direct_;
  // Flags between all cores (mode 0), by id and core: what each set told, and
  // how many waits took it.
  std::map<std::pair<uint32_t, int>, std::vector<Nodes>> sets_;
  std::map<std::pair<uint32_t, int>, size_t> waits_;
  std::set<Race> races_;
};

}  // namespace belay::check

#endif  // BELAY_TESTS_CHECK_NAIVE_RACE_H_
