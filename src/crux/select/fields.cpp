// SPDX-License-Identifier: Apache-2.0
#include "crux/select/fields.h"

#include "crux/ir/visit_names.h"

namespace belay::crux::select {

std::vector<std::string> FieldsOf(const ir::Kernel& kernel,
                                  const code::Kernel& out) {
  ir::NameSet names;
  code::NameVisitor visitor([&](const std::string& name, uint64_t hash) {
    names.insert(name, hash);
  });
  for (const code::Function& function : out.functions) {
    visitor.All(function.body);
  }
  for (const code::Queue& queue : out.queues) CollectNames(queue.bytes, names);
  for (const code::Buffer& buffer : out.buffers) {
    CollectNames(buffer.bytes, names);
  }
  for (const code::Global& global : out.globals) {
    CollectNames(global.elements, names);
    CollectNames(global.workspace, names);
  }
  std::vector<std::string> fields;
  for (const ir::HostValue& value : kernel.host) {
    if (names.contains(value.name)) fields.push_back(value.name);
  }
  return fields;
}

}  // namespace belay::crux::select
