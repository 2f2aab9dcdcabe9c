#include "plugins/testing/fake_config.h"

#include <stdexcept>

#include "berth/sdk/text.hpp"

namespace berth::plugins::testing {

namespace {

uint32_t kind_of(const rapidjson::Value& value) {
  if (value.IsNull()) return BERTH_CONFIG_NULL;
  if (value.IsBool()) return BERTH_CONFIG_BOOL;
  if (value.IsNumber()) return BERTH_CONFIG_NUMBER;
  if (value.IsString()) return BERTH_CONFIG_STRING;
  return value.IsArray() ? BERTH_CONFIG_ARRAY : BERTH_CONFIG_OBJECT;
}

}  // namespace

FakeConfig::FakeConfig(std::string_view json) {
  document_.Parse(json.data(), json.size());
  if (document_.HasParseError()) throw std::invalid_argument("the test's arguments are no JSON");
  add(document_, "");
  config_.size = sizeof(config_);
  config_.context = this;
  config_.kind = [](const berth_config* c, uint32_t node) {
    return kind_of(*of(c).nodes_.at(node).value);
  };
  config_.length = [](const berth_config* c, uint32_t node) {
    const rapidjson::Value& value = *of(c).nodes_.at(node).value;
    return value.IsArray() ? value.Size() : 0u;
  };
  config_.element = [](const berth_config* c, uint32_t node, uint32_t i) {
    const Node& array = of(c).nodes_.at(node);
    return of(c).add((*array.value)[i], sdk::concat(array.path, "[", i, "]"));
  };
  config_.member = [](const berth_config* c, uint32_t node, berth_string name) {
    return of(c).member(node, sdk::to_view(name));
  };
  config_.accept = [](const berth_config* c, uint32_t node) {
    of(c).nodes_.at(node).accepted = true;
  };
  config_.boolean = [](const berth_config* c, uint32_t node, uint8_t* out) {
    const rapidjson::Value& value = *of(c).nodes_.at(node).value;
    if (!value.IsBool()) return 0u;
    *out = value.GetBool() ? 1 : 0;
    return 1u;
  };
  config_.integer = [](const berth_config* c, uint32_t node, int64_t* out) {
    const rapidjson::Value& value = *of(c).nodes_.at(node).value;
    if (!value.IsInt64()) return 0u;
    *out = value.GetInt64();
    return 1u;
  };
  config_.number = [](const berth_config* c, uint32_t node, double* out) {
    const rapidjson::Value& value = *of(c).nodes_.at(node).value;
    if (!value.IsNumber()) return 0u;
    *out = value.GetDouble();
    return 1u;
  };
  config_.string = [](const berth_config* c, uint32_t node, berth_string* out) {
    const rapidjson::Value& value = *of(c).nodes_.at(node).value;
    if (!value.IsString()) return 0u;
    *out = {value.GetString(), value.GetStringLength()};
    return 1u;
  };
  config_.error = [](const berth_config* c, uint32_t node, berth_string below, berth_string text) {
    std::string path = of(c).nodes_.at(node).path + std::string(sdk::to_view(below));
    if (path.starts_with('.')) path.erase(0, 1);
    of(c).errors_.push_back(sdk::concat(path, ": ", sdk::to_view(text)));
  };
}

uint32_t FakeConfig::add(const rapidjson::Value& value, std::string path) {
  for (uint32_t i = 0; i < nodes_.size(); ++i)
    if (nodes_[i].path == path) return i;
  nodes_.push_back({&value, std::move(path), {}});
  return static_cast<uint32_t>(nodes_.size() - 1);
}

uint32_t FakeConfig::member(uint32_t node, std::string_view name) {
  Node& object = nodes_.at(node);
  if (!object.value->IsObject()) return BERTH_CONFIG_ABSENT;
  object.visited = true;
  object.asked.emplace(name);
  const auto found = object.value->FindMember(std::string(name).c_str());
  if (found == object.value->MemberEnd()) return BERTH_CONFIG_ABSENT;
  const std::string path =
      object.path.empty() ? std::string(name) : sdk::concat(object.path, ".", name);
  return add(found->value, path);
}

std::vector<std::string> FakeConfig::unknown() const {
  std::vector<std::string> paths;
  for (const Node& node : nodes_) {
    if (!node.value->IsObject() || node.accepted || !node.visited) continue;
    for (const auto& member : node.value->GetObject())
      if (!node.asked.contains(std::string_view(member.name.GetString())))
        paths.push_back(node.path.empty() ? member.name.GetString()
                                          : sdk::concat(node.path, ".", member.name.GetString()));
  }
  return paths;
}

}  // namespace berth::plugins::testing
