// SPDX-License-Identifier: Apache-2.0
#include "crux/ir/code_rewrite.h"

namespace belay::crux::code {
namespace {

void Apply(const IntRewrite& rewrite, Int& integer) {
  if (!integer.is_constant()) rewrite(integer);
}

// The same object where nothing changes.
ScalarPtr Rewritten(const ScalarPtr& scalar, const IntRewrite& rewrite) {
  if (scalar == nullptr) return nullptr;
  if (scalar->args.empty() && scalar->integer.is_constant() &&
      scalar->local.offset.is_constant() &&
      scalar->global.offset.is_constant()) {
    return scalar;
  }
  Int integer = scalar->integer;
  Int local = scalar->local.offset;
  Int global = scalar->global.offset;
  for (Int* part : {&integer, &local, &global}) Apply(rewrite, *part);
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

void RewriteScalar(ScalarPtr& scalar, const IntRewrite& rewrite) {
  if (scalar != nullptr) scalar = Rewritten(scalar, rewrite);
}

void RewriteArg(Arg& arg, const IntRewrite& rewrite) {
  if (auto* local = std::get_if<Local>(&arg)) {
    Apply(rewrite, local->offset);
  } else if (auto* global = std::get_if<GlobalPart>(&arg)) {
    Apply(rewrite, global->offset);
  } else if (auto* integer = std::get_if<Int>(&arg)) {
    Apply(rewrite, *integer);
  } else if (auto* scalar = std::get_if<ScalarPtr>(&arg)) {
    RewriteScalar(*scalar, rewrite);
  } else if (auto* fields = std::get_if<Struct>(&arg)) {
    for (Int& field : fields->fields) Apply(rewrite, field);
    RewriteScalar(fields->padding, rewrite);
  }
}

}  // namespace

void RewriteInts(Block& block, const IntRewrite& rewrite) {
  for (const auto& stmt : block) {
    for (Int* part : {&stmt->value, &stmt->high, &stmt->step,
                      &stmt->target.offset, &stmt->global.offset}) {
      Apply(rewrite, *part);
    }
    RewriteScalar(stmt->scalar, rewrite);
    for (Arg& arg : stmt->args) RewriteArg(arg, rewrite);
    for (Int& argument : stmt->arguments) Apply(rewrite, argument);
    RewriteInts(stmt->body, rewrite);
    RewriteInts(stmt->otherwise, rewrite);
  }
}

void RewriteInts(Kernel& kernel, const IntRewrite& rewrite) {
  for (Function& function : kernel.functions) {
    RewriteInts(function.body, rewrite);
  }
  for (Queue& queue : kernel.queues) {
    Apply(rewrite, queue.slots);
    Apply(rewrite, queue.bytes);
  }
  for (Buffer& buffer : kernel.buffers) Apply(rewrite, buffer.bytes);
  for (Global& global : kernel.globals) {
    Apply(rewrite, global.elements);
    Apply(rewrite, global.workspace);
    Apply(rewrite, global.past_l2);
  }
  Apply(rewrite, kernel.ub_bytes);
  Apply(rewrite, kernel.block_dim);
  Apply(rewrite, kernel.workspace_bytes);
}

}  // namespace belay::crux::code
