// SPDX-License-Identifier: Apache-2.0
// Printed AscendC, compiled by the toolchain, and direct execution: the same
// bits and times that agree, for the kernels of examples/crux and for fuzzed
// programs. BELAY_FUZZ says how many, BELAY_SEED where they begin.

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>

#include "call.h"
#include "calls_by_both_roads.h"
#include "crux/check.h"
#include "crux/fuzz/columns.h"
#include "crux/fuzz/generate.h"
#include "crux/fuzz/rows.h"
#include "crux/fuzz/short_rows.h"
#include "expert_cases.h"
#include "fuzz_case.h"

namespace belay::testing::test_both_roads {
namespace {

bool IsLong() { return std::getenv("BELAY_FUZZ") != nullptr; }

class BothRoads : public CallsByBothRoads {
 protected:
  void AddFuzzed(uint64_t seed, bool all_variants,
                 crux::fuzz::GeneratedProgram (*generate)(uint64_t) =
                     crux::fuzz::Generate) {
    if (batch_is_empty()) fuzzed_.clear();
    Fuzzed& one = fuzzed_.emplace_back();
    one.program = generate(seed);
    one.checked = crux::Check("generated", one.program.text);
    ASSERT_TRUE(one.checked.ok()) << seed;
    Add("seed " + std::to_string(seed) + "\n" + one.program.text,
        *one.checked.program->FindKernel(one.program.kernel),
        one.program.arguments, all_variants);
  }

 private:
  struct Fuzzed {
    crux::fuzz::GeneratedProgram program;
    crux::Checked checked;
  };

  std::deque<Fuzzed> fuzzed_;  // of the batch
};

// Every case of tiny, aligned and odd shapes when there is time, else one.
TEST_F(BothRoads, AgreeOnTheExpertKernels) {
  std::deque<ProgramCase> cases;
  std::vector<Regime> regimes = {Regime::kOdd};
  if (IsLong()) regimes = {Regime::kTiny, Regime::kAligned, Regime::kOdd};
  for (const ExpertKernel& kernel : ExpertKernels()) {
    for (const Regime regime : regimes) {
      std::vector<ProgramCase> some = ExpertCasesOf(kernel.name, regime);
      if (!IsLong()) some.resize(1);
      for (ProgramCase& one : some) {
        cases.push_back(std::move(one));
        const ProgramCase& kept = cases.back();
        Add(kept.program + " " + kept.what, ExampleKernel(kept.program),
            kept.arguments, true);
      }
    }
  }
  Flush();
  PrintWorst();
}

TEST_F(BothRoads, AgreeOnTheOtherExamples) {
  struct Case {
    std::string program;
    std::vector<std::string> arguments;
  };
  const std::vector<Case> cases = {
      {"add_layer_norm_grad",
       {"dy=f16[5,70]", "x1=f16[5,70]", "x2=f16[5,70]", "rstd=f32[5]",
        "mean=f32[5]", "gamma=f16[70]"}},
      {"masked_select", {"x=f32[9]", "mask=bool[9]:1,0,1,1,0,0,1,0,1"}},
      {"masked_select_any",
       {"x=f16[2,3,3]", "mask=bool[3,3]:1,0,1,1,0,0,1,0,1"}},
      {"max_pool3d",
       {"x=f32[1,2,5,6,7]", "k=2,3,2", "s=2,1,2", "p=1,1,0", "d=1,1,2"}},
      {"foreach_add_scalar", {"x=f16[7]", "x=f16[3,5]", "value=0.5"}},
      {"scatter_list",
       {"var=f32[2,6,9]", "var=f32[2,4,9]", "indices=i32[2,2]:1,3,0,2",
        "updates=f32[2,2,3,9]"}},
      {"rms_norm_grad_gamma",
       {"dy=f32[50,96]", "x=f32[50,96]", "rstd=f32[50]"}},
      // Rows that do not fit: columns are summed by themselves.
      {"add_layer_norm_grad",
       {"dy=f16[70,6001]", "x1=f16[70,6001]", "x2=f16[70,6001]", "rstd=f32[70]",
        "mean=f32[70]", "gamma=f16[6001]", "dsum=f16[70,6001]"}},
      {"rms_norm_grad_gamma",
       {"dy=bf16[50,9001]", "x=bf16[50,9001]", "rstd=f32[50]"}},
  };
  std::deque<crux::interpret::Arguments> arguments;
  for (const Case& one : cases) {
    const crux::typed::Kernel& kernel = ExampleKernel(one.program);
    crux::interpret::Arguments& call = arguments.emplace_back();
    for (const std::string& text : one.arguments) {
      AddArgument(kernel, text, call);
    }
    Add(one.program, kernel, call, true);
  }
  Flush();
  PrintWorst();
}

// Loops over cores, over rows and in order that share the memory though they
// are cut into pieces of different sizes, or by the program.
TEST_F(BothRoads, AgreeOnLoopsThatFollowEachOther) {
  const std::string pieces = R"(
T = dtype(f16, bf16, f32)

@kernel
def pieces(a: T[N], b: inout(T[K]), c: inout(T[K]), y: out(T[K])):
    total = across_cores(sum, f32)
    for i in cores(N, tile=auto):
        t = load(a[i]).to(f32)
        total += sum(t * t)
    for i in cores(K, tile=auto):
        t = load(b[i]).to(f32) * total
        u = load(c[i]).to(f32) + t
        store(b[i], t.to(T))
        store(c[i], u.to(T))
        store(y[i], (t - u).to(T))
)";
  const std::string chosen = R"(
T = dtype(f16, bf16, f32)

@kernel
def chosen(a: T[N], b: T[N], c: T[N], y: out(T[N]), z: out(T[N])):
    total = across_cores(max, f32)
    for i in cores(N, tile=auto):
        total = maximum(total, max(load(a[i]).to(f32)))
    for i in cores(N, tile=1000):
        t = load(a[i]).to(f32) * total
        store(y[i], (t + load(b[i]).to(f32)).to(T))
        store(z[i], (t - load(c[i]).to(f32)).to(T))
)";
  const std::string rows = R"(
T = dtype(f16, bf16, f32)

@kernel
def rows(q: T[A, N], k: T[B, D], g: T[D], x: inout(T[M]), y: out(T[A, N]), z: out(T[B, D])):
    for r in cores(A):
        t = load(q[r, :]).to(f32)
        store(y[r, :], (t * rsqrt(sum(t * t) / N + 1e-6)).to(T))
    for r in cores(B):
        t = load(k[r, :]).to(f32)
        s = rsqrt(sum(t * t) / D + 1e-6)
        store(z[r, :], (t * s * load(g[:]).to(f32)).to(T))
    for i in cores(M, tile=auto):
        store(x[i], (load(x[i]).to(f32) * 2.0).to(T))
)";
  const std::string in_order = R"(
T = dtype(f16, bf16, f32)

@kernel
def in_order(a: T[M, N], b: T[M, N], c: T[M, K], y: out(T[M, K])):
    for r in cores(M):
        s = zeros(f32)
        for i in tiles(N, tile=auto):
            s += sum(load(a[r, i]).to(f32) * load(b[r, i]).to(f32))
        for i in tiles(K, tile=auto):
            store(y[r, i], (load(c[r, i]).to(f32) * s).to(T))
)";
  struct Case {
    const std::string& text;
    std::vector<std::string> arguments;
  };
  std::vector<Case> cases;
  for (const std::string dtype : {"f16", "f32"}) {
    const auto add = [&](const std::string& text,
                         const std::vector<std::string>& tensors) {
      Case& one = cases.emplace_back(Case{text, {}});
      for (const std::string& tensor : tensors) {
        std::string argument = tensor;
        argument.insert(argument.find('['), dtype);
        one.arguments.push_back(argument);
      }
    };
    for (const std::string n : {"1", "70001"}) {
      for (const std::string k : {"3", "65535"}) {
        add(pieces, {"a=[" + n + "]", "b=[" + k + "]", "c=[" + k + "]"});
      }
      add(chosen, {"a=[" + n + "]", "b=[" + n + "]", "c=[" + n + "]"});
    }
    add(rows, {"q=[700,128]", "k=[50,1000]", "g=[1000]", "x=[60001]"});
    add(rows, {"q=[1,3000]", "k=[300,48]", "g=[48]", "x=[7]"});
    add(in_order, {"a=[50,3000]", "b=[50,3000]", "c=[50,9001]"});
    add(in_order, {"a=[3,70000]", "b=[3,70000]", "c=[3,65535]"});
  }
  std::deque<crux::Checked> checked;
  std::deque<crux::interpret::Arguments> arguments;
  for (const Case& one : cases) {
    const crux::Checked& program =
        checked.emplace_back(crux::Check("program.crux", one.text));
    ASSERT_TRUE(program.ok());
    const crux::typed::Kernel& kernel = *program.program->kernels.front();
    crux::interpret::Arguments& call = arguments.emplace_back();
    std::string name = kernel.name;
    for (const std::string& text : one.arguments) {
      AddArgument(kernel, text, call);
      name += " " + text;
    }
    Add(name, kernel, call, true);
  }
  Flush();
  PrintWorst();
}

TEST_F(BothRoads, AgreeOnFuzzedPrograms) {
  const char* given = std::getenv("BELAY_FUZZ");
  const uint64_t programs =
      given ? std::strtoull(given, nullptr, 0) : kCallsInBatch;
  for (uint64_t i = 0; i < programs; ++i) {
    AddFuzzed(FirstSeed() + i, i % 8 == 0);
  }
  Flush();
  PrintWorst();
}

TEST_F(BothRoads, AgreeOnFuzzedRows) {
  const char* given = std::getenv("BELAY_FUZZ");
  const uint64_t programs = given ? std::strtoull(given, nullptr, 0) / 5 : 20;
  for (uint64_t i = 0; i < programs; ++i) {
    AddFuzzed(FirstSeed() + i, i % 8 == 0, crux::fuzz::GenerateRows);
  }
  Flush();
  PrintWorst();
}

TEST_F(BothRoads, AgreeOnFuzzedColumns) {
  const char* given = std::getenv("BELAY_FUZZ");
  const uint64_t programs = given ? std::strtoull(given, nullptr, 0) / 5 : 10;
  for (uint64_t i = 0; i < programs; ++i) {
    AddFuzzed(FirstSeed() + i, i % 8 == 0, crux::fuzz::GenerateColumns);
  }
  Flush();
  PrintWorst();
}

TEST_F(BothRoads, AgreeOnFuzzedRowsThatAreMoved) {
  const char* given = std::getenv("BELAY_FUZZ");
  const uint64_t programs = given ? std::strtoull(given, nullptr, 0) / 5 : 10;
  for (uint64_t i = 0; i < programs; ++i) {
    AddFuzzed(FirstSeed() + i, false, crux::fuzz::GenerateShortRows);
    AddFuzzed(FirstSeed() + i, false, crux::fuzz::GenerateClamped);
  }
  Flush();
  PrintWorst();
}

// Their times were far apart, for what compiled code does not do: constants,
// what nobody uses, second operands that do not matter, tests of divisors that
// are known, names of tensors that have one, numbers made wider and cut again;
// and for what it does: divisions by powers of two, loads behind every call,
// comparisons before conversions, sums with constants that stay apart. Then for
// what is known inside a loop, steps that were taken before, choices between
// 16-bit numbers, and branches behind operands that are not worked out.
TEST_F(BothRoads, TakeTheSameTimeWhereTheyOnceDidNot) {
  for (const uint64_t seed :
       {100000760, 100002253, 100002699, 100007312, 100006726, 100001916,
        20260274,  100000347, 100000303, 100000607, 100001310, 100001487,
        100001512, 100001719, 100000256, 100001001, 100002651, 100007512,
        200002610, 200002853, 500001081, 500003806, 700000339, 700001177,
        700001389, 950002198, 950008245, 20260336,  960000145}) {
    AddFuzzed(seed, false);
  }
  Flush();
  PrintWorst();
}

// Wrong once.
TEST_F(BothRoads, AgreeWhereTheyOnceDidNot) {
  // A variable of one variant was set in one of two branches that use it.
  AddFuzzed(100001464, true);
  // An operation of a family of functions was not declared.
  AddFuzzed(100002170, true);
  // Loads went ahead past others of their queue, between loops over cores.
  AddFuzzed(100001750, false);
  AddFuzzed(100007035, false);
  // A choice stood in a sum of bytes without brackets.
  AddFuzzed(950005048, true);
  // A part of a buffer that begins where the loop says was said again in a
  // function that does not know that.
  AddFuzzed(1300009323, false);
  // More numbers of 16 bits than one instruction spreads over blocks.
  AddFuzzed(1200002784, false);
  Flush();
  PrintWorst();
}

}  // namespace
}  // namespace belay::testing::test_both_roads
