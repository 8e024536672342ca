// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>

#include "clock/bound.h"
#include "clock/cube_work.h"
#include "judge/performance.h"

namespace belay::judge {
namespace {

// Operators beside which a product of matrices need not be computed in full: a
// kernel may leave out what they drop.
bool MayDrop(const std::vector<EagerOperator>& operators) {
  static constexpr std::array<std::string_view, 12> kNames = {
      "aten::masked_fill", "aten::masked_fill_", "aten::where",
      "aten::_softmax",    "aten::softmax",      "aten::tril",
      "aten::triu",        "aten::index",        "aten::index_select",
      "aten::gather",      "aten::topk",         "aten::masked_select"};
  return std::ranges::any_of(operators, [](const EagerOperator& one) {
    return std::ranges::find(kNames, one.name) != kNames.end();
  });
}

// Steps of the cube at its fastest: singles may go through the faster, less
// exact way.
double CubeSteps(const EagerOperator& one, const clock::CubeDepths& depths) {
  uint64_t depth = depths.hf32;
  if (BitsOf(one.cube_dtype) == 16) depth = depths.half;
  if (BitsOf(one.cube_dtype) == 8) depth = depths.int8;
  if (BitsOf(one.cube_dtype) == 4) depth = depths.int4;
  return static_cast<double>(one.cube_flops) / 2 /
         (256.0 * static_cast<double>(depth));
}

uint64_t BytesOfShapes(const std::vector<Shape>& shapes, DType dtype) {
  uint64_t bytes = 0;
  for (const Shape& shape : shapes) {
    bytes += BytesOf(dtype, static_cast<size_t>(ElementCount(shape)));
  }
  return bytes;
}

}  // namespace

TaskBound BoundOf(const bench::Task& task, const bench::Case& one_case,
                  bench::ReferenceRunner& runner, Baselines& baselines,
                  const std::string& chip) {
  const TaskNeeds needs = baselines.NeedsOf(task, one_case, runner);
  clock::Work work;
  for (size_t i = 0; i < task.inputs.size(); ++i) {
    if (!needs.inputs[i]) continue;
    work.compulsory_read +=
        BytesOfShapes(bench::InputShapes(task.inputs[i], one_case),
                      bench::DTypeOf(task.inputs[i].dtype, one_case));
  }
  for (size_t i = 0; i < task.outputs.size(); ++i) {
    const bench::OutputSpec& output = task.outputs[i];
    if (!needs.outputs[i] || !bench::IsPresent(output, one_case)) continue;
    const auto shapes = bench::OutputShapes(output, one_case);
    if (!shapes) continue;
    work.written +=
        BytesOfShapes(*shapes, bench::DTypeOf(output.dtype, one_case));
  }
  const clock::ClockSpec spec = clock::LoadClockSpec(chip);
  const Baseline& baseline = baselines.Of(task, one_case, runner, chip);
  TaskBound bound;
  if (!MayDrop(baseline.operators)) {
    const clock::CubeDepths depths(spec);
    for (const EagerOperator& one : baseline.operators) {
      bound.cube_flops += one.cube_flops;
      work.cube_steps += CubeSteps(one, depths);
    }
  }
  const clock::Bound least = clock::BoundOf(work, spec);
  bound.total = least.total;
  bound.binding = least.binding();
  bound.bytes_read = work.compulsory_read;
  bound.bytes_written = work.written;
  return bound;
}

}  // namespace belay::judge
