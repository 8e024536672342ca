// SPDX-License-Identifier: Apache-2.0
#include "trace/slice_kind.h"

#include <fmt/format.h>

#include "npu/names.h"

namespace belay::trace {
namespace {

using clock::Kind;
using clock::Record;

// The pipe whose queue the record goes to.
abi::Pipe OwnPipe(const Record& record) {
  switch (record.kind) {
    case Kind::kSetFlag:
      return record.sync.from;
    case Kind::kWaitFlag:
    case Kind::kOrder:
      return record.sync.to;
    case Kind::kBarrier:
      return record.sync.from == abi::Pipe::kAll ? abi::Pipe::kS
                                                 : record.sync.from;
    default:
      return record.pipe;
  }
}

bool IsIssue(const clock::Span& span) {
  return span.pipe == abi::Pipe::kS && OwnPipe(*span.record) != abi::Pipe::kS;
}

std::string Counted(uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string OperationName(const Record& record) {
  if (record.op != abi::Op::kInvalid) {
    return std::string(npu::NameOf(record.op));
  }
  switch (record.kind) {
    case Kind::kVector:
      return "Vector";
    case Kind::kMove:
      return "DataCopy";
    case Kind::kLoad:
      return "LoadData";
    case Kind::kMmad:
      return "Mmad";
    case Kind::kSetFlag:
      return "SetFlag";
    case Kind::kWaitFlag:
      return "WaitFlag";
    case Kind::kBarrier:
      return "PipeBarrier";
    case Kind::kOrder:
      return "compiler order";
    case Kind::kMeet:
      return "SyncAll";
    case Kind::kNotify:
      return "Notify";
    case Kind::kAwait:
      return "Await";
    case Kind::kTellCores:
      return "CrossCoreSetFlag";
    case Kind::kAwaitCores:
      return "CrossCoreWaitFlag";
    case Kind::kGlobalScalar:
      return record.global.write ? "Store" : "Load";
    case Kind::kCacheClean:
      return "DataCacheCleanAndInvalid";
    case Kind::kReadClock:
      return "GetSystemCycle";
    case Kind::kScalar:
    case Kind::kBuffer:
      return "Scalar";
  }
  return "Scalar";
}

uint64_t BytesMoved(const Record& record) {
  return uint64_t{record.move.bursts} * record.move.burst_bytes;
}

std::string NameOf(const clock::Span& span) {
  const Record& record = *span.record;
  const std::string operation = OperationName(record);
  if (IsIssue(span)) return "issue " + operation;
  switch (record.kind) {
    case Kind::kVector:
      return fmt::format("{} {}", operation,
                         Counted(record.vector.repeats, "repeat"));
    case Kind::kMove:
      return fmt::format("{} {}", operation, SizeText(BytesMoved(record)));
    case Kind::kLoad:
      return fmt::format("{} {}", operation, SizeText(record.cube.bytes));
    case Kind::kMmad:
      return fmt::format("{} {}", operation,
                         Counted(record.cube.steps, "step"));
    case Kind::kSetFlag:
    case Kind::kWaitFlag:
      return fmt::format("{} {}_{} {}", operation,
                         npu::NameOf(record.sync.from),
                         npu::NameOf(record.sync.to), record.sync.id);
    case Kind::kBarrier:
      return fmt::format("{} {}", operation, npu::NameOf(record.sync.from));
    case Kind::kTellCores:
    case Kind::kAwaitCores:
      return fmt::format("{} {}", operation, record.sync.id);
    case Kind::kGlobalScalar:
      return fmt::format("{} {} of GM", operation,
                         SizeText(record.global.bytes));
    case Kind::kCacheClean:
      return fmt::format("{} {}", operation, Counted(record.lines, "line"));
    default:
      return operation;
  }
}

std::string_view CategoryOf(const clock::Span& span) {
  if (IsIssue(span)) return "scalar";
  switch (span.record->kind) {
    case Kind::kVector:
      return "vector";
    case Kind::kMove:
      return "move";
    case Kind::kLoad:
    case Kind::kMmad:
      return "cube";
    case Kind::kSetFlag:
    case Kind::kWaitFlag:
    case Kind::kBarrier:
    case Kind::kOrder:
    case Kind::kMeet:
    case Kind::kNotify:
    case Kind::kAwait:
    case Kind::kTellCores:
    case Kind::kAwaitCores:
      return "sync";
    default:
      return "scalar";
  }
}

std::vector<std::pair<std::string_view, uint64_t>> SizesOf(
    const clock::Span& span) {
  const Record& record = *span.record;
  if (IsIssue(span)) return {};
  switch (record.kind) {
    case Kind::kVector:
      return {{"repeats", record.vector.repeats},
              {"elements", record.vector.elements}};
    case Kind::kMove:
      return {{"bytes", BytesMoved(record)},
              {"bursts", record.move.bursts},
              {"burst bytes", record.move.burst_bytes}};
    case Kind::kLoad:
      return {{"bytes", record.cube.bytes}};
    case Kind::kMmad:
      return {{"steps", record.cube.steps}};
    case Kind::kGlobalScalar:
      return {{"bytes", record.global.bytes}};
    case Kind::kCacheClean:
      return {{"lines", record.lines}};
    default:
      return {};
  }
}

uint64_t Pack(uint64_t high, uint64_t low) { return high << 32 | low; }

}  // namespace

std::string SizeText(uint64_t bytes) {
  constexpr uint64_t kKilo = 1024;
  constexpr uint64_t kMega = kKilo * kKilo;
  const uint64_t unit = bytes >= kMega ? kMega : bytes >= kKilo ? kKilo : 1;
  const char* name = unit == kMega ? "MB" : unit == kKilo ? "KB" : "B";
  if (bytes % unit == 0) return fmt::format("{} {}", bytes / unit, name);
  return fmt::format("{:.3g} {}", static_cast<double>(bytes) / unit, name);
}

std::string CoreName(int core, bool cube) {
  return fmt::format("{} {}", cube ? "aic" : "aiv", core);
}

std::string_view CauseText(clock::Cause cause) {
  switch (cause) {
    case clock::Cause::kIssue:
      return "not issued yet";
    case clock::Cause::kFlag:
      return "flag of another pipe";
    case clock::Cause::kBarrier:
      return "barrier";
    case clock::Cause::kOrder:
      return "order put in by the compiler";
    case clock::Cause::kQueueFull:
      return "queue of another pipe full";
    case clock::Cause::kMemory:
      return "scalar access to global memory";
    case clock::Cause::kBlocks:
      return "other blocks";
    case clock::Cause::kStart:
      return "before the first instruction";
    case clock::Cause::kEnd:
      return "after the last instruction";
    case clock::Cause::kNone:
    case clock::Cause::kCount:
      return "";
  }
  return "";
}

SliceKinds::Key SliceKinds::KeyOf(const clock::Span& span) {
  const Record& record = *span.record;
  const bool issue = IsIssue(span);
  Key key{.place = record.place,
          .shape = {0, 0},
          .what = static_cast<uint32_t>(record.kind) |
                  static_cast<uint32_t>(record.op) << 8 |
                  static_cast<uint32_t>(issue) << 31};
  if (issue) return key;
  switch (record.kind) {
    case Kind::kVector:
      key.shape[0] = record.vector.repeats;
      key.shape[1] = record.vector.elements;
      break;
    case Kind::kMove:
      key.shape[0] = record.move.bursts;
      key.shape[1] = record.move.burst_bytes;
      break;
    case Kind::kLoad:
    case Kind::kMmad:
      key.shape[0] = record.cube.steps;
      key.shape[1] = record.cube.bytes;
      break;
    case Kind::kSetFlag:
    case Kind::kWaitFlag:
    case Kind::kBarrier:
      key.shape[0] = Pack(static_cast<uint64_t>(record.sync.from),
                          static_cast<uint64_t>(record.sync.to));
      key.shape[1] = record.sync.id;
      break;
    case Kind::kGlobalScalar:
      key.shape[0] = record.global.bytes;
      key.shape[1] = record.global.write;
      break;
    case Kind::kCacheClean:
      key.shape[0] = record.lines;
      break;
    default:
      break;
  }
  return key;
}

size_t SliceKinds::Hash::operator()(const Key& key) const {
  uint64_t hash = key.what;
  for (const uint64_t part : {key.place, key.shape[0], key.shape[1]}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash;
}

uint32_t SliceKinds::Find(const clock::Span& span) {
  const auto [found, added] =
      index_.try_emplace(KeyOf(span), static_cast<uint32_t>(kinds_.size()));
  if (added) {
    kinds_.push_back(SliceKind{.name = NameOf(span),
                               .category = CategoryOf(span),
                               .place = span.record->place,
                               .sizes = SizesOf(span)});
  }
  return found->second;
}

}  // namespace belay::trace
