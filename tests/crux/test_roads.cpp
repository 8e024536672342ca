// SPDX-License-Identifier: Apache-2.0
// Printed AscendC and direct execution: the same bits, and times that agree.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <deque>

#include "call.h"
#include "crux/check.h"
#include "crux/fuzz/dtypes.h"
#include "crux/fuzz/variants.h"
#include "crux/ir/refusal.h"
#include "files.h"
#include "fuzz_case.h"
#include "roads.h"

namespace belay::testing::test_roads {
namespace {

// Cycles of the scalar unit are estimated on the direct road.
constexpr double kLongTask = 50;  // microseconds
constexpr double kLongError = 0.02;
constexpr double kShortError = 0.1;

struct RoadCase {
  std::string program;
  std::vector<std::string> arguments;
};

class WithFolder {
 protected:
  WithFolder()
      : folder_(std::filesystem::temp_directory_path() /
                ("belay_crux_roads_" + std::to_string(getpid()))) {}
  ~WithFolder() { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_;
};

class CruxRoads : public WithFolder,
                  public ::testing::TestWithParam<RoadCase> {};
class CruxRoadNames : public WithFolder, public ::testing::Test {};

TEST_P(CruxRoads, Agree) {
  const auto path =
      InSourceTree("examples/crux/" + GetParam().program + ".crux");
  const crux::Source source(GetParam().program + ".crux", ReadAll(path));
  const crux::Checked checked =
      crux::Check(source.name(), std::string(source.text()));
  ASSERT_TRUE(checked.ok());
  const crux::typed::Kernel& kernel = *checked.program->kernels.front();
  crux::interpret::Arguments arguments;
  for (const std::string& text : GetParam().arguments) {
    AddArgument(kernel, text, arguments);
  }
  const Roads roads = CompareRoads(kernel, &source, arguments, folder_);
  EXPECT_EQ(roads.difference, "");
  std::printf("%s: direct %.3f us, printed %.3f us, %+.1f %%\n",
              GetParam().program.c_str(), roads.direct_us, roads.printed_us,
              100 * roads.TimeError());
  EXPECT_LE(std::abs(roads.TimeError()),
            roads.printed_us > kLongTask ? kLongError : kShortError);
}

// Types of operators have no underscores, and their kernels are called after
// them.
TEST_F(CruxRoadNames, ThatTypesSpellOtherwise) {
  for (const std::string name :
       {"pool_2d", "RMSNorm", "twice__", "_add1", "double"}) {
    const crux::Source source("names.crux",
                              "@kernel\ndef " + name +
                                  "(x: f32[N], y: out(f32[N])):\n"
                                  "    for c in cores(N, tile=auto):\n"
                                  "        store(y[c], load(x[c]) + 1.0)\n");
    const crux::Checked checked =
        crux::Check(source.name(), std::string(source.text()));
    ASSERT_TRUE(checked.ok()) << name;
    const crux::typed::Kernel& kernel = *checked.program->kernels.front();
    crux::interpret::Arguments arguments;
    AddArgument(kernel, "x=f32[100]", arguments);
    EXPECT_EQ(CompareRoads(kernel, &source, arguments, folder_).difference, "")
        << name;
  }
}

// Calls of programs with many variants: the printed host chooses the variant
// that is run directly, and all variants compile as one text. BELAY_FUZZ says
// how many programs, BELAY_SEED where they begin.
class CruxFuzzedVariants : public CruxRoadNames {
 protected:
  using Generate = crux::fuzz::GeneratedProgram(uint64_t seed, int call);

  void AreTheSame(Generate* generate, uint64_t programs) {
    constexpr int kCalls = 4;
    const char* given = std::getenv("BELAY_FUZZ");
    if (given != nullptr) programs = std::strtoull(given, nullptr, 0);
    uint64_t refused = 0;
    for (uint64_t i = 0; i < programs; ++i) {
      const uint64_t seed = FirstSeed() + i;
      std::deque<crux::interpret::Arguments> calls;
      std::string text;
      for (int call = 0; call < kCalls; ++call) {
        auto program = generate(seed, call);
        text = program.text;
        calls.push_back(std::move(program.arguments));
      }
      const crux::Source source("generated.crux", text);
      const crux::Checked checked = crux::Check(source.name(), text);
      ASSERT_TRUE(checked.ok()) << seed << "\n" << text;
      try {
        const std::vector<Roads> roads = CompareRoads(
            *checked.program->kernels.front(), &source, calls, folder_);
        for (size_t call = 0; call < roads.size(); ++call) {
          EXPECT_EQ(roads[call].difference, "")
              << "seed " << seed << ", call " << call << "\n"
              << text;
        }
      } catch (const crux::ir::Refusal&) {
        ++refused;  // more variants than there may be
      }
    }
    EXPECT_LE(refused, programs / 2);
  }
};

TEST_F(CruxFuzzedVariants, OfConditionsAreTheSame) {
  AreTheSame(crux::fuzz::GenerateVariants, 6);
}

TEST_F(CruxFuzzedVariants, OfDtypesAreTheSame) {
  AreTheSame(crux::fuzz::GenerateDtypes, 6);
}

// Each was wrong, or did not compile, once: a key by an answer that a variant
// does not ask for; tensors of two types; truth values beside other dtypes;
// products of quotients; a list before another output; 46 keys; slices and
// values across cores without elements; tensors that are called as integers are
// that every kernel has; numbers that only unsigned dtypes hold; a key that two
// classes have, when they have nothing else; handles of tensors of another
// type; a view of a tensor that a variant does not have; rows from the last one
// on; scans of nothing; another handle of a tensor beside one in float;
// workspace of numbers of other sizes, of several such; a number that is
// shifted.
TEST_F(CruxRoadNames, AreTheSameWhereTheyOnceWereNot) {
  struct Case {
    std::string text;
    std::vector<std::vector<std::string>> calls;
  };
  const std::string rows = "    for r in cores(M):\n";
  const std::vector<Case> cases = {
      {"@kernel\n"
       "def k(x: f32[M, N], y: out(f32[M, N]), mode: int = 0):\n" +
           rows +
           "        t = load(x[r, :])\n"
           "        if mode == 0:\n"
           "            store(y[r, :], t - sum(t))\n"
           "        elif mode == 1:\n"
           "            store(y[r, :], t + sum(t))\n"
           "        else:\n"
           "            store(y[r, :], t)\n",
       {{"x=f32[9,8]", "mode=2"}, {"x=f32[9,80]", "mode=1"}}},
      {"T = dtype(f16, f32)\n"
       "@kernel\n"
       "def k(x: T[M, N], b: optional(T[N]), y: out(T[M, N]), "
       "s: optional(out(f32[M])), mode: str = \"a\"):\n" +
           rows +
           "        t = load(x[r, :]).to(f32)\n"
           "        if present(b):\n"
           "            t = t - load(b[:]).to(f32)\n"
           "        t = maximum(t, 0.5)\n"
           "        d = sum(t * t)\n"
           "        if mode == \"a\":\n"
           "            z = t - d\n"
           "        else:\n"
           "            z = t\n"
           "        store(y[r, :], z.to(T))\n"
           "        if present(s):\n"
           "            store(s[r], d)\n",
       {{"x=f32[9,65]", "mode=b"}, {"x=f16[9,65]", "b=f16[65]"}}},
      {"T = dtype(f32, i32)\n"
       "@kernel\n"
       "def k(x: T[M, N], y: out(T[M, N])):\n" +
           rows +
           "        t = load(x[r, :])\n"
           "        store(y[r, :], t - max(t))\n",
       {{"x=f32[9,65]"}, {"x=i32[9,10]"}}},
      {"T = dtype(f16, u8, bool)\n"
       "@kernel\n"
       "def k(x: T[M, N], y: out(i32[M])):\n" +
           rows +
           "        store(y[r], sum((load(x[r, :]) != load(x[r, "
           "0])).to(i32)))\n",
       {{"x=f16[9,5]"}, {"x=u8[9,5]"}, {"x=bool[9,5]"}}},
      {"@kernel\n"
       "def k(x: f32[N, C, W], y: out(f32[N, C, W // 2])):\n"
       "    for n in cores(N):\n"
       "        for c in cores(C):\n"
       "            store(y[n, c, :], load(x[n, c, 0:W // 2]))\n",
       {{"x=f32[3,5,9]"}}},
      {"@kernel\n"
       "def k(a: inout(list(f32[*S])), n: out(f32[1])):\n"
       "    for i in each(a):\n"
       "        for c in cores(a[i].size, tile=auto):\n"
       "            store(a[i].flat[c], load(a[i].flat[c]) + 1.0)\n"
       "    store(n[0], full(f32, 1.0))\n",
       {{"a=f32[7]", "a=f32[3,5]"}}},
      {"T = dtype(f16, bf16)\n"
       "@kernel\n"
       "def k(x: T[M, N], b: optional(T[N]), w: optional(T[M]), "
       "y: out(T[M, N]), s: optional(out(f32[M])), mode: str = \"a\"):\n" +
           rows +
           "        t = load(x[r, :]).to(f32)\n"
           "        if present(b):\n"
           "            t = t * load(b[:]).to(f32)\n"
           "        if present(w):\n"
           "            t = t - load(w[r]).to(f32)\n"
           "        d = max(t)\n"
           "        if mode == \"a\":\n"
           "            z = t / (abs(d) + 1.0)\n"
           "        elif mode == \"b\":\n"
           "            z = t * 1.5\n"
           "        else:\n"
           "            z = t\n"
           "        store(y[r, :], z.to(T))\n"
           "        if present(s):\n"
           "            store(s[r], d)\n",
       {{"x=f16[9,65]"}}},
      {"@kernel\n"
       "def k(x: f32[M, H, D], y: out(f32[M, H, D]), R: int = 0):\n" +
           rows +
           "        t = load(x[r, :, :])\n"
           "        store(y[r, :, :], "
           "concat((t[:, 0:R] + 1.0, t[:, R:D]), axis=1))\n",
       {{"x=f32[5,3,8]", "R=8"}, {"x=f32[5,3,8]"}, {"x=f32[5,3,8]", "R=3"}}},
      // A function of the file had the name of a member.
      {"T = dtype(bf16, i8, i16, i32)\n"
       "@kernel\n"
       "def k(x: T[M, N], w: T[M, N], y: out(T[M, N])):\n" +
           rows +
           "        store(y[r, :], load(w[r, :]) + sum(load(x[r, :])))\n",
       {{"x=bf16[5,7]", "w=bf16[5,7]"}, {"x=i8[5,7]", "w=i8[5,7]"}}},
      // Lists of addresses were those of another slot of the queue.
      {"@kernel\n"
       "def k(d: inout(f16[M, N]), y: inout(f16[K]), n: i32[L]):\n"
       "    for i in range(L):\n"
       "        for c in cores(load(n[i]), tile=16):\n"
       "            store(y[c], load(y[c]) + 1)\n"
       "        for r in cores(M):\n"
       "            store(d[r, :], load(d[r, :]) + load(y[0]))\n",
       {{"d=f16[5,3]", "y=f16[3000]", "n=i32[8]:0,16,16,0,16,0,0,16"}}},
      {"@kernel\n"
       "def k(x: f32[M, N], s: out(f32[N])):\n"
       "    acc = across_cores(sum, f32[N])\n" +
           rows +
           "        acc += load(x[r, :])\n"
           "    store(s[:], acc)\n",
       {{"x=f32[2,0]"}, {"x=f32[0,3]"}}},
      {"@kernel\n"
       "def k(ub_size: f32[N], block_idx: f32[N], core_count: out(f32[N]), "
       "block_num: inout(f32[N]), ub_used: out(f32[N])):\n"
       "    s = across_cores(sum, f32)\n"
       "    for c in cores(N, tile=auto):\n"
       "        t = load(ub_size[c]) * load(block_idx[c])\n"
       "        s += sum(t)\n"
       "        store(core_count[c], t)\n"
       "        store(block_num[c], t + load(block_num[c]))\n"
       "    for c in cores(N, tile=auto):\n"
       "        store(ub_used[c], s)\n",
       {{"ub_size=f32[300]", "block_idx=f32[300]", "block_num=f32[300]"}}},
      {"@kernel\n"
       "def k(x: u32[N], y: out(u32[N]), z: out(u32[N]), b: out(bool[N])):\n"
       "    for c in cores(N, tile=auto):\n"
       "        t = load(x[c])\n"
       "        store(y[c], t * 0x85ebca6b + 0xffffffff)\n"
       "        store(z[c], 0xc2b2ae35 - (maximum(t, 0x80000000) ^ "
       "0xdeadbeef))\n"
       "        store(b[c], (t - 0xdeadbeef) == 0x80000000)\n",
       {{"x=u32[70]"}}},
      {"@kernel\n"
       "def k(x: u16[N], y: out(u16[N]), z: out(u16[N]), b: out(bool[N])):\n"
       "    for c in cores(N, tile=auto):\n"
       "        t = load(x[c])\n"
       "        store(y[c], t * 0xfff1 + 0xffff)\n"
       "        store(z[c], 0xae35 - (maximum(t, 0x8000) ^ 0xbeef))\n"
       "        store(b[c], (t - 0xbeef) == 0x8000)\n",
       {{"x=u16[70]"}}},
      {"T = dtype(f32, i8)\n"
       "@kernel\n"
       "def k(x: T[16], y: out(T[1])):\n"
       "    store(y[0], max(load(x[:])))\n",
       {{"x=f32[16]"}, {"x=i8[16]"}}},
      {"T = dtype(f32, f16, i32)\n"
       "@kernel\n"
       "def k(x: T[A, B, C], y: out(T[A, B, C]), s: out(T[A, C])):\n"
       "    for a in cores(A):\n"
       "        t = load(x[a, :, :])\n"
       "        store(y[a, :, :], cumsum(t, axis=0))\n"
       "        store(s[a, :], sum(t, axis=0))\n",
       {{"x=f16[2,3,4]"}, {"x=i32[2,3,4]"}, {"x=f32[2,3,4]"}}},
      {"T = dtype(bf16, i16, i32, u32)\n"
       "@kernel\n"
       "def k(x: T[N], a: out(i8[N]), b: out(i64[N]), e: out(u16[N])):\n"
       "    for r in cores(N, tile=auto):\n"
       "        t = load(x[r])\n"
       "        store(a[r], t.to(i8))\n"
       "        store(b[r], t.to(i64))\n"
       "        store(e[r], t.to(i32).to(u16))\n",
       {{"x=bf16[77]"}, {"x=i16[77]"}, {"x=i32[77]"}, {"x=u32[77]"}}},
      {"@kernel\n"
       "def k(x: f32[M, N], y: out(f32[M, N]), z: out(f32[M, N]), "
       "s: out(f32[M])):\n" +
           rows +
           "        t = load(x[M - 1 - r, :])\n"
           "        store(y[r, :], t + load(x[M - 3 - r, :], fill=7.0))\n"
           "        store(z[M - 1 - r, :], t * 2.0)\n"
           "        store(s[M - 1 - r], sum(t))\n",
       {{"x=f32[64,33]"}, {"x=f32[100,8]"}, {"x=f32[3,2]"}}},
      {"@kernel\n"
       "def k(x: f32[A, B, C], y: out(f32[A, B, C])):\n"
       "    for a in cores(A):\n"
       "        store(y[a, :, :], cumprod(load(x[a, :, :]), axis=0, "
       "exclusive=True, reverse=True))\n",
       {{"x=f32[2,0,4]"}, {"x=f32[2,3,4]"}}},
      {"T = dtype(f16, f32)\n"
       "@kernel\n"
       "def k(x: T[M, D, L], g: T[D], b: optional(T[D]), "
       "y: out(T[M, D, L])):\n" +
           rows +
           "        t = load(x[r, :, :]).to(f32)\n"
           "        d = t - sum(t) / (D * L)\n"
           "        z = d * load(g[:]).to(f32)[:, None]\n"
           "        if present(b):\n"
           "            z = z + load(b[:]).to(f32)[:, None]\n"
           "        store(y[r, :, :], z.to(T))\n",
       {{"x=f16[6,3,35]", "g=f16[3]"}, {"x=f32[6,3,35]", "g=f32[3]"}}},
      {"T = dtype(u8, i16, i64)\n"
       "@kernel\n"
       "def k(x: T[M, N], h: out(T[2, N])):\n"
       "    a = across_cores(max, T[N])\n"
       "    b = across_cores(min, T[N])\n" +
           rows +
           "        t = load(x[r, :])\n"
           "        a = maximum(a, t)\n"
           "        b = minimum(b, t)\n"
           "    store(h[0, :], a)\n"
           "    store(h[1, :], b)\n",
       {{"x=u8[70,17]"}, {"x=i16[70,17]"}, {"x=i64[70,17]"}}},
      {"T = dtype(i8, u16, f32, bf16)\n"
       "@kernel\n"
       "def k(x: T[A, B, C], z: T[A, B, C], y: out(T[A, B, C]), "
       "o: out(T[1]), p: out(T[C]), q: out(T[C])):\n"
       "    c0 = across_cores(min, T)\n"
       "    c1 = across_cores(min, T[C])\n"
       "    c2 = across_cores(sum, T[C])\n"
       "    for a in cores(A):\n"
       "        t = maximum(load(x[a, :, :]), load(z[a, :, :]))\n"
       "        c0 = minimum(c0, min(t))\n"
       "        c1 = minimum(c1, min(t, axis=0))\n"
       "        c2 += sum(t, axis=0)\n"
       "        store(y[A - 1 - a, :, :], t)\n"
       "    store(o[0], c0)\n"
       "    store(p[:], c1)\n"
       "    store(q[:], c2)\n",
       {{"x=i8[40,3,7]", "z=i8[40,3,7]"},
        {"x=bf16[3,2,65]", "z=bf16[3,2,65]"}}},
      {"T = dtype(i16, u16, i32)\n"
       "@kernel\n"
       "def k(x: T[N], y: out(T[N])):\n"
       "    for i in cores(N, tile=auto):\n"
       "        store(y[i], 1 << (load(x[i]) & 63))\n",
       {{"x=u16[5]"}, {"x=i16[5]"}}},
  };
  for (const Case& one : cases) {
    const crux::Source source("once.crux", one.text);
    const crux::Checked checked = crux::Check(source.name(), one.text);
    ASSERT_TRUE(checked.ok()) << one.text;
    const crux::typed::Kernel& kernel = *checked.program->kernels.front();
    std::deque<crux::interpret::Arguments> calls;
    for (const std::vector<std::string>& call : one.calls) {
      calls.emplace_back();
      for (const std::string& text : call) {
        AddArgument(kernel, text, calls.back());
      }
    }
    const std::vector<Roads> roads =
        CompareRoads(kernel, &source, calls, folder_);
    for (size_t i = 0; i < roads.size(); ++i) {
      EXPECT_EQ(roads[i].difference, "") << "call " << i << "\n" << one.text;
    }
  }
}

std::string NameOfCase(const ::testing::TestParamInfo<RoadCase>& info) {
  return info.param.program + "_" + std::to_string(info.index);
}

INSTANTIATE_TEST_SUITE_P(
    Examples, CruxRoads,
    ::testing::Values(
        RoadCase{"swish", {"x=f32[7,131]"}},
        RoadCase{"swish", {"x=f16[1024,1024]"}},
        RoadCase{"softmax", {"x=f32[64,1000]"}},
        // One slot for results, then for what is loaded, too.
        RoadCase{"softmax", {"x=f32[200,12288]"}},
        RoadCase{"softmax", {"x=f32[200,16384]"}},
        RoadCase{"rms_norm", {"x=f16[150,12288]", "gamma=f16[12288]"}},
        RoadCase{"layer_norm",
                 {"x=f32[150,10240]", "gamma=f32[10240]", "beta=f32[10240]"}},
        RoadCase{"add_layer_norm",
                 {"x1=f16[40,512]", "x2=f16[40,512]", "gamma=f16[512]",
                  "beta=f16[512]"}},
        RoadCase{"layer_norm", {"x=bf16[40,512]", "gamma=bf16[512]"}},
        RoadCase{"layer_norm", {"x=f32[9,70]", "beta=f32[70]"}},
        RoadCase{"log_softmax", {"x=bf16[6,70]"}},
        RoadCase{"rms_norm_grad_gamma",
                 {"dy=f32[100,96]", "x=f32[100,96]", "rstd=f32[100]"}},
        RoadCase{"max_pool2d", {"x=f32[2,3,16,18]", "k=3", "s=2", "p=1"}}),
    NameOfCase);

}  // namespace
}  // namespace belay::testing::test_roads
