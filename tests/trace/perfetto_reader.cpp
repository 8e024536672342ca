// SPDX-License-Identifier: Apache-2.0
#include "perfetto_reader.h"

#include <bit>
#include <sstream>
#include <stdexcept>

#include "wire_format.h"

namespace belay::trace {
namespace {

class TraceReader {
 public:
  ReadTrace Read(std::string_view bytes) {
    for (const Field& packet : ReadFields(bytes)) {
      if (packet.number != 1) throw std::runtime_error("not a packet");
      ++trace_.packets;
      Packet(ReadFields(packet.bytes));
    }
    for (const auto& [track, open] : open_) {
      if (!open.empty()) throw std::runtime_error("slice left open");
    }
    NameProcesses();
    return std::move(trace_);
  }

 private:
  using Strings = std::map<uint64_t, std::string>;

  void Packet(const std::vector<Field>& packet) {
    if (Value(packet, 10) == 0) throw std::runtime_error("no sequence");
    if (Has(packet, 60)) Track(ReadFields(All(packet, 60)[0].bytes));
    if (Value(packet, 13) & 1) cleared_ = true;
    if (Has(packet, 12)) Interned(ReadFields(All(packet, 12)[0].bytes));
    if (Has(packet, 11)) {
      if (!cleared_) throw std::runtime_error("state was never cleared");
      if (!Has(packet, 8)) throw std::runtime_error("event without a time");
      Event(Value(packet, 8), ReadFields(All(packet, 11)[0].bytes));
    }
  }

  void Track(const std::vector<Field>& fields) {
    ReadTrack track;
    track.parent = Value(fields, 5);
    track.name = Text(fields, 2);
    track.rank = static_cast<int>(Value(fields, 12));
    track.is_counter = Has(fields, 8);
    if (Has(fields, 3)) {
      const auto process = ReadFields(All(fields, 3)[0].bytes);
      track.process = Text(process, 6);
      processes_[Value(process, 1)] = track.process;
    }
    if (Has(fields, 4)) {
      const auto thread = ReadFields(All(fields, 4)[0].bytes);
      track.name = Text(thread, 5);
      pids_[Value(fields, 1)] = Value(thread, 1);
      if (!tids_.emplace(Value(thread, 2), Value(fields, 1)).second) {
        throw std::runtime_error("thread id given twice");
      }
    }
    if (!trace_.tracks.emplace(Value(fields, 1), track).second) {
      throw std::runtime_error("track described twice");
    }
  }

  void NameProcesses() {
    for (auto& [id, track] : trace_.tracks) {
      if (pids_.contains(id)) track.process = processes_.at(pids_[id]);
      if (track.is_counter) {
        track.process = trace_.tracks.at(track.parent).process;
      }
    }
  }

  void Interned(const std::vector<Field>& fields) {
    for (const Field& field : fields) {
      const auto entry = ReadFields(field.bytes);
      if (!strings_[field.number]
               .emplace(Value(entry, 1), Text(entry, 2))
               .second) {
        throw std::runtime_error("interned number given twice");
      }
      ++trace_.interned;
    }
  }

  std::string String(int table, uint64_t number) {
    const auto found = strings_[table].find(number);
    if (found == strings_[table].end()) {
      throw std::runtime_error("interned number never given");
    }
    return found->second;
  }

  void Event(uint64_t time, const std::vector<Field>& event) {
    const uint64_t track = Value(event, 11);
    if (!trace_.tracks.contains(track)) {
      throw std::runtime_error("event on a track that is not described");
    }
    switch (Value(event, 9)) {
      case 1:
        Begin(time, track, event);
        break;
      case 2:
        End(time, track);
        break;
      case 4:
        trace_.counts.push_back(
            {track, time, std::bit_cast<double>(Value(event, 44))});
        break;
      default:
        throw std::runtime_error("unknown type of event");
    }
  }

  void Begin(uint64_t time, uint64_t track, const std::vector<Field>& event) {
    ReadSlice slice;
    slice.track = track;
    slice.begin = time;
    slice.depth = static_cast<int>(open_[track].size());
    slice.name = String(2, Value(event, 10));
    slice.category = String(1, Value(event, 3));
    for (const Field& field : All(event, 4)) {
      const auto annotation = ReadFields(field.bytes);
      std::ostringstream text;
      if (Has(annotation, 3)) text << Value(annotation, 3);
      if (Has(annotation, 5)) {
        text << std::bit_cast<double>(Value(annotation, 5));
      }
      if (Has(annotation, 17)) text << String(29, Value(annotation, 17));
      slice.arguments[String(3, Value(annotation, 1))] = text.str();
    }
    for (const Field& flow : All(event, 47))
      slice.leaving.push_back(flow.value);
    for (const Field& flow : All(event, 48)) {
      slice.arriving.push_back(flow.value);
    }
    CheckOrder(time, track);
    open_[track].push_back(trace_.slices.size());
    trace_.slices.push_back(slice);
  }

  void End(uint64_t time, uint64_t track) {
    if (open_[track].empty()) throw std::runtime_error("end without a begin");
    CheckOrder(time, track);
    trace_.slices[open_[track].back()].end = time;
    open_[track].pop_back();
  }

  void CheckOrder(uint64_t time, uint64_t track) {
    if (time < last_[track]) throw std::runtime_error("events out of order");
    last_[track] = time;
  }

  ReadTrace trace_;
  bool cleared_ = false;
  std::map<uint64_t, std::string> processes_;  // by pid
  std::map<uint64_t, uint64_t> pids_;          // by track
  std::map<uint64_t, uint64_t> tids_;
  std::map<int, Strings> strings_;
  std::map<uint64_t, std::vector<size_t>> open_;
  std::map<uint64_t, uint64_t> last_;
};

}  // namespace

std::vector<ReadSlice> ReadTrace::On(std::string_view process,
                                     std::string_view thread) const {
  std::vector<ReadSlice> found;
  for (const ReadSlice& slice : slices) {
    const ReadTrack& track = tracks.at(slice.track);
    if (track.process == process && track.name == thread) {
      found.push_back(slice);
    }
  }
  return found;
}

std::vector<ReadCount> ReadTrace::Counter(std::string_view process,
                                          std::string_view name) const {
  std::vector<ReadCount> found;
  for (const ReadCount& count : counts) {
    const ReadTrack& track = tracks.at(count.track);
    if (track.process == process && track.name == name) found.push_back(count);
  }
  return found;
}

ReadTrace ReadPerfetto(std::string_view bytes) {
  return TraceReader().Read(bytes);
}

}  // namespace belay::trace
