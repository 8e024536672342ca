// SPDX-License-Identifier: Apache-2.0
// Each rule of the front end once broken and once kept: the broken program gets
// exactly one message, of that rule; the other none.

#include <gtest/gtest.h>

#include <string>

#include "crux/check.h"

namespace belay::crux::test_rules {
namespace {

struct Rule {
  const char* code;
  const char* wrong;
  const char* words;  // part of message or fix
  const char* right;
};

// Bodies of this kernel, each line indented by four blanks.
constexpr char kHeader[] = R"(T = dtype(f16, bf16, f32)
I = dtype(i32, i64)
G, H = dtypes((f16, f32), (f32, f32))
Q = dtype(i8, u8)
LIMIT = 8


@inline
def twice(t):
    return t + t


@inline
def put(view, t):
    store(view, t)


@kernel
def k(
    x: T[M, N], w: f32[N], i: I[M], b: bool[M, N], c8: i8[M, N], g: G[N],
    h: H[N], o: optional(T[N]), l: list(T[*L]), e: T[*S], vals: value(i64[K]),
    y: inout(T[M, N]), z: inout(f32[N]), a: inout(f32[M]),
    ks: list(int), p: int = 2, f: float = 1.0, s: str = "sum", q: bool = False,
):
)";

std::string Indented(const std::string& body) {
  std::string text = "    ";
  for (const char c : body) {
    text += c;
    if (c == '\n') text += "    ";
  }
  return text + "\n";
}

std::string Shown(const Checked& checked) {
  std::string text;
  for (const Diagnostic& diagnostic : checked.diagnostics) {
    text += ToText(diagnostic);
  }
  return text;
}

std::vector<Diagnostic> Errors(const Checked& checked) {
  std::vector<Diagnostic> errors;
  for (const Diagnostic& diagnostic : checked.diagnostics) {
    if (diagnostic.severity == Severity::kError) errors.push_back(diagnostic);
  }
  return errors;
}

void ExpectOne(const Rule& rule, const std::string& program) {
  const Checked checked = Check("wrong.crux", program);
  const std::vector<Diagnostic> errors = Errors(checked);
  ASSERT_EQ(errors.size(), 1u) << rule.wrong << "\n" << Shown(checked);
  EXPECT_EQ(errors[0].code, std::string("BLY-") + rule.code)
      << rule.wrong << "\n"
      << Shown(checked);
  const std::string said = errors[0].message + " | " + errors[0].fix;
  EXPECT_NE(said.find(rule.words), std::string::npos)
      << rule.wrong << "\nwants: " << rule.words << "\n"
      << Shown(checked);
  EXPECT_GT(errors[0].location.line, 0);
  EXPECT_GT(errors[0].location.column, 0);
  EXPECT_FALSE(errors[0].message.empty());
}

class BodyRule : public ::testing::TestWithParam<Rule> {};

TEST_P(BodyRule, WrongGetsOneMessage) {
  ExpectOne(GetParam(), kHeader + Indented(GetParam().wrong));
}

TEST_P(BodyRule, RightChecksClean) {
  const Checked checked =
      Check("right.crux", kHeader + Indented(GetParam().right));
  EXPECT_TRUE(checked.ok()) << GetParam().right << "\n" << Shown(checked);
}

constexpr Rule kNames[] = {
    {"X109", "y[0, 0] = full(T, 1)", "store(y[0, 0]",
     "store(y[0, 0], full(T, 1))"},
    {"X109", "t = load(w[:])\nt[0] = 1.0", "tiles are values",
     "t = load(w[:])\nt = where(arange(N) == 0, 1.0, t)"},
    {"X110", "return", "runs to its end", "pass"},
    {"X112", "x = load(w[:])", "is a parameter", "t = load(w[:])"},
    {"X112", "for p in cores(M):\n    pass", "would hide",
     "for r in cores(M):\n    pass"},
    {"X117", "t = zeros(Q[N])", "Q", "t = zeros(T[N])"},
    {"X119", "t = load(e[0])", "x.flat[c]", "t = load(e.flat[0])"},
    {"X120", "t = load(ww[:])", "did you mean 'w'", "t = load(w[:])"},
    {"X121", "t = expp(load(w[:]))", "did you mean 'exp'",
     "t = exp(load(w[:]))"},
    {"X121", "t = load(w[:])\nu = t(0)", "cannot be called",
     "t = load(w[:])\nu = t[0]"},
    {"X122", "t = load(w[:])\nu = t.sum()", "write sum(t)",
     "t = load(w[:])\nu = sum(t)"},
    {"X122", "t = load(x[0:4, :])\nu = t.T", "transpose",
     "t = load(x[0:4, :])\nu = transpose(t)"},
    {"X123", "t = torch.exp(load(w[:]))", "write exp(", "t = exp(load(w[:]))"},
    {"X123", "t = tl.load(w)", "load(x[r, c])", "t = load(w[:])"},
    {"X123", "t = f32(load(x[0, :]))", ".to(f32)", "t = load(x[0, :]).to(f32)"},
    {"X123", "n = len(w)", "size by its name", "n = w.size"},
    {"X124", "for c in tiles(N, tile=auto):\n    t = load(w[c])\nu = t",
     "inside a loop",
     "t = zeros(f32)\nfor c in tiles(N, tile=auto):\n    t += "
     "sum(load(w[c]))\nu = t"},
    {"X124", "if q:\n    t = 1\nu = t", "one branch",
     "if q:\n    t = 1\nelse:\n    t = 2\nu = t"},
    {"X124", "for r in range(p):\n    acc += 1.0", "before it is assigned",
     "acc = zeros(f32)\nfor r in range(p):\n    acc += 1.0"},
    {"X125", "t = load(o[:])", "present(o)",
     "if present(o):\n    t = load(o[:])"},
    {"X125", "if not present(o):\n    t = load(o[:])", "present(o)",
     "if not present(o):\n    t = 1\nelse:\n    t = load(o[0])\n    u = t"},
    {"X127", "t = exp()", "needs the argument 't'", "t = exp(load(w[:]))"},
    {"X127", "t = sum(load(w[:]), dim=0)",
     "write axis=", "t = sum(load(w[:]), axis=0)"},
    {"X127", "t = sum(load(x[0:4, :]), 0)", "axis=0",
     "t = sum(load(x[0:4, :]), axis=0)"},
    {"X127", "t = twice()", "needs the argument 't'", "t = twice(load(w[:]))"},
    {"X128", "t = exp(s)", "is host str", "t = exp(f)"},
    {"X128", "t = reshape(load(w[:]), (f, 2))", "integer or a range",
     "t = reshape(load(w[:]), (N, 1))"},
    {"X129", "t = topk(load(w[:]), p)", "gives 2 values",
     "t, u = topk(load(w[:]), p)"},
    {"X129", "t, u = load(w[:])", "2 names", "t, u = load(w[:]), load(z[:])"},
    {"X176", "sum = load(w[:])", "name of the language", "total = load(w[:])"},
};
INSTANTIATE_TEST_SUITE_P(Names, BodyRule, ::testing::ValuesIn(kNames));

constexpr Rule kDtypes[] = {
    {"X130", "t = load(x[0, :]) + load(w[:])", "mixes T and f32",
     "t = load(x[0, :]).to(f32) + load(w[:])"},
    {"X130", "store(y[0, :], load(w[:]))", ".to(T)",
     "store(y[0, :], load(w[:]).to(T))"},
    {"X130", "t = load(g[:]) + load(h[:])", "mixes G and H",
     "t = load(g[:]).to(f32) + load(h[:])"},
    {"X131", "t = load(i[:]) / 2", "write //", "t = load(i[:]) // 2"},
    {"X131", "t = load(x[0, :]) & 1", "T (f16)", "t = load(i[:]) & 1"},
    {"X131", "t = sum(load(b[0, :]))", ".to(i32)",
     "t = sum(load(b[0, :]).to(i32))"},
    {"X131", "t = any(load(w[:]))", "compare first", "t = any(load(w[:]) > 0)"},
    {"X131", "t = bitcast(load(w[:]), i16)", "changes the width",
     "t = bitcast(load(w[:]), i32)"},
    {"X132", "t = load(i[:]) + 1.5", "is a float", "t = load(i[:]) + 1"},
    {"X132", "t = load(c8[0, :]) + 300", "-128 to 127",
     "t = load(c8[0, :]) + 100"},
    {"X132", "t = load(x[0, :]) * 1e6", "T (f16)",
     "t = load(x[0, :]).to(f32) * 1e6"},
    {"X132", "t = full(i32[N], -inf)", "lowest", "t = full(f32[N], -inf)"},
    {"X133", "t = where(load(b[0, :]), 1.0, 0.0)", "full(f32",
     "t = where(load(b[0, :]), full(f32, 1.0), 0.0)"},
    {"X134", "t = load(x[0, :]).to(float32)", "write f32",
     "t = load(x[0, :]).to(f32)"},
    {"X134", "t = zeros(f31[N])", "did you mean 'f32'", "t = zeros(f32[N])"},
    {"X135", "t = load(w[:]) > 0 and load(z[:]) > 0", "`&`",
     "t = (load(w[:]) > 0) & (load(z[:]) > 0)"},
    {"X135", "t = not load(b[0, :])", "`~`", "t = ~load(b[0, :])"},
    {"X136", "t = 0 < load(w[:]) < 1", "(0 < load(w[:])) & ",
     "t = (0 < load(w[:])) & (load(w[:]) < 1)"},
    {"X137", "t = max(load(w[:]), load(z[:]))", "maximum(load(w[:]), ",
     "t = maximum(load(w[:]), load(z[:]))"},
};
INSTANTIATE_TEST_SUITE_P(Dtypes, BodyRule, ::testing::ValuesIn(kDtypes));

constexpr Rule kShapes[] = {
    {"X140", "t = load(w[:]) + load(a[:])", "N and M",
     "t = load(w[:]) + load(a[:])[:, None]"},
    {"X141", "t = sum(load(w[:]), axis=1)", "rank 1",
     "t = sum(load(w[:]), axis=-1)"},
    {"X141", "t = sum(load(x[0:4, :]), axis=p)", "integer literal",
     "t = sum(load(x[0:4, :]), axis=(0, 1), keepdims=True)"},
    {"X141", "t = cumsum(load(x[0:4, :]))", "needs an axis",
     "t = cumsum(load(x[0:4, :]), axis=1, reverse=q)"},
    {"X142", "t = load(w[0, :])", "rank 1", "t = load(w[:])"},
    {"X143", "t = load(x[f, :])", "is host float", "t = load(x[p, :])"},
    {"X143", "for c in tiles(N, tile=auto):\n    t = load(w[c // 2])",
     "not affine",
     "for c in tiles(N, tile=auto):\n    t = load(w[c * 2 + p], fill=0)"},
    {"X143", "for c in tiles(N, tile=auto):\n    t = load(w[c]) * c",
     "arange(c)",
     "for c in tiles(N, tile=auto):\n    t = load(w[c]) * arange(c).to(f32)"},
    {"X144", "t = load(w[-1])", "never wrap", "t = load(w[N - 1])"},
    {"X144", "t = zeros(f32[4])\nu = t[4]", "0 to 3",
     "t = zeros(f32[4])\nu = t[3]"},
    {"X145", "t = reshape(load(w[:]), (M, 2))", "elements",
     "t = reshape(load(x[0:4, :]), (2, -1))"},
    {"X146", "t = load(x[0:4, :]) @ load(x[0:4, :])", "transpose(",
     "t = load(x[0:4, :]) @ transpose(load(x[0:4, :]))"},
    {"X147", "t = load(w[:])[: load(i[0])]", "give the device integer a name",
     "n = load(i[0])\nt = load(w[:])[:n]"},
    {"X148",
     "for c in tiles(N, tile=auto):\n    t = load(w[c])\n    for d in tiles(N, "
     "tile=auto):\n        u = t + load(w[d])",
     "different loops",
     "for c in tiles(N, tile=auto):\n    t = load(w[c])\n    for d in tiles(N, "
     "tile=auto):\n        u = t[:, None] + load(w[d])"},
    {"X149", "store(z[0], load(w[:]))", "fewer axes",
     "store(z[:], load(w[:]))\nstore(z[:], load(w[0]))"},
};
INSTANTIATE_TEST_SUITE_P(Shapes, BodyRule, ::testing::ValuesIn(kShapes));

constexpr Rule kFlow[] = {
    {"X150", "for r in x:\n    pass", "cores(M)",
     "for r in range(p):\n    pass"},
    {"X151", "for r in cores(M / 2):\n    pass", "//",
     "for r in cores(M // 2):\n    pass"},
    {"X151", "for r in tiles(M, block=4):\n    pass",
     "tile=", "for r in tiles(M, tile=4, reverse=q):\n    pass"},
    {"X151", "for r in each(x):\n    pass", "list of tensors",
     "for r in each(l):\n    pass"},
    {"X152",
     "t = zeros(f32)\nfor c in tiles(N, tile=auto):\n    t = load(w[c])",
     "carried",
     "t = zeros(f32)\nfor c in tiles(N, tile=auto):\n    t = "
     "sum(load(w[c]))"},
    {"X153", "t = zeros(f32)\nfor r in cores(M):\n    t += load(a[r])",
     "across_cores",
     "t = across_cores(sum, f32)\nfor r in cores(M):\n    t += load(a[r])"},
    {"X154", "n = 0\nfor r in range(p):\n    n += 1", "zeros(i32)",
     "n = zeros(i32)\nfor r in range(p):\n    n += 1"},
    {"X154", "n = 0\nif load(i[0]) > 0:\n    n = 1", "condition of the device",
     "n = 0\nif q:\n    n = 1"},
    {"X155", "for r in range(p):\n    r = 1", "variable of a loop",
     "for r in range(p):\n    t = r + 1"},
    {"X156", "if load(w[:]) > 0:\n    pass", "any(cond)",
     "if any(load(w[:]) > 0):\n    pass"},
    {"X156", "if p:\n    pass", "compare it", "if p > 0:\n    pass"},
    {"X157", "if fits() and q:\n    pass", "stands alone",
     "if fits():\n    pass\nelse:\n    pass"},
    {"X158", "t = 1 if load(i[0]) > 0 else 2", "where(",
     "t = where(load(i[0]) > 0, 1, 2)"},
    {"X159", "t = load(w[:]) if q else load(w[0])", "differ in type",
     "t = load(w[:]) if q else load(z[:])"},
};
INSTANTIATE_TEST_SUITE_P(Flow, BodyRule, ::testing::ValuesIn(kFlow));

constexpr Rule kMemory[] = {
    {"X160", "store(w[:], load(z[:]))", "inout", "store(z[:], load(w[:]))"},
    {"X161", "for r in cores(M):\n    store(z[:], load(w[:]))",
     "does not depend on 'r'",
     "for r in cores(M):\n    store(y[r, :], load(w[:]).to(T))"},
    {"X162", "t = load(w)", "w[:] for all", "t = load(w[:])"},
    {"X162", "t = w[:] + 1.0", "write load(w[:])", "t = load(w[:]) + 1.0"},
    {"X163", "exp(load(w[:]))", "not used", "store(z[:], exp(load(w[:])))"},
    {"X163", "t = store(z[:], load(w[:]))", "line of its own",
     "put(z[:], load(w[:]))"},
    {"X165", "t = across_cores(sum, f32)\nt += 1.0", "outside of a `cores`",
     "t = across_cores(sum, f32)\nfor r in cores(M):\n    t += 1.0"},
    {"X165",
     "t = across_cores(max, f32)\nfor r in cores(M):\n    t += load(a[r])",
     "t = maximum(t, v)",
     "t = across_cores(max, f32)\nfor r in cores(M):\n    t = maximum(t, "
     "load(a[r]))"},
    {"X166",
     "t = across_cores(sum, f32)\nfor r in cores(M):\n    t += load(a[r])\n    "
     "u = t + 1.0",
     "after the loop",
     "t = across_cores(sum, f32)\nfor r in cores(M):\n    t += load(a[r])\nu = "
     "t + 1.0"},
    {"X167",
     "t = across_cores(cumsum, i32)\nfor c in cores(N, tile=auto):\n    t += "
     "1\nfor c in cores(N, tile=64):\n    u = t[c]",
     "tile= of",
     "t = across_cores(cumsum, i32)\nfor c in cores(N, tile=auto):\n    t += "
     "1\nfor c in cores(N, tile=auto):\n    u = t[c]"},
    {"X168", "for r in cores(M):\n    t = scratch(f32[N])", "before the loop",
     "t = scratch(f32[N])\nfor r in cores(M):\n    pass"},
    {"X169", "t = load(l.flat[0])", "x[i]",
     "for j in each(l):\n    t = load(l[j].flat[0])"},
    {"X170", "t = scratch(f32[load(i[0])])", "known on the host",
     "t = scratch(f32[p])"},
    {"X171", "assert load(i[0]) > 0", "on the host",
     "assert M % 2 == 0 and q, \"M is even\""},
    {"X177", "for r in tiles(M, tile=0):\n    pass", "positive",
     "for r in tiles(M, tile=1):\n    pass"},
};
INSTANTIATE_TEST_SUITE_P(Memory, BodyRule, ::testing::ValuesIn(kMemory));

constexpr Rule kText[] = {
    {"X101", "t = load(w[:]) \u00d7 2.0", "write *", "t = load(w[:]) * 2.0"},
    {"X102", "for r in cores(M):\npass", "indented block",
     "for r in cores(M):\n    pass"},
    {"X103", "t = load(w[:]", "never closed", "t = load(w[:])"},
    {"X104", "t = 12abc", "neither a number nor a name", "t = 12"},
    {"X105", "for r in cores(M)\n    pass", "expected ':'",
     "for r in cores(M):\n    pass"},
    {"X105", "if q = True:\n    pass", "==", "if q == True:\n    pass"},
    {"X106", "while q:\n    pass", "range(n)", "for r in range(p):\n    pass"},
    {"X107", "t = [r for r in range(p)]", "comprehensions",
     "for r in range(p):\n    pass"},
    {"X107", "if o is None:\n    pass", "not present(o)",
     "if not present(o):\n    pass"},
    {"X108",
     "t = 1\nu = (((((((((((((((((((((((((((((((((((((((((((((((((((((("
     "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
     "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
     "((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))"
     "))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))"
     "))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))"
     "))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))",
     "deep", "t = (((1)))"},
};
INSTANTIATE_TEST_SUITE_P(Text, BodyRule, ::testing::ValuesIn(kText));

class FileRule : public ::testing::TestWithParam<Rule> {};

TEST_P(FileRule, WrongGetsOneMessage) {
  ExpectOne(GetParam(), GetParam().wrong);
}

TEST_P(FileRule, RightChecksClean) {
  const Checked checked = Check("right.crux", GetParam().right);
  EXPECT_TRUE(checked.ok()) << Shown(checked);
}

constexpr char kGood[] =
    "@kernel\ndef k(x: f32[N], y: out(f32[N])):\n    store(y[:], load(x[:]))\n";

constexpr Rule kFiles[] = {
    {"X106",
     "import torch\n@kernel\ndef k(x: f32[N], y: out(f32[N])):\n    "
     "store(y[:], load(x[:]))\n",
     "delete the line", kGood},
    {"X110",
     "for r in cores(4):\n    pass\n@kernel\ndef k(x: f32[N], y: "
     "out(f32[N])):\n    store(y[:], load(x[:]))\n",
     "left margin", kGood},
    {"X111", "def k(x: f32[N], y: out(f32[N])):\n    store(y[:], load(x[:]))\n",
     "@kernel", kGood},
    {"X113",
     "T = dtype()\n@kernel\ndef k(x: f32[N], y: out(f32[N])):\n    "
     "store(y[:], load(x[:]))\n",
     "T = dtype(f16",
     "T = dtype(f16, f32)\n@kernel\ndef k(x: T[N], y: "
     "out(T[N])):\n    store(y[:], load(x[:]))\n"},
    {"X114", "N = 4\n", "no kernel", kGood},
    {"X115", "@kernel\ndef k(x, y: out(f32[N])):\n    pass\n", "no type",
     kGood},
    {"X116",
     "@kernel\ndef k(x: f32[N], y: out(f32[K])):\n    store(y[0], "
     "load(x[0]))\n",
     "K = ",
     "@kernel\ndef k(x: f32[N], y: out(f32[K])):\n    K = N // 2\n    "
     "store(y[0], load(x[0]))\n"},
    {"X116",
     "@kernel\ndef k(x: f32[N], y: out(f32[K])):\n    for r in range(2):\n     "
     "   K = N // 2\n    store(y[0], load(x[0]))\n",
     "of the output 'y'", kGood},
    {"X118",
     "@kernel\ndef k(x: f32[N], y: out(f32[N]), eps: float = \"a\"):\n    "
     "store(y[:], load(x[:]) + eps)\n",
     "literal of type float",
     "@kernel\ndef k(x: f32[N], y: out(f32[N]), eps: float = 1):\n    "
     "store(y[:], load(x[:]) + eps)\n"},
    {"X126",
     "@inline\ndef h(t):\n    return h(t)\n@kernel\ndef k(x: f32[N], y: "
     "out(f32[N])):\n    store(y[:], h(load(x[:])))\n",
     "calls itself",
     "@inline\ndef h(t):\n    return t\n@kernel\ndef k(x: f32[N], y: "
     "out(f32[N])):\n    store(y[:], h(load(x[:])))\n"},
    {"X164", "@kernel\ndef k(x: f32[N], y: out(f32[N])):\n    t = load(x[:])\n",
     "never stored", kGood},
    {"X172",
     "@inline\ndef h(t):\n    u = t\n@kernel\ndef k(x: f32[N], y: "
     "out(f32[N])):\n    store(y[:], h(load(x[:])))\n",
     "return", kGood},
    {"X173",
     "@kernel\ndef k(x: f32[N], y: out(f32[N])):\n    return "
     "load(x[:])\n",
     "out(T[M, N])", kGood},
    {"X174",
     "@kernel(cores=4)\ndef k(x: f32[N], y: out(f32[N])):\n    store(y[:], "
     "load(x[:]))\n",
     "fast=",
     "@kernel(fast=True)\ndef k(x: f32[N], y: out(f32[N])):\n    store(y[:], "
     "load(x[:]))\n"},
    {"X175",
     "@kernel\ndef k(x: f32[n], y: out(f32[N])):\n    store(y[0], "
     "load(x[0]))\n",
     "write N", kGood},
};
INSTANTIATE_TEST_SUITE_P(Files, FileRule, ::testing::ValuesIn(kFiles));

TEST(Rules, SeveralErrorsAreAllTold) {
  const Checked checked =
      Check("two.crux", std::string(kHeader) +
                            "    t = expp(load(w[:]))\n"
                            "    u = load(x[0, :]) + load(w[:])\n"
                            "    v = t + u\n");
  const std::vector<Diagnostic> errors = Errors(checked);
  ASSERT_EQ(errors.size(), 2u) << Shown(checked);
  EXPECT_EQ(errors[0].code, "BLY-X121");
  EXPECT_EQ(errors[1].code, "BLY-X130");
}

TEST(Rules, UnusedParameterIsAWarning) {
  const Checked checked =
      Check("unused.crux",
            "@kernel\ndef k(x: f32[N], y: out(f32[N]), eps: float):\n"
            "    store(y[:], load(x[:]))\n");
  EXPECT_TRUE(checked.ok());
  ASSERT_EQ(checked.diagnostics.size(), 1u);
  EXPECT_EQ(checked.diagnostics[0].code, "BLY-X178");
}

TEST(Rules, ErrorsBeyondTheLimitAreOneNote) {
  std::string text = kHeader;
  for (int i = 0; i < 80; ++i) {
    text +=
        "    t" + std::to_string(i) + " = nothing" + std::to_string(i) + "\n";
  }
  const Checked checked = Check("many.crux", text);
  EXPECT_EQ(checked.diagnostics.size(), 51u);
  EXPECT_EQ(checked.diagnostics.back().code, "BLY-X179");
}

TEST(Rules, ErrorInAHelperNamesItsCall) {
  const Checked checked = Check(
      "helper.crux",
      "@inline\ndef h(t, u):\n    return t + u\n@kernel\ndef k(x: f16[N], w: "
      "f32[N], y: out(f32[N])):\n    store(y[:], h(load(x[:]), load(w[:])))\n");
  const std::vector<Diagnostic> errors = Errors(checked);
  ASSERT_EQ(errors.size(), 1u) << Shown(checked);
  EXPECT_EQ(errors[0].location.line, 3);
  ASSERT_EQ(errors[0].notes.size(), 1u);
  EXPECT_EQ(errors[0].notes[0].location.line, 6);
}

}  // namespace
}  // namespace belay::crux::test_rules
