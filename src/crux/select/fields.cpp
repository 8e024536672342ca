// SPDX-License-Identifier: Apache-2.0
#include "crux/select/fields.h"

#include <utility>

#include "crux/ir/visit_names.h"
#include "crux/select/memory.h"

namespace belay::crux::select {

void AddGlobals(const ir::Kernel& kernel, code::Kernel& out) {
  for (const ir::Tensor& tensor : kernel.tensors) {
    code::Global global;
    global.name = GlobalName(tensor);
    global.dtype = GlobalDtype(tensor.dtype);
    global.tensor = tensor.id;
    global.list = tensor.list;
    global.elements = tensor.elements;
    if (tensor.parameter == nullptr) {
      const ir::Int bytes = AlignUp(
          tensor.elements * static_cast<int64_t>(BytesOf(global.dtype)), 512);
      global.workspace = out.workspace_bytes;
      out.workspace_bytes = out.workspace_bytes + bytes;
    }
    out.globals.push_back(std::move(global));
  }
}

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
