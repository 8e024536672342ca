// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_OPERATOR_MESSAGE_H_
#define BELAY_JUDGE_OPERATOR_MESSAGE_H_

// What the two sides of an operator's session say to each other.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "guest/operator_kernel.h"
#include "toolchain/compile.h"

namespace belay::judge {

inline constexpr char kCompileService[] = "operator-compile";
inline constexpr char kOperatorService[] = "operator";

// All but `is_provided`.
nlohmann::json ToJson(const toolchain::CompileOptions& options);
toolchain::CompileOptions CompileOptionsFromJson(const nlohmann::json& from);

// How a launch ended, as the service saw it.
enum class LaunchEnd {
  kFinished,
  kFailed,       // with a diagnostic that says why
  kNoKernel,     // the module has no kernel that fits; with a diagnostic
  kOutOfTime,    //
  kOutOfMemory,  //
  kForbidden,    // a system call
  kKilled,       // by somebody else
  kBroke,        // it threw
};

// A launch whose tensors lie in one piece of memory that both sides share:
// contents first, each at a multiple of 64 bytes, patterns at whole pages, then
// the results.
class SharedLaunch {
 public:
  // Points into `run`, whose results take `result_bytes`.
  SharedLaunch(const guest::KernelRun& run, size_t result_bytes);

  // Of the memory.
  size_t bytes() const { return bytes_; }
  size_t results_at() const { return results_at_; }

  // Where which contents go.
  struct Piece {
    size_t offset;
    std::span<const std::byte> contents;
  };
  const std::vector<Piece>& pieces() const { return pieces_; }

  nlohmann::json ToJson() const;

 private:
  void AddPiece(std::span<const std::byte> contents, size_t alignment);

  const guest::KernelRun& run_;
  std::vector<Piece> pieces_;
  size_t results_at_ = 0;
  size_t bytes_ = 0;
};

// The run with contents and results in `memory`. Of the device's options only
// the chip and the blocks that run are known.
guest::KernelRun RunFromJson(const nlohmann::json& from, std::byte* memory);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_OPERATOR_MESSAGE_H_
