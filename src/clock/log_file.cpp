// SPDX-License-Identifier: Apache-2.0
#include "clock/log_file.h"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <type_traits>

#include "base/error.h"
#include "clock/clock_spec.h"

namespace belay::clock {
namespace {

constexpr std::string_view kMagic = "BELAYLOG";
// Numbers stand in the file as they do in memory, so it belongs to machines of
// one byte order, and to one version of the records.
constexpr uint32_t kVersion = 2;
constexpr uint32_t kByteOrder = 0x01020304;

}  // namespace

class LogFile::Writer {
 public:
  template <typename T>
  void Number(T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void Text(const std::string& text) {
    Number<uint64_t>(text.size());
    bytes_ += text;
  }
  template <typename T>
  void List(const std::vector<T>& list) {
    static_assert(std::is_trivially_copyable_v<T>);
    Number<uint64_t>(list.size());
    bytes_.append(reinterpret_cast<const char*>(list.data()),
                  list.size() * sizeof(T));
  }
  void Add(const Sequence& sequence) {
    Number<uint64_t>(sequence.size_);
    Number<uint64_t>(sequence.nodes_.size());
    for (const Sequence::Node& node : sequence.nodes_) {
      Number(node.turns);
      Number(node.length);
    }
    List(sequence.leaves_);
  }
  void Add(const LaunchLog& log);

  std::string TakeBytes() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

void LogFile::Writer::Add(const LaunchLog& log) {
  Text(log.kernel);
  Text(log.chip);
  Number<int32_t>(log.blocks);
  Number(log.argument_bytes);
  Number(log.tiling_bytes);
  Number<uint8_t>(log.timing_only);
  Number(log.pretended_reads);
  Number(log.first_pretended_place);
  List(log.scalar);
  Number<uint64_t>(log.vector_costs.size());
  for (const std::string& name : log.vector_costs) Text(name);
  Number<uint64_t>(log.allocations.size());
  for (const LoggedAllocation& allocation : log.allocations) {
    Number(allocation.address);
    Number(allocation.bytes);
    Text(allocation.name);
  }
  Number<uint64_t>(log.places.size());
  for (const auto& [place, location] : log.places) {
    Number(place);
    Text(location.file);
    Number<int32_t>(location.line);
    Number<int32_t>(location.column);
    Text(location.function);
  }
  Number<uint64_t>(log.logs.size());
  for (const BlockLog& block : log.logs) {
    Number<int32_t>(block.block);
    Number<int32_t>(block.core);
    Number<uint8_t>(block.cube);
    Add(block.records);
    List(block.stored);
  }
}

class LogFile::Reader {
 public:
  Reader(const std::string& path, std::string bytes)
      : path_(path), bytes_(std::move(bytes)) {}

  [[noreturn]] void Refuse(std::string_view why) const {
    throw UserError(
        fmt::format("[log] '{}' {}: record the launch again", path_, why));
  }

  template <typename T>
  T Number() {
    T value;
    std::memcpy(static_cast<void*>(&value), Take(sizeof(T)), sizeof(T));
    return value;
  }
  std::string Text() {
    const auto size = Number<uint64_t>();
    return std::string(Take(size), size);
  }
  // How many entries of at least `bytes` each follow.
  uint64_t Count(size_t bytes) {
    const auto count = Number<uint64_t>();
    if (count > (bytes_.size() - at_) / bytes) RefuseDamaged();
    return count;
  }
  template <typename T>
  void List(std::vector<T>& list) {
    list.resize(Count(sizeof(T)));
    if (list.empty()) return;
    std::memcpy(static_cast<void*>(list.data()), Take(list.size() * sizeof(T)),
                list.size() * sizeof(T));
  }

  void Header();
  LaunchLog Launch();
  void End() const {
    if (at_ != bytes_.size()) RefuseDamaged();
  }

 private:
  [[noreturn]] void RefuseDamaged() const { Refuse("is damaged or cut off"); }
  const char* Take(uint64_t bytes) {
    if (bytes > bytes_.size() - at_) RefuseDamaged();
    at_ += bytes;
    return bytes_.data() + at_ - bytes;
  }
  Sequence Records(size_t scalars);
  void RequireSound(const Sequence& sequence, size_t scalars) const;
  void UseCostsOfNow(LaunchLog& log);

  static constexpr uint16_t kNoCost = 0xFFFF;

  const std::string& path_;
  const std::string bytes_;
  size_t at_ = 0;
  // Of each chip: its costs by name.
  std::map<std::string, std::map<std::string, uint16_t>> costs_;
};

void LogFile::Reader::Header() {
  if (bytes_.size() < kMagic.size() || !bytes_.starts_with(kMagic)) {
    Refuse("is not a log of Belay");
  }
  at_ = kMagic.size();
  const auto order = Number<uint32_t>();
  const auto version = Number<uint32_t>();
  if (order != kByteOrder || version != kVersion) {
    Refuse("was written by another version of Belay");
  }
}

Sequence LogFile::Reader::Records(size_t scalars) {
  Sequence sequence;
  sequence.size_ = Number<uint64_t>();
  sequence.nodes_.resize(Count(sizeof(uint64_t) + sizeof(uint32_t)));
  for (Sequence::Node& node : sequence.nodes_) {
    node.turns = Number<uint64_t>();
    node.length = Number<uint32_t>();
  }
  List(sequence.leaves_);
  RequireSound(sequence, scalars);
  sequence.closed_ = true;
  return sequence;
}

// Loops lie in each other, there is a record for each node without a loop, and
// they add up to the size.
void LogFile::Reader::RequireSound(const Sequence& sequence,
                                   size_t scalars) const {
  const std::vector<Sequence::Node>& nodes = sequence.nodes_;
  std::vector<size_t> ends = {nodes.size()};
  std::vector<unsigned __int128> times = {1};
  unsigned __int128 total = 0;
  size_t leaves = 0;
  unsigned __int128 last_turn = 0;  // records of one turn of a last loop
  for (size_t i = 0; i < nodes.size(); ++i) {
    while (i == ends.back()) {
      ends.pop_back();
      times.pop_back();
    }
    if (nodes[i].length == 0) {
      total += times.back();
      if (ends.size() > 1) last_turn += times.back() / times[1];
      ++leaves;
      continue;
    }
    const size_t end = i + 1 + nodes[i].length;
    if (end > ends.back() || ends.size() > Sequence::kLevels ||
        nodes[i].turns < 1 || total > UINT64_MAX ||
        times.back() * nodes[i].turns > UINT64_MAX) {
      RefuseDamaged();
    }
    if (ends.size() == 1) last_turn = 0;
    ends.push_back(end);
    times.push_back(times.back() * nodes[i].turns);
  }
  const bool may_go_on = ends.size() > 1;
  if (leaves != sequence.leaves_.size() || sequence.size_ < total ||
      sequence.size_ - total > (may_go_on ? last_turn : 0)) {
    RefuseDamaged();
  }
  for (const Sequence::Leaf& leaf : sequence.leaves_) {
    const Record& record = leaf.record;
    if (record.kind > Kind::kAwaitCores || record.pipe > abi::Pipe::kAll ||
        record.op >= abi::Op::kCount || record.scalar >= scalars) {
      RefuseDamaged();
    }
  }
}

LaunchLog LogFile::Reader::Launch() {
  LaunchLog log;
  log.kernel = Text();
  log.chip = Text();
  log.blocks = Number<int32_t>();
  log.argument_bytes = Number<uint64_t>();
  log.tiling_bytes = Number<uint64_t>();
  log.timing_only = Number<uint8_t>() != 0;
  log.pretended_reads = Number<uint64_t>();
  log.first_pretended_place = Number<uint64_t>();
  List(log.scalar);
  log.vector_costs.resize(Count(sizeof(uint64_t)));
  for (std::string& name : log.vector_costs) name = Text();
  log.allocations.resize(Count(3 * sizeof(uint64_t)));
  for (LoggedAllocation& allocation : log.allocations) {
    allocation.address = Number<uint64_t>();
    allocation.bytes = Number<uint64_t>();
    allocation.name = Text();
  }
  const uint64_t places = Count(4 * sizeof(uint64_t));
  for (uint64_t i = 0; i < places; ++i) {
    SourceLocation& location = log.places[Number<uint64_t>()];
    location.file = Text();
    location.line = Number<int32_t>();
    location.column = Number<int32_t>();
    location.function = Text();
  }
  log.logs.resize(Count(4 * sizeof(uint64_t)));
  for (BlockLog& block : log.logs) {
    block.block = Number<int32_t>();
    block.core = Number<int32_t>();
    block.cube = Number<uint8_t>() != 0;
    block.records = Records(log.scalar.size());
    List(block.stored);
  }
  UseCostsOfNow(log);
  return log;
}

// Costs are known by their names: the chip's table may have changed.
void LogFile::Reader::UseCostsOfNow(LaunchLog& log) {
  const auto [entry, is_new] = costs_.try_emplace(log.chip);
  std::map<std::string, uint16_t>& now = entry->second;
  if (is_new) {
    const ClockSpec spec = LoadClockSpec(log.chip);
    for (const VectorCost& cost : spec.vector_costs()) {
      now.emplace(cost.name, static_cast<uint16_t>(now.size()));
    }
  }
  std::vector<uint16_t> indices;
  for (const std::string& name : log.vector_costs) {
    const auto found = now.find(name);
    indices.push_back(found == now.end() ? kNoCost : found->second);
  }
  for (BlockLog& block : log.logs) {
    for (Sequence::Leaf& leaf : block.records.leaves_) {
      if (leaf.record.kind != Kind::kVector) continue;
      uint16_t& cost = leaf.record.vector.cost;
      if (log.vector_costs.empty() ? cost >= now.size()
                                   : cost >= indices.size()) {
        RefuseDamaged();
      }
      if (log.vector_costs.empty()) continue;
      if (indices[cost] == kNoCost) {
        Refuse(
            fmt::format("has instructions that the clock of {} does not "
                        "know ({})",
                        log.chip, log.vector_costs[cost]));
      }
      cost = indices[cost];
    }
  }
  log.vector_costs.clear();
}

std::string LogFile::Format(const std::vector<LaunchLog>& launches) {
  Writer writer;
  for (const char letter : kMagic) writer.Number(letter);
  writer.Number(kByteOrder);
  writer.Number(kVersion);
  writer.Number<uint64_t>(launches.size());
  for (const LaunchLog& log : launches) writer.Add(log);
  return writer.TakeBytes();
}

void LogFile::Write(const std::string& path,
                    const std::vector<LaunchLog>& launches) {
  const std::string bytes = Format(launches);
  std::ofstream out(path, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!out.flush()) {
    throw UserError(fmt::format("[log] cannot write '{}'", path));
  }
}

std::vector<LaunchLog> LogFile::Parse(std::string bytes,
                                      const std::string& name) {
  Reader reader(name, std::move(bytes));
  reader.Header();
  // A launch without blocks takes more than this.
  std::vector<LaunchLog> launches(reader.Count(8 * sizeof(uint64_t)));
  for (LaunchLog& log : launches) log = reader.Launch();
  reader.End();
  return launches;
}

std::vector<LaunchLog> LogFile::Read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UserError(fmt::format("[log] no file '{}'", path));
  return Parse(std::string((std::istreambuf_iterator<char>(in)), {}), path);
}

}  // namespace belay::clock
