// SPDX-License-Identifier: Apache-2.0
// Crux candidates in their caged process: calls, times, limits, and what comes
// back from a process that lies.

#include <gtest/gtest.h>

#include "bench/reference_runner.h"
#include "judge/session.h"
#include "judge/tensor_message.h"
#include "judging.h"

namespace belay::testing {
namespace {

using judge::CallEnd;
using judge::Session;

const char kDouble[] = R"(T = dtype(f16, bf16, f32)


@kernel
def double(x: T[*S], y: out(T[*S])):
    for c in cores(x.size, tile=auto):
        store(y.flat[c], load(x.flat[c]) + load(x.flat[c]))
)";

// A session on the task Sqrt, whose cases have one input and one output.
class CruxSessions : public ::testing::Test {
 protected:
  CruxSessions() : task_(TaskOf("level1/Math/Sqrt")) {
    TheBroker();
    cases_ = bench::ExpandCases(task_);
  }

  std::unique_ptr<Session> Open(const judge::Candidate& candidate,
                                judge::SessionOptions options = {}) {
    return OpenSession(task_, candidate, options, TheBroker());
  }
  const bench::Case& CaseOf(const std::string& name) const {
    for (const bench::Case& one : cases_) {
      if (one.name == name) return one;
    }
    throw std::out_of_range(name);
  }
  judge::CallReport Run(Session& session, const std::string& name) {
    return session.Run(CaseOf(name), bench::DrawInputs(task_, CaseOf(name)),
                       {});
  }

  const bench::Task& task_;
  std::vector<bench::Case> cases_;
};

TEST_F(CruxSessions, GiveOutputsInTheOrderOfTheSignature) {
  const judge::Candidate candidate = CruxCandidate(kDouble);
  const auto session = Open(candidate);
  std::vector<const bench::Case*> all;
  for (const bench::Case& one : cases_) all.push_back(&one);
  const judge::CompileReport compiled = session->Compile(all);
  EXPECT_TRUE(compiled.ok) << compiled.trouble;
  for (const bench::Case& one : cases_) {
    if (bench::ElementsOf(task_, one) > 10000) continue;
    const bench::Arguments inputs = bench::DrawInputs(task_, one);
    const judge::CallReport report = session->Run(one, inputs, {});
    ASSERT_EQ(report.end, CallEnd::kFinished) << one.name << report.trouble;
    EXPECT_TRUE(report.diagnostics.empty()) << one.name;
    ASSERT_EQ(report.outputs.size(), 1u);
    EXPECT_EQ(report.outputs[0].name, "y");
    ASSERT_EQ(report.outputs[0].tensors.size(), 1u);
    const Array& y = report.outputs[0].tensors[0];
    EXPECT_EQ(y.dtype, inputs[0].tensors[0].dtype);
    EXPECT_EQ(y.shape, inputs[0].tensors[0].shape);
    EXPECT_EQ(y.data.size(), inputs[0].tensors[0].data.size());
  }
}

TEST_F(CruxSessions, GiveLaunchesForTheClock) {
  const judge::Candidate candidate = CruxCandidate(kDouble);
  const auto session = Open(candidate);
  const bench::Case& one = CaseOf("real-0");
  bench::Arguments inputs = bench::DrawInputs(task_, one);
  const judge::TimeReport values = session->Time(one, inputs);
  ASSERT_EQ(values.end, CallEnd::kFinished) << values.trouble;
  inputs[0].tensors[0].data.clear();
  const judge::TimeReport shapes = session->Time(one, inputs);
  ASSERT_EQ(shapes.end, CallEnd::kFinished) << shapes.trouble;
  ASSERT_EQ(shapes.launches.size(), 1u);
  const clock::LaunchLog& log = shapes.launches[0];
  EXPECT_EQ(log.kernel, "double");
  EXPECT_TRUE(log.timing_only);
  EXPECT_FALSE(values.launches.at(0).timing_only);
  EXPECT_FALSE(log.logs.empty());
  bool placed = false;
  for (const auto& [place, location] : log.places) {
    placed |= location.file == "candidate.crux" && location.line == 7;
  }
  EXPECT_TRUE(placed);
}

TEST_F(CruxSessions, GoOnAfterACallThatTookTooLong) {
  std::string text = kDouble;
  text.replace(text.find("    for c"), 0,
               "    n = 1000000000 if x.size == 257 else 1\n");
  text.replace(text.find("        store("), 0,
               "        t = load(x.flat[c])\n"
               "        for i in range(n):\n"
               "            t = t + t\n"
               "        store(y.flat[c], t)\n");
  const judge::Candidate slow = CruxCandidate(text);
  judge::SessionOptions options;
  options.limits.run_seconds = 0.1;
  const auto session = Open(slow, options);
  std::string name_of_257;
  for (const bench::Case& one : cases_) {
    if (one.sizes == bench::Value{{"S", {257}}}) name_of_257 = one.name;
  }
  ASSERT_FALSE(name_of_257.empty());
  const judge::CallReport late = Run(*session, name_of_257);
  EXPECT_EQ(late.end, CallEnd::kFault);
  ASSERT_EQ(late.diagnostics.size(), 1u);
  EXPECT_EQ(late.diagnostics[0].code, "BLY-J101");
  EXPECT_EQ(Run(*session, "edge-1").end, CallEnd::kFinished);
  const judge::Candidate other = CruxCandidate(kDouble);
  EXPECT_EQ(Run(*Open(other), name_of_257).end, CallEnd::kFinished);
}

TEST_F(CruxSessions, NameTheParameterThatDoesNotFit) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"y: out(T[*S])", "z: out(T[*S])"},
      {"x: T[*S], y", "x: T[*S], w: T[*S], y"},
      {"x: T[*S], y: out(T[*S])", "x: inout(T[*S]), y: out(T[*S])"},
      {"out(T[*S])):", "out(T[*S]), eps: float):"},
      {"x: T[*S], y", "x: list(T[*S]), y"},
  };
  for (const auto& [from, to] : mistakes) {
    std::string text = kDouble;
    text.replace(text.find(from), std::string_view(from).size(), to);
    if (text.find("z: out") != std::string::npos) {
      text.replace(text.find("store(y"), 7, "store(z");
    }
    if (text.find("x: list") != std::string::npos) {
      text =
          "T = dtype(f16, bf16, f32)\n\n\n@kernel\n"
          "def double(x: list(T[*S]), y: out(list(T[*S]))):\n"
          "    for i in each(x):\n"
          "        for c in cores(x[i].size, tile=auto):\n"
          "            store(y[i].flat[c], load(x[i].flat[c]))\n";
    }
    const judge::Candidate candidate = CruxCandidate(text);
    const auto session = Open(candidate);
    EXPECT_TRUE(session->Compile({&CaseOf("edge-1")}).ok) << to;
    const judge::CallReport report = Run(*session, "edge-1");
    EXPECT_EQ(report.end, CallEnd::kRefused) << to;
    ASSERT_EQ(report.diagnostics.size(), 1u) << to;
    EXPECT_EQ(report.diagnostics[0].code, "BLY-J105") << to;
    EXPECT_TRUE(report.diagnostics[0].location.known()) << to;
  }
}

TEST_F(CruxSessions, RefuseProgramsWithoutOneKernel) {
  for (const char* text : {"T = dtype(f16, f32)\n", "no program"}) {
    const judge::Candidate candidate = CruxCandidate(text);
    const judge::CompileReport report =
        Open(candidate)->Compile({&CaseOf("edge-1")});
    EXPECT_EQ(report.end, CallEnd::kNotCompiled);
    EXPECT_FALSE(report.diagnostics.empty());
  }
  const judge::Candidate unknown = CruxCandidate(kDouble, "half");
  EXPECT_EQ(Open(unknown)->Compile({&CaseOf("edge-1")}).end,
            CallEnd::kNotCompiled);
}

TEST(TensorMessages, KeepWhatTheyCarry) {
  bench::Arguments tensors(3);
  tensors[0].name = "x";
  tensors[0].tensors = {{DType::kFloat, {2, 2}, std::vector<std::byte>(16)}};
  tensors[1].name = "absent";
  tensors[1].present = false;
  tensors[2].name = "shapes";
  tensors[2].list = true;
  tensors[2].tensors = {{DType::kHalf, {1 << 20, 1 << 12}, {}},
                        {DType::kInt8, {0, 5}, {}}};
  std::vector<std::byte> bytes;
  const nlohmann::json json = judge::PackTensors(tensors, bytes);
  const bench::Arguments back = judge::UnpackTensors(json, bytes);
  ASSERT_EQ(back.size(), 3u);
  EXPECT_EQ(back[0].tensors[0].data, tensors[0].tensors[0].data);
  EXPECT_FALSE(back[1].present);
  EXPECT_TRUE(back[2].list);
  EXPECT_EQ(back[2].tensors[0].shape, tensors[2].tensors[0].shape);
  EXPECT_TRUE(back[2].tensors[0].data.empty());
}

TEST(TensorMessages, ThatMakeNoSenseAreRefused) {
  const std::vector<std::byte> bytes(8);
  const auto one = [](const char* dtype, nlohmann::json shape) {
    return nlohmann::json::array({{{"name", "x"},
                                   {"present", true},
                                   {"list", false},
                                   {"tensors",
                                    {{{"dtype", dtype},
                                      {"shape", std::move(shape)},
                                      {"data", true}}}}}});
  };
  EXPECT_NO_THROW(judge::UnpackTensors(one("f32", {2}), bytes));
  const nlohmann::json wrong[] = {
      one("f32", {3}),                    // more than there is
      one("f32", {1}),                    // bytes are left
      one("f99", {2}),                    //
      one("f32", {-2}),                   //
      one("f32", {int64_t{1} << 62, 4}),  // overflows
      one("f32", "2"),                    //
      one("i4", {15}),                    // half a byte
      nlohmann::json::object(),           //
      nlohmann::json::array({1}),         //
      nlohmann::json::array({{{"name", "x"}}}),
  };
  for (const nlohmann::json& json : wrong) {
    EXPECT_THROW(judge::UnpackTensors(json, bytes), judge::MessageError)
        << json.dump();
  }
}

}  // namespace
}  // namespace belay::testing
