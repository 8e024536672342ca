// SPDX-License-Identifier: Apache-2.0
// What lint finds without running a reference.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>

#include "base/catalogue.h"
#include "bench/lint.h"
#include "bench/shortcuts.h"

namespace belay::bench {
namespace {

using Types = std::map<std::string, DType>;

constexpr int64_t kSmallestUsefulCase = 256;
constexpr int64_t kBlockBytes = 32;  // what the chip's transfers are aligned to

bool HasWord(const std::string& text, const std::string& word) {
  const auto in_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (size_t at = text.find(word); at != std::string::npos;
       at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !in_word(text[at - 1])) &&
        (end == text.size() || !in_word(text[end]))) {
      return true;
    }
  }
  return false;
}

class TextLint {
 public:
  TextLint(const Task& task, const std::vector<Case>& cases, LintReport& report)
      : task_(task), cases_(cases), report_(report) {}

  void Run() {
    CheckSpecification();
    CheckAttributes();
    CheckSizes();
  }

 private:
  void Add(const char* code, int line, std::string message, std::string fix) {
    Diagnostic finding;
    finding.code = code;
    finding.message = std::move(message);
    finding.fix = std::move(fix);
    finding.location.file = task_.file.string();
    finding.location.line = line;
    report_.findings.push_back(std::move(finding));
  }

  bool IsWaived(const std::string& name) {
    for (const Waiver& waiver : task_.waivers) {
      if (waiver.shortcut != name) continue;
      NoteWaived(waiver, report_);
      return true;
    }
    return false;
  }

  void RequireNamed(const std::string& name, const std::string& role,
                    int line) {
    if (HasWord(task_.specification, name)) return;
    Add(code::kK123, line,
        fmt::format("[lint] {}: the specification never names the {} {}",
                    task_.id, role, name),
        "say in the specification what it is and does");
  }

  void CheckSpecification() {
    for (const InputSpec& input : task_.inputs) {
      RequireNamed(input.name, "input", input.line);
    }
    for (const AttributeSpec& attribute : task_.attributes) {
      if (!attribute.value.empty()) continue;
      RequireNamed(attribute.name, "attribute", attribute.line);
    }
    for (const OutputSpec& output : task_.outputs) {
      RequireNamed(output.name, "output", output.line);
    }
  }

  void CheckAttributes() {
    for (const AttributeSpec& attribute : task_.attributes) {
      if (!attribute.value.empty()) continue;
      const std::string name = "ignore:" + attribute.name;
      std::vector<Value> taken;
      for (const Case& one_case : cases_) {
        const Value& value = one_case.attributes.at(attribute.name);
        if (std::find(taken.begin(), taken.end(), value) == taken.end()) {
          taken.push_back(value);
        }
      }
      if (taken.size() > 1 || IsWaived(name)) continue;
      Add(code::kK124, attribute.line,
          fmt::format("[lint] {}: the attribute {} is {} in every case, so a "
                      "kernel may ignore it",
                      task_.id, attribute.name,
                      taken.empty() ? "absent" : taken.front().dump()),
          "give it another value in some case");
    }
  }

  // Bytes of the last axis of every tensor of a case.
  void ForEachRow(const Case& one_case, const auto& use) const {
    const auto add = [&](const std::string& word,
                         const std::vector<Shape>& shapes) {
      const DType dtype = DTypeOf(word, one_case);
      for (const Shape& shape : shapes) {
        if (shape.empty()) continue;
        use(static_cast<int64_t>(
            BytesOf(dtype, static_cast<size_t>(shape.back()))));
      }
    };
    for (const InputSpec& input : task_.inputs) {
      add(input.dtype, InputShapes(input, one_case));
    }
    for (const OutputSpec& output : task_.outputs) {
      if (!IsPresent(output, one_case)) continue;
      if (const auto shapes = OutputShapes(output, one_case)) {
        add(output.dtype, *shapes);
      }
    }
  }

  void CheckSizes() {
    std::map<Types, int64_t> largest;
    std::map<Types, bool> unaligned;
    for (const Case& one_case : cases_) {
      int64_t& most = largest[one_case.types];
      most = std::max(most, ElementsOf(task_, one_case));
      bool& has_tail = unaligned[one_case.types];
      ForEachRow(one_case, [&](int64_t bytes) {
        has_tail |= bytes > kBlockBytes && bytes % kBlockBytes != 0;
      });
    }
    for (const Types& column : task_.types) {
      if (largest.contains(column)) continue;
      Add(code::kK124, 0,
          fmt::format("[lint] {}: no case has the dtypes {}", task_.id,
                      Show(column)),
          "add a case, or remove the column of [[types]]");
    }
    for (const auto& [types, most] : largest) {
      if (most >= kSmallestUsefulCase) continue;
      Add(code::kK124, 0,
          fmt::format("[lint] {}: the largest case of {} has {} elements, and "
                      "one of at least {} is needed to see more than one block",
                      task_.id, Show(types), most, kSmallestUsefulCase),
          "add a larger case");
    }
    for (const auto& [types, has_tail] : unaligned) {
      if (has_tail) continue;
      if (IsWaived("aligned")) return;
      Add(code::kK124, 0,
          fmt::format("[lint] {}: every row of every tensor of {} is at most "
                      "{} bytes or a multiple of it, so no tail is ever seen",
                      task_.id, Show(types), kBlockBytes),
          "add a case with an odd last axis, or a [[waiver]] with shortcut = "
          "\"aligned\" where the operator has none");
    }
  }

  static std::string Show(const Types& types) {
    std::string text;
    for (const auto& [name, dtype] : types) {
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", name,
                          belay::NameOf(dtype));
    }
    return text.empty() ? "the task" : text;
  }

  const Task& task_;
  const std::vector<Case>& cases_;
  LintReport& report_;
};

}  // namespace

void LintText(const Task& task, const std::vector<Case>& cases,
              LintReport& report) {
  TextLint(task, cases, report).Run();
}

void to_json(nlohmann::json& json, const LintReport& report) {
  json = {{"task", report.id},
          {"cases", report.cases},
          {"looked_at", report.looked_at},
          {"shortcuts", report.shortcuts},
          {"untold", report.untold},
          {"seconds", report.seconds},
          {"findings", report.findings},
          {"waived", nlohmann::json::array()}};
  for (const Waived& waived : report.waived) {
    json["waived"].push_back(
        {{"shortcut", waived.shortcut}, {"reason", waived.reason}});
  }
}

void from_json(const nlohmann::json& json, LintReport& report) {
  json.at("task").get_to(report.id);
  json.at("cases").get_to(report.cases);
  json.at("looked_at").get_to(report.looked_at);
  json.at("shortcuts").get_to(report.shortcuts);
  json.at("untold").get_to(report.untold);
  json.at("seconds").get_to(report.seconds);
  report.findings = json.at("findings").get<std::vector<Diagnostic>>();
  for (const nlohmann::json& entry : json.at("waived")) {
    report.waived.push_back({entry.at("shortcut"), entry.at("reason")});
  }
}

}  // namespace belay::bench
