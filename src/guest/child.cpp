// SPDX-License-Identifier: Apache-2.0
#include "guest/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace belay::guest {
namespace {

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
  int code = 70;
  try {
    code = work([fd](const std::string& line) { WriteAll(fd, line + "\n"); });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "belay: internal error: %s\n", error.what());
  }
  std::fflush(nullptr);
  // Exit handlers of the parent's libraries are not the child's to run.
  _exit(code);
}

std::vector<std::string> ReadLines(int fd) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t count = read(fd, buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    text.append(buffer, static_cast<size_t>(count));
  }
  std::vector<std::string> lines;
  size_t start = 0;
  for (size_t end; (end = text.find('\n', start)) != std::string::npos;
       start = end + 1) {
    lines.push_back(text.substr(start, end - start));
  }
  return lines;
}

}  // namespace

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
  result.lines = ReadLines(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    result.signal = WTERMSIG(status);
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
