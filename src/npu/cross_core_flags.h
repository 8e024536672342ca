// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CROSS_CORE_FLAGS_H_
#define BELAY_NPU_CROSS_CORE_FLAGS_H_

// What the chip's scheduler makes of CrossCoreSetFlag: every core has 16
// counters, and sets of the cores that take part in a mode raise those of the
// cores that are told. Each step of a counter carries a payload, joined from
// those of the sets behind it, so that whoever watches kernels can say who told
// whom.

#include <algorithm>
#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "npu/core.h"
#include "npu/observer.h"

namespace belay::npu {

// A core that takes part in a launch, by what GetBlockIdx says there.
struct Participant {
  bool cube = false;
  int index = 0;

  auto operator<=>(const Participant&) const = default;
};

inline Participant ParticipantOf(const Core& core) {
  return {core.type == CoreType::kCube, core.block};
}

// How many cores of each type a block has, and how many blocks there are.
struct LaunchShape {
  int cube = 0;
  int vector = 1;
  int blocks = 1;

  int PartsOf(bool cube_cores) const { return cube_cores ? cube : vector; }
  int BlockOf(const Participant& core) const {
    return core.index / PartsOf(core.cube);
  }
};

inline LaunchShape ShapeOf(const LaunchEvent& event) {
  return {event.cube_cores, event.vector_cores, event.blocks};
}

inline constexpr uint32_t kCrossCoreFlags = 16;
inline constexpr uint32_t kMaxCrossCoreCount = 15;

// The flag an id names: its low four bits.
inline uint32_t CrossCoreFlagOf(uint32_t id) { return id % kCrossCoreFlags; }

// Mode 0: all cores of the setter's type tell each other. 1: the vector cores
// of a block tell each other. 2: the cube core tells the vector cores of its
// block; they, all of them together, tell it. The library's own, for requests
// that pass through global memory: with mode kOneVectorCore + s the cube core
// tells the vector core s of its block, and that one tells it.
inline constexpr uint32_t kOneVectorCore = 4;

class CrossCoreModes {
 public:
  explicit CrossCoreModes(LaunchShape shape = {}) : shape_(shape) {}

  // Those whose sets go together with one of `setter`.
  std::vector<Participant> Setters(const Participant& setter,
                                   uint32_t mode) const {
    const int block = shape_.BlockOf(setter);
    if (mode == 0) return All(setter.cube);
    if (mode >= kOneVectorCore || (mode == 2 && setter.cube)) return {setter};
    return InBlock(false, block);
  }

  // Those whose counters they raise.
  std::vector<Participant> Told(const Participant& setter,
                                uint32_t mode) const {
    const int block = shape_.BlockOf(setter);
    if (mode == 0) return All(setter.cube);
    if (mode >= kOneVectorCore && setter.cube) {
      const int first = block * shape_.PartsOf(false);
      return {{false, first + static_cast<int>(mode - kOneVectorCore)}};
    }
    return InBlock(mode >= 2 && !setter.cube, block);
  }

  const LaunchShape& shape() const { return shape_; }

 private:
  std::vector<Participant> All(bool cube) const {
    std::vector<Participant> all;
    for (int i = 0; i < shape_.blocks * shape_.PartsOf(cube); ++i) {
      all.push_back({cube, i});
    }
    return all;
  }
  std::vector<Participant> InBlock(bool cube, int block) const {
    const int parts = shape_.PartsOf(cube);
    std::vector<Participant> cores;
    for (int i = 0; i < parts; ++i) cores.push_back({cube, block * parts + i});
    return cores;
  }

  LaunchShape shape_;
};

// `Join(Payload& into, const Payload& from)` adds what one set carries.
template <typename Payload, void (*Join)(Payload&, const Payload&)>
class CrossCoreFlags {
 public:
  explicit CrossCoreFlags(LaunchShape shape = {}) : modes_(shape) {}

  const CrossCoreModes& modes() const { return modes_; }

  // Whether a set now completes its mode: then Set raises counters.
  bool Completes(const Participant& setter, uint32_t mode, uint32_t id) const {
    for (const Participant& other : modes_.Setters(setter, mode)) {
      if (other == setter) continue;
      const auto found = arrived_.find({other, mode, CrossCoreFlagOf(id)});
      if (found == arrived_.end() || found->second.empty()) return false;
    }
    return true;
  }

  void Set(const Participant& setter, uint32_t mode, uint32_t id,
           Payload payload) {
    const uint32_t flag = CrossCoreFlagOf(id);
    const bool completes = Completes(setter, mode, id);
    arrived_[{setter, mode, flag}].push_back(std::move(payload));
    if (!completes) return;
    Payload all{};
    for (const Participant& other : modes_.Setters(setter, mode)) {
      std::deque<Payload>& sets = arrived_[{other, mode, flag}];
      Join(all, sets.front());
      sets.pop_front();
    }
    for (const Participant& told : modes_.Told(setter, mode)) {
      steps_[{told, flag}].push_back(all);
    }
  }

  size_t CountOf(const Participant& core, uint32_t id) const {
    const auto found = steps_.find({core, CrossCoreFlagOf(id)});
    return found == steps_.end() ? 0 : found->second.size();
  }

  // The oldest step of a counter that is not 0, which goes down by one.
  Payload Take(const Participant& core, uint32_t id) {
    std::deque<Payload>& steps = steps_[{core, CrossCoreFlagOf(id)}];
    Payload oldest = std::move(steps.front());
    steps.pop_front();
    return oldest;
  }

  // Those of whom a step of this counter still wants a set, though others have
  // made theirs; empty when nobody has begun.
  std::vector<Participant> Missing(const Participant& core, uint32_t id) const {
    for (const auto& [key, sets] : arrived_) {
      const auto& [setter, mode, flag] = key;
      if (flag != CrossCoreFlagOf(id) || sets.empty()) continue;
      const auto told = modes_.Told(setter, mode);
      if (std::find(told.begin(), told.end(), core) == told.end()) continue;
      std::vector<Participant> missing;
      for (const Participant& other : modes_.Setters(setter, mode)) {
        const auto found = arrived_.find({other, mode, flag});
        if (found == arrived_.end() || found->second.empty()) {
          missing.push_back(other);
        }
      }
      return missing;
    }
    return {};
  }

  // Calls visit(core, flag, steps) for counters that are not 0, and
  // visit_set(setter, mode, flag, sets) for sets that raised none.
  template <typename Visit, typename VisitSet>
  void ForEachLeft(const Visit& visit, const VisitSet& visit_set) const {
    for (const auto& [key, steps] : steps_) {
      if (!steps.empty()) visit(key.first, key.second, steps);
    }
    for (const auto& [key, sets] : arrived_) {
      if (sets.empty()) continue;
      visit_set(std::get<0>(key), std::get<1>(key), std::get<2>(key), sets);
    }
  }

 private:
  CrossCoreModes modes_;
  // By setter, mode and flag: sets that others of the mode have not made yet.
  std::map<std::tuple<Participant, uint32_t, uint32_t>, std::deque<Payload>>
      arrived_;
  // By core and flag: what the counter's steps carry.
  std::map<std::pair<Participant, uint32_t>, std::deque<Payload>> steps_;
};

}  // namespace belay::npu

#endif  // BELAY_NPU_CROSS_CORE_FLAGS_H_
