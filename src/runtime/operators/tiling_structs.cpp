// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/tiling_structs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>

namespace belay::runtime {
namespace {

using Classes = std::vector<const abi::HostTilingClass*>;

bool SameLayout(const abi::HostTilingClass& a, const abi::HostTilingClass& b) {
  const auto same_field = [](const abi::HostTilingField& left,
                             const abi::HostTilingField& right) {
    return std::strcmp(left.name, right.name) == 0 &&
           std::strcmp(left.type, right.type) == 0 &&
           left.offset == right.offset && left.bytes == right.bytes &&
           left.count == right.count;
  };
  return a.bytes == b.bytes &&
         std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(),
                    b.fields.end(), same_field);
}

const abi::HostTilingClass* FindByName(const Classes& classes,
                                       const char* name) {
  for (const abi::HostTilingClass* known : classes) {
    if (std::strcmp(known->name, name) == 0) return known;
  }
  return nullptr;
}

bool IsNumber(const char* type) {
  static constexpr const char* kNumbers[] = {
      "bool",     "int8_t",  "uint8_t",  "int16_t", "uint16_t", "int32_t",
      "uint32_t", "int64_t", "uint64_t", "float",   "double"};
  return std::any_of(
      std::begin(kNumbers), std::end(kNumbers),
      [&](const char* known) { return std::strcmp(known, type) == 0; });
}

// A struct of the library (belay/tiling_class.h), which kernel code has anyway.
bool IsLibraryStruct(std::string_view name) {
  return name.starts_with("AscendC::tiling::");
}

class Writer {
 public:
  Writer(const Classes& classes, std::vector<std::string>& problems)
      : classes_(classes), problems_(problems) {}

  // Those it holds come first.
  void Write(const abi::HostTilingClass& described) {
    if (IsLibraryStruct(described.name)) return;
    if (FindByName(written_, described.name) != nullptr) return;
    written_.push_back(&described);
    for (const abi::HostTilingField& field : described.fields) {
      if (IsNumber(field.type)) continue;
      if (IsLibraryStruct(field.type)) {
        holds_library_structs = true;
        continue;
      }
      const abi::HostTilingClass* held = FindByName(classes_, field.type);
      if (held != nullptr) {
        Write(*held);
      } else {
        problems_.push_back(fmt::format(
            "tiling class {} holds a {}, which is not registered: add "
            "REGISTER_TILING_DATA_CLASS({}Op, {})",
            described.name, field.type, field.type, field.type));
      }
    }
    WriteFields(described);
  }

  std::string text;
  bool holds_library_structs = false;

 private:
  void WriteFields(const abi::HostTilingClass& described) {
    text += fmt::format("struct {} {{\n", described.name);
    uint64_t at = 0;
    int pads = 0;
    const auto pad_to = [&](uint64_t offset) {
      if (offset <= at) return;
      text += fmt::format("  uint8_t belay_padding_{}[{}] = {{}};\n", pads++,
                          offset - at);
      at = offset;
    };
    for (const abi::HostTilingField& field : described.fields) {
      pad_to(field.offset);
      const bool is_array = field.count > 0;
      text += fmt::format(
          "  {} {}{} = {{}};\n", field.type, field.name,
          is_array ? fmt::format("[{}]", field.count) : std::string());
      at += field.bytes * (is_array ? field.count : 1);
    }
    pad_to(described.bytes);
    text += fmt::format("}};\nstatic_assert(sizeof({}) == {}, \"\");\n",
                        described.name, described.bytes);
  }

  const Classes& classes_;
  std::vector<std::string>& problems_;
  Classes written_;
};

}  // namespace

std::string TilingStructsText(
    const std::vector<RegisteredTilingClass>& registered,
    const std::string& type, uint64_t key, std::vector<std::string>& problems) {
  if (registered.empty()) return "";

  Classes classes;
  const abi::HostTilingClass* of_type = nullptr;
  const abi::HostTilingClass* of_key = nullptr;
  const std::string type_and_key = fmt::format("{}_{}", type, key);
  for (const RegisteredTilingClass& entry : registered) {
    const abi::HostTilingClass* described = entry.describe();
    const abi::HostTilingClass* known = FindByName(classes, described->name);
    if (known == nullptr) {
      classes.push_back(described);
    } else if (!SameLayout(*known, *described)) {
      problems.push_back(fmt::format(
          "two tiling classes are named {}, with different fields: kernel "
          "code sees all of them in one namespace",
          described->name));
    }
    if (entry.name == type) of_type = described;
    if (entry.name == type_and_key) of_key = described;
  }

  Writer writer(classes, problems);
  for (const abi::HostTilingClass* described : classes) {
    writer.Write(*described);
  }
  // GET_TILING_DATA takes the operator's default, whatever the key.
  const abi::HostTilingClass* chosen = of_type != nullptr ? of_type : of_key;
  std::string text = "#include <stdint.h>\n";
  if (writer.holds_library_structs) {
    text += "#include \"kernel_tiling/kernel_tiling.h\"\n";
  }
  text += "#pragma pack(push, 1)\n" + writer.text + "#pragma pack(pop)\n";
  if (chosen != nullptr) {
    text += fmt::format("using BelayTilingData = {};\n", chosen->name);
  }
  return text;
}

}  // namespace belay::runtime
