// SPDX-License-Identifier: Apache-2.0
#include "crux/run/frame.h"

#include "base/error.h"

namespace belay::crux::run {
namespace {

template <typename Map>
const auto& Require(const Map& values, const std::string& name) {
  const auto found = values.find(name);
  if (found == values.end()) {
    throw InternalError("[crux run] no host value '" + name + "'");
  }
  return found->second;
}

}  // namespace

Frame::Frame(const Program& program, const HostTable& host)
    : program(program),
      values(static_cast<size_t>(program.value_slots)),
      locals(static_cast<size_t>(program.local_slots)),
      globals(program.globals.size()) {
  for (const auto& [name, slot] : program.integers) {
    values[static_cast<size_t>(slot)] = Require(host.integers, name);
  }
  for (const auto& [name, slot] : program.reals) {
    values[static_cast<size_t>(slot)] =
        BitsOfReal(static_cast<float>(Require(host.reals, name)));
  }
  for (const std::string& name : program.arrays) {
    arrays.push_back(&Require(host.arrays, name));
  }
}

LocalView At(const Frame& frame, const TensorRef& tensor) {
  const LocalView& view = frame.locals[static_cast<size_t>(tensor.slot)];
  const int64_t offset = EvaluateInt(frame, tensor.offset);
  return view.From(static_cast<uint64_t>(offset) * BytesOf(tensor.dtype));
}

GlobalView GlobalAt(const Frame& frame, const TensorRef& tensor) {
  const GlobalView& view = frame.globals[static_cast<size_t>(tensor.slot)];
  const int64_t offset = EvaluateInt(frame, tensor.offset);
  return view.From(static_cast<uint64_t>(offset) * BytesOf(tensor.dtype));
}

}  // namespace belay::crux::run
