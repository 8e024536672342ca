// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/host_messages.h"

#include <fmt/format.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/catalogue.h"
#include "base/error.h"
#include "belay/op_host.h"

namespace belay::runtime {
namespace {

HostMessages* collector = nullptr;

constexpr size_t kTextBytes = 160;

// Appends to a text without locks or allocation.
class TextWriter {
 public:
  explicit TextWriter(char (&to)[kTextBytes])
      : at_(to), end_(to + kTextBytes - 1) {}
  ~TextWriter() { *at_ = '\0'; }

  void Text(std::string_view text) {
    for (const char letter : text) {
      if (at_ < end_) *at_++ = letter;
    }
  }
  void Number(uint64_t number) {
    char digits[20];
    int count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    while (count > 0) Text({&digits[--count], 1});
  }

 private:
  char* at_;
  char* end_;
};

// A text that a signal handler may read at any moment: there are two, and one
// is whole while the other is written.
class SteadyText {
 public:
  const char* whole() const { return texts_[whole_]; }

  // `write` gets a TextWriter.
  template <typename Write>
  void Set(const Write& write) {
    const int next = 1 - whole_;
    {
      TextWriter writer(texts_[next]);
      write(writer);
    }
    whole_ = next;
  }
  void Clear() {
    Set([](TextWriter&) {});
  }

 private:
  char texts_[2][kTextBytes] = {};
  volatile int whole_ = 0;
};

SteadyText last_question;
SteadyText last_null_answer;

void WriteQuestion(const char* function, int64_t index, int64_t second,
                   TextWriter& writer) {
  writer.Text(function);
  writer.Text("(");
  if (index >= 0) writer.Number(static_cast<uint64_t>(index));
  if (second >= 0) {
    writer.Text(", ");
    writer.Number(static_cast<uint64_t>(second));
  }
  writer.Text(")");
}

std::string Format(const char* format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, format, arguments);
  std::string text(length < 0 ? 0 : static_cast<size_t>(length), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

const char* LevelName(abi::HostLogLevel level) {
  constexpr const char* kNames[] = {"debug", "info", "warning", "error"};
  return kNames[static_cast<int>(level)];
}

}  // namespace

const char* LastHostQuestion() { return last_question.whole(); }

const char* LastNullAnswer() { return last_null_answer.whole(); }

HostMessages::HostMessages() {
  if (collector != nullptr) {
    throw InternalError("[HostMessages] two collectors at a time");
  }
  collector = this;
  last_question.Clear();
  last_null_answer.Clear();
}

HostMessages::~HostMessages() { collector = nullptr; }

}  // namespace belay::runtime

extern "C" {

void belay_host_asked(const char* function, int64_t index, int64_t second,
                      const void* answer) {
  using belay::runtime::TextWriter;
  using belay::runtime::WriteQuestion;
  belay::runtime::last_question.Set([&](TextWriter& writer) {
    WriteQuestion(function, index, second, writer);
    writer.Text(answer == nullptr ? ", which returned nullptr"
                                  : ", which returned a value");
  });
  if (answer != nullptr) return;
  belay::runtime::last_null_answer.Set([&](TextWriter& writer) {
    WriteQuestion(function, index, second, writer);
  });
}

void belay_host_log(belay::abi::HostLogLevel level, const char* file, int line,
                    const char* subject, const char* format, ...) {
  using belay::abi::HostLogLevel;
  static const bool verbose = std::getenv("BELAY_LOG") != nullptr;
  const bool collected =
      level == HostLogLevel::kError && belay::runtime::collector != nullptr;
  if (level != HostLogLevel::kError && !verbose) return;

  va_list arguments;
  va_start(arguments, format);
  std::string text = belay::runtime::Format(format, arguments);
  va_end(arguments);
  if (*subject != '\0') text = fmt::format("[{}] {}", subject, text);

  if (collected) {
    belay::DiagnosticNote note;
    note.message = text;
    note.location.file = file;
    note.location.line = line;
    belay::runtime::collector->errors.push_back(std::move(note));
  }
  if (verbose || !collected) {
    fmt::print(stderr, "{}:{}: {}: {}\n", file, line,
               belay::runtime::LevelName(level), text);
  }
}

void belay_host_tiling_overflow(const char* what, uint64_t bytes,
                                uint64_t capacity) {
  belay::runtime::HostMessages* collector = belay::runtime::collector;
  if (collector == nullptr) {
    fmt::print(stderr,
               "error: [{}] {} bytes of tiling data do not fit into {} "
               "[{}]\n",
               what, bytes, capacity, belay::code::kH106);
  } else if (!collector->overflow) {
    collector->overflow =
        belay::runtime::HostMessages::Overflow{what, bytes, capacity};
  }
}
}
