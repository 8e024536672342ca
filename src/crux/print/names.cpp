// SPDX-License-Identifier: Apache-2.0
#include "crux/print/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <unordered_set>

namespace belay::crux::print {
namespace {

// Of C++, of AscendC's macros and types, and of the frame that is printed.
constexpr std::string_view kReservedWords =
    "ASCEND_IS_AIC ASCEND_IS_AIV Align AlignUp Allocated Argument AscendC "
    "BinaryRepeatParams BitCast BlockReduce BrcbRepeatParams Broadcast "
    "CMPMODE CacheLine CacheMode Call CeilDiv CopyRepeatParams Count "
    "DataCacheCleanAndInvalid DataCopyExtParams DataCopyPadExtParams "
    "DataCopyParams DcciDst Dims Do Download EOF FirstItem FloorDiv FloorMod "
    "FromUnsigned GM_ADDR GatherMaskParams GatherRepeatParams GetBlockIdx "
    "GetBlockNum GetTPipePtr Given GlobalTensor HardEvent I INFINITY "
    "InFloat Init Integers IsTrue Launch ListOf ListTensorDesc LoadInto "
    "LocalTensor MASK_PLACEHOLDER M_1_PI M_2_PI M_2_SQRTPI M_E M_LN10 M_LN2 "
    "M_LOG10E M_LOG2E M_PI M_PI_2 M_PI_4 M_SQRT1_2 M_SQRT2 MaskMode Max Min "
    "MrgSort4Info MrgSortSrcList "
    "NAN NULL Numbers OFF ON Op Piece PipeBarrier PowerIn Process Read "
    "ReduceOrder Refused RoundMode SELMODE SetFlag SizeAt StoreFrom "
    "StoreShapes Sync SyncAll TBuf "
    "TPipe TPosition TQue TQueBind TakeFloat ToBfloat16 ToFloat ToUnsigned "
    "TransDataTo5HDParams Trap Turn UnaryRepeatParams Upload WaitFlag "
    "WholeReduce "
    "Word alignas alignof and and_eq argc args argv asm assert attrs auto "
    "bfloat16_t bitand bitor blocks bool break bytes call case catch char "
    "char16_t char32_t char8_t class co_await co_return co_yield compl "
    "concept const const_cast consteval constexpr constinit context continue "
    "core_count count data decltype default delete do double dynamic_cast "
    "else enum errno explicit export extern false float float16_t for friend "
    "ge gert goto half host i if inline int int16_t int32_t int64_t int8_t "
    "kInfinity kNaN kStart key linux long main moved mutable namespace new "
    "noexcept not not_eq npu nullptr op operator optiling or or_eq piece "
    "pipe platform printf private protected public register reinterpret_cast "
    "requires return shapes short signed sizeof static static_assert "
    "static_cast status std stderr stdin stdout stream struct switch "
    "template this thread_local throw tiling tiling_data total true try "
    "typedef typeid typename typeof ub_size uint uint16_t uint32_t "
    "uint64_t uint8_t union unix unsigned using virtual void volatile "
    "wchar_t while words workspace workspace_bytes xor xor_eq";

bool IsMember(NameKind kind) {
  return kind == NameKind::kGlobal || kind == NameKind::kList ||
         kind == NameKind::kQueue || kind == NameKind::kBuffer ||
         kind == NameKind::kKept;
}

}  // namespace

bool IsReserved(std::string_view identifier) {
  using Words = std::unordered_set<std::string_view, ir::NameHash>;
  static const Words words = [] {
    Words all;
    for (size_t at = 0; at < kReservedWords.size();) {
      const size_t end =
          std::min(kReservedWords.find(' ', at), kReservedWords.size());
      all.insert(kReservedWords.substr(at, end - at));
      at = end + 1;
    }
    return all;
  }();
  if (words.contains(identifier)) return true;
  switch (identifier.empty() ? 'a' : identifier[0]) {
    case 'D':
      return identifier.starts_with("DTYPE_");
    case 'O':
      return identifier.starts_with("ORIG_DTYPE_");
    case '_':
      return identifier.starts_with("__") ||
             (identifier.size() > 1 &&
              std::isupper(static_cast<unsigned char>(identifier[1])));
    default:
      return false;
  }
}

std::string LegalName(std::string_view name) {
  // What a helper of the program declares has its name before a dot.
  std::string legal(name);
  for (char& c : legal) {
    if (!IsWordPart(c)) c = '_';
  }
  if (legal.starts_with('_')) return "v" + legal;
  if (IsReserved(legal)) legal += "_value";
  return legal;
}

const std::string& Names::Of(NameKind kind, const std::string& name) {
  const auto [found, is_new] = KnownOf(kind).try_emplace(name);
  if (!is_new) return found->second;
  std::string wish = LegalName(name);
  if (kind == NameKind::kList) wish += "_list";
  if (IsMember(kind)) wish += "_";
  ir::NameSet& taken = kind == NameKind::kField ? fields_ : taken_;
  std::string identifier = wish;
  uint64_t hash = ir::NameSet::HashOf(identifier);
  for (int i = 2; taken.contains(identifier, hash); ++i) {
    identifier = IsMember(kind) ? fmt::format("{}{}_", wish, i)
                                : fmt::format("{}_{}", wish, i);
    hash = ir::NameSet::HashOf(identifier);
  }
  taken.insert(identifier, hash);
  return found->second = std::move(identifier);
}

std::string CamelCase(std::string_view name) {
  std::string result;
  bool upper = true;
  for (const char c : name) {
    if (c == '_') {
      upper = true;
    } else {
      result +=
          upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                : c;
      upper = false;
    }
  }
  if (result.empty() || std::isdigit(static_cast<unsigned char>(result[0]))) {
    result.insert(0, "Op");
  }
  return result;
}

}  // namespace belay::crux::print
