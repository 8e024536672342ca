// SPDX-License-Identifier: Apache-2.0
#include "runtime/deadlock.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/catalogue.h"

namespace belay::runtime {
namespace {

constexpr size_t kMaxGroups = 8;
constexpr size_t kMaxNamed = 6;  // blocks a sentence lists

bool IsDone(const Block& block) { return block.state == Block::State::kDone; }

const Block* FindBlock(const std::vector<Block>& wave, int index) {
  for (const Block& block : wave) {
    if (block.index == index) return &block;
  }
  return nullptr;
}

// Blocks a block waits for: the one that would set its flag, or all that have
// not come to the meeting.
std::vector<int> AwaitedBy(const Block& block, const std::vector<Block>& wave) {
  if (block.state == Block::State::kWaiting) return {block.waiting_for};
  std::vector<int> absent;
  for (const Block& other : wave) {
    if (other.state != Block::State::kMeeting) absent.push_back(other.index);
  }
  return absent;
}

// "block 3", "blocks 1, 2 and 4", "blocks 0, 1, 2, 3, 4, 5 and 40 more".
std::string Blocks(const std::vector<int>& indices) {
  std::string text = indices.size() == 1 ? "block " : "blocks ";
  const size_t named = std::min(indices.size(), kMaxNamed);
  for (size_t i = 0; i < named; ++i) {
    if (i > 0) text += i + 1 == indices.size() ? " and " : ", ";
    text += std::to_string(indices[i]);
  }
  if (indices.size() > named) {
    text += fmt::format(" and {} more", indices.size() - named);
  }
  return text;
}

// What has become of the blocks waited for, as far as one sentence goes.
std::string StateOf(const std::vector<int>& awaited,
                    const std::vector<Block>& wave) {
  const Block* block = FindBlock(wave, awaited.front());
  if (block == nullptr) return "does not exist";
  if (IsDone(*block)) return "ended without it";
  return fmt::format("waits in {}", block->waiting_in);
}

// Blocks that wait for each other in a circle, the first one again at its end;
// empty when a block that ended breaks every chain.
std::vector<int> FindCircle(const std::vector<Block>& wave) {
  for (const Block& start : wave) {
    std::vector<int> path;
    const Block* at = &start;
    while (at != nullptr && !IsDone(*at)) {
      const auto seen = std::find(path.begin(), path.end(), at->index);
      if (seen != path.end()) {
        path.erase(path.begin(), seen);
        path.push_back(path.front());
        return path;
      }
      path.push_back(at->index);
      const Block* next = nullptr;
      for (const int index : AwaitedBy(*at, wave)) {
        const Block* other = FindBlock(wave, index);
        if (other != nullptr && !IsDone(*other)) next = other;
        if (next != nullptr) break;
      }
      at = next;
    }
  }
  return {};
}

}  // namespace

npu::Fault DescribeDeadlock(const std::vector<Block>& wave) {
  // Those that wait in one place for the same go together.
  std::map<std::tuple<uint64_t, std::string, std::vector<int>>,
           std::vector<const Block*>>
      groups;
  std::vector<std::string> calls;
  size_t done = 0;
  for (const Block& block : wave) {
    if (IsDone(block)) {
      ++done;
      continue;
    }
    groups[{block.waiting_pc, block.waiting_in, AwaitedBy(block, wave)}]
        .push_back(&block);
    if (std::find(calls.begin(), calls.end(), block.waiting_in) ==
        calls.end()) {
      calls.push_back(block.waiting_in);
    }
  }
  npu::Fault fault;
  fault.diagnostic.code = code::kS102;
  const Block& first = *std::find_if_not(wave.begin(), wave.end(), IsDone);
  fault.pc = first.waiting_pc;
  fault.diagnostic.core = first.core->Name();

  std::string where = calls.front();
  for (size_t i = 1; i < calls.size(); ++i) where += " or " + calls[i];
  std::string& message = fault.diagnostic.message;
  message = fmt::format(
      "deadlock: {} of {} blocks wait in {} and {} ended without it",
      wave.size() - done, wave.size(), where, done);
  const std::vector<int> circle = FindCircle(wave);
  for (size_t i = 0; i < circle.size(); ++i) {
    message += i == 0 ? fmt::format("; block {} waits", circle[i])
                      : fmt::format(" for block {}{}", circle[i],
                                    i + 1 < circle.size() ? ", that" : "");
  }
  for (const auto& [key, members] : groups) {
    if (fault.notes.size() == kMaxGroups) break;
    const std::vector<int>& awaited = std::get<2>(key);
    std::vector<int> indices;
    for (const Block* block : members) indices.push_back(block->index);
    std::string note =
        fmt::format("{} {} in {}", Blocks(indices),
                    indices.size() == 1 ? "waits" : "wait", std::get<1>(key));
    if (!members.front()->waiting_what.empty()) {
      note += " for " + members.front()->waiting_what;
    }
    if (!awaited.empty()) {
      note += fmt::format(
          ", which only {} could {}: {} {}", Blocks(awaited),
          members.front()->state == Block::State::kWaiting ? "set" : "complete",
          awaited.size() == 1 ? "it" : "the first of them",
          StateOf(awaited, wave));
    }
    fault.notes.push_back({std::move(note), std::get<0>(key)});
  }
  fault.diagnostic.fix =
      "every block must reach the calls the others wait for, also those "
      "without work";
  return fault;
}

}  // namespace belay::runtime
