// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_TILING_TEMPLATES_REGISTRY_H_
#define BELAY_TILING_TILING_TEMPLATES_REGISTRY_H_

// REGISTER_TILING_TEMPLATE: several tiling classes of one operator, tried in
// the order of their priorities (the lowest number first).

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tiling/tiling_base.h"

namespace optiling {

class TilingRegistry {
 public:
  using Maker = std::unique_ptr<TilingBaseClass> (*)(gert::TilingContext*);

  static TilingRegistry& GetInstance() {
    static TilingRegistry registry;
    return registry;
  }

  void Register(const char* type, int32_t priority, Maker make) {
    makers_[type][priority] = make;
  }

  // Runs the first class that is for this call.
  ge::graphStatus DoTilingImpl(gert::TilingContext* context) {
    for (const auto& [priority, make] : makers_[context->GetNodeType()]) {
      const ge::graphStatus status = make(context)->DoTiling();
      if (status != ge::GRAPH_PARAM_INVALID) return status;
    }
    OP_LOGE(context, "no registered tiling template is for this call");
    return ge::GRAPH_FAILED;
  }
  // As above, among the classes of these priorities, in this order.
  ge::graphStatus DoTilingImpl(gert::TilingContext* context,
                               const std::vector<int32_t>& priorities) {
    const std::map<int32_t, Maker>& known = makers_[context->GetNodeType()];
    for (const int32_t priority : priorities) {
      const auto found = known.find(priority);
      if (found == known.end()) continue;
      const ge::graphStatus status = found->second(context)->DoTiling();
      if (status != ge::GRAPH_PARAM_INVALID) return status;
    }
    OP_LOGE(context, "no registered tiling template is for this call");
    return ge::GRAPH_FAILED;
  }

 private:
  std::map<std::string, std::map<int32_t, Maker>> makers_;
};

template <typename Class>
bool RegisterTilingTemplate(const char* type, int32_t priority) {
  TilingRegistry::GetInstance().Register(
      type, priority,
      [](gert::TilingContext* context) -> std::unique_ptr<TilingBaseClass> {
        return std::make_unique<Class>(context);
      });
  return true;
}

}  // namespace optiling

// The operator's type may come with or without quotes.
#define BELAY_TEMPLATE_NAME(type)                                    \
  (#type[0] == '"' ? std::string(#type).substr(1, sizeof(#type) - 3) \
                   : std::string(#type))
#define REGISTER_TILING_TEMPLATE(type, class_name, priority)                 \
  [[maybe_unused]] static const bool belay_template_##class_name##priority = \
      optiling::RegisterTilingTemplate<class_name>(                          \
          BELAY_TEMPLATE_NAME(type).c_str(), priority)

#endif  // BELAY_TILING_TILING_TEMPLATES_REGISTRY_H_
