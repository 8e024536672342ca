// SPDX-License-Identifier: Apache-2.0
#include "crux/run/plan_call.h"

#include <algorithm>
#include <map>
#include <span>

#include "base/error.h"
#include "crux/ir/beside.h"
#include "crux/ir/solve.h"
#include "crux/run/flat_int.h"

namespace belay::crux::run {
namespace {

using ir::HostSource;
using ir::HostValue;

// Elements an array of the tiling data has.
constexpr uint64_t kArrayElements = 256;

class Planner {
 public:
  Planner(const code::Kernel& kernel, interpret::HostCall& call,
          const npu::ChipSpec& chip)
      : kernel_(kernel), tiles_(*kernel.tiles), call_(call), chip_(chip) {}

  CallPlan Run() {
    for (const ir::Assertion& one : tiles_.asserts) {
      if (one.line == 0) call_.Require(*one.condition, one.message);
      if (one.line > 0) {
        call_.RequireMeaning(*one.condition, one.code, one.message);
      }
    }
    for (size_t i = 0; i < tiles_.host.size(); ++i) {
      sources_[tiles_.host[i].name] = &tiles_.host[i];
      ReadValue(tiles_.host[i]);
    }
    ChoosePieces();
    for (const HostValue& value : tiles_.host) {
      if (value.source == HostSource::kFormula) {
        plan_.host.integers[value.name] = ValueOf(value.formula);
      }
    }
    plan_.ub_bytes = ValueOf(kernel_.ub_bytes);
    plan_.blocks = std::max<int64_t>(1, ValueOf(kernel_.block_dim));
    plan_.workspace_bytes = ValueOf(kernel_.workspace_bytes);
    plan_.tiling_bytes = TilingBytes();
    return std::move(plan_);
  }

 private:
  void ReadValue(const HostValue& value) {
    HostTable& host = plan_.host;
    switch (value.source) {
      case HostSource::kSize:
        host.integers[value.name] = call_.Size(value.name);
        break;
      case HostSource::kExpr:
        if (value.real) {
          host.reals[value.name] = call_.Real(*value.expr);
        } else {
          host.integers[value.name] = call_.Integer(*value.expr);
        }
        break;
      case HostSource::kPerItem:
        host.arrays[value.name] = call_.PerItem(*value.loop, *value.expr);
        break;
      case HostSource::kList:
        host.arrays[value.name] = call_.List(*value.expr);
        break;
      case HostSource::kLargest: {
        int64_t largest = 0;
        for (const int64_t element : host.arrays.at(value.formula.name())) {
          largest = std::max(largest, element);
        }
        host.integers[value.name] = largest;
        break;
      }
      case HostSource::kFormula:
      case HostSource::kChosen:
      case HostSource::kSlots:
        break;
    }
  }

  // What a name is worth by now; formulas and chosen pieces as they stand.
  int64_t Lookup(const std::string& name, int64_t index) {
    if (index >= 0) {
      return plan_.host.arrays.at(name).at(static_cast<size_t>(index));
    }
    if (name == "core_count") return chip_.vector_cores;
    if (name == "ub_size") return UbSize();
    if (name == "ub_used") return ValueOf(kernel_.ub_bytes);
    const auto source = sources_.find(name);
    if (source != sources_.end() &&
        source->second->source == HostSource::kFormula) {
      return ValueOf(
          formulas_.try_emplace(name, source->second->formula).first->second);
    }
    const auto found = plan_.host.integers.find(name);
    if (found != plan_.host.integers.end()) return found->second;
    throw InternalError("[crux run] no host integer '" + name + "'");
  }

  int64_t ValueOf(const ir::Int& expr) { return ValueOf(FlatInt(expr)); }
  int64_t ValueOf(const FlatInt& expr) {
    return expr.Evaluate(
        [&](const std::string& name, int64_t i) { return Lookup(name, i); });
  }

  int64_t UbSize() const {
    return static_cast<int64_t>(chip_.BytesOf(abi::Memory::kUb));
  }

  void ChoosePieces() {
    for (const ir::TileParameter& parameter : tiles_.parameters) {
      plan_.host.integers[parameter.name] = parameter.unit;
    }
    const std::vector<int> groups = ir::BesideEachOther(tiles_);
    std::vector<ir::PieceRequest> requests;
    for (const ir::TileParameter& parameter : tiles_.parameters) {
      ir::PieceRequest request;
      request.group = groups[requests.size()];
      request.shared = parameter.role != ir::TileParameter::Role::kPiece;
      request.extent = ValueOf(parameter.extent);
      request.unit = parameter.unit;
      request.grain = parameter.grain;
      request.most = ValueOf(parameter.most);
      requests.push_back(request);
    }
    plan_.ub_room = UbSize();
    const FlatInt ub_bytes(kernel_.ub_bytes);
    for (const code::HostSlots& slots : kernel_.slots) {
      plan_.host.integers[slots.name] = slots.most;
    }
    for (const code::HostSlots& slots : kernel_.slots) {
      if (ValueOf(ub_bytes) > plan_.ub_room) {
        plan_.host.integers[slots.name] = 1;
      }
    }
    const auto keep = [&](std::span<const int64_t> pieces) {
      for (size_t i = 0; i < pieces.size(); ++i) {
        plan_.host.integers[tiles_.parameters[i].name] = pieces[i];
      }
    };
    std::vector<int64_t> pieces;
    plan_.fits = ir::Solve(
        requests, chip_.vector_cores, plan_.ub_room,
        [&](std::span<const int64_t> tried) {
          keep(tried);
          return ValueOf(ub_bytes);
        },
        [&](size_t request, std::span<const int64_t> chosen) {
          keep(chosen);
          return ValueOf(tiles_.parameters[request].outer);
        },
        pieces);
    keep(pieces);
  }

  uint64_t TilingBytes() const {
    uint64_t bytes = 0;
    for (const std::string& field : kernel_.fields) {
      if (plan_.host.arrays.contains(field)) {
        bytes += kArrayElements * sizeof(int64_t);
      } else if (plan_.host.reals.contains(field)) {
        bytes += sizeof(float);
      } else {
        bytes += sizeof(int64_t);
      }
    }
    return (bytes + 7) / 8 * 8;
  }

  const code::Kernel& kernel_;
  const ir::Kernel& tiles_;
  interpret::HostCall& call_;
  const npu::ChipSpec& chip_;
  std::map<std::string, const HostValue*, std::less<>> sources_;
  std::map<std::string, FlatInt, std::less<>> formulas_;
  CallPlan plan_;
};

}  // namespace

CallPlan PlanCall(const code::Kernel& kernel, interpret::HostCall& call,
                  const npu::ChipSpec& chip) {
  return Planner(kernel, call, chip).Run();
}

}  // namespace belay::crux::run
