// SPDX-License-Identifier: Apache-2.0
#include "check/race_report.h"

#include <fmt/format.h>

#include "base/catalogue.h"
#include "npu/names.h"

namespace belay::check {
namespace {

using Kind = RaceAccess::Kind;
using Rule = RacePair::Rule;

std::string_view Does(Kind kind) {
  switch (kind) {
    case Kind::kRead:
      return "reads";
    case Kind::kWrite:
      return "writes";
    case Kind::kAtomic:
      return "accumulates into";
  }
  return "";
}

std::string_view Doing(Kind kind) {
  switch (kind) {
    case Kind::kRead:
      return "reading";
    case Kind::kWrite:
      return "writing";
    case Kind::kAtomic:
      return "accumulating into";
  }
  return "";
}

const char* CodeOf(const RacePair& pair, bool same_core) {
  switch (pair.rule) {
    case Rule::kNotCleaned:
      return code::kR106;
    case Rule::kStaleLine:
      return code::kR107;
    case Rule::kSharedLine:
      return code::kR108;
    case Rule::kUnordered:
      break;
  }
  if (!same_core) return pair.equal_bytes ? code::kR105 : code::kR104;
  if (pair.later == Kind::kRead) return code::kR101;
  return pair.earlier.kind() == Kind::kRead ? code::kR102 : code::kR103;
}

constexpr std::string_view kCleanFix =
    "call DataCacheCleanAndInvalid on the line after the store, then order the "
    "two accesses by a flag, or write global memory by DataCopy";

}  // namespace

std::string RaceReporter::CoreName(int slot) const {
  const int vectors = chip_.spec().vector_cores;
  return slot < vectors ? fmt::format("aiv {}", slot)
                        : fmt::format("aic {}", slot - vectors);
}

std::string RaceReporter::CallName(const RaceAccess& access, Kind kind) const {
  const RaceSite& site = sites_[access.site];
  const bool reads = kind == Kind::kRead;
  switch (site.call) {
    case RaceSite::Call::kScalar:
      return reads ? "scalar load" : "scalar store";
    case RaceSite::Call::kValue:
      return reads ? "GetValue" : "SetValue";
    case RaceSite::Call::kRegister:
      return "register read";
    case RaceSite::Call::kInstruction:
      break;
  }
  return std::string(npu::NameOf(site.op));
}

std::string RaceReporter::Place(const RacePair& pair, int slot) const {
  if (RegisterShadow::Holds(pair.begin)) {
    return "the register of the result";
  }
  const auto place = chip_.on_chip().Locate(pair.begin);
  if (place) {
    return fmt::format("bytes {} to {} of {}", place->offset,
                       place->offset + (pair.end - pair.begin),
                       npu::NameOf(place->memory));
  }
  const npu::GlobalMemory::Allocation* allocation =
      chip_.global().Below(pair.begin);
  if (allocation == nullptr) {
    return fmt::format("{} bytes at {:#x} of {}", pair.end - pair.begin,
                       pair.begin, CoreName(slot));
  }
  return fmt::format("bytes {} to {} of {}", pair.begin - allocation->base,
                     pair.end - allocation->base, allocation->Describe());
}

void RaceReporter::Report(const npu::Core& core, const RaceAccess& later,
                          const RacePair& pair) {
  const RaceAccess& earlier = pair.earlier;
  const bool same_core = earlier.slot == later.slot;
  const char* code = CodeOf(pair, same_core);
  const uint64_t pc = sites_[later.site].pc;
  const uint64_t earlier_pc = sites_[earlier.site].pc;
  if (findings_.CountIfKnown(code, pc, earlier_pc)) return;

  const std::string name = CallName(later, pair.later);
  const std::string other = CallName(earlier, earlier.kind());
  const std::string_view pipe = npu::NameOf(later.pipe());
  const std::string_view other_pipe = npu::NameOf(earlier.pipe());
  const std::string other_core = CoreName(earlier.slot);
  npu::Fault fault;
  Diagnostic& diagnostic = fault.diagnostic;
  diagnostic.code = code;
  diagnostic.severity = FindCode(code)->severity;
  diagnostic.core = core.Name();
  diagnostic.pipe = pipe;
  fault.pc = pc;
  const std::string what = fmt::format(
      "[{}] {}{}{} {}", name, pair.role, pair.role.empty() ? "" : " ",
      Does(pair.later), Place(pair, later.slot));
  switch (pair.rule) {
    case Rule::kUnordered:
      if (!same_core) {
        diagnostic.message = fmt::format(
            "{}, which {} ({} on pipe {}) {}: nothing orders the two cores{}",
            what, other_core, other, other_pipe, Does(earlier.kind()),
            pair.equal_bytes ? "; both write the same bytes this time" : "");
        diagnostic.fix =
            IsCube(earlier.slot) != (core.type == npu::CoreType::kCube)
                ? fmt::format(
                      "CrossCoreSetFlag<2, PIPE_{}>(id) after the {} on {}, "
                      "CrossCoreWaitFlag(id) before the {} on {}",
                      other_pipe, other, other_core, name, core.Name())
                : "let each block work on bytes of its own, or call SyncAll() "
                  "between the two accesses";
      } else if (later.pipe() == earlier.pipe()) {
        diagnostic.message = fmt::format(
            "{} while {} before it on pipe {} may still be {} them: "
            "instructions of one pipe overlap",
            what, other, pipe, Doing(earlier.kind()));
        diagnostic.fix =
            fmt::format("PipeBarrier<PIPE_{}>() between the two", pipe);
      } else {
        diagnostic.message = fmt::format(
            "{} on pipe {} while {} on pipe {} may still be {} them: no flag "
            "makes {} wait for {}",
            what, pipe, other, other_pipe, Doing(earlier.kind()), pipe,
            other_pipe);
        diagnostic.fix = fmt::format(
            "SetFlag<HardEvent::{0}_{1}>(id) after the {2}, "
            "WaitFlag<HardEvent::{0}_{1}>(id) before the {3}; or pass the "
            "tensor through a TQue",
            other_pipe, pipe, other, name);
      }
      break;
    case Rule::kNotCleaned:
      diagnostic.message = fmt::format(
          "{}, which {} of {} has written through its data cache: the cache "
          "has not written them back",
          what, other, other_core);
      diagnostic.fix = kCleanFix;
      break;
    case Rule::kStaleLine:
      diagnostic.message = fmt::format(
          "{} from its data cache, which holds the bytes from before {} of {} "
          "on pipe {} wrote them",
          what, other, other_core, other_pipe);
      diagnostic.fix =
          "call DataCacheCleanAndInvalid on the line before the load, or use "
          "ReadGmByPassDCache";
      break;
    case Rule::kSharedLine:
      diagnostic.message = fmt::format(
          "[{}] {} into {} and {} of {} on pipe {} write the same 64-byte "
          "cache line without an order: the line is written back as a whole "
          "and one of them is lost",
          name, later.pipe() == abi::Pipe::kS ? "the store" : "the move",
          Place(pair, later.slot), other, other_core, other_pipe);
      diagnostic.fix =
          "give each writer whole lines of 64 bytes, or write global memory "
          "by DataCopy instead of scalar stores";
      break;
  }
  fault.notes.push_back(
      {fmt::format("{} of {} {} them here, on pipe {}", other, other_core,
                   earlier.kind() == Kind::kRead    ? "read"
                   : earlier.kind() == Kind::kWrite ? "wrote"
                                                    : "accumulated into",
                   other_pipe),
       earlier_pc});
  findings_.Add(std::move(fault));
}

}  // namespace belay::check
