#include "plugins/testing/fake_config.h"

#include <algorithm>
#include <stdexcept>

#include "berth/sdk/text.hpp"

namespace berth::plugins::testing {
namespace {

template <class T>
uint32_t give(const std::optional<T>& found, T* out) {
  if (found) *out = *found;
  return found ? 1 : 0;
}

}  // namespace

FakeConfig::FakeConfig(std::string_view json) {
  Diagnostics diagnostics;
  document_ = document::Document::parse(json, "arguments", diagnostics);
  if (diagnostics.count() != 0 || document_.roots().size() != 1)
    throw std::invalid_argument("the test's arguments are not JSON");
  add(document_.roots()[0]);
  config_.size = sizeof(config_);
  config_.context = this;
  offer_values();
  config_.length = [](const berth_config* c, uint32_t node) {
    const document::Value value = at(c, node);
    return value.is(document::Kind::kArray) ? static_cast<uint32_t>(value.size()) : 0u;
  };
  config_.element = [](const berth_config* c, uint32_t node, uint32_t i) {
    auto element = at(c, node).elements().begin();
    for (; i != 0; --i) ++element;
    return of(c).add(*element);
  };
  config_.member = [](const berth_config* c, uint32_t node, berth_string name) {
    return of(c).member(node, sdk::to_view(name));
  };
  config_.accept = [](const berth_config* c, uint32_t node) {
    of(c).nodes_.at(node).accepted = true;
  };
  config_.error = [](const berth_config* c, uint32_t node, berth_string below, berth_string text) {
    std::string path = sdk::concat(at(c, node).path(), sdk::to_view(below));
    if (path.starts_with('.')) path.erase(0, 1);
    of(c).errors_.push_back(sdk::concat(path, ": ", sdk::to_view(text)));
  };
}

void FakeConfig::offer_values() {
  using document::Kind;
  config_.kind = [](const berth_config* c, uint32_t node) -> uint32_t {
    switch (at(c, node).kind()) {
      case Kind::kNull:
        return BERTH_CONFIG_NULL;
      case Kind::kBoolean:
        return BERTH_CONFIG_BOOL;
      case Kind::kNumber:
        return BERTH_CONFIG_NUMBER;
      case Kind::kString:
        return BERTH_CONFIG_STRING;
      case Kind::kArray:
        return BERTH_CONFIG_ARRAY;
      case Kind::kObject:
        return BERTH_CONFIG_OBJECT;
    }
    return BERTH_CONFIG_NULL;
  };
  config_.boolean = [](const berth_config* c, uint32_t node, uint8_t* out) {
    if (!at(c, node).is(Kind::kBoolean)) return 0u;
    *out = at(c, node).as_bool() ? 1 : 0;
    return 1u;
  };
  config_.integer = [](const berth_config* c, uint32_t node, int64_t* out) {
    return give(at(c, node).as_int64(), out);
  };
  config_.number = [](const berth_config* c, uint32_t node, double* out) {
    return give(at(c, node).as_double(), out);
  };
  config_.string = [](const berth_config* c, uint32_t node, berth_string* out) {
    if (!at(c, node).is(Kind::kString)) return 0u;
    *out = sdk::to_abi(at(c, node).as_string());
    return 1u;
  };
}

uint32_t FakeConfig::add(document::Value value) {
  for (uint32_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].value.path() == value.path()) return i;
  nodes_.push_back({value, {}});
  return static_cast<uint32_t>(nodes_.size() - 1);
}

uint32_t FakeConfig::member(uint32_t node, std::string_view name) {
  Node& object = nodes_.at(node);
  if (!object.value.is(document::Kind::kObject)) return BERTH_CONFIG_ABSENT;
  object.visited = true;
  object.asked.emplace(name);
  const document::Value found = object.value.find(name);
  return found.present() ? add(found) : BERTH_CONFIG_ABSENT;
}

std::vector<std::string> FakeConfig::unknown() const {
  std::vector<std::string> paths;
  for (const Node& node : nodes_) {
    if (node.accepted || !node.visited) continue;
    for (const document::Member member : node.value.members())
      if (!node.asked.contains(member.key)) paths.push_back(member.value.path());
  }
  return paths;
}

}  // namespace berth::plugins::testing
