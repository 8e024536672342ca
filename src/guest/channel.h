// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_CHANNEL_H_
#define BELAY_GUEST_CHANNEL_H_

// Messages between two processes: a JSON value, bytes, and file descriptors.
// The other side may be hostile: lengths are limited and malformed messages
// are errors, never crashes.

#include <chrono>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

namespace belay::guest {

// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept;
  Descriptor& operator=(Descriptor&& other) noexcept;

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

// Memory that can be handed to another process: an anonymous file.
// Throws UserError when there is not so much memory.
Descriptor MakeSharedMemory(size_t bytes);

struct Message {
  nlohmann::json value;
  std::vector<std::byte> bytes;
  std::vector<Descriptor> descriptors;
};

class Channel {
 public:
  // Takes one end of a socket pair.
  explicit Channel(Descriptor socket) : socket_(std::move(socket)) {}

  // False when the other side is gone.
  bool Send(const nlohmann::json& value,
            const std::vector<std::byte>& bytes = {},
            const std::vector<int>& descriptors = {});

  enum class Status {
    kMessage,
    kClosed,    // the other side is gone
    kTimeout,   // nothing, or not all of it, came in time
    kMalformed  // what came is no message, or longer than allowed
  };
  // `seconds` < 0: waits for ever.
  Status Receive(Message& message, double seconds = -1);

  int descriptor() const { return socket_.get(); }
  void set_most_bytes(size_t bytes) { most_bytes_ = bytes; }

 private:
  Descriptor socket_;
  size_t most_bytes_ = size_t{1} << 30;
};

// Two channels that are each other's ends.
std::pair<Channel, Channel> MakeChannels();

}  // namespace belay::guest

#endif  // BELAY_GUEST_CHANNEL_H_
