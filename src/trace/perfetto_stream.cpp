// SPDX-License-Identifier: Apache-2.0
#include "trace/perfetto_stream.h"

namespace belay::trace {
namespace {

// Field numbers of Perfetto's messages.
namespace trace_field {
constexpr int kPacket = 1;
}
namespace packet_field {
constexpr int kTimestamp = 8;
constexpr int kSequenceId = 10;
constexpr int kTrackEvent = 11;
constexpr int kInternedData = 12;
constexpr int kSequenceFlags = 13;
constexpr int kTrackDescriptor = 60;
}  // namespace packet_field
namespace track_field {
constexpr int kUuid = 1;
constexpr int kName = 2;
constexpr int kProcess = 3;
constexpr int kThread = 4;
constexpr int kParent = 5;
constexpr int kCounter = 8;
constexpr int kRank = 12;
constexpr int kProcessOrdering = 19;
constexpr int kThreadOrdering = 20;
}  // namespace track_field
namespace process_field {
constexpr int kPid = 1;
constexpr int kName = 6;
}  // namespace process_field
namespace thread_field {
constexpr int kPid = 1;
constexpr int kTid = 2;
constexpr int kName = 5;
}  // namespace thread_field
namespace counter_field {
constexpr int kUnit = 3;
constexpr int kUnitName = 6;
}  // namespace counter_field
namespace event_field {
constexpr int kCategory = 3;
constexpr int kAnnotation = 4;
constexpr int kType = 9;
constexpr int kName = 10;
constexpr int kTrack = 11;
constexpr int kCounter = 44;
constexpr int kFlow = 47;
constexpr int kLastFlow = 48;
}  // namespace event_field
namespace annotation_field {
constexpr int kName = 1;
constexpr int kUnsigned = 3;
constexpr int kDouble = 5;
constexpr int kString = 17;  // interned
}  // namespace annotation_field
namespace interned_field {
constexpr int kNumber = 1;
constexpr int kText = 2;
}  // namespace interned_field

constexpr uint64_t kSequence = 1;
constexpr uint64_t kStateCleared = 1;
constexpr uint64_t kNeedsState = 2;
constexpr uint64_t kOrderByRank = 1;
constexpr uint64_t kSizeInBytes = 3;

enum EventType : uint64_t { kBegin = 1, kEnd = 2, kCount = 4 };

}  // namespace

PerfettoStream::PerfettoStream(std::ostream& output) : output_(output) {
  Message root;
  root.Varint(track_field::kUuid, 0);
  root.Varint(track_field::kProcessOrdering, kOrderByRank);
  root.Varint(track_field::kThreadOrdering, kOrderByRank);
  WriteTrack(root);
}

void PerfettoStream::Process(uint64_t track, int pid, std::string_view name,
                             int rank) {
  Message process;
  process.Varint(process_field::kPid, static_cast<uint64_t>(pid));
  process.Bytes(process_field::kName, name);
  Message descriptor;
  descriptor.Varint(track_field::kUuid, track);
  descriptor.Embed(track_field::kProcess, process);
  descriptor.Varint(track_field::kRank, static_cast<uint64_t>(rank));
  WriteTrack(descriptor);
}

void PerfettoStream::Thread(uint64_t track, int pid, int64_t tid,
                            std::string_view name, int rank) {
  Message thread;
  thread.Varint(thread_field::kPid, static_cast<uint64_t>(pid));
  thread.Varint(thread_field::kTid, static_cast<uint64_t>(tid));
  thread.Bytes(thread_field::kName, name);
  Message descriptor;
  descriptor.Varint(track_field::kUuid, track);
  descriptor.Embed(track_field::kThread, thread);
  descriptor.Varint(track_field::kRank, static_cast<uint64_t>(rank));
  WriteTrack(descriptor);
}

void PerfettoStream::Counter(uint64_t track, uint64_t parent,
                             std::string_view name, CounterUnit unit) {
  Message counter;
  if (unit == CounterUnit::kBytes) {
    counter.Varint(counter_field::kUnit, kSizeInBytes);
  } else {
    counter.Bytes(counter_field::kUnitName, "GB/s");
  }
  Message descriptor;
  descriptor.Varint(track_field::kUuid, track);
  descriptor.Varint(track_field::kParent, parent);
  descriptor.Bytes(track_field::kName, name);
  descriptor.Embed(track_field::kCounter, counter);
  WriteTrack(descriptor);
}

uint64_t PerfettoStream::Intern(Strings& strings, std::string_view text) {
  const auto [found, added] = strings.numbers.try_emplace(
      std::string(text), strings.numbers.size() + 1);
  if (added) {
    Message entry;
    entry.Varint(interned_field::kNumber, found->second);
    entry.Bytes(interned_field::kText, text);
    fresh_.Embed(strings.field, entry);
  }
  return found->second;
}

void PerfettoStream::Begin(const SliceBegin& slice) {
  event_.Clear();
  event_.Varint(event_field::kType, kBegin);
  event_.Varint(event_field::kTrack, slice.track);
  event_.Varint(event_field::kName, Intern(names_, slice.name));
  event_.Varint(event_field::kCategory, Intern(categories_, slice.category));
  for (const Annotation& annotation : slice.annotations) {
    part_.Clear();
    part_.Varint(annotation_field::kName,
                 Intern(annotation_names_, annotation.name));
    if (const auto* number = std::get_if<uint64_t>(&annotation.value)) {
      part_.Varint(annotation_field::kUnsigned, *number);
    } else if (const auto* real = std::get_if<double>(&annotation.value)) {
      part_.Double(annotation_field::kDouble, *real);
    } else {
      part_.Varint(annotation_field::kString,
                   Intern(annotation_values_,
                          std::get<std::string_view>(annotation.value)));
    }
    event_.Embed(event_field::kAnnotation, part_);
  }
  for (const uint64_t flow : slice.leaving) {
    event_.Fixed64(event_field::kFlow, flow);
  }
  for (const uint64_t flow : slice.arriving) {
    event_.Fixed64(event_field::kLastFlow, flow);
  }
  WriteEvent(slice.nanoseconds);
}

void PerfettoStream::End(uint64_t track, uint64_t nanoseconds) {
  event_.Clear();
  event_.Varint(event_field::kType, kEnd);
  event_.Varint(event_field::kTrack, track);
  WriteEvent(nanoseconds);
}

void PerfettoStream::Count(uint64_t track, uint64_t nanoseconds, double value) {
  event_.Clear();
  event_.Varint(event_field::kType, kCount);
  event_.Varint(event_field::kTrack, track);
  event_.Double(event_field::kCounter, value);
  WriteEvent(nanoseconds);
}

void PerfettoStream::WriteTrack(const Message& descriptor) {
  packet_.Clear();
  packet_.Varint(packet_field::kSequenceId, kSequence);
  packet_.Embed(packet_field::kTrackDescriptor, descriptor);
  WritePacket();
}

void PerfettoStream::WriteEvent(uint64_t nanoseconds) {
  packet_.Clear();
  packet_.Varint(packet_field::kTimestamp, nanoseconds);
  packet_.Varint(packet_field::kSequenceId, kSequence);
  packet_.Varint(packet_field::kSequenceFlags,
                 kNeedsState | (first_event_ ? kStateCleared : 0));
  first_event_ = false;
  if (!fresh_.bytes().empty()) {
    packet_.Embed(packet_field::kInternedData, fresh_);
    fresh_.Clear();
  }
  packet_.Embed(packet_field::kTrackEvent, event_);
  WritePacket();
}

void PerfettoStream::WritePacket() {
  part_.Clear();
  part_.Embed(trace_field::kPacket, packet_);
  output_.write(part_.bytes().data(),
                static_cast<std::streamsize>(part_.bytes().size()));
}

}  // namespace belay::trace
