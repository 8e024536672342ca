// SPDX-License-Identifier: Apache-2.0
// Every operation compiles with the element types it takes, and with every
// other type is refused by a message that names the operation and the type.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

const char* const kTypes[] = {"bool",     "int8_t", "uint8_t",    "int16_t",
                              "uint16_t", "half",   "bfloat16_t", "int32_t",
                              "uint32_t", "float",  "int64_t",    "uint64_t",
                              "double",   "int4b_t"};

bool IsIn(const std::string& type, const std::string& types) {
  std::istringstream words(types);
  for (std::string word; words >> word;) {
    if (word == type || word == "any") return true;
  }
  return false;
}

// One line of the program to compile.
struct Snippet {
  std::string code;
  std::string refusal;  // part of the message, empty if it must compile
};

std::string Full(const std::string& type) {
  return type == "int4b_t" ? "AscendC::int4b_t" : type;
}

void AddOperation(const std::string& api, const std::string& call,
                  const std::string& types, std::vector<Snippet>& snippets) {
  for (const std::string type : kTypes) {
    snippets.push_back({"using T = " + Full(type) +
                            "; AscendC::LocalTensor<T> a; "
                            "AscendC::GlobalTensor<T> gm; T s{}; (void)s; "
                            "AscendC::" +
                            call + ";",
                        IsIn(type, types)
                            ? ""
                            : "AscendC::" + api + " does not take " + type +
                                  " on this chip: it takes "});
  }
}

void AddCast(const std::string& from, const std::string& types,
             std::vector<Snippet>& snippets) {
  for (const std::string to : kTypes) {
    snippets.push_back(
        {"AscendC::LocalTensor<" + Full(to) + "> a; AscendC::LocalTensor<" +
             Full(from) +
             "> b; AscendC::Cast(a, b, AscendC::RoundMode::CAST_NONE, 8);",
         IsIn(to, types) ? ""
                         : "AscendC::Cast does not convert " + from +
                               " to the type of dst on this chip"});
  }
}

std::vector<Snippet> AllSnippets() {
  std::vector<Snippet> snippets;
#define BELAY_TAKEN(api, call, types) AddOperation(api, call, types, snippets);
#define BELAY_CONVERTED(from, types) AddCast(from, types, snippets);
#include "refused_dtypes.def"
#undef BELAY_CONVERTED
#undef BELAY_TAKEN
  return snippets;
}

// Compiles `source`; the error messages by the line of it they concern.
std::multimap<size_t, std::string> ErrorsByLine(const std::string& source) {
  const std::string command =
      std::string(BELAY_COMPILE_COMMAND) +
      " -ferror-limit=0 -fno-caret-diagnostics -fno-color-diagnostics " +
      source + " 2>&1";
  std::multimap<size_t, std::string> errors;
  FILE* output = popen(command.c_str(), "r");
  if (output == nullptr) return errors;
  const std::regex place("^" + source + ":([0-9]+):");
  std::string message;
  std::array<char, 4096> buffer;
  while (std::fgets(buffer.data(), buffer.size(), output) != nullptr) {
    const std::string line(buffer.data());
    const size_t error = line.find("error: ");
    if (error != std::string::npos) message = line.substr(error + 7);
    std::smatch match;
    // The error itself, or the note that says where it was asked for.
    if (!message.empty() && std::regex_search(line, match, place)) {
      errors.emplace(std::stoul(match[1]), message);
      message.clear();
    }
  }
  pclose(output);
  return errors;
}

TEST(RefusedTypes, EveryOperationTakesItsTypesAndNoOthers) {
  const std::filesystem::path source =
      std::filesystem::path(::testing::TempDir()) / "belay_refused_types.cpp";
  const std::vector<Snippet> snippets = AllSnippets();
  ASSERT_GT(snippets.size(), 1000u);
  size_t first = 0;
  {
    std::ofstream file(source);
    const std::string head =
        "#include \"kernel_operator.h\"\n"
        "constexpr auto kSelect = AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE;\n"
        "AscendC::LocalTensor<uint8_t> bits;\n"
        "AscendC::LocalTensor<uint32_t> index;\n"
        "uint64_t list[16]; uint64_t kept;\n";
    file << head;
    first = 1 + static_cast<size_t>(std::count(head.begin(), head.end(), '\n'));
    for (size_t i = 0; i < snippets.size(); ++i) {
      file << "void F" << i << "() { " << snippets[i].code << " }\n";
    }
  }
  const auto errors = ErrorsByLine(source.string());
  for (size_t i = 0; i < snippets.size(); ++i) {
    const auto [begin, end] = errors.equal_range(first + i);
    if (snippets[i].refusal.empty()) {
      EXPECT_TRUE(begin == end) << snippets[i].code << "\n" << begin->second;
      continue;
    }
    const bool is_refused = std::any_of(begin, end, [&](const auto& error) {
      return error.second.find(snippets[i].refusal) != std::string::npos;
    });
    EXPECT_TRUE(is_refused)
        << snippets[i].code << "\nexpected: " << snippets[i].refusal
        << "\nsaid: " << (begin == end ? "nothing" : begin->second);
  }
  std::filesystem::remove(source);
}

}  // namespace
