// SPDX-License-Identifier: Apache-2.0
#include "crux/twins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <variant>

#include "crux/print_typed.h"

namespace belay::crux {
namespace {

using code::Stmt;
using code::StmtKind;

bool IsIn(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

class MoveChecker {
 public:
  explicit MoveChecker(const code::Kernel& kernel) : kernel_(kernel) {
    for (const code::Global& global : kernel.globals) {
      Note(global.name, global.dtype);
    }
    for (const code::Function& function : kernel.functions) {
      for (const code::TensorParameter& tensor : function.tensors) {
        Note(tensor.name, tensor.dtype);
      }
      NoteTensors(function.body);
    }
  }

  bool Run() const {
    return !ambiguous_ &&
           std::all_of(kernel_.functions.begin(), kernel_.functions.end(),
                       [&](const code::Function& function) {
                         return Moves(function.body);
                       });
  }

 private:
  void Note(const std::string& tensor, DType dtype) {
    const DType known = dtypes_.emplace(tensor, dtype).first->second;
    ambiguous_ |=
        known != dtype && (known == DType::kHalf || dtype == DType::kHalf);
  }

  // Bits of 16-bit floats count as these: they mean other numbers in either.
  // Memory of 16-bit floats that holds f32 for a while does not.
  void NoteTensors(const code::Block& block) {
    for (const auto& stmt : block) {
      if (stmt->dtype != DType::kNone) {
        const bool bits = stmt->kind == StmtKind::kCast &&
                          stmt->dtype != DType::kFloat && IsHalf(stmt->from);
        Note(stmt->name, bits ? DType::kHalf : stmt->dtype);
      }
      NoteTensors(stmt->body);
      NoteTensors(stmt->otherwise);
    }
  }

  DType DtypeOf(const std::string& tensor) const {
    const auto found = dtypes_.find(tensor);
    return found == dtypes_.end() ? DType::kNone : found->second;
  }
  bool IsHalf(const std::string& tensor) const {
    return DtypeOf(tensor) == DType::kHalf;
  }

  bool Moves(const code::Block& block) const {
    return std::all_of(block.begin(), block.end(), [&](const auto& stmt) {
      return Moves(*stmt) && Moves(stmt->body) && Moves(stmt->otherwise);
    });
  }

  bool Moves(const Stmt& stmt) const {
    if (stmt.scalar != nullptr && MentionsHalf(*stmt.scalar)) return false;
    switch (stmt.kind) {
      case StmtKind::kScalarLet:
        return stmt.dtype != DType::kHalf;
      case StmtKind::kSetValue:
        return !IsHalf(stmt.target.name);
      case StmtKind::kSetGlobal:
        return !IsHalf(stmt.global.name);
      case StmtKind::kCall:
        return CallMoves(stmt);
      default:
        return true;
    }
  }

  bool CallMoves(const Stmt& call) const {
    bool half = false;    // it has 16-bit floats
    bool bits = false;    // or their bits
    bool single = true;   // and f32 besides
    bool plain = true;    // and no numbers but 0
    bool rounds = false;  // otherwise than to nearest even
    for (const auto& type : call.types) {
      const auto* dtype = std::get_if<DType>(&type);
      half = half || (dtype != nullptr && *dtype == DType::kHalf);
      bits = bits || (dtype != nullptr && *dtype == DType::kUint16);
    }
    const auto see = [&](const std::string& tensor) {
      const DType dtype = DtypeOf(tensor);
      half = half || dtype == DType::kHalf;
      single = single && (dtype == DType::kHalf || dtype == DType::kFloat);
    };
    for (const code::Arg& arg : call.args) {
      if (const auto* local = std::get_if<code::Local>(&arg)) {
        see(local->name);
      } else if (const auto* global = std::get_if<code::GlobalPart>(&arg)) {
        see(global->name);
      } else if (const auto* scalar = std::get_if<code::ScalarPtr>(&arg)) {
        if (MentionsHalf(**scalar)) return false;
        plain = plain && (*scalar)->kind == code::ScalarKind::kInt &&
                IsZero(**scalar);
      } else if (const auto* fields = std::get_if<code::Struct>(&arg)) {
        plain = plain && (!fields->padding || IsZero(*fields->padding));
      } else if (const auto* word = std::get_if<code::Word>(&arg)) {
        rounds =
            !IsIn(word->text, {"RoundMode::CAST_NONE", "RoundMode::CAST_RINT"});
      }
    }
    if (!half) return true;
    if (call.function == "Cast") return single && !rounds;
    return plain && (call.function == "DataCopyPad" ||
                     (call.function == "Duplicate" && bits));
  }

  static bool IsZero(const code::Scalar& scalar) {
    return (scalar.kind == code::ScalarKind::kInt && scalar.integer.Is(0)) ||
           (scalar.kind == code::ScalarKind::kReal && scalar.real == 0);
  }

  bool MentionsHalf(const code::Scalar& scalar) const {
    return scalar.dtype == DType::kHalf || IsHalf(scalar.local.name) ||
           IsHalf(scalar.global.name) ||
           std::any_of(
               scalar.args.begin(), scalar.args.end(),
               [&](const code::ScalarPtr& arg) { return MentionsHalf(*arg); });
  }

  const code::Kernel& kernel_;
  std::map<std::string, DType, std::less<>> dtypes_;  // of tensors
  bool ambiguous_ = false;  // two tensors of one name, one of them of f16
};

// Whether all else of both is the same, and one has f16 for the other's bf16.
bool IsHalfOf(const std::vector<DType>& halves,
              const std::vector<DType>& dtypes) {
  bool any = false;
  for (size_t i = 0; i < dtypes.size(); ++i) {
    if (dtypes[i] == DType::kHalf) return false;
    const bool own = dtypes[i] == DType::kBfloat16;
    if (halves[i] != (own ? DType::kHalf : dtypes[i])) return false;
    any = any || own;
  }
  return any;
}

// bf16 for the word f16. A text with bf16, whatever it is for, becomes none.
std::string Renamed(const std::string& text) {
  constexpr std::string_view kHalf = "f16";
  if (text.find("bf16") != std::string::npos) return "";
  std::string renamed;
  size_t begin = 0;
  for (size_t at = text.find(kHalf); at != std::string::npos;
       at = text.find(kHalf, at + kHalf.size())) {
    const auto part = [&](size_t i) {
      return i < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[i])) != 0 ||
              text[i] == '_');
    };
    if (part(at - 1) || part(at + kHalf.size())) continue;
    renamed.append(text, begin, at - begin).append("b");
    begin = at;
  }
  return renamed.append(text, begin);
}

}  // namespace

std::vector<std::optional<size_t>> HalvesFor(
    const std::vector<std::vector<DType>>& instances) {
  std::vector<std::optional<size_t>> result(instances.size());
  for (size_t i = 0; i < instances.size(); ++i) {
    for (size_t j = 0; j < i && !result[i]; ++j) {
      if (IsHalfOf(instances[j], instances[i])) result[i] = j;
    }
  }
  return result;
}

std::string TwinText(const Variant& variant, const ir::Kernel& kernel,
                     bool renamed) {
  std::string text = ToText(kernel);
  // What the text leaves out.
  text += fmt::format("lanes {} {}\n", kernel.rows_on_lanes,
                      kernel.columns_on_lanes);
  for (const auto& [name, most] : kernel.most) {
    text += fmt::format("most {} {}\n", name, most);
  }
  for (const ir::TileParameter& parameter : kernel.parameters) {
    text += fmt::format("{} grain {}\n", parameter.name, parameter.grain);
  }
  for (const auto& [condition, holds] : variant.conditions) {
    text += fmt::format("{} {}\n", ToText(*condition), holds);
  }
  for (const auto& [statement, fits] : variant.fits) {
    text += fmt::format("fits {} {}\n", fmt::ptr(statement), fits);
  }
  return renamed ? Renamed(text) : text;
}

bool OnlyMovesHalves(const code::Kernel& kernel) {
  return MoveChecker(kernel).Run();
}

}  // namespace belay::crux
