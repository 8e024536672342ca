// SPDX-License-Identifier: Apache-2.0
#include "guest/channel.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace belay::guest {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint32_t kMagic = 0x59414c42;  // "BLAY"
constexpr uint32_t kMostDescriptors = 16;
constexpr uint32_t kMostJsonBytes = uint32_t{16} << 20;
constexpr int kMostJsonDepth = 100;
// A side that reads nothing for so long counts as gone.
constexpr double kSendPatienceSeconds = 60;

// What stands before a message on the socket; its descriptors come with it.
struct Header {
  uint32_t magic = kMagic;
  uint32_t json_bytes = 0;
  uint64_t bytes = 0;
  uint32_t descriptors = 0;
  uint32_t reserved = 0;
};

class Deadline {
 public:
  // `seconds` < 0: never.
  explicit Deadline(double seconds)
      : never_(seconds < 0),
        end_(Clock::now() +
             std::chrono::microseconds(
                 never_ ? 0 : static_cast<int64_t>(seconds * 1e6))) {}

  // Waits for `events` on a descriptor; false when the time is up.
  bool WaitFor(int fd, short events) const {
    for (;;) {
      int wait = -1;
      if (!never_) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(end_ - Clock::now());
        wait =
            static_cast<int>(std::clamp<int64_t>(left.count(), 0, 3600 * 1000));
      }
      pollfd one{fd, events, 0};
      const int ready = poll(&one, 1, wait);
      if (ready > 0) return true;
      if (ready < 0 && errno != EINTR) return true;  // the call will tell
      if (ready == 0 && (wait == 0 || Clock::now() >= end_)) return false;
    }
  }

 private:
  bool never_;
  Clock::time_point end_;
};

// Sends all of it; false when the other side is gone or does not read.
bool SendAll(int fd, const std::byte* data, size_t size,
             const std::vector<int>& descriptors) {
  bool first = true;
  while (size > 0) {
    iovec part{const_cast<std::byte*>(data), size};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMostDescriptors)];
    if (first && !descriptors.empty()) {
      const size_t length = sizeof(int) * descriptors.size();
      std::memset(control, 0, sizeof control);
      message.msg_control = control;
      message.msg_controllen = CMSG_SPACE(length);
      cmsghdr* head = CMSG_FIRSTHDR(&message);
      head->cmsg_level = SOL_SOCKET;
      head->cmsg_type = SCM_RIGHTS;
      head->cmsg_len = CMSG_LEN(length);
      std::memcpy(CMSG_DATA(head), descriptors.data(), length);
    }
    const ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
      if (!Deadline(kSendPatienceSeconds).WaitFor(fd, POLLOUT)) return false;
      continue;
    }
    first = false;
    data += sent;
    size -= static_cast<size_t>(sent);
  }
  return true;
}

// Receives exactly `size` bytes. Descriptors that come along are kept in
// *descriptors; where that is null, the kernel closes them and they make the
// message malformed.
Channel::Status ReceiveAll(int fd, std::byte* data, size_t size,
                           const Deadline& deadline,
                           std::vector<Descriptor>* descriptors) {
  while (size > 0) {
    if (!deadline.WaitFor(fd, POLLIN)) return Channel::Status::kTimeout;
    iovec part{data, size};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int) * kMostDescriptors)];
    if (descriptors != nullptr) {
      message.msg_control = control;
      message.msg_controllen = sizeof control;
    }
    const ssize_t got = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0) {
      if (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK) continue;
      return Channel::Status::kClosed;
    }
    if (descriptors != nullptr) {
      for (cmsghdr* head = CMSG_FIRSTHDR(&message); head != nullptr;
           head = CMSG_NXTHDR(&message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) {
          continue;
        }
        const size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < count; ++i) {
          int one = -1;
          std::memcpy(&one, CMSG_DATA(head) + i * sizeof(int), sizeof one);
          descriptors->emplace_back(one);
        }
      }
      if (descriptors->size() > kMostDescriptors) {
        return Channel::Status::kMalformed;
      }
    }
    if ((message.msg_flags & MSG_CTRUNC) != 0) {
      return Channel::Status::kMalformed;
    }
    if (got == 0) return Channel::Status::kClosed;
    data += got;
    size -= static_cast<size_t>(got);
  }
  return Channel::Status::kMessage;
}

// Memory grows with what really arrives, not with what was announced.
template <typename Bytes>
Channel::Status ReceiveGrowing(int fd, Bytes& bytes, size_t size,
                               const Deadline& deadline) {
  bytes.clear();
  size_t step = size_t{1} << 20;
  while (bytes.size() < size) {
    const size_t done = bytes.size();
    const size_t count = std::min(step, size - done);
    bytes.resize(done + count);
    const Channel::Status status =
        ReceiveAll(fd, reinterpret_cast<std::byte*>(bytes.data()) + done, count,
                   deadline, nullptr);
    if (status != Channel::Status::kMessage) return status;
    step = std::min(step * 2, size_t{64} << 20);
  }
  return Channel::Status::kMessage;
}

// Whether brackets nest no deeper than a recursive reader can follow.
bool IsShallow(const std::string& text) {
  int depth = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c == '\\') ++i;
      if (c == '"') quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMostJsonDepth) return false;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return true;
}

}  // namespace

Descriptor::~Descriptor() {
  if (fd_ >= 0) close(fd_);
}

Descriptor::Descriptor(Descriptor&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    if (fd_ >= 0) close(fd_);
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

Descriptor MakeSharedMemory(size_t bytes) {
  Descriptor memory(memfd_create("belay", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  const uint64_t machine = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) *
                           static_cast<uint64_t>(sysconf(_SC_PAGE_SIZE));
  if (!memory.valid() || bytes > machine ||
      ftruncate(memory.get(), static_cast<off_t>(bytes)) != 0) {
    throw UserError(fmt::format(
        "[memory] {} bytes of shared memory are needed and cannot be had: {}",
        bytes,
        memory.valid() && bytes > machine
            ? fmt::format("the machine has {}", machine)
            : std::strerror(errno)));
  }
  // Whoever gets it may write it, never change its length.
  fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
  return memory;
}

bool Channel::Send(const nlohmann::json& value,
                   const std::vector<std::byte>& bytes,
                   const std::vector<int>& descriptors) {
  const std::string text =
      value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > kMostJsonBytes || descriptors.size() > kMostDescriptors) {
    throw InternalError(fmt::format(
        "[channel] a message holds at most {} bytes of JSON and {} "
        "descriptors, this one has {} and {}: send values as bytes",
        kMostJsonBytes, kMostDescriptors, text.size(), descriptors.size()));
  }
  Header header;
  header.json_bytes = static_cast<uint32_t>(text.size());
  header.bytes = bytes.size();
  header.descriptors = static_cast<uint32_t>(descriptors.size());
  std::vector<std::byte> head(sizeof header + text.size());
  std::memcpy(head.data(), &header, sizeof header);
  std::memcpy(head.data() + sizeof header, text.data(), text.size());
  return SendAll(socket_.get(), head.data(), head.size(), descriptors) &&
         SendAll(socket_.get(), bytes.data(), bytes.size(), {});
}

Channel::Status Channel::Receive(Message& message, double seconds) {
  message = {};
  const Deadline deadline(seconds);
  const int fd = socket_.get();
  Header header;
  Status status = ReceiveAll(fd, reinterpret_cast<std::byte*>(&header),
                             sizeof header, deadline, &message.descriptors);
  if (status != Status::kMessage) return status;
  if (header.magic != kMagic || header.reserved != 0 ||
      header.json_bytes > kMostJsonBytes || header.bytes > most_bytes_ ||
      header.descriptors != message.descriptors.size()) {
    return Status::kMalformed;
  }
  std::string text;
  status = ReceiveGrowing(fd, text, header.json_bytes, deadline);
  if (status != Status::kMessage) return status;
  status = ReceiveGrowing(fd, message.bytes, header.bytes, deadline);
  if (status != Status::kMessage) return status;
  if (!IsShallow(text)) return Status::kMalformed;
  message.value = nlohmann::json::parse(text, nullptr, false);
  return message.value.is_discarded() ? Status::kMalformed : Status::kMessage;
}

std::pair<Channel, Channel> MakeChannels() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw InternalError(
        fmt::format("[channel] no socket pair: {}", std::strerror(errno)));
  }
  return {Channel(Descriptor(ends[0])), Channel(Descriptor(ends[1]))};
}

}  // namespace belay::guest
