// SPDX-License-Identifier: Apache-2.0
#include "clock/what_if.h"

#include <utility>
#include <vector>

#include "clock/iterations.h"

namespace belay::clock {
namespace {

// What pipe MTE2 does: loads, and flags it sets and waits for.
bool IsLoading(const Record& record) {
  switch (record.kind) {
    case Kind::kMove:
      return record.pipe == abi::Pipe::kMte2;
    case Kind::kSetFlag:
      return record.sync.from == abi::Pipe::kMte2;
    case Kind::kWaitFlag:
      return record.sync.to == abi::Pipe::kMte2;
    default:
      return false;
  }
}

}  // namespace

std::optional<LaunchLog> WithBlocks(const LaunchLog& log, int blocks) {
  const auto anchor = FindMainLoop(log);
  if (!BlocksAreAlone(log)) return std::nullopt;
  std::vector<Passes> all;
  std::vector<std::pair<size_t, size_t>> units;  // block, pass
  for (const BlockLog& block : log.logs) {
    Passes passes;
    if (anchor) {
      passes = SplitIntoPasses(block.records, *anchor);
    } else {
      // Every block is one pass.
      Sequence::Cursor cursor(block.records);
      Record record;
      while (cursor.Next(record)) passes.records.push_back(record);
      if (!passes.records.empty()) passes.starts = {0};
    }
    for (size_t pass = 0; pass < passes.count(); ++pass) {
      units.emplace_back(all.size(), pass);
    }
    all.push_back(std::move(passes));
  }
  if (units.size() < static_cast<size_t>(blocks)) {
    blocks = static_cast<int>(units.size());
  }
  if (blocks == 0) return std::nullopt;
  LaunchLog dealt = FrameOf(log);
  dealt.blocks = blocks;
  for (int i = 0; i < blocks; ++i) {
    const size_t begin = units.size() * i / blocks;
    const size_t end = units.size() * (i + 1) / blocks;
    const Passes& form = all[units[begin].first];
    std::vector<Record> out;
    AppendPrologue(form, out);
    for (size_t at = begin; at < end; ++at) {
      AppendPass(form, FormOf(form, at - begin), all[units[at].first],
                 units[at].second, out);
    }
    BlockLog like;
    like.block = like.core = i;
    AddBlock(dealt, like, out);
  }
  return dealt;
}

std::optional<LaunchLog> Staggered(const LaunchLog& log) {
  const auto anchor = FindMainLoop(log);
  if (!anchor || log.logs.size() < 2 || !BlocksAreAlone(log)) {
    return std::nullopt;
  }
  LaunchLog staggered = FrameOf(log);
  for (size_t i = 0; i < log.logs.size(); ++i) {
    const Passes passes = SplitIntoPasses(log.logs[i].records, *anchor);
    std::vector<Record> out;
    AppendPrologue(passes, out);
    for (size_t pass = 0; pass < passes.count(); ++pass) {
      const size_t shift = passes.count() * i / log.logs.size();
      AppendPass(passes, pass, passes, (pass + shift) % passes.count(), out);
    }
    AddBlock(staggered, log.logs[i], out);
  }
  return staggered;
}

std::optional<LaunchLog> WithEarlierLoads(const LaunchLog& log) {
  const auto anchor = FindMainLoop(log);
  if (!anchor || !BlocksAreAlone(log)) return std::nullopt;
  LaunchLog earlier = FrameOf(log);
  for (const BlockLog& block : log.logs) {
    const Passes passes = SplitIntoPasses(block.records, *anchor);
    std::vector<Record> out;
    AppendPrologue(passes, out);
    const auto append = [&](size_t pass, bool loads) {
      for (size_t i = passes.begin(pass); i < passes.end(pass); ++i) {
        if (IsLoading(passes.records[i]) == loads) {
          out.push_back(passes.records[i]);
        }
      }
    };
    for (size_t pass = 0; pass < passes.count(); ++pass) {
      if (pass == 0) append(0, /*loads=*/true);
      if (pass + 1 < passes.count()) append(pass + 1, /*loads=*/true);
      append(pass, /*loads=*/false);
    }
    AddBlock(earlier, block, out);
  }
  return earlier;
}

LaunchLog Shortened(const LaunchLog& log, uint64_t factor) {
  const auto anchor = FindMainLoop(log);
  if (!anchor || factor < 2 || !BlocksAreAlone(log)) return log;
  LaunchLog shorter = FrameOf(log);
  for (const BlockLog& block : log.logs) {
    uint64_t passes = 0;
    block.records.ForEachFolded([&](const Record& record, uint64_t times) {
      if (record.kind == Kind::kMove && record.place == *anchor) {
        passes += times;
      }
    });
    const uint64_t kept = (passes + factor - 1) / factor;
    BlockLog& out = shorter.logs.emplace_back();
    out.block = block.block;
    out.core = block.core;
    out.cube = block.cube;
    Sequence::Cursor cursor(block.records);
    Record record;
    for (uint64_t begun = 0; cursor.Next(record);) {
      if (record.kind == Kind::kMove && record.place == *anchor &&
          ++begun > kept) {
        break;
      }
      out.records.Append(record);
    }
    out.records.Close();
  }
  return shorter;
}

}  // namespace belay::clock
