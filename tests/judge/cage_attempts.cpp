// SPDX-License-Identifier: Apache-2.0
#include "cage_attempts.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <vector>

#include "guest/cage.h"

namespace belay::guest {
namespace {

using Json = nlohmann::json;

// What an attempt of the guest gives: 0 when it got what it wanted, otherwise
// the error number.
int ErrnoOf(bool got_it) { return got_it ? 0 : errno; }

int Open(const std::string& path, int flags) {
  const int fd = open(path.c_str(), flags, 0600);
  const int error = ErrnoOf(fd >= 0);
  if (fd >= 0) close(fd);
  return error;
}

volatile char sink;
volatile int deepest = 1 << 30;
int Overflow(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  sink = frame[0];
  return depth >= deepest ? 0 : Overflow(depth + 1) + frame[0];
}

}  // namespace

const std::map<std::string, Attempt>& Attempts() {
  static const std::map<std::string, Attempt> attempts = {
      {"socket",
       [](auto&, auto&) {
         return ErrnoOf(socket(AF_INET, SOCK_STREAM, 0) >= 0);
       }},
      {"unix socket",
       [](auto&, auto&) {
         return ErrnoOf(socket(AF_UNIX, SOCK_STREAM, 0) >= 0);
       }},
      {"fork", [](auto&, auto&) { return ErrnoOf(fork() >= 0); }},
      {"vfork", [](auto&, auto&) { return ErrnoOf(syscall(SYS_vfork) >= 0); }},
      {"thread",
       [](auto&, auto&) {
         pthread_t thread;
         return pthread_create(
             &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
       }},
      {"exec",
       [](auto&, auto&) {
         execl("/bin/true", "true", nullptr);
         return errno;
       }},
      {"ptrace the broker",
       [](auto&, auto&) {
         return ErrnoOf(ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr) ==
                        0);
       }},
      {"read the broker's memory",
       [](auto&, auto&) {
         char byte = 0;
         iovec mine{&byte, 1};
         iovec theirs{const_cast<char*>(&sink), 1};
         return ErrnoOf(process_vm_readv(getppid(), &mine, 1, &theirs, 1, 0) ==
                        1);
       }},
      {"kill everybody",
       [](auto&, auto&) { return ErrnoOf(kill(-1, SIGKILL) == 0); }},
      {"kill itself",
       [](auto&, auto&) { return ErrnoOf(kill(getpid(), SIGKILL) == 0); }},
      {"kill its thread",
       [](auto&, auto&) {
         return ErrnoOf(syscall(SYS_tgkill, getpid(), gettid(), SIGKILL) == 0);
       }},
      {"lower its time",
       [](auto&, auto&) {
         const rlimit none{0, 0};
         return ErrnoOf(setrlimit(RLIMIT_CPU, &none) == 0);
       }},
      {"unshare",
       [](auto&, auto&) { return ErrnoOf(unshare(CLONE_NEWUSER) == 0); }},
      {"io_uring",
       [](auto&, auto&) {
         return ErrnoOf(syscall(SYS_io_uring_setup, 1, nullptr) >= 0);
       }},
      {"bpf",
       [](auto&, auto&) { return ErrnoOf(syscall(SYS_bpf, 0, 0, 0) >= 0); }},
      {"perf",
       [](auto&, auto&) {
         return ErrnoOf(syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0) >=
                        0);
       }},
      {"userfaultfd",
       [](auto&, auto&) { return ErrnoOf(syscall(SYS_userfaultfd, 0) >= 0); }},
      {"mount",
       [](auto&, auto&) {
         return ErrnoOf(syscall(SYS_mount, 0, 0, 0, 0, 0) == 0);
       }},
      {"shared memory of the system",
       [](auto&, auto&) {
         return ErrnoOf(syscall(SYS_shmget, 1, 4096, 0600) >= 0);
       }},
      {"catch SIGSYS",
       [](auto&, auto&) {
         signal(SIGSYS, SIG_IGN);
         return ErrnoOf(socket(AF_INET, SOCK_STREAM, 0) >= 0);
       }},
      {"block SIGSYS",
       [](auto&, auto&) {
         sigset_t all;
         sigfillset(&all);
         sigprocmask(SIG_BLOCK, &all, nullptr);
         return ErrnoOf(socket(AF_INET, SOCK_STREAM, 0) >= 0);
       }},
      {"read", [](const Json& request,
                  auto&) { return Open(request.at("path"), O_RDONLY); }},
      {"write",
       [](const Json& request, auto&) {
         return Open(request.at("path"), O_WRONLY | O_CREAT | O_TRUNC);
       }},
      {"list",
       [](const Json& request, auto&) {
         return Open(request.at("path"), O_RDONLY | O_DIRECTORY);
       }},
      {"chmod",
       [](const Json& request, auto&) {
         const std::string path = request.at("path");
         return ErrnoOf(chmod(path.c_str(), 0777) == 0);
       }},
      {"link",
       [](const Json& request, auto&) {
         const std::string path = request.at("path");
         return ErrnoOf(symlink("/etc/passwd", path.c_str()) == 0);
       }},
      {"unlink",
       [](const Json& request, auto&) {
         const std::string path = request.at("path");
         return ErrnoOf(unlink(path.c_str()) == 0);
       }},
      {"environment",
       [](auto&, auto&) {
         return getenv("BELAY_TEST_SECRET") == nullptr ? 1 : 0;
       }},
      {"descriptors",
       [](auto&, auto&) {
         for (int fd = 4; fd < 1024; ++fd) {
           if (fcntl(fd, F_GETFD) >= 0) return 0;
         }
         return EBADF;
       }},
      {"memory",
       [](auto&, auto&) {
         std::vector<std::vector<char>> hoard;
         for (;;) hoard.emplace_back(size_t{16} << 20, 'x');
         return 0;
       }},
      {"fill memory",
       [](auto&, auto&) {
         const std::vector<char> reserved(size_t{600} << 20, 'x');
         for (;;) pause();
         return 0;
       }},
      {"time",
       [](auto&, auto&) {
         for (;;) sink = 1;
         return 0;
       }},
      {"sleep",
       [](auto&, auto&) {
         for (;;) pause();
         return 0;
       }},
      {"output",
       [](auto&, auto&) {
         const std::string line(4000, 'y');
         for (int i = 0; i < 20000; ++i) std::printf("%s\n", line.c_str());
         return 0;
       }},
      {"stack", [](auto&, auto&) { return Overflow(0); }},
      {"big file",
       [](const Json& request, auto&) {
         const std::string path = request.at("path");
         signal(SIGXFSZ, SIG_IGN);
         const int fd = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
         return ErrnoOf(pwrite(fd, "x", 1, off_t{1} << 40) == 1);
       }},
      {"compute",
       [](auto&, auto&) {
         double sum = 0;
         for (int i = 1; i < 1000; ++i) sum += std::sqrt(i);
         std::printf("%.3f\n", sum);
         return 0;
       }},
      {"load",
       [](const Json& request, auto&) {
         const std::string path = request.at("path");
         return dlopen(path.c_str(), RTLD_NOW) != nullptr ? 0 : ENOENT;
       }},
      {"abort",
       [](auto&, auto&) {
         std::abort();
         return 0;
       }},
      {"plain fork",
       [](auto&, auto&) {
         const pid_t pid = fork();
         if (pid == 0) _exit(0);
         int status = 0;
         return ErrnoOf(waitpid(pid, &status, 0) == pid && status == 0);
       }},
      {"inner cage",
       [](const Json& request, auto& channel) {
         const pid_t pid = fork();
         if (pid == 0) {
           EnterInnerCage(1);
           _exit(Attempts().at(request.at("inner"))(request, channel));
         }
         int status = 0;
         waitpid(pid, &status, 0);
         channel.Send({{"signal", WIFSIGNALED(status) ? WTERMSIG(status) : 0},
                       {"code", WEXITSTATUS(status)},
                       {"call", LastForbiddenCall()}});
         return 0;
       }},
      {"orphan",
       [](auto&, auto& channel) {
         const pid_t pid = fork();
         if (pid == 0) {
           for (;;) pause();
         }
         channel.Send({{"pid", pid}});
         return 0;
       }},
      {"huge message",
       [](auto&, auto& channel) {
         const std::array<uint32_t, 6> header = {0x59414c42, 2, ~0U, ~0U, 0, 0};
         return ErrnoOf(write(channel.descriptor(), header.data(),
                              sizeof header) == sizeof header);
       }},
      {"announced bytes that never come",
       [](auto&, auto& channel) {
         const std::array<uint32_t, 6> header = {0x59414c42, 2, 1U << 29,
                                                 0,          0, 0};
         const bool sent = write(channel.descriptor(), header.data(),
                                 sizeof header) == sizeof header;
         for (;;) pause();
         return ErrnoOf(sent);
       }},
      {"malformed JSON",
       [](auto&, auto& channel) {
         const std::array<uint32_t, 6> header = {0x59414c42, 4, 0, 0, 0, 0};
         return ErrnoOf(write(channel.descriptor(), header.data(), 24) == 24 &&
                        write(channel.descriptor(), "{\"a:", 4) == 4);
       }},
      {"deep JSON",
       [](auto&, auto& channel) {
         const std::string deep(1 << 20, '[');
         const std::array<uint32_t, 6> header = {0x59414c42, 1 << 20, 0,
                                                 0,          0,       0};
         bool ok = write(channel.descriptor(), header.data(), 24) == 24;
         for (size_t done = 0; ok && done < deep.size();) {
           const ssize_t count = write(channel.descriptor(), deep.data() + done,
                                       deep.size() - done);
           ok = count > 0;
           done += static_cast<size_t>(count);
         }
         return ErrnoOf(ok);
       }},
      {"flood of descriptors",
       [](auto&, auto& channel) {
         std::array<int, 200> flood;
         flood.fill(channel.descriptor());
         alignas(cmsghdr) char control[CMSG_SPACE(sizeof flood)] = {};
         std::array<uint32_t, 6> header = {0x59414c42, 2, 0, 0, 200, 0};
         iovec part{header.data(), sizeof header};
         msghdr message{};
         message.msg_iov = &part;
         message.msg_iovlen = 1;
         message.msg_control = control;
         message.msg_controllen = sizeof control;
         cmsghdr* head = CMSG_FIRSTHDR(&message);
         head->cmsg_level = SOL_SOCKET;
         head->cmsg_type = SCM_RIGHTS;
         head->cmsg_len = CMSG_LEN(sizeof flood);
         std::memcpy(CMSG_DATA(head), flood.data(), sizeof flood);
         return ErrnoOf(sendmsg(channel.descriptor(), &message, 0) > 0);
       }},
  };
  return attempts;
}

}  // namespace belay::guest
