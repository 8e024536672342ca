// SPDX-License-Identifier: Apache-2.0
// Every forbidden thing is tried from inside the cage, and its end seen; what
// guests need still works.

#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
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
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>

#include "base/error.h"
#include "guest/broker.h"

namespace belay::guest {
namespace {

namespace fs = std::filesystem;
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

using Attempt = std::function<int(const Json& request, Channel& channel)>;

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

// Serves one attempt: its error number comes back as "errno".
int ServeAttempt(Channel& channel) {
  Message request;
  if (channel.Receive(request) != Channel::Status::kMessage) return 0;
  const Attempt& attempt =
      Attempts().at(request.value.at("attempt").get<std::string>());
  const int error = attempt(request.value, channel);
  channel.Send({{"errno", error}});
  return 0;
}

// Sends back what it gets.
int ServeEcho(Channel& channel) {
  Message message;
  while (channel.Receive(message) == Channel::Status::kMessage) {
    std::vector<int> descriptors;
    for (const Descriptor& one : message.descriptors) {
      descriptors.push_back(one.get());
    }
    channel.Send(message.value, message.bytes, descriptors);
  }
  return 0;
}

class CageTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    RegisterService("attempt", ServeAttempt);
    RegisterService("echo", ServeEcho);
    setenv("BELAY_TEST_SECRET", "seed", 1);
    broker_ = StartBroker().release();
  }
  static void TearDownTestSuite() {
    delete broker_;
    broker_ = nullptr;
  }

  void SetUp() override {
    if (!AvailableCage().full()) {
      GTEST_SKIP() << "this machine can do " << AvailableCage().ToText()
                   << " only";
    }
    std::string name = (fs::temp_directory_path() / "cage-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    fs::create_directory(folder_ / "mine");
    fs::create_directory(folder_ / "theirs");
    std::ofstream(folder_ / "mine/old") << "old";
    std::ofstream(folder_ / "theirs/secret") << "secret";
    options_.readable = SystemLibraries();
    options_.writable = {(folder_ / "mine").string()};
    options_.limits.cpu_seconds = 20;
    options_.limits.memory_bytes = uint64_t{512} << 20;
  }
  void TearDown() override { fs::remove_all(folder_); }

  struct Ended {
    std::optional<int> error;  // what the attempt gave, if it came to an end
    ChildEnd end;
    std::string output;
  };
  Ended Try(const std::string& attempt, const std::string& path = "",
            double seconds = 30) {
    const auto child = broker_->Start("attempt", options_);
    child->channel().Send({{"attempt", attempt}, {"path", path}});
    Ended result;
    result.end = child->Wait(seconds);
    Message answer;
    if (child->channel().Receive(answer, 0) == Channel::Status::kMessage) {
      result.error = answer.value.at("errno");
    }
    result.output = child->output();
    return result;
  }

  // The machine still does what it should.
  void ExpectBrokerWorks() {
    const Ended ended = Try("compute");
    EXPECT_TRUE(ended.end.ok()) << ended.end.ToText();
    EXPECT_EQ(ended.error, 0);
  }

  static Broker* broker_;
  fs::path folder_;
  CageOptions options_;
};
Broker* CageTest::broker_ = nullptr;

TEST_F(CageTest, ForbiddenCallsEndTheChildByName) {
  const std::vector<std::pair<std::string, std::string>> calls = {
      {"socket", "socket"},
      {"unix socket", "socket"},
      {"fork", "clone"},
      {"vfork", "vfork"},
      {"thread", ""},  // the C library has blocked signals there
      {"exec", "execve"},
      {"ptrace the broker", "ptrace"},
      {"read the broker's memory", "process_vm_readv"},
      {"kill everybody", "kill"},
      {"kill itself", "kill"},
      {"kill its thread", "tgkill"},
      {"lower its time", "prlimit64"},
      {"unshare", "unshare"},
      {"io_uring", "io_uring_setup"},
      {"bpf", "bpf"},
      {"perf", "perf_event_open"},
      {"userfaultfd", "userfaultfd"},
      {"mount", "mount"},
      {"shared memory of the system", "shmget"},
      {"catch SIGSYS", "socket"},
      {"block SIGSYS", ""},
  };
  for (const auto& [attempt, call] : calls) {
    const Ended ended = Try(attempt);
    EXPECT_TRUE(ended.end.forbidden_call)
        << attempt << ": " << ended.end.ToText() << ", error "
        << ended.error.value_or(-1);
    EXPECT_EQ(ended.end.forbidden_name, call) << attempt;
    EXPECT_FALSE(ended.end.machines_fault()) << attempt;
    EXPECT_FALSE(ended.error) << attempt;
  }
  ExpectBrokerWorks();
}

TEST_F(CageTest, FilesOutsideAreOutOfReach) {
  const std::string secret = (folder_ / "theirs/secret").string();
  for (const std::string& path :
       {secret, std::string("/etc/passwd"), std::string("/proc/self/mem"),
        std::string("/proc/1/maps"), std::string("/proc/self/environ"),
        std::string("/dev/mem"),
        (folder_ / "mine/../theirs/secret").string()}) {
    const Ended ended = Try("read", path);
    EXPECT_TRUE(ended.error == EACCES || ended.error == ENOENT)
        << path << ": " << ended.error.value_or(-1);
  }
  EXPECT_EQ(Try("list", "/").error, EACCES);
  EXPECT_EQ(Try("list", folder_.string()).error, EACCES);
  EXPECT_EQ(Try("write", secret).error, EACCES);
  EXPECT_EQ(Try("write", (folder_ / "new").string()).error, EACCES);
  EXPECT_EQ(Try("write", "/dev/null").error, EACCES);
  EXPECT_EQ(Try("write", "/usr/lib/new").error, EACCES);
  EXPECT_EQ(Try("unlink", secret).error, EACCES);
  EXPECT_EQ(Try("chmod", secret).error, EPERM);
  EXPECT_EQ(Try("link", (folder_ / "mine/link").string()).error, EPERM);
  std::ifstream kept(secret);
  std::string text;
  kept >> text;
  EXPECT_EQ(text, "secret");
}

TEST_F(CageTest, NothingOfTheOwnersIsInherited) {
  EXPECT_EQ(Try("environment").error, 1);
  EXPECT_EQ(Try("descriptors").error, EBADF);
}

TEST_F(CageTest, WhatGuestsNeedWorks) {
  const Ended computed = Try("compute");
  EXPECT_TRUE(computed.end.ok()) << computed.end.ToText();
  EXPECT_EQ(computed.output, "21065.833\n");
  EXPECT_EQ(Try("read", (folder_ / "mine/old").string()).error, 0);
  EXPECT_EQ(Try("write", (folder_ / "mine/new").string()).error, 0);
  EXPECT_TRUE(fs::exists(folder_ / "mine/new"));
  EXPECT_EQ(Try("unlink", (folder_ / "mine/old").string()).error, 0);
  EXPECT_EQ(Try("load", "libm.so.6").error, 0);
  const Ended aborted = Try("abort");
  EXPECT_EQ(aborted.end.signal, SIGABRT);
  EXPECT_FALSE(aborted.end.machines_fault());
}

TEST_F(CageTest, MemoryIsLimited) {
  const Ended ended = Try("memory");
#if defined(__SANITIZE_ADDRESS__)
  // Its allocator ends the process itself.
  EXPECT_FALSE(ended.end.ok());
#else
  EXPECT_TRUE(ended.end.out_of_memory) << ended.end.ToText();
#endif
  EXPECT_FALSE(ended.end.machines_fault());
  ExpectBrokerWorks();
}

TEST_F(CageTest, MemoryThatIsUsedIsLimited) {
  options_.limits.memory_bytes = uint64_t{64} << 30;
  options_.limits.resident_bytes = uint64_t{256} << 20;
  const Ended ended = Try("fill memory");
  EXPECT_TRUE(ended.end.out_of_memory) << ended.end.ToText();
  EXPECT_FALSE(ended.end.out_of_time);
  EXPECT_FALSE(ended.end.machines_fault());
}

TEST_F(CageTest, ProcessorTimeIsLimited) {
  options_.limits.cpu_seconds = 1;
  const Ended ended = Try("time", "", 100);
  EXPECT_TRUE(ended.end.out_of_time) << ended.end.ToText();
  EXPECT_FALSE(ended.end.machines_fault());
}

TEST_F(CageTest, WallTimeIsTheOwners) {
  const Ended ended = Try("sleep", "", 0.2);
  EXPECT_TRUE(ended.end.out_of_time) << ended.end.ToText();
  ExpectBrokerWorks();
}

TEST_F(CageTest, EndlessOutputIsCut) {
  const Ended ended = Try("output");
  EXPECT_TRUE(ended.end.ok()) << ended.end.ToText();
  EXPECT_LE(ended.output.size(), size_t{64} << 10);
  EXPECT_GT(ended.output.size(), size_t{32} << 10);
}

TEST_F(CageTest, StackOverflowIsACrash) {
  options_.limits.stack_bytes = 1 << 20;
  const Ended ended = Try("stack");
  EXPECT_EQ(ended.end.signal, SIGSEGV) << ended.end.ToText();
  ExpectBrokerWorks();
}

TEST_F(CageTest, FilesAreLimited) {
  EXPECT_EQ(Try("big file", (folder_ / "mine/big").string()).error, EFBIG);
}

TEST_F(CageTest, BadMessagesAreMalformed) {
  for (const char* attempt : {"huge message", "malformed JSON", "deep JSON",
                              "flood of descriptors"}) {
    const auto child = broker_->Start("attempt", options_);
    child->channel().Send({{"attempt", attempt}});
    Message message;
    EXPECT_EQ(child->channel().Receive(message, 20),
              Channel::Status::kMalformed)
        << attempt;
  }
  const auto child = broker_->Start("attempt", options_);
  child->channel().Send({{"attempt", "announced bytes that never come"}});
  Message message;
  EXPECT_EQ(child->channel().Receive(message, 0.5), Channel::Status::kTimeout);
  ExpectBrokerWorks();
}

TEST_F(CageTest, MessagesCarryBytesAndDescriptors) {
  const auto child = broker_->Start("echo", options_);
  std::vector<std::byte> bytes(5'000'000);
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = std::byte(i % 251);
  const Descriptor memory = MakeSharedMemory(4096);
  // The other side sends while this one still does: no more than it can hold.
  ASSERT_TRUE(
      child->channel().Send({{"a", {1, 2.5, "x"}}}, bytes, {memory.get()}));
  Message answer;
  ASSERT_EQ(child->channel().Receive(answer, 30), Channel::Status::kMessage);
  EXPECT_EQ(answer.value.dump(), R"({"a":[1,2.5,"x"]})");
  EXPECT_EQ(answer.bytes, bytes);
  ASSERT_EQ(answer.descriptors.size(), 1u);
  struct stat mine{};
  struct stat theirs{};
  fstat(memory.get(), &mine);
  fstat(answer.descriptors[0].get(), &theirs);
  EXPECT_EQ(mine.st_ino, theirs.st_ino);
  EXPECT_NE(ftruncate(answer.descriptors[0].get(), 0), 0);
}

TEST_F(CageTest, ServicesMayForkAndCageTheirForks) {
  options_.may_fork = true;
  EXPECT_EQ(Try("plain fork").error, 0);
  EXPECT_TRUE(Try("thread").end.forbidden_call);
  const auto inner = [&](const std::string& attempt) {
    const auto child = broker_->Start("attempt", options_);
    child->channel().Send({{"attempt", "inner cage"}, {"inner", attempt}});
    Message answer;
    EXPECT_EQ(child->channel().Receive(answer, 30), Channel::Status::kMessage);
    EXPECT_TRUE(child->Wait(30).ok());
    return answer.value;
  };
  EXPECT_EQ(inner("compute").at("code"), 0);
  EXPECT_EQ(inner("abort").at("signal"), SIGABRT);
  for (const auto& [attempt, call] :
       std::vector<std::pair<std::string, std::string>>{
           {"fork", "clone"},
           {"kill itself", "kill"},
           {"kill everybody", "kill"},
           {"kill its thread", "tgkill"},
           {"lower its time", "prlimit64"},
           {"socket", "socket"}}) {
    const Json ended = inner(attempt);
    EXPECT_EQ(ended.at("signal"), SIGSYS) << attempt << " " << ended;
    EXPECT_EQ(ended.at("call"), call) << attempt;
  }
  EXPECT_EQ(inner("time").at("signal"), SIGXCPU);
}

TEST_F(CageTest, ForksDieWithTheirService) {
  options_.may_fork = true;
  Descriptor kept;
  {
    const auto child = broker_->Start("attempt", options_);
    child->channel().Send({{"attempt", "orphan"}});
    Message message;
    ASSERT_EQ(child->channel().Receive(message, 30), Channel::Status::kMessage);
    EXPECT_TRUE(child->Wait(30).ok());
    // The fork holds the other end: it is closed once that is dead, too.
    ASSERT_EQ(child->channel().Receive(message, 30), Channel::Status::kMessage);
    EXPECT_EQ(child->channel().Receive(message, 30), Channel::Status::kClosed);
  }
  ExpectBrokerWorks();
}

TEST_F(CageTest, UnknownServicesAndMissingFoldersAreOurFault) {
  EXPECT_THROW(broker_->Start("nobody", options_), InternalError);
  options_.writable = {(folder_ / "missing").string()};
  EXPECT_THROW(broker_->Start("attempt", options_), InternalError);
}

TEST_F(CageTest, ManyChildrenAtOnce) {
  std::vector<std::unique_ptr<CagedChild>> children;
  for (int i = 0; i < 20; ++i) {
    children.push_back(broker_->Start("echo", options_));
    children.back()->channel().Send({{"i", i}});
  }
  for (int i = 0; i < 20; ++i) {
    Message answer;
    ASSERT_EQ(children[i]->channel().Receive(answer, 30),
              Channel::Status::kMessage);
    EXPECT_EQ(answer.value.at("i"), i);
  }
}

}  // namespace
}  // namespace belay::guest
