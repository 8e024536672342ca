// SPDX-License-Identifier: Apache-2.0
#include "clock/traffic.h"

#include <algorithm>

namespace belay::clock {

Traffic::Traffic(const ClockSpec& spec, MemorySystem& memory)
    : spec_(spec), memory_(memory) {}

int Traffic::PortIndex(abi::Pipe pipe) {
  switch (pipe) {
    case abi::Pipe::kMte2:
      return 1;
    case abi::Pipe::kMte3:
      return 2;
    case abi::Pipe::kFix:
      return 3;
    default:
      return 0;
  }
}

Traffic::Port Traffic::MakePort(int core, abi::Pipe pipe, double rate,
                                double in_flight) const {
  Port port;
  port.core = core;
  port.pipe = pipe;
  port.sector = FromCycles(kSectorBytes / rate);
  port.window.resize(std::max<size_t>(1, static_cast<size_t>(in_flight)));
  if (pipe != abi::Pipe::kS) {
    port.interval = FromCycles(spec_.Value("mte.instruction"));
  }
  return port;
}

int Traffic::AddCore(bool cube) {
  const int core = static_cast<int>(ports_.size()) / kPorts;
  const double read_rate =
      spec_.Value(cube ? "mte.cube_read_rate" : "mte.vector_read_rate");
  const double reads = spec_.Value(cube ? "mte.cube_reads_in_flight"
                                        : "mte.vector_reads_in_flight");
  ports_.push_back(MakePort(core, abi::Pipe::kS, read_rate,
                            spec_.Value("scalar.stores_in_flight")));
  ports_.push_back(MakePort(core, abi::Pipe::kMte2, read_rate, reads));
  ports_.push_back(MakePort(core, abi::Pipe::kMte3,
                            spec_.Value("mte.write_rate"),
                            spec_.Value("mte.writes_in_flight")));
  ports_.push_back(MakePort(core, abi::Pipe::kFix,
                            spec_.Value("mte.fixpipe_rate"),
                            spec_.Value("mte.fixpipe_in_flight")));
  return core;
}

void Traffic::Start(int core, abi::Pipe pipe, Ticks at, const Record& record) {
  const auto index = static_cast<uint32_t>(core * kPorts + PortIndex(pipe));
  Port& port = ports_[index];
  if (record.kind == Kind::kGlobalScalar) {
    const GlobalScalarWork& scalar = record.global;
    port.cutter = RequestCutter({.address = scalar.address,
                                 .stride = 0,
                                 .bursts = 1,
                                 .burst_bytes = scalar.bytes,
                                 .memory = abi::Memory::kGm,
                                 .flags = 0,
                                 .local_offset = 0});
    port.write = scalar.write != 0;
    port.flags = 0;
  } else {
    port.cutter = RequestCutter(record.move);
    port.write = pipe != abi::Pipe::kMte2;
    port.flags = record.move.flags;
  }
  port.start = at;
  port.next = std::max(at, port.window[port.slot]);
  port.done = at;
  port.alone_next = at;
  port.alone_done = at;
  heap_.push_back({port.next, index});
  SiftUp(heap_.size() - 1);
}

void Traffic::Step(Port& port) {
  const Request request = port.cutter.Next();
  const MemorySystem::Answer answer =
      port.write
          ? memory_.Write(port.core, request, port.flags, port.next)
          : memory_.Read(port.core, request,
                         (port.flags & MoveWork::kBypassL2) != 0, port.next);
  const Ticks alone = answer.done - port.next - answer.waited;
  port.done = std::max(port.done, answer.done);
  port.alone_done = std::max(port.alone_done, port.alone_next + alone);
  const Ticks taking = request.sector_count * port.sector;
  port.alone_next += taking;
  port.window[port.slot] = answer.done;
  if (++port.slot == port.window.size()) port.slot = 0;
  port.next += taking;
}

bool Traffic::RunToFinish(Finished& finished) {
  while (!heap_.empty()) {
    Port& port = ports_[heap_[0].port];
    if (!port.cutter.IsDone()) Step(port);
    if (port.cutter.IsDone()) {
      heap_[0] = heap_.back();
      heap_.pop_back();
      if (!heap_.empty()) SiftDown(0);
      finished = {port.core,
                  port.pipe,
                  {std::max(port.next, port.start + port.interval), port.done,
                   port.done - port.alone_done}};
      return true;
    }
    memory_.Prefetch(port.cutter.NextLine());
    port.next = std::max(port.next, port.window[port.slot]);
    heap_[0].at = port.next;
    SiftDown(0);
  }
  return false;
}

void Traffic::SiftDown(size_t at) {
  const Waiting moving = heap_[at];
  const size_t size = heap_.size();
  while (true) {
    size_t child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && heap_[child + 1] < heap_[child]) ++child;
    if (!(heap_[child] < moving)) break;
    heap_[at] = heap_[child];
    at = child;
  }
  heap_[at] = moving;
}

void Traffic::SiftUp(size_t at) {
  const Waiting moving = heap_[at];
  while (at > 0) {
    const size_t parent = (at - 1) / 2;
    if (!(moving < heap_[parent])) break;
    heap_[at] = heap_[parent];
    at = parent;
  }
  heap_[at] = moving;
}

}  // namespace belay::clock
