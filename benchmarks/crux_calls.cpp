// SPDX-License-Identifier: Apache-2.0
#include "crux_calls.h"

#include <fmt/format.h>

#include <deque>
#include <sstream>

#include "base/error.h"

namespace belay::benchmarks {
namespace {

constexpr double kGoal = 85;
constexpr double kShortRows = 50;
// Small parts that are loaded by every core leave the ratio at one.
constexpr double kOnce = 1.02;

crux::interpret::AttributeValue AttributeOf(crux::TypeKind kind,
                                            const std::string& text) {
  switch (kind) {
    case crux::TypeKind::kHostInt:
      return static_cast<int64_t>(std::stoll(text));
    case crux::TypeKind::kHostFloat:
      return std::stod(text);
    case crux::TypeKind::kHostBool:
      return text == "true";
    default:
      return text;
  }
}

}  // namespace

const std::vector<CruxCall>& CruxCalls() {
  static const std::vector<CruxCall> calls = {
      // Activation.
      {"swish", "x=T[R,8192]", 6144, kGoal, kOnce},
      {"swish", "x=T[R,8192]", 16384, kGoal, kOnce},
      {"softmax", "x=T[R,4096]", 12288, kGoal, kOnce},
      {"softmax", "x=T[R,1024]", 49152, kGoal, kOnce},
      {"softmax", "x=T[R,262144]", 192, 0, 1.51},
      {"softmax", "x=T[R,10]", 1000000, kShortRows, kOnce, true},
      {"log_softmax", "x=T[R,4096]", 12288, kGoal, kOnce},
      {"log_softmax", "x=T[R,262144]", 192, 0, 1.51},
      {"log_softmax", "x=T[R,10]", 1000000, kShortRows, kOnce, true},
      {"gelu_forms", "x=T[R,8192]", 6144, kGoal, kOnce},
      {"gelu_forms", "x=T[R,8192] approximate=tanh", 6144, kGoal, kOnce},
      {"swiglu", "x=T[R,12288]", 5632, kGoal, kOnce},
      {"elu", "x=T[R,8192]", 6144, kGoal, kOnce},
      {"mish", "x=T[R,8192]", 6144, kGoal, kOnce},
      {"prelu", "x=T[R,256,128,64] weight=T[256]", 24, kGoal, kOnce},
      // Loss.
      {"cross_entropy", "x=T[R,32000] target=i32[R]", 3200, kGoal, kOnce},
      {"mse_loss", "predict=T[R,8192] label=T[R,8192]", 6144, kGoal, kOnce},
      {"triplet_margin_loss",
       "anchor=T[R,1024] positive=T[R,1024] negative=T[R,1024]", 33792, kGoal,
       kOnce},
      {"bce_with_logits", "x=T[R,8192] target=T[R,8192]", 6144, kGoal, kOnce},
      {"focal_loss", "x=T[R,8192] target=T[R,8192]", 6144, kGoal, kOnce},
      // Normalisation.
      {"add_layer_norm", "x1=T[R,4096] x2=T[R,4096] gamma=T[4096] beta=T[4096]",
       8448, kGoal, kOnce},
      {"layer_norm", "x=T[R,4096] gamma=T[4096] beta=T[4096]", 12288, kGoal,
       kOnce},
      {"layer_norm", "x=T[R,1024] gamma=T[1024] beta=T[1024]", 49152, kGoal,
       kOnce},
      {"layer_norm", "x=T[R,262144]", 192, 0, 1.51},
      {"layer_norm", "x=T[R,10] gamma=T[10] beta=T[10]", 1000000, kShortRows,
       kOnce, true},
      {"rms_norm", "x=T[R,1024] gamma=T[1024]", 49152, kGoal, kOnce},
      {"rms_norm", "x=T[R,4096] gamma=T[4096]", 12288, kGoal, kOnce},
      {"batch_norm",
       "x=T[R,256,128,64] weight=T[256] bias=T[256] running_mean=f32[256] "
       "running_var=f32[256]",
       24, kGoal, 1.51},
      {"batch_norm",
       "x=T[R,16384,16,16] weight=T[16384] bias=T[16384] "
       "running_mean=f32[16384] running_var=f32[16384]",
       12, kGoal, kOnce},
      {"group_norm_swish",
       "x=T[R,256,128,64] gamma=T[256] beta=T[256] groups=32", 24, kGoal, 1.51},
      {"group_norm_swish", "x=T[R,64,64,64] gamma=T[64] beta=T[64] groups=32",
       192, kGoal, kOnce},
      {"ada_layer_norm", "x=T[R,512,4096] scale=T[R,4096] shift=T[R,4096]", 24,
       kGoal, kOnce},
      {"local_response_norm", "x=T[R,256,128,64] size=5", 24, kGoal, 0},
      // Optimizer.
      {"adamw",
       "var=T[R,8192] m=T[R,8192] v=T[R,8192] grad=T[R,8192] "
       "step=f32[1]",
       1792, kGoal, kOnce},
      {"lion", "var=T[R,8192] m=T[R,8192] grad=T[R,8192]", 2560, kGoal, kOnce},
      {"lars", "var=T[R,8192] velocity=T[R,8192] grad=T[R,8192]", 2560, kGoal,
       0},
      {"lars", "var=T[R,8192] velocity=T[R,8192] grad=T[R,8192]", 1792, kGoal,
       0},
      // Reduce.
      {"sum_dim", "x=T[R,16384]", 6144, kGoal, kOnce},
      {"sum_dim", "x=T[R,1024,4096] dim=1", 24, kGoal, kOnce},
      {"sum_dim", "x=T[R,10]", 1000000, kShortRows, kOnce, true},
      {"max_over_middle", "x=T[R,1024,4096]", 24, kGoal, kOnce},
      {"prod_dim", "x=T[R,16384]", 6144, kGoal, kOnce},
      {"prod_dim", "x=T[R,1024,4096] dim=1", 24, kGoal, kOnce},
      {"logsumexp_dim", "x=T[R,16384]", 6144, kGoal, kOnce},
      {"logsumexp_dim", "x=T[R,1024,4096] dim=1", 24, kGoal, kOnce},
      {"var_mean_dim", "x=T[R,16384]", 6144, kGoal, kOnce},
      {"var_mean_dim", "x=T[R,1024,4096] dim=1", 24, kGoal, kOnce},
  };
  return calls;
}

const std::vector<CruxCall>& CallsOfRows() {
  struct Kernel {
    std::string_view name;
    std::string_view arguments;  // N stands for the length
    int64_t tensors;             // of all rows
  };
  static constexpr Kernel kKernels[] = {
      {"softmax", "x=T[R,N]", 2},
      {"log_softmax", "x=T[R,N]", 2},
      {"rms_norm", "x=T[R,N] gamma=T[N]", 2},
      {"layer_norm", "x=T[R,N] gamma=T[N] beta=T[N]", 2},
      {"add_layer_norm", "x1=T[R,N] x2=T[R,N] gamma=T[N] beta=T[N]", 3},
      {"logsumexp_dim", "x=T[R,N]", 1}};
  constexpr int64_t kElements = int64_t{96} << 20;  // of all tensors, in f32
  static std::deque<std::string> texts;
  static const std::vector<CruxCall> calls = [] {
    std::vector<CruxCall> made;
    for (const Kernel& kernel : kKernels) {
      for (const int64_t length :
           {48,   64,   128,   200,   256,   512,   1000,
            1024, 1536, 2000,  2048,  3072,  4096,  5120,
            7168, 8192, 10240, 12288, 16384, 32768, 65536}) {
        std::string& text = texts.emplace_back();
        for (const char letter : kernel.arguments) {
          text +=
              letter == 'N' ? std::to_string(length) : std::string(1, letter);
        }
        made.push_back({.kernel = kernel.name,
                        .arguments = text,
                        .rows = kElements / kernel.tensors / length});
      }
    }
    return made;
  }();
  return calls;
}

std::string SpeltFor(const CruxCall& call, DType floating) {
  const bool doubled = BytesOf(floating) == 2 && !call.short_rows;
  const int64_t rows = call.rows * (doubled ? 2 : 1);
  std::string text;
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    const char letter = call.arguments[i];
    const char before = i == 0 ? ' ' : call.arguments[i - 1];
    if (letter == 'T' && before == '=') {
      text += NameOf(floating);
    } else if (letter == 'R' && before == '[') {
      text += std::to_string(rows);
    } else {
      text += letter;
    }
  }
  return text;
}

crux::interpret::Arguments ArgumentsOf(const crux::typed::Kernel& kernel,
                                       const std::string& text) {
  crux::interpret::Arguments arguments;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    const crux::typed::Parameter* parameter = kernel.FindParameter(name);
    if (equals == std::string::npos || parameter == nullptr) {
      throw UserError(fmt::format("no argument of {}: {}", kernel.name, word));
    }
    const size_t open = value.find('[');
    if (open == std::string::npos) {
      arguments.attributes[name] = AttributeOf(parameter->type.kind, value);
      continue;
    }
    const std::optional<DType> dtype = ParseDType(value.substr(0, open));
    if (!dtype) throw UserError(fmt::format("no dtype: {}", word));
    const std::string shape =
        value.substr(open + 1, value.find(']') - open - 1);
    arguments.tensors[name].arrays.push_back({*dtype, ParseShape(shape), {}});
  }
  return arguments;
}

}  // namespace belay::benchmarks
