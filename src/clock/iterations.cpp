// SPDX-License-Identifier: Apache-2.0
#include "clock/iterations.h"

#include <algorithm>
#include <map>

namespace belay::clock {
namespace {

struct Candidate {
  uint64_t bytes = 0;
  uint64_t most = 0;  // times in one block
  uint64_t order = 0;
};

bool TouchesGlobal(const Record& record) {
  return record.kind == Kind::kMove || record.kind == Kind::kGlobalScalar;
}

uint64_t& AddressOf(Record& record) {
  return record.kind == Kind::kMove ? record.move.address
                                    : record.global.address;
}

}  // namespace

std::optional<uint64_t> FindMainLoop(const LaunchLog& log) {
  std::map<uint64_t, Candidate> loads;
  std::map<uint64_t, Candidate> stores;
  uint64_t order = 0;
  for (const BlockLog& block : log.logs) {
    std::map<uint64_t, uint64_t> times;
    Sequence::Cursor cursor(block.records);
    Record record;
    while (cursor.Next(record)) {
      if (record.kind != Kind::kMove) continue;
      const bool load = record.pipe == abi::Pipe::kMte2;
      const auto [at, is_new] =
          (load ? loads : stores).try_emplace(record.place);
      if (is_new) at->second.order = order++;
      at->second.bytes +=
          uint64_t{record.move.bursts} * record.move.burst_bytes;
      at->second.most = std::max(at->second.most, ++times[record.place]);
    }
  }
  for (const auto* candidates : {&loads, &stores}) {
    const std::pair<const uint64_t, Candidate>* best = nullptr;
    for (const auto& candidate : *candidates) {
      if (candidate.second.most < 2) continue;
      if (best == nullptr || candidate.second.bytes > best->second.bytes ||
          (candidate.second.bytes == best->second.bytes &&
           candidate.second.order < best->second.order)) {
        best = &candidate;
      }
    }
    if (best != nullptr) return best->first;
  }
  return std::nullopt;
}

Passes SplitIntoPasses(const Sequence& sequence, uint64_t anchor) {
  Passes passes;
  passes.records.reserve(sequence.size());
  Sequence::Cursor cursor(sequence);
  Record record;
  while (cursor.Next(record)) {
    if (record.kind == Kind::kMove && record.place == anchor) {
      passes.starts.push_back(passes.records.size());
    }
    passes.records.push_back(record);
  }
  return passes;
}

void AppendPass(const Passes& form, size_t pass, const Passes& source,
                size_t from, std::vector<Record>& out) {
  // The loop's records come in the same order, so that the next one of the
  // same place is the one that belongs to it.
  size_t at = source.begin(from);
  const size_t end = source.end(from);
  for (size_t i = form.begin(pass); i < form.end(pass); ++i) {
    Record record = form.records[i];
    if (TouchesGlobal(record)) {
      for (size_t look = at; look < end; ++look) {
        Record other = source.records[look];
        if (other.place != record.place || other.kind != record.kind) continue;
        AddressOf(record) = AddressOf(other);
        at = look + 1;
        break;
      }
    }
    out.push_back(record);
  }
}

size_t FormOf(const Passes& form, size_t pass) {
  const size_t count = form.count();
  if (count < 3) return 0;
  if (pass + 1 < count) return pass;
  const size_t middle = count - 3;
  return middle + (pass - middle) % 2;
}

LaunchLog FrameOf(const LaunchLog& log) {
  LaunchLog frame;
  frame.kernel = log.kernel;
  frame.chip = log.chip;
  frame.blocks = log.blocks;
  frame.argument_bytes = log.argument_bytes;
  frame.tiling_bytes = log.tiling_bytes;
  frame.timing_only = log.timing_only;
  frame.pretended_reads = log.pretended_reads;
  frame.first_pretended_place = log.first_pretended_place;
  frame.scalar = log.scalar;
  frame.allocations = log.allocations;
  frame.places = log.places;
  return frame;
}

void AddBlock(LaunchLog& log, const BlockLog& like,
              const std::vector<Record>& records) {
  BlockLog& block = log.logs.emplace_back();
  block.block = like.block;
  block.core = like.core;
  block.cube = like.cube;
  for (const Record& record : records) block.records.Append(record);
  block.records.Close();
}

bool BlocksAreAlone(const LaunchLog& log) {
  for (const BlockLog& block : log.logs) {
    if (block.cube) return false;
    bool alone = true;
    block.records.ForEachFolded([&](const Record& record, uint64_t) {
      alone &= record.kind != Kind::kMeet && record.kind != Kind::kNotify &&
               record.kind != Kind::kAwait && record.kind != Kind::kTellCores &&
               record.kind != Kind::kAwaitCores;
    });
    if (!alone) return false;
  }
  return true;
}

void AppendPrologue(const Passes& passes, std::vector<Record>& out) {
  const size_t end =
      passes.count() == 0 ? passes.records.size() : passes.begin(0);
  out.insert(out.end(), passes.records.begin(), passes.records.begin() + end);
}

}  // namespace belay::clock
