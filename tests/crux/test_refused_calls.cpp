// SPDX-License-Identifier: Apache-2.0
// Calls that a program has no meaning for: what the host can tell is refused
// before anything runs, where the interpreter refuses it, and only there.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "call.h"
#include "compiled_case.h"
#include "crux/check.h"

namespace belay::testing::test_refused_calls {
namespace {

struct Refused {
  const char* name;
  const char* text;
  const char* good;  // calls that are right, separated by "; "
  const char* bad;   // calls that are refused
  const char* told;  // part of the message
  const char* code = "BLY-X193";
};

const Refused kCalls[] = {
    {"topk",
     "@kernel\n"
     "def f(x: f32[M, N], y: out(f32[M, K]), K: int):\n"
     "    for r in cores(M):\n"
     "        v, i = topk(load(x[r, :]), K)\n"
     "        store(y[r, :], v)\n",
     "x=f32[3,8] K=8; x=f32[3,8] K=1; x=f32[0,8] K=9", "x=f32[3,8] K=9",
     "topk of more elements"},
    {"slice_of_a_tile",
     "@kernel\n"
     "def f(x: f32[M, N], y: out(f32[M, 4]), a: int):\n"
     "    for r in cores(M):\n"
     "        t = load(x[r, :]) + 1.0\n"
     "        store(y[r, :], t[a : a + 4])\n",
     "x=f32[3,8] a=4; x=f32[3,8] a=0; x=f32[0,8] a=5",
     "x=f32[3,8] a=5; x=f32[3,8] a=-1", "a position", "BLY-X191"},
    {"element_of_a_tile",
     "@kernel\n"
     "def f(x: f32[M, N], y: out(f32[M]), a: int):\n"
     "    for r in cores(M):\n"
     "        t = load(x[r, :]) + 1.0\n"
     "        store(y[r], t[a])\n",
     "x=f32[3,8] a=7; x=f32[3,8] a=0", "x=f32[3,8] a=8; x=f32[3,8] a=-1",
     "a position", "BLY-X191"},
    {"load_of_a_range",
     "@kernel\n"
     "def f(x: f32[M, N], y: out(f32[M, 4]), a: int):\n"
     "    for r in cores(M):\n"
     "        store(y[r, :], load(x[r, a : a + 4]))\n",
     "x=f32[3,8] a=4", "x=f32[3,8] a=5; x=f32[3,8] a=-2", "of a tensor",
     "BLY-X181"},
    {"steps_of_a_range",
     "@kernel\n"
     "def f(x: f32[M, N], y: out(f32[M, 3]), a: int):\n"
     "    for r in cores(M):\n"
     "        store(y[r, :], load(x[r, a : a + 9 : 3]))\n",
     "x=f32[3,9] a=2; x=f32[3,9] a=0", "x=f32[3,9] a=3; x=f32[3,9] a=-1",
     "of a tensor", "BLY-X181"},
    {"turns_of_a_range_loop",
     "@kernel\n"
     "def f(x: f32[M, N], y: out(f32[M]), k: int):\n"
     "    for r in cores(M):\n"
     "        s = zeros(f32)\n"
     "        for j in range(k):\n"
     "            s += load(x[r, 2 * j + 1])\n"
     "        store(y[r], s)\n",
     "x=f32[3,8] k=4; x=f32[3,8] k=0; x=f32[3,1] k=-2", "x=f32[3,8] k=5",
     "beyond the end of a tensor", "BLY-X181"},
    {"view",
     "@kernel\n"
     "def f(x: f32[*S], y: out(f32[*S]), k: int):\n"
     "    xs, ys = x.view(2, k), y.view(2, k)\n"
     "    for r in cores(2):\n"
     "        store(ys[r, :], load(xs[r, :]))\n",
     "x=f32[3,8] k=12", "x=f32[3,8] k=11; x=f32[3,8] k=13",
     "cannot be seen as shape"},
    {"groups",
     "@kernel\n"
     "def f(x: f32[M, N], y: out(f32[M, g]), g: int):\n"
     "    xs = x.view(M, g, N // g)\n"
     "    for r in cores(M):\n"
     "        for i in cores(g):\n"
     "            store(y[r, i], sum(load(xs[r, i, :])))\n",
     "x=f32[3,8] g=4; x=f32[3,8] g=8", "x=f32[3,8] g=3",
     "cannot be seen as shape"},
    {"elements_of_a_list",
     "@kernel\n"
     "def f(x: f32[N], y: out(f32[N]), k: list(int)):\n"
     "    s = k[0] if k.count > 0 else 1\n"
     "    for c in cores(N, tile=auto):\n"
     "        t = load(x[c]) * s\n"
     "        for i in range(2):\n"
     "            t += k[i + 1]\n"
     "        store(y[c], t)\n",
     "x=f32[8] k=1,2,3; x=f32[8] k=1,2,3,4; x=f32[0] k=", "x=f32[8] k=1,2",
     "beyond the end of a list", "BLY-X181"},
    {"positions_that_fall",
     "@kernel\n"
     "def f(x: f32[M, N], y: out(f32[M, 4]), a: int):\n"
     "    for r in cores(M):\n"
     "        store(y[r, :], load(x[r, a - arange(4)]))\n",
     "x=f32[3,8] a=7; x=f32[3,8] a=3; x=f32[0,8] a=8",
     "x=f32[3,8] a=8; x=f32[3,8] a=2", "of a tensor", "BLY-X181"},
    {"step_of_a_loop",
     "@kernel\n"
     "def f(x: f32[N], y: out(f32[1]), k: int):\n"
     "    s = zeros(f32)\n"
     "    for j in range(0, N, k):\n"
     "        s += load(x[j])\n"
     "    store(y[0], s)\n",
     "x=f32[8] k=1; x=f32[8] k=3; x=f32[8] k=-1", "x=f32[8] k=0",
     "step of a loop must not be 0"},
    {"deinterleave",
     "@kernel\n"
     "def f(x: f32[M, N], y: out(f32[M, H]), z: out(f32[M, H])):\n"
     "    H = N // 2\n"
     "    for r in cores(M):\n"
     "        a, b = deinterleave(load(x[r, :]))\n"
     "        store(y[r, :], a)\n"
     "        store(z[r, :], b)\n",
     "x=f32[3,8]", "x=f32[3,9]", "odd number of elements"},
    {"iterations_of_cores",
     "@kernel\n"
     "def f(x: f32[M, N], y: out(f32[K, N]), K: int):\n"
     "    for r in cores(K):\n"
     "        store(y[r, :], load(x[r, :]) + 1.0)\n",
     "x=f32[3,8] K=3; x=f32[3,8] K=2", "x=f32[3,8] K=4",
     "beyond the end of a tensor", "BLY-X181"},
    {"pieces_of_rows",
     "@kernel\n"
     "def f(x: f32[M, N], y: out(f32[M, H]), a: int):\n"
     "    H = N // 2\n"
     "    for r in cores(M):\n"
     "        for c in tiles(H, tile=auto):\n"
     "            store(y[r, c], load(x[r, c]) + load(x[r, a + c]))\n",
     "x=f32[3,8] a=4; x=f32[3,9] a=5; x=f32[3,1] a=7",
     "x=f32[3,8] a=5; x=f32[3,8] a=-1", "of a tensor", "BLY-X181"},
    {"tile",
     "@kernel\n"
     "def f(x: f32[N], y: out(f32[N]), k: int):\n"
     "    for c in cores(N, tile=k):\n"
     "        store(y[c], load(x[c]))\n",
     "x=f32[8] k=3", "x=f32[8] k=0; x=f32[8] k=-3", "must be positive"},
    {"only_in_some_variants",
     "@kernel\n"
     "def f(x: f32[M, N], y: out(f32[M]), mode: str):\n"
     "    for r in cores(M):\n"
     "        t = load(x[r, :]) + 1.0\n"
     "        if mode == \"third\":\n"
     "            store(y[r], t[2])\n"
     "        else:\n"
     "            store(y[r], sum(t))\n",
     "x=f32[3,8] mode=third; x=f32[3,2] mode=sum", "x=f32[3,2] mode=third",
     "beyond the end of a tile", "BLY-X191"},
};

crux::interpret::Arguments ArgumentsOf(const crux::typed::Kernel& kernel,
                                       const std::string& call) {
  crux::interpret::Arguments arguments;
  std::istringstream words(call);
  for (std::string word; words >> word;) {
    AddArgument(kernel, word, arguments);
  }
  return arguments;
}

std::vector<std::string> CallsOf(std::string_view text) {
  std::vector<std::string> calls;
  while (true) {
    const size_t end = text.find("; ");
    calls.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return calls;
    text.remove_prefix(end + 2);
  }
}

class RefusedCall : public ::testing::TestWithParam<Refused> {
 protected:
  RefusedCall() : checked_(crux::Check("program", GetParam().text)) {
    if (!checked_.ok()) {
      throw std::runtime_error(checked_.diagnostics.front().message);
    }
  }
  const crux::typed::Kernel& kernel() const {
    return *checked_.program->kernels.front();
  }

  crux::run::Runner runner_{CheckedDevice()};

 private:
  crux::Checked checked_;
};

TEST_P(RefusedCall, IsTold) {
  for (const std::string& call : CallsOf(GetParam().bad)) {
    const auto arguments = ArgumentsOf(kernel(), call);
    EXPECT_FALSE(crux::interpret::Interpret(kernel(), arguments, {}).ok())
        << call << ": the interpreter takes it";
    const std::string told =
        DifferencesOfCompiled(runner_, kernel(), arguments);
    EXPECT_NE(told.find(GetParam().told), std::string::npos)
        << call << ": " << told;
    EXPECT_EQ(told.find(fmt::format("{} line", GetParam().code)), 0u)
        << call << ": " << told;
  }
}

TEST_P(RefusedCall, OthersAreNot) {
  for (const std::string& call : CallsOf(GetParam().good)) {
    EXPECT_EQ(
        DifferencesOfCompiled(runner_, kernel(), ArgumentsOf(kernel(), call)),
        "")
        << call;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, RefusedCall, ::testing::ValuesIn(kCalls),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace belay::testing::test_refused_calls
