// SPDX-License-Identifier: Apache-2.0
#include "judge/operator_message.h"

#include <nlohmann/json.hpp>
#include <string>

#include "npu/repeated_pages.h"
#include "runtime/operators/json.h"

namespace belay::judge {
namespace {

using nlohmann::json;

constexpr size_t kPieceAlignment = 64;

size_t AlignPiece(size_t bytes, size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

size_t TensorBytes(const guest::KernelTensor& tensor) {
  return BytesOf(tensor.dtype, static_cast<size_t>(ElementCount(tensor.shape)));
}

guest::KernelArgument ArgumentFromJson(const json& from, std::byte* memory) {
  guest::KernelArgument argument;
  from.at("label").get_to(argument.label);
  from.at("list").get_to(argument.is_list);
  from.at("read_only").get_to(argument.read_only);
  argument.fill = runtime::BytesFromHex(from.at("fill").get<std::string>());
  if (from.contains("same_as")) {
    argument.same_as = from.at("same_as").get<size_t>();
  }
  for (const json& one : from.at("tensors")) {
    guest::KernelTensor tensor;
    tensor.dtype = runtime::DTypeFromText(one.at("dtype").get<std::string>());
    one.at("shape").get_to(tensor.shape);
    if (one.contains("contents")) {
      tensor.contents = memory + one.at("contents").get<size_t>();
    }
    if (one.contains("result")) tensor.result = one.at("result").get<size_t>();
    if (one.contains("pattern")) {
      const json& place = one.at("pattern");
      tensor.pattern = {memory + place.at(0).get<size_t>(),
                        place.at(1).get<size_t>()};
    }
    if (one.contains("windows")) {
      for (const json& window : one.at("windows")) {
        tensor.windows.push_back({window.at(0).get<uint64_t>(),
                                  window.at(1).get<uint64_t>(),
                                  window.at(2).get<size_t>()});
      }
    }
    argument.tensors.push_back(std::move(tensor));
  }
  return argument;
}

}  // namespace

json ToJson(const toolchain::CompileOptions& options) {
  return {{"sources", options.sources},
          {"include_dirs", options.include_dirs},
          {"defines", options.defines},
          {"headers", options.headers},
          {"precompiled_header", options.precompiled_header},
          {"cube_precompiled_header", options.cube_precompiled_header},
          {"prelude", options.prelude},
          {"output", options.output},
          {"host_only", options.host_only},
          {"untrusted", options.untrusted}};
}

toolchain::CompileOptions CompileOptionsFromJson(const json& from) {
  toolchain::CompileOptions options;
  from.at("sources").get_to(options.sources);
  from.at("include_dirs").get_to(options.include_dirs);
  from.at("defines").get_to(options.defines);
  from.at("headers").get_to(options.headers);
  from.at("precompiled_header").get_to(options.precompiled_header);
  from.at("cube_precompiled_header").get_to(options.cube_precompiled_header);
  from.at("prelude").get_to(options.prelude);
  from.at("output").get_to(options.output);
  from.at("host_only").get_to(options.host_only);
  from.at("untrusted").get_to(options.untrusted);
  return options;
}

SharedLaunch::SharedLaunch(const guest::KernelRun& run, size_t result_bytes)
    : run_(run) {
  for (const guest::KernelArgument& argument : run.arguments) {
    for (const guest::KernelTensor& tensor : argument.tensors) {
      if (tensor.contents != nullptr) {
        AddPiece({tensor.contents, TensorBytes(tensor)}, kPieceAlignment);
      } else if (!tensor.pattern.empty()) {
        AddPiece(tensor.pattern, npu::kRepeatedPageBytes);
      }
    }
  }
  bytes_ = results_at_ + result_bytes;
}

void SharedLaunch::AddPiece(std::span<const std::byte> contents,
                            size_t alignment) {
  const size_t offset = AlignPiece(results_at_, alignment);
  pieces_.push_back({offset, contents});
  results_at_ = AlignPiece(offset + contents.size(), kPieceAlignment);
}

json SharedLaunch::ToJson() const {
  json arguments = json::array();
  size_t piece = 0;
  for (const guest::KernelArgument& argument : run_.arguments) {
    json tensors = json::array();
    for (const guest::KernelTensor& tensor : argument.tensors) {
      json one = {{"dtype", runtime::DTypeToText(tensor.dtype)},
                  {"shape", tensor.shape}};
      if (tensor.contents != nullptr) {
        one["contents"] = pieces_[piece++].offset;
      } else if (!tensor.pattern.empty()) {
        one["pattern"] = {pieces_[piece++].offset, tensor.pattern.size()};
      }
      for (const guest::KernelTensor::Window& window : tensor.windows) {
        one["windows"].push_back({window.begin, window.end, window.result});
      }
      if (tensor.result) one["result"] = *tensor.result;
      tensors.push_back(std::move(one));
    }
    json one = {{"label", argument.label},
                {"list", argument.is_list},
                {"read_only", argument.read_only},
                {"fill", runtime::HexOf(argument.fill)},
                {"tensors", std::move(tensors)}};
    if (argument.same_as) one["same_as"] = *argument.same_as;
    arguments.push_back(std::move(one));
  }
  return {{"module", run_.module},
          {"source", run_.source},
          {"kernel", run_.kernel},
          {"arguments", std::move(arguments)},
          {"workspace_bytes", run_.workspace_bytes},
          {"tiling",
           runtime::HexOf(run_.tiling.value_or(std::vector<std::byte>{}))},
          {"tiling_key", run_.tiling_key},
          {"blocks", run_.blocks},
          {"chip", run_.device.chip},
          {"only_blocks", run_.device.only_blocks},
          {"results_at", results_at_}};
}

guest::KernelRun RunFromJson(const json& from, std::byte* memory) {
  guest::KernelRun run;
  from.at("module").get_to(run.module);
  from.at("source").get_to(run.source);
  from.at("kernel").get_to(run.kernel);
  for (const json& argument : from.at("arguments")) {
    run.arguments.push_back(ArgumentFromJson(argument, memory));
  }
  from.at("workspace_bytes").get_to(run.workspace_bytes);
  run.tiling = runtime::BytesFromHex(from.at("tiling").get<std::string>());
  from.at("tiling_key").get_to(run.tiling_key);
  from.at("blocks").get_to(run.blocks);
  from.at("chip").get_to(run.device.chip);
  from.at("only_blocks").get_to(run.device.only_blocks);
  run.results = memory + from.at("results_at").get<size_t>();
  return run;
}

}  // namespace belay::judge
