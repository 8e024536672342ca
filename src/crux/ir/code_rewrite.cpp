// SPDX-License-Identifier: Apache-2.0
#include "crux/ir/code_rewrite.h"

namespace belay::crux::code {
namespace {

// The same object where nothing changes.
ScalarPtr Rewritten(const ScalarPtr& scalar, const IntRewrite& rewrite) {
  if (scalar == nullptr) return nullptr;
  const Int integer = rewrite(scalar->integer);
  const Int local = rewrite(scalar->local.offset);
  const Int global = rewrite(scalar->global.offset);
  std::vector<ScalarPtr> args;
  for (const ScalarPtr& arg : scalar->args) {
    args.push_back(Rewritten(arg, rewrite));
  }
  if (integer.IsIdentical(scalar->integer) &&
      local.IsIdentical(scalar->local.offset) &&
      global.IsIdentical(scalar->global.offset) && args == scalar->args) {
    return scalar;
  }
  auto copy = std::make_shared<Scalar>(*scalar);
  copy->integer = integer;
  copy->local.offset = local;
  copy->global.offset = global;
  copy->args = std::move(args);
  return copy;
}

void RewriteArg(Arg& arg, const IntRewrite& rewrite) {
  if (auto* local = std::get_if<Local>(&arg)) {
    local->offset = rewrite(local->offset);
  } else if (auto* global = std::get_if<GlobalPart>(&arg)) {
    global->offset = rewrite(global->offset);
  } else if (auto* integer = std::get_if<Int>(&arg)) {
    *integer = rewrite(*integer);
  } else if (auto* scalar = std::get_if<ScalarPtr>(&arg)) {
    *scalar = Rewritten(*scalar, rewrite);
  } else if (auto* fields = std::get_if<Struct>(&arg)) {
    for (Int& field : fields->fields) field = rewrite(field);
    fields->padding = Rewritten(fields->padding, rewrite);
  }
}

}  // namespace

void RewriteInts(Block& block, const IntRewrite& rewrite) {
  for (const auto& stmt : block) {
    for (Int* part : {&stmt->value, &stmt->high, &stmt->step,
                      &stmt->target.offset, &stmt->global.offset}) {
      *part = rewrite(*part);
    }
    stmt->scalar = Rewritten(stmt->scalar, rewrite);
    for (Arg& arg : stmt->args) RewriteArg(arg, rewrite);
    for (Int& argument : stmt->arguments) argument = rewrite(argument);
    RewriteInts(stmt->body, rewrite);
    RewriteInts(stmt->otherwise, rewrite);
  }
}

void RewriteInts(Kernel& kernel, const IntRewrite& rewrite) {
  for (Function& function : kernel.functions) {
    RewriteInts(function.body, rewrite);
  }
  for (Queue& queue : kernel.queues) queue.bytes = rewrite(queue.bytes);
  for (Buffer& buffer : kernel.buffers) buffer.bytes = rewrite(buffer.bytes);
  for (Global& global : kernel.globals) {
    global.elements = rewrite(global.elements);
    global.workspace = rewrite(global.workspace);
    global.past_l2 = rewrite(global.past_l2);
  }
  kernel.ub_bytes = rewrite(kernel.ub_bytes);
  kernel.block_dim = rewrite(kernel.block_dim);
  kernel.workspace_bytes = rewrite(kernel.workspace_bytes);
}

}  // namespace belay::crux::code
