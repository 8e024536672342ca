// SPDX-License-Identifier: Apache-2.0
#include "judge/error_class.h"

#include <algorithm>
#include <array>

#include "base/catalogue.h"

namespace belay::judge {
namespace {

constexpr auto kErrorClasses = std::to_array<ErrorClass>({
    // Compiling.
    {"api", "a call that does not exist, or with other parameters"},
    {"dtype", "types mixed or not convertible, a dtype the call does not take"},
    {"scope", "a name not declared, declared twice, or out of its scope"},
    {"memory-misuse", "an object, pointer or buffer used as it may not be"},
    {"syntax", "text that cannot be parsed"},
    {"shapes", "shapes of tiles that do not go together"},
    {"language-rules", "against a rule of the device language or of Crux"},
    {"signature", "operator or kernel does not fit the task's signature"},
    {"compile-other", "another error of the compiler"},
    // Running.
    {"out-of-bounds", "an address outside its memory, buffer or tensor"},
    {"instruction-rules", "alignment, stride, repeat or parameter of a call"},
    {"on-chip-memory", "more on-chip memory asked for than there is"},
    {"queues", "queues used against their order"},
    {"deadlock", "waits for what never comes"},
    {"synchronisation", "flags and barriers that do not match"},
    {"race", "two accesses without an order"},
    {"uninitialised", "bytes used that nobody wrote"},
    {"tiling", "host tiling failed or does not fit the kernel"},
    {"assertion", "an assertion of the candidate's own"},
    {"crash", "a crash"},
    {"timeout", "out of time"},
    {"out-of-memory", "out of the host's memory"},
    {"not-timeable", "its course depends on values: it cannot be timed alone"},
    {"wrong-values", "values that are not right, and nothing else found"},
    {"failed", "another failure"},
    {"forbidden", "against a rule of the benchmark"},
    {"infrastructure", "not the candidate's fault"},
});

struct CodeRange {
  std::string_view first;  // without "BLY-"
  std::string_view last;
  std::string_view name;
};

// The first range that holds a code counts.
constexpr auto kCodeRanges = std::to_array<CodeRange>({
    {"C102", "C103", "api"},
    {"C104", "C104", "language-rules"},
    {"C106", "C106", "crash"},
    {"C107", "C107", "signature"},
    {"C108", "C108", "forbidden"},
    {"G101", "G101", "out-of-bounds"},
    {"G104", "G104", "timeout"},
    {"G105", "G105", "assertion"},
    {"G102", "G107", "crash"},
    {"G108", "G108", "language-rules"},
    {"G109", "G120", "tiling"},
    {"H107", "H107", "out-of-bounds"},
    {"H101", "H106", "tiling"},
    {"H108", "H113", "signature"},
    {"H114", "H114", "wrong-values"},
    {"H115", "H115", "memory-misuse"},
    {"I101", "I199", "uninitialised"},
    {"J101", "J101", "timeout"},
    {"J102", "J102", "out-of-memory"},
    {"J103", "J103", "forbidden"},
    {"J104", "J104", "crash"},
    {"J105", "J105", "signature"},
    {"L101", "L102", "dtype"},
    {"L103", "L199", "language-rules"},
    {"M101", "M101", "out-of-bounds"},
    {"M105", "M105", "out-of-bounds"},
    {"M102", "M199", "memory-misuse"},
    {"N101", "N101", "out-of-bounds"},
    {"N107", "N107", "dtype"},
    {"N109", "N109", "out-of-bounds"},
    {"N170", "N170", "on-chip-memory"},
    {"N102", "N199", "instruction-rules"},
    {"Q101", "Q102", "deadlock"},
    {"Q103", "Q103", "on-chip-memory"},
    {"Q104", "Q199", "queues"},
    {"R101", "R199", "race"},
    {"S101", "S102", "deadlock"},
    {"S111", "S113", "queues"},
    {"S103", "S199", "synchronisation"},
    {"T101", "T199", "not-timeable"},
    {"X101", "X119", "syntax"},
    {"X120", "X120", "scope"},
    {"X124", "X124", "scope"},
    {"X121", "X129", "api"},
    {"X130", "X137", "dtype"},
    {"X140", "X149", "shapes"},
    {"X153", "X153", "scope"},
    {"X161", "X161", "race"},
    {"X160", "X169", "memory-misuse"},
    {"X150", "X179", "language-rules"},
    {"X180", "X180", "signature"},
    {"X181", "X182", "out-of-bounds"},
    {"X183", "X184", "race"},
    {"X185", "X185", "timeout"},
    {"X186", "X186", "out-of-memory"},
    {"X187", "X187", "shapes"},
    {"X188", "X188", "dtype"},
    {"X189", "X190", "uninitialised"},
    {"X191", "X191", "out-of-bounds"},
    {"X192", "X192", "assertion"},
    {"X193", "X193", "shapes"},
    {"X194", "X194", "signature"},
    {"X195", "X195", "on-chip-memory"},
    {"X302", "X302", "on-chip-memory"},
    {"X301", "X303", "language-rules"},
});

struct Phrase {
  std::string_view words;  // as Clang says them
  std::string_view name;
};

// More telling phrases stand before those they could be part of.
constexpr auto kPhrases = std::to_array<Phrase>({
    {"no matching", "api"},
    {"no member named", "api"},
    {"no template named", "api"},
    {"no type named", "api"},
    {"too few arguments", "api"},
    {"too many arguments", "api"},
    {"too few template arguments", "api"},
    {"too many template arguments", "api"},
    {"template argument", "api"},
    {"explicit specialization", "api"},
    {"is ambiguous", "api"},
    {"file not found", "api"},
    {"use of deleted function", "memory-misuse"},
    {"call to deleted", "memory-misuse"},
    {"is a private member", "memory-misuse"},
    {"is a protected member", "memory-misuse"},
    {"address space", "memory-misuse"},
    {"read-only", "memory-misuse"},
    {"const-qualified", "memory-misuse"},
    {"marked const", "memory-misuse"},
    {"not assignable", "memory-misuse"},
    {"indirection requires pointer", "memory-misuse"},
    {"cannot take the address", "memory-misuse"},
    {"drops 'const'", "memory-misuse"},
    {"discards qualifiers", "memory-misuse"},
    {"is not a structure or union", "memory-misuse"},
    {"is a pointer; did you mean to use '->'", "memory-misuse"},
    {"is not a pointer; did you mean to use '.'", "memory-misuse"},
    {"subscripted value is not", "memory-misuse"},
    {"undeclared identifier", "scope"},
    {"unknown type name", "scope"},
    {"redefinition of", "scope"},
    {"redeclaration", "scope"},
    {"out-of-line definition", "scope"},
    {"does not refer to", "scope"},
    {"cannot be implicitly captured", "scope"},
    {"not visible", "scope"},
    {"incomplete type", "scope"},
    {"undefined symbol", "api"},
    {"cannot convert", "dtype"},
    {"no viable conversion", "dtype"},
    {"cannot initialize", "dtype"},
    {"cannot be narrowed", "dtype"},
    {"incompatible", "dtype"},
    {"invalid operands", "dtype"},
    {"static assertion", "dtype"},
    {"static_assert", "dtype"},
    {"conversion from", "dtype"},
    {"is not allowed", "language-rules"},
    {"expected", "syntax"},
    {"extraneous", "syntax"},
    {"unterminated", "syntax"},
    {"unmatched", "syntax"},
    {"missing", "syntax"},
});

std::string_view ClassOfMessage(std::string_view message) {
  for (const Phrase& phrase : kPhrases) {
    if (message.find(phrase.words) != std::string_view::npos) {
      return phrase.name;
    }
  }
  return "compile-other";
}

// "" for a code that is no error's.
std::string_view ClassOfDiagnostic(const Diagnostic& diagnostic) {
  if (diagnostic.code == code::kC101) {
    return ClassOfMessage(diagnostic.message);
  }
  const std::string_view whole = diagnostic.code;
  if (!whole.starts_with("BLY-")) return "";
  const std::string_view name = whole.substr(4);
  for (const CodeRange& range : kCodeRanges) {
    if (range.first <= name && name <= range.last) return range.name;
  }
  return "";
}

}  // namespace

std::span<const ErrorClass> AllErrorClasses() { return kErrorClasses; }

std::string ErrorClassOf(const Verdict& verdict) {
  switch (verdict.outcome) {
    case Outcome::kPassed:
      return "";
    case Outcome::kForbidden:
      return "forbidden";
    case Outcome::kInfrastructure:
      return "infrastructure";
    default:
      break;
  }
  for (const Finding& finding : verdict.findings) {
    if (finding.diagnostic.severity != Severity::kError) continue;
    const std::string_view name = ClassOfDiagnostic(finding.diagnostic);
    if (!name.empty()) return std::string(name);
  }
  if (verdict.outcome == Outcome::kNotCompiled) return "compile-other";
  return verdict.outcome == Outcome::kWrong ? "wrong-values" : "failed";
}

}  // namespace belay::judge
