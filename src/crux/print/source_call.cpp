// SPDX-License-Identifier: Apache-2.0
#include "crux/print/source_call.h"

#include <string>
#include <vector>

#include "crux/print/project.h"

namespace belay::crux::print {
namespace {

using Lines = std::vector<std::string>;

struct Member {
  std::string name;
  std::string needs;  // another member; empty: none
  Lines lines;
};

const std::vector<Member>& Members() {
  static const std::vector<Member> kMembers = {
      {"Given",
       "",
       {"  // How many inputs: files of results come without a dtype.",
        "  size_t Given(const std::string& name) {", "    size_t given = 0;",
        "    while (!Part(name, 1, given).empty()) ++given;",
        "    return given;", "  }"}},
      {"Flag",
       "Word",
       {"  bool Flag(const std::string& name, const char* fallback) {",
        "    const std::string word = Word(name, fallback);",
        "    return word == \"1\" || word == \"true\";", "  }"}},
      {"Integer",
       "Word",
       {"  int64_t Integer(const std::string& name, const char* fallback) {",
        "    return std::atoll(Word(name, fallback).c_str());", "  }"}},
      {"Real",
       "Word",
       {"  double Real(const std::string& name, const char* fallback) {",
        "    return std::atof(Word(name, fallback).c_str());", "  }"}},
      {"List",
       "Word",
       {"  Dims List(const std::string& name, const char* fallback) {",
        "    return Numbers(Word(name, fallback));", "  }"}},
      {"Integers",
       "",
       {"  // The elements of an input.",
        "  Dims Integers(const std::string& name) {",
        "    std::ifstream file(Part(name, 0), std::ios::binary);",
        "    const std::string bytes(std::istreambuf_iterator<char>(file), "
        "{});",
        "    Dims numbers;", "    if (Part(name, 1) == \"i32\") {",
        "      const auto* data = reinterpret_cast<const "
        "int32_t*>(bytes.data());",
        "      numbers.assign(data, data + bytes.size() / 4);", "    } else {",
        "      const auto* data = reinterpret_cast<const "
        "int64_t*>(bytes.data());",
        "      numbers.assign(data, data + bytes.size() / 8);", "    }",
        "    return numbers;", "  }"}},
      {"Word",
       "",
       {"  std::string Word(const std::string& name, const char* fallback) {",
        "    if (Count(name) > 0) return words_[name][0];",
        "    if (fallback != nullptr) return fallback;",
        "    std::exit(Refused(name + \" is missing\"));", "  }"}},
  };
  return kMembers;
}

}  // namespace

Text PrintCall(const Text& main) {
  Text text;
  text.Verbatim({
      "int Refused(const std::string& message) {",
      "  std::fprintf(stderr, \"%s\\n\", message.c_str());",
      "  return 1;",
      "}",
      "",
      "Dims Numbers(const std::string& text) {",
      "  std::stringstream words(text);",
      "  Dims numbers;",
      "  for (std::string word; std::getline(words, word, ',');) {",
      "    numbers.push_back(std::atoll(word.c_str()));",
      "  }",
      "  return numbers;",
      "}",
      "",
      "GM_ADDR Allocated(size_t bytes) {",
      "  void* memory = nullptr;",
      "  aclrtMalloc(&memory, bytes + 32, ACL_MEM_MALLOC_HUGE_FIRST);",
      "  return static_cast<GM_ADDR>(memory);",
      "}",
      "",
  });
  if (Mentions(main, "ListOf")) {
    text.Verbatim({
        "// What the device sees of a list of tensors.",
        "GM_ADDR ListOf(const std::vector<GM_ADDR>& tensors,",
        "               const std::vector<Dims>& shapes) {",
        "  std::vector<uint64_t> words(1);",
        "  for (size_t i = 0; i < shapes.size(); ++i) {",
        "    words.push_back(i << 32 | shapes[i].size());",
        "    words.insert(words.end(), shapes[i].begin(), shapes[i].end());",
        "  }",
        "  words[0] = words.size() * sizeof(uint64_t);",
        "  for (GM_ADDR tensor : tensors) {",
        "    words.push_back(reinterpret_cast<uint64_t>(tensor));",
        "  }",
        "  const size_t bytes = words.size() * sizeof(uint64_t);",
        "  GM_ADDR list = Allocated(bytes);",
        "  aclrtMemcpy(list, bytes, words.data(), bytes, "
        "ACL_MEMCPY_HOST_TO_DEVICE);",
        "  return list;",
        "}",
        "",
    });
  }
  text.Verbatim({
      "// Arguments: x=FILE:DTYPE:SHAPE for an input, such as "
      "x=x.bin:f16:64,1000,",
      "// y=FILE for an output, NAME=VALUE for an attribute. Files hold "
      "elements one",
      "// after the other. The tensors of a list follow one another.",
      "class Call {",
      " public:",
      "  Call(int argc, char** argv) {",
      "    for (int i = 1; i < argc; ++i) {",
      "      const std::string word = argv[i];",
      "      const size_t sign = std::min(word.find('='), word.size() - 1);",
      "      words_[word.substr(0, sign)].push_back(word.substr(sign + 1));",
      "    }",
      "  }",
      "",
      "  size_t Count(const std::string& name) { return words_[name].size(); }",
      "  // FILE, DTYPE or SHAPE.",
      "  std::string Part(const std::string& name, int which, size_t i = 0) {",
      "    std::stringstream parts(i < Count(name) ? words_[name][i] : \"\");",
      "    std::string part;",
      "    for (; which >= 0; --which) {",
      "      part.clear();",
      "      std::getline(parts, part, ':');",
      "    }",
      "    return part;",
      "  }",
  });
  for (const Member& member : Members()) {
    bool wanted = Mentions(main, member.name);
    for (const Member& other : Members()) {
      wanted |= other.needs == member.name && Mentions(main, other.name);
    }
    if (wanted) text.Verbatim(member.lines);
  }
  text.Verbatim({
      "  GM_ADDR Upload(const std::string& name, size_t i = 0) {",
      "    if (i >= Count(name)) return nullptr;",
      "    std::ifstream file(Part(name, 0, i), std::ios::binary);",
      "    const std::string data(std::istreambuf_iterator<char>(file), {});",
      "    const size_t bytes = data.size();",
      "    GM_ADDR memory = Allocated(bytes);",
      "    aclrtMemcpy(memory, bytes, data.data(), bytes, "
      "ACL_MEMCPY_HOST_TO_DEVICE);",
      "    return memory;",
      "  }",
      "  void Download(const std::string& name, GM_ADDR memory, size_t bytes,",
      "                size_t i = 0) {",
      "    if (i >= Count(name)) return;",
      "    std::string data(bytes, 0);",
      "    aclrtMemcpy(&data[0], bytes, memory, bytes, "
      "ACL_MEMCPY_DEVICE_TO_HOST);",
      "    std::ofstream(Part(name, 0, i), std::ios::binary) << data;",
      "  }",
      "",
      " private:",
      "  std::map<std::string, std::vector<std::string>> words_;",
      "};",
      "",
      "// Of an element: the digits of f16, i64.",
      "size_t BytesOf(const std::string& dtype) {",
      "  const size_t digits = std::min(dtype.find_first_of(\"1368\"), "
      "dtype.size());",
      "  return std::max(std::atoi(dtype.c_str() + digits) / 8, 1);",
      "}",
  });
  return text;
}

}  // namespace belay::crux::print
