// SPDX-License-Identifier: Apache-2.0
#include "legal_orders.h"

#include <algorithm>
#include <cstring>
#include <queue>
#include <random>
#include <set>

#include "npu/execute.h"
#include "npu/hidden_scratch.h"
#include "npu/names.h"
#include "npu/requirements.h"
#include "npu/requirements_by_data.h"
#include "npu/transfer.h"

namespace belay::orders {
namespace {

constexpr uint64_t kLine = npu::DataCache::kLineBytes;

std::byte* At(uint64_t address) {
  return reinterpret_cast<std::byte*>(address);
}

// Bytes an event adds to what was seen.
size_t SeenBytes(const Event& event) {
  switch (event.kind) {
    case Event::Kind::kScalar:
      return event.write ? 0 : event.bytes;
    case Event::Kind::kRegister:
      return sizeof(uint64_t);
    case Event::Kind::kInstruction:
      return event.instruction.op == abi::Op::kGatherMask ? sizeof(uint64_t)
                                                          : 0;
    default:
      return 0;
  }
}

// Registers that vector instructions leave behind; the others are found as the
// scalar unit set them.
void CarryResults(const npu::VectorState& from, npu::VectorState& to) {
  std::ranges::copy(from.compare_mask, to.compare_mask);
  std::ranges::copy(from.merged, to.merged);
  to.gathered = from.gathered;
  to.reduced_sum = from.reduced_sum;
  to.reduced_value = from.reduced_value;
  to.reduced_index = from.reduced_index;
}

uint64_t ReadRegister(const npu::VectorState& state, abi::Register which) {
  switch (which) {
    case abi::Register::kReducedSum:
      return state.reduced_sum;
    case abi::Register::kReducedValue:
      return state.reduced_value;
    case abi::Register::kReducedIndex:
      return state.reduced_index;
    case abi::Register::kGathered:
      return state.gathered;
    case abi::Register::kMerged: {
      uint64_t bits = 0;
      std::memcpy(&bits, state.merged, sizeof bits);
      return bits;
    }
    default:
      return 0;  // set by the scalar unit itself, in order
  }
}

}  // namespace

LegalOrders::LegalOrders(const Recording& recording, bool auto_sync,
                         npu::Chip& chip)
    : recording_(recording),
      chip_(chip),
      nodes_(BuildOrderGraph(recording, auto_sync, chip)),
      before_(nodes_.size()) {
  for (size_t i = 0; i < nodes_.size(); ++i) {
    std::vector<int>& after = nodes_[i].after;
    std::ranges::sort(after);
    after.erase(std::unique(after.begin(), after.end()), after.end());
    for (const int node : after) before_[node].push_back(static_cast<int>(i));
  }
  ByteRanges written;
  ByteRanges restored;
  ByteRanges touched;
  std::set<int> slots;
  for (const Event& event : recording.events) {
    slots.insert(event.slot);
    for (const Touch& touch : event.touches) {
      if (chip.on_chip().Spans(touch.begin)) continue;
      touched.Add(touch.begin, touch.end);
      if (!touch.write) continue;
      written.Add(touch.begin, touch.end);
      restored.Add(touch.begin / kLine * kLine,
                   (touch.end + kLine - 1) / kLine * kLine);
    }
    seen_at_.push_back(seen_bytes_);
    seen_bytes_ += SeenBytes(event);
  }
  slots_.assign(slots.begin(), slots.end());
  written_ = written.List();
  restored_ = restored.List();
  fresh_ = recording.fresh.Common(touched);
}

npu::Core& LegalOrders::CoreOf(const Event& event) {
  const int vector_cores = chip_.spec().vector_cores;
  return event.slot < vector_cores ? chip_.VectorCore(event.slot)
                                   : chip_.CubeCore(event.slot - vector_cores);
}

void LegalOrders::Prepare(int fill) {
  for (const ByteRange& range : restored_) {
    std::memcpy(At(range.begin), recording_.Before(range.begin),
                range.end - range.begin);
  }
  for (const ByteRange& range : fresh_) {
    std::memset(At(range.begin), fill, range.end - range.begin);
  }
  for (const int slot : slots_) {
    Event any;
    any.slot = slot;
    npu::Core& core = CoreOf(any);
    core.vector = npu::VectorState{};
    core.cache.Invalidate();
    for (const auto memory : {abi::Memory::kUb, abi::Memory::kL1}) {
      if (!chip_.on_chip().Has(slot, memory)) continue;
      std::memset(At(chip_.on_chip().Base(slot, memory)), fill,
                  chip_.spec().BytesOf(memory));
    }
  }
}

void LegalOrders::ExecuteInstruction(const Event& event, Outcome& outcome) {
  npu::Core& core = CoreOf(event);
  const abi::Instruction& instruction = event.instruction;
  switch (npu::FamilyOf(instruction.op)) {
    case npu::Family::kTransfer:
      return npu::ExecuteTransfer(instruction, event.state);
    case npu::Family::kCache:
      if (instruction.cache.entire) {
        core.cache.CleanAndInvalidateAll();
      } else {
        core.cache.CleanAndInvalidate(instruction.cache.address);
      }
      return;
    default:
      break;
  }
  if (!event.is_vector) return;
  npu::RequireByData(chip_, core, instruction, event.lanes);
  const npu::HiddenScratch scratch =
      npu::HiddenScratchOf(chip_.spec(), instruction, event.lanes);
  if (scratch.bytes != 0) {
    std::memset(
        At(chip_.on_chip().Base(core.slot, abi::Memory::kUb) + scratch.offset),
        npu::kPoison, scratch.bytes);
  }
  npu::VectorState state = event.state;
  CarryResults(core.vector, state);
  npu::ExecuteVector(instruction, event.lanes, state);
  CarryResults(state, core.vector);
  if (instruction.op == abi::Op::kGatherMask) {
    const size_t index = static_cast<size_t>(&event - &recording_.events[0]);
    std::memcpy(&outcome.seen[seen_at_[index]], &state.gathered,
                sizeof(uint64_t));
  }
}

void LegalOrders::ExecuteScalar(int index, const Event& event,
                                Outcome& outcome) {
  npu::Core& core = CoreOf(event);
  const bool through_cache =
      !event.direct && !chip_.on_chip().Spans(event.address);
  if (event.write) {
    void* to = through_cache ? core.cache.Store(event.address, event.bytes)
                             : At(event.address);
    std::memcpy(to, event.value.data(), event.bytes);
    return;
  }
  const void* from = through_cache ? core.cache.Load(event.address, event.bytes)
                                   : At(event.address);
  std::memcpy(&outcome.seen[seen_at_[index]], from, event.bytes);
}

void LegalOrders::ExecuteEvent(int index, Outcome& outcome) {
  const Event& event = recording_.events[index];
  switch (event.kind) {
    case Event::Kind::kInstruction:
      return ExecuteInstruction(event, outcome);
    case Event::Kind::kScalar:
      return ExecuteScalar(index, event, outcome);
    case Event::Kind::kRegister: {
      const uint64_t value = ReadRegister(CoreOf(event).vector, event.which);
      std::memcpy(&outcome.seen[seen_at_[index]], &value, sizeof value);
      return;
    }
    case Event::Kind::kBlockEnd:
      return CoreOf(event).cache.CleanAndInvalidateAll();
    default:
      return;
  }
}

Outcome LegalOrders::Execute(const std::vector<int>& order, int fill) {
  Prepare(fill);
  Outcome outcome;
  outcome.seen.resize(seen_bytes_);
  try {
    for (const int node : order) {
      if (nodes_[node].event >= 0) ExecuteEvent(nodes_[node].event, outcome);
    }
  } catch (npu::Trap& trap) {
    outcome.trap = trap.fault().diagnostic.code;
  }
  for (const ByteRange& range : written_) {
    outcome.memory.insert(outcome.memory.end(), At(range.begin), At(range.end));
  }
  return outcome;
}

std::vector<int> LegalOrders::ProgramOrder() const {
  std::vector<int> order(nodes_.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  return order;
}

// Pipes of cores get random ranks; a pipe takes the oldest, the newest or any
// of what it may take; in some orders ranks count, in some not.
std::vector<int> LegalOrders::RandomOrder(uint64_t seed) const {
  std::mt19937_64 random(seed);
  const bool by_rank = random() % 4 != 0;
  std::vector<uint32_t> rank(chip_.on_chip().slots() * 8);
  for (uint32_t& value : rank) value = random() % 4096;
  std::vector<int> habit(rank.size());
  for (int& value : habit) value = static_cast<int>(random() % 3);
  const auto priority = [&](int node) -> uint64_t {
    const int index = nodes_[node].event;
    if (index < 0) return UINT64_MAX;  // takes no time
    const Event& event = recording_.events[index];
    const size_t pipe = event.slot * 8 + static_cast<size_t>(event.pipe);
    const uint64_t age = habit[pipe] == 0   ? nodes_.size() - node
                         : habit[pipe] == 1 ? static_cast<uint64_t>(node)
                                            : random() % nodes_.size();
    return (by_rank ? uint64_t{rank[pipe]} : random() % 8) << 32 | age;
  };
  std::priority_queue<std::pair<uint64_t, int>> ready;
  std::vector<size_t> missing(nodes_.size());
  for (size_t i = 0; i < nodes_.size(); ++i) {
    missing[i] = nodes_[i].after.size();
    if (missing[i] == 0) {
      ready.emplace(priority(static_cast<int>(i)), static_cast<int>(i));
    }
  }
  std::vector<int> order;
  order.reserve(nodes_.size());
  while (!ready.empty()) {
    const int node = ready.top().second;
    ready.pop();
    order.push_back(node);
    for (const int next : before_[node]) {
      if (--missing[next] == 0) ready.emplace(priority(next), next);
    }
  }
  return order;
}

Outcome LegalOrders::RunProgramOrder() {
  return Execute(ProgramOrder(), npu::kPoison);
}

Outcome LegalOrders::Run(uint64_t seed) {
  std::mt19937_64 random(~seed);
  return Execute(RandomOrder(seed), static_cast<int>(random() % 256));
}

int LegalOrders::CountDiffering(const Outcome& expected, uint64_t seed,
                                int orders, bool stop) {
  int differing = 0;
  for (int i = 0; i < orders; ++i) {
    if (Run(seed + i) == expected) continue;
    ++differing;
    if (stop) break;
  }
  return differing;
}

}  // namespace belay::orders
