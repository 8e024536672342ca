// SPDX-License-Identifier: Apache-2.0
#include "guest/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/error.h"

namespace belay::guest {
namespace {

using Clock = std::chrono::steady_clock;

// Begins the line that says what a child's work threw.
constexpr char kErrorMark = '\1';

constexpr size_t kMostBytes = size_t{64} << 20;

ChildRules rules;

void WriteAll(int fd, const std::string& text) {
  size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = write(fd, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // the parent is gone
    done += static_cast<size_t>(count);
  }
}

[[noreturn]] void BeChild(
    int fd, const std::function<int(const SendLine& send)>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (rules.cpu_seconds > 0) {
    const auto seconds = static_cast<rlim_t>(std::ceil(rules.cpu_seconds));
    const rlimit limit{seconds, seconds + 1};
    setrlimit(RLIMIT_CPU, &limit);
  }
  int code = kChildBroke;
  try {
    if (rules.prepare) rules.prepare();
    code = work([fd](const std::string& line) { WriteAll(fd, line + "\n"); });
  } catch (const std::bad_alloc&) {
    code = kChildOutOfMemory;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "belay: internal error: %s\n", error.what());
    WriteAll(fd, kErrorMark + std::string(error.what()) + "\n");
  }
  std::fflush(nullptr);
  // Exit handlers of the parent's libraries are not the child's to run.
  _exit(code);
}

// Everything up to the end; nothing when that is too much or too late.
enum class Reading { kDone, kTooMuch, kTooLate };
Reading ReadAll(int fd, std::string& text) {
  const auto end =
      Clock::now() +
      std::chrono::milliseconds(static_cast<int64_t>(rules.wall_seconds * 1e3));
  char buffer[4096];
  for (;;) {
    if (rules.wall_seconds > 0) {
      const auto left =
          std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
      if (left.count() <= 0) return Reading::kTooLate;
      pollfd one{fd, POLLIN, 0};
      const int wait =
          static_cast<int>(std::min<int64_t>(left.count(), 1 << 30));
      if (poll(&one, 1, wait) == 0) continue;
    }
    const ssize_t count = read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return Reading::kDone;
    text.append(buffer, static_cast<size_t>(count));
    if (text.size() > kMostBytes) return Reading::kTooMuch;
  }
}

std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  size_t start = 0;
  for (size_t end; (end = text.find('\n', start)) != std::string::npos;
       start = end + 1) {
    lines.push_back(text.substr(start, end - start));
  }
  return lines;
}

}  // namespace

void SetChildRules(ChildRules new_rules) { rules = std::move(new_rules); }

void BeforeGuestCode() {
  if (rules.before_guest) rules.before_guest();
}

ChildResult RunInChild(const std::function<int(const SendLine& send)>& work) {
  int ends[2];
  if (pipe(ends) != 0) {
    throw InternalError(
        fmt::format("[child] no pipe: {}", std::strerror(errno)));
  }
  std::fflush(nullptr);
  const pid_t pid = fork();
  if (pid < 0) {
    throw InternalError(
        fmt::format("[child] cannot fork: {}", std::strerror(errno)));
  }
  if (pid == 0) {
    close(ends[0]);
    BeChild(ends[1], work);
  }
  close(ends[1]);
  ChildResult result;
  std::string text;
  const Reading reading = ReadAll(ends[0], text);
  close(ends[0]);
  if (reading != Reading::kDone) kill(pid, SIGKILL);
  result.lines = LinesOf(text);
  if (!result.lines.empty() && result.lines.back().starts_with(kErrorMark)) {
    result.error = result.lines.back().substr(1);
    result.lines.pop_back();
  }
  int status = 0;
  rusage usage{};
  while (wait4(pid, &status, 0, &usage) < 0 && errno == EINTR) {
  }
  const double cpu_seconds =
      static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
      static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) /
          1e6;
  if (WIFSIGNALED(status)) {
    result.signal = WTERMSIG(status);
    result.out_of_time =
        reading == Reading::kTooLate || result.signal == SIGXCPU ||
        (rules.cpu_seconds > 0 && cpu_seconds >= rules.cpu_seconds);
  } else {
    result.exit_code = WEXITSTATUS(status);
  }
  return result;
}

void DiscardOutput() {
  const int null = open("/dev/null", O_WRONLY);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  close(null);
}

std::string DescribeSignal(int signal) {
  const char* name = sigabbrev_np(signal);
  const char* text = sigdescr_np(signal);
  return fmt::format("SIG{} ({})", name == nullptr ? "?" : name,
                     text == nullptr ? "unknown" : text);
}

}  // namespace belay::guest
