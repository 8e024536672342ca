// SPDX-License-Identifier: Apache-2.0
#include "judge/smaller_case.h"

#include <fmt/format.h>

#include <algorithm>

namespace belay::judge {
namespace {

void CollectSizes(const bench::Value& value, const std::string& pointer,
                  std::vector<SizePlace>& places) {
  if (value.is_number_integer()) {
    places.push_back({pointer, value.get<int64_t>()});
    return;
  }
  for (const auto& [key, item] : value.items()) {
    CollectSizes(item, fmt::format("{}/{}", pointer, key), places);
  }
}

}  // namespace

std::vector<SizePlace> SizesOf(const bench::Case& one_case) {
  std::vector<SizePlace> places;
  CollectSizes(one_case.sizes, "", places);
  std::ranges::stable_sort(places, std::greater<>(), &SizePlace::size);
  return places;
}

bench::Case WithSize(const bench::Task& task, const bench::Case& one_case,
                     const SizePlace& place, int64_t size) {
  bench::Case made = one_case;
  made.sizes[bench::Value::json_pointer(place.pointer)] = size;
  for (const bench::AttributeSpec& attribute : task.attributes) {
    if (attribute.value.empty()) continue;
    bench::Value value = attribute.value.Evaluate(bench::EnvironmentOf(made));
    if (attribute.type == bench::AttributeType::kFloat) {
      value = value.get<double>();
    } else if (attribute.type == bench::AttributeType::kFloatList) {
      value = value.get<std::vector<double>>();
    }
    made.attributes[attribute.name] = std::move(value);
  }
  bench::ElementsOf(task, made);
  return made;
}

}  // namespace belay::judge
