// SPDX-License-Identifier: Apache-2.0
// The runner on kernels written as code, without the compiler.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/catalogue.h"
#include "call.h"
#include "crux/check.h"
#include "crux/ir/beside.h"
#include "crux/ir/solve.h"
#include "crux/run/runner.h"

namespace belay::testing::test_runner {
namespace {

using crux::code::Arg;
using crux::code::Block;
using crux::code::Local;
using crux::code::QueuePosition;
using crux::code::Scalar;
using crux::code::ScalarKind;
using crux::code::ScalarPtr;
using crux::code::Stmt;
using crux::code::StmtKind;
using crux::code::Struct;
using crux::ir::Int;
using crux::run::Prepared;
using crux::run::Runner;
using crux::run::RunResult;

std::shared_ptr<Stmt> Add(Block& block, StmtKind kind, int line) {
  block.push_back(std::make_shared<Stmt>());
  block.back()->kind = kind;
  block.back()->line = line;
  return block.back();
}

void AddQueue(Block& block, StmtKind kind, int line, const std::string& queue,
              const std::string& tensor) {
  const auto stmt = Add(block, kind, line);
  stmt->from = queue;
  stmt->name = tensor;
  stmt->dtype = DType::kFloat;
}

void AddCall(Block& block, int line, std::string function,
             std::vector<Arg> args) {
  const auto stmt = Add(block, StmtKind::kCall, line);
  stmt->function = std::move(function);
  stmt->args = std::move(args);
}

ScalarPtr RealNumber(double value) {
  auto scalar = std::make_shared<Scalar>();
  scalar->real = value;
  return scalar;
}

constexpr char kText[] =
    "@kernel\n"
    "def scale(x: f32[N], y: out(f32[N]), a: float = 2.0):\n"
    "    for c in cores(N, tile=auto):\n"
    "        store(y[c], exp(load(x[c])) * a)\n";

// y = exp(x) * a as a person would write it, pieces over the cores.
struct Written {
  crux::Checked checked = crux::Check("scale.crux", kText);
  const crux::typed::Kernel& kernel = *checked.program->kernels.front();
  std::shared_ptr<crux::ir::Kernel> tiles =
      std::make_shared<crux::ir::Kernel>();
  std::shared_ptr<crux::code::Kernel> code =
      std::make_shared<crux::code::Kernel>();

  Written() {
    tiles->name = "scale";
    tiles->source = &kernel;
    AddHost("N", crux::ir::HostSource::kSize);
    AddHost("a", crux::ir::HostSource::kExpr);
    tiles->host.back().real = true;
    tiles->host.back().expr = AttributeUse();
    AddHost("tile", crux::ir::HostSource::kChosen);
    crux::ir::TileParameter parameter;
    parameter.name = "tile";
    parameter.role = crux::ir::TileParameter::Role::kCores;
    parameter.extent = Int::Name("N");
    parameter.unit = 8;
    tiles->parameters = {parameter};
    for (int i = 0; i < 2; ++i) {
      crux::ir::Tensor tensor;
      tensor.id = i;
      tensor.name = kernel.parameters[static_cast<size_t>(i)]->name;
      tensor.dtype = DType::kFloat;
      tensor.parameter = kernel.parameters[static_cast<size_t>(i)];
      tensor.elements = Int::Name("N");
      tiles->tensors.push_back(tensor);
      crux::code::Global global;
      global.name = tensor.name;
      global.dtype = tensor.dtype;
      global.tensor = i;
      global.elements = tensor.elements;
      code->globals.push_back(global);
    }
    code->tiles = tiles.get();
    const Int bytes = Int::Name("tile") * 4;
    code->queues = {{"in", QueuePosition::kIn, 2, bytes},
                    {"out", QueuePosition::kOut, 2, bytes}};
    code->fields = {"N", "a", "tile"};
    code->ub_bytes = bytes * 4;
    code->block_dim = Min(Int::Name("core_count"),
                          CeilDiv(Int::Name("N"), Int::Name("tile")));
    code->functions.emplace_back().name = "Process";
    WriteProcess(code->functions.back().body);
  }

  void AddHost(std::string name, crux::ir::HostSource source) {
    crux::ir::HostValue value;
    value.name = std::move(name);
    value.source = source;
    tiles->host.push_back(value);
  }

  const crux::typed::Expr* AttributeUse() {
    auto made = std::make_shared<std::deque<crux::typed::Expr>>();
    crux::typed::Expr& use = made->emplace_back();
    use.kind = crux::typed::ExprKind::kParameter;
    use.parameter = kernel.parameters[2];
    tiles->made = made;
    return &use;
  }

  void WriteProcess(Block& block) {
    const Int tile = Int::Name("tile");
    const auto loop = Add(block, StmtKind::kFor, 3);
    loop->name = "c";
    loop->value = Int::Name("block_idx") * tile;
    loop->high = Int::Name("N");
    loop->step = Int::Name("block_num") * tile;
    Block& body = loop->body;
    const auto count = Add(body, StmtKind::kLet, 3);
    count->name = "count";
    count->value = Min(tile, Int::Name("N") - Int::Name("c"));
    const Int bytes = Int::Name("count") * 4;
    AddQueue(body, StmtKind::kAlloc, 4, "in", "x_in");
    Struct pad = {"DataCopyPadExtParams", {0, 0, 0}, RealNumber(0)};
    AddCall(body, 4, "DataCopyPad",
            {Local{"x_in", 0}, crux::code::GlobalPart{"x", Int::Name("c")},
             Struct{"DataCopyExtParams", {1, bytes, 0, 0, 0}, nullptr}, pad});
    AddQueue(body, StmtKind::kEnQue, 4, "in", "x_in");
    AddQueue(body, StmtKind::kDeQue, 4, "in", "t");
    AddQueue(body, StmtKind::kAlloc, 4, "out", "r");
    AddCall(body, 4, "Exp", {Local{"r", 0}, Local{"t", 0}, Int::Name("count")});
    auto factor = std::make_shared<Scalar>();
    factor->kind = ScalarKind::kHost;
    factor->name = "a";
    AddCall(
        body, 4, "Muls",
        {Local{"r", 0}, Local{"r", 0}, ScalarPtr(factor), Int::Name("count")});
    AddQueue(body, StmtKind::kEnQue, 4, "out", "r");
    AddQueue(body, StmtKind::kFree, 4, "in", "t");
    AddQueue(body, StmtKind::kDeQue, 4, "out", "r_out");
    AddCall(body, 4, "DataCopyPad",
            {crux::code::GlobalPart{"y", Int::Name("c")}, Local{"r_out", 0},
             Struct{"DataCopyExtParams", {1, bytes, 0, 0, 0}, nullptr}});
    AddQueue(body, StmtKind::kFree, 4, "out", "r_out");
  }

  RunResult Run(Runner& runner, const std::vector<std::string>& texts) const {
    crux::interpret::Arguments arguments;
    for (const std::string& text : texts) AddArgument(kernel, text, arguments);
    crux::interpret::HostCall call(kernel, arguments, "scale.crux");
    Prepared prepared;
    prepared.variant.tiles = tiles;
    prepared.variant.code = code;
    prepared.plan = crux::run::PlanCall(*code, call, runner.chip());
    prepared.program =
        std::make_shared<const crux::run::Program>(crux::run::Load(*code));
    return runner.Launch(prepared, call, arguments, "scale.crux");
  }
};

runtime::DeviceOptions Checked() {
  runtime::DeviceOptions options;
  options.check = check::CheckOptions();
  options.record = true;
  return options;
}

TEST(CruxRunner, RunsCodeOnTheChip) {
  const Written written;
  Runner runner(Checked());
  for (const int size : {1, 7, 64, 1000, 100003}) {
    const RunResult result =
        written.Run(runner, {"x=f32[" + std::to_string(size) + "]", "a=0.5"});
    for (const Diagnostic& diagnostic : result.diagnostics) {
      ADD_FAILURE() << ToText(diagnostic);
    }
    ASSERT_NE(result.Find("y"), nullptr);
    const std::vector<double> y = NumbersOf(result.Find("y")->array);
    ASSERT_EQ(y.size(), static_cast<size_t>(size));
    for (size_t i = 0; i < y.size() && i < 80; ++i) {
      const double expected = std::exp(static_cast<double>(i)) * 0.5;
      EXPECT_NEAR(y[i], expected, expected * 1e-6) << i;
    }
    ASSERT_TRUE(result.launch.has_value());
    EXPECT_EQ(result.launch->kernel, "scale");
    EXPECT_FALSE(result.launch->logs.empty());
  }
}

TEST(CruxRunner, FindingsNameTheLineOfTheProgram) {
  Written written;
  // Behind the end: one element more than the piece has.
  Block& body = written.code->functions.back().body.front()->body;
  std::get<Struct>(body[2]->args[2]).fields[1] = (Int::Name("count") + 1) * 4;
  Runner runner(Checked());
  const RunResult result = written.Run(runner, {"x=f32[128]"});
  ASSERT_FALSE(result.ok());
  EXPECT_TRUE(result.outputs.empty());
  EXPECT_EQ(result.diagnostics.front().location.file, "scale.crux");
  EXPECT_EQ(result.diagnostics.front().location.line, 4);
}

TEST(CruxRunner, SaysWhichBufferDoesNotFit) {
  Written written;
  written.code->queues[1].bytes = 200 << 10;
  Runner runner(Checked());
  const RunResult result = written.Run(runner, {"x=f32[128]"});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.diagnostics.front().code, code::kQ103);
  EXPECT_NE(result.diagnostics.front().message.find("'out'"), std::string::npos)
      << result.diagnostics.front().message;
}

constexpr char kHostText[] =
    "T = dtype(f16, f32)\n"
    "\n"
    "\n"
    "@kernel\n"
    "def pool(x: T[N, L], y: out(T[N, L // 2]), k: int, bias: "
    "optional(f32[L])):\n"
    "    assert k > 1, \"k is at least 2\"\n"
    "    M = L // k\n"
    "    if M > 3:\n"
    "        W = M * 2\n"
    "    else:\n"
    "        W = M\n"
    "    for r in cores(N):\n"
    "        if present(bias):\n"
    "            store(y[r, :], load(x[r, 0 : L // 2]))\n"
    "        else:\n"
    "            store(y[r, :], full(T[L // 2], W))\n";

TEST(CruxHostCall, AnswersWithoutElements) {
  const crux::Checked checked = crux::Check("pool.crux", kHostText);
  ASSERT_TRUE(checked.ok()) << ToText(checked.diagnostics.front());
  const crux::typed::Kernel& kernel = *checked.program->kernels.front();
  crux::interpret::Arguments arguments;
  // Larger than any memory: only the shape is looked at.
  arguments.tensors["x"].arrays = {{DType::kHalf, {int64_t{1} << 40, 16}, {}}};
  arguments.attributes["k"] = int64_t{2};
  crux::interpret::HostCall call(kernel, arguments, "pool.crux");
  EXPECT_EQ(call.Dtypes(), std::vector<DType>{DType::kHalf});
  EXPECT_EQ(call.Size("L"), 16);
  EXPECT_EQ(call.ShapeOf(*kernel.FindParameter("y"), 0),
            (Shape{int64_t{1} << 40, 8}));
  EXPECT_FALSE(call.IsGiven(*kernel.FindParameter("bias")));
  const auto choices =
      call.Choose([](const crux::typed::Statement&) { return true; });
  ASSERT_EQ(choices.size(), 2u);
  EXPECT_TRUE(choices[0].taken);
  EXPECT_FALSE(choices[1].taken);
}

TEST(CruxHostCall, RefusesWithTheLine) {
  const crux::Checked checked = crux::Check("pool.crux", kHostText);
  ASSERT_TRUE(checked.ok());
  const crux::typed::Kernel& kernel = *checked.program->kernels.front();
  crux::interpret::Arguments arguments;
  arguments.tensors["x"].arrays = {{DType::kFloat, {4, 16}, {}}};
  arguments.attributes["k"] = int64_t{1};
  crux::interpret::HostCall call(kernel, arguments, "pool.crux");
  try {
    call.Choose([](const crux::typed::Statement&) { return true; });
    FAIL() << "the assertion holds";
  } catch (const crux::interpret::CallRefused& refused) {
    EXPECT_EQ(refused.diagnostic().code, code::kX192);
    EXPECT_EQ(refused.diagnostic().location.file, "pool.crux");
    EXPECT_EQ(refused.diagnostic().location.line, 6);
  }
}

// Host lines of a loop over a list are those of each of its tensors.
TEST(CruxRunner, NamesPartsOfEveryTensorOfAList) {
  const crux::Checked checked = crux::Check(
      "middles.crux",
      "@kernel\n"
      "def middles(x: list(f32[*S]), y: out(list(f32[*S])), axis: int):\n"
      "    for b in each(x):\n"
      "        xs, ys = x[b].around(axis), y[b].around(axis)\n"
      "        n = xs.shape[1]\n"
      "        for r in cores(xs.shape[0]):\n"
      "            for d in tiles(xs.shape[2], tile=auto):\n"
      "                store(ys[r, :, d], load(xs[r, :, d]) * n)\n");
  ASSERT_TRUE(checked.ok());
  const crux::typed::Kernel& kernel = *checked.program->kernels.front();
  crux::interpret::Arguments arguments;
  for (const Shape& shape : {Shape{2, 3, 5}, Shape{3, 2, 70}}) {
    std::vector<double> numbers;
    for (int64_t i = 0; i < ElementCount(shape); ++i) {
      numbers.push_back(static_cast<double>(i));
    }
    arguments.tensors["x"].arrays.push_back(
        ArrayOf(DType::kFloat, shape, numbers));
  }
  arguments.tensors["x"].list = true;
  arguments.attributes["axis"] = int64_t{1};
  Runner runner(Checked());
  const RunResult result = runner.Run(kernel, arguments, "middles.crux");
  for (const Diagnostic& one : result.diagnostics) {
    ADD_FAILURE() << one.code << ": " << one.message;
  }
  ASSERT_TRUE(result.ok());
  for (const auto& [name, times] : {std::pair("y[0]", 3), {"y[1]", 2}}) {
    const std::vector<double> numbers = NumbersOf(result.Find(name)->array);
    for (size_t i = 0; i < numbers.size(); ++i) {
      ASSERT_EQ(numbers[i], static_cast<double>(i) * times) << name << i;
    }
  }
}

int64_t GoneThroughOnce(size_t, std::span<const int64_t>) { return 1; }

TEST(CruxRunner, ChoosesPiecesByMemoryAndCores) {
  const auto solve = [](int64_t extent, int64_t outer, int64_t most) {
    const crux::ir::PieceRequest request = {true, extent, 8, most};
    std::vector<int64_t> pieces;
    EXPECT_TRUE(crux::ir::Solve(
        std::span(&request, 1), 40, 196608,
        [](std::span<const int64_t> p) { return p[0] * 16; },
        [&](size_t, std::span<const int64_t>) { return outer; }, pieces));
    return pieces[0];
  };
  EXPECT_EQ(solve(1, 1, 1 << 30), 8);
  // A piece for each core, a multiple of the unit.
  EXPECT_EQ(solve(4000, 1, 1 << 30), 104);
  // 12288 elements fit: 82 pieces are 3 rounds, so 120 pieces.
  EXPECT_EQ(solve(1000000, 1, 1 << 30), 8336);
  EXPECT_EQ(solve(1000000, 40, 1 << 30), 12200);
  EXPECT_EQ(solve(1000000, 40, 255), 248);
  std::vector<int64_t> pieces;
  const crux::ir::PieceRequest large = {false, 100, 64};
  EXPECT_FALSE(crux::ir::Solve(
      std::span(&large, 1), 40, 1000,
      [](std::span<const int64_t> p) { return p[0] * 16; }, GoneThroughOnce,
      pieces));
  EXPECT_EQ(pieces, (std::vector<int64_t>{64}));
}

// Two loops of which the first needs `first` bytes for an element and the
// second `second`, in the same memory or each in its own.
TEST(CruxRunner, LeavesMemoryToLoopsThatFollow) {
  const auto solve = [](int64_t extent, int64_t first, int64_t second,
                        bool same) {
    crux::ir::PieceRequest request = {true, 1000000, 8};
    request.group = 1;
    std::vector<crux::ir::PieceRequest> requests(2, request);
    requests[1].extent = extent;
    std::vector<int64_t> pieces;
    const auto bytes = [&](std::span<const int64_t> p) {
      const int64_t a = p[0] * first;
      const int64_t b = p[1] * second;
      return same ? std::max(a, b) : a + b;
    };
    EXPECT_TRUE(
        crux::ir::Solve(requests, 1, 160000, bytes, GoneThroughOnce, pieces));
    EXPECT_LE(bytes(pieces), 160000);
    return pieces;
  };
  using Pieces = std::vector<int64_t>;
  EXPECT_EQ(solve(1000000, 16, 16, true), (Pieces{10000, 10000}));
  EXPECT_EQ(solve(1000000, 4, 16, true), (Pieces{40000, 10000}));
  // Half of it for each, pieces of whole units, and as even as can be.
  EXPECT_EQ(solve(1000000, 16, 16, false), (Pieces{5000, 5000}));
  EXPECT_EQ(solve(1000000, 4, 16, false), (Pieces{19608, 5080}));
  // What the second does not need is the first's.
  EXPECT_EQ(solve(100, 16, 16, false), (Pieces{9808, 104}));
  EXPECT_EQ(solve(0, 16, 16, false), (Pieces{9904, 8}));
}

TEST(CruxRunner, LoopsThatFollowEachOtherAreOneGroup) {
  const auto groups = [](const std::string& body) {
    const crux::Checked checked =
        crux::Check("program",
                    "@kernel\ndef k(a: f32[M, N], y: inout(f32[M, N]), "
                    "z: inout(f32[K])):\n" +
                        body);
    EXPECT_TRUE(checked.ok());
    const crux::typed::Kernel& kernel = *checked.program->kernels.front();
    crux::interpret::Arguments arguments;
    arguments.tensors["a"].arrays = {{DType::kFloat, {999, 777}, {}}};
    arguments.tensors["y"] = arguments.tensors["a"];
    arguments.tensors["z"].arrays = {{DType::kFloat, {55555}, {}}};
    crux::interpret::HostCall call(kernel, arguments, "program");
    Runner runner{{}};
    const Prepared prepared = crux::run::Prepare(call, runner.chip());
    std::map<std::string, int> found;
    const std::vector<int> numbers =
        crux::ir::BesideEachOther(*prepared.variant.tiles);
    for (size_t i = 0; i < numbers.size(); ++i) {
      found[prepared.variant.tiles->parameters[i].name] = numbers[i];
    }
    return found;
  };
  const std::string flat =
      "    for c in cores(K, tile=auto):\n        store(z[c], -load(z[c]))\n";
  using Groups = std::map<std::string, int>;
  EXPECT_EQ(groups("    for r in cores(M):\n"
                   "        t = load(a[r, :])\n"
                   "        store(y[r, :], t / sum(t))\n" +
                   flat),
            (Groups{{"c_tile", 1}, {"r_rows", 1}}));
  // Pieces of a row stand in the loop over rows, by themselves.
  EXPECT_EQ(groups("    for r in cores(M):\n"
                   "        s = zeros(f32)\n"
                   "        for i in tiles(N, tile=auto):\n"
                   "            s += sum(load(a[r, i]))\n"
                   "        for j in tiles(N - 1, tile=auto):\n"
                   "            store(y[r, j], load(a[r, j]) * s)\n"),
            (Groups{{"i_tile", 1}, {"j_tile", 1}, {"r_rows", 0}}));
  EXPECT_EQ(groups("    for i in cores(M, tile=auto):\n"
                   "        for j in cores(N, tile=auto):\n"
                   "            store(y[i, j], load(a[i, j]))\n"),
            (Groups{{"i_tile", 0}, {"j_tile", 0}}));
}

TEST(CruxRunner, CutsPiecesOfFewGrainsInHalves) {
  const auto solve = [](int64_t unit, int64_t grain, int64_t room) {
    const crux::ir::PieceRequest request = {false, 100000, unit, 1 << 30,
                                            grain};
    std::vector<int64_t> pieces;
    EXPECT_TRUE(crux::ir::Solve(
        std::span(&request, 1), 40, room,
        [](std::span<const int64_t> p) { return p[0]; }, GoneThroughOnce,
        pieces));
    return pieces[0];
  };
  EXPECT_EQ(solve(16, 256, 500), 384);
  EXPECT_EQ(solve(16, 256, 256), 256);
  EXPECT_EQ(solve(16, 256, 127), 112);
  EXPECT_EQ(solve(16, 256, 1023), 896);
  EXPECT_EQ(solve(16, 256, 1270), 1024);
  // Rows that are taken eight at a time stay in eights, but for nearly two.
  EXPECT_EQ(solve(1, 8, 7), 7);
  EXPECT_EQ(solve(1, 8, 13), 8);
  EXPECT_EQ(solve(1, 8, 14), 14);
  EXPECT_EQ(solve(1, 8, 15), 15);
  EXPECT_EQ(solve(1, 8, 23), 16);
  EXPECT_EQ(solve(256, 256, 1000), 768);
}

}  // namespace
}  // namespace belay::testing::test_runner
