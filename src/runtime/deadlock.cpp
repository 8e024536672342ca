// SPDX-License-Identifier: Apache-2.0
#include "runtime/deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/catalogue.h"

namespace belay::runtime {
namespace {

using npu::Participant;
using Participants = std::vector<Participant>;

constexpr size_t kMaxGroups = 8;
constexpr size_t kMaxNamed = 6;  // blocks a sentence lists

bool IsDone(const Block& block) { return block.state == Block::State::kDone; }

Participant IdOf(const Block& block) {
  return {block.core->type == npu::CoreType::kCube, block.index};
}

// The blocks of a wave, and how they are called: by number where all run on
// vector cores, else by core.
class Wave {
 public:
  Wave(const std::vector<Block>& blocks, const npu::LaunchShape& shape)
      : blocks_(blocks), mixed_(shape.cube > 0) {}

  const std::vector<Block>& blocks() const { return blocks_; }

  const Block* Find(const Participant& id) const {
    for (const Block& block : blocks_) {
      if (IdOf(block) == id) return &block;
    }
    return nullptr;
  }

  // Blocks a block waits for: those that would end its wait, or all that have
  // not come to the meeting.
  Participants AwaitedBy(const Block& block) const {
    if (block.state == Block::State::kWaiting) return block.wait.awaited();
    Participants absent;
    for (const Block& other : blocks_) {
      const bool is_there = other.state == Block::State::kMeeting &&
                            other.meeting == block.meeting;
      if (block.meeting.Includes(IdOf(other)) && !is_there) {
        absent.push_back(IdOf(other));
      }
    }
    return absent;
  }

  std::string NameOf(const Participant& id) const {
    if (!mixed_) return fmt::format("block {}", id.index);
    return fmt::format("{} {}", id.cube ? "aic" : "aiv", id.index);
  }

  // "block 3", "blocks 1, 2 and 4", "blocks 0, 1, 2, 3, 4, 5 and 40 more",
  // "aic 0, aiv 0 and aiv 1".
  std::string NamesOf(const Participants& ids) const {
    if (ids.size() == 1) return NameOf(ids.front());
    std::string text = mixed_ ? "" : "blocks ";
    const size_t named = std::min(ids.size(), kMaxNamed);
    for (size_t i = 0; i < named; ++i) {
      if (i > 0) text += i + 1 == ids.size() ? " and " : ", ";
      text += mixed_ ? NameOf(ids[i]) : std::to_string(ids[i].index);
    }
    if (ids.size() > named) {
      text += fmt::format(" and {} more", ids.size() - named);
    }
    return text;
  }

  // What has become of a block that is waited for.
  std::string StateOf(const Participant& id) const {
    const Block* block = Find(id);
    if (block == nullptr) return "does not exist";
    if (IsDone(*block)) return "ended without it";
    return fmt::format("waits in {}", block->wait.call);
  }

  // Blocks that wait for each other in a circle, the first one again at its
  // end; empty when a block that ended breaks every chain.
  Participants FindCircle() const {
    for (const Block& start : blocks_) {
      Participants path;
      const Block* at = &start;
      while (at != nullptr && !IsDone(*at)) {
        const auto seen = std::find(path.begin(), path.end(), IdOf(*at));
        if (seen != path.end()) {
          path.erase(path.begin(), seen);
          path.push_back(path.front());
          return path;
        }
        path.push_back(IdOf(*at));
        at = FirstLive(AwaitedBy(*at));
      }
    }
    return {};
  }

 private:
  const Block* FirstLive(const Participants& ids) const {
    for (const Participant& id : ids) {
      const Block* block = Find(id);
      if (block != nullptr && !IsDone(*block)) return block;
    }
    return nullptr;
  }

  const std::vector<Block>& blocks_;
  bool mixed_;
};

npu::Fault DescribeOverflow(const Wave& wave, const Block& block) {
  npu::Fault fault;
  fault.diagnostic.code = code::kS130;
  fault.diagnostic.message = fmt::format(
      "[CrossCoreSetFlag] {} sets a flag that {} waited for too seldom: the "
      "counter is at {} already, and the chip stops with an error",
      wave.NameOf(IdOf(block)), wave.NamesOf(block.wait.awaited()),
      npu::kMaxCrossCoreCount);
  fault.diagnostic.fix =
      "wait for each flag as often as it is set, and let the other side answer "
      "with a flag of its own before the next rounds";
  fault.diagnostic.core = block.core->Name();
  fault.pc = block.wait.pc;
  return fault;
}

std::string DescribeGroup(const Wave& wave,
                          const std::vector<const Block*>& group,
                          const Participants& awaited) {
  Participants ids;
  for (const Block* block : group) ids.push_back(IdOf(*block));
  const Block& first = *group.front();
  std::string text =
      fmt::format("{} {} in {}", wave.NamesOf(ids),
                  ids.size() == 1 ? "waits" : "wait", first.wait.call);
  if (!first.wait.what.empty()) text += " for " + first.wait.what;
  if (awaited.empty()) return text;
  return text +
         fmt::format(", which only {} could {}: {} {}", wave.NamesOf(awaited),
                     first.state == Block::State::kWaiting ? "set" : "complete",
                     awaited.size() == 1 ? "it" : "the first of them",
                     wave.StateOf(awaited.front()));
}

}  // namespace

npu::Fault DescribeDeadlock(const std::vector<Block>& blocks,
                            const npu::LaunchShape& shape) {
  const Wave wave(blocks, shape);
  // Those that wait in one place for the same go together.
  std::map<std::tuple<uint64_t, std::string, Participants>,
           std::vector<const Block*>>
      groups;
  std::vector<std::string> calls;
  size_t done = 0;
  for (const Block& block : blocks) {
    if (IsDone(block)) {
      ++done;
      continue;
    }
    if (block.state == Block::State::kWaiting && block.wait.is_overflow) {
      return DescribeOverflow(wave, block);
    }
    groups[{block.wait.pc, block.wait.call, wave.AwaitedBy(block)}].push_back(
        &block);
    if (std::find(calls.begin(), calls.end(), block.wait.call) == calls.end()) {
      calls.push_back(block.wait.call);
    }
  }
  npu::Fault fault;
  fault.diagnostic.code = code::kS102;
  const Block& first = *std::find_if_not(blocks.begin(), blocks.end(), IsDone);
  fault.pc = first.wait.pc;
  fault.diagnostic.core = first.core->Name();

  std::string where = calls.front();
  for (size_t i = 1; i < calls.size(); ++i) where += " or " + calls[i];
  std::string& message = fault.diagnostic.message;
  message =
      fmt::format("deadlock: {} of {} {} wait in {} and {} ended without it",
                  blocks.size() - done, blocks.size(),
                  shape.cube > 0 ? "cores" : "blocks", where, done);
  const Participants circle = wave.FindCircle();
  for (size_t i = 0; i < circle.size(); ++i) {
    message += i == 0 ? fmt::format("; {} waits", wave.NameOf(circle[i]))
                      : fmt::format(" for {}{}", wave.NameOf(circle[i]),
                                    i + 1 < circle.size() ? ", that" : "");
  }
  for (const auto& [key, members] : groups) {
    if (fault.notes.size() == kMaxGroups) break;
    fault.notes.push_back(
        {DescribeGroup(wave, members, std::get<2>(key)), std::get<0>(key)});
  }
  fault.diagnostic.fix =
      shape.cube > 0
          ? "every core must reach the calls the others wait for, also those "
            "without work: a flag is set once for each wait"
          : "every block must reach the calls the others wait for, also those "
            "without work";
  return fault;
}

}  // namespace belay::runtime
