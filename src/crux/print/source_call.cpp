// SPDX-License-Identifier: Apache-2.0
#include "crux/print/source_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "crux/print/project.h"

namespace belay::crux::print {
namespace {

using Lines = std::vector<std::string>;

// A function that reads arguments, for calls whose arguments have names, and
// for those that have numbers as well.
struct Reader {
  std::string name;
  Lines lines;
};

std::vector<Reader> Readers(bool numbered) {
  const std::string first = numbered ? "{name, 0}" : "name";
  return {
      {"Count",
       {"size_t Count(const Call& call, const char* name) {",
        "  size_t count = 0;",
        "  while (call.count({name, count}) > 0) ++count;", "  return count;",
        "}"}},
      {"Given",
       {"// How many inputs: files of results come without a dtype.",
        "size_t Given(Call& call, const char* name) {", "  size_t given = 0;",
        "  while (!call[{name, given}].dtype.empty()) ++given;",
        "  return given;", "}"}},
      {"Integers",
       {"// The elements of an input.", "Dims Integers(const Argument& from) {",
        "  std::string bytes(std::filesystem::file_size(from.file), 0);",
        "  std::ifstream(from.file, std::ios::binary)",
        "      .read(&bytes[0], bytes.size());", "  Dims numbers;",
        "  if (from.dtype == \"i32\") {",
        "    const auto* data = reinterpret_cast<const "
        "int32_t*>(bytes.data());",
        "    numbers.assign(data, data + bytes.size() / 4);", "  } else {",
        "    const auto* data = reinterpret_cast<const "
        "int64_t*>(bytes.data());",
        "    numbers.assign(data, data + bytes.size() / 8);", "  }",
        "  return numbers;", "}"}},
      {"Word",
       {"std::string Word(Call& call, const char* name, const char* fallback) "
        "{",
        fmt::format("  if (call.count({0}) > 0) return call[{0}].word;", first),
        "  if (fallback != nullptr) return fallback;",
        "  std::exit(Refused(name + std::string(\" is missing\")));", "}"}},
      {"Numbers",
       {"Dims Numbers(const std::string& text) {",
        "  std::stringstream words(text);", "  Dims numbers;",
        "  for (std::string word; std::getline(words, word, ',');) {",
        "    numbers.push_back(std::atoll(word.c_str()));", "  }",
        "  return numbers;", "}"}},
      {"IsTrue",
       {"bool IsTrue(const std::string& word) {",
        "  return word == \"1\" || word == \"true\";", "}"}},
  };
}

void PrintList(Text& text) {
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

// `words`: attributes are read.
void PrintArguments(bool numbered, bool words, Text& text) {
  text.Verbatim({
      "// x=FILE:DTYPE:SHAPE for an input, such as x=x.bin:f16:64,1000, y=FILE "
      "for an",
      "// output, NAME=VALUE for an attribute. Files hold elements one after "
      "the other.",
      "struct Argument {",
      words ? "  std::string word, file, dtype;" : "  std::string file, dtype;",
      "  Dims dims;",
      "};",
      "",
  });
  if (numbered) {
    text.Verbatim({"// Those of one name follow one another.",
                   "using Call = std::map<std::pair<std::string, size_t>, "
                   "Argument>;"});
  } else {
    text.Verbatim({"using Call = std::map<std::string, Argument>;"});
  }
  text.Verbatim({
      "",
      "Call Read(int argc, char** argv) {",
      "  Call call;",
      "  for (int i = 1; i < argc; ++i) {",
      "    std::stringstream words(argv[i]);",
      "    std::string name, size;",
      "    std::getline(words, name, '=');",
  });
  if (numbered) {
    text.Verbatim({"    size_t number = 0;",
                   "    while (call.count({name, number}) > 0) ++number;",
                   "    Argument& one = call[{name, number}];"});
  } else {
    text.Verbatim({"    Argument& one = call[name];"});
  }
  if (words) {
    text.Verbatim({"    std::getline(words, one.word);",
                   "    words = std::stringstream(one.word);"});
  }
  text.Verbatim({
      "    std::getline(std::getline(words, one.file, ':'), one.dtype, ':');",
      "    while (std::getline(words, size, ',')) "
      "one.dims.push_back(std::stoll(size));",
      "  }",
      "  return call;",
      "}",
      "",
  });
}

}  // namespace

bool IsNumbered(const typed::Kernel& kernel) {
  return std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                     [](const typed::Parameter* parameter) {
                       return parameter->list ||
                              parameter->role == typed::ParameterRole::kInOut;
                     });
}

std::string ArgumentText(const typed::Kernel& kernel, const std::string& name,
                         const std::string& number) {
  return IsNumbered(kernel) ? fmt::format("call[{{\"{}\", {}}}]", name, number)
                            : fmt::format("call[\"{}\"]", name);
}

Text PrintCall(const typed::Kernel& kernel, const Text& main) {
  const bool numbered = IsNumbered(kernel);
  Text text;
  text.Verbatim({
      "int Refused(const std::string& message) {",
      "  std::fprintf(stderr, \"%s\\n\", message.c_str());",
      "  return 1;",
      "}",
      "",
  });
  PrintArguments(numbered, Mentions(main, "Word"), text);
  for (const Reader& reader : Readers(numbered)) {
    if (!Mentions(main, reader.name)) continue;
    text.Verbatim(reader.lines);
    text.Blank();
  }
  text.Verbatim({
      "GM_ADDR Allocated(size_t bytes) {",
      "  void* memory = nullptr;",
      "  aclrtMalloc(&memory, bytes + 32, ACL_MEM_MALLOC_HUGE_FIRST);",
      "  return static_cast<GM_ADDR>(memory);",
      "}",
      "",
  });
  if (Mentions(main, "ListOf")) PrintList(text);
  text.Verbatim({
      "GM_ADDR Upload(const Argument& from) {",
      "  const size_t bytes = std::filesystem::file_size(from.file);",
      "  std::string data(bytes, 0);",
      "  std::ifstream(from.file, std::ios::binary).read(&data[0], bytes);",
      "  GM_ADDR memory = Allocated(bytes);",
      "  aclrtMemcpy(memory, bytes, data.data(), bytes, "
      "ACL_MEMCPY_HOST_TO_DEVICE);",
      "  return memory;",
      "}",
      "",
      "void Download(const Argument& to, GM_ADDR memory, size_t bytes) {",
      "  std::string data(bytes, 0);",
      "  aclrtMemcpy(&data[0], bytes, memory, bytes, "
      "ACL_MEMCPY_DEVICE_TO_HOST);",
      "  std::ofstream(to.file, std::ios::binary) << data;",
      "}",
  });
  return text;
}

}  // namespace belay::crux::print
