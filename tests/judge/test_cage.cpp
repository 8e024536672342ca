// SPDX-License-Identifier: Apache-2.0
// Every forbidden thing is tried from inside the cage, and its end seen; what
// guests need still works.

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/error.h"
#include "cage_attempts.h"
#include "guest/broker.h"

namespace belay::guest {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

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
