// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/attributes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue.h"
#include "base/error.h"

namespace belay::runtime {
namespace {

// The alternatives of AttributeValue behind the monostate are in the order of
// Attribute::Type.
bool HasType(const AttributeValue& value, Attribute::Type type) {
  return value.index() == static_cast<size_t>(type) + 1;
}

Diagnostic DoesNotFit(std::string message, std::string fix) {
  Diagnostic diagnostic;
  diagnostic.code = code::kU105;
  diagnostic.message = std::move(message);
  diagnostic.fix = std::move(fix);
  return diagnostic;
}

}  // namespace

std::vector<AttributeValue> CompleteAttributes(
    const OperatorSignature& signature,
    const std::vector<AttributeValue>& given, std::vector<Diagnostic>& errors) {
  if (given.size() > signature.attributes.size()) {
    throw InternalError(
        fmt::format("[{}] called with {} attributes, but it has {}",
                    signature.type, given.size(), signature.attributes.size()));
  }
  std::vector<AttributeValue> values;
  for (size_t i = 0; i < signature.attributes.size(); ++i) {
    const Attribute& attribute = signature.attributes[i];
    const bool is_given =
        i < given.size() && !std::holds_alternative<std::monostate>(given[i]);
    if (is_given && !HasType(given[i], attribute.type)) {
      errors.push_back(DoesNotFit(
          fmt::format(
              "[{}] attribute '{}' is of type {}, but was given a {}",
              signature.type, attribute.name, NameOf(attribute.type),
              NameOf(static_cast<Attribute::Type>(given[i].index() - 1))),
          ""));
    }
    if (!is_given && attribute.required) {
      errors.push_back(DoesNotFit(
          fmt::format("[{}] attribute '{}' is required, but has no value",
                      signature.type, attribute.name),
          fmt::format("give one with --attr {}=…", attribute.name)));
    }
    values.push_back(is_given ? given[i] : attribute.default_value);
  }
  return values;
}

AttributeStorage::AttributeStorage(const std::vector<AttributeValue>& values)
    : values_(values) {
  struct Store {
    AttributeStorage& storage;
    const void* operator()(const std::monostate&) { return nullptr; }
    const void* operator()(const bool& value) { return &value; }
    const void* operator()(const int64_t& value) { return &value; }
    const void* operator()(const float& value) { return &value; }
    const void* operator()(const std::string& value) { return value.c_str(); }
    const void* operator()(const std::vector<bool>& list) {
      return storage.StoreList(list);
    }
    const void* operator()(const std::vector<int64_t>& list) {
      return storage.StoreList(list);
    }
    const void* operator()(const std::vector<float>& list) {
      return storage.StoreList(list);
    }
    const void* operator()(const std::vector<std::vector<int64_t>>& lists) {
      return storage.StoreLists(lists);
    }
  };
  for (const AttributeValue& value : values_) {
    pointers_.push_back(std::visit(Store{*this}, value));
  }
  attributes_ =
      std::make_unique<gert::RuntimeAttrs>(pointers_.data(), pointers_.size());
}

template <typename T>
const gert::ContinuousVector* AttributeStorage::StoreList(
    const std::vector<T>& values) {
  lists_.push_back(gert::ContinuousVector::Create<T>(values.size()));
  auto* list = reinterpret_cast<gert::ContinuousVector*>(lists_.back().get());
  list->SetSize(values.size());
  std::copy(values.begin(), values.end(), static_cast<T*>(list->MutableData()));
  return list;
}

const void* AttributeStorage::StoreLists(
    const std::vector<std::vector<int64_t>>& lists) {
  auto pointers =
      std::make_unique<std::vector<const gert::ContinuousVector*>>();
  for (const std::vector<int64_t>& list : lists) {
    pointers->push_back(StoreList(list));
  }
  nested_.push_back(std::make_unique<gert::ContinuousVectorVector>(
      pointers->data(), pointers->size()));
  lists_of_lists_.push_back(std::move(pointers));
  return nested_.back().get();
}

}  // namespace belay::runtime
